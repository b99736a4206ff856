"""Features of many rows -> points of a card; points of blocks -> what the cut keeps.

A card is a plan: arrays of its limits and points, compiled once a rule set. Sums are added in the order of the card's
features, and rounded, so that a limit of a later card could not tell another order.

Keep: a value on a limit belongs to the bin above it (`>=`); a missing value gives nothing; the order of additions is
that of the features, which `features.cards` states again for explanations. Tested by `tests/core/test_cards.py` and
`tests/features/test_cards.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, nextafter, rint
from cython.cimports.libc.string import memcpy, memset

from webclean.core.page import Page

CARD_UNIT = cython.declare(cython.double, 1e9)
"""Points of a card are rounded to 1 / this."""
MOST_POINTS = cython.declare(cython.double, 30.0)
"""Log-odds that count: beyond, a chance is 0 or 1 in all digits that matter, and exp could overflow."""
SHIFTS = [-2.8569700138728056, -1.355626179974266, 0.0, 1.355626179974266, 2.8569700138728056]
SHIFT_WEIGHTS = [
    0.011257411327720677,
    0.22207592200561257,
    0.5333333333333335,
    0.22207592200561257,
    0.011257411327720677,
]
"""Nodes and weights, with sum 1, of the Gauss-Hermite quadrature of five points, as
`numpy.polynomial.hermite_e.hermegauss(5)` gives them; importing that takes as long as cleaning several pages."""
N_SHIFTS = cython.declare(cython.int, 5)


@cython.exceptval(check=False)
def find_bin(value: cython.double, limits: cython.p_double, n_limits: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The number of limits, rising, that a value reaches."""
    at: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = n_limits
    while n > 1:  # by halves, without a branch on what is compared: which half it is cannot be foretold
        half = n >> 1
        at += half * (limits[at + half - 1] <= value)
        n -= half
    # one limit is left, which was not compared yet
    return at + (n_limits > 0 and limits[at] <= value)


@cython.exceptval(check=False)
def find_bins(
    column: cython.p_double,
    n_rows: cython.Py_ssize_t,
    limits: cython.p_double,
    n_limits: cython.Py_ssize_t,
    bins: cython.p_int,
) -> cython.void:
    """bins: of each value the number of limits, rising, that it reaches; -1 for a missing value (NaN)."""
    for row in range(n_rows):
        value = column[row]
        if row and value == column[row - 1]:  # most values are that of the row before
            bins[row] = bins[row - 1]
            continue
        bins[row] = find_bin(value, limits, n_limits) if value == value else -1  # noqa: PLR0124  NaN is not itself


def add_points(
    table: Sequence[Any],
    limits: cython.double[::1],
    first_limit: cython.const[cython.longlong][::1],
    points: cython.const[cython.double][:, ::1],
    bias: cython.const[cython.double][:],
    n_rows: cython.Py_ssize_t,
) -> Any:
    """float64 [n_classes, n_rows]: the points of the bins of all values, and the bias, rounded.

    Args:
        table: a float64 [n_rows] for each feature; a missing value (NaN) gives no points.
        limits, first_limit: the limits of feature f, rising, are `limits[first_limit[f]:first_limit[f + 1]]`.
        points: [n_classes, n_bins], the bins of a feature after those of the one before it.
        bias: [n_classes].
    """
    n_classes: cython.Py_ssize_t = points.shape[0]
    made = np.zeros((n_classes, n_rows), dtype=np.float64)
    total: cython.double[:, ::1] = made
    bins: cython.int[::1] = np.empty(n_rows, dtype=np.intc)
    at: cython.p_double = cython.address(limits[0]) if limits.shape[0] else cython.NULL
    for f in range(first_limit.shape[0] - 1 if n_rows else 0):
        column: cython.double[::1] = table[f]
        find_bins(
            cython.address(column[0]),
            n_rows,
            at + first_limit[f],
            first_limit[f + 1] - first_limit[f],
            cython.address(bins[0]),
        )
        for label in range(n_classes):
            for row in range(n_rows):
                if bins[row] >= 0:
                    # a feature has one more bin than limits, so those of feature f are f places further on
                    total[label, row] += points[label, first_limit[f] + f + bins[row]]
    for label in range(n_classes):
        for row in range(n_rows):
            total[label, row] = rint((total[label, row] + bias[label]) * CARD_UNIT) / CARD_UNIT
    return made


class RowPlan:
    """A card for rows that are given as names with values: what a row does not name gives it no points.

    number: name -> number of the feature. limits, first_limit, points: as in `add_points`. total: of the row that is
    looked at.
    """

    number: dict
    limits: cython.double[::1]
    first_limit: cython.longlong[::1]
    points: cython.double[:, ::1]
    total: cython.double[::1]

    def __init__(self, names: Any, limits: Any, first_limit: Any, points: Any) -> None:
        """names: of the features, in the order of the arrays."""
        self.number = {name: number for number, name in enumerate(names)}
        self.limits, self.first_limit = np.array(limits), np.array(first_limit, dtype=np.int64)
        self.points, self.total = np.ascontiguousarray(points), np.empty(len(points))

    def score(self, row: dict, start: tuple) -> list:
        """Points of each class, rounded. start: what each sum begins with."""
        for label in range(self.total.shape[0]):
            self.total[label] = start[label]
        for name, given in row.items():
            known = self.number.get(name)
            value: cython.double = given
            if known is None or value != value:  # noqa: PLR0124  NaN: a missing value
                continue
            self.add(known, value)
        return self.read()

    @cython.exceptval(check=False)
    def add(self, f: cython.Py_ssize_t, value: cython.double) -> cython.void:
        """Add the points of a value of feature f."""
        # one after the other: a row has some dozen values, and most features a few limits
        place: cython.Py_ssize_t = self.first_limit[f]
        while place < self.first_limit[f + 1] and self.limits[place] <= value:
            place += 1
        for label in range(self.total.shape[0]):
            self.total[label] += self.points[label, f + place]

    def read(self) -> list:
        """The points that were added up, rounded."""
        return [rint(self.total[label] * CARD_UNIT) / CARD_UNIT for label in range(self.total.shape[0])]


class CardPlan:
    """A card without classes as arrays: what it adds to points of blocks.

    numbers: of its features, in the tables of their axis. limits, first_limit: as in `add_points`. points, bias: the
    card's own; added_*: what each type adds as far as a page is of it, of the bins that it has points in alone: those
    of type t are `added_bin[first_added[t]:first_added[t + 1]]`.
    """

    numbers: cython.longlong[::1]
    limits: cython.double[::1]
    first_limit: cython.longlong[::1]
    points: cython.double[::1]
    bias: cython.double[::1]
    first_added: cython.longlong[::1]
    added_bin: cython.longlong[::1]
    added_points: cython.double[::1]
    n_features: cython.Py_ssize_t
    n_bins: cython.Py_ssize_t
    n_types: cython.Py_ssize_t

    def __init__(self, numbers: Any, limits: Any, first_limit: Any, points: Any, bias: Any) -> None:
        """points: [n_bins, n_parts], bias: [n_parts]; a part is the card itself or what it adds for a type."""
        self.numbers, self.first_limit = np.array(numbers, dtype=np.int64), np.array(first_limit, dtype=np.int64)
        self.limits = np.append(limits, 0.0)  # so that it has a first entry
        self.n_features, self.n_bins, self.n_types = len(numbers), len(points), len(bias) - 1
        self.points = np.ascontiguousarray(np.append(points[:, 0], 0.0))
        self.bias = np.ascontiguousarray(bias, dtype=np.float64)
        own = [np.flatnonzero(points[:, 1 + part]) for part in range(self.n_types)]
        self.first_added = np.cumsum([0, *map(len, own)], dtype=np.int64)
        self.added_bin = np.concatenate([*own, [0]]).astype(np.int64)
        self.added_points = np.concatenate([*(points[rows, 1 + part] for part, rows in enumerate(own)), [0.0]])

    def mix_parts(self, weights: tuple, points: cython.p_double) -> cython.double:
        """points: of the card and its types, each type's times its weight; returns the bias."""
        bias: cython.double = self.bias[0]
        memcpy(points, cython.address(self.points[0]), self.n_bins * 8)
        for part in range(1, self.n_types + 1):
            weight: cython.double = weights[part - 1]
            # most types have no share in a page
            if weight != 0.0:
                bias += self.bias[part] * weight
                for i in range(self.first_added[part - 1], self.first_added[part]):
                    points[self.added_bin[i]] += self.added_points[i] * weight
        return bias

    def add_up(
        self,
        columns: cython.pp_double,
        weights: tuple,
        n: cython.Py_ssize_t,
        memory: Page,
        total: cython.p_double,
    ) -> cython.int:
        """total: [n], the points of n rows, rounded.

        columns: of the features. weights: how much the lines count that the card adds for each type. memory: for what
        is needed meanwhile.
        """
        points: cython.p_double = memory.take_floats(self.n_bins + 1)
        bias: cython.double = self.mix_parts(weights, points)
        memset(total, 0, n * 8)
        for f in range(self.n_features):
            first: cython.Py_ssize_t = self.first_limit[f]
            n_limits: cython.Py_ssize_t = self.first_limit[f + 1] - first
            column: cython.p_double = columns[f]
            gain: cython.double = 0.0
            for i in range(n):
                value: cython.double = column[i]
                if not i or value != column[i - 1]:  # most values are that of the row before
                    at = find_bin(value, cython.address(self.limits[0]) + first, n_limits)
                    # a missing value (NaN) speaks neither for nor against a block
                    gain = points[first + f + at] if value == value else 0.0  # noqa: PLR0124
                total[i] += gain
        for i in range(n):
            # rounded, so that no order of additions can turn a block round that is on a limit
            total[i] = rint((total[i] + bias) * CARD_UNIT) / CARD_UNIT


@cython.exceptval(check=False)
def order_falling(
    points: cython.p_double, n: cython.Py_ssize_t, order: cython.p_longlong, spare: cython.p_longlong
) -> cython.void:
    """order: the rows by falling points, equal ones as they come (merge sort); spare: room for n."""
    width: cython.Py_ssize_t = 1
    for i in range(n):
        order[i] = i
    while width < n:
        start = 0
        while start < n:
            middle = start + width if start + width < n else n
            end = start + 2 * width if start + 2 * width < n else n
            left, right = start, middle
            for i in range(start, end):
                # in a tie the earlier block comes first, so that ties are cut the same way everywhere
                if right >= end or (left < middle and points[order[left]] >= points[order[right]]):
                    spare[i] = order[left]
                    left += 1
                else:
                    spare[i] = order[right]
                    right += 1
            start = end
        memcpy(order, spare, n * cython.sizeof(cython.longlong))
        width *= 2


@cython.dataclasses.dataclass(repr=False, eq=False)
class CutPlan:
    """Settings of the cut: shift and spread are added to all points, the spread times each of `SHIFTS`; nothing is kept
    that has fewer words than least_words and than the share least_share of the page."""

    shift: cython.double
    spread: cython.double
    beta: cython.double
    least_words: cython.double
    least_share: cython.double


class Cut:
    """What the cut keeps of blocks, and why so much; see `decide`.

    kept: of blocks; lowest: the lowest kept points, or just above all where nothing is kept; expected: the F score.
    """

    kept: cython.p_uchar
    lowest: cython.double
    expected: cython.double


@cython.cfunc
def cut_best(
    points: cython.p_double,
    words: cython.p_double,
    n: cython.Py_ssize_t,
    plan: CutPlan,
    memory: Page,
) -> Cut:
    """Keep the first of the blocks by points, as many as give the best expected F score.

    points, words: of n blocks, one or more. memory: for what is kept and for what is needed meanwhile.
    """
    found: Cut = Cut()
    raised: Any = np.empty((N_SHIFTS, n), dtype=np.float64)
    chance: cython.double[:, ::1] = raised
    order: cython.p_longlong = memory.take_rows(n)
    expected: cython.p_double = memory.take_floats(n, True)
    words_until: cython.p_double = memory.take_floats(n)
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    order_falling(points, n, order, memory.take_rows(n))
    value: cython.double = 0.0
    for i in range(n):
        value += words[order[i]]
        words_until[i] = value
    for k in range(N_SHIFTS):
        node: cython.double = SHIFTS[k]
        for i in range(n):
            value = points[order[i]] + plan.shift + plan.spread * node
            value = -MOST_POINTS if value < -MOST_POINTS else MOST_POINTS if value > MOST_POINTS else value
            chance[k, i] = -value
    np.exp(raised, out=raised)  # several at once; the C library's may differ in the last bit
    for k in range(N_SHIFTS):
        add_expected(
            cython.address(chance[k, 0]),
            order,
            words,
            words_until,
            n,
            SHIFT_WEIGHTS[k],
            plan.beta * plan.beta,
            expected,
        )
    for i in range(1, n):
        # in a tie the prefix with the fewest blocks wins: a block that adds no expected score is left out
        if expected[i] > expected[best]:
            best = i
    found.kept, found.expected = memory.take_flags(n, True), expected[best]
    # a few words that are little of the page are a title or a button that stood out by chance
    if words_until[best] < min(plan.least_words, plan.least_share * words_until[n - 1]):
        # above all points, for later steps take what reaches this for kept
        found.lowest = nextafter(points[order[0]], INFINITY)
        return found
    for i in range(best + 1):
        found.kept[order[i]] = True
    found.lowest = points[order[best]]
    return found


@cython.exceptval(check=False)
def add_expected(
    raised: cython.p_double,
    order: cython.p_longlong,
    words: cython.p_double,
    words_until: cython.p_double,
    n: cython.Py_ssize_t,
    weight: cython.double,
    square: cython.double,
    expected: cython.p_double,
) -> cython.void:
    """expected: to it the expected F score of keeping the first 1, 2, ... of the ordered blocks is added, times weight.

    raised: exp(-points) of the ordered blocks; becomes the content words up to each. words: of blocks; words_until: of
    the ordered ones up to each.
    """
    hits: cython.double = 0.0
    for i in range(n):
        # the chance that a block is content, times its words
        hits += 1.0 / (1.0 + raised[i]) * words[order[i]]
        raised[i] = hits
    hits *= square
    for i in range(n):
        # a little more than nothing, for all chances may be 0
        expected[i] += weight * ((1 + square) * raised[i] / (words_until[i] + hits + 1e-9))


def keep_best(points: cython.const[cython.double][::1], words: cython.const[cython.double][::1], plan: CutPlan) -> Any:
    """What the cut keeps of one block or more: bool [n_blocks]; the lowest kept points, or just above all where nothing
    is kept; the expected F score. points, words: of blocks."""
    n: cython.Py_ssize_t = points.shape[0]
    at: cython.p_double = cython.cast(cython.p_double, cython.address(points[0]))
    found: Cut = cut_best(at, cython.cast(cython.p_double, cython.address(words[0])), n, plan, Page(64 * n))
    made = np.empty(n, dtype=np.bool_)
    kept: cython.uchar[::1] = made.view(np.uint8)
    memcpy(cython.address(kept[0]), found.kept, n)
    return made, found.lowest, found.expected
