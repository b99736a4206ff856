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

from webclean import core
from webclean.model import Document, Floats, TextBlocks
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
    found: Floats = core.count_own_chars(
        (document.tag, document.parent, document.block),
        (blocks.row, np.asarray(blocks.n_chars, dtype=np.float64)),
        (document.text, document.text_owner, document.displayed.view(np.uint8)),
        _CONTROL.view(np.uint8),
    )
    return found


def build_cut_tree(document: Document, own: Floats) -> CutTree:
    """Select the block elements with text, and collapse chains, from the leaves up. O(elements)."""
    columns = document.tag, document.parent, document.block, document.end, own
    return _make_tree(*core.build_cut_tree(*columns, _KINDS))


def _make_tree(children: list[list[int]], *columns: NDArray[np.generic]) -> CutTree:
    row, inner, height, share, own, is_list, has_heading = (cast("Sequence[Any]", column.data) for column in columns)
    return CutTree(row, inner, children, height, share, own, is_list, has_heading)
