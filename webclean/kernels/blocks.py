# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Counts of text blocks -> the columns that nearly all features are made of, see `features.measures`."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


def measure_blocks(
    texts: list[str],
    counts: tuple[Any, ...],
    tree: tuple[Any, ...],
    rows: cython.const[cython.longlong][:],
    n_levels: cython.Py_ssize_t,
    chars_per_word: cython.double,
    label_chars: cython.double,
    link_share: cython.double,
) -> Any:
    """The columns of `features.measures.Measures`, in its order.

    Args:
        texts: of the blocks.
        counts: their characters, link characters, words, link words and sentences, int32 [n_blocks] each.
        tree: parent, end and block of the elements, int64 [n_elements] each.
        rows: the element of each block.
        n_levels: levels that are climbed.
        chars_per_word, label_chars, link_share: of `features.measures`.
    """
    n_chars: cython.const[cython.int][:]
    n_link_chars: cython.const[cython.int][:]
    n_words: cython.const[cython.int][:]
    n_link_words: cython.const[cython.int][:]
    n_sentences: cython.const[cython.int][:]
    parent: cython.const[cython.longlong][:]
    end: cython.const[cython.longlong][:]
    block: cython.const[cython.longlong][:]
    n_chars, n_link_chars, n_words, n_link_words, n_sentences = counts
    parent, end, block = tree
    n: cython.Py_ssize_t = end.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    lengths_made = np.empty(n_blocks, dtype=np.int64)
    prose_made = np.empty(n_blocks, dtype=np.uint8)
    levels_made = np.empty((n_levels, n_blocks), dtype=np.int64)
    values_made = np.empty((4, n_blocks), dtype=np.float64)
    below_made = np.empty((4, n), dtype=np.float64)
    lengths: cython.longlong[::1] = lengths_made
    prose: cython.uchar[::1] = prose_made
    levels: cython.longlong[:, ::1] = levels_made
    values: cython.double[:, ::1] = values_made  # words, link words, words of running text, and 1
    below: cython.double[:, ::1] = below_made
    running: cython.double[:, ::1] = np.zeros((n + 1, 4), dtype=np.float64)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    words: cython.double
    label: cython.double
    for i in range(n_blocks):
        lengths[i] = len(cython.cast(str, texts[i]))
        words = min(cython.cast(cython.double, n_words[i]), n_chars[i] / chars_per_word)
        words = words if words > 1.0 else 1.0
        label = label_chars / 2 if n_words[i] * chars_per_word > n_chars[i] else label_chars
        prose[i] = n_sentences[i] > 0 and n_chars[i] > label and n_link_chars[i] < link_share * n_chars[i]
        values[0, i] = words
        values[1, i] = n_link_words[i] * min(1.0, words / max(1, n_words[i]))
        values[2, i] = words if prose[i] else 0.0
        values[3, i] = 1.0
        row = rows[i]
        for k in range(4):
            running[row + 1, k] += values[k, i]
        for k in range(n_levels):
            levels[k, i] = row
            row = block[parent[row]] if parent[row] >= 0 else row
    for i in range(n):
        for k in range(4):
            running[i + 1, k] += running[i, k]
    for k in range(4):
        for i in range(n):
            below[k, i] = running[end[i], k] - running[i, k]
    return (lengths_made, prose_made.view(np.bool_), levels_made, *values_made[:3], *below_made)
