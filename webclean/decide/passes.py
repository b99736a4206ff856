"""First-pass points -> the features of the second card: how the blocks around a block were scored.

Blocks are not independent: a paragraph among dropped neighbours is seldom content. The second pass is a second
classifier that sees the predictions of the first one for the surroundings (stacked sequential learning, Cohen and
Carvalho 2005). Each feature aggregates first-pass points over one group of blocks: those with the same path, repeated
siblings, containers, neighbours, the whole page.

A mean is the mean chance of a word to be content, converted back to points (log-odds) to be comparable with the block's
own. Three blocks with the same path, of 10, 10 and 20 words and 2, 2 and -2 points: their chances are .88, .88 and .12,
so 8.8 + 8.8 + 2.4 = 20 of 40 words are expected to be content, a chance of .5, which is 0 points.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.decide.cut import Kept, cut_by_expected_f, sigmoid
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.model import Floats, Rows
from webclean.registry import FeatureRegistry
from webclean.rules.decide_schema import Cut

_LEAST_WORDS: Final = 0.3
_PLAIN_CUT: Final = Cut()
_WITHIN_3: Final = (3, 4)
_BEFORE_10: Final = (10, 0)
_AFTER_10: Final = (-1, 11)
"""Blocks before a block, and one more than those after it."""
_LEAST_CHANCE: Final = 1e-4
_WORDS: Final = 0.5
_CONTENT_WORDS: Final = 0.05
"""Words that are added to those of a window: half a word with a chance of .1."""


class FirstPass(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The first-pass points of a page, and values that several features share.

    points: float64 [n_blocks]. words: float64 [n_blocks], at least `_LEAST_WORDS`.
    """

    columns: PageColumns
    points: Floats
    words: Floats

    @cached_property
    def kept(self) -> Kept:
        """The blocks that the cut with default settings (the plain cut) keeps."""
        return cut_by_expected_f(self.points, self.words, _PLAIN_CUT)

    @cached_property
    def kept_words(self) -> Floats:
        """float64 [n_blocks]: words of the blocks that the plain cut keeps, 0 for the others."""
        return self.words * self.kept.mask

    @cached_property
    def content_words(self) -> Floats:
        """float64 [n_blocks]: expected content words: words times the chance that the block is content."""
        return self.words * sigmoid(self.points)

    @cached_property
    def running(self) -> tuple[Floats, Floats]:
        """Prefix sums of `content_words` and `words`: two float64 [n_blocks + 1]."""
        return np.concatenate(([0.0], np.cumsum(self.content_words))), np.concatenate(([0.0], np.cumsum(self.words)))

    @cached_property
    def siblings(self) -> Rows:
        """int64 [n_blocks]: a group number, equal for blocks inside repeated elements of one parent; other blocks are
        grouped by their element.
        """
        item, alone = find_repeats(self.columns).item, self.columns.row + len(self.columns.document)
        return np.where(item >= 0, self.columns.document.parent[item], alone)


SURROUNDINGS_FEATURES: Final = FeatureRegistry[FirstPass, Floats]("surroundings", "second_card")
feature: Final = SURROUNDINGS_FEATURES.feature
"""Registers a function as a feature of a block's surroundings: `@feature(unit, meaning)`."""


def measure_surroundings(columns: PageColumns, points: Floats, names: tuple[str, ...]) -> Floats:
    """float64 [n_names, n_blocks]: the named features. points: float64 [n_blocks], of the first pass."""
    if not len(points) or not names:
        return np.zeros((len(names), len(points)))
    first = FirstPass(columns, points, np.maximum(_LEAST_WORDS, columns.blocks.n_words))
    together = _describe_together(first)
    return np.array(
        [together[name] if name in together else SURROUNDINGS_FEATURES.find(name).compute(first) for name in names]
    )


_TOGETHER: Final = (
    "container_kept_3",
    "kept_so_far",
    "path_points",
    "siblings_points",
    "points_within_3",
    "points_before_10",
    "points_after_10",
)
"""What the kernel `features` computes in one pass: shares, then points of groups and of windows."""


def _describe_together(first: FirstPass) -> dict[str, Floats]:
    """Feature -> the same as the function of its name."""
    columns = first.columns
    repeats = find_repeats(columns)
    found = core.describe_surroundings(
        (columns.document.parent, columns.row, repeats.item),
        sigmoid(first.points),
        first.words,
        first.kept.mask,
        repeats.path,
        columns.levels[3],
        (_WITHIN_3, _BEFORE_10, _AFTER_10),
        (_CONTENT_WORDS, _WORDS),
        _LEAST_CHANCE,
    )
    np.log(found[2:], out=found[2:])
    return dict(zip(_TOGETHER, found, strict=True))


def _to_points(chance: Floats) -> Floats:
    bounded = np.minimum(np.maximum(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _group_points(first: FirstPass, group: Rows) -> Floats:
    return _to_points(np.bincount(group, first.content_words)[group] / np.bincount(group, first.words)[group])


def _range_mean(first: FirstPass, low: Rows, high: Rows) -> Floats:
    """Mean chance of the words of blocks low..high-1, as points; smoothed."""
    content_words, words = first.running
    return _to_points((content_words[high] - content_words[low] + _CONTENT_WORDS) / (words[high] - words[low] + _WORDS))


def _window(first: FirstPass, before: int, after: int) -> Floats:
    """Mean over the blocks from `before` places before the block up to, but not including, `after` places after it."""
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
    return _window(first, *_WITHIN_3)


@feature("points", "mean of the ten blocks before")
def points_before_10(first: FirstPass) -> Floats:
    return _window(first, *_BEFORE_10)


@feature("points", "mean of the ten blocks after")
def points_after_10(first: FirstPass) -> Floats:
    return _window(first, *_AFTER_10)


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
