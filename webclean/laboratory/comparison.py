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
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from lxml import html as lxml_html

from webclean.page import CleanPage
from webclean.parse import find_canonical_link, parse_page
from webclean.pipeline import analyse_document
from webclean.rules import RuleBook, RuleSet
from webclean.workbench.labelled_pages import LabelledPage, Score, score_subsequence, score_words

Extract = Callable[[bytes], str]


def _extract_by_resiliparse(module: Any, page: bytes) -> str:
    # it takes text alone, so its own detection of encodings is part of its time
    encoding = importlib.import_module("resiliparse.parse.encoding")
    text = encoding.bytes_to_str(page, encoding.detect_encoding(page))
    return str(module.extract_plain_text(text, main_content=True))


_PEERS: Final[dict[str, tuple[str, Callable[[Any, bytes], str]]]] = {
    "trafilatura": ("trafilatura", lambda module, page: module.extract(page) or ""),
    "resiliparse": ("resiliparse.extract.html2text", _extract_by_resiliparse),
    "readability-lxml": (
        "readability",
        lambda module, page: "\n".join(lxml_html.fromstring(module.Document(page).summary() or "<p>").itertext()),
    ),
}
"""Name -> the module, and what extracts the text of a page by it."""


def find_peers() -> dict[str, Extract]:
    """The peers that can be imported here."""
    found: dict[str, Extract] = {}
    for name, (module, extract) in _PEERS.items():
        with suppress(ImportError):
            found[name] = partial(extract, importlib.import_module(module))
    return found


class Row(NamedTuple):
    """One method on one page. words, subsequence: precision, recall and F1 of each measure."""

    method: str
    page: str
    kind: str
    words: Score
    subsequence: Score
    milliseconds: float
    error: str = ""


def compare_page(
    page: LabelledPage,
    methods: Sequence[str],
    peers: Mapping[str, Extract],
    rules: RuleBook | RuleSet,
    profile: str = "balanced",
) -> list[Row]:
    """All methods and peers on one page. An extractor that fails scores nothing and is named."""
    document = parse_page(page.html, url=page.url or find_canonical_link(page.html))

    def render(method: str) -> str:
        return CleanPage(analyse_document(document, rules, method, profile)).text

    runs: dict[str, Callable[[], str]] = {method: partial(render, method) for method in methods}
    runs |= {name: partial(extract, page.html) for name, extract in peers.items()}
    rows = []
    for name, extract in runs.items():
        start = time.perf_counter()
        try:
            text, error = extract(), ""
        # a peer may raise anything; its other pages are still scored
        except Exception as failure:
            text, error = "", f"{type(failure).__name__}: {failure}"
        spent = 1000 * (time.perf_counter() - start)
        words, subsequence = score_words(text, page.text), score_subsequence(text, page.text)
        rows.append(Row(name, page.id, page.page_type, words, subsequence, spent, error))
    return rows


def group_by_method(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each method, in the order of their first ones."""
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row.method, []).append(row)
    return by_method


def average_scores(rows: Sequence[Row]) -> dict[str, float]:
    """Measure (`words precision`, ..., `subsequence f1`) -> its mean; `errors` -> pages on which the method failed."""
    names = [f"{kind} {part}" for kind in ("words", "subsequence") for part in Score._fields]
    columns = zip(*((*row.words, *row.subsequence) for row in rows), strict=True)
    means = dict(zip(names, map(fmean, columns), strict=True))
    return means | {"errors": sum(bool(row.error) for row in rows)}


def format_table(by_method: Mapping[str, Sequence[Row]]) -> str:
    """A table for the terminal: word and LCS scores, word F1 by kind, milliseconds a page."""
    found = sorted({row.kind for rows in by_method.values() for row in rows})
    kinds = found if len(found) > 1 else []
    own = ["method", "P", "R", "F1", "LCS P", "LCS R", "LCS F"]
    lines = [[*own, *kinds, "ms", "errors"]]
    for method, rows in by_method.items():
        *means, errors = average_scores(rows).values()
        shown = [f"{value:.4f}" for value in means]
        shown += [f"{fmean(row.words.f1 for row in rows if row.kind == kind):.3f}" for kind in kinds]
        milliseconds = fmean(row.milliseconds for row in rows)
        lines.append([method, *shown, f"{milliseconds:.2f}", f"{errors}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    layout = "  ".join([f"{{:<{widths[0]}}}", *(f"{{:>{width}}}" for width in widths[1:])])
    return "\n".join(layout.format(*line) for line in lines)


def write_json(by_method: Mapping[str, Sequence[Row]], path: Path) -> None:
    """`summary`: method -> measure -> value; `n_pages`."""
    summary = {method: average_scores(rows) for method, rows in by_method.items()}
    values = {"summary": summary, "n_pages": len(next(iter(by_method.values()), ()))}
    path.write_text(json.dumps(values, indent=1), encoding="utf-8")
