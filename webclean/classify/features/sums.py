"""What features of a page are shares and rates of: sums over its blocks and elements, all made in one pass."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from webclean import core
from webclean.features import PageColumns
from webclean.model import Floats, Mask, Rows
from webclean.parse.tags import CODE

_LONG_LINK_SHARE: Final = 0.3
"""Of link words, from which a long block is no running text; constant, because the cards are learnt with it."""


class PageSums(NamedTuple):
    """is_link: bool [n_blocks], more than half of the characters are link text. n_linked_images: images inside links.
    n_headings, n_linked_headings: headings, those that are links. n_long, long_words: blocks of running text, their
    words. main_words: the most words that blocks of running text have whose elements are children of one element.
    paragraph_words, repeated_words: words in paragraphs, in repeated elements. record_words, record_link_words: of the
    records.
    """

    is_link: Mask
    n_linked_images: int
    n_headings: int
    n_linked_headings: int
    n_long: int
    long_words: float
    main_words: float
    paragraph_words: float
    repeated_words: float
    record_words: float
    record_link_words: float


def sum_page(columns: PageColumns, long_block_words: float, repeated: Rows, records: Rows) -> PageSums:
    """The sums of a page.

    Args:
        columns: the page.
        long_block_words: words from which a block is running text.
        repeated: int64 [n_blocks], the outermost repeated element around each block, -1 for none.
        records: int64 [n], the elements that are records.
    """
    document, blocks = columns.document, columns.blocks
    return PageSums(
        *core.sum_page(
            (document.parent, document.link, document.tag, columns.n_words_below, columns.n_link_words_below),
            (columns.row, columns.words, columns.link_words, columns.is_heading),
            (np.asarray(blocks.n_chars, dtype=np.int32), np.asarray(blocks.n_link_chars, dtype=np.int32)),
            repeated,
            records,
            CODE["img"],
            CODE["p"],
            long_block_words,
            _LONG_LINK_SHARE,
        )
    )


def _add_up(values: Floats) -> float:
    """The sum, added one after the other, as the kernel does."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
