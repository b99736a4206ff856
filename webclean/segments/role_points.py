"""Semantic blocks -> points for each role by the card `roles`; the role with the most points is chosen."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

import numpy as np

from webclean.features.cards import compile_card, explain_points, score_table
from webclean.model import Floats, Reason, Role, Rows
from webclean.parse.limits import check_time
from webclean.rules.card_schema import Card
from webclean.segments.features import SEGMENT_FEATURES, measure_segments, measure_table
from webclean.segments.segment_columns import SegmentColumns

_N_REASONS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class RolePoints:
    """roles: of the card. points: float64 [n_roles, n_blocks]. best: int64 [n_blocks], index of the best role."""

    roles: tuple[Role, ...]
    points: Floats
    best: Rows

    @property
    def chosen(self) -> list[Role]:
        """The role with the most points, for each block."""
        return [self.roles[best] for best in self.best.tolist()]

    def share_of(self, roles: Collection[str]) -> Floats:
        """float64 [n_blocks]: probability that the role is one of these (softmax of the points)."""
        weight = np.exp(self.points - self.points.max(axis=0, keepdims=True))
        wanted = [number for number, role in enumerate(self.roles) if role in roles]
        return np.asarray(weight[wanted].sum(axis=0) / weight.sum(axis=0), dtype=np.float64)


def score_roles(columns: SegmentColumns, card: Card) -> RolePoints:
    """The points of each block for each role."""
    compiled = compile_card(card, SEGMENT_FEATURES)
    points = score_table(compiled, measure_table(columns, compiled.names), n_rows=len(columns.segments))
    return RolePoints(_list_roles(compiled.classes), points, points.argmax(axis=0))


@lru_cache(maxsize=16)
def _list_roles(names: tuple[str, ...]) -> tuple[Role, ...]:
    return tuple(map(Role, names))


def explain_roles(columns: SegmentColumns, card: Card, scores: RolePoints) -> list[tuple[Reason, ...]]:
    """For each block, the lines that gave the chosen role most points, the largest first."""
    names = compile_card(card, SEGMENT_FEATURES).names
    rows = zip(*(measure_segments(columns, name).tolist() for name in names), strict=True)
    known: dict[tuple[float | str, ...], tuple[Reason, ...]] = {}
    made = []
    for role, row in zip(scores.chosen, rows, strict=True):
        check_time()
        found = known.get((role, *row))
        if found is None:
            reasons = explain_points(card, dict(zip(names, row, strict=True)), SEGMENT_FEATURES, "role", chosen=role)
            positive = (reason for reason in reasons if reason.points and reason.points > 0)
            found = known[role, *row] = tuple(islice(positive, _N_REASONS))
        made.append(found)
    return made
