"""Document, text blocks -> structure-block tree (patent A2, step 102).

A structure block is an element that divides a page (`statistics.block_tags`: containers, lists and tables, but not
paragraphs, headings and list items, which are content of a block) with displayed text in its subtree. Structure blocks
nest as their elements do, so the tree is a table in document order. For `body(p, div(div, div))`:

    index   element   parent   end    children
    0       body      -1       4      1
    1       div        0       4      2, 3
    2       div        1       3
    3       div        1       4

`end` closes a subtree: everything below block `i` is the slice `i:end[i]`. Neither white space nor hidden text is
counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webclean.blocks.subtrees import sum_subtrees
from webclean.caching import cached_per_page
from webclean.errors import RuleError
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.preorder import find_nearest
from webclean.parse.tags import CODE, tag_mask


@dataclass(frozen=True, slots=True, eq=False)
class StructureTree:
    """The structure blocks of a page; n of them, in document order.

    row: int64 [n], the element. parent: int64 [n], index of the nearest structure block around it, or -1. end: int64
    [n], one past the last structure block inside. n_chars, n_link_chars: int64 [n], sums over the subtree. n_own_chars:
    int64 [n], characters in no structure block further inside. block_of: int64 [n_elements], the innermost structure
    block around each element, itself included, or -1. chars_below, link_chars_below: int64 [n_elements], sums over the
    subtree of every element.
    """

    row: Rows
    parent: Rows
    end: Rows
    n_chars: Rows
    n_link_chars: Rows
    n_own_chars: Rows
    block_of: Rows
    chars_below: Rows
    link_chars_below: Rows

    def __len__(self) -> int:
        return len(self.row)

    def list_children(self, block: int) -> list[int]:
        """The structure blocks directly inside a block."""
        found, at = [], block + 1
        while at < self.end[block]:
            found.append(at)
            at = int(self.end[at])
        return found


@cached_per_page
def build_structure_tree(document: Document, blocks: TextBlocks, block_tags: tuple[str, ...]) -> StructureTree:
    """Select the structure blocks with displayed text, and sum the characters of their text blocks. O(elements)."""
    chars = _sum_visible(document, blocks, blocks.n_chars)
    link_chars = _sum_visible(document, blocks, blocks.n_link_chars)
    is_block = mask_tags(block_tags)[document.tag] & (chars > 0)
    row = np.flatnonzero(is_block)
    index = np.full(len(document) + 1, -1)
    index[row] = np.arange(len(row))
    block_of = index[find_nearest(document.parent, is_block)]
    above = document.parent[row]
    parent = np.where(above >= 0, block_of[above], -1)
    end = np.searchsorted(row, document.end[row])
    nested = parent >= 0
    inside = np.bincount(parent[nested], chars[row][nested], minlength=len(row)).astype(np.int64)
    return StructureTree(
        row, parent, end, chars[row], link_chars[row], chars[row] - inside, block_of, chars, link_chars
    )


def _sum_visible(document: Document, blocks: TextBlocks, values: Rows) -> Rows:
    return sum_subtrees(document, blocks.row, np.where(blocks.visible, values, 0)).astype(np.int64)


@lru_cache(maxsize=32)
def mask_tags(names: tuple[str, ...]) -> Mask:
    """bool [N_CODES] of the named tags. Raises `RuleError` for a name that HTML does not define."""
    unknown = [name for name in names if name not in CODE]
    if unknown:
        raise RuleError(f"not HTML elements: {', '.join(unknown)}", key="statistics.block_tags")
    return tag_mask(" ".join(names))
