"""`webclean rules test`: run the tests of rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.cli.rules.books import add_book_options, open_book
from webclean.rules import RuleBook
from webclean.rules.layers import LAYER_FOLDERS
from webclean.workbench.rule_checks import run_rule_tests


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("test", help="run the tests that rules carry")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="rule files (default: all of the book)")
    add_book_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print failures and the totals. Exit code 1 when a test fails."""
    book = open_book(args.rules)
    results = list(run_rule_tests(with_files(book, args.files), tuple(args.files)))
    for result in results:
        source = result.source
        for fault in result.faults:
            print(f"{source.file}:{source.line}: {source.id}, test {result.number}: {fault}")
    failed = sum(bool(result.faults) for result in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


def with_files(book: RuleBook, files: list[Path]) -> RuleBook:
    """The book with the files in force: one in a layer's folder (`sites/`, ...) by way of the folder above, any other
    as a file of the call."""
    folders = [path.resolve().parent.parent for path in files if path.resolve().parent.name in LAYER_FOLDERS]
    known = {folder.resolve() for folder in book.folders}
    loose = [
        path for path in files if path.resolve().parent.name not in LAYER_FOLDERS and path.resolve().parent not in known
    ]
    added = [folder for folder in dict.fromkeys(folders) if folder not in known]
    return RuleBook(folders=[*book.folders[1:], *added], files=[*book.files, *loose])
