"""The registry of features: named columns over the text blocks of a page."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean.features.page_columns import PageColumns
from webclean.model import Floats
from webclean.registry import Registry

Column = NDArray[np.number[Any] | np.bool_]
"""[n_blocks]: numbers or flags, as it comes; `measure` makes float64 of it."""

FEATURES: Final = Registry[PageColumns, Column]()
feature: Final = FEATURES.add
"""Registers a function as the feature of its own name: `@feature(unit, meaning)`."""


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page."""
    found = columns.table.get(name)
    if found is None:
        found = columns.table[name] = np.asarray(FEATURES[name].compute(columns), dtype=np.float64)
    return found
