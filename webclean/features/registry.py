"""The registry of features: named columns over the text blocks of a page. Their tables are in the core."""

from __future__ import annotations

from functools import partial
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


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page. Raises `RuleError` for an unknown name."""
    found = columns.table.get(name)
    if found is not None:
        return found
    known = BLOCK_FEATURES.find(name).name
    give(columns, BLOCK_FEATURES.needs[known])
    made: Floats = columns.features.view(BLOCK_FEATURES.numbers[known])
    columns.table[name] = made
    return made


BLOCK_FEATURES.add_tables(core.BLOCK_TABLES, lambda name: partial(measure, name=name), core.BLOCK_NEEDS)
