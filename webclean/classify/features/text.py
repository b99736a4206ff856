"""Features of a page's text: its amount, how it is divided, and the marks in it.

They are shares and rates, so that a short page and a long one of the same kind have the same values. Counts of the
whole page are only for hand-written refinements; no card learns them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.classify.features.registry import PageView, feature
from webclean.features.headline import find_headline
from webclean.features.text import encode_text, join_text
from webclean.parse.tags import tag_mask

LAST_SPACED: Final = "\u2e7f"
"""Most scripts after this code point are written without spaces."""
_ITEM: Final = tag_mask("li dt dd")
_NEAR: Final = 8
"""Blocks from the headline: by-lines and labels stand between, but no table of prices."""
_CHARS_PER_WORD: Final = 1.7
"""As in `PageColumns.words`."""


@feature("words", "words of the page", learn=())
def word_count(page: PageView) -> float:
    return float(page.words.sum())


@feature("blocks", "blocks of running text", learn=())
def long_block_count(page: PageView) -> float:
    return page.sums.n_long


@feature("share", "words of the running text that stands together, as children of one element / words")
def main_share(page: PageView) -> float:
    return page.sums.main_words / page.columns.n_page_words


@feature("share", "words of the running text that stands together / words of all running text; 0 without any")
def main_text_share(page: PageView) -> float:
    return page.sums.main_words / max(1.0, page.sums.long_words)


@feature("share", "words in paragraphs / words")
def paragraph_share(page: PageView) -> float:
    return page.sums.paragraph_words / page.columns.n_page_words


@feature("share", "words in links / words")
def link_share(page: PageView) -> float:
    return float(page.columns.n_link_words_below[0]) / page.columns.n_page_words


@feature("words", "words of the title element")
def title_words(page: PageView) -> float:
    unspaced = 0 if page.title.isascii() else sum(char > LAST_SPACED for char in page.title)
    return len(page.title.split()) + unspaced / _CHARS_PER_WORD


@feature("words", "running text that begins near below the headline, up to the next heading, without list items")
def headline_text_words(page: PageView) -> float:
    headline, columns = find_headline(page.columns), page.columns
    is_text = columns.is_prose & ~_ITEM[columns.tag]
    prose = is_text[headline + 1 : headline + 1 + _NEAR].nonzero()[0]
    if headline < 0 or not len(prose):
        return 0.0
    first = headline + 1 + int(prose[0])
    headings = columns.is_heading[first:].nonzero()[0]
    last = first + int(headings[0]) if len(headings) else None
    return float(columns.words[first:last] @ is_text[first:last])


@feature("per 1,000 words", "question marks")
def question_rate(page: PageView) -> float:
    text, encoded = join_text(page.columns), encode_text(page.columns)[0]
    n = int(np.count_nonzero(np.frombuffer(encoded, dtype=np.uint8) == ord("?")))  # faster than to count in `text`
    n += text.count("？") if "？" in text else 0
    return 1000 * n / page.columns.n_page_words


@feature("share", "short texts in which an amount of money comes first / short texts")
def price_share(page: PageView) -> float:
    return page.n_prices_and_dates[0] / max(1, len(page.short_texts))


@feature("share", "short texts in which a date, a year or a time of day comes first / short texts")
def date_share(page: PageView) -> float:
    return page.n_prices_and_dates[1] / max(1, len(page.short_texts))
