"""A card -> arrays for tables of many rows, and tuples for a single row.

A card has parts: its own lines (learnt, and given by hand), and the lines that each page type adds. All parts of a
feature are given the same bins, so that the points of a page are one matrix product: points by bin and part, times how
much each part counts. `below: [1, 5]` in one part and `below: [3]` in another make four bins:

    limits               1      3      5
    lines            0.2 |  0.4 |  0.4 | -0.1      below: [1, 5], points: [0.2, 0.4, -0.1]
    by_type.forum    0   |  0   |  0.5 |  0.5      below: [3], points: [0, 0.5]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from webclean import core
from webclean.errors import RuleError
from webclean.model import Floats, Rows
from webclean.registry import FeatureRegistry
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.card_schema import Bins, Card, Line, Points
from webclean.rules.cards import find_card_faults, list_lines
from webclean.rules.files import format_path

Registry = FeatureRegistry[Any, Any]
ByClass = tuple[float, ...]
"""One number for each class; one in all for a card without classes."""
Part = tuple[Mapping[str, Line], ...]
"""The line mappings of one part of a card; if several have a line for one feature, their points are added."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """A card as arrays. n_parts is one more than its types; n_classes is 1 for a card without classes.

    names: the features. limits, first_limit: the limits of all features, one after the other, float64 [n_limits], and
    where those of each begin, int64 [n_features + 1]. points: float64 [n_classes, n_bins, n_parts], the bins of each
    feature after those of the one before it. slopes: float64 [n_features, n_parts], points for each unit of the value.
    bias: float64 [n_classes, n_parts]. row_plan, start: `core.RowPlan` and bias for scoring a single row, without
    types. words: (channel, word) of each word; word_points: its points.
    """

    source: Card
    classes: tuple[str, ...]
    types: tuple[str, ...]
    names: tuple[str, ...]
    limits: Floats
    first_limit: Rows
    points: Floats
    slopes: Floats
    bias: Floats
    row_plan: Any
    start: ByClass
    words: tuple[tuple[str, str], ...]
    word_points: tuple[ByClass, ...]


@cached_per_rule_set
def compile_card(card: Card, registry: Registry | None = None) -> CompiledCard:
    """Compile a card, once a rule set. Raises `RuleError` for one that cannot be used.

    registry: the features that it may refer to; None for any.
    """
    check_card(card, registry)
    classes = card.classes or ("",)
    parts: list[Part] = [(card.lines, card.given), *((added.lines,) for added in card.by_type.values())]
    limits = _join_limits(parts)
    names = tuple(sorted(limits, key=lambda name: -len(limits[name])))
    points = [
        np.array(
            [
                [[_read_bin(part, name, low, label) for part in parts] for low in (-np.inf, *limits[name])]
                for label in classes
            ]
        )
        for name in names
    ]
    slopes = np.array([[_read_slope(part, name) for part in parts] for name in names]).reshape(len(names), len(parts))
    words = [(channel, word) for channel, group in card.words.items() for word in group]
    all_limits = np.array([limit for name in names for limit in limits[name]], dtype=np.float64)
    first_limit = np.cumsum([0, *(len(limits[name]) for name in names)], dtype=np.int64)
    all_points = np.concatenate([np.zeros((len(classes), 0, len(parts))), *points], axis=1)
    return CompiledCard(
        source=card,
        classes=card.classes,
        types=tuple(card.by_type),
        names=names,
        limits=all_limits,
        first_limit=first_limit,
        points=all_points,
        slopes=slopes,
        bias=np.array([_spread(part.bias, classes) for part in (card, *card.by_type.values())]).T,
        row_plan=core.RowPlan(names, all_limits, first_limit, all_points[:, :, 0], slopes[:, 0]),
        start=_spread(card.bias, classes),
        words=tuple(words),
        word_points=tuple(_spread(card.words[channel][word], classes) for channel, word in words),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BlockCard:
    """A card without classes, of features that the core has the columns of.

    plan: `core.CardPlan`; types: that it adds lines for; needs: what its features must have been given.
    """

    plan: Any
    types: tuple[str, ...]
    needs: tuple[str, ...]


@cached_per_rule_set
def plan_card(card: Card, registry: Registry) -> BlockCard:
    """The plan by which the core adds up a card, once a rule set; raises what `compile_card` raises."""
    compiled = compile_card(card, registry)
    numbers = [registry.numbers[name] for name in compiled.names]
    of_bins, of_features = compiled.points[0], compiled.slopes
    plan = core.CardPlan(numbers, compiled.limits, compiled.first_limit, of_bins, of_features, compiled.bias[0])
    needs = sorted({thing for name in compiled.names for thing in registry.needs[name]})
    return BlockCard(plan, compiled.types, tuple(needs))


def check_card(card: Card, registry: Registry | None = None) -> None:
    """Raise `RuleError` for the first fault of a card. registry: the features that it may refer to, None for any."""
    for path, message in find_card_faults(card):
        raise RuleError(message, key=format_path(path))
    for path, lines in list_lines(card):
        for name in lines:
            if registry is not None:
                registry.find(name, format_path((*path, name)))


def _join_limits(parts: Sequence[Part]) -> dict[str, tuple[float, ...]]:
    """Feature -> the limits of all its lines, rising."""
    found: dict[str, set[float]] = {}
    for part in parts:
        for lines in part:
            for name, line in lines.items():
                found.setdefault(name, set()).update(line.below if isinstance(line, Bins) else ())
    return {name: tuple(sorted(limits)) for name, limits in found.items()}


def _read_bin(part: Part, name: str, value: float, label: str) -> float:
    """Points that the bins of a part give to class `label` for a value of a feature."""
    total = 0.0
    for lines in part:
        line = lines.get(name)
        if isinstance(line, Bins):
            points = line.points.get(label) if isinstance(line.points, dict) else line.points
            total += points[bisect_right(line.below, value)] if points else 0.0
    return total


def _read_slope(part: Part, name: str) -> float:
    """Points that a part gives for each unit of a feature's value."""
    return float(sum(line for lines in part if isinstance(line := lines.get(name, 0.0), int | float)))


def _spread(points: Points, classes: tuple[str, ...]) -> ByClass:
    """The points of each class; a plain number counts for all classes."""
    if isinstance(points, dict):
        return tuple(float(points.get(label, 0.0)) for label in classes)
    return (float(points),) * len(classes)
