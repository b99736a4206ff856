# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Features of many rows -> the points of a card; chances of blocks -> the expected F score of keeping the best.

The sums are added in the order in which `cards.score` and `decide.cut` add them.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


def add_points(
    table: cython.const[cython.double][:, ::1],
    limits: cython.const[cython.double][::1],
    first_limit: cython.const[cython.longlong][::1],
    points: cython.const[cython.double][:, ::1],
    total: cython.double[:, ::1],
) -> None:
    """Add the points of the bins of all values to the total, in place.

    Args:
        table: [n_features, n_rows]; a missing value (NaN) gives no points.
        limits, first_limit: the limits of feature f, rising, are `limits[first_limit[f]:first_limit[f + 1]]`.
        points: [n_classes, n_bins], the bins of a feature after those of the one before it.
        total: [n_classes, n_rows].
    """
    n_classes: cython.Py_ssize_t = points.shape[0]
    n_rows: cython.Py_ssize_t = table.shape[1]
    f: cython.Py_ssize_t
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    label: cython.Py_ssize_t
    limit: cython.double
    places: cython.longlong[::1] = np.empty(n_rows, dtype=np.int64)
    for f in range(table.shape[0]):
        # the bin of a value is the number of limits that it reaches; all values are compared with a limit at once
        for row in range(n_rows):
            places[row] = first_limit[f] + f
        for k in range(first_limit[f], first_limit[f + 1]):
            limit = limits[k]
            for row in range(n_rows):
                places[row] += limit <= table[f, row]
        for label in range(n_classes):
            for row in range(n_rows):
                if table[f, row] == table[f, row]:
                    total[label, row] += points[label, places[row]]


def shift_points(
    points: cython.const[cython.double][:],
    order: cython.const[cython.longlong][::1],
    shift: cython.double,
    spread: cython.double,
    shifts: cython.const[cython.double][::1],
    most: cython.double,
) -> Any:
    """float64 [n_shifts, n_blocks]: the negative of the ordered points under each shift, within -most and most.

    Args:
        points, order: [n_blocks], log-odds; the blocks in order.
        shift, spread, shifts: to all points `shift` is added, and `spread` times each of `shifts`.
        most: log-odds.
    """
    n: cython.Py_ssize_t = order.shape[0]
    made = np.empty((shifts.shape[0], n), dtype=np.float64)
    found: cython.double[:, ::1] = made
    number: cython.Py_ssize_t
    i: cython.Py_ssize_t
    value: cython.double
    for number in range(shifts.shape[0]):
        for i in range(n):
            value = points[order[i]] + shift + spread * shifts[number]
            if value < -most:
                value = -most
            elif value > most:
                value = most
            found[number, i] = -value
    return made


def expect_scores(
    raised: cython.const[cython.double][:, ::1],
    order: cython.const[cython.longlong][::1],
    words: cython.const[cython.double][:],
    weights: cython.const[cython.double][::1],
    square: cython.double,
) -> Any:
    """Expected F score and words of keeping the first 1, 2, ... of the ordered blocks.

    Args:
        raised: [n_shifts, n_blocks], exp(-points) of the ordered blocks under each shift.
        order, words: [n_blocks], the blocks in that order; the words of each block.
        weights: [n_shifts]. square: beta squared.

    Returns:
        expected, n_kept: float64 [n_blocks]; the number of the first of the highest expected scores.
    """
    n: cython.Py_ssize_t = order.shape[0]
    expected_made = np.zeros(n, dtype=np.float64)
    kept_made = np.empty(n, dtype=np.float64)
    hits_made = np.empty(n, dtype=np.float64)
    expected: cython.double[::1] = expected_made
    n_kept: cython.double[::1] = kept_made
    hits: cython.double[::1] = hits_made
    shift: cython.Py_ssize_t
    i: cython.Py_ssize_t
    running: cython.double = 0.0
    all_hits: cython.double
    best: cython.Py_ssize_t = 0
    for i in range(n):
        running += words[order[i]]
        n_kept[i] = running
    for shift in range(raised.shape[0]):
        running = 0.0
        for i in range(n):
            running += 1.0 / (1.0 + raised[shift, i]) * words[order[i]]
            hits[i] = running
        all_hits = square * running
        for i in range(n):
            expected[i] += weights[shift] * ((1 + square) * hits[i] / (n_kept[i] + all_hits + 1e-9))
    for i in range(1, n):
        if expected[i] > expected[best]:
            best = i
    return expected_made, kept_made, best
