"""`webclean rules diff`: what two rule sets make of the same pages."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import Any

from webclean.cli.rules.books import open_book
from webclean.errors import InputError
from webclean.pipeline import Cleaner


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("diff", help="pages that change between two rule sets, with F1 where truth exists")
    parser.add_argument("before", metavar="A", help="a rule file or folder, or `shipped`")
    parser.add_argument("after", metavar="B", help="a rule file or folder, or `shipped`")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="labelled pages")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pages")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the changes side by side")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the changes; exit code 1 when the mean F1 falls."""
    try:
        from webclean.compare.corpus import read_corpus  # noqa: PLC0415  an extra
        from webclean.workbench.diff import compare_rules, format_diff, render_diff_html  # noqa: PLC0415
    except ImportError as error:
        raise InputError("this command needs rapidfuzz: pip install 'webclean[compare]'") from error
    before, after = (open_cleaner(name) for name in (args.before, args.after))
    found = compare_rules(before, after, itertools.islice(read_corpus(args.data), args.limit))
    print("\n".join(format_diff(found)))
    if args.html:
        args.html.write_text(render_diff_html(found, args.before, args.after), encoding="utf-8")
    return 1 if found.f1_after < found.f1_before else 0


def open_cleaner(name: str) -> Cleaner:
    """A cleaner with the shipped rules alone, or with a file or folder laid over them."""
    return Cleaner(rules=open_book([] if name == "shipped" else [Path(name)]))
