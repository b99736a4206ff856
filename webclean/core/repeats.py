"""Siblings alike in name -> their groups, the groups around each text block, and records, see `features.repetition`.
Sums are added in the order of the definitions.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from webclean.core.attributes import GOLDEN
from webclean.core.features import at_least_1
from webclean.core.page import Page


def group_siblings(
    parent: cython.const[cython.longlong][::1],
    names: cython.const[cython.longlong][::1],
    tag: cython.const[cython.longlong][::1],
    is_block: cython.const[cython.uchar][::1],
    words: cython.const[cython.double][::1],
    least: cython.longlong,
) -> Any:
    """Groups of at least `least` siblings with text that are alike in name, see `features.repetition.find_repeats`.

    names, words: of elements; is_block: by tag.

    Returns:
        group: int64 [n_elements], number of the group, -1 for an element in none; sums: float64 [3, n_groups + 1],
        elements, their words, and standard deviation / mean of these; the last group has none.
    """
    n: cython.Py_ssize_t = parent.shape[0]
    room: cython.Py_ssize_t = 16
    while room < 2 * n:
        room *= 2
    group_made = np.empty(n, dtype=np.int64)
    group: cython.longlong[::1] = group_made
    first: cython.longlong[::1] = np.full(room, -1, dtype=np.int64)  # the first element of a group, by its hash
    sums_made = np.zeros((3, n + 1), dtype=np.float64)
    sums: cython.double[:, ::1] = sums_made
    n_groups: cython.longlong = 0
    i: cython.Py_ssize_t
    place: cython.Py_ssize_t
    key: cython.ulonglong
    mean: cython.double
    variance: cython.double
    for i in range(n):
        group[i] = -1
        if words[i] <= 0 or not is_block[tag[i]]:
            continue
        key = (cython.cast(cython.ulonglong, parent[i]) << 32) + cython.cast(cython.ulonglong, names[i])
        place = ((key * GOLDEN) >> 20) & (room - 1)
        while first[place] >= 0 and (parent[first[place]] != parent[i] or names[first[place]] != names[i]):
            place = (place + 1) & (room - 1)
        if first[place] < 0:
            first[place] = i
            group[i] = n_groups
            n_groups += 1
        else:
            group[i] = group[first[place]]
        sums[0, group[i]] += 1
        sums[1, group[i]] += words[i]
        sums[2, group[i]] += words[i] * words[i]
    for i in range(n_groups):
        mean = sums[1, i] / sums[0, i]
        variance = sums[2, i] / sums[0, i] - mean * mean
        sums[2, i] = sqrt(variance if variance > 0 else 0.0) / at_least_1(mean)
    for i in range(n):
        if group[i] >= 0 and sums[0, group[i]] < least:
            group[i] = -1
    return group_made, sums_made[:, : n_groups + 1]


def find_repeated(
    parent: cython.const[cython.longlong][::1],
    group: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    most_steps: cython.int,
) -> Any:
    """int64 [2, n_blocks]: the innermost and the outermost element of a group around each block, or -1.

    group: of elements, -1 for one in none; most_steps: from one element in a group to the next, on the way out.
    """
    n: cython.Py_ssize_t = parent.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    made = np.empty((2, n_blocks), dtype=np.int64)
    found: cython.longlong[:, ::1] = made
    nearest: cython.longlong[::1] = np.empty(n, dtype=np.int64)
    i: cython.Py_ssize_t
    steps: cython.int
    item: cython.Py_ssize_t
    for i in range(n):
        if group[i] >= 0:
            nearest[i] = i
        else:
            nearest[i] = nearest[parent[i]] if parent[i] >= 0 else -1
    for i in range(n_blocks):
        item = nearest[rows[i]]
        found[0, i] = item
        steps = most_steps
        while steps and item >= 0 and parent[item] >= 0 and nearest[parent[item]] >= 0:
            item = nearest[parent[item]]
            steps -= 1
        found[1, i] = item
    return made


@cython.final
@cython.cclass
class Records:
    """The members of one group of siblings, each with several text blocks and running text: teasers, posts, products.

    rows: n elements. share: of the page's running text. count: their effective number, 1 / the sum of their squared
    shares (Simpson, 1949): one long article beside two short boxes of its class counts as hardly more than one record.
    """

    rows: cython.p_longlong
    n: cython.Py_ssize_t
    share: cython.double
    count: cython.double


@cython.cfunc
def find_records(page: Page, group: cython.const[cython.longlong][::1]) -> Records:
    """The group that the running text of the page is spread over most: share x (1 - 1 / count). None of its elements,
    and 0 and 0, where there is no such group.

    group: [n_elements], the group of each element, -1 for none.
    """
    found: Records = Records()
    n_groups: cython.Py_ssize_t = 0
    best: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t
    spread: cython.double
    most: cython.double = 0.0
    all_prose: cython.double = at_least_1(page.n_prose_words_below[0] if page.n_elements else 0.0)
    for i in range(page.n_elements):
        n_groups = group[i] + 1 if group[i] >= n_groups else n_groups
    total: cython.p_double = cython.cast(cython.p_double, page.take_zeros(2 * n_groups * cython.sizeof(cython.double)))
    squares: cython.p_double = total + n_groups
    for i in range(page.n_elements):
        if _is_record(page, group, i):
            total[group[i]] += page.n_prose_words_below[i]
            squares[group[i]] += page.n_prose_words_below[i] * page.n_prose_words_below[i]
    for i in range(n_groups):
        if total[i] > 0:
            spread = total[i] / all_prose * (1 - 1 / (total[i] * total[i] / squares[i]))
            if best < 0 or spread > most:
                best, most = i, spread
    if best < 0:
        return found
    found.share = total[best] / all_prose
    found.count = total[best] * total[best] / squares[best]
    found.rows = cython.cast(cython.p_longlong, page.take(page.n_elements * cython.sizeof(cython.longlong)))
    for i in range(page.n_elements):
        if group[i] == best and _is_record(page, group, i):
            found.rows[found.n] = i
            found.n += 1
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_record(page: Page, group: cython.const[cython.longlong][::1], row: cython.Py_ssize_t) -> cython.bint:
    """Whether an element is of a group and holds several text blocks, of which some are running text."""
    return group[row] >= 0 and page.n_blocks_below[row] >= 2 and page.n_prose_words_below[row] > 0
