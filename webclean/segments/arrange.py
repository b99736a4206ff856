"""Elements of semantic blocks -> the blocks in reading order, each with the one around it."""

from __future__ import annotations

from collections.abc import Mapping

from webclean import core
from webclean.model import Document, Segmentation


def arrange_segments(document: Document, found: Mapping[tuple[int, ...], str]) -> Segmentation:
    """Number the blocks in reading order; a block inside another owns its elements.

    Args:
        document: the page.
        found: rows of the elements of each block, children of one parent -> why it was not split.
    """
    roots = sorted(found)
    parent, owner = core.arrange(roots, document.end)
    return Segmentation(tuple(roots), tuple(parent), tuple([found[rows] for rows in roots]), owner)
