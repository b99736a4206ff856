"""Counts of text blocks -> the columns that nearly all features are made of, see `features.page_columns`.

Enters: a page with blocks and their counts. Leaves: the columns from `n_text_chars` to `levels`, and sums below
elements. Keep: all cards and rules were learnt with these numbers, so a change of one is a change of all of them.
Tested by `tests/blocks/test_columns.py` and the golden columns.
"""

from __future__ import annotations

import cython

from webclean.core.page import Page

N_LEVELS = 6
"""Levels of block elements that are climbed: no card asks for higher ones."""


def measure_blocks(
    page: Page, chars_per_word: cython.double, label_chars: cython.double, link_share: cython.double
) -> None:
    """Add the columns that nearly all features are made of: `n_text_chars` to `levels`, and the sums below elements.

    chars_per_word, label_chars, link_share: of `features.page_columns`.
    """
    n: cython.Py_ssize_t = page.n_elements
    n_blocks: cython.Py_ssize_t = page.n_blocks
    n_levels: cython.Py_ssize_t = N_LEVELS
    end: cython.p_longlong = page.end
    lengths: cython.p_longlong = cython.cast(cython.p_longlong, page.add("n_text_chars", n_blocks))
    prose: cython.p_uchar = cython.cast(cython.p_uchar, page.add("is_prose", n_blocks))
    page.words = cython.cast(cython.p_double, page.add("words", n_blocks))
    page.link_words = cython.cast(cython.p_double, page.add("link_words", n_blocks))
    page.prose_words = cython.cast(cython.p_double, page.add("prose_words", n_blocks))
    levels: cython.p_longlong = cython.cast(cython.p_longlong, page.add("levels", n_blocks, n_levels))
    page.n_words_below = cython.cast(cython.p_double, page.add("n_words_below", n))
    page.n_link_words_below = cython.cast(cython.p_double, page.add("n_link_words_below", n))
    page.n_prose_words_below = cython.cast(cython.p_double, page.add("n_prose_words_below", n))
    page.n_blocks_below = cython.cast(cython.p_double, page.add("n_blocks_below", n))
    page.n_text_chars, page.is_prose, page.levels = lengths, prose, levels
    running: cython.p_double = cython.cast(cython.p_double, page.take_zeros(8 * 4 * (n + 1)))  # [n + 1, 4], as below
    n_chars: cython.p_int = page.n_chars
    n_words: cython.p_int = page.n_words
    row: cython.Py_ssize_t
    words: cython.double
    for i in range(n_blocks):
        lengths[i] = len(cython.cast(str, page.block_texts[i]))
        # the fewer of both: a Chinese sign counts as a word, and two of them say as much as one English word
        words = min(cython.cast(cython.double, n_words[i]), n_chars[i] / chars_per_word)
        # one at least: `* * *` and a price have a place on the page, and are divided by
        words = words if words > 1.0 else 1.0
        # in scripts without spaces a sign is counted as a word, and a label is half as long
        label = label_chars / 2 if n_words[i] * chars_per_word > n_chars[i] else label_chars
        prose[i] = page.n_sentences[i] > 0 and n_chars[i] > label and page.n_link_chars[i] < link_share * n_chars[i]
        page.words[i] = words
        page.link_words[i] = page.n_link_words[i] * min(1.0, words / max(1, n_words[i]))
        page.prose_words[i] = words if prose[i] else 0.0
        row = page.row[i]
        # four sums side by side: they are read together, from one line of the cache
        running[4 * (row + 1)] += words
        running[4 * (row + 1) + 1] += page.link_words[i]
        running[4 * (row + 1) + 2] += page.prose_words[i]
        running[4 * (row + 1) + 3] += 1.0
        for k in range(n_levels):
            levels[k * n_blocks + i] = row
            # above the root, the root again: features of high levels exist on flat pages too
            row = page.block[page.parent[row]] if page.parent[row] >= 0 else row
    for i in range(4 * n):
        running[i + 4] += running[i]
    for i in range(n):
        page.n_words_below[i] = running[4 * end[i]] - running[4 * i]
        page.n_link_words_below[i] = running[4 * end[i] + 1] - running[4 * i + 1]
        page.n_prose_words_below[i] = running[4 * end[i] + 2] - running[4 * i + 2]
        page.n_blocks_below[i] = running[4 * end[i] + 3] - running[4 * i + 3]


def count_wanted_words(page: Page, wanted: cython.const[cython.uchar][:]) -> cython.longlong:
    """The words of the wanted blocks; characters where words are written without spaces. wanted: bool [n_blocks]."""
    total: cython.longlong = 0
    for i in range(page.n_blocks):
        if wanted[i]:
            total += page.n_words[i]
    return total
