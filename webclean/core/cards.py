"""Features of many rows -> the points of a card; words of texts -> their points; chances of blocks -> the expected F
score of keeping the best.

The sums are added in the order in which `cards.score`, `decide.cut` and `features.tokens` add them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, NAN, isnan, nextafter, rint


def add_points(
    table: Sequence[Any],
    limits: cython.const[cython.double][::1],
    first_limit: cython.const[cython.longlong][::1],
    points: cython.const[cython.double][:, ::1],
    slopes: cython.const[cython.double][::1],
    bias: cython.const[cython.double][:],
    n_rows: cython.Py_ssize_t,
    unit: cython.double,
) -> Any:
    """float64 [n_classes, n_rows]: the points of the bins of all values, and the bias, rounded to 1 / unit.

    Args:
        table: a float64 [n_rows] for each feature; a missing value (NaN) gives no points.
        limits, first_limit: the limits of feature f, rising, are `limits[first_limit[f]:first_limit[f + 1]]`.
        points: [n_classes, n_bins], the bins of a feature after those of the one before it.
        slopes: [n_features], points for each unit of the value.
        bias: [n_classes].
    """
    n_classes: cython.Py_ssize_t = points.shape[0]
    made = np.zeros((n_classes, n_rows), dtype=np.float64)
    total: cython.double[:, ::1] = made
    column: cython.const[cython.double][::1]
    f: cython.Py_ssize_t
    row: cython.Py_ssize_t
    n: cython.Py_ssize_t
    half: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    label: cython.Py_ssize_t
    value: cython.double
    before: cython.double
    for f in range(first_limit.shape[0] - 1):
        column = table[f]
        before = NAN
        for row in range(n_rows):
            value = column[row]
            if value != before:  # most values are that of the row before
                if isnan(value):
                    continue
                before = value
                # the bin of a value is the number of limits that it reaches, found by halves
                at = first_limit[f]
                n = first_limit[f + 1] - at
                while n > 1:
                    half = n >> 1
                    at += half if limits[at + half - 1] <= value else 0
                    n -= half
                if n and limits[at] <= value:
                    at += 1
            total[0, row] += points[0, at + f]
            for label in range(1, n_classes):
                total[label, row] += points[label, at + f]
    for f in range(slopes.shape[0]):
        if slopes[f] != 0.0:
            column = table[f]
            for row in range(n_rows):
                if not isnan(column[row]):
                    for label in range(n_classes):
                        total[label, row] += slopes[f] * column[row]
    for label in range(n_classes):
        for row in range(n_rows):
            total[label, row] = rint((total[label, row] + bias[label]) * unit) / unit
    return made


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


def keep_best(
    raised: cython.const[cython.double][:, ::1],
    order: cython.const[cython.longlong][::1],
    points: cython.const[cython.double][:],
    words: cython.const[cython.double][:],
    weights: cython.const[cython.double][::1],
    square: cython.double,
    least_words: cython.double,
    least_share: cython.double,
) -> Any:
    """Keep the first of the ordered blocks, as many as give the best expected F score.

    Args:
        raised: [n_shifts, n_blocks], exp(-points) of the ordered blocks under each shift.
        order, points, words: [n_blocks], the blocks in order; the points and words of each block.
        weights: [n_shifts]. square: beta squared.
        least_words, least_share: nothing is kept that has fewer words than both.

    Returns:
        bool [n_blocks], what is kept; the lowest kept points, or just above all where nothing is kept; the expected F
        score.
    """
    n: cython.Py_ssize_t = order.shape[0]
    kept_made = np.zeros(n, dtype=np.uint8)
    kept: cython.uchar[::1] = kept_made
    columns: cython.double[:, ::1] = np.zeros((3, n), dtype=np.float64)  # expected score, words so far, hits so far
    shift: cython.Py_ssize_t
    i: cython.Py_ssize_t
    running: cython.double = 0.0
    all_hits: cython.double
    best: cython.Py_ssize_t = 0
    for i in range(n):
        running += words[order[i]]
        columns[1, i] = running
    for shift in range(raised.shape[0]):
        running = 0.0
        for i in range(n):
            running += 1.0 / (1.0 + raised[shift, i]) * words[order[i]]
            columns[2, i] = running
        all_hits = square * running
        for i in range(n):
            columns[0, i] += weights[shift] * ((1 + square) * columns[2, i] / (columns[1, i] + all_hits + 1e-9))
    for i in range(1, n):
        if columns[0, i] > columns[0, best]:
            best = i
    if columns[1, best] < min(least_words, least_share * columns[1, n - 1]):
        return kept_made.view(np.bool_), nextafter(points[order[0]], INFINITY), columns[0, best]
    for i in range(best + 1):
        kept[order[i]] = 1
    return kept_made.view(np.bool_), points[order[best]], columns[0, best]


def add_up(
    words: tuple[Any, Any],
    word_points: cython.const[cython.double][:, ::1],
    phrases: tuple[Any, Any],
    gives: cython.const[cython.uchar][:, :, ::1],
    concept_points: cython.const[cython.double][:, ::1],
    n_texts: cython.Py_ssize_t,
    unit: cython.double,
) -> Any:
    """float64 [n_kinds, n_texts]: points of the words of each text and of the concepts that its phrases name.

    Args:
        words, phrases: texts and places of those that are known, each once a text, those of a text together.
        word_points: [n_kinds, n_words].
        gives: [n_kinds, n_concepts, n_phrases], whether a phrase gives the points of a concept, which counts once.
        concept_points: [n_kinds, n_concepts].
        n_texts: number of texts.
        unit: sums are rounded to 1 / unit.
    """
    n_kinds: cython.Py_ssize_t = word_points.shape[0]
    n_concepts: cython.Py_ssize_t = concept_points.shape[1]
    made = np.zeros((n_kinds, n_texts), dtype=np.float64)
    points: cython.double[:, ::1] = made
    texts: cython.const[cython.longlong][::1]
    places: cython.const[cython.longlong][::1]
    named: cython.bint
    kind: cython.Py_ssize_t
    concept: cython.Py_ssize_t
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    total: cython.double
    texts, places = words
    for i in range(texts.shape[0]):
        for kind in range(n_kinds):
            points[kind, texts[i]] += word_points[kind, places[i]]
    for kind in range(n_kinds):
        for i in range(n_texts):
            points[kind, i] = rint(points[kind, i] * unit) / unit
    texts, places = phrases
    start = 0
    while start < texts.shape[0]:
        end = start
        while end < texts.shape[0] and texts[end] == texts[start]:
            end += 1
        for kind in range(n_kinds):
            total = 0.0
            for concept in range(n_concepts):
                named = False
                for i in range(start, end):
                    named |= gives[kind, concept, places[i]]
                if named:
                    total += concept_points[kind, concept]
            points[kind, texts[start]] = rint((points[kind, texts[start]] + total) * unit) / unit
        start = end
    return made
