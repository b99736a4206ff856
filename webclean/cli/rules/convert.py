"""`webclean rules convert`: cards of an earlier form -> the present one, in place."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.rules.cards import convert_text
from webclean.rules.files import read_rule_file

_DESCRIPTION = """Write the cards of rule files (score_card, second_card, plain_card, roles, cards of fields) anew in
the form that is read now; everything else in the files stays as it is. Comments inside the sections that are written
anew are lost."""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "convert", help="write cards of an earlier form anew, in place", description=_DESCRIPTION
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Change the files that hold such cards, and say which."""
    for path in args.files:
        text = read_rule_file(path)
        made = convert_text(text)
        if made != text.text:
            path.write_text(made, encoding="utf-8")
        print(f"{path}: {'converted' if made != text.text else 'nothing to convert'}")
    return 0
