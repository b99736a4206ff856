"""Features of a block's own text, independent of its language: counts, densities, how it ends; and of the whole page.

Features of the page are equal for all its blocks: in a card they change how much of a page is kept, not which.

Keep: shares of the page are summed as numpy adds (`sum_pairs`): in another order some values would change bins.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from webclean.core.block_places import BOILERPLATE, is_around
from webclean.core.features import Blocks
from webclean.core.page import Page


@cython.cfunc
def find_endings(blocks: Blocks) -> cython.int:
    """ending: 2 for a text that ends like a sentence, 1 for one that is cut off, 0 for others."""
    texts: list = blocks.page.block_texts
    blocks.ending = blocks.take_floats(blocks.n)
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
    # `[…]` is how feeds and blogs cut a text off
    if last == "]":
        return 1 if text.endswith(("[…]", "[...]")) else 0
    if last == ";" or last == "\u037e":  # the Greek question mark, mostly written as a semicolon
        return 2 if "\u0370" <= before <= "\u03ff" or "\u1f00" <= before <= "\u1fff" else 0
    return 2 if last < 1 << 16 and blocks.settings.ends_sentence[last] else 0


@cython.cfunc
def count_same(blocks: Blocks) -> cython.int:
    """n_same: how many blocks have a text, at the first of them."""
    blocks.n_same = blocks.take_float_zeros(blocks.n)
    for i in range(blocks.n):
        # at the first of them, to which all others refer
        blocks.n_same[blocks.same[i]] += 1
    return 0


@cython.cfunc
def sum_words(blocks: Blocks) -> cython.int:
    """all_words, all_link_words, all_prose_words: of the page; largest_words: of its largest block."""
    page: Page = blocks.page
    chosen: cython.p_double = blocks.take_floats(blocks.n)
    n: cython.Py_ssize_t = 0
    blocks.largest_words = 0.0
    for i in range(blocks.n):
        blocks.largest_words = max(blocks.largest_words, page.words[i])
        if page.is_prose[i]:
            chosen[n] = page.words[i]
            n += 1
    blocks.all_words = sum_pairs(page.words, blocks.n)
    blocks.all_link_words = sum_pairs(page.link_words, blocks.n)
    blocks.all_prose_words = sum_pairs(chosen, n)
    return 0


@cython.cfunc
def sum_boilerplate(blocks: Blocks) -> cython.int:
    """boilerplate_words: words in nav, footer and aside."""
    page: Page = blocks.page
    chosen: cython.p_double = blocks.take_floats(blocks.n)
    n: cython.Py_ssize_t = 0
    for i in range(blocks.n):
        if is_around(blocks, page.row[i], BOILERPLATE):
            chosen[n] = page.words[i]
            n += 1
    blocks.boilerplate_words = sum_pairs(chosen, n)
    return 0


@cython.cfunc
def sum_all_prices(blocks: Blocks) -> cython.int:
    """all_prices: amounts of money on the page."""
    blocks.all_prices = sum_pairs(blocks.prices, blocks.n)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def sum_pairs(values: cython.p_double, n: cython.Py_ssize_t) -> cython.double:
    """The sum as numpy adds it: eight sums of every eighth value, of long columns halves apart. The error of rounding
    grows with the logarithm of n, and the cards were learnt with these sums."""
    part = cython.declare(cython.double[8])
    k: cython.Py_ssize_t
    if n < 8:
        total = 0.0
        for i in range(n):
            total += values[i]
        return total
    if n > 128:
        half = n // 2
        half -= half % 8
        return sum_pairs(values, half) + sum_pairs(values + half, n - half)
    for k in range(8):
        part[k] = values[k]
    i = 8
    while i < n - n % 8:
        for k in range(8):
            part[k] += values[i + k]
        i += 8
    total = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]))
    while i < n:
        total += values[i]
        i += 1
    return total
