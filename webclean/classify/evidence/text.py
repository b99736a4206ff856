"""Evidence in what the page says: how much, in what portions, with which marks. Rates are per 1,000 words."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.blocks.features import measure
from webclean.classify.evidence.registry import PageMaterial, evidence

LAST_SPACED: Final = "\u2e7f"
"""The scripts of the Unicode blocks after this are mostly written without spaces."""


@evidence("words", "words of the page")
def word_count(page: PageMaterial) -> float:
    return float(page.n_words.sum())


@evidence("blocks", "text blocks of the page")
def block_count(page: PageMaterial) -> float:
    return len(page.blocks)


@evidence("words", "words / text blocks")
def words_per_block(page: PageMaterial) -> float:
    return page.total_words / max(1, len(page.blocks))


@evidence("sentences", "sentence ends / text blocks")
def sentences_per_block(page: PageMaterial) -> float:
    return float(page.blocks.n_sentences.sum()) / max(1, len(page.blocks))


@evidence("share", "text blocks of at most three words / text blocks")
def label_share(page: PageMaterial) -> float:
    return float((page.n_words <= 3).sum()) / max(1, len(page.blocks))


@evidence("blocks", "blocks of running text")
def long_block_count(page: PageMaterial) -> float:
    return float(page.is_long.sum())


@evidence("share", "words in blocks of running text / words")
def long_block_share(page: PageMaterial) -> float:
    return float(page.n_words[page.is_long].sum()) / page.total_words


@evidence("words", "mean words of a block of running text; 0 without one")
def long_block_words(page: PageMaterial) -> float:
    return float(page.n_words[page.is_long].sum()) / max(1.0, float(page.is_long.sum()))


@evidence("words", "words of the running text that stands together, as children of one element")
def main_text_words(page: PageMaterial) -> float:
    return page.n_main_words


@evidence("share", "words of the running text that stands together / words of all running text; 0 without any")
def main_text_share(page: PageMaterial) -> float:
    return page.n_main_words / max(1.0, float(page.n_words[page.is_long].sum()))


@evidence("share", "words in paragraphs / words")
def paragraph_share(page: PageMaterial) -> float:
    return page.share_under("p")


@evidence("share", "words in links / words")
def link_share(page: PageMaterial) -> float:
    return float(page.n_link_words.sum()) / page.total_words


@evidence("words", "words of the title element")
def title_words(page: PageMaterial) -> float:
    return len(page.title.split()) + sum(char > LAST_SPACED for char in page.title) / page.rules.chars_per_word


@evidence("per 1,000 words", "question marks")
def question_rate(page: PageMaterial) -> float:
    return 1000 * (page.text.count("?") + page.text.count("？")) / page.n_sample_words


@evidence("prices", "amounts of money")
def price_count(page: PageMaterial) -> float:
    return float(measure(page.columns, "n_prices").sum())


@evidence("per 1,000 words", "amounts of money")
def price_rate(page: PageMaterial) -> float:
    return 1000 * price_count(page) / page.total_words


@evidence("dates", "dates in blocks of at most 300 characters")
def date_count(page: PageMaterial) -> float:
    return float(measure(page.columns, "n_dates").sum())


@evidence("per 1,000 words", "dates in blocks of at most 300 characters")
def date_rate(page: PageMaterial) -> float:
    return 1000 * date_count(page) / page.total_words


@evidence("per 1,000 words", "words by which an organisation speaks of itself: we, our")
def we_rate(page: PageMaterial) -> float:
    return 1000 * page.count_pattern("we", page.text) / page.n_sample_words


@evidence("share", "words of the largest text block / words")
def largest_block_share(page: PageMaterial) -> float:
    return float(np.max(page.n_words, initial=0.0)) / page.total_words
