"""The nodes of a cut tree that have parts -> what the sizes, heights and headings of these parts tell of each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from webclean import core
from webclean.model import Floats, Rows
from webclean.segments.cut_tree import CutTree

_SMALL: Final = 0.01
"""Share of the page's text of a part that counts. Constant, because cards are learnt with this value."""
MEASURES: Final = (
    "share_of_whole",
    "height",
    "depth",
    "own_share",
    "first_part",
    "second_part",
    "large_parts",
    "leaf_parts",
    "headed_parts",
    "starts_with_heading",
    "is_list",
    "share",
)
"""What `NodeParts.table` has, in its order; features of the same names, in `segments.node_features`, say what it is."""


class NodeParts(NamedTuple):
    """Of n nodes with m parts in all.

    n_parts: int64 [n]. above: int64 [n], the place of what each node is a part of, -1 for the root. parts: int64 [m],
    those of the first node, then those of the second, and so on. whole: int64 [m], the place of what each of `parts` is
    a part of. table: float64 [12, n], in the order of `MEASURES`.
    """

    n_parts: Rows
    above: Rows
    parts: Rows
    whole: Rows
    table: Floats


def measure_parts(tree: CutTree, nodes: Sequence[int]) -> NodeParts:
    """Measure the nodes that have parts. nodes: their numbers, rising. O(nodes + parts)."""
    marks = (np.asarray(column).view(np.uint8) for column in (tree.is_list, tree.has_heading))
    columns = tree.share, tree.own, tree.height, *marks
    return NodeParts(*core.measure_parts(columns, tree.children, nodes, _SMALL))
