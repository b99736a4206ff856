"""A score card -> arrays, and a table of features -> points.

A card is a sum of step functions, one for each feature. The base card and the adjustments of all types share the
steps, so that a page costs one product (its points for every step). Which step a value stands on is how many edges it
reaches: all features of all blocks are compared with their first edge at once, then with their second, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from webclean.errors import RuleError
from webclean.model import Floats, Rows
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.score_card_schema import CardLines, Line, ScoreCard

_DIGITS: Final = 9
_PART: Final = 4096
"""Blocks that are scored at once: so many that their table still fits in a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """The steps of a card and of its adjustments.

    names: the features, those with the most edges first; edges: for each k float64 [n, 1], the k-th edge of the n
    features that have one, rising with k: a value is in bin k when k edges are at most as large; first: int64
    [n_features, 1], the row of each feature's bin 0 in `points`; points: float64 [n_bins, 1 + n_types], of the base
    card, then of the adjustments; bias: float64 [1 + n_types], points without any feature.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    edges: tuple[Floats, ...]
    first: Rows
    points: Floats
    bias: Floats

    def weigh_types(self, weights: Mapping[str, float]) -> Floats:
        """float64 [1 + n_types]: 1 for the base card, then how far the page is of each type (0..1)."""
        return np.array([1.0, *(weights.get(name, 0.0) for name in self.types)])

    def score(self, table: Floats, weights: Mapping[str, float]) -> Floats:
        """float64 [n_blocks]: points; table: float64 [n_features, n_blocks], rows in the order of `names`.

        Sums of short decimals are made short again, so that no limit of the second card turns on the order of a sum.
        """
        share = self.weigh_types(weights)
        points, bias = self.points @ share, float(self.bias @ share)
        total = np.full(table.shape[1], bias)
        for start in range(0, len(total), _PART):
            bins = self._find_bins(table[:, start : start + _PART])
            total[start : start + _PART] = np.add.reduce(points.take(bins), axis=0, initial=bias)
        return np.round(total, _DIGITS)

    def _find_bins(self, table: Floats) -> Rows:
        """int64 [n_features, n_blocks]: the row of `points` for each value."""
        # counts of the size of a flag are added without a conversion
        reached = np.zeros(table.shape, dtype=np.uint8 if len(self.edges) < 1 << 8 else np.uint16)
        is_over = np.empty(table.shape, dtype=bool)
        for edges in self.edges:
            n = len(edges)
            reached[:n] += np.greater_equal(table[:n], edges, out=is_over[:n]).view(np.uint8)
        return reached + self.first


def compile_card(card: ScoreCard) -> CompiledCard:
    """Flatten a card. Raises `RuleError` for lines out of order."""
    parts: list[tuple[str, CardLines]] = [("", card), *card.by_type.items()]
    for kind, part in parts:
        for name, lines in part.lines.items():
            check_lines(f"by_type.{kind}.{name}" if kind else name, lines)
    found = dict.fromkeys(name for _, part in parts for name in part.lines)
    edges_of = {name: _find_edges([part.lines.get(name, ()) for _, part in parts]) for name in found}
    names = tuple(sorted(edges_of, key=lambda name: -len(edges_of[name])))
    edges = [edges_of[name] for name in names]
    rows = [
        [_find_points(part.lines.get(name, ()), low) for _, part in parts]
        for name, limits in zip(names, edges, strict=True)
        for low in (-np.inf, *limits)
    ]
    return CompiledCard(
        names=names,
        types=tuple(kind for kind, _ in parts[1:]),
        edges=tuple(
            np.array([[limits[k]] for limits in edges if k < len(limits)])
            for k in range(max(map(len, edges), default=0))
        ),
        first=np.cumsum([0, *(len(limits) + 1 for limits in edges)])[:-1, None],
        points=np.array(rows, dtype=np.float64).reshape(len(rows), len(parts)),
        bias=np.array([part.bias for _, part in parts]),
    )


def _find_edges(parts: Sequence[tuple[Line, ...]]) -> list[float]:
    return sorted({line.below for lines in parts for line in lines if line.below is not None})


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
    return next(i for i, line in enumerate(lines) if line.below is None or value < line.below)


get_compiled: Final = cached_per_rule_set(compile_card)
