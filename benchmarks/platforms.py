"""Which pages of labelled corpora are made with which platform, and what the rules of the platforms change.

usage: python benchmarks/platforms.py DIR...

Each DIR holds labelled pages, in a layout of `webclean learn`. Prints a Markdown table: for each platform the pages
that are recognised, by corpus, and for those with a true text their mean word F1 without and with the rules of
platforms, with the numbers of pages that gain and lose over .005. The cards know most of these pages, so the
differences count.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import checkout  # noqa: F401  webclean of this clone

from webclean.compare.dataset import LabelledPage, read_pages, score_words
from webclean.errors import WebcleanError
from webclean.page import CleanPage
from webclean.pipeline import Cleaner

CHANGED = 0.005
"""Word F1 that a page must differ by to be counted as changed."""


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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    pages: dict[str, Counter[str]] = defaultdict(Counter)
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for folder in parser.parse_args().folders:
        for name, pair in compare(folder):
            pages[name][folder.name] += 1
            if pair:
                scores[name].append(pair)
    print("\n".join(format_rows(pages, scores)))


if __name__ == "__main__":
    main()
