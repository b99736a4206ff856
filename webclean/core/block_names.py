"""Features of the targets of a block's links, and of meaningful words: those of class and id names around a block, of
short texts and of headings.

Each word has points from the rules (`word_points`), positive for main content; these features sum them. As a feature
they only change a score: no word alone keeps or drops a block.

Keep: a name counts at each element that has it, so nested wrappers of one name count several times, which cards learnt.
"""

from __future__ import annotations

import cython

from webclean.core.features import Blocks, find_parent, sum_inside
from webclean.core.page import Page

STRONG = cython.declare(cython.double, 0.5)
"""Names with fewer points than this under 0 speak clearly against a block."""


@cython.cfunc
def sum_links(blocks: Blocks) -> cython.int:
    """links_until, other_sites_until, segments_until, own_until: of the links before each element: how many, how many
    lead to other sites, the segments of their paths, and how many lead to the page's own directory."""
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    row: cython.Py_ssize_t
    blocks.links_until, blocks.other_sites_until = blocks.take_float_zeros(n + 1), blocks.take_float_zeros(n + 1)
    blocks.segments_until, blocks.own_until = blocks.take_float_zeros(n + 1), blocks.take_float_zeros(n + 1)
    for i in range(blocks.n_links):
        row = blocks.link_row[i] + 1
        blocks.links_until[row] += 1
        blocks.other_sites_until[row] += blocks.link_kind[i] == blocks.other_site
        blocks.segments_until[row] += blocks.link_segments[i]
        blocks.own_until[row] += blocks.link_kind[i] == blocks.same_site and blocks.link_is_own[i]
    for i in range(n):
        blocks.links_until[i + 1] += blocks.links_until[i]
        blocks.other_sites_until[i + 1] += blocks.other_sites_until[i]
        blocks.segments_until[i + 1] += blocks.segments_until[i]
        blocks.own_until[i + 1] += blocks.own_until[i]
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def average_links(
    blocks: Blocks, until: cython.p_double, i: cython.Py_ssize_t, level: cython.Py_ssize_t
) -> cython.double:
    """Mean over the links of the block element so many levels up; -1 without links. until: sums before each element."""
    count: cython.double = sum_inside(blocks.page, blocks.links_until, i, level)
    return sum_inside(blocks.page, until, i, level) / count if count else -1.0


@cython.cfunc
def sum_names(blocks: Blocks) -> cython.int:
    """Of elements: points_around: points of the names of the element and those around it; n_against: how many of them
    have names that speak clearly against them; nearest_against: the nearest of those, -1 for none.

    Points are added where an element begins and subtracted where it ends.
    """
    page: Page = blocks.page
    n: cython.Py_ssize_t = page.n_elements
    ended: cython.p_double = blocks.take_float_zeros(n + 1)
    running: cython.double = 0.0
    above: cython.Py_ssize_t
    blocks.points_around, blocks.n_against = blocks.take_floats(n), blocks.take_rows(n)
    blocks.nearest_against = blocks.take_rows(n)
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
    return 0


@cython.cfunc
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
