"""Compiled card, values of features -> points: of a table of rows, by one card or several, or of a single row.

The bin of a value is the number of limits that it reaches: with the limits 1, 3, 5 the value 4 reaches 1 and 3, so it
is in bin 2. A missing value (NaN) gives no points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from webclean import core
from webclean.features.cards.compile import CompiledCard
from webclean.model import Floats


def score_table(
    card: CompiledCard, table: Floats | Sequence[Floats], weights: Mapping[str, float] | None = None, n_rows: int = -1
) -> Floats:
    """float64 [n_classes, n_rows]: points of all rows.

    They are rounded, so that they do not depend on the order of summation: a limit of a later card could tell the
    difference.

    table: float64 [n_features, n_rows], or a list of n_rows rows, the features in the order of `card.names`. weights:
    page type -> probability, 0 to 1: how much the lines count that the card adds for the type.
    """
    share = np.array([1.0, *((weights or {}).get(name, 0.0) for name in card.types)])
    points, bias = card.points @ share, card.bias @ share
    if isinstance(table, np.ndarray):
        table, n_rows = np.ascontiguousarray(table, dtype=np.float64), table.shape[1]
    slopes = card.slopes @ share
    found: Floats = core.add_points(table, card.limits, card.first_limit, points, slopes, bias, n_rows)
    return found


def score_one(card: CompiledCard, values: dict[str, float], words: Iterable[int] = ()) -> list[float]:
    """Points of each class for a single row. words: indices into `card.words` of the words that were found."""
    start = tuple(map(sum, zip(card.start, *(card.word_points[number] for number in words), strict=True)))
    found: list[float] = card.row_plan.score(values, start)
    return found


def softmax(totals: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Points -> probabilities that sum to 1. A higher temperature makes them more equal."""
    best = max(totals)
    raised = [math.exp((total - best) / temperature) for total in totals]
    whole = sum(raised)
    return [value / whole for value in raised]
