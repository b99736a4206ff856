"""Candidates of a field and a card -> the value with the most points.

A source that states a value gives points to it, so sources that agree add up; what no source states does not exist. The
card also has a cut: below it the page is said to have no such field.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from webclean.model import FieldValue
from webclean.rules.fields_schema import Card

MAX_ALTERNATIVES: Final = 5


@dataclass(slots=True)
class Candidate:
    """A possible value: where it was first seen, the features that speak for or against it, and an element or -1."""

    value: str
    source: str
    features: dict[str, float] = field(default_factory=dict)
    row: int = -1


def score_candidate(features: dict[str, float], card: Card) -> float:
    """Sum of the points of a candidate's features; a feature without a line in the card has none."""
    total, find = 0.0, card.points.get
    for name, value in features.items():
        lines = find(name)
        if lines is None:
            continue
        if isinstance(lines, tuple):
            for below, points in lines:
                if below is None or value < below:
                    total += points
                    break
        else:
            total += lines * value
    return total


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: dict[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points if they reach the cut, moved by the features of the page.

    confidence: the candidate's share in a softmax over all candidates and the choice of none (the cut).
    """
    none = card.cut - score_candidate(page or {}, card)
    scored = sorted(((score_candidate(c.features, card), -i) for i, c in enumerate(candidates)), reverse=True)
    if not scored:
        return None, FieldValue(None)
    ordered = [candidates[-i] for _, i in scored]
    top = max(none, scored[0][0])
    weights = [math.exp(score - top) for score, _ in scored]
    total = math.exp(none - top) + sum(weights)
    best = ordered[0]
    if scored[0][0] < none:
        return None, FieldValue(None, "", math.exp(none - top) / total, list_alternatives(ordered))
    return best, FieldValue(best.value, best.source, weights[0] / total, list_alternatives(ordered[1:]))


def list_alternatives(candidates: Iterable[Candidate]) -> tuple[tuple[str, str], ...]:
    """(value, source) of the next best candidates, each value once."""
    found: dict[str, str] = {}
    for candidate in candidates:
        found.setdefault(candidate.value, candidate.source)
        if len(found) == MAX_ALTERNATIVES:
            break
    return tuple(found.items())
