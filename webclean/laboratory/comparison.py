"""Labelled pages -> quality and time of every method and peer, for each page and in summary, as a table.

A page is parsed once for all methods of webclean; the time of a method is that of choosing blocks and rendering the
text. The time of a peer includes its own parsing. Peers are other extractors, used when they are installed.
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from lxml import html as lxml_html

from webclean.model import Document
from webclean.page import CleanPage
from webclean.parse import parse_page
from webclean.pipeline import analyse_document
from webclean.rules import RuleSet
from webclean.workbench.labelled_pages import LabelledPage, Score, score_subsequence, score_words

Extract = Callable[[bytes], str]


def _extract_by_resiliparse(module: Any) -> Extract:
    # it takes text alone, so its own detection of encodings is part of its time
    encoding = importlib.import_module("resiliparse.parse.encoding")
    return lambda page: str(
        module.extract_plain_text(encoding.bytes_to_str(page, encoding.detect_encoding(page)), main_content=True)
    )


def _extract_by_readability(module: Any) -> Extract:
    def extract(page: bytes) -> str:
        summary = module.Document(page).summary()
        return "\n".join(lxml_html.fromstring(summary).itertext()) if summary else ""

    return extract


_PEERS: Final[dict[str, tuple[str, Callable[[Any], Extract]]]] = {
    "trafilatura": ("trafilatura", lambda module: lambda page: module.extract(page) or ""),
    "resiliparse": ("resiliparse.extract.html2text", _extract_by_resiliparse),
    "readability-lxml": ("readability", _extract_by_readability),
}
"""Name -> the module, and what makes an extractor of it."""


def find_peers() -> dict[str, Extract]:
    """The peers that can be imported here."""
    found = {}
    for name, (module, make) in _PEERS.items():
        with suppress(ImportError):
            found[name] = make(importlib.import_module(module))
    return found


REPORTED: Final = {
    "punctuation-density": ".891 / 1.00 / .942",
    "text-density": ".881 / .984 / .930",
    "composite-text-density": ".888 / .997 / .939",
    "line-density": "90 % right",
}
"""What publications report of their methods: P / R / F, LCS, on 50 classical-Chinese pages; its author's on his own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One method on one page."""

    method: str
    page: str
    kind: str
    words: Score
    subsequence: Score
    milliseconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """One method on all pages (or all of one kind): means."""

    method: str
    n_pages: int
    words: Score
    subsequence: Score
    milliseconds: float
    n_errors: int
    by_kind: dict[str, float]


def compare_page(page: LabelledPage, methods: Sequence[str], peers: Mapping[str, Extract], rules: RuleSet) -> list[Row]:
    """All methods and peers on one page. An extractor that fails scores nothing and is named."""
    document = parse_page(page.html, url=page.url or None)
    runs: dict[str, Callable[[], str]] = {method: partial(_render, document, rules, method) for method in methods}
    runs |= {name: partial(extract, page.html) for name, extract in peers.items()}
    return [_run(name, page, extract) for name, extract in runs.items()]


def _render(document: Document, rules: RuleSet, method: str) -> str:
    return CleanPage(analyse_document(document, rules, method)).text


def _run(name: str, page: LabelledPage, extract: Callable[[], str]) -> Row:
    start = time.perf_counter()
    try:
        text, error = extract(), ""
    # a peer may raise anything; its other pages are still scored
    except Exception as failure:
        text, error = "", f"{type(failure).__name__}: {failure}"
    spent = 1000 * (time.perf_counter() - start)
    words, subsequence = score_words(text, page.text), score_subsequence(text, page.text)
    return Row(name, page.id, page.page_type, words, subsequence, spent, error)


def summarise_rows(rows: Iterable[Row]) -> list[Summary]:
    """One summary for each method, in the order of their first rows."""
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row.method, []).append(row)
    return [
        Summary(
            method=method,
            n_pages=len(own),
            words=_average(row.words for row in own),
            subsequence=_average(row.subsequence for row in own),
            milliseconds=fmean(row.milliseconds for row in own),
            n_errors=sum(bool(row.error) for row in own),
            by_kind={
                kind: fmean(row.words.f1 for row in own if row.kind == kind) for kind in sorted({r.kind for r in own})
            },
        )
        for method, own in by_method.items()
    ]


def _average(scores: Iterable[Score]) -> Score:
    return Score(*map(fmean, zip(*scores, strict=True)))


def format_table(summaries: Sequence[Summary]) -> str:
    """A table for the terminal: word and LCS scores, word F1 by kind, ms a page, and what the sources report."""
    kinds = [kind for kind in summaries[0].by_kind if len(summaries[0].by_kind) > 1] if summaries else []
    own = ["method", "P", "R", "F1", "LCS P", "LCS R", "LCS F"]
    head = [*own, *kinds, "ms", "errors", "its source reports (P / R / F, LCS)"]
    lines = [head]
    for s in summaries:
        shown = [f"{value:.4f}" for value in (*s.words, *s.subsequence)]
        shown += [f"{s.by_kind[kind]:.3f}" for kind in kinds]
        lines.append([s.method, *shown, f"{s.milliseconds:.2f}", str(s.n_errors), REPORTED.get(s.method, "")])
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column in (0, len(head) - 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def write_json(summaries: Iterable[Summary], path: Path) -> None:
    """`summary`: method -> measure -> value; `n_pages`."""
    found = list(summaries)
    names = [f"{kind} {part}" for kind in ("words", "subsequence") for part in Score._fields]
    summary = {
        s.method: dict(zip(names, (*s.words, *s.subsequence), strict=True)) | {"errors": s.n_errors} for s in found
    }
    values = {"summary": summary, "n_pages": found[0].n_pages if found else 0}
    path.write_text(json.dumps(values, indent=1), encoding="utf-8")
