"""Whole-tree operations on element columns, without walking the tree.

Document order makes the subtree of row i the slice `i : end[i]`. Sums along the path from the root are one cumulative
sum; what holds of any ancestor is found by pointer doubling in log2(depth) steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Floats, Mask, Rows


def mark_subtrees(document: Document, roots: Mask) -> Mask:
    """bool [n_elements]: inside the subtree of any root."""
    return count_ancestors(document, roots) > 0


def count_ancestors(document: Document, roots: Mask) -> Rows:
    """int64 [n_elements]: how many roots lie on the path from the page's root, the row itself included."""
    rows = np.flatnonzero(roots)
    if not len(rows):
        return np.zeros(len(document), dtype=np.intp)
    change = np.bincount(rows, minlength=len(document) + 1)
    change -= np.bincount(document.end[rows], minlength=len(document) + 1)
    return np.cumsum(change[:-1])


def count_below(document: Document, tags: Mask) -> Rows:
    """int64 [n_elements]: elements of some tags in the subtree of each element; tags: a table by tag code."""
    running = np.concatenate(([0], np.cumsum(tags[document.tag])))
    return running[document.end] - running[:-1]


def join_flags(document: Document, flags: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """uint16 [n_elements]: the bits of the row and of all elements around it; flags: uint16 [n_elements]."""
    found, up = flags.copy(), np.maximum(0, document.parent)
    for _ in range(_count_rounds(document)):
        found |= found[up]
        up = up[up]
    return found


def sum_path(document: Document, values: Floats) -> Floats:
    """float64 [n_elements]: the sum of `values` over the row and its ancestors."""
    rows = np.flatnonzero(values)
    change = values - np.bincount(document.end[rows], values[rows], minlength=len(document) + 1)[:-1]
    return np.cumsum(change)


def _count_rounds(document: Document) -> int:
    """How often the steps up must double until they reach the root from anywhere."""
    return max(1, int(document.depth.max(initial=1))).bit_length()


def find_common(document: Document, row: int, rows: Rows) -> Rows:
    """int64 [n]: the smallest element around both `row` and each of `rows`.

    The elements around `row` nest, so those that hold a row are the first few: as many as begin at or before it, less
    those that have ended.
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
    """uint64 [n]: for each of `rows` a hash of its name and those of the `n_levels - 1` elements above it.

    names: int64 [n_elements], equal for elements that count as alike.
    """
    total, at = np.zeros(len(rows), dtype=np.uint64), rows
    for _ in range(n_levels):
        total = total * np.uint64(0x100000001B3) ^ names[at].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        at = np.maximum(0, document.parent[at])
    return total


def number_groups(keys: NDArray[Any]) -> Rows:
    """int64 [n]: numbers from 0, equal for equal keys."""
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    group = np.zeros(len(keys), dtype=np.intp)
    group[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return group


def sum_groups(group: Rows, weights: Floats | None = None) -> Floats:
    """float64 [n]: for each entry the number (or summed weight) of the entries of the same group."""
    return np.bincount(group, weights)[group].astype(np.float64)
