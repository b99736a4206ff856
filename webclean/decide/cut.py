"""Scores of a page's blocks -> which to keep: the number of blocks with the best expected F score.

A score is log-odds, so its sigmoid is the chance that the block is content. Order the blocks by score; if the first k
are kept, the content words expected among them are their words times their chances, and

    expected F1 of k = 2 * content words among the k / (words of the k + content words of the page)

(Lewis 1995; Jansche 2007; the ratio of expectations stands for the expected ratio). For three blocks of 10 words with
chances .9, .5, .1 the page has 15 content words: k = 1 gives 18/25 = .72, k = 2 28/35 = .80, k = 3 30/45 = .67, so two
are kept. A fixed threshold would not depend on what else the page has.

The scores of a page tend to be wrong together, all too high or all too low. So the expectation is averaged over common
shifts of all scores, normally distributed with the standard deviation `cut.spread` (five Gauss-Hermite nodes).
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.model import Floats, Mask, Rows
from webclean.rules.decide_schema import Cut

_MOST: Final = 30.0
"""Log-odds that count."""
_LEAST_WORDS: Final = 0.01
"""Words of a block that has none: its chance must have some weight, or the words of the page could be 0."""


class Kept(msgspec.Struct, frozen=True, eq=False, gc=False):
    """mask: bool [n_blocks], kept. cut: the lowest kept score, or just above all scores where nothing is
    kept. expected: the expected F score, 0 to 1.
    """

    mask: Mask
    cut: float
    expected: float


def sigmoid(points: Floats) -> Floats:
    """Points (log-odds) -> probability."""
    # beyond this the chance is 0 or 1 to the last bit, and `exp` of more overflows
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(points, -_MOST), _MOST)))


def cut_by_expected_f(points: Floats, words: Floats | Rows, cut: Cut, least_words: float | None = None) -> Kept:
    """Keep the highest-scoring blocks, as many as give the best expected F score.

    Where those have fewer words than both `cut.least_words` and `cut.least_share` of the page, nothing is kept.

    points: float64 [n_blocks], log-odds. words: [n_blocks]. least_words: instead of that of `cut`.
    """
    if not len(points):
        return Kept(np.zeros(0, dtype=bool), 0.0, 1.0)
    least = cut.least_words if least_words is None else least_words
    plan = core.CutPlan(cut.shift, cut.spread, cut.beta, least, cut.least_share)
    return Kept(*core.keep_best(points, np.maximum(_LEAST_WORDS, words), plan))
