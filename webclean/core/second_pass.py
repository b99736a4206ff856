"""Points of blocks -> the features of what surrounds them, and the points of both passes; see `decide`.

The first pass adds up the cards of the page's features, the second a card of the features of this file: how the blocks
around a block were scored.

Enters: `Blocks` with `repeats`, points of the first pass. Leaves: points of both passes, or features by number. Keep:
this object takes memory of its own, for an explanation makes hundreds of them a page; only chances are averaged, never
points, of which one of -30 would outweigh all others. Tested by `tests/core/test_cards.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.string import memset

from webclean.core.cards import MOST_POINTS, CardPlan, Cut, CutPlan, cut_best
from webclean.core.features import Blocks
from webclean.core.generated import fill_around
from webclean.core.page import Page

MOST_AROUND = cython.declare(cython.int, 32)
"""Room for these features."""
LEAST_WORDS = cython.declare(cython.double, 0.3)
"""Words of a block that has none: its points count a little."""
LEAST_CHANCE = cython.declare(cython.double, 1e-4)
"""Mean chances are at least this, and as far from 1."""
EXTRA_WORDS = cython.declare(cython.double, 0.5)
EXTRA_CONTENT = cython.declare(cython.double, 0.05)
"""Words that are added to those of a window: half a word with a chance of .1."""


class Around:
    """What surrounds each block of a page, by points of the blocks.

    A mean is the mean chance of a word to be content, converted back to points. path_points, siblings_points: of the
    blocks with the same path, and of those in repeated elements that are siblings; near_points, points_before,
    points_after: of windows; content: words times the chance that the block is content; cut: with default settings.
    """

    blocks: Blocks
    memory: Page  # of this object alone: a page is explained with hundreds of them
    n: cython.Py_ssize_t
    done: cython.ulonglong
    points: cython.p_double
    cut: Cut
    path_points: cython.p_double
    siblings_points: cython.p_double
    near_points: cython.p_double
    points_before: cython.p_double
    points_after: cython.p_double

    _columns: cython.p_double[32]
    _kept: list

    def __init__(self, blocks: Blocks, points: Any) -> None:
        """blocks: one or more, that were given `repeats`. points: float64 [n_blocks]."""
        page: Page = blocks.page
        self.blocks, self.n = blocks, blocks.n
        self.memory = Page(self.n * 400 + page.n_elements * 64)
        self._kept = [points]
        given: cython.const[cython.double][::1] = points
        self.points = cython.cast(cython.p_double, cython.address(given[0]))
        memset(self._columns, 0, MOST_AROUND * cython.sizeof(cython.p_double))
        self.words = self.memory.take_floats(self.n)
        self.best_points = self.points[0]
        for i in range(self.n):
            # words as they are written, without the scale of scripts: the second card was learnt with these
            self.words[i] = page.n_words[i] if page.n_words[i] > LEAST_WORDS else LEAST_WORDS
            self.best_points = self.points[i] if self.points[i] > self.best_points else self.best_points

    def get(self, number: cython.Py_ssize_t) -> cython.p_double:
        """The column of a feature, filled when it is asked for first."""
        column: cython.p_double = self._columns[number]
        if column == cython.NULL:
            column = self._columns[number] = self.memory.take_floats(self.n)
            fill_around(self, number, column)
        return column

    def measure(self, numbers: list) -> Any:
        """float64 [n_features, n_blocks]: features by their numbers in the table."""
        made = np.empty((len(numbers), self.n), dtype=np.float64)
        table: cython.double[:, ::1] = made
        for k in range(len(numbers)):
            column = self.get(numbers[k])
            for i in range(self.n):
                table[k, i] = column[i]
        return made


def find_content(around: Around) -> cython.int:
    """content: words of each block times the chance that it is content."""
    raised: Any = np.empty(around.n, dtype=np.float64)
    chance: cython.double[::1] = raised
    around.content = around.memory.take_floats(around.n)
    for i in range(around.n):
        value = around.points[i] if around.points[i] > -MOST_POINTS else -MOST_POINTS
        chance[i] = -(value if value < MOST_POINTS else MOST_POINTS)
    np.exp(raised, out=raised)
    for i in range(around.n):
        around.content[i] = around.words[i] * (1.0 / (1.0 + chance[i]))


def cut_plainly(around: Around) -> cython.int:
    """cut: what the cut with default settings keeps."""
    # settings of its own: what a site sets for its cut must not turn the features that cards were learnt with
    around.cut = cut_best(around.points, around.words, around.n, CutPlan(0.0, 1.0, 1.0, 0.0, 0.5), around.memory)


def sum_kept(around: Around) -> cython.int:
    """kept_until: kept words before each block, the last entry of all; kept_in_container: share of kept words in the
    block element three levels up."""
    container: cython.p_longlong = around.blocks.page.levels + 3 * around.n
    kept: cython.p_double = around.memory.take_floats(around.n)
    around.kept_until, around.kept_in_container = (
        around.memory.take_floats(around.n + 1),
        around.memory.take_floats(around.n),
    )
    around.kept_until[0] = 0.0
    for i in range(around.n):
        kept[i] = around.words[i] if around.cut.kept[i] else 0.0
        around.kept_until[i + 1] = around.kept_until[i] + kept[i]
    average_groups(around, container, around.blocks.page.n_elements, kept, around.kept_in_container)


def average_groups(
    around: Around,
    group: cython.p_longlong,
    n_groups: cython.Py_ssize_t,
    values: cython.p_double,
    averages: cython.p_double,
) -> cython.int:
    """averages: for each block, the sum of the values of its group / that of its words. group: 0 to n_groups - 1."""
    totals: cython.p_double = around.memory.take_floats(n_groups, True)
    words: cython.p_double = around.memory.take_floats(n_groups, True)
    for i in range(around.n):
        totals[group[i]] += values[i]
        words[group[i]] += around.words[i]
    for i in range(around.n):
        averages[i] = totals[group[i]] / words[group[i]]


def average_points(around: Around) -> cython.int:
    """path_points, siblings_points, near_points, points_before, points_after: mean chances of groups and windows, as
    points. Blocks outside repeated elements are siblings of those of their own element."""
    blocks: Blocks = around.blocks
    n_elements: cython.Py_ssize_t = blocks.page.n_elements
    n: cython.Py_ssize_t = around.n
    siblings: cython.p_longlong = around.memory.take_rows(n)
    content_until: cython.p_double = around.memory.take_floats(n + 1)
    words_until: cython.p_double = around.memory.take_floats(n + 1)
    made: Any = np.empty((5, n), dtype=np.float64)
    chances: cython.double[:, ::1] = made
    content_until[0] = words_until[0] = 0.0
    for i in range(n):
        content_until[i + 1] = content_until[i] + around.content[i]
        words_until[i + 1] = words_until[i] + around.words[i]
        # beyond all rows, so that a block of its own shares no number with the children of an element
        siblings[i] = blocks.page.parent[blocks.item[i]] if blocks.item[i] >= 0 else blocks.page.row[i] + n_elements
    around.path_points, around.siblings_points = cython.address(chances[0, 0]), cython.address(chances[1, 0])
    around.near_points, around.points_before = cython.address(chances[2, 0]), cython.address(chances[3, 0])
    around.points_after = cython.address(chances[4, 0])
    around._kept.append(made)
    average_groups(around, blocks.path, n, around.content, around.path_points)
    average_groups(around, siblings, 2 * n_elements, around.content, around.siblings_points)
    average_windows(n, content_until, words_until, -3, 4, around.near_points)
    average_windows(n, content_until, words_until, -10, 0, around.points_before)
    average_windows(n, content_until, words_until, 1, 11, around.points_after)
    # a mean of 0 or 1 would be points without a bound
    for i in range(5 * n):
        chance = around.path_points[i]
        chance = chance if chance > LEAST_CHANCE else LEAST_CHANCE
        chance = chance if chance < 1 - LEAST_CHANCE else 1 - LEAST_CHANCE
        around.path_points[i] = chance / (1 - chance)
    np.log(made, out=made)


@cython.exceptval(check=False)
def average_windows(
    n: cython.Py_ssize_t,
    content_until: cython.p_double,
    words_until: cython.p_double,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    averages: cython.p_double,
) -> cython.void:
    """averages: mean chance of the words of the blocks from `first` places after each up to, without, `last` places;
    smoothed."""
    for i in range(n):
        low = i + first if i + first > 0 else 0
        high = i + last if i + last < n else n
        # so a window without blocks, before the first and after the last, has a chance of .1
        averages[i] = (content_until[high] - content_until[low] + EXTRA_CONTENT) / (
            words_until[high] - words_until[low] + EXTRA_WORDS
        )


def score_alone(blocks: Blocks, cards: tuple) -> Any:
    """float64 [n_blocks]: the points of the first pass. blocks: that were given what the features of the cards need.

    cards: (plan, share, weight of each type) of each card that counts.
    """
    made = np.zeros(blocks.n, dtype=np.float64)
    total: cython.double[::1] = made
    memory: Page = Page(blocks.n * 32)
    points: cython.p_double = memory.take_floats(blocks.n)
    plan: CardPlan
    share: cython.double
    for plan, share, weights in cards if blocks.n else ():
        columns = cython.cast(cython.pp_double, memory.take((plan.n_features + 1) * cython.sizeof(cython.p_double)))
        for k in range(plan.n_features):
            columns[k] = blocks.get(plan.numbers[k])
        plan.add_up(columns, weights, blocks.n, memory, points)
        for i in range(blocks.n):
            # the rounded points are added, as `explain` adds them
            total[i] += share * points[i]
    return made


def score_around(
    blocks: Blocks, first: cython.const[cython.double][::1], seen: Any, plan: CardPlan, weights: tuple, share: float
) -> Any:
    """float64 [n_blocks]: the weighted mean of the points of both passes. blocks: that were given `repeats`.

    first: of the first pass; seen: the points that the second pass sees around each block; share: of the second.
    """
    made = np.zeros(blocks.n, dtype=np.float64)
    if not blocks.n:
        return made
    total: cython.double[::1] = made
    of_second: cython.double = share
    around: Around = Around(blocks, seen)
    size: cython.Py_ssize_t = (plan.n_features + 1) * cython.sizeof(cython.p_double)
    columns: cython.pp_double = cython.cast(cython.pp_double, around.memory.take(size))
    for i in range(plan.n_features):
        columns[i] = around.get(plan.numbers[i])
    plan.add_up(columns, weights, blocks.n, around.memory, cython.address(total[0]))
    for i in range(blocks.n):
        total[i] = of_second * total[i] + (1 - of_second) * first[i]
    return made
