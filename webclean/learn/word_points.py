"""Labelled blocks -> points for single words: class names, words of short texts and of headings.

One logistic regression over all words at once, with a ridge penalty, so that a word is not blamed for its company
(`post` under `related`). A word counts when enough sites use it; pages weigh the same, blocks by their words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.features.neighbours import find_heading_above
from webclean.features.tokens import SHORT_TEXT
from webclean.features.word_points import split_name, split_text
from webclean.model import Floats, Mask
from webclean.rules.word_points_schema import WordGroup, WordPoints

KINDS: Final = ("names", "words", "headings")

Entry = tuple[int, str, str, float]


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Which words stand on which blocks: counts float32 [n_blocks, n_words] (sparse) and the words' (kind, word)."""

    counts: sparse.csr_matrix
    words: tuple[tuple[str, str], ...]


def list_entries(columns: PageColumns) -> list[Entry]:
    """(block, kind, word, count) for one page, as the features of `blocks.features.tokens` use them."""
    blocks = columns.blocks
    entries: list[Entry] = []
    table = find_names(columns)
    words_of = [split_name(name) for name in table.names]
    names = [words_of[number] for number in table.index.tolist()]
    parent = columns.document.parent.tolist()
    on_path: dict[int, list[str]] = {}
    for i, row in enumerate(columns.row.tolist()):
        if row not in on_path:
            words, at = [], row
            while at >= 0:
                words += names[at]
                at = parent[at]
            on_path[row] = words
        entries += [(i, "names", word, 1.0) for word in on_path[row]]
    for i, text in enumerate(blocks.text):
        if len(text) <= SHORT_TEXT:
            entries += [(i, "words", word, 1.0) for word in split_text(text)]
    above = find_heading_above(columns).tolist()
    heading = {i: split_text(blocks.text[i]) for i in set(above) if i >= 0}
    for i, at in enumerate(above):
        if at >= 0:
            entries += [(i, "headings", word, 1.0) for word in heading[at]]
    return entries


def count_words(pages: Sequence[tuple[PageColumns, int]], min_sites: int = 4) -> WordCounts:
    """Words on all blocks of all pages, in page order; pages are (columns, group). Rare words are left out."""
    number: dict[tuple[str, str], int] = {}
    sites: dict[int, set[int]] = {}
    parts, start = [], 0
    for columns, group in pages:
        entries = list_entries(columns)
        own = [number.setdefault((kind, word), len(number)) for _, kind, word, _ in entries]
        for col in set(own):
            sites.setdefault(col, set()).add(group)
        rows = np.array([start + block for block, _, _, _ in entries], dtype=np.int64)
        values = np.array([count for _, _, _, count in entries], dtype=np.float32)
        parts.append((rows, np.array(own, dtype=np.int64), values))
        start += len(columns.blocks)
    rows, cols, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = sorted((key, col) for key, col in number.items() if len(sites[col]) >= min_sites)
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
