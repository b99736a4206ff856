"""Features of a block's place: the elements around it, how much text and link text they contain (patent S301, S302),
its distance from the headline, whether it is shown.

Enters, leaves: as `features` says. Keep: levels are those of block elements (`page.levels`), for inline wrappers come
and go with editors; shares are of the page's words, at least 1.
"""

from __future__ import annotations

import cython

from webclean.core.features import Blocks, at_least_1, find_common, find_parent
from webclean.core.page import Page

KIND_FLAGS = {
    "header": 1,
    "footer": 2,
    "nav": 4,
    "boilerplate": 8,
    "main": 16,
    "article": 32,
    "input": 64,
    "control": 128,
}
"""What an element or one around it is, for the function that makes `BlockSettings.kinds`."""


@cython.exceptval(check=False)
@cython.inline
def is_around(blocks: Blocks, row: cython.Py_ssize_t, kind: cython.int) -> cython.bint:
    """Whether an element or one around it is of a kind."""
    return (blocks.around[row] & kind) != 0


def find_kinds_around(blocks: Blocks) -> cython.int:
    """around: of elements, bits for the kinds of the element and those around it; n_articles: elements; has_main:
    whether a block is inside main."""
    page: Page = blocks.page
    kinds: cython.const[cython.ushort][::1] = blocks.settings.kinds
    blocks.around = cython.cast(cython.p_ushort, page.take(page.n_elements * cython.sizeof(cython.ushort)))
    blocks.n_articles, blocks.has_main = 0, False
    # parents stand before their children: one pass hands all kinds down
    for i in range(page.n_elements):
        blocks.around[i] = kinds[page.tag[i]]
        blocks.n_articles += (kinds[page.tag[i]] & KIND_ARTICLE) != 0
        if page.parent[i] >= 0:
            blocks.around[i] |= blocks.around[page.parent[i]]
    for i in range(blocks.n):
        blocks.has_main |= (blocks.around[page.row[i]] & KIND_MAIN) != 0


@cython.exceptval(check=False)
def code_first_style(blocks: Blocks, i: cython.Py_ssize_t) -> cython.double:
    page: Page = blocks.page
    owner: cython.Py_ssize_t = page.text_owner[page.first[i]]
    # a heading stays one, though it begins with a button or in bold, as those of accordions do
    if blocks.settings.heading[page.tag[page.row[i]]]:
        return 3.0
    if is_around(blocks, owner, KIND_CONTROL):
        return 2.0
    return 1.0 if blocks.settings.emphasis[page.tag[owner]] else 0.0


def find_veiled(blocks: Blocks) -> cython.void:
    """veiled: of elements, inside one with `aria-hidden`. An icon that is not closed is opened anew around all that
    follows, so formatting hides nothing."""
    page: Page = blocks.page
    blocks.veiled = page.take_flags(page.n_elements, True)
    if not blocks.n_veiled_rows:
        return
    for i in range(blocks.n_veiled_rows):
        if not blocks.settings.formatting[page.tag[blocks.veiled_rows[i]]]:
            blocks.veiled[blocks.veiled_rows[i]] = True
    for i in range(1, page.n_elements):
        if blocks.veiled[page.parent[i]]:
            blocks.veiled[i] = True


def find_middle_depth(blocks: Blocks) -> cython.void:
    """middle_depth: of the page's median word: of blocks by depth, the first at which half of the words are reached."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = blocks.n
    order: cython.p_longlong = page.take_rows(n)
    running: cython.p_double = page.take_floats(n)
    deepest: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    blocks.middle_depth = 0
    if not n:
        return
    for i in range(n):
        deepest = page.depth[page.row[i]] if page.depth[page.row[i]] > deepest else deepest
    # a counting sort: depths are small numbers, and blocks of one depth stay in the order of the page
    next_place: cython.p_longlong = page.take_rows(deepest + 2, True)
    for i in range(n):
        next_place[page.depth[page.row[i]] + 1] += 1
    for i in range(deepest + 1):
        next_place[i + 1] += next_place[i]
    for i in range(n):
        order[next_place[page.depth[page.row[i]]]] = i
        next_place[page.depth[page.row[i]]] += 1
    for i in range(n):
        total += page.words[order[i]]
        running[i] = total
    i = 0
    while running[i] < total / 2:  # ends at the last one, whose sum is the total
        i += 1
    blocks.middle_depth = page.depth[page.row[order[i]]]


def find_with_headline(blocks: Blocks) -> cython.int:
    """with_headline: of elements, the smallest one around both it and the headline's, if there is a headline."""
    page: Page = blocks.page
    blocks.with_headline = page.take_rows(page.n_elements, True)
    if blocks.headline >= 0:
        find_common(page, page.row[blocks.headline], blocks.with_headline)


def find_densest(blocks: Blocks) -> cython.int:
    """densest: the element whose children and grandchildren have the most running text, that of grandchildren counts
    half; with_densest: of elements, the smallest one around both it and that."""
    page: Page = blocks.page
    of_children: cython.p_double = page.take_floats(page.n_elements, True)
    of_grandchildren: cython.p_double = page.take_floats(page.n_elements, True)
    best: cython.Py_ssize_t = 0
    for i in range(blocks.n):
        if page.is_prose[i]:
            # paragraphs of a text stand beside each other, or each in a wrapper of its own: so two levels, of which the
            # second counts less, or else the element around article and comments would win
            above = find_parent(page, page.row[i])
            of_children[above] += page.words[i] - page.link_words[i]
            of_grandchildren[find_parent(page, above)] += (page.words[i] - page.link_words[i]) / 2
    for i in range(page.n_elements):
        if of_children[i] + of_grandchildren[i] > of_children[best] + of_grandchildren[best]:
            best = i
    blocks.densest = best
    blocks.with_densest = page.take_rows(page.n_elements)
    find_common(page, best, blocks.with_densest)


def find_with_largest(blocks: Blocks) -> cython.int:
    """with_largest: of elements, the smallest one around both it and the block with most words outside links."""
    page: Page = blocks.page
    best: cython.Py_ssize_t = 0
    blocks.with_largest = page.take_rows(page.n_elements)
    for i in range(blocks.n):
        if page.words[i] - page.link_words[i] > page.words[best] - page.link_words[best]:
            best = i
    if blocks.n:
        find_common(page, page.row[best], blocks.with_largest)


def sum_prose_around(blocks: Blocks) -> cython.int:
    """prose_around: of elements, the shares of the page's running text in the element and each one around it, summed.

    A share is added where an element begins and subtracted where it ends.
    """
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    ended: cython.p_double = page.take_floats(n + 1, True)
    whole: cython.double = at_least_1(page.n_prose_words_below[0])
    running: cython.double = 0.0
    blocks.prose_around = page.take_floats(n)
    for i in range(n):
        if page.n_prose_words_below[i] != 0.0:
            ended[page.end[i]] += page.n_prose_words_below[i] / whole
    for i in range(n):
        share = page.n_prose_words_below[i] / whole
        running += share - ended[i]
        blocks.prose_around[i] = running


def count_tags(blocks: Blocks) -> cython.void:
    """fields_until, headings_until: inputs and buttons, and headings, before each element."""
    page: Page = blocks.page
    blocks.fields_until = page.take_rows(page.n_elements + 1)
    blocks.headings_until = page.take_rows(page.n_elements + 1)
    blocks.fields_until[0] = blocks.headings_until[0] = 0
    for i in range(page.n_elements):
        blocks.fields_until[i + 1] = blocks.fields_until[i] + blocks.settings.field[page.tag[i]]
        blocks.headings_until[i + 1] = blocks.headings_until[i] + blocks.settings.heading[page.tag[i]]


def count_inside(page: Page, until: cython.p_longlong, row: cython.Py_ssize_t) -> cython.double:
    """How many there are in an element. until: how many before each."""
    return until[page.end[row]] - until[row]


@cython.exceptval(check=False)
def find_highest_link_density(blocks: Blocks, i: cython.Py_ssize_t) -> cython.double:
    """Elements with half of the page or more say nothing about the block, so its own alone may be so large."""
    page: Page = blocks.page
    highest: cython.double = 0.0
    level: cython.Py_ssize_t
    for level in range(6):
        row = page.levels[level * blocks.n + i]
        if level == 0 or page.n_words_below[row] < blocks.page_words / 2:
            density = page.n_link_words_below[row] / at_least_1(page.n_words_below[row])
            highest = density if density > highest else highest
    return highest
