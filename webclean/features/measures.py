"""The columns of text blocks and elements that nearly all features are made of, measured together once a page."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from webclean.blocks.subtrees import climb_blocks, sum_subtrees
from webclean.kernels import BLOCKS
from webclean.model import Document, Floats, Mask, Rows, TextBlocks

CHARS_PER_WORD: Final = 1.7
LEVELS: Final = 6
_LABEL_CHARS: Final = 40
"""Characters of the longest label. A constant, because the shipped cards were learnt with this value."""
_PROSE_LINK_SHARE: Final = 0.3
"""A block with at least this share of link text is a list of links, not running text. Constant for the same reason."""


class Measures(NamedTuple):
    """Columns of `PageColumns`, which says what they are."""

    n_text_chars: Rows
    is_prose: Mask
    levels: Rows
    words: Floats
    link_words: Floats
    sentence_words: Floats
    n_words_below: Floats
    n_link_words_below: Floats
    n_sentence_words_below: Floats
    n_blocks_below: Floats


def measure_blocks(document: Document, blocks: TextBlocks) -> Measures:
    """The columns of a page."""
    if not BLOCKS:
        return measure_plainly(document, blocks)
    counts = (blocks.n_chars, blocks.n_link_chars, blocks.n_words, blocks.n_link_words, blocks.n_sentences)
    return Measures(
        *BLOCKS.measure_blocks(
            blocks.text,
            tuple([np.asarray(count, dtype=np.int32) for count in counts]),
            (document.parent, document.end, document.block),
            blocks.row,
            LEVELS,
            CHARS_PER_WORD,
            _LABEL_CHARS,
            _PROSE_LINK_SHARE,
        )
    )


def measure_plainly(document: Document, blocks: TextBlocks) -> Measures:
    """The same with arrays: the twin of the kernel."""
    words = np.maximum(1.0, np.minimum(blocks.n_words, blocks.n_chars / CHARS_PER_WORD))
    link_words: Floats = np.asarray(blocks.n_link_words * np.minimum(1.0, words / np.maximum(1, blocks.n_words)))
    is_unspaced = blocks.n_words * CHARS_PER_WORD > blocks.n_chars
    label_chars = np.where(is_unspaced, _LABEL_CHARS / 2, _LABEL_CHARS)
    has_few_links = blocks.n_link_chars < _PROSE_LINK_SHARE * blocks.n_chars
    is_prose = (blocks.n_sentences > 0) & (blocks.n_chars > label_chars) & has_few_links
    sentence_words = np.where(is_prose, words, 0.0)
    of_blocks: list[Floats] = [words, link_words, sentence_words, np.ones(len(blocks))]
    return Measures(
        np.array(list(map(len, blocks.text)), dtype=np.intp),
        is_prose,
        climb_blocks(document, blocks.row, LEVELS),
        words,
        link_words,
        sentence_words,
        *[sum_subtrees(document, blocks.row, values) for values in of_blocks],
    )
