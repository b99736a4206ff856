"""What the search for repeated units adds up, and the semantic block that each unit is in.

Enters: a page with texts, the flags of tags. Leaves: prefix sums and lists of children. Keep: sums are prefix sums over
rows, so the value of a unit is a difference of two, whatever it spans; children are listed in document order. Tested by
`tests/segments/test_units.py`, `tests/segments/test_listing.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.page import Page

CHARS = cython.declare(cython.Py_ssize_t, 0)  # the rows of the sums
LINKED = cython.declare(cython.Py_ssize_t, 1)
HEADINGS = cython.declare(cython.Py_ssize_t, 2)
LINKS = cython.declare(cython.Py_ssize_t, 3)
ALONE = cython.declare(cython.Py_ssize_t, 4)
IS_HEADING = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.KINDS`
IS_LIST = cython.declare(cython.Py_ssize_t, 1)
_IS_INVISIBLE = cython.declare(cython.Py_ssize_t, 2)
MOST_OF_UNIT = cython.declare(cython.double, 0.9)  # of its characters: less may be one half of an entry


def add_up_rows(
    page: Page,
    length: cython.const[cython.longlong][:],
    is_tag: cython.const[cython.uchar][:, ::1],
    min_units: cython.Py_ssize_t,
) -> Any:
    """The columns of `segments.units.UnitSums`, in its order.

    Args:
        length: int64 [n_texts], of each text without white space at its ends.
        is_tag: uint8 [n_kinds, n_codes], which tags are headings, lists, invisible.
        min_units: units of a list, at least.
    """
    n: cython.Py_ssize_t = page.n_elements
    sums, text_chars = np.zeros((5, n + 1)), np.zeros(page.n_texts)
    total: cython.double[:, ::1] = sums
    chars: cython.double[::1] = text_chars
    line: cython.double[::1] = np.zeros(n + 1)
    for at in range(page.n_texts):
        row = page.text_owner[at]
        if page.displayed[row]:
            chars[at] = length[at]
            # text right in a block element is its line; what block elements inside it hold are lines of theirs
            line[page.block[row]] += chars[at]
            total[CHARS, row + 1] += chars[at]
            if page.link[row] >= 0:
                total[LINKED, row + 1] += chars[at]
    for i in range(n):
        total[HEADINGS, i + 1] = is_tag[IS_HEADING, page.tag[i]]
        total[LINKS, i + 1] = page.link[i] == i
        for kind in range(ALONE):
            total[kind, i + 1] += total[kind, i]
    for i in range(n):
        own = total[CHARS, page.end[i]] - total[CHARS, i]
        # after the sums above are complete, which `own` is a difference of
        total[ALONE, i + 1] = total[ALONE, i] + (page.link[i] == i and own > 0 and own >= line[page.block[i]])
    return (text_chars, sums, *_list_children(page, is_tag, total, min_units))


@cython.cfunc
def _list_children(
    page: Page, is_tag: cython.const[cython.uchar][:, ::1], total: cython.double[:, ::1], min_units: cython.Py_ssize_t
) -> tuple:
    """The children with text of all elements, where those of each begin, and the elements that may have units."""
    n: cython.Py_ssize_t = page.n_elements
    has_text: cython.uchar[::1] = np.zeros(n + 1, dtype=np.uint8)
    counts = np.zeros((3, n + 1), dtype=np.int64)
    first_child: cython.longlong[::1] = counts[0]
    n_linked: cython.longlong[::1] = counts[1]  # children with link text
    n_items: cython.longlong[::1] = counts[2]  # such children of the lists among the children
    for row in range(n):
        up = page.parent[row]
        end = page.end[row]
        if total[CHARS, end] > total[CHARS, row] and up >= 0 and not is_tag[_IS_INVISIBLE, page.tag[row]]:
            has_text[row] = 1
            first_child[up + 1] += 1
            if total[LINKED, end] > total[LINKED, row]:
                n_linked[up] += 1
                # of columns of two links each no list has enough children: their items count for the element around
                # them
                if is_tag[IS_LIST, page.tag[up]] and page.parent[up] >= 0:
                    n_items[page.parent[up]] += 1
    for row in range(n):
        first_child[row + 1] += first_child[row]
    found = np.empty(first_child[n], dtype=np.int64)
    child: cython.longlong[::1] = found
    place: cython.longlong[::1] = counts[0].copy()
    searched: list = []
    for row in range(n):
        if has_text[row]:
            child[place[page.parent[row]]] = row
            place[page.parent[row]] += 1
        # most elements end here, and are never looked at by the search
        if max(n_linked[row], n_items[row]) >= min_units <= total[LINKS, page.end[row]] - total[LINKS, row]:
            searched.append(row)
    return found, counts[0], searched


def share_units(
    page: Page,
    units: cython.const[cython.longlong][:, ::1],
    chars: cython.const[cython.double][:],
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
) -> Any:
    """int64 [n_units]: the semantic block in which the text of each unit begins, or that has nearly all of it, as below
    the line of a post that says when; -1 for none.

    Args:
        units: int64 [n_units, 2], their rows.
        chars: float64 [n_texts], displayed characters.
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
    """
    made = np.full(units.shape[0], -1, dtype=np.int64)
    numbers: cython.longlong[::1] = made
    held: cython.double[::1] = np.zeros(n + 1)  # characters of the unit in each block
    k: cython.Py_ssize_t
    for unit in range(units.shape[0]):
        first, end = units[unit, 0], units[unit, 1]
        touched: list = []
        whole: cython.double = 0.0
        for at in range(page.count_texts(first), page.count_texts(end)):
            inside = page.text_owner[at]
            if chars[at] > 0 and first <= inside < end and owner[inside] >= 0:
                if held[owner[inside]] == 0:
                    touched.append(owner[inside])
                held[owner[inside]] += chars[at]
                whole += chars[at]
        for k in touched:
            # the first that it touches, unless another has nearly all of it; the order of `touched` is that of the
            # texts
            if numbers[unit] < 0 or held[k] >= MOST_OF_UNIT * whole:
                numbers[unit] = k
            # only what was touched is cleared: blocks times units would be quadratic
            held[k] = 0
    return made


@cython.cfunc
def count_smaller(rising: cython.const[cython.longlong][:], value: cython.longlong) -> cython.Py_ssize_t:
    """How many numbers are smaller."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = rising.shape[0]
    while low < high:
        middle = (low + high) // 2
        if rising[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low
