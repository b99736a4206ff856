"""What features of a page are shares and rates of: sums over its blocks and elements, all made in one pass."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from webclean.features import PageColumns
from webclean.kernels import PAGES
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
    if not PAGES:
        return sum_plainly(columns, long_block_words, repeated, records)
    document, blocks = columns.document, columns.blocks
    return PageSums(
        *PAGES.sum_page(
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


def sum_plainly(columns: PageColumns, long_block_words: float, repeated: Rows, records: Rows) -> PageSums:
    """The same with arrays: the twin of the kernel."""
    document, blocks, words = columns.document, columns.blocks, columns.words
    is_link = 2 * blocks.n_link_chars > blocks.n_chars
    is_long = (words >= long_block_words) & (columns.link_words < _LONG_LINK_SHARE * words)
    above = np.maximum(0, document.parent[columns.row[is_long]])
    return PageSums(
        is_link,
        int(np.count_nonzero(document.link[document.tag == CODE["img"]] >= 0)),
        int(np.count_nonzero(columns.is_heading)),
        int(np.count_nonzero(columns.is_heading & is_link)),
        int(np.count_nonzero(is_long)),
        _add_up(words[is_long]),
        float(np.bincount(above, words[is_long], minlength=1).max()),
        _add_up(words[columns.tag == CODE["p"]]),
        _add_up(words[repeated >= 0]),
        _add_up(columns.n_words_below[records]),
        _add_up(columns.n_link_words_below[records]),
    )


def _add_up(values: Floats) -> float:
    """The sum, added one after the other, as the kernel does."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
