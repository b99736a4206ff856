"""Labelled blocks -> points for single words: class names, words of short texts and of headings.

One logistic regression over all words at once, with a ridge penalty, so that a word is not blamed for its company
(`post` under `related`). A word counts when enough sites use it; pages weigh the same, blocks by their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.features.tokens import SHORT_TEXT
from webclean.features.word_points import split_name, split_text
from webclean.model import Floats, Mask, Rows
from webclean.rules.features_schema import WordGroup, WordPoints

KINDS: Final = ("names", "words", "headings")


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Which words stand on which blocks: counts float32 [n_blocks, n_words] (sparse) and the words' (kind, word)."""

    counts: sparse.csr_matrix
    words: tuple[tuple[str, str], ...]


Numbered = dict[tuple[str, str], int]
"""(kind, word) -> its number."""


def count_on_page(columns: PageColumns, number: Numbered) -> tuple[Rows, Rows, Floats]:
    """(block, word, count) of one page, as the features of `features.tokens` use them; number: grows."""
    texts, names = columns.blocks.text, find_names(columns).names
    below = _cut_all("names", map(split_name, names), number)
    short = _cut_all("words", (split_text(text) if len(text) <= SHORT_TEXT else () for text in texts), number)
    above = columns.heading_above
    headings = set(above.tolist())
    spoken = (split_text(text) if block in headings else () for block, text in enumerate(texts))
    under = np.flatnonzero(above >= 0)
    parts = [
        _join_words(*_list_names_around(columns), below),
        _join_words(columns.index, columns.index, short),
        _join_words(under, above[under], _cut_all("headings", spoken, number)),
    ]
    rows, cols = (np.concatenate(side) for side in zip(*parts, strict=True))
    pairs, count = np.unique(rows << 32 | cols, return_counts=True)
    return pairs >> 32, pairs & 0xFFFFFFFF, count.astype(np.float64)


def _cut_all(kind: str, texts: Iterable[Iterable[str]], number: Numbered) -> list[Rows]:
    """The numbers of the words of each text."""
    return [
        np.array([number.setdefault((kind, word), len(number)) for word in words], dtype=np.int64) for words in texts
    ]


def _list_names_around(columns: PageColumns) -> tuple[Rows, Rows]:
    """(block, number of a name) for each element around each block, itself included."""
    named, parent = find_names(columns).index, columns.document.parent
    blocks, names, block, row = [], [], columns.index, columns.row
    while len(row):
        blocks.append(block)
        names.append(named[row])
        is_inside = parent[row] >= 0
        block, row = block[is_inside], parent[row[is_inside]]
    return np.concatenate([columns.index[:0], *blocks]), np.concatenate([columns.index[:0], *names])


def _join_words(blocks: Rows, texts: Rows, words: Sequence[Rows]) -> tuple[Rows, Rows]:
    """(block, word) for the words of the text that belongs to each entry."""
    size = np.array([len(own) for own in words], dtype=np.int64)
    joined = np.concatenate([np.zeros(0, dtype=np.int64), *words])
    first = np.cumsum(size) - size
    n = size[texts]
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    return np.repeat(blocks, n), joined[np.repeat(first[texts], n) + within]


def count_words(pages: Sequence[tuple[PageColumns, int]], min_sites: int = 4) -> WordCounts:
    """Words on all blocks of all pages, in page order; pages are (columns, group). Rare words are left out."""
    number: Numbered = {}
    sites: dict[int, set[int]] = {}
    parts, start = [], 0
    for columns, group in pages:
        rows, cols, counts = count_on_page(columns, number)
        for col in np.unique(cols).tolist():
            sites.setdefault(col, set()).add(group)
        parts.append((rows + start, cols, counts.astype(np.float32)))
        start += len(columns.blocks)
    rows, cols, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = sorted((key, col) for key, col in number.items() if len(sites.get(col, ())) >= min_sites)
    place = np.full(len(number), -1, dtype=np.int64)
    place[[col for _, col in kept]] = np.arange(len(kept))
    col_of = place[cols]
    used = col_of >= 0
    matrix = sparse.csr_matrix((values[used], (rows[used], col_of[used])), shape=(start, len(kept)))
    matrix.sum_duplicates()
    return WordCounts(matrix, tuple(key for key, _ in kept))


def fit_weights(counts: WordCounts, label: Floats, weight: Floats, rows: Mask, ridge: float = 1.0) -> Floats:
    """float64 [n_words]: log-odds of each word, from the chosen blocks alone."""
    x = counts.counts[np.flatnonzero(rows)]
    xt = x.T.tocsr()
    y, w = label[rows], weight[rows]

    def loss(beta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = x @ beta[1:].astype(np.float32) + beta[0]
        error = np.sum(w * (np.logaddexp(0, z) - y * z)) + 0.5 * ridge * np.sum(beta[1:] ** 2)
        slope = w * (1 / (1 + np.exp(-z)) - y)
        return float(error), np.concatenate(([slope.sum()], xt @ slope.astype(np.float32) + ridge * beta[1:]))

    found = optimize.minimize(
        loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 120, "ftol": 1e-7}
    )
    return np.asarray(found.x[1:], dtype=np.float64)


def make_word_points(counts: WordCounts, weights: Floats, least: float = 0.05, step: float = 0.1) -> WordPoints:
    """Weights as rules: points rounded to `step`, words of the same points in one group, weak words left out."""
    groups: dict[str, dict[int, list[str]]] = {kind: {} for kind in KINDS}
    for (kind, word), value in zip(counts.words, weights.tolist(), strict=True):
        if abs(value) >= least:
            groups[kind].setdefault(round(value / step), []).append(word)
    made = {kind: _group_words(groups[kind], step) for kind in KINDS}
    return WordPoints(names=made["names"], words=made["words"], headings=made["headings"])


def _group_words(groups: Mapping[int, list[str]], step: float) -> tuple[WordGroup, ...]:
    return tuple(
        WordGroup(points=round(n * step, 2), words=" ".join(sorted(words))) for n, words in sorted(groups.items()) if n
    )
