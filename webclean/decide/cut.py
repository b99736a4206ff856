"""Scores of a page's blocks -> how many to keep.

The blocks are ordered by score and the prefix with the best expected F score is kept (Lewis 1995; Jansche 2007). The
errors of a page's scores are mostly shared by all its blocks, so the expectation is averaged over shifts of the whole
page: Gauss-Hermite nodes of a normal distribution whose standard deviation is a rule (`cut.spread`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.model import Floats, Mask
from webclean.rules.decide_schema import Cut

_NODES: Final[tuple[Floats, Floats]] = np.polynomial.hermite_e.hermegauss(5)
_SHIFTS: Final = _NODES[0]
_WEIGHTS: Final = _NODES[1] / _NODES[1].sum()


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """mask: bool [n_blocks]; cut: the score of the last kept block; expected: the F score expected of that."""

    mask: Mask
    cut: float
    expected: float


def sigmoid(points: Floats) -> Floats:
    """Points (log-odds) -> probability."""
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(points, -30.0), 30.0)))


def cut_by_expected_f(points: Floats, words: Floats, cut: Cut) -> Kept:
    """Keep the blocks whose words give the best expected F; words: float64 [n_blocks], above 0."""
    if not len(points):
        return Kept(np.zeros(0, dtype=bool), 0.0, 1.0)
    order = np.argsort(-points, kind="stable")
    ordered, size = points[order] + cut.shift, words[order]
    n_kept = np.cumsum(size)
    square = cut.beta**2
    chance = sigmoid(ordered[None, :] + cut.spread * _SHIFTS[:, None]) * size
    hits = np.cumsum(chance, axis=1)
    expected = _WEIGHTS @ ((1 + square) * hits / (n_kept + square * hits[:, -1:] + 1e-9))
    last = int(np.argmax(expected))
    mask = np.zeros(len(points), dtype=bool)
    enough = n_kept[last] >= min(cut.least_words, cut.least_share * n_kept[-1])
    mask[order[: last + 1]] = enough
    lowest = float(points[order[last]]) if enough else float(np.nextafter(points[order[0]], np.inf))
    return Kept(mask, lowest, float(expected[last]))
