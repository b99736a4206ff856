"""Sums over subtrees of a page, without walking it: the tree of structure blocks (patent A2, step 102) as columns."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from webclean.kernels import TREES
from webclean.model import Document, Rows


def sum_subtrees(
    document: Document, rows: NDArray[np.signedinteger], values: NDArray[np.generic]
) -> NDArray[np.float64]:
    """float64 [n_elements]: for every element, the sum of the values in its subtree, its own included.

    The subtree of row i is the slice `i:end[i]`, so each sum is a difference of two prefix sums. For the tree
    `div(p, p), p` in rows 0 to 3 with `end` 3, 2, 3, 4:

        values       0  5  7  2
        running   0  0  5 12 14      sum of row 0 = running[3] - running[0] = 12

    Args:
        document: the page.
        rows: int [n], the element of each value; an element may occur several times.
        values: [n].
    """
    if TREES:
        summed: NDArray[np.float64] = TREES.sum_subtrees(
            document.end, np.asarray(rows, dtype=np.int64), np.asarray(values, dtype=np.float64)
        )
        return summed
    placed = np.bincount(rows, values, minlength=len(document)) if len(rows) else np.zeros(len(document))
    running = np.concatenate(([0.0], np.cumsum(placed)))
    return np.asarray(running[document.end] - running[:-1], dtype=np.float64)


def climb_blocks(document: Document, rows: Rows, n_levels: int) -> Rows:
    """int64 [n_levels, n]: the block elements 0, 1, 2, ... levels up from each of `rows`; above the root, the root."""
    if TREES:
        return cast("Rows", TREES.climb_blocks(document.parent, document.block, rows, n_levels))
    levels = [rows]
    for _ in range(n_levels - 1):
        up = document.parent[levels[-1]]
        levels.append(np.where(up >= 0, document.block[up], levels[-1]))
    return np.array(levels)
