"""The largest and the second-largest text block of a page (patent A3, step 103).

A structure block is *valid* when its subtree holds more than `min_chars` visible characters. The candidates are the
innermost valid blocks, so that no text is counted in two of them, and of these only the *text* blocks: those with at
least `text_ratio` characters for each character of link text. The patent finds them with a post-order walk; here the
columns of the structure-block tree give the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webclean.blocks.structure import StructureTree, build_structure_tree
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.rules.features_schema import Statistics


@dataclass(frozen=True, slots=True, eq=False)
class BlockStatistics:
    """The innermost valid blocks and the two largest of them.

    tree: the structure-block tree. row: int64 [n], elements of the innermost valid structure blocks in document order;
    is_text: bool [n]. largest, second: the elements with the most characters among the text blocks, the first of equal
    ones; -1 for none.
    """

    tree: StructureTree
    row: Rows
    is_text: Mask
    largest: int
    second: int

    @property
    def n_chars(self) -> Rows:
        """int64 [n_elements], characters below each element, without white space and hidden text."""
        return self.tree.chars_below

    @property
    def n_link_chars(self) -> Rows:
        """int64 [n_elements], the same of link text."""
        return self.tree.link_chars_below


def compute_statistics(document: Document, blocks: TextBlocks, rules: Statistics) -> BlockStatistics:
    """The innermost valid blocks and the two largest text blocks of a page."""
    tree = build_structure_tree(document, blocks, rules.block_tags)
    valid = tree.n_chars > rules.min_chars
    running = np.concatenate(([0], np.cumsum(valid)))
    innermost = np.flatnonzero(valid & (running[tree.end] - running[:-1] == 1))
    is_text = tree.n_chars[innermost] >= rules.text_ratio * tree.n_link_chars[innermost]
    candidates = innermost[is_text]
    order = np.argsort(-tree.n_chars[candidates], kind="stable")[:2]
    largest, second = [*tree.row[candidates[order]].tolist(), -1, -1][:2]
    return BlockStatistics(tree, tree.row[innermost], is_text, largest, second)
