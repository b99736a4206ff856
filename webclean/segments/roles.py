"""Semantic blocks -> what each is for, with the points that decided (a score card with one column a role)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.model import Floats, Reason, Role, Rows
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.segments_schema import RoleLine, Roles
from webclean.segments.columns import SegmentColumns
from webclean.segments.features import measure_segments

N_REASONS = 3


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRoles:
    """A role card as arrays.

    lines: (measure, its lines), the learnt ones and then the given ones. edges: for each the limits between its lines,
    rising; points: for each float64 [n_lines, n_roles]. bias: float64 [n_roles].
    """

    roles: tuple[Role, ...]
    lines: tuple[tuple[str, tuple[RoleLine, ...]], ...]
    edges: tuple[Floats, ...]
    points: tuple[Floats, ...]
    bias: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RoleScores:
    """card: what the points are of. points: float64 [n_blocks, n_roles]. best: int32 [n_blocks], the column with the
    most. found: for each entry of `card.lines` int64 [n_blocks], the line that each block fell on.
    """

    card: CompiledRoles
    points: Floats
    best: Rows
    found: tuple[NDArray[np.int64], ...]

    @property
    def roles(self) -> list[Role]:
        """The role with the most points, for each block."""
        return [self.card.roles[best] for best in self.best.tolist()]

    def share_of(self, roles: Collection[str]) -> Floats:
        """float64 [n_blocks]: probability of any of the roles (softmax of the points)."""
        if not len(self.points):
            return np.zeros(0)
        weight = np.exp(self.points - self.points.max(axis=1, keepdims=True))
        wanted = np.array([str(role) in roles for role in self.card.roles])
        return np.asarray(weight[:, wanted].sum(axis=1) / weight.sum(axis=1), dtype=np.float64)


def compile_roles(card: Roles) -> CompiledRoles:
    """Flatten a card."""
    lines = (*card.lines.items(), *card.given.items())
    return CompiledRoles(
        roles=tuple(Role(name) for name in card.bias),
        lines=lines,
        edges=tuple(
            np.array([np.inf if line.below is None else line.below for line in part[:-1]]) for _, part in lines
        ),
        points=tuple(
            np.array([[line.points.get(role, 0.0) for role in card.bias] for line in part]) for _, part in lines
        ),
        bias=np.array(list(card.bias.values()), dtype=np.float64),
    )


get_compiled_roles: Final = cached_per_rule_set(compile_roles)


def score_roles(columns: SegmentColumns, card: Roles) -> RoleScores:
    """Sum the card's points for each block and role."""
    compiled = get_compiled_roles(card)
    total = np.tile(compiled.bias, (len(columns.segments), 1))
    found = []
    for (name, _), edges, points in zip(compiled.lines, compiled.edges, compiled.points, strict=True):
        at = edges.searchsorted(measure_segments(columns, name), side="right")
        found.append(at)
        total += points[at]
    best = total.argmax(axis=1).astype(np.int32) if len(total) else np.zeros(0, dtype=np.int32)
    return RoleScores(compiled, total, best, tuple(found))


def explain_roles(columns: SegmentColumns, scores: RoleScores) -> list[tuple[Reason, ...]]:
    """For each block the lines that gave its role its points, the largest first."""
    card = scores.card
    if not card.lines:
        return [()] * len(scores.best)
    given = np.array([points[at, scores.best] for points, at in zip(card.points, scores.found, strict=True)])
    order = np.argsort(-given, axis=0, kind="stable")[:N_REASONS]
    made = []
    for number in range(len(scores.best)):
        reasons = []
        for which in order[:, number].tolist():
            points = float(given[which, number])
            if points > 0:
                name, lines = card.lines[which]
                value = float(measure_segments(columns, name)[number])
                said = f"{name} = {value:.3g}. {lines[int(scores.found[which][number])].because}".strip()
                reasons.append(Reason("role", name, said, round(points, 2)))
        made.append(tuple(reasons))
    return made
