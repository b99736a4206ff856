"""Semantic blocks -> what each is for, with the points that decided (a score card with one column a role)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from webclean.model import Floats, Reason, Role, Rows
from webclean.rules.semantics_schema import RoleLine, Roles
from webclean.semantics.columns import SemanticColumns
from webclean.semantics.measures import measure_segments

N_REASONS = 3


@dataclass(frozen=True, slots=True, eq=False)
class RoleScores:
    """roles: the columns. points: float64 [n_blocks, n_roles]. best: int [n_blocks], the column with the most points.

    bins: (measure, its lines, int [n_blocks] which of them each block fell on).
    """

    roles: tuple[Role, ...]
    points: Floats
    best: Rows
    bins: tuple[tuple[str, tuple[RoleLine, ...], Rows], ...]

    def share_of(self, roles: Collection[str]) -> Floats:
        """float64 [n_blocks]: probability of any of the roles (softmax of the points)."""
        if not len(self.points):
            return np.zeros(0)
        weight = np.exp(self.points - self.points.max(axis=1, keepdims=True))
        wanted = np.array([str(role) in roles for role in self.roles])
        return np.asarray(weight[:, wanted].sum(axis=1) / weight.sum(axis=1), dtype=np.float64)


def list_lines(card: Roles) -> list[tuple[str, tuple[RoleLine, ...]]]:
    """(measure, lines): the learnt ones, then the given ones."""
    return [*card.lines.items(), *card.given.items()]


def score_roles(columns: SemanticColumns, card: Roles) -> RoleScores:
    """Sum the card's points for each block and role."""
    names = tuple(card.bias)
    points = np.tile(np.array([card.bias[name] for name in names], dtype=np.float64), (len(columns.segments), 1))
    bins = []
    for name, lines in list_lines(card):
        edges = np.array([np.inf if line.below is None else line.below for line in lines[:-1]])
        found = np.searchsorted(edges, measure_segments(columns, name), side="right")
        bins.append((name, lines, found.astype(np.int32)))
        points += np.array([[line.points.get(role, 0.0) for role in names] for line in lines])[found]
    best = points.argmax(axis=1).astype(np.int32) if len(points) else np.zeros(0, dtype=np.int32)
    return RoleScores(tuple(Role(name) for name in names), points, best, tuple(bins))


def explain_roles(columns: SemanticColumns, scores: RoleScores) -> list[tuple[Reason, ...]]:
    """For each block the lines that gave its role its points, the largest first."""
    n = len(scores.best)
    if not n or not scores.bins:
        return [()] * n
    names = [str(role) for role in scores.roles]
    each = np.arange(n)
    given = np.array(
        [
            np.array([[line.points.get(role, 0.0) for role in names] for line in lines])[bins[each], scores.best]
            for _, lines, bins in scores.bins
        ]
    )
    order = np.argsort(-given, axis=0, kind="stable")[:N_REASONS]
    made = []
    for number in range(n):
        reasons = []
        for at in order[:, number].tolist():
            points = float(given[at, number])
            if points > 0:
                name, lines, bins = scores.bins[at]
                value = float(measure_segments(columns, name)[number])
                said = f"{name} = {value:.3g}. {lines[int(bins[number])].because}".strip()
                reasons.append(Reason("role", name, said, round(points, 2)))
        made.append(tuple(reasons))
    return made
