"""Groups of rows with the same keys, such as hashes of the names on the way up from an element."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document, Rows


def hash_paths(document: Document, names: NDArray[np.int64], n_levels: int, rows: Rows) -> NDArray[np.uint64]:
    """uint64 [n]: for each of `rows`, a hash of its name and the names of the `n_levels - 1` elements above it.

    names: int64 [n_elements], a number for the name of each element, such as `NameTable.classes`.
    """
    return cast("NDArray[np.uint64]", core.hash_paths(document.parent, names, n_levels, rows))


def number_groups(keys: NDArray[Any]) -> Rows:
    """int64 [n]: the number of each 64-bit key among the distinct ones, rising: equal keys have equal numbers."""
    return cast("Rows", core.number_groups(keys.view(np.uint64)))
