"""Whole-tree operations on element columns, without walking the tree.

Document order makes the subtree of row i the slice `i : end[i]`. Sums along the path from the root are one cumulative
sum; the nearest ancestor of a kind is found by pointer doubling in log2(depth) steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Floats, Mask, Rows


def mark_subtrees(document: Document, roots: Mask) -> Mask:
    """bool [n_elements]: inside the subtree of any root."""
    return count_ancestors(document, roots) > 0


def count_ancestors(document: Document, roots: Mask) -> Rows:
    """int32 [n_elements]: how many roots lie on the path from the page's root, the row itself included."""
    rows = np.flatnonzero(roots)
    change = np.bincount(rows, minlength=len(document) + 1) - np.bincount(
        document.end[rows], minlength=len(document) + 1
    )
    return np.cumsum(change)[:-1].astype(np.int32)


def sum_path(document: Document, values: Floats) -> Floats:
    """float64 [n_elements]: the sum of `values` over the row and its ancestors."""
    rows = np.flatnonzero(values)
    change = np.zeros(len(document) + 1)
    change[:-1] = values
    change -= np.bincount(document.end[rows], values[rows], minlength=len(document) + 1)
    return np.asarray(np.cumsum(change)[:-1], dtype=np.float64)


def find_nearest(document: Document, wanted: Mask) -> Rows:
    """int32 [n_elements]: the nearest row of the path (itself included) that is wanted, or -1."""
    n = len(document)
    rows = np.arange(n, dtype=np.int32)
    found = np.where(wanted, rows, document.parent)
    found[0] = 0
    for _ in range(max(1, int(document.depth.max(initial=1))).bit_length()):
        found = found[found]
    found[~wanted[found]] = -1
    return found.astype(np.int32)


def hash_paths(document: Document, names: NDArray[np.int64], n_levels: int) -> NDArray[np.uint64]:
    """uint64 [n_elements]: a hash of the names of the row and the `n_levels - 1` elements above it.

    names: int64 [n_elements], equal for elements that count as alike.
    """
    key = names.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    parent = np.maximum(0, document.parent)
    total, at = key.copy(), parent
    for _ in range(n_levels - 1):
        total = total * np.uint64(0x100000001B3) ^ key[at]
        at = parent[at]
    return total


def count_groups(keys: NDArray[np.uint64], weights: Floats | None = None) -> Floats:
    """float64 [n]: for each entry the number (or summed weight) of the entries with the same key."""
    _, group = np.unique(keys, return_inverse=True)
    totals = np.bincount(group, weights)
    return np.asarray(totals[group], dtype=np.float64)
