"""`webclean rules annotate`: write above each value of rule files what it does."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.rules.files import read_rule_file
from webclean.workbench.descriptions import annotate_text


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("annotate", help="write above each value of rule files what it does")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="rule files, changed in place")
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 where comments are not fresh")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rewrite the comments that start with `#:` and name the files that changed."""
    changed = False
    for path in args.files:
        text = read_rule_file(path)
        written = annotate_text(text)
        if written == text.text:
            continue
        changed = True
        print(f"{path}: {'comments are not those of the schema' if args.check else 'comments written'}")
        if not args.check:
            path.write_text(written, encoding="utf-8")
    return 1 if changed and args.check else 0
