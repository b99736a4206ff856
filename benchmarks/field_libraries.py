"""What libraries make of the dates and the languages of real pages, beside ours: share right and microseconds a call.

usage: python benchmarks/field_libraries.py --data DIR [--limit N]

DIR holds html/ID.html.gz and ground-truth/ID.json. Dates: the shown text of each `time` element that holds a year and
whose `datetime` is ISO 8601, which is the truth; a day off is right, for zones. Languages: the text of pages that
declare theirs, which is the truth. A library that is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib
import re
import time
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import TypeVar

import checkout  # noqa: F401  webclean of this clone

from webclean.compare.dataset import read_pages
from webclean.fields.date_text import prepare_reader, read_dates, read_iso
from webclean.fields.language import detect_text, find_declared, sample_text
from webclean.fields.statements import PageStatements
from webclean.learn.harness import read_columns
from webclean.parse import read_attribute
from webclean.rules import load_rules

_YEAR = re.compile(r"(?:19|20)\d\d")
_ZONES = timedelta(days=1)
T = TypeVar("T")


def read_with_ours() -> Callable[[str], date | None]:
    reader = prepare_reader(load_rules().fields.date, load_rules().dates)
    return lambda text: next((found.day for found in read_dates(text, reader)), None)


def read_with_dateutil() -> Callable[[str], date | None]:
    parser = importlib.import_module("dateutil.parser")
    return lambda text: parser.parse(text, fuzzy=True).date()


def read_with_dateparser() -> Callable[[str], date | None]:
    parser = importlib.import_module("dateparser")
    return lambda text: found.date() if (found := parser.parse(text)) else None


def detect_with_turbohtml() -> Callable[[str], str]:
    return lambda text: detect_text(text)[0]


def detect_with_py3langid() -> Callable[[str], str]:
    classify = importlib.import_module("py3langid").classify
    return lambda text: str(classify(text)[0])


def measure(
    name: str, make: Callable[[], Callable[[str], T]], cases: Iterable[tuple[str, T]], same: Callable[[T, T], bool]
) -> None:
    try:
        read = make()
    except ImportError:
        return
    right, n, began = 0, 0, time.process_time()
    for text, truth in cases:
        n += 1
        try:
            found = read(text)
        except (ValueError, OverflowError):
            continue
        right += same(found, truth)
    spent = 1e6 * (time.process_time() - began) / max(n, 1)
    print(f"{name:16s} {right / max(n, 1):.3f} of {n}, {spent:.0f} microseconds")


def is_same_day(found: date | None, truth: date | None) -> bool:
    return found is not None and truth is not None and abs(found - truth) <= _ZONES


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--limit", type=int)
    given = arguments.parse_args()
    pages = list(read_pages(given.data))
    pages = pages[:: max(1, len(pages) // given.limit)] if given.limit else pages
    days: dict[str, date | None] = {}
    languages: list[tuple[str, str]] = []
    for columns in map(read_columns, pages):
        statements, document = PageStatements(columns), columns.document
        for row in statements.rows_of("time"):
            text, stated = statements.read_text(row), read_iso(read_attribute(document, row, "datetime") or "")
            if stated and _YEAR.search(text):
                days.setdefault(text, stated.day)
        declared, text = find_declared(document)[0].partition("-")[0], sample_text(columns.blocks)
        if declared and len(text) >= 200:
            languages.append((text, declared))
    print("dates")
    for name, dates in (
        ("ours", read_with_ours),
        ("dateutil", read_with_dateutil),
        ("dateparser", read_with_dateparser),
    ):
        measure(name, dates, days.items(), is_same_day)
    print("languages")
    for name, tell in (("turbohtml", detect_with_turbohtml), ("py3langid", detect_with_py3langid)):
        measure(name, tell, languages, str.__eq__)


if __name__ == "__main__":
    main()
