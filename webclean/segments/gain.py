"""Context information gain: how much of a parent's text a part holds (patent A4).

gain(n) = text length of n / text length of its parent. While it is below a threshold the parent holds more worth
taking: the part is not cut out, but taken with its siblings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InformationGain:
    """gains: of each part. highest: the largest of them; 0 where there are no parts."""

    gains: tuple[float, ...]
    highest: float


def measure_gain(whole: float, parts: Sequence[float]) -> InformationGain:
    """The gain of each part of a whole, in any unit of text."""
    gains = tuple(part / whole if whole else 0.0 for part in parts)
    return InformationGain(gains, max(gains, default=0.0))
