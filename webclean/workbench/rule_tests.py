"""Runs the tests of rules: pages, and the texts in them that must be kept or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webclean.errors import WebcleanError
from webclean.matching.typography import fold_typography
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.rules import RuleBook
from webclean.rules.rule_schema import RuleTest
from webclean.workbench.sources import RuleSource, list_rules


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of one rule: `faults` is empty when it passed."""

    __test__ = False

    source: RuleSource
    number: int
    faults: tuple[str, ...]


def run_rule_tests(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[TestResult]:
    """Run the tests of all rules of a book, or only of the rules in `files`. A test page of a site file without a
    URL of its own is cleaned as a page of that site, one of a profile with that profile."""
    cleaners: dict[str | None, Cleaner] = {}
    for source in list_rules(book, files):
        if source.profile not in cleaners:
            cleaners[source.profile] = Cleaner(rules=book, profile=source.profile or "balanced")
        cleaner = cleaners[source.profile]
        for number, test in enumerate(source.rule.tests, start=1):
            yield TestResult(source, number, tuple(_find_faults(cleaner, source, test)))


def _find_faults(cleaner: Cleaner, source: RuleSource, test: RuleTest) -> Iterator[str]:
    try:
        if test.html is not None:
            html: str | bytes = test.html
        elif test.file is not None:
            html = (source.file.parent / test.file).read_bytes()
        else:
            yield "a test needs `html` or `file`"
            return
        page = cleaner.clean(html, url=test.url or (f"https://{source.site}/" if source.site else None))
    except (OSError, WebcleanError) as error:
        yield str(error)
        return
    yield from check_page(page, test)


def check_page(page: CleanPage, test: RuleTest) -> Iterator[str]:
    """The expectations of a test that a cleaned page does not meet; straight quotes stand for curly ones."""
    text = fold_typography(page.text)
    for wanted in test.keep:
        if fold_typography(wanted) not in text:
            yield f"must be kept and is not: {wanted!r}"
    for unwanted in test.drop:
        if fold_typography(unwanted) in text:
            yield f"must be dropped and is not: {unwanted!r}"
    for name in ("title", "date", "author"):
        expected, found = getattr(test, name), getattr(page, name)
        if expected is not None and fold_typography(expected) != fold_typography(found or ""):
            yield f"{name} is {found!r}, not {expected!r}"
