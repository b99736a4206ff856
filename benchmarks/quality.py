"""Score webclean, and the peers that are installed, on a folder of labelled pages.

usage: python benchmarks/quality.py --data DIR [--systems A,B] [--limit N] [--jobs N] [--worst N] [--json F]

DIR is in WCXB layout (html/, ground-truth/), in the layout of fixtures/, or holds ID.html.gz with ID.txt. Pages with a
type are scored by words, articles in ID.txt layout by characters (longest common subsequence). Without --data the
repository's own fixtures are scored. For several corpora at once see corpora.py.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean

import harness
from harness import make_parser, write_figures
from page_folders import FIXTURES, Layout, find_layout, read_folder
from rapidfuzz.distance import Levenshtein
from systems import System, find_systems, run_system

from webclean.workbench.labelled_pages import LabelledPage, Score, score_subsequence, score_words

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CJK_OR_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_SAME_TITLE = 0.2
"""Edit distance of the longer one, under which two titles agree (title extraction by decision tree, 2010)."""


def score_words_and_characters(text: str, truth: str) -> Score:
    """Bag of words in which each Chinese, Japanese or Korean character is a word."""
    return score_words(" ".join(_CJK_OR_WORD.findall(text.lower())), " ".join(_CJK_OR_WORD.findall(truth.lower())))


def score_snippets(text: str, snippets: Sequence[str]) -> float | None:
    """Share of the snippets that the text holds; None when there are none. White space and case do not matter."""
    held = " ".join(text.lower().split())
    return average(float(" ".join(snippet.lower().split()) in held) for snippet in snippets)


def agree_titles(found: str | None, wanted: str) -> bool:
    """Whether two titles, or names, are the same but for small differences."""
    a, b = " ".join((found or "").split()), " ".join(wanted.split())
    return bool(a) and Levenshtein.distance(a, b) / max(len(a), len(b)) < _SAME_TITLE


def average(values: Iterable[float | None]) -> float | None:
    """Mean of the values that exist."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


MEASURES = {
    Layout.WCXB: score_words,
    Layout.TRUTH: score_words,
    Layout.FIXTURES: score_words_and_characters,
    Layout.ARTICLES: score_subsequence,
}
UNSPACED = frozenset(("ja", "th", "zh"))
"""Languages written without spaces: pages that say they are in one are scored by characters."""
RATES = ("kept_snippets", "dropped_snippets", "type", "title", "date", "author")
_ISO_DAY = len("2024-05-06")


@dataclass(frozen=True, slots=True)
class Row:
    """One page as one system did it. A rate is None where people gave nothing to compare with.

    kept_snippets: share of the wanted snippets found; dropped_snippets: share of the unwanted ones not found.
    """

    system: str
    id: str
    page_type: str
    precision: float
    recall: float
    f1: float
    kept_snippets: float | None
    dropped_snippets: float | None
    type: float | None
    title: float | None
    date: float | None
    author: float | None
    ms: float
    error: str = ""


def score_text(text: str, page: LabelledPage, layout: Layout = Layout.WCXB) -> Score:
    """A text against that of the label, by the measure of the layout and of the language."""
    return (score_subsequence if page.language in UNSPACED else MEASURES[layout])(text, page.text)


def score_page(system: System, name: str, page: LabelledPage, layout: Layout) -> Row:
    """Run one system on one page."""
    start = time.perf_counter()
    found, error = run_system(system, page.html, page.url)
    spent = 1000 * (time.perf_counter() - start)
    scores = score_text(found.text, page, layout)
    unwanted = score_snippets(found.text, page.dropped_snippets)
    return Row(
        system=name,
        id=page.id,
        page_type=page.page_type,
        precision=scores.precision,
        recall=scores.recall,
        f1=scores.f1,
        kept_snippets=score_snippets(found.text, page.kept_snippets),
        dropped_snippets=None if unwanted is None else 1 - unwanted,
        # at the level of the label: a subtype or a finer name
        type=float(page.page_type in (found.page_type, found.page_label))
        if page.page_type and found.page_type
        else None,
        title=float(agree_titles(found.title, page.title)) if page.title else None,
        date=float((found.date or "")[:10] == page.date[:10]) if page.date and len(page.date) >= _ISO_DAY else None,
        author=float(agree_titles((found.author or "").lower(), page.author.lower())) if page.author else None,
        ms=spent,
        error=error,
    )


def score_pages(names: list[str] | None, layout: Layout, pages: Iterable[LabelledPage]) -> list[Row]:
    """Every system on every page."""
    systems = find_systems(names)
    return [score_page(system, name, page, layout) for page in pages for name, system in systems.items()]


def score_folder(folder: Path, names: list[str] | None = None, limit: int | None = None, jobs: int = 1) -> list[Row]:
    """Rows for each page and system, in the order of the pages."""
    layout = find_layout(folder)
    pages = list(islice(read_folder(folder), limit))
    if jobs <= 1:
        return score_pages(names, layout, pages)
    with ProcessPoolExecutor(jobs) as pool:
        batches = [pages[start : start + 25] for start in range(0, len(pages), 25)]
        parts = pool.map(partial(score_pages, names, layout), batches)
        return [row for part in parts for row in part]


def summarise_rows(rows: Sequence[Row]) -> dict[str, float]:
    """Means over the pages of one system: precision, recall, f1, the rates, f1 by type as `f1/TYPE`."""
    summary = {name: average(getattr(row, name) for row in rows) for name in ("f1", "precision", "recall", *RATES)}
    for kind in sorted({row.page_type for row in rows if row.page_type}):
        summary[f"f1/{kind}"] = average(row.f1 for row in rows if row.page_type == kind)
    return {name: value for name, value in summary.items() if value is not None}


def format_table(rows: Sequence[Row]) -> str:
    """A Markdown table: one column a system, one row a measure; blank where a system never has an answer."""
    by_system = group_by_system(rows)
    summaries = [summarise_rows(own) for own in by_system.values()]
    kinds = {f"f1/{row.page_type}" for row in rows if row.page_type}
    lines = [
        [
            measure.replace("f1/", "F1, ").replace("_", " "),
            *(f"{own[measure]:.3f}" if own.get(measure) else "" for own in summaries),
        ]
        for measure in ("f1", "precision", "recall", *sorted(kinds), *RATES)
        if any(measure in own for own in summaries)
    ]
    lines.append(["ms a page", *(f"{fmean(row.ms for row in own):.1f}" for own in by_system.values())])
    lines.append(["errors", *(str(sum(bool(row.error) for row in own)) for own in by_system.values())])
    return harness.format_table(["", *by_system], lines)


def group_by_system(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """System -> its rows, in the order of the systems."""
    systems = dict.fromkeys(row.system for row in rows)
    return {name: [row for row in rows if row.system == name] for name in systems}


def format_worst(rows: Sequence[Row], n: int) -> str:
    """The pages of the first system that cost most."""
    own = sorted((row for row in rows if row.system == rows[0].system), key=lambda row: row.f1)[:n]
    return "\n".join(
        f"{row.id:>12} {row.page_type:13} F1 {row.f1:.3f}  P {row.precision:.3f}  R {row.recall:.3f}  {row.error}"
        for row in own
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("--data", type=Path, default=FIXTURES, metavar="DIR", help="labelled pages (fixtures/)")
    parser.add_argument("--systems", type=lambda text: text.split(","), metavar="A,B", help="default: all installed")
    parser.add_argument("--limit", type=int, help="the first N pages only")
    parser.add_argument("--jobs", type=int, default=1, help="processes; times are only comparable with 1")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages of lowest F1")
    options = parser.parse_args(arguments)
    rows = score_folder(options.data, options.systems, options.limit, options.jobs)
    print(f"{len({row.id for row in rows})} pages\n\n{format_table(rows)}")
    if options.worst:
        print(f"\n{format_worst(rows, options.worst)}")
    summaries = {name: summarise_rows(own) for name, own in group_by_system(rows).items()}
    write_figures(options.json, summaries, len({row.id for row in rows}), pages=[asdict(row) for row in rows])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
