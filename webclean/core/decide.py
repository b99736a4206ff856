"""Which blocks would be kept, and where running text is -> what findings about a page as a whole add to their points.

Each function does in one pass what its twin in a file of `webclean/decide/` does with arrays, with the sums
added in the same order.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY


def find_run(
    kept: cython.const[cython.uchar][:],
    prose: cython.const[cython.uchar][:],
    words: cython.const[cython.double][:],
    gap: cython.Py_ssize_t,
) -> Any:
    """The run of kept running text with the most words; runs have more than `gap` dropped blocks between them.

    Args:
        kept, prose: bool [n_blocks], what is kept, and running text.
        words: [n_blocks].

    Returns:
        Its first and last block and its words, then the words of all runs; -1, -1, 0 and 0 without any.
    """
    first: cython.Py_ssize_t = -1
    last: cython.Py_ssize_t = -1
    start: cython.Py_ssize_t = -1
    end: cython.Py_ssize_t = -1
    n_dropped: cython.Py_ssize_t = 0
    most: cython.double = 0.0
    running: cython.double = 0.0
    total: cython.double = 0.0
    i: cython.Py_ssize_t
    for i in range(kept.shape[0]):
        if not kept[i]:
            n_dropped += 1
        elif prose[i]:
            if end >= 0 and n_dropped > gap:
                total += running
                if first < 0 or running > most:
                    first, last, most = start, end, running
                end = -1
            if end < 0:
                start = i
                running = 0.0
            running += words[i]
            end = i
            n_dropped = 0
    if end >= 0:
        total += running
        if first < 0 or running > most:
            first, last, most = start, end, running
    return first, last, most, total


def fade_outside(
    kept: cython.const[cython.uchar][:],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    before: cython.double,
    after: cython.double,
    reach: cython.double,
    share: cython.double,
) -> Any:
    """Points of the blocks outside `first` to `last`: all from `reach` dropped blocks on, in proportion before that.

    Args:
        kept: bool [n_blocks].
        before, after: points of the blocks before and after.
        share: of the points that counts.

    Returns:
        points: float64 [n_blocks]; is_before: int64 [n_blocks], 1 for the blocks before.
    """
    n: cython.Py_ssize_t = kept.shape[0]
    points_made = np.zeros(n, dtype=np.float64)
    points: cython.double[::1] = points_made
    is_before_made = np.zeros(n, dtype=np.int64)
    is_before: cython.longlong[::1] = is_before_made
    n_dropped: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(last + 1, n):
        n_dropped += not kept[i]
        points[i] = share * (after * min(1.0, n_dropped / reach))
    n_dropped = 0
    for i in range(first - 1, -1, -1):
        n_dropped += not kept[i + 1]
        points[i] = share * (before * min(1.0, n_dropped / reach))
        is_before[i] = 1
    return points_made, is_before_made


def run_up(
    kept: cython.const[cython.uchar][:],
    prose: cython.const[cython.uchar][:],
    words: cython.const[cython.double][:],
) -> Any:
    """float64 [2, n_blocks + 1]: words of kept running text, and of all that is kept, before each block.

    kept, prose: bool [n_blocks]; words: [n_blocks].
    """
    n: cython.Py_ssize_t = kept.shape[0]
    made = np.zeros((2, n + 1), dtype=np.float64)
    found: cython.double[:, ::1] = made
    i: cython.Py_ssize_t
    for i in range(n):
        found[0, i + 1] = found[0, i] + (words[i] if kept[i] and prose[i] else 0.0)
        found[1, i + 1] = found[1, i] + (words[i] if kept[i] else 0.0)
    return made


def raise_posts(
    group: cython.const[cython.longlong][:],
    points: cython.const[cython.double][:],
    words: cython.const[cython.double][:],
    prose_words: cython.const[cython.double][:],
    text_share: cython.double,
    least: cython.longlong,
    share: cython.double,
) -> Any:
    """float64 [n_blocks]: what posts gain, which are raised towards the mean of their group by `share`.

    Args:
        group: [n_blocks], from 0 on. points, words: of the blocks; prose_words: words of running text.
        text_share, least: of words, and blocks of a group, from which its blocks are posts.
    """
    n: cython.Py_ssize_t = group.shape[0]
    made = np.zeros(n, dtype=np.float64)
    gained: cython.double[::1] = made
    sums: cython.double[:, ::1] = np.zeros((3, n), dtype=np.float64)  # words, those of running text, times points
    size: cython.longlong[::1] = np.zeros(n, dtype=np.int64)
    i: cython.Py_ssize_t
    rise: cython.double
    for i in range(n):
        sums[0, group[i]] += words[i]
        sums[1, group[i]] += prose_words[i]
        sums[2, group[i]] += words[i] * points[i]
        size[group[i]] += 1
    for i in range(n):
        if size[group[i]] >= least and sums[1, group[i]] > text_share * sums[0, group[i]]:
            rise = sums[2, group[i]] / sums[0, group[i]] - points[i]
            gained[i] = share * (rise if rise > 0.0 else 0.0)
    return made


def lower_regions(n: cython.Py_ssize_t, regions: list[tuple[int, int, float]]) -> Any:
    """Points of the blocks of regions, in several the lowest: float64 [n]; the numbers of the regions: int64 [n].

    regions: first block, end and points of each; 0 outside.
    """
    points_made = np.zeros(n, dtype=np.float64)
    because_made = np.zeros(n, dtype=np.int64)
    points: cython.double[::1] = points_made
    because: cython.longlong[::1] = because_made
    number: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    i: cython.Py_ssize_t
    lost: cython.double
    for number in range(len(regions)):
        first, last, lost = regions[number]
        for i in range(first, last):
            if lost < points[i]:
                points[i] = lost
                because[i] = number
    return points_made, because_made


def average_kept(
    group: cython.const[cython.longlong][:],
    around: cython.const[cython.longlong][:],
    points: cython.const[cython.double][:],
    kept: cython.const[cython.uchar][:],
    words: cython.const[cython.double][:],
    least_kept: cython.double,
) -> Any:
    """float64 [n_blocks]: the mean points of the kept words of a block's group, if their share of its words is enough;
    -inf for others, and where `around` is below 0.

    group: [n_blocks], from 0 on.
    """
    n: cython.Py_ssize_t = group.shape[0]
    made = np.empty(n, dtype=np.float64)
    found: cython.double[::1] = made
    sums: cython.double[:, ::1] = np.zeros((3, n), dtype=np.float64)  # words, kept ones, these times points
    i: cython.Py_ssize_t
    own: cython.Py_ssize_t
    for i in range(n):
        own = group[i]
        sums[0, own] += words[i]
        if kept[i]:
            sums[1, own] += words[i]
            sums[2, own] += words[i] * points[i]
    for i in range(n):
        own = group[i]
        if around[i] >= 0 and sums[1, own] > 0 and sums[1, own] >= least_kept * sums[0, own]:
            found[i] = sums[2, own] / (sums[1, own] if sums[1, own] > 1.0 else 1.0)
        else:
            found[i] = -INFINITY
    return made
