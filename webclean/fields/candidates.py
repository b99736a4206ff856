"""Candidates for title, date and author: their features, and the card that chooses one.

Each source that states a value adds a feature to that candidate, so sources that agree add up. If no candidate has at
least 0 points, the field is empty.

`candidate_features.toml` lists the features, with their units and meanings; the modules that find a candidate (`title`,
`date`, `date_days`, `author`) set them, and one that is not set is 0. Features of the page are equal for all
candidates, so they decide only whether the field has a value at all (`choose_candidate`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from webclean.features.cards import compile_card, softmax
from webclean.model import FieldValue
from webclean.parse.limits import check_time
from webclean.rules.card_schema import Card

MAX_ALTERNATIVES: Final = 5
"""Other values that a result tells: what is further down is hardly ever right."""


class Candidate(msgspec.Struct):
    """A possible value: its first source, its features (name -> value), and the row of its element or -1."""

    value: str
    source: str
    features: dict[str, float] = {}
    row: int = -1


class Pool:
    """Collects candidates by a key; the spellings of one key share a candidate."""

    def __init__(self) -> None:
        self.found: dict[str, Candidate] = {}

    def put(self, key: str, value: str, source: str, features: Iterable[str], row: int) -> Candidate:
        """The candidate of a key, with further features."""
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = Candidate(value, source, row=row)
        elif known.value.isupper() and not value.isupper():
            known.value = value  # capitals are typography: the h1 shouts what `<title>` says
        for feature in features:
            known.features[feature] = 1.0
        return known


def score_candidates(candidates: Iterable[Candidate], card: Card, page: dict[str, float] | None = None) -> list[float]:
    """Points of each candidate: of its own features plus those of the page. Features not in the card have 0 points."""
    check_time()
    # features of the page are the same for all candidates, so their points are summed once
    compiled = compile_card(card)
    score, start = compiled.row_plan.score, compiled.start
    of_page: float = score(page, start)[0] - start[0] if page else 0.0
    return [of_page + score(candidate.features, start)[0] for candidate in candidates]


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: dict[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points (of equals, the first) if it has at least 0, else None; and the field's value.

    The confidence is the probability of that choice in a softmax over the points of all candidates and of the choice
    "no value", which has 0 points.
    """
    if not candidates:
        return None, FieldValue(None)
    points = score_candidates(candidates, card, page)
    # stable: of equals the first stays first, and candidates come in the order of trust
    order = sorted(range(len(points)), key=points.__getitem__, reverse=True)
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
