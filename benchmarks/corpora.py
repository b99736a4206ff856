"""Score webclean, and peers at their best setting, on several corpora: a table of corpora by systems.

usage: python benchmarks/corpora.py DIR... [--systems "A;B"] [--limit N] [--json FILE]

A DIR is a folder of labelled pages in any layout of `page_folders.py`; a DIR without pages stands for the folders in
it. For each corpus, and for each language or page type that at least 20 of its pages are of:

precision, recall, f1   means over the pages that have a text: of words, or of characters by the longest common
                        subsequence where the language is written without spaces
snippets                precision, recall and F1 over all snippets: those that belong to the main content and those
                        that do not, each found in the text or not, as they stand
title, date, author     shares right of the pages that have one: edit distance under 0.2, the day; none for a system
                        that is never right, which does not tell them
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from harness import format_by_measure, make_parser, take_about, write_figures
from page_folders import Layout, find_layout, read_folder
from quality import agree_titles, average, score_text
from systems import System, find_systems, run_system

from webclean.errors import InputError
from webclean.workbench.labelled_pages import LabelledPage, Score

SYSTEMS = ("webclean", "trafilatura", "trafilatura, no comments", "readability-lxml", "resiliparse")
FIELDS = ("title", "date", "author")
MIN_PAGES = 20
"""A language or page type with fewer pages has no figure of its own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One page as one system did it: what its label has. n_right, n_wrong, n_missed: snippets."""

    group: str
    text: Score | None
    n_right: int
    n_wrong: int
    n_missed: int
    fields: Mapping[str, bool]
    error: str = ""


def find_corpora(folders: Sequence[Path]) -> dict[str, Path]:
    """Name -> folder of pages."""
    found: dict[str, Path] = {}
    for folder in folders:
        try:
            find_layout(folder)
            found[folder.name] = folder
        except InputError:
            inner = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
            if not inner:
                raise
            found |= find_corpora(inner)
    return found


def score_page(system: System, page: LabelledPage, layout: Layout) -> Row:
    """One page as a system does it."""
    found, error = run_system(system, page.html, page.url)
    held = _flatten(found.text)
    right = sum(_flatten(snippet) in held for snippet in page.kept_snippets)
    wrong = sum(_flatten(snippet) in held for snippet in page.dropped_snippets)
    # an empty text is a truth in WCXB; elsewhere it is a text that nobody wrote down
    scored = page.text or layout is not Layout.TRUTH
    fields = {name: agree(name, getattr(found, name), page) for name in FIELDS if getattr(page, name)}
    return Row(
        group=page.language or page.page_type,
        text=score_text(found.text, page, layout) if scored else None,
        n_right=right,
        n_wrong=wrong,
        n_missed=len(page.kept_snippets) - right,
        fields=fields,
        error=error,
    )


def _flatten(text: str) -> str:
    return " ".join(text.split())


def agree(name: str, found: str | None, page: LabelledPage) -> bool:
    """Whether a field is the labelled one; a date may be off by the days that the label allows."""
    wanted = str(getattr(page, name))
    if name != "date":
        return agree_titles((found or "").lower(), wanted.lower())
    try:
        return abs((date.fromisoformat((found or "")[:10]) - date.fromisoformat(wanted[:10])).days) <= page.date_slack
    except ValueError:
        return False


def summarise(rows: Sequence[Row]) -> Iterator[tuple[str, float]]:
    """(measure, value) of what the labels have."""
    texts = [row.text for row in rows if row.text]
    for part in ("f1", "precision", "recall") if texts else ():
        yield part, average(getattr(text, part) for text in texts) or 0.0
    right, wrong, missed = (sum(getattr(row, name) for row in rows) for name in ("n_right", "n_wrong", "n_missed"))
    if right + wrong + missed:
        yield "snippets f1", 2 * right / (2 * right + wrong + missed)
        yield "snippets precision", right / max(1, right + wrong)
        yield "snippets recall", right / max(1, right + missed)
    for name in FIELDS:
        known = [float(row.fields[name]) for row in rows if name in row.fields]
        if any(known):
            yield name, average(known) or 0.0
    errors = sum(bool(row.error) for row in rows)
    if errors:
        yield "errors", errors


def summarise_corpus(name: str, rows: Sequence[Row]) -> dict[str, float]:
    """`CORPUS measure` and `CORPUS/GROUP measure` -> value."""
    found = {f"{name} {measure}": value for measure, value in summarise(rows)}
    for group, n_pages in sorted(Counter(row.group for row in rows).items()):
        if group and MIN_PAGES <= n_pages < len(rows):
            own = summarise([row for row in rows if row.group == group])
            found |= {f"{name}/{group} {measure}": value for measure, value in own}
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="labelled pages, or folders of such")
    parser.add_argument("--systems", metavar="A;B", default=";".join(SYSTEMS), help="separated by ;")
    parser.add_argument("--limit", type=int, metavar="N", help="about N pages of each corpus, spread over it")
    options = parser.parse_args(arguments)
    systems = find_systems(options.systems.split(";"))
    summary: dict[str, dict[str, float]] = {name: {} for name in systems}
    n_pages, began = {}, time.monotonic()
    for corpus, folder in find_corpora(options.folders).items():
        layout, pages = find_layout(folder), take_about(list(read_folder(folder)), options.limit)
        n_pages[corpus] = len(pages)
        for name, system in systems.items():
            summary[name] |= summarise_corpus(corpus, [score_page(system, page, layout) for page in pages])
            print(f"{time.monotonic() - began:7.1f} s  {corpus}: {len(pages)} pages, {name}", file=sys.stderr)
    print(format_by_measure(summary))
    write_figures(options.json, summary, n_pages)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
