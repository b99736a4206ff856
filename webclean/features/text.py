"""Features of a block's own text: counts, densities and patterns, independent of its language."""

from __future__ import annotations

import re
from typing import Any, Final, cast

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, feature
from webclean.features.trees import sum_groups
from webclean.features.words import Words, cut_lower, find_same
from webclean.model import Floats, Mask, Rows

_ENDS_SENTENCE: Final = tuple('.!?…。！？．｡؟۔।॥։።။។:："”“»«›」』')
_GREEK_QUESTION: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fff][;\u037e]$")
_CUT_OFF: Final = ("...", "…", "[…]", "[...]")


_STOP: Final = ord(".")
_BY_LAST_SIGN: Final = np.zeros(1 << 16, dtype=np.int8)
"""By the last character of a text, what it says of the end, -1 if the characters before it matter."""
_BY_LAST_SIGN[[ord(sign) for sign in _ENDS_SENTENCE]] = 2
_BY_LAST_SIGN[[ord(sign) for sign in ".…];\u037e"]] = -1


def count_matches(columns: PageColumns, pattern: Any) -> Floats:
    """float64 [n_blocks]: matches of an expression of RE2 for bytes that never matches a newline."""
    text, ends = encode_text(columns)
    starts = [match.start() for match in pattern.finditer(text)]
    n = len(columns.blocks)
    return np.bincount(ends.searchsorted(starts, side="right"), minlength=n).astype(np.float64)


@cached_per_page
def encode_text(columns: PageColumns) -> tuple[bytes, Rows]:
    """The joined text in UTF-8; int64 [n_blocks]: one past the newline after each block."""
    text = join_text(columns).encode("utf-8", "surrogatepass")
    if len(text) == len(join_text(columns)):
        return text, (columns.n_text_chars + 1).cumsum()
    return text, (np.frombuffer(text, dtype=np.uint8) == ord("\n")).nonzero()[0] + 1


@cached_per_page
def join_text(columns: PageColumns) -> str:
    """The text of all blocks, a newline after each."""
    return "\n".join([*columns.blocks.text, ""])


@cached_per_page
def lower_text(columns: PageColumns) -> list[str]:
    """The text of each block in lower case."""
    return [text.lower() for text in columns.blocks.text]


@cached_per_page
def find_words(columns: PageColumns) -> Words:
    """The lower-case words of all blocks of at most `LONGEST` characters."""
    return cut_lower(columns.blocks.text)


@feature("words", "words of the block; a CJK character is a word", learn=PLAIN_CARD)
def n_words(columns: PageColumns) -> Floats:
    return columns.words


@feature("sentences", "sentence ends in the block", learn=PLAIN_CARD)
def n_sentences(columns: PageColumns) -> Floats:
    return columns.blocks.n_sentences.astype(np.float64)


@feature("share", "link characters / characters of the block", learn=PLAIN_CARD)
def link_density(columns: PageColumns) -> Floats:
    return columns.blocks.n_link_chars / np.maximum(1, columns.blocks.n_chars)


@feature("marks / word", "punctuation marks for each word", learn=PLAIN_CARD)
def punctuation_density(columns: PageColumns) -> Floats:
    return columns.blocks.n_punctuation / columns.words


@feature("characters / word", "mean word length; about 1 for scripts without spaces", learn=PLAIN_CARD)
def word_length(columns: PageColumns) -> Floats:
    return columns.blocks.n_chars / columns.words


@feature("words / sentence", "words for each sentence end; all words where there is none")
def words_per_sentence(columns: PageColumns) -> Floats:
    return columns.words / np.maximum(1, columns.blocks.n_sentences)


@feature("0 to 2", "2: the text ends like a sentence; 1: it ends cut off (...); 0: neither")
def ending(columns: PageColumns) -> Floats:
    texts = columns.blocks.text
    last, before = _list_last_characters(texts)
    found: Floats = _BY_LAST_SIGN.take(last, mode="clip").astype(np.float64)
    for at in ((found < 0) & ((last != _STOP) | (before == _STOP))).nonzero()[0].tolist():
        found[at] = _find_ending(texts[at])
    found[found < 0] = 2
    return found


def _list_last_characters(texts: list[str]) -> Rows:
    """int64 [2, n]: the last character of each text and the one before it, 0 where there is none."""
    return cast("Rows", core.list_last_characters(texts))


def _find_ending(text: str) -> int:
    if text.endswith(_CUT_OFF):
        return 1
    return 2 if text.endswith(_ENDS_SENTENCE) or _GREEK_QUESTION.search(text[-2:]) else 0


@feature("amounts", "amounts of money in the block", learn=())
def n_prices(columns: PageColumns) -> Floats:
    return count_matches(columns, columns.prices_dates.prices)


@feature("dates", "dates, years and times of day in a block of at most 300 characters", learn=PLAIN_CARD)
def n_dates(columns: PageColumns) -> Floats:
    return np.where(columns.n_text_chars <= 300, count_matches(columns, columns.prices_dates.glimpses), 0.0)


@cached_per_page
def find_same_text(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the first block of the page with the same text."""
    return find_same(columns.blocks.text)


@feature("blocks", "blocks of the page with the same text")
def n_same_text(columns: PageColumns) -> Floats:
    return sum_groups(find_same_text(columns))


@feature("0 or 1", "the same text stands earlier on the page")
def said_before(columns: PageColumns) -> Mask:
    return find_same_text(columns) < columns.index
