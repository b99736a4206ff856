"""Semantic blocks -> what each is for, with the points that decided (a score card with one column a role)."""

from __future__ import annotations

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

    bins: measure -> int [n_blocks], the line of the card that each block fell on.
    """

    roles: tuple[Role, ...]
    points: Floats
    best: Rows
    bins: dict[str, Rows]


def score_roles(columns: SemanticColumns, card: Roles) -> RoleScores:
    """Sum the card's points for each block and role."""
    names = tuple(card.bias)
    points = np.tile(np.array([card.bias[name] for name in names], dtype=np.float64), (len(columns.segments), 1))
    bins = {}
    for name, lines in card.lines.items():
        edges = np.array([np.inf if line.below is None else line.below for line in lines[:-1]])
        bins[name] = np.searchsorted(edges, measure_segments(columns, name), side="right").astype(np.int32)
        points += np.array([[line.points.get(role, 0.0) for role in names] for line in lines])[bins[name]]
    best = points.argmax(axis=1).astype(np.int32) if len(points) else np.zeros(0, dtype=np.int32)
    return RoleScores(tuple(Role(name) for name in names), points, best, bins)


def explain_role(columns: SemanticColumns, card: Roles, scores: RoleScores, number: int) -> tuple[Reason, ...]:
    """The lines that gave a block's role its points, the largest first."""
    role = str(scores.roles[int(scores.best[number])])
    reasons = []
    for name, bins in scores.bins.items():
        line: RoleLine = card.lines[name][int(bins[number])]
        if points := line.points.get(role):
            value = float(measure_segments(columns, name)[number])
            reasons.append(Reason("role", name, f"{name} = {value:.3g}. {line.because}".strip(), points))
    return tuple(sorted(reasons, key=lambda reason: -(reason.points or 0))[:N_REASONS])
