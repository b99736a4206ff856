"""`webclean rules schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webclean.rules.published import describe_schema


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("schema", help="the JSON Schema of rule files, for editors that complete and check")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it here (default: standard output)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the schema."""
    text = json.dumps(describe_schema(), indent=2, ensure_ascii=False)
    if args.output:
        args.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0
