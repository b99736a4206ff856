"""Document -> the cut tree: block elements with text, chains of wrappers collapsed (patent A4).

A block element whose whole text is in one child block adds nothing to that child. Such a chain is one node, with the
outermost element as `row` and the innermost as `inner`. The remaining nodes are leaves, or elements that divide text:

    <body><div> <h2>Tea</h2> <p>Green</p> </div></body>

    node    html > body > div    h2     p
    height  1                    0      0      levels of nodes below
    share   1                    3/8    5/8    of the page's 8 characters

Each element of a chain has an entry of its own in the columns, equal but for `row`; only the outermost is reached from
the root, node 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.subtrees import sum_subtrees
from webclean.kernels import SEGMENTS
from webclean.model import Document, Floats, TextBlocks
from webclean.parse.preorder import find_nearest
from webclean.parse.tags import BLOCK, HEADING, LIST, tag_mask

_CONTROL = tag_mask("select textarea")
_KINDS = tuple(mask.view(np.uint8) for mask in (BLOCK, LIST, HEADING))


@dataclass(frozen=True, slots=True, eq=False)
class CutTree:
    """Nodes in document order, as views of arrays, because the cut reads single entries.

    row: the outermost element of the chain. inner: the innermost, whose child blocks are `children`. children: node
    numbers. height: 0 for a leaf, else one more than the highest child. share: characters of the subtree / characters
    of the page. own: characters directly inside / characters of the page. is_list: an element of the chain is a list.
    has_heading: the node's text starts with a heading.
    """

    row: Sequence[int]
    inner: Sequence[int]
    children: list[list[int]]
    height: Sequence[int]
    share: Sequence[float]
    own: Sequence[float]
    is_list: Sequence[bool]
    has_heading: Sequence[bool]

    def __len__(self) -> int:
        return len(self.row)


def count_own_chars(document: Document, blocks: TextBlocks) -> Floats:
    """float64 [n_elements]: characters directly inside each block element, the values of form controls included."""
    if SEGMENTS:
        found: Floats = SEGMENTS.count_own_chars(
            (document.tag, document.parent, document.block),
            (blocks.row, np.asarray(blocks.n_chars, dtype=np.float64)),
            (document.text, document.text_owner, document.displayed.view(np.uint8)),
            _CONTROL.view(np.uint8),
        )
        return found
    return count_plainly(document, blocks)


def count_plainly(document: Document, blocks: TextBlocks) -> Floats:
    """The same: the twin of the kernel."""
    own = np.bincount(blocks.row, blocks.n_chars, minlength=len(document)).astype(np.float64)
    owner = document.text_owner
    if not len(owner):
        return own
    control = find_nearest(document.parent, _CONTROL[document.tag])[owner]
    for node in np.flatnonzero((control >= 0) & ~document.displayed[owner]).tolist():
        own[document.block[control[node]]] += sum(map(len, document.text[node].split()))
    return own


def build_cut_tree(document: Document, own: Floats) -> CutTree:
    """Select the block elements with text, and collapse chains, from the leaves up. O(elements)."""
    if SEGMENTS:
        columns = document.tag, document.parent, document.block, document.end, own
        return _make_tree(*SEGMENTS.build_cut_tree(*columns, _KINDS))
    return build_plainly(document, own)


def _make_tree(children: list[list[int]], *columns: NDArray[np.generic]) -> CutTree:
    row, inner, height, share, own, is_list, has_heading = (cast("Sequence[Any]", column.data) for column in columns)
    return CutTree(row, inner, children, height, share, own, is_list, has_heading)


def build_plainly(document: Document, own: Floats) -> CutTree:
    """The same: the twin of the kernel."""
    every = np.arange(len(document))
    total = sum_subtrees(document, every, own)
    rows = np.flatnonzero((total > 0) & (BLOCK[document.tag] | (every == 0)))
    index = np.full(len(document), -1, dtype=np.int32)
    index[rows] = np.arange(len(rows), dtype=np.int32)
    above = document.parent[rows]
    parent = np.where(above >= 0, index[document.block[above]], -1)
    n_children = np.bincount(parent[parent >= 0], minlength=len(rows))
    chained = ((n_children == 1) & (own[rows] == 0)).tolist()
    is_list, heads = LIST[document.tag[rows]].tolist(), HEADING[document.tag[rows]].tolist()
    inner, height = rows.tolist(), [0] * len(rows)
    nothing: list[int] = []  # shared by the leaves
    children = [nothing] * len(rows)
    up = parent.tolist()
    for node in range(len(rows) - 1, -1, -1):
        below = children[node]
        if chained[node]:
            child = below[0]
            inner[node], height[node], children[node] = inner[child], height[child], children[child]
            is_list[node], heads[node] = is_list[node] or is_list[child], heads[node] or heads[child]
        elif below:
            below.reverse()
            height[node] = 1 + max(height[child] for child in below)
            heads[node] = heads[node] or heads[below[0]]
        if node:
            beside = children[up[node]]
            if beside is nothing:
                children[up[node]] = [node]
            else:
                beside.append(node)
    whole = max(1.0, float(total[0])) if len(total) else 1.0
    return _make_tree(
        children,
        rows,
        np.array(inner, dtype=np.int64),
        np.array(height, dtype=np.int64),
        total[rows] / whole,
        own[inner] / whole,
        np.array(is_list, dtype=bool),
        np.array(heads, dtype=bool),
    )
