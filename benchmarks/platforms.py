"""Which pages of labelled corpora are made with which platform, and what the rules of the platforms change.

usage: python benchmarks/platforms.py DIR... [--rules [--pages]]

Each DIR holds labelled pages, in a layout of `webclean learn`. Prints a Markdown table: for each platform the pages
that are recognised, by corpus, and for those with a true text their mean word F1 without and with the rules of
platforms, with the numbers of pages that gain and lose over .005. With --rules: for each single rule the pages on which
it changes anything, and what is better and worse there than without it alone: word F1, title, date, author, type.
The cards know most of these pages, so the differences count.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import checkout
import yaml

from webclean.compare.dataset import LabelledPage, read_pages, score_words
from webclean.errors import WebcleanError
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.rules import open_rules

CHANGED = 0.005
"""Word F1 that a page must differ by to be counted as changed."""
FIELDS = ("title", "date", "author", "page_subtype")


def clean(cleaner: Cleaner, page: LabelledPage) -> CleanPage | None:
    """The cleaned page; None where it exceeds a limit."""
    try:
        return cleaner.clean(page.html, url=page.url or None)
    except WebcleanError:
        return None


def compare(folder: Path) -> Iterator[tuple[str, tuple[float, float] | None]]:
    """(platform, F1 without and with its rules) for each platform of each page; no F1 where there is no true text."""
    with_rules, without = Cleaner(), Cleaner(platforms=False)
    for page in read_pages(folder):
        found = clean(with_rules, page)
        if found is None or not found.platforms:
            continue
        scores = None
        if page.text and (plain := clean(without, page)):
            scores = score_words(plain.text, page.text).f1, score_words(found.text, page.text).f1
        for platform in found.platforms:
            yield platform.name, scores


@cache
def list_rules() -> dict[str, list[str]]:
    """File of a platform -> the ids of its rules."""
    book = open_rules(None)
    ids = {file: read_ids(file) for file in book.platforms}
    return {file: found for file, found in ids.items() if found}


def read_ids(file: str) -> list[str]:
    values = yaml.safe_load((checkout.CLONE / "rules" / "platforms" / f"{file}.yaml").read_text(encoding="utf-8"))
    return list(values.get("rules") or {})


@cache
def build_without(rule: str) -> Cleaner:
    """A cleaner with all rules but one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "off.yaml"
        path.write_text(f"rules: {{{rule}: {{action: drop, because: it is off, enabled: false}}}}", encoding="utf-8")
        return Cleaner(rules=path)


def compare_rules(folder: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(platform, rule, part -> how much better it is with it) for each page on which the rule changes anything."""
    cleaner = Cleaner()
    for page in read_pages(folder):
        found = clean(cleaner, page)
        for platform in found.platforms if found else ():
            for rule in list_rules().get(platform.file, ()):
                other = clean(build_without(rule), page)
                if found and other and (told := tell_difference(page, found, other)) is not None:
                    yield platform.file, rule, {"id": f"{folder.name}/{page.id}", **told}


def tell_difference(page: LabelledPage, found: CleanPage, other: CleanPage) -> dict[str, Any] | None:
    """What is better with a rule than without: word F1, fields that are right, posts. None: nothing is other."""
    told: dict[str, Any] = {}
    if found.text != other.text:
        told["text"] = 0.0
        if page.text:
            told["text"] = score_words(found.text, page.text).f1 - score_words(other.text, page.text).f1
    for name in FIELDS:
        one, two = getattr(found, name), getattr(other, name)
        if one != two:
            truth = page.page_type if name == "page_subtype" else getattr(page, name)
            told[name] = 0 if not truth or truth == "page" else is_right(one, truth) - is_right(two, truth)
    records = [sum(bool(row["author"]) + bool(row["date"]) for row in one.record_rows()) for one in (found, other)]
    if records[0] != records[1]:
        told["records"] = records[0] - records[1]
    return told or None


def is_right(value: str | None, truth: str) -> bool:
    told, true = (" ".join(str(one or "").casefold().split()) for one in (value, truth))
    return told == true or (len(true) >= 10 and true[:10].replace("-", "").isdigit() and told[:10] == true[:10])


def format_rows(pages: dict[str, Counter[str]], scores: dict[str, list[tuple[float, float]]]) -> Iterator[str]:
    """The table, the platform with the most pages first."""
    yield "| platform | pages | F1 without | F1 with | gain | lose |"
    yield "|---|---|---|---|---|---|"
    for name, counted in sorted(pages.items(), key=lambda item: -item[1].total()):
        own = scores[name]
        where = ", ".join(f"{n} {corpus}" for corpus, n in counted.most_common())
        if not own:
            yield f"| {name} | {where} | | | | |"
            continue
        without, found = (fmean(side) for side in zip(*own, strict=True))
        n_gain, n_lose = (sum(sign * (after - before) > CHANGED for before, after in own) for sign in (1, -1))
        yield f"| {name} | {where} | {without:.3f} | {found:.3f} | {n_gain} | {n_lose} |"


def format_rules(changes: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """The table of single rules."""
    yield "| rule | changes | text: gain, lose, mean | title | date | author | type | parts of records |"
    yield "|---|---|---|---|---|---|---|---|"
    for rule in (rule for rules in list_rules().values() for rule in rules):
        found = changes[rule]
        text = [one["text"] for one in found if "text" in one]
        n_gain, n_lose = (sum(sign * one > CHANGED for one in text) for sign in (1, -1))
        told = f"+{n_gain} -{n_lose} {fmean(text):+.3f}" if text else ""
        cells = [describe_counts([one[name] for one in found if name in one]) for name in FIELDS]
        n_parts = sum(one.get("records", 0) for one in found)
        yield f"| {rule} | {len(found)} | {told} | {' | '.join(cells)} | {n_parts or ''} |"


def describe_counts(values: list[float]) -> str:
    """`+3 -1`: pages on which a field is right with the rule alone, and without it alone; (n) of unknown truth."""
    if not values:
        return ""
    plus, minus = (sum(sign * one > 0 for one in values) for sign in (1, -1))
    return f"+{plus} -{minus} ({values.count(0)})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--rules", action="store_true", help="what each single rule changes")
    parser.add_argument("--pages", action="store_true", help="with --rules: name the pages, too")
    args = parser.parse_args()
    if args.rules:
        changes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for folder in args.folders:
            for _, rule, told in compare_rules(folder):
                changes[rule].append(told)
                if args.pages:
                    print(rule, told, flush=True)
        print("\n".join(format_rules(changes)))
        return
    pages: dict[str, Counter[str]] = defaultdict(Counter)
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for folder in args.folders:
        for name, pair in compare(folder):
            pages[name][folder.name] += 1
            if pair:
                scores[name].append(pair)
    print("\n".join(format_rows(pages, scores)))


if __name__ == "__main__":
    main()
