"""Elements of semantic blocks -> the blocks in reading order, each with the one around it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webclean.kernels import SEGMENTS
from webclean.model import Document, Rows, Segmentation


def arrange_segments(document: Document, found: Mapping[tuple[int, ...], str]) -> Segmentation:
    """Number the blocks in reading order; a block inside another owns its elements.

    Args:
        document: the page.
        found: rows of the elements of each block, children of one parent -> why it was not split.
    """
    roots = sorted(found)
    arrange = SEGMENTS.arrange if SEGMENTS else arrange_plainly
    parent, owner = arrange(roots, document.end)
    return Segmentation(tuple(roots), tuple(parent), tuple([found[rows] for rows in roots]), owner)


def arrange_plainly(roots: list[tuple[int, ...]], end: Rows) -> tuple[list[int], Rows]:
    """The parents of blocks and, int32 [n_elements], the block of each element: the twin of the kernel. roots: the rows
    of each block, sorted. end: of each element."""
    owner = np.full(len(end), -1, dtype=np.int32)
    parent = []
    for number, rows in enumerate(roots):
        parent.append(int(owner[rows[0]]))
        for row in rows:
            owner[row : end[row]] = number
    return parent, owner
