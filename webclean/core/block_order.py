"""Features of the blocks around a block in reading order, and of the headings above it.

Keep: `until` columns have one entry more than blocks, so that a range is a difference without a special case.
"""

from __future__ import annotations

import cython

from webclean.core.features import Blocks
from webclean.core.page import Page

FAR = cython.declare(cython.double, 99.0)
"""The largest distance in blocks, and that to what there is not."""


@cython.cfunc
def find_order(blocks: Blocks) -> cython.int:
    """heading, last_prose: the last block, itself included, that is a heading or running text, -1 for none; next_prose:
    the next one that is running text."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    at_heading: cython.Py_ssize_t = -1
    at_prose: cython.Py_ssize_t = -1
    blocks.heading, blocks.last_prose, blocks.next_prose = blocks.take_rows(n), blocks.take_rows(n), blocks.take_rows(n)
    for i in range(n):
        if blocks.settings.heading[page.tag[page.row[i]]]:
            at_heading = i
        if page.is_prose[i]:
            at_prose = i
        blocks.heading[i], blocks.last_prose[i] = at_heading, at_prose
    at_prose = -1
    for i in range(n - 1, -1, -1):
        if page.is_prose[i]:
            at_prose = i
        blocks.next_prose[i] = at_prose
    return 0


@cython.cfunc
def sum_until(blocks: Blocks) -> cython.int:
    """words_until, link_words_until, prose_words_until, prose_until: of the blocks before each, the last entry of all:
    words, link words, words of running text, and blocks of it."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    blocks.words_until, blocks.link_words_until = blocks.take_floats(n + 1), blocks.take_floats(n + 1)
    blocks.prose_words_until, blocks.prose_until = blocks.take_floats(n + 1), blocks.take_floats(n + 1)
    blocks.words_until[0] = blocks.link_words_until[0] = blocks.prose_words_until[0] = blocks.prose_until[0] = 0.0
    for i in range(n):
        blocks.words_until[i + 1] = blocks.words_until[i] + page.words[i]
        blocks.link_words_until[i + 1] = blocks.link_words_until[i] + page.link_words[i]
        blocks.prose_words_until[i + 1] = blocks.prose_words_until[i] + page.prose_words[i]
        blocks.prose_until[i + 1] = blocks.prose_until[i] + page.is_prose[i]
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def average_near(
    blocks: Blocks, until: cython.p_double, i: cython.Py_ssize_t, reach: cython.Py_ssize_t
) -> cython.double:
    """Mean over a block and up to `reach` blocks on either side. until: sums of the blocks before each."""
    low: cython.Py_ssize_t = i - reach if i > reach else 0
    # at the ends of the page the mean is over fewer blocks, and not over blocks of nothing
    high: cython.Py_ssize_t = i + reach + 1 if i + reach + 1 < blocks.n else blocks.n
    return (until[high] - until[low]) / (high - low)


@cython.cfunc
def sum_sections(blocks: Blocks) -> cython.int:
    """section_words, section_link_words, section_blocks: of the blocks from the last heading to the next one;
    section_text_words: without those of the heading."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    start: cython.Py_ssize_t = 0
    blocks.section_words, blocks.section_link_words = blocks.take_floats(n), blocks.take_floats(n)
    blocks.section_text_words, blocks.section_blocks = blocks.take_floats(n), blocks.take_floats(n)
    while start < n:
        end, whole, linked, text = start, 0.0, 0.0, 0.0
        # up to the next heading; the first section may begin without one
        while end < n and (end == start or blocks.heading[end] != end):
            linked += page.link_words[end]
            whole += page.words[end]
            text += 0.0 if blocks.heading[end] == end else page.words[end]
            end += 1
        for i in range(start, end):
            blocks.section_words[i], blocks.section_link_words[i] = whole, linked
            blocks.section_text_words[i], blocks.section_blocks[i] = text, end - start
        start = end
    return 0
