"""The registry of features: named columns over the text blocks of a page. Their tables are in the core."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.features.given import give
from webclean.features.page_columns import PageColumns
from webclean.model import Floats
from webclean.registry import FeatureRegistry

Column = NDArray[np.number[Any] | np.bool_]
"""[n_blocks]: numbers or truth values; `measure` converts them to float64."""

BLOCK_FEATURES: Final = FeatureRegistry[PageColumns, Column](
    "text block",
    "score_card",
    "article_card",
    "plain_card",
    "rules",
    cards=("score_card", "article_card", "plain_card"),
)
NUMBERS: Final = {name: number for number, (name, *_) in enumerate(chain(*core.BLOCK_TABLES.values()))}
"""Feature -> its number in the core."""
NEEDS: Final[list[tuple[str, ...]]] = core.BLOCK_NEEDS
"""By that number, what the feature must have been given."""


def measure_all(columns: PageColumns, names: tuple[str, ...]) -> list[Floats]:
    """A float64 [n_blocks] for each of several features."""
    return [measure(columns, name) for name in names]


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page. Raises `RuleError` for an unknown name."""
    found = columns.table.get(name)
    if found is not None:
        return found
    number = NUMBERS[BLOCK_FEATURES.find(name).name]
    give(columns, NEEDS[number])
    made: Floats = columns.features.view(number)
    columns.table[name] = made
    return made


BLOCK_FEATURES.add_tables(core.BLOCK_TABLES, lambda name: partial(measure, name=name))
