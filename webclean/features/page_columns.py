"""`PageColumns`: one page as every stage after the parse sees it.

Made from a `Document` and its text blocks. Its properties are arrays with one entry for each element or block, each
computed on first use. `cache` holds what functions decorated with `webclean.caching.cached_per_page` computed of the
page.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.blocks.subtrees import climb_blocks, sum_subtrees
from webclean.caching import cached_property
from webclean.features.prices_dates import NOTHING_FOUND, PriceDateFinder
from webclean.features.word_points import NO_POINTS, CompiledWordPoints
from webclean.model import Document, Floats, Mask, PageCache, Rows, TextBlocks
from webclean.parse.tags import HEADING

_CHARS_PER_WORD: Final = 1.7
_LEVELS: Final = 6
_LABEL_CHARS: Final = 40
"""Characters of the longest label. A constant, because the shipped cards were learnt with this value."""
_PROSE_LINK_SHARE: Final = 0.3
"""A block with at least this share of link text is a list of links, not running text. Constant for the same reason."""


@dataclass(frozen=True, eq=False)
class PageColumns:
    """One page's columns, each computed once.

    word_points: points of words in class names, headings and short texts. prices_dates: finds amounts of money and
    dates as the rule set writes them. cache: what functions computed of the page. A cached function that depends on
    `word_points` takes them as an argument; therefore `replace(columns, word_points=...)` may share the cache.
    """

    document: Document
    blocks: TextBlocks
    word_points: CompiledWordPoints = NO_POINTS
    prices_dates: PriceDateFinder = NOTHING_FOUND
    cache: PageCache = field(default_factory=PageCache)

    def detach(self) -> PageColumns:
        """The same page with a cache of its own, which has what was computed so far. What refers to it may be cached in
        the original without a reference cycle, so a page is freed as soon as nothing refers to it."""
        copied = copy(self)
        object.__setattr__(copied, "cache", PageCache(self.cache))
        return copied

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n_blocks], filled on demand by `measure`."""
        return {}

    @cached_property
    def row(self) -> Rows:
        """int64 [n_blocks]: the nearest block element around each text block."""
        return self.blocks.row

    @cached_property
    def index(self) -> Rows:
        """int64 [n_blocks]: 0, 1, 2, ..."""
        return np.arange(len(self.blocks))

    @cached_property
    def n_text_chars(self) -> Rows:
        """int64 [n_blocks]: characters of each block, white space included."""
        return np.array(list(map(len, self.blocks.text)), dtype=np.intp)

    @cached_property
    def tag(self) -> Rows:
        """int64 [n_blocks]: code of the tag of `row`."""
        return self.document.tag[self.row]

    @cached_property
    def is_heading(self) -> Mask:
        """bool [n_blocks]: the block is a heading."""
        return HEADING[self.tag]

    @cached_property
    def above(self) -> list[Rows]:
        """Six int64 [n_blocks]: the block elements 0 to 5 levels up from each block; above the root, the root again."""
        return list(self.levels)

    @cached_property
    def levels(self) -> Rows:
        """int64 [6, n_blocks]: the same as one array."""
        return climb_blocks(self.document, self.row, _LEVELS)

    @cached_property
    def words(self) -> Floats:
        """float64 [n_blocks]: words of each block, at least 1.

        In scripts without spaces every character was counted as a word; there 1.7 characters count as one word, so that
        lengths are comparable across languages.
        """
        return np.maximum(1.0, np.minimum(self.blocks.n_words, self.blocks.n_chars / _CHARS_PER_WORD))

    @cached_property
    def link_words(self) -> Floats:
        """float64 [n_blocks]: words inside links, scaled as `words` is."""
        return np.asarray(self.blocks.n_link_words * np.minimum(1.0, self.words / np.maximum(1, self.blocks.n_words)))

    @cached_property
    def n_words_below(self) -> Floats:
        """float64 [n_elements]: words in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.words)

    @cached_property
    def n_link_words_below(self) -> Floats:
        """float64 [n_elements]: words inside links in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.link_words)

    @cached_property
    def n_blocks_below(self) -> Floats:
        """float64 [n_elements]: text blocks in the subtree of each element."""
        return sum_subtrees(self.document, self.row, np.ones(len(self.blocks)))

    @cached_property
    def n_words_above(self) -> list[Floats]:
        """Six float64 [n_blocks]: words of the elements of `above`."""
        return list(self.n_words_below[self.levels])

    @cached_property
    def n_page_words(self) -> float:
        """Words of the page, at least 1."""
        return max(1.0, float(self.n_words_below[0]))

    @cached_property
    def is_prose(self) -> Mask:
        """bool [n_blocks]: running text: longer than a label, with a sentence end and little link text.

        In scripts without spaces, where every character counts as a word, a label is half as long.
        """
        blocks = self.blocks
        is_unspaced = blocks.n_words * _CHARS_PER_WORD > blocks.n_chars
        label_chars = np.where(is_unspaced, _LABEL_CHARS / 2, _LABEL_CHARS)
        has_few_links = blocks.n_link_chars < _PROSE_LINK_SHARE * blocks.n_chars
        return (blocks.n_sentences > 0) & (blocks.n_chars > label_chars) & has_few_links

    @cached_property
    def sentence_words(self) -> Floats:
        """float64 [n_blocks]: `words` of the blocks of running text, 0 for the others."""
        return np.where(self.is_prose, self.words, 0.0)

    @cached_property
    def n_sentence_words_below(self) -> Floats:
        """float64 [n_elements]: words of running text in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.sentence_words)
