"""Passages by semantic blocks against chunks of fixed size: how often BM25 finds the answer among the first five.

usage: python benchmarks/retrieval.py DIR [--pages N]     DIR: WCXB's development split

The questions are those of retrieval_questions.yaml, about 24 pages; N further pages, evenly spread, are there to be
confused with. A question is answered if one of the first k passages is of its page and holds the answer. Words: how
many the first five have together, which is what a language model reads. Order: BM25 (rank-bm25) over the words of
title, headings and text of each passage; ties in the order of the pages.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone
import numpy as np
import yaml
from rank_bm25 import BM25Okapi

import webclean
from webclean.compare.dataset import LabelledPage, read_pages, spread_evenly

QUESTIONS: Final = Path(__file__).with_name("retrieval_questions.yaml")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a page. title: what is searched beside the text."""

    page: str
    text: str
    title: str = ""


def cut_fixed(text: str, size: int) -> Iterator[str]:
    """Chunks of as many words, with a tenth of overlap."""
    words = text.split()
    for at in range(0, max(1, len(words) - size // 10), size - size // 10):
        yield " ".join(words[at : at + size])


def list_all_text(page: webclean.CleanPage) -> str:
    """All text that the page shows, as a converter without cleaning gives it."""
    return "\n".join(page.analysis.columns.blocks.text)


Cut = Callable[[webclean.CleanPage], Iterator[tuple[str, str]]]
"""A page -> its passages: title and text."""


def make_cuts() -> dict[str, Cut]:
    """What is compared, by name."""
    cuts: dict[str, Cut] = {}
    for most in (100, 200, 400):
        cuts[f"blocks, up to {most} words"] = lambda page, most=most: (  # type: ignore[misc]
            (f"{page.title} {row['heading']}", row["text"]) for row in page.passages(max_words=most)
        )
    for size in (100, 200, 400):
        cuts[f"main text, chunks of {size}"] = lambda page, size=size: (  # type: ignore[misc]
            (page.title or "", text) for text in cut_fixed(page.text, size)
        )
    for size in (100, 200, 400):
        cuts[f"all text, chunks of {size}"] = lambda page, size=size: (  # type: ignore[misc]
            (page.title or "", text) for text in cut_fixed(list_all_text(page), size)
        )
    return cuts


def measure(passages: Sequence[Passage], questions: Sequence[dict[str, Any]]) -> tuple[float, float, float]:
    """Hit rates at 1 and 5, and the words of the first five."""
    index = BM25Okapi([_WORD.findall(f"{one.title} {one.text}".lower()) for one in passages])
    hits, n_words = [], 0
    for asked in questions:
        scores = index.get_scores(_WORD.findall(asked["question"].lower()))
        best = [passages[at] for at in np.argsort(-scores, kind="stable")[:5].tolist()]
        answer = " ".join(asked["answer"].split()).lower()
        hits.append([one.page == asked["page"] and answer in " ".join(one.text.split()).lower() for one in best])
        n_words += sum(len(one.text.split()) for one in best)
    found = np.array(hits)
    return float(found[:, 0].mean()), float(found.any(axis=1).mean()), n_words / len(questions)


def choose_pages(folder: Path, asked: set[str], n_others: int) -> list[LabelledPage]:
    """The pages that are asked about, and others."""
    pages = list(read_pages(folder))
    others = spread_evenly([page for page in pages if page.id not in asked], n_others)
    return [page for page in pages if page.id in asked] + list(others)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=120, help="pages beside those that are asked about")
    args = parser.parse_args()
    questions = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    cleaner = webclean.Cleaner()
    chosen = choose_pages(args.folder, {asked["page"] for asked in questions}, args.pages)
    pages = [(page.id, cleaner.clean(page.html, url=page.url)) for page in chosen]
    print(f"{len(questions)} questions, {len(pages)} pages")
    print("| passages | number | words each | hit at 1 | hit at 5 | words of five |\n|---|---|---|---|---|---|")
    for name, cut in make_cuts().items():
        passages = [Passage(page, text, title) for page, cleaned in pages for title, text in cut(cleaned)]
        first, five, n_words = measure(passages, questions)
        mean = sum(len(one.text.split()) for one in passages) / len(passages)
        print(f"| {name} | {len(passages)} | {mean:.0f} | {first:.2f} | {five:.2f} | {n_words:.0f} |")


if __name__ == "__main__":
    main()
