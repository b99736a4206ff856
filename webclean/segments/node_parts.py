"""The nodes of a cut tree that have parts -> what the sizes, heights and headings of these parts tell of each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from webclean.kernels import SEGMENTS
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
    if SEGMENTS:
        marks = (np.asarray(column).view(np.uint8) for column in (tree.is_list, tree.has_heading))
        columns = tree.share, tree.own, tree.height, *marks
        return NodeParts(*SEGMENTS.measure_parts(columns, tree.children, nodes, _SMALL))
    return measure_plainly(tree, nodes)


def measure_plainly(tree: CutTree, nodes: Sequence[int]) -> NodeParts:
    """The same: the twin of the kernel."""
    holder, depths, rows = {0: -1}, {-1: -1}, []
    for place, node in enumerate(nodes):
        inside, up = tree.children[node], holder[node]
        holder.update(dict.fromkeys(inside, place))
        depths[place] = depths[up] + 1
        sizes = sorted((tree.share[part] for part in inside), reverse=True)
        share, around = tree.share[node], tree.share[nodes[up] if up >= 0 else node]
        floor = max(1e-12, share)
        rows.append(
            (
                share / max(1e-12, around),
                tree.height[node],
                depths[place],
                tree.own[node] / floor,
                sizes[0] / floor,
                (sizes[1] if len(sizes) > 1 else 0.0) / floor,
                sum(size > _SMALL for size in sizes),
                sum(not tree.children[part] for part in inside) / len(inside),
                sum(tree.has_heading[part] for part in inside),
                tree.has_heading[node],
                tree.is_list[node],
                share,
            )
        )
    n_parts = np.array([len(tree.children[node]) for node in nodes], dtype=np.int64)
    return NodeParts(
        n_parts=n_parts,
        above=np.array([holder[node] for node in nodes], dtype=np.int64),
        parts=np.array([part for node in nodes for part in tree.children[node]], dtype=np.int64),
        whole=np.repeat(np.arange(len(nodes)), n_parts),
        table=np.array(rows, dtype=np.float64).reshape(len(nodes), len(MEASURES)).T.copy(),
    )
