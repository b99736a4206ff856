"""Context information gain: the share of its parent's text that a part has (patent A4).

gain(n) = text length of n / text length of its parent. If no part of a parent reaches a threshold, the parent is not
split: none of its parts has enough of the text to be a block on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InformationGain:
    """gains: of each part, 0 to 1. highest: the largest of them; 0 without parts."""

    gains: tuple[float, ...]
    highest: float


def measure_gain(whole: float, parts: Sequence[float]) -> InformationGain:
    """The gain of each part. whole, parts: text lengths in one unit."""
    gains = tuple(part / whole if whole else 0.0 for part in parts)
    return InformationGain(gains, max(gains, default=0.0))
