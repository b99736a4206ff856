"""Candidates of a field and a card -> the value with the most points.

A source that states a value gives points to it, so sources that agree add up; what no source states does not exist.
Where no candidate reaches 0 points the page is said to have no such field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from webclean.cards import compile_card, score_one, softmax
from webclean.model import FieldValue
from webclean.rules.card_schema import Card

MAX_ALTERNATIVES: Final = 5


@dataclass(slots=True)
class Candidate:
    """A possible value: where it was first seen, the features that speak for or against it, and an element or -1."""

    value: str
    source: str
    features: dict[str, float] = field(default_factory=dict)
    row: int = -1


def score_candidates(
    candidates: Iterable[Candidate], card: Card, page: Mapping[str, float] | None = None
) -> list[float]:
    """Points of each candidate, its own and those of the page. A feature without a line in the card has none."""
    compiled = compile_card(card)
    of_page = score_one(compiled, page or {})[0] - compiled.start[0]
    return [of_page + score_one(compiled, candidate.features)[0] for candidate in candidates]


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: Mapping[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points, the first of equals, if it has not less than 0.

    confidence: its share in a softmax over all candidates and the choice of none, which has 0 points.
    """
    if not candidates:
        return None, FieldValue(None)
    points = score_candidates(candidates, card, page)
    order = sorted(range(len(points)), key=lambda number: -points[number])
    ranked = [candidates[number] for number in order]
    shares = softmax([0.0, *(points[number] for number in order)])
    if points[order[0]] < 0:
        return None, FieldValue(None, "", shares[0], list_alternatives(ranked))
    best = ranked[0]
    return best, FieldValue(best.value, best.source, shares[1], list_alternatives(ranked[1:]))


def list_alternatives(candidates: Iterable[Candidate]) -> tuple[tuple[str, str], ...]:
    """(value, source) of the next best candidates, each value once."""
    found: dict[str, str] = {}
    for candidate in candidates:
        found.setdefault(candidate.value, candidate.source)
        if len(found) == MAX_ALTERNATIVES:
            break
    return tuple(found.items())
