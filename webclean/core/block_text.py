"""Features of a block's own text: counts, densities and patterns, independent of its language."""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from webclean.core.features import Blocks

BLOCK_TEXT = [
    ("n_words", "words", "words of the block; a CJK character is a word", "page.words[i]", "plain_card"),
    ("n_sentences", "sentences", "sentence ends in the block", "page.n_sentences[i]", "plain_card"),
    (
        "link_density",
        "share",
        "link characters / characters of the block",
        "page.n_link_chars[i] / at_least_1(page.n_chars[i])",
        "plain_card",
    ),
    (
        "punctuation_density",
        "marks / word",
        "punctuation marks for each word",
        "page.n_punctuation[i] / page.words[i]",
        "plain_card",
    ),
    (
        "word_length",
        "characters / word",
        "mean word length; about 1 for scripts without spaces",
        "page.n_chars[i] / page.words[i]",
        "plain_card",
    ),
    (
        "words_per_sentence",
        "words / sentence",
        "words for each sentence end; all words where there is none",
        "page.words[i] / at_least_1(page.n_sentences[i])",
    ),
    (
        "ending",
        "0 to 2",
        "2: the text ends like a sentence; 1: it ends cut off (...); 0: neither",
        "blocks.ending[i]",
    ),
    ("n_prices", "amounts", "amounts of money in the block", "blocks.prices[i]", ""),
    (
        "n_dates",
        "dates",
        "dates, years and times of day in a block of at most 300 characters",
        "blocks.glimpses[i] if page.n_text_chars[i] <= 300 else 0.0",
        "plain_card",
    ),
    ("n_same_text", "blocks", "blocks of the page with the same text", "blocks.n_same[blocks.same[i]]"),
    ("said_before", "0 or 1", "the same text stands earlier on the page", "blocks.same[i] < i"),
]


@cython.cfunc
def find_endings(blocks: Blocks) -> cython.int:
    """ending: 2 for a text that ends like a sentence, 1 for one that is cut off, 0 for others."""
    texts: list = blocks.page.block_texts
    i: cython.Py_ssize_t
    blocks.ending = cython.cast(cython.p_double, blocks.page.take(blocks.n * cython.sizeof(cython.double)))
    for i in range(blocks.n):
        blocks.ending[i] = find_ending(blocks, texts[i])
    return 0


@cython.cfunc
def find_ending(blocks: Blocks, text: str) -> cython.double:
    kind: cython.int = PyUnicode_KIND(text)
    data: cython.p_void = PyUnicode_DATA(text)
    size: cython.Py_ssize_t = PyUnicode_GET_LENGTH(text)
    last: cython.Py_UCS4 = PyUnicode_READ(kind, data, size - 1) if size else 0
    before: cython.Py_UCS4 = PyUnicode_READ(kind, data, size - 2) if size > 1 else 0
    if last == "…" or (last == "." and before == "." and text.endswith("...")):
        return 1
    if last == "]":
        return 1 if text.endswith(("[…]", "[...]")) else 0
    if last == ";" or last == "\u037e":  # the Greek question mark, mostly written as a semicolon
        return 2 if "\u0370" <= before <= "\u03ff" or "\u1f00" <= before <= "\u1fff" else 0
    return 2 if last < 1 << 16 and blocks.settings.ends_sentence[last] else 0


@cython.cfunc
def count_same(blocks: Blocks) -> cython.int:
    """n_same: how many blocks have a text, at the first of them."""
    i: cython.Py_ssize_t
    blocks.n_same = cython.cast(cython.p_double, blocks.page.take_zeros(blocks.n * cython.sizeof(cython.double)))
    for i in range(blocks.n):
        blocks.n_same[blocks.same[i]] += 1
    return 0
