"""Options that say which rule files and folders a command works with."""

from __future__ import annotations

import argparse
from pathlib import Path

from webclean.rules import RuleBook
from webclean.rules.user import VARIABLE, find_user_folders


def add_book_options(parser: argparse.ArgumentParser) -> None:
    """`--rules` for files and folders laid over the shipped rules."""
    parser.add_argument(
        "--rules",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help=f"a rule file, or a folder laid out like the shipped one; may be repeated, later wins. ${VARIABLE} "
        "or ~/.config/webclean/rules come first",
    )


def open_book(paths: list[Path]) -> RuleBook:
    """The shipped rules, the user's folders, then the given files and folders."""
    folders = [*find_user_folders(), *(path for path in paths if path.is_dir())]
    return RuleBook(folders=folders, files=[path for path in paths if not path.is_dir()])
