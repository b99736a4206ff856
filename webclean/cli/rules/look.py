"""Commands that look at rules: `webclean rules show`, `check`, `test`, `schema` and `features`.

The values that apply to a page and where each comes from; what is wrong or suspicious; the tests of rules; the JSON
Schema for editors; the features that cards, trees and rules refer to by name. And the options that say which rule files
and folders a command works with.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sized
from pathlib import Path
from typing import Any, Final

from webclean.checks import list_names
from webclean.cli.commands import command, flag, option
from webclean.cli.terminal import shorten_path
from webclean.compare.dataset import LAYOUT
from webclean.parse.url import list_sites
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook, load_rules, open_rules
from webclean.rules.files import Path_, format_path
from webclean.rules.layers import LAYER_FOLDERS, VARIABLE, find_user_folders, merge_values
from webclean.rules.published import describe_schema, format_settings, list_settings
from webclean.workbench.descriptions import describe_features
from webclean.workbench.faults import list_faults
from webclean.workbench.rule_checks import SamplePage, lint_rules, list_rule_files, list_rules, run_rule_tests

DATA: Final = (
    option("--data", f"pages: {LAYOUT}", "DIR", Path, required=True),
    option("--limit", "only about N of the pages, evenly spread", "N", int),
)
"""The pages that rules are tried on."""
BOOK: Final = option(
    "--rules",
    f"a rule file, or a folder laid out like the shipped one; may be repeated, later wins. ${VARIABLE} or "
    "~/.config/webclean/rules come first",
    "PATH",
    Path,
    action="append",
    default=[],
)
_FILES: Final = option("files", "rule files (default: all of the book)", "FILE", Path, nargs="*")


def open_book(paths: list[Path]) -> RuleBook:
    """The shipped rules, the user's folders, then the given files and folders."""
    return open_rules([*find_user_folders(), *paths])


@command(
    "show",
    "the values that apply to a page, with the file each is from",
    option("--effective", "the rules for a page of this site (default: for any site)", "URL"),
    option("--profile", "the profile", default="balanced"),
    option("--type", "a page type, subtype or label", "TYPE", dest="page_type"),
    option("--language", "a language code", "CODE"),
    option("--key", "only keys that start with this", "PREFIX", default=""),
    BOOK,
)
def show(args: argparse.Namespace) -> int:
    """Print one line a value: key, value, layer, file and line."""
    book = open_book(args.rules)
    sites = list_sites(args.effective) if args.effective else ()
    key = LayerKey(profile=args.profile, page_subtype=args.page_type, language=args.language, sites=sites)
    print(f"# hash {book.for_page(key).hash}")
    layers = book.layers(key)
    for path, value in list_values(merge_values(layer.text.values for layer in layers)):
        name = format_path(path)
        if name.startswith(args.key):
            origin = book.find_origin(key, path)
            print(
                f"{name} = {value!r}  # {origin.layer}, {shorten_path(origin.file)}:{origin.line}" if origin else name
            )
    return 0


def list_values(values: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value that is not a mapping, with its path, in order."""
    if isinstance(values, dict) and values:
        for key, item in values.items():
            yield from list_values(item, (*path, key))
    else:
        yield path, values


@command(
    "check",
    "find faults, and rules that never fire, contradict or are too broad",
    _FILES,
    option("--page", "try the rules on this page; repeatable", type_=Path, action="append", default=[]),
    option("--url", "the URL of the pages"),
    BOOK,
)
def check(args: argparse.Namespace) -> int:
    """Print all faults of the files, exit code 2, or else findings, exit code 1."""
    # a file of sites/ is read by its place in a folder, not laid over all pages
    book = open_book([*args.rules, *(path for path in args.files if path.parent.name != "sites")])
    faults = list(list_faults(book, tuple(args.files) or tuple(list_rule_files(book))))
    for fault in faults:
        print(f"webclean: {fault}", file=sys.stderr)
    if faults:
        return 2
    # what is faulty beside the files that were named ends here
    book.for_page()
    sources = list(list_rules(book, tuple(args.files)))
    findings = list(lint_rules(sources, _read_samples(book, args.page, args.url)))
    for finding in findings:
        source = finding.source
        print(f"{source.file}:{source.line}: {source.id}: {finding.kind}: {finding.message}")
    print(f"{_count_words(sources, 'rule')}, {_count_words(findings, 'finding')}")
    return 1 if findings else 0


def _count_words(items: Sized, word: str) -> str:
    return f"{len(items)} {word}{'' if len(items) == 1 else 's'}"


def _read_samples(book: RuleBook, paths: list[Path], url: str | None) -> Iterator[SamplePage]:
    cleaner = Cleaner(rules=book)
    for path in paths:
        page = cleaner.clean(path.read_bytes(), url=url)
        yield SamplePage(path.name, page.analysis.columns, page.analysis.facts)


@command("test", "run the tests that rules carry", _FILES, BOOK)
def test(args: argparse.Namespace) -> int:
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
    # a file in `sites/` of a known folder is in force already; twice it would win over the rest of the folder
    loose = [
        path for path in files if path.resolve().parent.name not in LAYER_FOLDERS and path.resolve().parent not in known
    ]
    added = [folder for folder in dict.fromkeys(folders) if folder not in known]
    return RuleBook(folders=[*book.folders[1:], *added], files=[*book.files, *loose])


@command(
    "schema",
    "the JSON Schema of rule files, for editors that complete and check",
    option("-o,--output", "write it here (default: standard output)", "FILE", Path),
    flag("--settings", "a table of all settings (Markdown) instead"),
)
def schema(args: argparse.Namespace) -> int:
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


@command("features", "the features that rules and cards may name (Markdown)")
def features(_: argparse.Namespace) -> int:
    """Print the reference page."""
    print(describe_features(), end="")
    return 0
