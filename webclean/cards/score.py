"""Points: of a table of rows by one card or by a mixture, and of a single row.

Which bin a value is in is how many limits it reaches: all features of all rows are compared with their first limit at
once, then with their second, and so on. A value that is missing (NaN) says nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from webclean.cards.compile import CompiledCard
from webclean.model import Floats, Rows

_DIGITS: Final = 9
_PART: Final = 4096
"""Rows that are scored at once: so many that their table still fits in a processor's cache."""


def score_table(card: CompiledCard, table: Floats, weights: Mapping[str, float] | None = None) -> Floats:
    """float64 [n_classes, n_rows]: points of all rows.

    Sums of short decimals are made short again, so that no limit of a later card turns on the order of a sum.

    Args:
        card: the card.
        table: float64 [n_features, n_rows], its features in the order of `card.names`.
        weights: type -> how far the page is of it (0..1), for what the card adds by type.
    """
    share = np.array([1.0, *((weights or {}).get(name, 0.0) for name in card.types)])
    points, bias = card.points @ share, card.bias @ share
    total = np.empty((len(points), table.shape[1]))
    for start in range(0, table.shape[1], _PART):
        part = table[:, start : start + _PART]
        given = points.take(_find_bins(card, part), axis=1)
        missing = np.isnan(part)
        if missing.any():
            given[:, missing] = 0.0
        total[:, start : start + _PART] = given.sum(axis=1)
    if card.slopes is not None:
        total += (card.slopes @ share) @ np.nan_to_num(table)
    rounded: Floats = np.round(total + bias[:, None], _DIGITS)
    return rounded


def _find_bins(card: CompiledCard, table: Floats) -> Rows:
    """int64 [n_features, n_rows]: where the points of each value are."""
    # counts of the size of a flag are added without a conversion
    reached = np.zeros(table.shape, dtype=np.uint8 if len(card.edges) < 1 << 8 else np.uint16)
    is_over = np.empty(table.shape, dtype=bool)
    for edges in card.edges:
        n = len(edges)
        reached[:n] += np.greater_equal(table[:n], edges, out=is_over[:n]).view(np.uint8)
    places: Rows = reached + card.first
    return places


def mix_cards(
    cards: Iterable[tuple[CompiledCard, float]],
    measure: Callable[[str], Floats],
    n_rows: int,
    weights: Mapping[str, float] | None = None,
) -> Floats:
    """float64 [n_rows]: points of several cards, each as far as its share goes.

    Args:
        cards: (card, share); one without a share costs nothing.
        measure: name of a feature -> float64 [n_rows].
        n_rows: rows in all.
        weights: type -> how far the page is of it (0..1).
    """
    total = np.zeros(n_rows)
    for card, share in cards:
        if share > 0:
            table = np.array([measure(name) for name in card.names]).reshape(len(card.names), n_rows)
            total += share * score_table(card, table, weights)[0]
    return total


def score_one(card: CompiledCard, values: Mapping[str, float], words: Iterable[int] = ()) -> list[float]:
    """Points of each class for a single row. values: feature -> value. words: numbers of the card's words."""
    rows = [card.start]
    for name, value in values.items():
        line = card.lines.get(name)
        if line is not None and value == value:  # noqa: PLR0124  NaN is not equal to itself
            rows.append(line.points[bisect_right(line.limits, value)])
            if line.slope:
                rows.append((line.slope * value,))
    rows += [card.word_points[number] for number in words]
    return [round(sum(column), _DIGITS) for column in zip(*rows, strict=True)]


def softmax(totals: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Points -> probabilities."""
    best = max(totals)
    raised = [math.exp((total - best) / temperature) for total in totals]
    whole = sum(raised)
    return [value / whole for value in raised]
