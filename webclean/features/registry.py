"""The registry of features: named columns over the text blocks of a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.features.page_columns import PageColumns
from webclean.model import Floats
from webclean.registry import FeatureRegistry

Column = NDArray[np.number[Any] | np.bool_]
"""[n_blocks]: numbers or truth values; `measure` converts them to float64."""

_Maker = TypeVar("_Maker", bound=Callable[[PageColumns], tuple[Any, ...]])

BLOCK_FEATURES: Final = FeatureRegistry[PageColumns, Column](
    "text block",
    "score_card",
    "article_card",
    "plain_card",
    "rules",
    cards=("score_card", "article_card", "plain_card"),
)
feature: Final = BLOCK_FEATURES.feature
"""Registers a function as a feature of text blocks: `@feature(unit, meaning)`."""
SCORE_CARD: Final = ("score_card", "article_card")
"""For features that the plain card must not learn: it is for pages without meaningful class names and landmarks."""
ARTICLE_CARD: Final = ("article_card",)
"""For features of running text: cross-validated F1 of all page types is the same with and without them in the score
card, and on a template of product pages it is .04 lower with them."""
PLAIN_CARD: Final = ("plain_card",)
"""For features that the score card need not learn: cross-validated F1 is .876 without them and .869 with all."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """Several features that a kernel computes at once. compute: gives float64 [n_features, n_blocks], a row for each
    name."""

    names: tuple[str, ...]
    compute: Callable[[PageColumns], Floats]


TABLES: Final[dict[str, FeatureTable]] = {}
"""Feature -> the table that has it; empty where the kernels do not run."""


_NUMBERS: Final = {name: number for number, (name, *_) in enumerate(chain(*core.BLOCK_TABLES.values()))}
_NEEDS: Final[list[tuple[str, ...]]] = core.BLOCK_NEEDS
GIVEN: Final[dict[str, Callable[[PageColumns], tuple[Any, ...]]]] = {}
"""Name of what features need -> what makes it, the arguments of the method `give_NAME` of `core.Blocks`."""


def gives(make: _Maker) -> _Maker:
    """Register a function as the one that makes what features of blocks need under its name."""
    GIVEN[make.__name__] = make
    return make


def give(columns: PageColumns, thing: str) -> None:
    """Give the features what they need, once a page."""
    if thing not in columns.given:
        columns.given.add(thing)
        getattr(columns.features, f"give_{thing}")(*GIVEN[thing](columns))


def measure_all(columns: PageColumns, names: tuple[str, ...]) -> list[Floats]:
    """A float64 [n_blocks] for each of several features."""
    table = columns.table
    for name in names:
        if name not in table:
            measure(columns, name)
    return [table[name] for name in names]


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page."""
    found = columns.table.get(name)
    if found is not None:
        return found
    number = _NUMBERS.get(name)
    if number is not None:
        for thing in _NEEDS[number]:
            give(columns, thing)
        made: Floats = columns.features.view(number)
        columns.table[name] = made
        return made
    table = TABLES.get(name)
    if table is not None:
        columns.table.update(zip(table.names, table.compute(columns), strict=True))
        return columns.table[name]
    defined = BLOCK_FEATURES.get(name) or BLOCK_FEATURES.find(name)
    found = columns.table[name] = np.ascontiguousarray(defined.compute(columns), dtype=np.float64)
    return found


BLOCK_FEATURES.add_tables(core.BLOCK_TABLES, lambda name: partial(measure, name=name))
