"""A score card -> arrays, and a table of features -> points.

A card is a sum of step functions. Each step (feature, edge, change of points) is one entry of flat arrays, so that a
page's scores are one comparison and one matrix product, whatever the number of features.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from webclean.errors import RuleError
from webclean.model import Floats, Rows
from webclean.rules.score_card_schema import CardLines, Line, ScoreCard

_MAX_CELLS: Final = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """The steps of a card and of its adjustments.

    names: the features; column: int32 [n_steps], index in `names`; edge, step: float64 [n_steps], `step` points are
    added from `edge` on; owner: int32 [n_steps], 0 for the base, 1 + index in `types` for an adjustment;
    bias: float64 [1 + n_types], points without any step.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    column: Rows
    edge: Floats
    step: Floats
    owner: Rows
    bias: Floats

    def weigh_types(self, weights: Mapping[str, float]) -> Floats:
        """float64 [1 + n_types]: 1 for the base card, then how far the page is of each type (0..1)."""
        return np.array([1.0, *(weights.get(name, 0.0) for name in self.types)])

    def score(self, table: Floats, weights: Mapping[str, float]) -> Floats:
        """float64 [n_blocks]: points; table: float64 [n_blocks, n_features], columns in the order of `names`."""
        share = self.weigh_types(weights)
        used = np.flatnonzero(share[self.owner] != 0)
        column, edge = self.column[used], self.edge[used]
        step = self.step[used] * share[self.owner[used]]
        total = np.full(len(table), float(self.bias @ share))
        height = max(1, _MAX_CELLS // max(1, len(used)))
        for low in range(0, len(table), height):
            part = table[low : low + height]
            total[low : low + height] += (part[:, column] >= edge) @ step
        return total


def compile_card(card: ScoreCard) -> CompiledCard:
    """Flatten a card. Raises `RuleError` for lines out of order."""
    parts: list[tuple[str, CardLines]] = [("", card), *card.by_type.items()]
    names = tuple(dict.fromkeys(name for _, part in parts for name in part.lines))
    place = {name: i for i, name in enumerate(names)}
    entries: list[tuple[int, float, float, int]] = []
    bias = np.zeros(len(parts))
    for owner, (kind, part) in enumerate(parts):
        bias[owner] = part.bias
        for name, lines in part.lines.items():
            check_lines(f"by_type.{kind}.{name}" if kind else name, lines)
            bias[owner] += lines[0].points
            for lower, upper in pairwise(lines):
                assert lower.below is not None
                entries.append((place[name], lower.below, upper.points - lower.points, owner))
    columns = list(zip(*entries, strict=True)) if entries else [(), (), (), ()]
    return CompiledCard(
        names=names,
        types=tuple(kind for kind, _ in parts[1:]),
        column=np.array(columns[0], dtype=np.int32),
        edge=np.array(columns[1], dtype=np.float64),
        step=np.array(columns[2], dtype=np.float64),
        owner=np.array(columns[3], dtype=np.int32),
        bias=bias,
    )


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
