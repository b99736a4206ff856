"""What the search for repeated units adds up, and the links and semantic blocks that units are in.

Enters: columns of elements and texts, the flags of tags. Leaves: prefix sums and lists of children. Keep: sums are
prefix sums over rows, so the value of a unit is a difference of two, whatever it spans; children are listed in document
order. Tested by `tests/segments/test_units.py`, `tests/segments/test_listing.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.nodes import count_smaller
from webclean.core.page import Page

CHARS = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.UnitSums.sums`
LINKED = cython.declare(cython.Py_ssize_t, 1)
HEADINGS = cython.declare(cython.Py_ssize_t, 2)
LINKS = cython.declare(cython.Py_ssize_t, 3)
ALONE = cython.declare(cython.Py_ssize_t, 4)
IS_HEADING = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.KINDS`
IS_LIST = cython.declare(cython.Py_ssize_t, 1)
_IS_INVISIBLE = cython.declare(cython.Py_ssize_t, 2)
MOST_OF_UNIT = cython.declare(cython.double, 0.9)  # of its characters: less may be one half of an entry


def add_up_rows(
    rows: tuple[Any, Any, Any, Any, Any],
    texts: tuple[Any, Any, Any],
    is_tag: cython.const[cython.uchar][:, ::1],
    min_units: cython.Py_ssize_t,
) -> Any:
    """The columns of `segments.units.UnitSums`, in its order.

    Args:
        rows: int64 [n_elements] each: parent, end, tag, link, block.
        texts: int64 [n_texts] each, the element of each text and its length; uint8 [n_elements], what is displayed.
        is_tag: uint8 [n_kinds, n_codes], which tags are headings, lists, invisible.
        min_units: units of a list, at least.
    """
    parent: cython.const[cython.longlong][:] = rows[0]
    end: cython.const[cython.longlong][:] = rows[1]
    tag: cython.const[cython.longlong][:] = rows[2]
    link: cython.const[cython.longlong][:] = rows[3]
    block: cython.const[cython.longlong][:] = rows[4]
    owner: cython.const[cython.longlong][:] = texts[0]
    length: cython.const[cython.longlong][:] = texts[1]
    is_displayed: cython.const[cython.uchar][:] = texts[2]
    n: cython.Py_ssize_t = parent.shape[0]
    sums = np.zeros((5, n + 1))
    total: cython.double[:, ::1] = sums
    line: cython.double[::1] = np.zeros(n + 1)
    text_chars = np.zeros(owner.shape[0])
    chars: cython.double[::1] = text_chars
    row: cython.Py_ssize_t
    for at in range(owner.shape[0]):
        row = owner[at]
        if is_displayed[row]:
            chars[at] = length[at]
            # text right in a block element is its line; what block elements inside it hold are lines of theirs
            line[block[row]] += chars[at]
            total[CHARS, row + 1] += chars[at]
            if link[row] >= 0:
                total[LINKED, row + 1] += chars[at]
    for row in range(n):
        total[HEADINGS, row + 1] = is_tag[IS_HEADING, tag[row]]
        total[LINKS, row + 1] = link[row] == row
        for kind in range(ALONE):
            total[kind, row + 1] += total[kind, row]
    for row in range(n):
        own = total[CHARS, end[row]] - total[CHARS, row]
        # after the sums above are complete, which `own` is a difference of
        total[ALONE, row + 1] = total[ALONE, row] + (link[row] == row and own > 0 and own >= line[block[row]])
    return (text_chars, sums, *_list_children(parent, end, tag, is_tag, total, min_units))


@cython.cfunc
def _list_children(
    parent: cython.const[cython.longlong][:],
    end: cython.const[cython.longlong][:],
    tag: cython.const[cython.longlong][:],
    is_tag: cython.const[cython.uchar][:, ::1],
    total: cython.double[:, ::1],
    min_units: cython.Py_ssize_t,
) -> tuple:
    """The children with text of all elements, where those of each begin, and the elements that may have units."""
    n: cython.Py_ssize_t = parent.shape[0]
    has_text: cython.uchar[::1] = np.zeros(n + 1, dtype=np.uint8)
    counts = np.zeros((3, n + 1), dtype=np.int64)
    first_child: cython.longlong[::1] = counts[0]
    n_linked: cython.longlong[::1] = counts[1]  # children with link text
    n_items: cython.longlong[::1] = counts[2]  # such children of the lists among the children
    up: cython.Py_ssize_t
    for row in range(n):
        up = parent[row]
        if total[CHARS, end[row]] > total[CHARS, row] and up >= 0 and not is_tag[_IS_INVISIBLE, tag[row]]:
            has_text[row] = 1
            first_child[up + 1] += 1
            if total[LINKED, end[row]] > total[LINKED, row]:
                n_linked[up] += 1
                # of columns of two links each no list has enough children: their items count for the element around
                # them
                if is_tag[IS_LIST, tag[up]] and parent[up] >= 0:
                    n_items[parent[up]] += 1
    for row in range(n):
        first_child[row + 1] += first_child[row]
    found = np.empty(first_child[n], dtype=np.int64)
    child: cython.longlong[::1] = found
    place: cython.longlong[::1] = counts[0].copy()
    searched: list = []
    for row in range(n):
        if has_text[row]:
            child[place[parent[row]]] = row
            place[parent[row]] += 1
        # most elements end here, and are never looked at by the search
        if max(n_linked[row], n_items[row]) >= min_units <= total[LINKS, end[row]] - total[LINKS, row]:
            searched.append(row)
    return found, counts[0], searched


def measure_links(
    rows: tuple[Any, Any, Any],
    texts: tuple[Any, Any],
    is_heading: cython.const[cython.uchar][:],
) -> Any:
    """The links with text as `segments.listing.LinkLines` has them: rows, characters, is_lone, in_heading.

    Args:
        rows: int64 [n_elements] each: tag, link, block.
        texts: the element of each text, int64, and its displayed characters, float64.
        is_heading: uint8 [n_codes], of tags.
    """
    tag: cython.const[cython.longlong][:] = rows[0]
    link: cython.const[cython.longlong][:] = rows[1]
    block: cython.const[cython.longlong][:] = rows[2]
    owner: cython.const[cython.longlong][:] = texts[0]
    chars: cython.const[cython.double][:] = texts[1]
    n: cython.Py_ssize_t = tag.shape[0]
    # characters of each line, of each link, and of each link in its own line
    sums: cython.double[:, ::1] = np.zeros((3, n))
    found: tuple = ([], [], [], [])
    row: cython.Py_ssize_t
    for i in range(owner.shape[0]):
        row = owner[i]
        sums[0, block[row]] += chars[i]
        if link[row] >= 0:
            sums[1, link[row]] += chars[i]
            if block[row] == block[link[row]]:
                sums[2, link[row]] += chars[i]
    for row in range(n):
        if sums[1, row] > 0:
            found[0].append(row)
            found[1].append(sums[1, row])
            # a link that contains block elements is all of their lines
            # half of its line: `Read the report (PDF)` is one, a link in a sentence is none
            found[2].append(sums[1, row] > sums[2, row] or 2 * sums[2, row] >= sums[0, block[row]])
            found[3].append(is_heading[tag[block[row]]] != 0)
    return found


def share_units(
    units: cython.const[cython.longlong][:, ::1],
    texts: tuple[Any, Any, Any],
    owner: cython.const[cython.int][:],
    running: cython.const[cython.double][:],
    n: cython.Py_ssize_t,
) -> Any:
    """Units by the semantic block in which their text begins, or that has nearly all of it, as below the line of a post
    that says when: int64 [n_shared, 2], their rows, those of the first block first; where those of each of n blocks
    begin, and the end; the characters of those of each block.

    Args:
        units: int64 [n_units, 2], their rows.
        texts: int64 [n_texts] each, how many elements start before each text, rising, and the element that it is in;
            float64 [n_texts], its displayed characters.
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        running: float64 [n_elements + 1], prefix sums of characters.
        n: semantic blocks.
    """
    starts: cython.const[cython.longlong][:] = texts[0]
    inside: cython.const[cython.longlong][:] = texts[1]
    chars: cython.const[cython.double][:] = texts[2]
    numbers: cython.longlong[::1] = np.empty(units.shape[0], dtype=np.int64)
    held: cython.double[::1] = np.zeros(n + 1)  # characters of the unit in each block
    touched: list
    whole: cython.double
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for unit in range(units.shape[0]):
        at = count_smaller(starts, units[unit, 0] + 1)
        numbers[unit], touched, whole = -1, [], 0.0
        while at < starts.shape[0] and starts[at] <= units[unit, 1]:
            if chars[at] > 0 and units[unit, 0] <= inside[at] < units[unit, 1] and owner[inside[at]] >= 0:
                k = owner[inside[at]]
                if held[k] == 0:
                    touched.append(k)
                held[k] += chars[at]
                whole += chars[at]
            at += 1
        for k in touched:
            # the first that it touches, unless another has nearly all of it; the order of `touched` is that of the
            # texts
            if numbers[unit] < 0 or held[k] >= MOST_OF_UNIT * whole:
                numbers[unit] = k
            # only what was touched is cleared: blocks times units would be quadratic
            held[k] = 0
    return _sort_shared(units, numbers, running, n)


@cython.cfunc
def _sort_shared(
    units: cython.const[cython.longlong][:, ::1],
    numbers: cython.longlong[::1],
    running: cython.const[cython.double][:],
    n: cython.Py_ssize_t,
) -> object:
    """What `share_units` gives, of the block of each unit, -1 for none: a counting sort."""
    places: cython.longlong[::1] = np.zeros(n + 2, dtype=np.int64)
    total: list = [0.0] * n
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for unit in range(units.shape[0]):
        # two places on, for ends become starts while units are set
        places[numbers[unit] + 2] += numbers[unit] >= 0
    for k in range(n):
        places[k + 2] += places[k + 1]
    first: list = [places[k + 1] for k in range(n + 1)]
    made = np.empty((places[n + 1], 2), dtype=np.int64)
    shared: cython.longlong[:, ::1] = made
    for unit in range(units.shape[0]):
        k = numbers[unit]
        if k >= 0:
            at = places[k + 1]
            places[k + 1] += 1
            shared[at, 0], shared[at, 1] = units[unit, 0], units[unit, 1]
            total[k] += running[units[unit, 1]] - running[units[unit, 0]]
    return made, first, total


def number_children(page: Page, above: cython.Py_ssize_t, before: list[str]) -> list[tuple[int, int]]:
    """The children of an element, -1 for the root alone: the row of each, and its number among those of its name.

    before: names of elements that count before the first child.
    """
    counts: dict = {}
    found: list = []
    row: cython.Py_ssize_t = above + 1
    end: cython.Py_ssize_t = page.end[above] if above >= 0 else page.n_elements
    for name in before:
        counts[name] = counts.get(name, 0) + 1
    while row < end:
        name = page.names[row]
        counts[name] = n = counts.get(name, 0) + 1
        found.append((row, n))
        row = page.end[row]
    return found


def read_link_texts(page: Page, rows: cython.const[cython.longlong][:]) -> list[str]:
    """The text of each of some links, in the order of the page, with single spaces."""
    memory: Page = Page(4 * page.n_elements)
    place: cython.p_int = cython.cast(cython.p_int, memory.take_zeros(4 * page.n_elements))
    parts: list = [[] for _ in range(rows.shape[0])]
    own: list
    for i in range(rows.shape[0]):
        place[rows[i]] = i + 1
    for i in range(page.n_texts):
        row: cython.Py_ssize_t = page.link[page.text_owner[i]]
        if row >= 0 and place[row]:
            own = parts[place[row] - 1]
            own.append(page.texts[i])
    return [" ".join("".join(own).split()) for own in parts]
