"""Folders of labelled pages -> pages, groups and folds; and the scores of a text against the true one.

A page is `html/ID.html.gz`, its label `ground-truth/ID.json` in the layout of WCXB (Foley, 2026), or `truth/ID.json`
with any of url, text, comments, with, without, title, date, date_slack, author, language, domain and page_type; a page
with `posts` is a thread, the others are articles unless they say so. Pages of one registered domain, or with the same
main content, always share a fold: whatever is learnt is scored on sites it has not seen.

Where rules and methods are tried, a page and its text are enough: `ID.html` (or `ID.html.gz`), with `ID.txt` beside it
if the true text is known.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from rapidfuzz.distance import LCSseq

from webclean.errors import InputError
from webclean.model import Rows
from webclean.parse.url import find_registered_domain
from webclean.storage import read_unpacked

_MERGED_TYPES: Final = {"category": "collection"}
_Item = TypeVar("_Item")
LAYOUT: Final = (
    "a folder with ID.html (or ID.html.gz) and, where the true text is known, ID.txt beside it; "
    "or html/ID.html.gz with ground-truth/ID.json (WCXB) or truth/ID.json"
)
_ENDINGS: Final = (".html.gz", ".html")


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and what people say of it.

    html: bytes as served. text: the main content, '' where the page has none or it is not known; has_text: whether it
    is known, which a page of `truth/` does not say. page_type: `page` where it is not known. kept_snippets,
    dropped_snippets: short texts that belong, or do not belong, to the main content. comments: what readers wrote below
    it. language: ISO 639-1. domain: the registered domain, where it is known. date_slack: days that the date may be
    off. corpus: the folder's name.
    """

    id: str
    url: str
    html: bytes
    text: str = ""
    page_type: str = "page"
    title: str | None = None
    date: str | None = None
    author: str | None = None
    kept_snippets: tuple[str, ...] = ()
    dropped_snippets: tuple[str, ...] = ()
    comments: str = ""
    language: str = ""
    domain: str = ""
    date_slack: int = 0
    corpus: str = ""
    has_text: bool = True


def read_corpora(folders: Sequence[str]) -> Iterator[LabelledPage]:
    """The pages of several folders, one folder after the other."""
    return chain.from_iterable(map(read_pages, folders))


def read_pages(folder: str | Path) -> Iterator[LabelledPage]:
    """The pages of a folder, by id. Raises `InputError` when the folder has another layout, or one cannot be read."""
    folder = Path(folder)
    for name, read in (("ground-truth", _read_wcxb), ("truth", _read_truth)):
        found = sorted((folder / name).glob("*.json"))
        for path in found:
            html = read_unpacked(folder / "html" / f"{path.stem}.html.gz")
            label = json.loads(path.read_text(encoding="utf-8"))
            yield replace(read(path.stem, html, label), corpus=folder.resolve().name)
        if found:
            return
    paths = sorted(path for path in folder.glob("*") if path.name.endswith(_ENDINGS))
    if not paths:
        raise InputError(f"{folder}: no pages; wanted: {LAYOUT}")
    for path in paths:
        name = path.name.removesuffix(".gz").removesuffix(".html")
        true = path.with_name(f"{name}.txt")
        try:
            html = read_unpacked(path)
            text = true.read_text(encoding="utf-8").strip() if true.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from error
        # an empty file is a page that nobody has labelled yet
        yield LabelledPage(name, "", html, text, has_text=bool(text))


def _read_wcxb(page_id: str, html: bytes, label: dict[str, Any]) -> LabelledPage:
    """A label of WCXB, written in the keys of the other layout."""
    truth, page_type = label["ground_truth"], label["_internal"]["page_type"]["primary"]
    alike = {name: truth.get(name) for name in ("title", "author", "with", "without")}
    named = {"url": label.get("url"), "text": truth.get("main_content"), "date": truth.get("publish_date")}
    return _read_truth(page_id, html, {**alike, **named, "page_type": _MERGED_TYPES.get(page_type, page_type)})


def _read_truth(page_id: str, html: bytes, truth: dict[str, Any]) -> LabelledPage:
    return LabelledPage(
        id=page_id,
        url=truth.get("url") or "",
        html=html,
        text=(truth.get("text") or "").strip(),
        page_type=truth.get("page_type") or ("forum" if "posts" in truth else "article"),
        title=truth.get("title"),
        date=truth.get("date"),
        author=truth.get("author"),
        kept_snippets=tuple(truth.get("with") or ()),
        dropped_snippets=tuple(truth.get("without") or ()),
        comments=truth.get("comments") or "",
        language=(truth.get("language") or "").partition("-")[0].lower(),
        domain=truth.get("domain") or "",
        date_slack=truth.get("date_slack", 0),
    )


def spread_evenly(items: Sequence[_Item], limit: int | None) -> Sequence[_Item]:
    """As many of the items, at even distances from the first on; all of them without a limit."""
    n = min(limit or len(items), len(items))
    return [items[at * len(items) // n] for at in range(n)]


def group_pages(pages: Sequence[LabelledPage]) -> Rows:
    """int32 [n_pages]: pages of one registered domain, or with the same text, have the same number."""
    group = list(range(len(pages)))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    first: dict[str, int] = {}
    for i, page in enumerate(pages):
        domain = page.domain or (find_registered_domain(page.url) if page.url else "")
        # the same text on two sites is a copy: in two folds it would be learnt and scored
        keys = (f"site {domain}" if page.url or domain else "", " ".join(page.text.split()))
        for key in filter(None, keys):
            a, b = root(first.setdefault(key, i)), root(i)
            # the first page of a group names it, whatever the order of joining
            group[max(a, b)] = min(a, b)
    _, numbers = np.unique([root(i) for i in range(len(pages))], return_inverse=True)
    return np.asarray(numbers, dtype=np.int32)


def make_folds(groups: Rows, strata: Sequence[str], n_folds: int = 5) -> Rows:
    """int32 [n_pages]: the fold of each page. No group is split, each stratum is spread evenly; no chance involved.

    Groups go, the largest first, to the fold that has the fewest pages of their strata, then the fewest pages.
    """
    members: dict[int, list[int]] = {}
    for i, number in enumerate(groups.tolist()):
        members.setdefault(number, []).append(i)
    fold = np.zeros(len(groups), dtype=np.int32)
    held = [Counter[str]() for _ in range(n_folds)]
    # the largest first: the small ones then even out
    for rows in sorted(members.values(), key=lambda rows: (-len(rows), rows[0])):
        wanted = Counter(strata[i] for i in rows)
        load = [(sum(held[k][s] * n for s, n in wanted.items()), held[k].total(), k) for k in range(n_folds)]
        best = min(load)[2]
        held[best].update(wanted)
        fold[rows] = best
    return fold


_WORD: Final = re.compile(r"\w+")


class Score(NamedTuple):
    """Precision, recall and F1, each 0 to 1. Two empty texts agree; one empty text scores 0."""

    precision: float
    recall: float
    f1: float


def score_words(predicted: str, true: str) -> Score:
    """Bag of lower-case words, the measure of WCXB."""
    p, t = Counter(_WORD.findall(predicted.lower())), Counter(_WORD.findall(true.lower()))
    return _score((p & t).total(), p.total(), t.total())


def score_subsequence(predicted: str, true: str) -> Score:
    """Characters without white space in the longest common subsequence, the measure of source B."""
    p, t = "".join(predicted.split()), "".join(true.split())
    return _score(LCSseq.similarity(p, t), len(p), len(t))


def _score(shared: int, predicted: int, true: int) -> Score:
    if not predicted or not true:
        full = float(predicted == true)
        return Score(full, full, full)
    precision, recall = shared / predicted, shared / true
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if shared else 0.0)
