"""`webclean rules check`: load rules and report what is wrong or suspicious."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sized
from pathlib import Path
from typing import Any

from webclean.cli.rules.books import add_book_options, open_book
from webclean.pipeline import Cleaner
from webclean.rules import RuleBook
from webclean.workbench.faults import list_faults
from webclean.workbench.rule_checks import SamplePage, lint_rules, list_rule_files, list_rules


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("check", help="find faults, and rules that never fire, contradict or are too broad")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="rule files (default: all of the book)")
    parser.add_argument("--page", type=Path, action="append", default=[], help="try the rules on this page; repeatable")
    parser.add_argument("--url", help="the URL of the pages")
    add_book_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print all faults of the files, exit code 2, or else findings, exit code 1."""
    book = open_book([*args.rules, *(path for path in args.files if path.parent.name != "sites")])
    faults = list(list_faults(book, tuple(args.files) or tuple(list_rule_files(book))))
    for fault in faults:
        print(f"webclean: {fault}", file=sys.stderr)
    if faults:
        return 2
    book.for_page()
    sources = list(list_rules(book, tuple(args.files)))
    findings = list(lint_rules(sources, _read_samples(book, args.page, args.url)))
    for finding in findings:
        source = finding.source
        print(f"{source.file}:{source.line}: {source.id}: {finding.kind}: {finding.message}")
    print(f"{_count(sources, 'rule')}, {_count(findings, 'finding')}")
    return 1 if findings else 0


def _count(items: Sized, word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _read_samples(book: RuleBook, paths: list[Path], url: str | None) -> Iterator[SamplePage]:
    cleaner = Cleaner(rules=book)
    for path in paths:
        page = cleaner.clean(path.read_bytes(), url=url)
        yield SamplePage(path.name, page.analysis.columns, page.analysis.facts)
