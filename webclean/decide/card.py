"""A score card -> arrays, and a table of features -> points.

A card is a sum of step functions, one for each feature. The base card and the adjustments of all types share the
steps, so that a page costs one product (its points for every step) and one search for each feature.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from webclean.errors import RuleError
from webclean.model import Floats
from webclean.rules.score_card_schema import CardLines, Line, ScoreCard


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """The steps of a card and of its adjustments.

    names: the features; edges: for each feature float64 [n_edges], rising: a value is in bin k when k edges are at
    most as large; first: the row of each feature's bin 0 in `points`; points: float64 [n_bins, 1 + n_types], of the
    base card, then of the adjustments; bias: float64 [1 + n_types], points without any feature.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    edges: tuple[Floats, ...]
    first: tuple[int, ...]
    points: Floats
    bias: Floats

    def weigh_types(self, weights: Mapping[str, float]) -> Floats:
        """float64 [1 + n_types]: 1 for the base card, then how far the page is of each type (0..1)."""
        return np.array([1.0, *(weights.get(name, 0.0) for name in self.types)])

    def score(self, table: Floats, weights: Mapping[str, float]) -> Floats:
        """float64 [n_blocks]: points; table: float64 [n_blocks, n_features], columns in the order of `names`."""
        share = self.weigh_types(weights)
        points = self.points @ share
        total = np.full(len(table), float(self.bias @ share))
        for values, edges, first in zip(table.T, self.edges, self.first, strict=True):
            total += points[edges.searchsorted(values, side="right") + first]
        return total


def compile_card(card: ScoreCard) -> CompiledCard:
    """Flatten a card. Raises `RuleError` for lines out of order."""
    parts: list[tuple[str, CardLines]] = [("", card), *card.by_type.items()]
    for kind, part in parts:
        for name, lines in part.lines.items():
            check_lines(f"by_type.{kind}.{name}" if kind else name, lines)
    names = tuple(dict.fromkeys(name for _, part in parts for name in part.lines))
    edges = [
        sorted({line.below for _, part in parts for line in part.lines.get(name, ()) if line.below is not None})
        for name in names
    ]
    rows = [
        [_find_points(part.lines.get(name, ()), low) for _, part in parts]
        for name, limits in zip(names, edges, strict=True)
        for low in (-np.inf, *limits)
    ]
    return CompiledCard(
        names=names,
        types=tuple(kind for kind, _ in parts[1:]),
        edges=tuple(np.array(limits, dtype=np.float64) for limits in edges),
        first=tuple(np.cumsum([0, *(len(limits) + 1 for limits in edges)]).tolist()[:-1]),
        points=np.array(rows, dtype=np.float64).reshape(len(rows), len(parts)),
        bias=np.array([part.bias for _, part in parts]),
    )


def _find_points(lines: tuple[Line, ...], value: float) -> float:
    return lines[find_line(lines, value)].points if lines else 0.0


def check_lines(name: str, lines: tuple[Line, ...]) -> None:
    """The limits rise, and every line but the last has one."""
    limits = [line.below for line in lines[:-1]]
    if not lines or lines[-1].below is not None or None in limits:
        raise RuleError("every line but the last needs `below`, the last one must not have it", key=f"lines.{name}")
    known = [limit for limit in limits if limit is not None]
    if any(b <= a for a, b in pairwise(known)):
        raise RuleError("the limits of the lines must rise", key=f"lines.{name}")


def find_line(lines: tuple[Line, ...], value: float) -> int:
    """The index of the line that holds for a value."""
    for i, line in enumerate(lines):
        if line.below is None or value < line.below:
            return i
    return len(lines) - 1


_COMPILED: Final[dict[int, tuple[ScoreCard, CompiledCard]]] = {}


def get_compiled(card: ScoreCard) -> CompiledCard:
    """`compile_card`, done once for each card object (which is held, so that its identity stays its own)."""
    found = _COMPILED.get(id(card))
    if found is None:
        if len(_COMPILED) > 256:
            _COMPILED.clear()
        found = _COMPILED[id(card)] = (card, compile_card(card))
    return found[1]
