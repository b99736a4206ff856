"""Options that say which rule files and folders a command works with."""

from __future__ import annotations

import argparse
from pathlib import Path

from webclean.rules import RuleBook
from webclean.rules.sharing import VARIABLE, find_user_folders
from webclean.workbench.trials import LAYOUT


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


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """`--data` and `--limit`: the pages that rules are tried on."""
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help=f"pages: {LAYOUT}")
    parser.add_argument("--limit", type=int, metavar="N", help="only about N of the pages, evenly spread")


def open_book(paths: list[Path]) -> RuleBook:
    """The shipped rules, the user's folders, then the given files and folders."""
    folders = [*find_user_folders(), *(path for path in paths if path.is_dir())]
    return RuleBook(folders=folders, files=[path for path in paths if not path.is_dir()])
