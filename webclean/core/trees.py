"""Sums, flags and nearest elements over trees in document order, and groups of equal keys.

Sums are added in document order, so that they are the same to the last bit wherever they are computed.

Enters: `parent` and `end` of a tree, values of its elements. Leaves: a column of all elements, or groups. Keep: rows
are in document order, a parent before its children and `end` one past the last of a subtree; so whatever goes down is
one pass, and whatever is summed over a subtree a difference of two prefix sums. Tested by
`tests/blocks/test_statistics.py`, `tests/core/test_names.py` and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.stdlib import qsort

from webclean.core.lexicon import GOLDEN
from webclean.core.page import Page
from webclean.core.segments import PRIME


def sum_subtrees(
    end: cython.const[cython.longlong][:],
    rows: cython.const[cython.longlong][:],
    values: cython.const[cython.double][:],
) -> Any:
    """float64 [n_elements]: sums of the values at `rows` over each subtree."""
    n: cython.Py_ssize_t = end.shape[0]
    made = np.empty(n, dtype=np.float64)
    running_made = np.zeros(n + 1, dtype=np.float64)
    total: cython.double[::1] = made
    running: cython.double[::1] = running_made
    for i in range(rows.shape[0]):
        # one place on, so that `running[i]` is the sum of all before row i
        running[rows[i] + 1] += values[i]
    for i in range(n):
        running[i + 1] += running[i]
    for i in range(n):
        total[i] = running[end[i]] - running[i]
    return made


def find_nearest(parent: cython.const[cython.longlong][:], wanted: cython.const[cython.uchar][:]) -> Any:
    """int64 [n]: the nearest of a node and its ancestors that is wanted, or -1."""
    n: cython.Py_ssize_t = parent.shape[0]
    made = np.empty(n, dtype=np.int64)
    found: cython.longlong[::1] = made
    for i in range(n):
        if wanted[i]:
            found[i] = i
        else:
            found[i] = found[parent[i]] if parent[i] >= 0 else -1
    return made


def count_ancestors(end: cython.const[cython.longlong][:], roots: cython.const[cython.uchar][:]) -> Any:
    """int64 [n_elements]: how many of each row and its ancestors are roots."""
    n: cython.Py_ssize_t = end.shape[0]
    made = np.empty(n, dtype=np.int64)
    ended_made = np.zeros(n + 1, dtype=np.int64)
    count: cython.longlong[::1] = made
    ended: cython.longlong[::1] = ended_made
    running: cython.longlong = 0
    for i in range(n):
        # roots that ended before this row. No stack: a page may be as deep as it is long
        running -= ended[i]
        if roots[i]:
            running += 1
            ended[end[i]] += 1
        count[i] = running
    return made


@cython.cfunc
@cython.exceptval(check=False)
def hash_path(
    parent: cython.pointer[cython.const[cython.longlong]],
    names: cython.pointer[cython.const[cython.longlong]],
    n_levels: cython.int,
    row: cython.Py_ssize_t,
) -> cython.ulonglong:
    """A hash of the names of a row and the elements above it."""
    total: cython.ulonglong = 0
    for _level in range(n_levels):
        # in order, so that `div > p` and `p > div` differ; names by their product with GOLDEN, for they are small
        # numbers
        total = total * PRIME ^ cython.cast(cython.ulonglong, names[row]) * GOLDEN
        # above the root, the root again: all paths have as many levels
        row = parent[row] if parent[row] > 0 else 0
    return total


def number_groups(keys: cython.const[cython.ulonglong][::1]) -> Any:
    """int64 [n]: the number of each key among the distinct ones, rising."""
    n: cython.Py_ssize_t = keys.shape[0]
    made = np.empty(n, dtype=np.int64)
    group: cython.longlong[::1] = made
    if n:
        number_keys(cython.address(keys[0]), n, cython.address(group[0]), Page(32 * n))
    return made


@cython.cfunc
def number_keys(
    keys: cython.pointer[cython.const[cython.ulonglong]], n: cython.Py_ssize_t, group: cython.p_longlong, page: Page
) -> cython.bint:
    """The same into an array. page: whose memory is used meanwhile."""
    size: cython.Py_ssize_t = 16
    while size < 2 * n:
        size *= 2
    # 1 + the first entry with a key, by its hash
    table: cython.p_longlong = cython.cast(cython.p_longlong, page.take_zeros(8 * size))
    # the keys, each with its first number
    distinct: cython.pointer[cython.ulonglong] = cython.cast(cython.pointer[cython.ulonglong], page.take(16 * n + 16))
    number: cython.p_longlong = cython.cast(cython.p_longlong, page.take(8 * n + 8))
    n_groups: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t
    for i in range(n):
        # 1 more than the entry in the table, so that fresh zeros mean "free"
        place = ((keys[i] * GOLDEN) >> 20) & (size - 1)
        while table[place] and keys[table[place] - 1] != keys[i]:
            place = (place + 1) & (size - 1)
        if table[place]:
            group[i] = group[table[place] - 1]
            continue
        table[place] = i + 1
        group[i] = n_groups
        distinct[2 * n_groups] = keys[i]
        distinct[2 * n_groups + 1] = n_groups
        n_groups += 1
    # numbers rise with the keys: of paths that tie, `find_main_path` takes the lowest, and on a page without running
    # text all tie; cards were learnt with that one
    qsort(distinct, n_groups, 2 * cython.sizeof(cython.ulonglong), _compare_keys)
    for i in range(n_groups):
        number[distinct[2 * i + 1]] = i
    for i in range(n):
        group[i] = number[group[i]]
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _compare_keys(one: cython.p_const_void, other: cython.p_const_void) -> cython.int:
    left: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], one)[0]
    right: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], other)[0]
    return (left > right) - (left < right)


def find_slice(
    starts: cython.const[cython.longlong][:],
    rows: cython.const[cython.longlong][:],
    row: cython.longlong,
    end: cython.longlong,
) -> Any:
    """The text blocks inside an element, from the first to the last; (0, 0) for none.

    Args:
        starts: [n_blocks], the elements that start before each block, rising.
        rows: [n_blocks], the element of each block.
        row, end: the element, and one past the last of its subtree.
    """
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = starts.shape[0]
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = 0
    # blocks before the element are skipped by halves; behind its end nothing can be inside it
    while low < high:
        middle = (low + high) // 2
        if starts[middle] <= row:
            low = middle + 1
        else:
            high = middle
    while low < starts.shape[0] and starts[low] <= end:
        if row <= rows[low] < end:
            if not last:
                first = low
            last = low + 1
        low += 1
    return first, last


def count_tags(page: Page, n_codes: cython.Py_ssize_t) -> list:
    """By tag code: how many elements have the tag."""
    count: cython.p_longlong = cython.cast(cython.p_longlong, page.take_zeros(8 * n_codes))
    for i in range(page.n_elements):
        count[page.tag[i]] += 1
    return [count[code] for code in range(n_codes)]


def list_undefined(page: Page) -> dict:
    """Name -> rows, of the elements that have the code of no tag."""
    found: dict = {}
    for row in range(page.n_elements):
        if page.tag[row] == 0:
            found.setdefault(page.names[row], []).append(row)
    return found


def read_short(page: Page, rows: list[int], most_nodes: cython.Py_ssize_t, most_chars: cython.Py_ssize_t) -> list[str]:
    """The texts of those of some elements that have at most so many text nodes, and fewer characters.

    A text node right after an element counts among its nodes, though its text is not taken.
    """
    found: list = []
    row: cython.Py_ssize_t
    pieces: list
    for row in rows:
        end, low = page.end[row], page.count_texts(row)
        pieces = []
        n_nodes: cython.Py_ssize_t = 0
        for node in range(low, min(low + most_nodes + 1, page.n_texts)):
            if page.text_next[node] > end:
                break
            # what follows an element may stand before the next one too
            if page.text_owner[node] < end:
                n_nodes += 1
                if page.text_owner[node] >= row:
                    pieces.append(page.texts[node])
        if n_nodes <= most_nodes:
            text = "".join(pieces)
            if len(text) < most_chars:
                found.append(text)
    return found
