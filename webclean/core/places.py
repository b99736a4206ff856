"""Columns of a page -> where its text blocks stand beside its headline, main path, densest text and links.

As in `kernels.features`: one row of the result for each feature, with sums added in the order of the definitions.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


def describe_places(
    of_elements: tuple[Any, ...],
    of_blocks: tuple[Any, ...],
    path: cython.const[cython.longlong][::1],
    same: cython.const[cython.longlong][::1],
    is_field: cython.const[cython.uchar][::1],
    page_words: cython.double,
    headline: cython.Py_ssize_t,
    far: cython.double,
    alone: cython.double,
) -> Any:
    """float64 [9, n_blocks]: see `features.container`, `features.main_path`, `features.landmarks`, `features.text`.

    Args:
        of_elements: parent, end and tag of each, and the words in it.
        of_blocks: the element of each and the block element two levels up, its words and link words, and whether it is
            running text.
        path: of blocks.
        same: of blocks, the first one with the same text.
        is_field: by tag.
        page_words: words of the page.
        headline: its block, -1 for none.
        far, alone: distance from the headline and share of words around it where there is none.
    """
    parent: cython.const[cython.longlong][::1]
    end: cython.const[cython.longlong][::1]
    tag: cython.const[cython.longlong][::1]
    n_words: cython.const[cython.double][::1]
    rows: cython.const[cython.longlong][::1]
    two_up: cython.const[cython.longlong][::1]
    words: cython.const[cython.double][::1]
    link_words: cython.const[cython.double][::1]
    prose: cython.const[cython.uchar][::1]
    parent, end, tag, n_words = of_elements
    rows, two_up, words, link_words, prose = of_blocks
    n: cython.Py_ssize_t = parent.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    made = np.empty((9, n_blocks), dtype=np.float64)
    table: cython.double[:, ::1] = made
    of_path: cython.double[::1] = np.zeros(n_blocks, dtype=np.float64)
    n_same: cython.longlong[::1] = np.zeros(n_blocks, dtype=np.int64)
    n_fields: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    common: cython.longlong[::1] = np.empty(n, dtype=np.int64)
    dense: cython.Py_ssize_t = _find_densest(parent, rows, words, link_words, prose)
    main: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = -1
    last: cython.Py_ssize_t = -1
    row: cython.Py_ssize_t = rows[headline] if headline >= 0 else -1
    largest: cython.double = 0.0
    i: cython.Py_ssize_t
    for i in range(n):
        n_fields[i + 1] = n_fields[i] + is_field[tag[i]]
    if headline >= 0:
        for i in range(n):
            common[i] = i if i <= row < end[i] else common[parent[i]]
    for i in range(n_blocks):
        of_path[path[i]] += words[i] if prose[i] else 0.0
        n_same[same[i]] += 1
        largest = words[i] if words[i] > largest else largest
    for i in range(n_blocks):
        main = i if of_path[i] > of_path[main] else main
    for i in range(n_blocks):
        if path[i] == main:
            first = i if first < 0 else first
            last = i
    for i in range(n_blocks):
        table[0, i] = i - headline if headline >= 0 else far
        table[1, i] = n_words[common[rows[i]]] / page_words if headline >= 0 else alone
        table[2, i] = dense <= rows[i] < end[dense]
        table[3, i] = first - i if first > i else 0
        table[4, i] = i - last if i > last else 0
        table[5, i] = n_fields[end[two_up[i]]] - n_fields[two_up[i]]
        table[6, i] = n_same[same[i]]
        table[7, i] = same[i] < i
        table[8, i] = largest
    return made


@cython.cfunc
def _find_densest(
    parent: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    words: cython.const[cython.double][::1],
    link_words: cython.const[cython.double][::1],
    prose: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """The element whose children and grandchildren have the most running text; that of grandchildren counts half."""
    n: cython.Py_ssize_t = parent.shape[0]
    inside: cython.double[:, ::1] = np.zeros((2, n), dtype=np.float64)
    best: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    above: cython.Py_ssize_t
    weight: cython.double
    for i in range(rows.shape[0]):
        if prose[i]:
            weight = words[i] - link_words[i]
            above = parent[rows[i]] if parent[rows[i]] > 0 else 0
            inside[0, above] += weight
            above = parent[above] if parent[above] > 0 else 0
            inside[1, above] += weight / 2
    for i in range(n):
        if inside[0, i] + inside[1, i] > inside[0, best] + inside[1, best]:
            best = i
    return best


def describe_links(
    end: cython.const[cython.longlong][::1],
    above: cython.const[cython.longlong][:, ::1],
    rows: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.longlong][::1],
    length: cython.const[cython.double][::1],
    is_own: cython.const[cython.uchar][::1],
    same_site: cython.longlong,
    other_site: cython.longlong,
    has_directory: cython.bint,
) -> Any:
    """float64 [5, n_blocks]: the links of the elements around a block, see `features.links`.

    Args:
        above: int64 [n_levels, n_blocks], the block elements 0, 1, 2, ... levels up.
        rows, kinds, length, is_own: of links, their elements, kinds, segments, and whether they lead to the page's own
            directory.
        same_site, other_site: kinds.
        has_directory: whether the page is in a directory.
    """
    n: cython.Py_ssize_t = end.shape[0]
    n_blocks: cython.Py_ssize_t = above.shape[1]
    made = np.empty((5, n_blocks), dtype=np.float64)
    table: cython.double[:, ::1] = made
    # before each element: links, those to other sites, segments, those to the own directory
    running: cython.double[:, ::1] = np.zeros((n + 1, 4), dtype=np.float64)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.double
    for i in range(rows.shape[0]):
        row = rows[i] + 1
        running[row, 0] += 1
        running[row, 1] += kinds[i] == other_site
        running[row, 2] += length[i]
        running[row, 3] += kinds[i] == same_site and is_own[i]
    for i in range(n):
        for k in range(4):
            running[i + 1, k] += running[i, k]
    for i in range(n_blocks):
        row = above[0, i]
        count = running[end[row], 0] - running[row, 0]
        table[0, i] = count
        table[1, i] = (running[end[row], 1] - running[row, 1]) / count if count else -1.0
        row = above[1, i]
        count = running[end[row], 0] - running[row, 0]
        table[2, i] = (running[end[row], 2] - running[row, 2]) / count if count else -1.0
        row = above[2, i]
        count = running[end[row], 0] - running[row, 0]
        table[3, i] = (running[end[row], 1] - running[row, 1]) / count if count else -1.0
        table[4, i] = (running[end[row], 3] - running[row, 3]) / count if count and has_directory else -1.0
    return made
