"""The columns that features of blocks read: a block's own text and the whole page; the blocks around it in reading
order; the words of its names and texts; what repeats.

Features of the page are equal for all its blocks: in a card they change how much of a page is kept, not which. Each
meaningful word has points from the rules (`word_points`), positive for main content; no word alone keeps or drops a
block. Groups of siblings and tag paths are those of `features/page_words.py`.

Keep: `until` columns have one entry more than blocks, so that a range is a difference without a special case. A name
counts at each element that has it, so nested wrappers of one name count several times, which cards learnt. Numbers of
paths and groups index columns of as many entries as there are blocks or elements.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from webclean.core.features import Blocks, at_least_1, find_common, find_parent, sum_inside
from webclean.core.page import Page


def find_endings(blocks: Blocks) -> cython.int:
    """ending: 2 for a text that ends like a sentence, 1 for one that is cut off, 0 for others."""
    texts: list = blocks.page.block_texts
    blocks.ending = blocks.page.take_floats(blocks.n)
    for i in range(blocks.n):
        blocks.ending[i] = find_ending(blocks, texts[i])


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


def find_largest(blocks: Blocks) -> cython.int:
    """largest_words: words of the page's largest block."""
    blocks.largest_words = 0.0
    for i in range(blocks.n):
        blocks.largest_words = max(blocks.largest_words, blocks.page.words[i])


FAR = cython.declare(cython.double, 99.0)
"""The largest distance in blocks, and that to what there is not."""


def find_order(blocks: Blocks) -> cython.int:
    """heading, last_prose: the last block, itself included, that is a heading or running text, -1 for none; next_prose:
    the next one that is running text."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    at_heading = at_prose = -1
    blocks.heading, blocks.last_prose, blocks.next_prose = page.take_rows(n), page.take_rows(n), page.take_rows(n)
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


@cython.exceptval(check=False)
def average_near(
    blocks: Blocks, until: cython.p_double, i: cython.Py_ssize_t, reach: cython.Py_ssize_t
) -> cython.double:
    """Mean over a block and up to `reach` blocks on either side. until: sums of the blocks before each."""
    low: cython.Py_ssize_t = i - reach if i > reach else 0
    # at the ends of the page the mean is over fewer blocks, and not over blocks of nothing
    high: cython.Py_ssize_t = i + reach + 1 if i + reach + 1 < blocks.n else blocks.n
    return (until[high] - until[low]) / (high - low)


STRONG = cython.declare(cython.double, 0.5)
"""Names with fewer points than this under 0 speak clearly against a block."""


@cython.exceptval(check=False)
def average_links(
    blocks: Blocks, until: cython.p_double, i: cython.Py_ssize_t, level: cython.Py_ssize_t
) -> cython.double:
    """Mean over the links of the block element so many levels up; -1 without links. until: sums before each element."""
    count: cython.double = sum_inside(blocks.page, blocks.links_until, i, level)
    return sum_inside(blocks.page, until, i, level) / count if count else -1.0


def sum_names(blocks: Blocks) -> cython.int:
    """Of elements: points_around: points of the names of the element and those around it; n_against: how many of them
    have names that speak clearly against them; nearest_against: the nearest of those, -1 for none.

    Points are added where an element begins and subtracted where it ends.
    """
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    ended: cython.p_double = page.take_floats(n + 1, True)
    running: cython.double = 0.0
    blocks.points_around, blocks.n_against = page.take_floats(n), page.take_rows(n)
    blocks.nearest_against = page.take_rows(n)
    for i in range(n):
        if blocks.name_points[blocks.name[i]] != 0.0:
            ended[page.end[i]] += blocks.name_points[blocks.name[i]]
    for i in range(n):
        points, above = blocks.name_points[blocks.name[i]], page.parent[i]
        running += points - ended[i]
        blocks.points_around[i] = running
        blocks.n_against[i] = blocks.n_against[above] if above >= 0 else 0
        blocks.nearest_against[i] = blocks.nearest_against[above] if above >= 0 else -1
        if points < -STRONG:
            blocks.n_against[i] += 1
            blocks.nearest_against[i] = i


@cython.exceptval(check=False)
def sum_near_names(blocks: Blocks, i: cython.Py_ssize_t) -> cython.double:
    """Points of the names of a block's element and the three around it; near the root that counts again."""
    row: cython.Py_ssize_t = blocks.page.row[i]
    total: cython.double = 0.0
    _level: cython.int
    for _level in range(4):
        total += blocks.name_points[blocks.name[row]]
        row = find_parent(blocks.page, row)
    return total


@cython.exceptval(check=False)
def average_group(blocks: Blocks, element: cython.Py_ssize_t) -> cython.double:
    """Mean words of the elements in the group of one; 0 for none."""
    if element < 0:
        return 0.0
    group: cython.Py_ssize_t = blocks.group[element]
    return blocks.group_words[group] / at_least_1(blocks.group_size[group])


@cython.exceptval(check=False)
@cython.inline
def find_link_share(page: Page, row: cython.Py_ssize_t) -> cython.double:
    """Link words / words of an element."""
    return page.n_link_words_below[row] / at_least_1(page.n_words_below[row])


def find_main_path(blocks: Blocks) -> cython.int:
    """first_on_path, last_on_path: the first and the last block on the main path, -1 for none: the tag path (tags and
    classes, four levels) with the most running text.

    The paragraphs of an article mostly share one path, and comments, teasers and legal notes have other paths. Blocks
    before the first or after the last block of the main path are seldom main content.
    """
    best: cython.Py_ssize_t = 0
    blocks.first_on_path = blocks.last_on_path = -1
    for i in range(blocks.n):
        # in a tie the lowest number wins, see `trees.number_keys`
        best = i if blocks.path_prose[i] > blocks.path_prose[best] else best
    for i in range(blocks.n):
        if blocks.path[i] == best:
            blocks.first_on_path = i if blocks.first_on_path < 0 else blocks.first_on_path
            blocks.last_on_path = i


def find_main_text(blocks: Blocks) -> cython.int:
    """main_text: the element with most running text among its children, the root of a page without any; own_prose: of
    elements, words of running text in the blocks of their children; with_main_text: of elements, the smallest one
    around both it and the main text; first_paragraph, last_paragraph: blocks of running text among the children of the
    main text, -1 for none; path_in_main: of each path, words inside the main text.

    The paragraphs of an article are mostly children of one element; lists and quotes of the article stand near it,
    teasers and comments far from it. That holds on old and new pages and in any language, whatever the elements are
    called.

        div              levels_below_main_text of the teaser: 2; levels_above_main_text: 1
          div            <- the main text: most running text among its children
            p, p, p      siblings_prose_share 1
            ul > li      levels_below_main_text 2; levels_above_main_text 0
          aside > p      the teaser
    """
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    main: cython.Py_ssize_t = 0
    blocks.own_prose, blocks.with_main_text = page.take_floats(n, True), page.take_rows(n)
    blocks.path_in_main = page.take_floats(blocks.n, True)
    blocks.first_paragraph = blocks.last_paragraph = -1
    for i in range(blocks.n):
        blocks.own_prose[find_parent(page, page.row[i])] += page.prose_words[i]
    for i in range(n):
        main = i if blocks.own_prose[i] > blocks.own_prose[main] else main
    blocks.main_text = main
    find_common(page, main, blocks.with_main_text)
    for i in range(blocks.n):
        if page.is_prose[i] and find_parent(page, page.row[i]) == main:
            blocks.first_paragraph = i if blocks.first_paragraph < 0 else blocks.first_paragraph
            blocks.last_paragraph = i
        # all inside it, lists and quotations too: their paths stand near the text
        if main <= page.row[i] < page.end[main]:
            blocks.path_in_main[blocks.path[i]] += page.words[i]
