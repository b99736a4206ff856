# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Which blocks would be kept, and where running text is -> what findings about a page as a whole add to their points.

Each function does in one pass what its twin in `decide.page_ends` or `decide.regions` does with arrays, with the sums
added in the same order.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


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
