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

from functools import partial
from typing import Final, NamedTuple

import numpy as np

from webclean import core
from webclean.features import PageColumns
from webclean.features.registry import give
from webclean.model import Floats
from webclean.registry import FeatureRegistry


class FirstPass(NamedTuple):
    """A page and the points of its blocks, float64 [n_blocks]."""

    columns: PageColumns
    points: Floats


SURROUNDINGS_FEATURES: Final = FeatureRegistry[FirstPass, Floats]("surroundings", "second_card")


def measure_surroundings(columns: PageColumns, points: Floats, names: tuple[str, ...]) -> Floats:
    """float64 [n_names, n_blocks]: the named features. points: float64 [n_blocks], of the first pass."""
    # an explanation may ask for no features, and an empty page has no blocks to ask
    if not len(points) or not names:
        return np.zeros((len(names), len(points)))
    numbers = [SURROUNDINGS_FEATURES.numbers[SURROUNDINGS_FEATURES.find(name).name] for name in names]
    found: Floats = core.Around(find_blocks(columns), np.ascontiguousarray(points, dtype=np.float64)).measure(numbers)
    return found


def find_blocks(columns: PageColumns) -> object:
    """`core.Blocks` with what the features of this file need of them."""
    give(columns, ("repeats",))
    return columns.features


def _measure_one(first: FirstPass, name: str) -> Floats:
    found: Floats = measure_surroundings(first.columns, first.points, (name,))[0]
    return found


SURROUNDINGS_FEATURES.add_tables(core.AROUND_TABLES, lambda name: partial(_measure_one, name=name), core.AROUND_NEEDS)
