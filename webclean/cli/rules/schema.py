"""`webclean rules schema`: the JSON Schema of rule files, for editors."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from webclean.checks import list_names
from webclean.rules import load_rules
from webclean.rules.published import describe_schema, format_settings, list_settings


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("schema", help="the JSON Schema of rule files, for editors that complete and check")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it here (default: standard output)")
    parser.add_argument("--settings", action="store_true", help="a table of all settings (Markdown) instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the schema."""
    if args.settings:
        text = format_settings(list(list_settings(load_rules())))
    else:
        text = json.dumps(describe_schema(*list_names()), indent=2, ensure_ascii=False)
    if args.output:
        args.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0
