"""Points of the first card -> what the second card reads: what a block's surroundings got.

Blocks are not independent: a paragraph among dropped neighbours is seldom content. Each feature here is one aggregate
of the first pass over a group of blocks around the block (same path, repeated siblings, containers, neighbours, page).
Means are taken over words and given as points (log-odds), so that they compare with the block's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from webclean.decide.cut import Kept, cut_by_expected_f, sigmoid
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.model import Floats, Rows
from webclean.registry import FeatureRegistry
from webclean.rules.decide_schema import Cut

_LEAST_WORDS: Final = 0.3
_PLAIN_CUT: Final = Cut()


@dataclass(frozen=True, eq=False)
class FirstPass:
    """What the first card gave, the groups that the features are aggregated over, and what several of them share.

    points: float64 [n_blocks]; words: float64 [n_blocks], at least `_LEAST_WORDS`.
    """

    columns: PageColumns
    points: Floats
    words: Floats

    @cached_property
    def kept(self) -> Kept:
        """What the plain cut keeps."""
        return cut_by_expected_f(self.points, self.words, _PLAIN_CUT)

    @cached_property
    def kept_words(self) -> Floats:
        """float64 [n_blocks]: words of the blocks that the plain cut keeps, 0 for the others."""
        return self.words * self.kept.mask

    @cached_property
    def wanted(self) -> Floats:
        """float64 [n_blocks]: words times the probability that they are content."""
        return self.words * sigmoid(self.points)

    @cached_property
    def running(self) -> tuple[Floats, Floats]:
        """Twice float64 [n_blocks + 1]: `wanted` and words of all blocks before."""
        return np.concatenate(([0.0], np.cumsum(self.wanted))), np.concatenate(([0.0], np.cumsum(self.words)))

    @cached_property
    def siblings(self) -> Rows:
        """int64 [n_blocks]: a number for all repeated elements that are siblings of the block's."""
        item, alone = find_repeats(self.columns).item, self.columns.row + len(self.columns.document)
        return np.where(item >= 0, self.columns.document.parent[item], alone)


SURROUNDINGS_FEATURES: Final = FeatureRegistry[FirstPass, Floats]("surroundings", "second_card")
feature: Final = SURROUNDINGS_FEATURES.feature
"""Registers a function as a feature of a block's surroundings: `@feature(unit, meaning)`."""


def measure_surroundings(columns: PageColumns, points: Floats, names: tuple[str, ...]) -> Floats:
    """float64 [n_names, n_blocks]: the named features of one page's first pass."""
    if not len(points) or not names:
        return np.zeros((len(names), len(points)))
    first = FirstPass(columns, points, np.maximum(_LEAST_WORDS, columns.blocks.n_words))
    return np.array([SURROUNDINGS_FEATURES.find(name).compute(first) for name in names])


def _to_points(chance: Floats) -> Floats:
    bounded = np.minimum(np.maximum(chance, 1e-4), 1 - 1e-4)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _group_points(first: FirstPass, group: Rows) -> Floats:
    return _to_points(np.bincount(group, first.wanted)[group] / np.bincount(group, first.words)[group])


def _range_mean(first: FirstPass, low: Rows, high: Rows) -> Floats:
    """Mean chance over the words of blocks low..high-1, drawn to .1 where there are few words."""
    wanted, words = first.running
    return _to_points((wanted[high] - wanted[low] + 0.05) / (words[high] - words[low] + 0.5))


def _window(first: FirstPass, before: int, after: int) -> Floats:
    """Blocks from `before` places before the block up to but not including `after` places after it."""
    at, n = first.columns.index, len(first.points)
    return _range_mean(first, np.maximum(0, at - before), np.minimum(n, at + after))


@feature("points", "of the block in the first pass")
def own_points(first: FirstPass) -> Floats:
    return first.points


@feature("points", "mean of the blocks with the same path (tags and classes, four levels)")
def path_points(first: FirstPass) -> Floats:
    return _group_points(first, find_repeats(first.columns).path)


@feature("points", "mean of all the repeated elements that are siblings of the block's")
def siblings_points(first: FirstPass) -> Floats:
    return _group_points(first, first.siblings)


@feature("points", "mean of the blocks up to three places away")
def points_within_3(first: FirstPass) -> Floats:
    return _window(first, 3, 4)


@feature("points", "mean of the ten blocks before")
def points_before_10(first: FirstPass) -> Floats:
    return _window(first, 10, 0)


@feature("points", "mean of the ten blocks after")
def points_after_10(first: FirstPass) -> Floats:
    return _window(first, -1, 11)


@feature("points", "of the page's best block")
def best_points(first: FirstPass) -> Floats:
    return np.full(len(first.points), first.points.max())


@feature("points", "of the block over the points of the last block that the plain cut keeps")
def over_cut(first: FirstPass) -> Floats:
    return first.points - first.kept.cut


@feature("share", "words kept by the plain cut in the block element three levels up")
def container_kept_3(first: FirstPass) -> Floats:
    group = first.columns.above[3]
    return np.bincount(group, first.kept_words)[group] / np.bincount(group, first.words)[group]


@feature("share", "kept words up to and including the block / kept words, by the plain cut")
def kept_so_far(first: FirstPass) -> Floats:
    running = np.cumsum(first.kept_words)
    return running / max(1.0, float(running[-1]))
