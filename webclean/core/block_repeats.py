"""Features of repetition: blocks with the same tag path, sibling elements alike in tag and class; and where a block
stands beside the path and the element that most of the running text is in.

Groups of siblings and tag paths are those of `features/names.py`.

Keep: numbers of paths and groups index columns of as many entries as there are blocks or elements.
"""

from __future__ import annotations

import cython

from webclean.core.features import Blocks, at_least_1, find_common, find_parent
from webclean.core.page import Page


@cython.cfunc
@cython.exceptval(check=False)
def average_group(blocks: Blocks, element: cython.Py_ssize_t) -> cython.double:
    """Mean words of the elements in the group of one; 0 for none."""
    if element < 0:
        return 0.0
    group: cython.Py_ssize_t = blocks.group[element]
    return blocks.group_words[group] / at_least_1(blocks.group_size[group])


@cython.cfunc
def count_headings(blocks: Blocks) -> cython.int:
    """headings_until: headings before each element."""
    page: Page = blocks.page
    blocks.headings_until = blocks.take_rows(page.n_elements + 1)
    blocks.headings_until[0] = 0
    for i in range(page.n_elements):
        blocks.headings_until[i + 1] = blocks.headings_until[i] + blocks.settings.heading[page.tag[i]]
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def count_headings_inside(blocks: Blocks, row: cython.Py_ssize_t) -> cython.double:
    return blocks.headings_until[blocks.page.end[row]] - blocks.headings_until[row]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_link_share(page: Page, row: cython.Py_ssize_t) -> cython.double:
    """Link words / words of an element."""
    return page.n_link_words_below[row] / at_least_1(page.n_words_below[row])


@cython.cfunc
def sum_paths(blocks: Blocks) -> cython.int:
    """path_blocks, path_words, path_link_words, path_prose: blocks with each tag path, their words, link words, and
    words of running text."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    blocks.path_blocks, blocks.path_words = blocks.take_float_zeros(n), blocks.take_float_zeros(n)
    blocks.path_link_words, blocks.path_prose = blocks.take_float_zeros(n), blocks.take_float_zeros(n)
    for i in range(n):
        blocks.path_blocks[blocks.path[i]] += 1
        blocks.path_words[blocks.path[i]] += page.words[i]
        blocks.path_link_words[blocks.path[i]] += page.link_words[i]
        blocks.path_prose[blocks.path[i]] += page.prose_words[i]
    return 0


@cython.cfunc
def find_main_path(blocks: Blocks) -> cython.int:
    """first_on_path, last_on_path: the first and the last block on the main path, -1 for none: the tag path (tags and
    classes, four levels) with the most running text.

    The paragraphs of an article mostly share one path, and comments, teasers and legal notes have other paths. Blocks
    before the first or after the last block of the main path are seldom main content.
    """
    best: cython.Py_ssize_t = 0
    blocks.first_on_path = blocks.last_on_path = -1
    for i in range(blocks.n):
        # of equals the lowest number, see `trees.number_keys`
        best = i if blocks.path_prose[i] > blocks.path_prose[best] else best
    for i in range(blocks.n):
        if blocks.path[i] == best:
            blocks.first_on_path = i if blocks.first_on_path < 0 else blocks.first_on_path
            blocks.last_on_path = i
    return 0


@cython.cfunc
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
    blocks.own_prose, blocks.with_main_text = blocks.take_float_zeros(n), blocks.take_rows(n)
    blocks.path_in_main = blocks.take_float_zeros(blocks.n)
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
    return 0
