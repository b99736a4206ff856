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


class NodeParts(NamedTuple):
    """Of n nodes with m parts in all.

    n_parts: int64 [n]. above: int64 [n], the place of what each node is a part of, -1 for the root. parts: int64 [m],
    those of the first node, then those of the second, and so on. whole: int64 [m], the place of what each of `parts` is
    a part of. table: float64 [12, n], the features from `share_of_whole` to
    `share` of `core/nodes.py`, as `Nodes` takes them.
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
