"""Document, text blocks -> structure-block tree (patent A2, step 102).

A structure block is a block element with text in its subtree. Structure blocks nest as their elements do, so the tree
needs no nodes of its own: it is a table that names the element of each block, its parent and its subtree sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Rows, TextBlocks
from webclean.parse.tags import BLOCK


@dataclass(frozen=True, slots=True, eq=False)
class StructureTree:
    """Structure blocks in document order.

    row: int32 [n], the element; parent: int32 [n], index of the parent structure block or -1;
    n_chars, n_link_chars, n_words, n_link_words, n_punctuation, n_sentences, n_tags: int32 [n] sums over the subtree.
    """

    row: Rows
    parent: Rows
    n_chars: Rows
    n_link_chars: Rows
    n_words: Rows
    n_link_words: Rows
    n_punctuation: Rows
    n_sentences: Rows
    n_tags: Rows

    def __len__(self) -> int:
        return len(self.row)


def sum_subtrees(
    document: Document, rows: NDArray[np.signedinteger], values: NDArray[np.generic]
) -> NDArray[np.float64]:
    """float64 [n_elements]: for every element, the sum of the values in its subtree, its own included.

    The subtree of row i is the slice `i:end[i]`, so each sum is a difference of two prefix sums. For the tree
    `div(p, p), p` in rows 0 to 3 with `end` 3, 2, 3, 4:

        values       0  5  7  2
        running   0  0  5 12 14      sum of row 0 = running[3] - running[0] = 12

    Args:
        document: the page.
        rows: int [n], the element of each value; an element may occur several times.
        values: [n].
    """
    placed = np.bincount(rows, values, minlength=len(document)) if len(rows) else np.zeros(len(document))
    running = np.concatenate(([0.0], np.cumsum(placed)))
    return np.asarray(running[document.end] - running[:-1], dtype=np.float64)


def build_structure_tree(document: Document, blocks: TextBlocks) -> StructureTree:
    """Select the block elements with text inside, and sum the counts of their text blocks."""

    def total(values: Rows) -> Rows:
        return sum_subtrees(document, blocks.row, values).astype(np.int32)

    n_chars = total(blocks.n_chars)
    kept = np.flatnonzero(BLOCK[document.tag] & (n_chars > 0)).astype(np.int32)
    index = np.full(len(document), -1, dtype=np.int32)
    index[kept] = np.arange(len(kept), dtype=np.int32)
    above = document.parent[kept]
    parent = np.where(above >= 0, index[document.block[above]], -1).astype(np.int32)
    return StructureTree(
        row=kept,
        parent=parent,
        n_chars=n_chars[kept],
        n_link_chars=total(blocks.n_link_chars)[kept],
        n_words=total(blocks.n_words)[kept],
        n_link_words=total(blocks.n_link_words)[kept],
        n_punctuation=total(blocks.n_punctuation)[kept],
        n_sentences=total(blocks.n_sentences)[kept],
        n_tags=document.end[kept] - kept,
    )
