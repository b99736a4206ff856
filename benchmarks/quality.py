"""Score webclean, and the peers that are installed, on a folder of labelled pages.

usage: python benchmarks/quality.py --data DIR [--systems A,B] [--limit N] [--jobs N] [--worst N] [--csv F] [--json F]

DIR is in WCXB layout (html/, ground-truth/), in the layout of fixtures/, or holds ID.html.gz with ID.txt. Pages with a
type are scored by words, articles in ID.txt layout by characters (longest common subsequence). Without --data the
repository's own fixtures are scored. For several corpora at once see corpora.py.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import checkout  # noqa: F401  webclean of this clone
from page_folders import FIXTURES, Layout, find_layout, read_folder
from scores import agree_dates, agree_titles, average, score_snippets, score_words_and_characters
from systems import Extract, System, find_systems

from webclean.compare.dataset import LabelledPage, Score, score_subsequence, score_words

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


def score_text(text: str, page: LabelledPage, layout: Layout) -> Score:
    """A text against that of the label, by the measure of the layout and of the language."""
    return (score_subsequence if page.language in UNSPACED else MEASURES[layout])(text, page.text)


def score_page(system: System, name: str, page: LabelledPage, layout: Layout) -> Row:
    """Run one system on one page; a system that raises has found nothing."""
    start = time.perf_counter()
    error = ""
    try:
        found = system(page.html, page.url)
    except Exception as exc:  # a benchmark counts failures, whatever they are
        found, error = Extract(""), f"{type(exc).__name__}: {exc}"
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
        type=_agree_types(found, page.page_type),
        title=float(agree_titles(found.title, page.title)) if page.title else None,
        date=float(agree_dates(found.date, page.date)) if page.date and len(page.date) >= _ISO_DAY else None,
        author=float(agree_titles((found.author or "").lower(), page.author.lower())) if page.author else None,
        ms=spent,
        error=error,
    )


def _agree_types(found: Extract, wanted: str) -> float | None:
    """Whether the type is the labelled one, at the level of the label: a subtype or a finer name."""
    if not wanted or found.page_type is None:
        return None
    return float(wanted in (found.page_type, found.page_label))


def score_pages(names: list[str] | None, layout: Layout, pages: Iterable[LabelledPage]) -> list[Row]:
    """Every system on every page."""
    systems = find_systems(names)
    return [score_page(system, name, page, layout) for page in pages for name, system in systems.items()]


def score_folder(folder: Path, names: list[str] | None = None, limit: int | None = None, jobs: int = 1) -> list[Row]:
    """Rows for each page and system, in the order of the pages."""
    layout = find_layout(folder)
    pages = islice(read_folder(folder), limit)
    if jobs <= 1:
        return score_pages(names, layout, pages)
    with ProcessPoolExecutor(jobs) as pool:
        parts = pool.map(partial(score_pages, names, layout), _cut(list(pages), 25))
        return [row for part in parts for row in part]


def _cut(pages: list[LabelledPage], size: int) -> list[list[LabelledPage]]:
    return [pages[start : start + size] for start in range(0, len(pages), size)]


def summarise_rows(rows: Sequence[Row]) -> dict[str, float]:
    """Means over the pages of one system: precision, recall, f1, the rates, f1 by type as `f1/TYPE`."""
    summary = {name: average(getattr(row, name) for row in rows) for name in ("f1", "precision", "recall", *RATES)}
    for kind in sorted({row.page_type for row in rows if row.page_type}):
        summary[f"f1/{kind}"] = average(row.f1 for row in rows if row.page_type == kind)
    return {name: value for name, value in summary.items() if value is not None}


def format_table(rows: Sequence[Row]) -> str:
    """A Markdown table: one column a system, one row a measure; blank where a system never has an answer."""
    systems = list(dict.fromkeys(row.system for row in rows))
    by_system = {name: [row for row in rows if row.system == name] for name in systems}
    summaries = {name: summarise_rows(by_system[name]) for name in systems}
    kinds = {f"f1/{row.page_type}": None for row in rows if row.page_type}
    lines = ["| | " + " | ".join(systems) + " |", "|---" * (len(systems) + 1) + "|"]
    for measure in ("f1", "precision", "recall", *sorted(kinds), *RATES):
        cells = [summaries[name].get(measure) for name in systems]
        if any(cell is not None for cell in cells):
            name = measure.replace("f1/", "F1, ").replace("_", " ")
            lines.append(f"| {name} | " + " | ".join(f"{cell:.3f}" if cell else "" for cell in cells) + " |")
    lines.append("| ms a page | " + " | ".join(f"{average(r.ms for r in by_system[s]):.1f}" for s in systems) + " |")
    lines.append("| errors | " + " | ".join(str(sum(bool(r.error) for r in by_system[s])) for s in systems) + " |")
    return "\n".join(lines)


def format_worst(rows: Sequence[Row], n: int) -> str:
    """The pages of the first system that cost most."""
    own = sorted((row for row in rows if row.system == rows[0].system), key=lambda row: row.f1)[:n]
    return "\n".join(
        f"{row.id:>12} {row.page_type:13} F1 {row.f1:.3f}  P {row.precision:.3f}  R {row.recall:.3f}  {row.error}"
        for row in own
    )


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=FIXTURES, metavar="DIR", help="labelled pages (fixtures/)")
    parser.add_argument("--systems", type=lambda text: text.split(","), metavar="A,B", help="default: all installed")
    parser.add_argument("--limit", type=int, help="the first N pages only")
    parser.add_argument("--jobs", type=int, default=1, help="processes; times are only comparable with 1")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages of lowest F1")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="one line a page and system")
    parser.add_argument("--json", type=Path, metavar="FILE", help="summaries and rows")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    rows = score_folder(options.data, options.systems, options.limit, options.jobs)
    print(f"{len({row.id for row in rows})} pages\n\n{format_table(rows)}")
    if options.worst:
        print(f"\n{format_worst(rows, options.worst)}")
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rows[0])))
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    if options.json:
        by_system = {name: [row for row in rows if row.system == name] for name in {row.system for row in rows}}
        summaries = {name: summarise_rows(own) for name, own in by_system.items()}
        values = {
            "summary": summaries,
            "n_pages": len({row.id for row in rows}),
            "pages": [asdict(row) for row in rows],
        }
        options.json.write_text(json.dumps(values, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
