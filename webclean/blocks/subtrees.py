"""Sums over subtrees of a page, without walking it: the tree of structure blocks (patent A2, step 102) as columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document


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
    summed: NDArray[np.float64] = core.sum_subtrees(
        document.end, np.asarray(rows, dtype=np.int64), np.asarray(values, dtype=np.float64)
    )
    return summed
