"""Siblings alike in name -> their groups, the groups around each text block, and records, see `features.repetition` and
`classify.features.records`. Sums are added in the order of the definitions.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from webclean.core.attributes import GOLDEN
from webclean.core.features import at_least_1


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


def find_records(
    group: cython.const[cython.longlong][:],
    n_blocks: cython.const[cython.double][:],
    prose: cython.const[cython.double][:],
) -> Any:
    """The group of siblings over which the running text of a page is spread most.

    Args:
        group: [n_elements], the group of each element, -1 for none.
        n_blocks, prose: [n_elements], text blocks and words of running text below each.

    Returns:
        rows: int64 [n], its elements with several blocks and running text; their share of the page's running text; the
        effective number of them. No rows, 0 and 0 where there is no such group.
    """
    n: cython.Py_ssize_t = group.shape[0]
    n_groups: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    number: cython.Py_ssize_t
    best: cython.Py_ssize_t = -1
    most: cython.double = 0.0
    spread: cython.double
    share: cython.double = 0.0
    count: cython.double = 0.0
    whole: cython.double
    for i in range(n):
        if group[i] >= n_groups:
            n_groups = group[i] + 1
    total: cython.double[::1] = np.zeros(n_groups, dtype=np.float64)
    squares: cython.double[::1] = np.zeros(n_groups, dtype=np.float64)
    for i in range(n):
        if group[i] >= 0 and n_blocks[i] >= 2 and prose[i] > 0:
            total[group[i]] += prose[i]
            squares[group[i]] += prose[i] * prose[i]
    whole = prose[0] if n and prose[0] > 1.0 else 1.0
    for number in range(n_groups):
        if total[number] > 0:
            spread = total[number] / whole * (1 - 1 / (total[number] * total[number] / squares[number]))
            if best < 0 or spread > most:
                best, most = number, spread
    rows: list = []
    if best >= 0:
        share = total[best] / whole
        count = total[best] * total[best] / squares[best]
        rows = [i for i in range(n) if group[i] == best and n_blocks[i] >= 2 and prose[i] > 0]
    return np.array(rows, dtype=np.int64), share, count
