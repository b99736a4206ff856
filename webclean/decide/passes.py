"""Points of the first card -> what the second card reads: what a block's surroundings got.

Blocks are not independent: a paragraph among dropped neighbours is seldom content. Each column here is one aggregate
of the first pass over a group of blocks around the block (same path, repeated siblings, containers, neighbours, page).
Means are taken over words and given as points (log-odds), so that they compare with the block's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.features import PageColumns
from webclean.blocks.features.neighbours import find_heading_above
from webclean.blocks.features.repetition import find_repeats
from webclean.decide.cut import cut_by_expected_f, squash
from webclean.model import Floats, Mask, Rows
from webclean.rules.score_card_schema import Cut

_MISSING: Final = -4.0
_LEAST_WORDS: Final = 0.3
_PLAIN_CUT: Final = Cut()


@dataclass(frozen=True, slots=True, eq=False)
class FirstPass:
    """What the first card gave, and the groups that the aggregates run over.

    points, chance, words: float64 [n_blocks]; kept: bool [n_blocks], by the plain cut; cut: points of the last kept.
    path, item, siblings: int64 [n_blocks], equal for blocks with the same path, in the same repeated element, in the
    same run of repeated elements. above: three int64 [n_blocks], numbers of the block elements 1 to 3 levels up.
    heading: int32 [n_blocks], the block of the last heading or -1.
    """

    points: Floats
    chance: Floats
    words: Floats
    kept: Mask
    cut: float
    path: NDArray[np.int64]
    item: NDArray[np.int64]
    siblings: NDArray[np.int64]
    above: tuple[NDArray[np.int64], ...]
    heading: Rows


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A column of the second card: its name in rules, unit, meaning and computation."""

    name: str
    unit: str
    meaning: str
    compute: Callable[[FirstPass], Floats]


AGGREGATES: Final[dict[str, Aggregate]] = {}


def aggregate(unit: str, meaning: str) -> Callable[[Callable[[FirstPass], Floats]], Callable[[FirstPass], Floats]]:
    """Register a function as the aggregate of its own name."""

    def register(compute: Callable[[FirstPass], Floats]) -> Callable[[FirstPass], Floats]:
        AGGREGATES[compute.__name__] = Aggregate(compute.__name__, unit, meaning, compute)
        return compute

    return register


def _number(keys: NDArray[np.generic]) -> NDArray[np.int64]:
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)


def observe_first_pass(columns: PageColumns, points: Floats) -> FirstPass:
    """Lay out the first pass of a page with at least one block."""
    words = np.maximum(_LEAST_WORDS, columns.blocks.n_words)
    first = cut_by_expected_f(points, words, _PLAIN_CUT)
    repeats = find_repeats(columns)
    alone = -columns.row.astype(np.int64) - 2
    repeated = repeats.item >= 0
    above = np.where(repeated, columns.document.parent[np.maximum(0, repeats.item)], 0).astype(np.int64)
    return FirstPass(
        points=points,
        chance=squash(points),
        words=words,
        kept=first.mask,
        cut=first.cut,
        path=repeats.path,
        item=_number(np.where(repeated, repeats.item, alone)),
        siblings=_number(np.where(repeated, above, alone)),
        above=tuple(_number(rows) for rows in columns.above[1:4]),
        heading=find_heading_above(columns),
    )


def measure_surroundings(columns: PageColumns, points: Floats, names: tuple[str, ...]) -> Floats:
    """float64 [n_blocks, n_names]: the named aggregates of one page's first pass."""
    if not len(points) or not names:
        return np.zeros((len(points), len(names)))
    first = observe_first_pass(columns, points)
    return np.stack([AGGREGATES[name].compute(first) for name in names], axis=1)


def _to_points(chance: Floats) -> Floats:
    bounded = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _group_points(first: FirstPass, group: NDArray[np.int64]) -> Floats:
    words = np.bincount(group, first.words)
    return _to_points((np.bincount(group, first.words * first.chance) / words)[group])


def _range_mean(first: FirstPass, low: NDArray[np.int64], high: NDArray[np.int64]) -> Floats:
    """Mean chance over the words of blocks low..high-1, drawn to .1 where there are few words."""
    chance = np.concatenate(([0.0], np.cumsum(first.words * first.chance)))
    words = np.concatenate(([0.0], np.cumsum(first.words)))
    return _to_points((chance[high] - chance[low] + 0.05) / (words[high] - words[low] + 0.5))


def _window(first: FirstPass, before: int, after: int) -> Floats:
    """Blocks from `before` places before the block up to but not including `after` places after it."""
    n = len(first.points)
    at = np.arange(n)
    return _range_mean(first, np.clip(at - before, 0, n), np.clip(at + after, 0, n))


@aggregate("points", "of the block in the first pass")
def own_points(first: FirstPass) -> Floats:
    return first.points


@aggregate("points", "mean of the blocks with the same path (tags and classes, four levels)")
def path_points(first: FirstPass) -> Floats:
    return _group_points(first, first.path)


@aggregate("points", "mean of the blocks in the same repeated element")
def item_points(first: FirstPass) -> Floats:
    return _group_points(first, first.item)


@aggregate("points", "mean of all the repeated elements that are siblings of the block's")
def siblings_points(first: FirstPass) -> Floats:
    return _group_points(first, first.siblings)


@aggregate("points", "mean of the block element one level up")
def container_points_1(first: FirstPass) -> Floats:
    return _group_points(first, first.above[0])


@aggregate("points", "mean of the block element two levels up")
def container_points_2(first: FirstPass) -> Floats:
    return _group_points(first, first.above[1])


@aggregate("points", "mean of the block element three levels up")
def container_points_3(first: FirstPass) -> Floats:
    return _group_points(first, first.above[2])


@aggregate("points", "mean of the blocks up to three places away")
def points_within_3(first: FirstPass) -> Floats:
    return _window(first, 3, 4)


@aggregate("points", "mean of the blocks up to thirty places away")
def points_within_30(first: FirstPass) -> Floats:
    return _window(first, 30, 31)


@aggregate("points", "of the block before, -4 at the start")
def points_before(first: FirstPass) -> Floats:
    return np.concatenate(([_MISSING], first.points[:-1]))


@aggregate("points", "of the block after, -4 at the end")
def points_after(first: FirstPass) -> Floats:
    return np.concatenate((first.points[1:], [_MISSING]))


@aggregate("points", "mean of the ten blocks before")
def points_before_10(first: FirstPass) -> Floats:
    return _window(first, 10, 0)


@aggregate("points", "mean of the ten blocks after")
def points_after_10(first: FirstPass) -> Floats:
    n = len(first.points)
    at = np.arange(n)
    return _range_mean(first, at + 1, np.clip(at + 11, 0, n))


@aggregate("points", "mean of the page")
def page_points(first: FirstPass) -> Floats:
    mean = np.sum(first.words * first.chance) / np.sum(first.words)
    return np.full(len(first.points), _to_points(np.array([mean]))[0])


@aggregate("points", "of the page's best block")
def best_points(first: FirstPass) -> Floats:
    return np.full(len(first.points), first.points.max())


@aggregate("points", "of the block over the points of the last block that the plain cut keeps")
def over_cut(first: FirstPass) -> Floats:
    return np.asarray(first.points - first.cut)


@aggregate("share", "blocks of the page with more points")
def rank(first: FirstPass) -> Floats:
    order = np.argsort(-first.points, kind="stable")
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) / len(order)
    return place


@aggregate("share", "words kept by the plain cut in the block element three levels up")
def container_kept_3(first: FirstPass) -> Floats:
    group = first.above[2]
    return np.asarray((np.bincount(group, first.words * first.kept) / np.bincount(group, first.words))[group])


@aggregate("points", "of the last heading, -5 before the first")
def heading_points(first: FirstPass) -> Floats:
    return np.where(first.heading >= 0, first.points[first.heading], -5.0)


@aggregate("share", "kept words up to and including the block / kept words, by the plain cut")
def kept_so_far(first: FirstPass) -> Floats:
    running = np.cumsum(first.words * first.kept)
    return np.asarray(running / max(1.0, running[-1]))
