"""Precision, recall and F1 of a text against the true one, by words and by the longest common subsequence."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import LCSseq

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Score:
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
