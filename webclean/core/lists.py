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


def share_units(
    units: cython.const[cython.longlong][:, ::1],
    texts: tuple[Any, Any, Any],
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
) -> Any:
    """int64 [n_units]: the semantic block in which the text of each unit begins, or that has nearly all of it, as below
    the line of a post that says when; -1 for none.

    Args:
        units: int64 [n_units, 2], their rows.
        texts: int64 [n_texts] each, how many elements start before each text, rising, and the element that it is in;
            float64 [n_texts], its displayed characters.
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
    """
    starts: cython.const[cython.longlong][:] = texts[0]
    inside: cython.const[cython.longlong][:] = texts[1]
    chars: cython.const[cython.double][:] = texts[2]
    made = np.full(units.shape[0], -1, dtype=np.int64)
    numbers: cython.longlong[::1] = made
    held: cython.double[::1] = np.zeros(n + 1)  # characters of the unit in each block
    touched: list
    k: cython.Py_ssize_t
    for unit in range(units.shape[0]):
        touched = []
        whole: cython.double = 0.0
        for at in range(count_smaller(starts, units[unit, 0] + 1), count_smaller(starts, units[unit, 1] + 1)):
            if chars[at] > 0 and units[unit, 0] <= inside[at] < units[unit, 1] and owner[inside[at]] >= 0:
                k = owner[inside[at]]
                if held[k] == 0:
                    touched.append(k)
                held[k] += chars[at]
                whole += chars[at]
        for k in touched:
            # the first that it touches, unless another has nearly all of it; the order of `touched` is that of the
            # texts
            if numbers[unit] < 0 or held[k] >= MOST_OF_UNIT * whole:
                numbers[unit] = k
            # only what was touched is cleared: blocks times units would be quadratic
            held[k] = 0
    return made
