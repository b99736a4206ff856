"""What each profile makes of labelled pages, in the terms it is for.

usage: python benchmarks/profiles.py DIR [--profiles A,B] [--every N] [--type T] [--rules PATH]

DIR is a folder of labelled pages in one of the layouts of quality.py. For each profile: word P, R and F1 of the text
(means over pages); `noise`, the share of all words kept that are not in the truth; `prose`, the share of the kept words
in lines that end like sentences; `empty`, pages without text; the phone page: its words and its recall; the index rows
of kept blocks: rows a page, words a row, and the share of wanted and of unwanted snippets that are in one of them.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean

import checkout  # noqa: F401  webclean of this clone
from page_folders import read_folder
from scores import score_snippets

import webclean
from webclean.compare.dataset import LabelledPage, score_words
from webclean.outputs.dictionary import list_index_rows
from webclean.page import CleanPage

NAMES = ("balanced", "precision", "recall", "corpus", "mobile", "index")
MEASURES = (
    "P",
    "R",
    "F1",
    "noise",
    "prose",
    "empty",
    "phone words",
    "phone R",
    "rows",
    "row words",
    "wanted",
    "unwanted",
)
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?…。！？][\"'”’»)\]」』]*\Z")
_TAGS = re.compile(r"<head.*?</head>|<[^>]*>", re.DOTALL)


def measure_page(page: CleanPage, truth: LabelledPage) -> dict[str, float | None]:
    """The measures of one page; None where it has nothing to measure."""
    score = score_words(page.text, truth.text)
    kept, true = (Counter(_WORD.findall(text.lower())) for text in (page.text, truth.text))
    prose = sum(len(_WORD.findall(line)) for line in page.text.splitlines() if _SENTENCE.search(line.strip()))
    phone = _TAGS.sub(" ", page.to_mobile_html(include_images=False))
    rows = [row["text"] for row in list_index_rows(page.blocks, page.url) if row["kept"]]
    return {
        "P": score.precision,
        "R": score.recall,
        "F1": score.f1,
        "kept": kept.total(),
        "noise": (kept - true).total(),
        "prose": prose,
        "empty": float(not page.text),
        "phone words": len(_WORD.findall(phone)),
        "phone R": score_words(phone, truth.text).recall,
        "rows": len(rows),
        "row words": sum(len(_WORD.findall(text)) for text in rows),
        "wanted": score_snippets("\n".join(rows), truth.kept_snippets),
        "unwanted": score_snippets("\n".join(rows), truth.dropped_snippets),
    }


def summarise(pages: Sequence[dict[str, float | None]]) -> dict[str, float]:
    """Means over pages; noise and prose are shares of all words kept, row words of all rows."""
    columns = {name: [page[name] or 0.0 for page in pages if page[name] is not None] for name in pages[0]}
    total = {name: sum(values) for name, values in columns.items()}
    means = {name: fmean(values) if values else 0.0 for name, values in columns.items()}
    shares = {name: total[name] / max(1.0, total["kept"]) for name in ("noise", "prose")}
    return {**means, **shares, "row words": total["row words"] / max(1.0, total["rows"])}


def measure_profiles(
    pages: Iterable[LabelledPage], names: Sequence[str], rules: list[str]
) -> dict[str, dict[str, float]]:
    """Profile -> measure -> value, every profile on every page."""
    limits = webclean.Limits(max_seconds=600)  # of a busy machine
    cleaners = {name: webclean.Cleaner(rules=rules, profile=name, limits=limits) for name in names}
    measured: dict[str, list[dict[str, float | None]]] = {name: [] for name in names}
    for page in pages:
        for name, cleaner in cleaners.items():
            measured[name].append(measure_page(cleaner.clean(page.html, url=page.url or None), page))
    return {name: summarise(found) for name, found in measured.items()}


def format_table(found: dict[str, dict[str, float]]) -> str:
    """A Markdown table, one row a profile."""
    lines = [f"| profile | {' | '.join(MEASURES)} |", "|---" * (len(MEASURES) + 1) + "|"]
    for name, values in found.items():
        cells = (f"{values[key]:.0f}" if values[key] > 5 else f"{values[key]:.3f}".lstrip("0") for key in MEASURES)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What each profile makes of labelled pages.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="labelled pages")
    parser.add_argument("--profiles", default=",".join(NAMES), help=f"some of {','.join(NAMES)}, or your own")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    parser.add_argument("--type", help="only pages of this type")
    parser.add_argument("--rules", action="append", default=[], metavar="PATH", help="rules over the shipped ones")
    args = parser.parse_args()
    pages = (page for page in read_folder(args.folder) if args.type in (None, page.page_type))
    print(format_table(measure_profiles(islice(pages, 0, None, args.every), args.profiles.split(","), args.rules)))


if __name__ == "__main__":
    main()
