"""Points of all blocks -> what each page's cut keeps, and its word precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.decide.cut import cut_by_expected_f
from webclean.learn.material import Material
from webclean.model import Floats, Mask
from webclean.rules.decide_schema import Cut

_LEAST_WORDS: Final = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class PageScores:
    """float64 [n_pages]: word precision, recall, F1, and the F1 that was expected; kept: bool [n_blocks]."""

    precision: Floats
    recall: Floats
    f1: Floats
    expected: Floats
    kept: Mask


def score_pages(material: Material, points: Floats, cut: Cut) -> PageScores:
    """Cut every page and score what is kept."""
    rows, kept = [], np.zeros(len(points), dtype=bool)
    for page, words in enumerate(material.words):
        own = material.rows_of(page)
        n_words = np.maximum(_LEAST_WORDS, material.columns[page].blocks.n_words)
        found = cut_by_expected_f(points[own], n_words, cut)
        kept[own] = found.mask
        rows.append((*words.measure_prf(found.mask), found.expected))
    precision, recall, f1, expected = np.array(rows).T
    return PageScores(precision, recall, f1, expected, kept)
