"""Candidates for a field, and a card of points -> the candidate with the most points.

Each source that states a value adds a feature to that candidate, so sources that agree add up. If no candidate has at
least 0 points, the field is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from webclean.features.cards import compile_card, score_one, softmax
from webclean.model import FieldValue
from webclean.parse.limits import check_time
from webclean.rules.card_schema import Card

MAX_ALTERNATIVES: Final = 5


class Candidate(msgspec.Struct):
    """A possible value: its first source, its features (name -> value), and the row of its element or -1."""

    value: str
    source: str
    features: dict[str, float] = {}
    row: int = -1


def score_candidates(
    candidates: Iterable[Candidate], card: Card, page: Mapping[str, float] | None = None
) -> list[float]:
    """Points of each candidate: of its own features plus those of the page. Features not in the card have 0 points."""
    check_time()
    compiled = compile_card(card)
    of_page = score_one(compiled, page or {})[0] - compiled.start[0]
    return [of_page + score_one(compiled, candidate.features)[0] for candidate in candidates]


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: Mapping[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points (of equals, the first) if it has at least 0, else None; and the field's value.

    The confidence is the probability of that choice in a softmax over the points of all candidates and of the choice
    "no value", which has 0 points.
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
    """(value, source) of the best of the given candidates, which are in order of points; each value once."""
    found: dict[str, str] = {}
    for candidate in candidates:
        found.setdefault(candidate.value, candidate.source)
        if len(found) == MAX_ALTERNATIVES:
            break
    return tuple(found.items())
