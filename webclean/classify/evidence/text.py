"""Evidence in what the page says: how much, in what portions, with which marks.

Shares and rates, not counts: a short page and a long one of the same kind give the same numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from webclean.blocks.features.text import DATE, PRICE, join_text, lower_text
from webclean.classify.evidence.registry import PageMaterial, evidence
from webclean.parse.tags import CODE

LAST_SPACED: Final = "\u2e7f"
"""The scripts of the Unicode blocks after this are mostly written without spaces."""
_CHARS_PER_WORD: Final = 1.7
"""As in `PageColumns.words`."""
_WE_BLOCKS: Final = 12


@evidence("words", "words of the page")
def word_count(page: PageMaterial) -> float:
    return float(page.words.sum())


@evidence("blocks", "blocks of running text")
def long_block_count(page: PageMaterial) -> float:
    return len(page.long_words)


@evidence("share", "words of the running text that stands together, as children of one element / words")
def main_share(page: PageMaterial) -> float:
    return page.n_main_words / page.columns.n_page_words


@evidence("share", "words of the running text that stands together / words of all running text; 0 without any")
def main_text_share(page: PageMaterial) -> float:
    return page.n_main_words / max(1.0, float(page.long_words.sum()))


@evidence("share", "words in paragraphs / words")
def paragraph_share(page: PageMaterial) -> float:
    return page.share(page.columns.tag == CODE["p"])


@evidence("share", "words in links / words")
def link_share(page: PageMaterial) -> float:
    return float(page.columns.n_link_words_below[0]) / page.columns.n_page_words


@evidence("words", "words of the title element")
def title_words(page: PageMaterial) -> float:
    unspaced = 0 if page.title.isascii() else sum(char > LAST_SPACED for char in page.title)
    return len(page.title.split()) + unspaced / _CHARS_PER_WORD


@evidence("per 1,000 words", "question marks")
def question_rate(page: PageMaterial) -> float:
    text = join_text(page.columns)
    n = text.count("?") + (text.count("？") if "？" in text else 0)
    return 1000 * n / page.columns.n_page_words


@evidence("per text", "amounts of money in short texts")
def price_rate(page: PageMaterial) -> float:
    return len(PRICE.findall(page.joined_short_texts)) / max(1, len(page.short_texts))


@evidence("per text", "dates, years and times of day in short texts")
def date_rate(page: PageMaterial) -> float:
    return len(DATE.findall(page.joined_short_texts)) / max(1, len(page.short_texts))


@evidence("per 1,000 characters", "words by which an organisation speaks of itself, in running text: we, our")
def we_rate(page: PageMaterial) -> float:
    """Of the first `sample_chars` characters."""
    texts = lower_text(page.columns)
    text = "\n".join([texts[i] for i in np.flatnonzero(page.is_long)[:_WE_BLOCKS].tolist()])
    text = text[: page.rules.sample_chars]
    spaced, unspaced = _part_words(page.rules.we)
    n = sum(map(spaced.__contains__, text.split()))
    if not text.isascii():
        n += sum(map(text.count, unspaced))
    return 1000 * n / max(1, len(text))


@lru_cache(maxsize=64)
def _part_words(words: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Words of scripts with spaces, and of those without, where only a search finds them."""
    known = words.split()
    return frozenset(word for word in known if word <= LAST_SPACED), tuple(w for w in known if w > LAST_SPACED)
