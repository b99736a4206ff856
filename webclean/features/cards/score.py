"""Compiled card, values of features -> points: of a table of rows, by one card or several, or of a single row.

The bin of a value is the number of limits that it reaches. All values of a table are compared with their first limit at
once, then with their second, and so on. With the limits 1, 3, 5 the value 4 reaches 1 and 3, so it is in bin 2. A
missing value (NaN) gives no points.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from webclean.features.cards.compile import CompiledCard
from webclean.kernels import CARDS
from webclean.model import Floats, Rows

_DIGITS: Final = 9
_PART: Final = 4096
"""Rows that are scored at once, so that their table fits in the processor's cache."""


def score_table(
    card: CompiledCard, table: Floats | Sequence[Floats], weights: Mapping[str, float] | None = None, n_rows: int = -1
) -> Floats:
    """float64 [n_classes, n_rows]: points of all rows.

    They are rounded, so that they do not depend on the order of summation: a limit of a later card could tell the
    difference.

    Args:
        card: the card.
        table: float64 [n_features, n_rows], or a list of its rows, the features in the order of `card.names`.
        weights: page type -> probability, 0 to 1: how much the lines count that the card adds for the type.
        n_rows: where `table` is a list.
    """
    share = np.array([1.0, *((weights or {}).get(name, 0.0) for name in card.types)])
    points, bias = card.points @ share, card.bias @ share
    n_rows = table.shape[1] if isinstance(table, np.ndarray) else n_rows
    if CARDS and card.slopes is None:
        found: Floats = CARDS.add_points(table, card.limits, card.first_limit, points, bias, n_rows, 10.0**_DIGITS)
        return found
    table = np.array(table, dtype=np.float64).reshape(len(card.names), n_rows)
    total = _add_points(card, table, points)
    if card.slopes is not None:
        total += (card.slopes @ share) @ np.nan_to_num(table)
    rounded: Floats = np.round(total + bias[:, None], _DIGITS)
    return rounded


def _add_points(card: CompiledCard, table: Floats, points: Floats) -> Floats:
    """float64 [n_classes, n_rows]: the points of the bins of all values. points: float64 [n_classes, n_bins]."""
    total = np.empty((len(points), table.shape[1]))
    for start in range(0, table.shape[1], _PART):
        part = table[:, start : start + _PART]
        given = points.take(_find_bins(card, part), axis=1)
        missing = np.isnan(part)
        if missing.any():
            given[:, missing] = 0.0
        total[:, start : start + _PART] = given.sum(axis=1)
    return total


def _find_bins(card: CompiledCard, table: Floats) -> Rows:
    """int64 [n_features, n_rows]: the index of each value's bin in `card.points`."""
    # one byte for each count where that is enough: booleans are added to it without a conversion
    reached = np.zeros(table.shape, dtype=np.uint8 if len(card.edges) < 1 << 8 else np.uint16)
    is_over = np.empty(table.shape, dtype=bool)
    for edges in card.edges:
        n = len(edges)
        reached[:n] += np.greater_equal(table[:n], edges, out=is_over[:n]).view(np.uint8)
    places: Rows = reached + card.first
    return places


def mix_cards(
    cards: Iterable[tuple[CompiledCard, float]],
    measure: Callable[[tuple[str, ...]], list[Floats]],
    n_rows: int,
    weights: Mapping[str, float] | None = None,
) -> Floats:
    """float64 [n_rows]: the weighted sum of the points of several cards.

    Args:
        cards: (card, share); a card with share 0 is not computed.
        measure: names of features -> a float64 [n_rows] for each.
        n_rows: number of rows.
        weights: page type -> probability, 0 to 1.
    """
    total = np.zeros(n_rows)
    for card, share in cards:
        if share > 0:
            total += share * score_table(card, measure(card.names), weights, n_rows)[0]
    return total


def score_one(card: CompiledCard, values: Mapping[str, float], words: Iterable[int] = ()) -> list[float]:
    """Points of each class for a single row.

    Args:
        card: the card.
        values: feature -> value.
        words: indices into `card.words` of the words that were found.
    """
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
    """Points -> probabilities that sum to 1. A higher temperature makes them more equal."""
    best = max(totals)
    raised = [math.exp((total - best) / temperature) for total in totals]
    whole = sum(raised)
    return [value / whole for value in raised]
