"""Trees as arrays in document order (preorder), without a loop over their nodes.

A node stands before its children and they before its next sibling: a subtree is a slice.
"""

from __future__ import annotations

import numpy as np

from webclean.model import Mask, Rows


def find_depths(end: Rows) -> Rows:
    """int64 [n]: how many nodes each one is below. end: one past each subtree."""
    n = len(end)
    return np.asarray(np.arange(n) - np.bincount(end, minlength=n + 1)[:n].cumsum())


def find_nearest(parent: Rows, wanted: Mask) -> Rows:
    """int64 [n]: the nearest node on the way up that is wanted, itself included; -1 where there is none.

    Each step doubles how far every node has looked.
    """
    n = len(parent)
    if not wanted.any():
        return np.full(n, -1)
    found = np.full(n + 1, -1)
    found[:n] = np.where(wanted, np.arange(n), parent)
    while True:
        further = found[found]
        if (further == found).all():
            return found[:n]
        found = further


def cover(starts: Rows, ends: Rows, n: int) -> Mask:
    """bool [n]: inside one of the slices `starts[i]:ends[i]`, which may overlap."""
    if not len(starts):
        return np.zeros(n, dtype=bool)
    opened = np.bincount(starts, minlength=n + 1) - np.bincount(ends, minlength=n + 1)
    return np.asarray(opened[:n].cumsum() > 0)
