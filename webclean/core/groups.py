"""Groups of equal keys, hashes of the names above an element, and which text blocks an element holds.

Enters: keys; `parent` of a tree and names of its elements. Leaves: numbers of groups; a hash. Keep: numbers of groups
rise with their keys. Tested by `tests/core/test_names.py` and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.stdlib import qsort

from webclean.core.lexicon import GOLDEN
from webclean.core.page import Page

# of the FNV hash for 64 bits: what is multiplied with it in turn depends on the order
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)


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


def number_keys(
    keys: cython.pointer[cython.const[cython.ulonglong]], n: cython.Py_ssize_t, group: cython.p_longlong, page: Page
) -> cython.void:
    """The same into an array. page: whose memory is used meanwhile."""
    size: cython.Py_ssize_t = 16
    while size < 2 * n:
        size *= 2
    # 1 + the first entry with a key, by its hash
    table: cython.p_longlong = page.take_rows(size, True)
    # the keys, each with its first number
    distinct: cython.pointer[cython.ulonglong] = cython.cast(cython.pointer[cython.ulonglong], page.take(16 * n + 16))
    number: cython.p_longlong = page.take_rows(n + 1)
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


@cython.nogil
@cython.exceptval(check=False)
def _compare_keys(one: cython.p_const_void, other: cython.p_const_void) -> cython.int:
    left: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], one)[0]
    right: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], other)[0]
    return (left > right) - (left < right)
