"""Operations on the whole tree of elements as array operations, without walking the tree.

Rows are in document order, so the subtree of row i is the slice `i:end[i]`. Two techniques are used:

- Sums over all ancestors: add a value where an element begins, subtract it where it ends, and take the cumulative sum.
  For `div(p, p), p` in rows 0 to 3 with the value 1 at the div: changes +1 0 0 -1, sums 1 1 1 0.
- Properties of any ancestor: pointer doubling. Each row combines its flags with those of its parent, then with those
  2, 4, 8, ... levels up: log2(depth) rounds.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document, Floats, Mask, Rows


def count_below(document: Document, tags: Mask) -> Rows:
    """int64 [n_elements]: elements with some tags in the subtree of each element, itself included.

    tags: bool [n_codes], by tag code.
    """
    return cast("Rows", core.count_below(document.end, document.tag, tags.view(np.uint8)))


def join_flags(document: Document, flags: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """uint16 [n_elements]: the bits of the row and its ancestors, combined with OR. flags: uint16 [n_elements]."""
    return cast("NDArray[np.uint16]", core.join_flags(document.parent, flags))


def sum_path(document: Document, values: Floats) -> Floats:
    """float64 [n_elements]: the sum of `values` over the row and its ancestors."""
    return cast("Floats", core.sum_path(document.end, values))


def find_common(document: Document, row: int, rows: Rows) -> Rows:
    """int64 [n]: the lowest common ancestor of `row` and each of `rows`.

    The ancestors of `row` are nested, so those that contain another row are the outermost k of them. k is the number
    that begin at or before that row, less the number that have ended by then.
    """
    path = []
    while row >= 0:
        path.append(row)
        row = int(document.parent[row])
    around = np.array(path[::-1])
    n_begun = around.searchsorted(rows, side="right")
    n_open = len(around) - document.end[around][::-1].searchsorted(rows, side="right")
    return np.asarray(around[np.minimum(n_begun, n_open) - 1])


def hash_paths(document: Document, names: NDArray[np.int64], n_levels: int, rows: Rows) -> NDArray[np.uint64]:
    """uint64 [n]: for each of `rows`, a hash of its name and the names of the `n_levels - 1` elements above it.

    names: int64 [n_elements], a number for the name of each element, such as `NameTable.classes`.
    """
    return cast("NDArray[np.uint64]", core.hash_paths(document.parent, names, n_levels, rows))


def number_groups(keys: NDArray[Any]) -> Rows:
    """int64 [n]: the number of each 64-bit key among the distinct ones, rising: equal keys have equal numbers."""
    return cast("Rows", core.number_groups(keys.view(np.uint64)))


def sum_groups(group: Rows, weights: Floats | None = None) -> Floats:
    """float64 [n]: for each entry, the number (or the summed weights) of the entries in its group."""
    return np.bincount(group, weights)[group].astype(np.float64)
