"""Computations on trees that are stored as arrays in document order (preorder), without a Python loop over nodes.

A node precedes its children, and they precede its next sibling, so a subtree is a slice.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.model import Document, Mask, Rows

_FEW: Final = 12
"""Slices that are marked faster one by one than by sums."""


def find_nearest(parent: Rows, wanted: Mask) -> Rows:
    """int64 [n]: the nearest of a node and its ancestors that is wanted; -1 if there is none.

    Pointer jumping: each node points at itself if it is wanted, else at its parent. Then each node takes over the
    pointer of the node that it points at, which doubles the distance, until nothing changes: log2(depth) steps.
    """
    nearest = np.where(wanted, np.arange(len(parent)), parent)
    while True:
        further = np.where(nearest >= 0, nearest[nearest], -1)
        if (further == nearest).all():
            return nearest
        nearest = further


def mark_slices(starts: Rows, ends: Rows, n: int) -> Mask:
    """bool [n]: rows inside at least one of the slices `starts[i]:ends[i]`, which may overlap."""
    # two sums over all rows cost more than a few slices of them
    if len(starts) < _FEW:
        marked = np.zeros(n, dtype=bool)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            marked[start:end] = True
        return marked
    opened = np.bincount(starts, minlength=n + 1) - np.bincount(ends, minlength=n + 1)
    return np.asarray(opened[:n].cumsum() > 0)


def mark_subtrees(document: Document, roots: Mask) -> Mask:
    """bool [n_elements]: whether the row or an ancestor is a root. roots: bool [n_elements]."""
    return count_ancestors(document, roots) > 0


def count_ancestors(document: Document, roots: Mask) -> Rows:
    """int64 [n_elements]: how many of the row and its ancestors are roots. roots: bool [n_elements]."""
    # less the roots that ended before the row
    ended = np.bincount(document.end[roots], minlength=len(document) + 1)[:-1]
    found: Rows = roots.cumsum() - ended.cumsum()
    return found
