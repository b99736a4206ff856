"""Context information gain: the share of its parent's text that a part has (patent A4).

gain(n) = text length of n / text length of its parent. If no part of a parent reaches a threshold, the parent is not
split: none of its parts has enough of the text to be a block on its own.
"""

from __future__ import annotations

from collections.abc import Sequence


def measure_gain(whole: float, parts: Sequence[float]) -> float:
    """The highest gain of the parts, 0 to 1; 0 without parts. whole, parts: text lengths in one unit."""
    return max(parts, default=0.0) / whole if whole else 0.0
