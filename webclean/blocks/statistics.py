"""The largest and the second-largest text block of a page (patent A3, step 103).

A structure block is *valid* when its subtree holds more than `min_chars` visible characters. The candidates are the
innermost valid blocks, so that no text is counted in two of them, and of these only the *text* blocks: those with at
least `text_ratio` characters for each character of link text. The patent finds them with a post-order walk; here
subtree sums give the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webclean.blocks.subtrees import sum_subtrees
from webclean.errors import RuleError
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.tags import CODE, tag_mask
from webclean.rules.parse_schema import Statistics


@dataclass(frozen=True, slots=True, eq=False)
class BlockStatistics:
    """The innermost valid blocks and the two largest of them. Neither white space nor hidden text is counted.

    n_chars, n_link_chars: int32 [n_elements], text and link text of the subtree of each block element.
    row: int32 [n], the innermost valid structure blocks in document order; is_text: bool [n].
    largest, second: the elements with the most characters among the text blocks, the first of equal ones; -1 for none.
    """

    n_chars: Rows
    n_link_chars: Rows
    row: Rows
    is_text: Mask
    largest: int
    second: int


def compute_statistics(document: Document, blocks: TextBlocks, rules: Statistics) -> BlockStatistics:
    """Subtree sums, the innermost valid blocks and the two largest text blocks of a page."""
    n_chars = _sum_visible(document, blocks, blocks.n_chars)
    n_link_chars = _sum_visible(document, blocks, blocks.n_link_chars)
    valid = _block_mask(rules.block_tags)[document.tag] & (n_chars > rules.min_chars)
    rows = np.flatnonzero(valid)
    n_valid = sum_subtrees(document, rows, np.ones(len(rows)))
    innermost = rows[n_valid[rows] == 1].astype(np.int32)
    is_text = n_chars[innermost] >= rules.text_ratio * n_link_chars[innermost]
    candidates = innermost[is_text]
    order = np.argsort(-n_chars[candidates], kind="stable")[:2]
    largest, second = [*candidates[order].tolist(), -1, -1][:2]
    return BlockStatistics(n_chars, n_link_chars, innermost, is_text, largest, second)


def _sum_visible(document: Document, blocks: TextBlocks, values: Rows) -> Rows:
    return sum_subtrees(document, blocks.row, np.where(blocks.visible, values, 0)).astype(np.int32)


@lru_cache(maxsize=32)
def _block_mask(names: tuple[str, ...]) -> Mask:
    unknown = [name for name in names if name not in CODE]
    if unknown:
        raise RuleError(f"not HTML elements: {', '.join(unknown)}", key="statistics.block_tags")
    return tag_mask(" ".join(names))
