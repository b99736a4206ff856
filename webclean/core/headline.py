"""The line of a page that shows its title (`features.headline`).

Enters: a page with blocks, its title. Leaves: the number of a block. Keep: what is cheap is asked first: lengths, then
what stands there, then pairs of letters, then the text itself. Tested by `tests/features/test_headline.py`.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.string import memset

from webclean.core.page import Page
from webclean.core.texts import N_PAIRS, is_likely, mark_pairs


def find_text_of(page: Page, code: cython.longlong) -> int:
    """The first text whose element has the code of a tag, -1 without."""
    for i in range(page.n_texts):
        if page.tag[page.text_owner[i]] == code:
            return i
    return -1


def find_contained(
    page: Page,
    title: str,
    is_heading: cython.const[cython.uchar][::1],
    least_chars: cython.int,
    least_words: cython.double,
    least_share: cython.double,
) -> int:
    """The longest heading, else the longest line that is no link, of those that the title contains: the first of
    equals, -1 without.

    A heading before a longer line: the title may be the first sentence too.

    Args:
        title: in lower case, with one space between its words.
        is_heading: bool [n_codes].
        least_chars, least_words: of which a line has either.
        least_share: of the characters of the title; what is much shorter is the name of a section or of the site.
    """
    n: cython.Py_ssize_t = len(title.replace(" ", ""))
    best: cython.Py_ssize_t = -1
    best_heads: cython.bint = False
    text: str
    pairs = cython.declare(cython.uchar[16384])
    memset(pairs, 0, N_PAIRS)
    mark_pairs(title, pairs)
    for at in range(page.n_blocks):
        n_chars = page.n_chars[at]
        # a copy for another device is hidden, and stands before the one that is shown
        if n_chars > n or n_chars < least_share * n or not page.visible[at]:
            continue
        heads = is_heading[page.tag[page.row[at]]]
        # no better than what was found: its text is not compared
        if best >= 0 and (heads < best_heads or (heads == best_heads and n_chars <= page.n_chars[best])):
            continue
        if n_chars < least_chars and page.words[at] < least_words:
            continue
        # a link with the words of the title leads to the page from a list of others
        if not heads and 2 * page.n_link_chars[at] > n_chars:
            continue
        text = page.block_texts[at]
        if is_likely(text, pairs) and " ".join(text.split()).lower() in title:
            best, best_heads = at, heads
    return best
