"""Tables of features of semantic blocks, of which there are n.

The rows of each table are features of `segments.features`, which define them; `segments.segment_tables` names them.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np


def describe_contents(
    owner: cython.const[cython.int][:],
    roots: tuple[tuple[int, ...], ...],
    elements: tuple[Any, Any],
    is_kind: cython.const[cython.uchar][:, ::1],
    blocks: tuple[Any, Any, Any, Any, Any],
    decided: tuple[Any, Any, float],
) -> Any:
    """float64 [21, n].

    Args:
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        roots: the outermost elements of each semantic block.
        elements: int64 [n_elements] each, tags, and the link around each element.
        is_kind: uint8 [5, n_codes], which tags are images, controls, headings, h1, cells.
        blocks: of the text blocks the elements, int64; characters, words, characters in links and sentences, float64.
        decided: of the text blocks, uint8, which are seen, and float64, their points; those from which they are kept.
    """
    tag: cython.const[cython.longlong][:] = elements[0]
    link: cython.const[cython.longlong][:] = elements[1]
    row: cython.const[cython.longlong][:] = blocks[0]
    chars: cython.const[cython.double][:] = blocks[1]
    words: cython.const[cython.double][:] = blocks[2]
    linked: cython.const[cython.double][:] = blocks[3]
    sentences: cython.const[cython.double][:] = blocks[4]
    is_seen: cython.const[cython.uchar][:] = decided[0]
    score: cython.const[cython.double][:] = decided[1]
    cut: cython.double = decided[2]
    n: cython.Py_ssize_t = len(roots)
    # text blocks, characters, words, characters in links, sentences, words at least 1 a text block, points of these,
    # characters that are seen; links; elements of each kind
    sums: cython.double[:, ::1] = np.zeros((n, 14))
    made = np.empty((21, n))
    table: cython.double[:, ::1] = made
    seen: cython.double = 0
    shown: cython.double = 0
    whole: cython.double = 0
    before: cython.double = 0
    first_h1: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    for i in range(row.shape[0]):
        shown += chars[i]
        seen += chars[i] if is_seen[i] else 0
        k = owner[row[i]]
        if k >= 0:
            sums[k, 0] += 1
            sums[k, 1] += chars[i]
            sums[k, 2] += words[i]
            sums[k, 3] += linked[i]
            sums[k, 4] += sentences[i]
            sums[k, 5] += max(1.0, words[i])
            sums[k, 6] += max(1.0, words[i]) * (score[i] - cut)
            sums[k, 7] += chars[i] if is_seen[i] else 0
    for i in range(tag.shape[0]):
        if first_h1 < 0 and is_kind[3, tag[i]]:
            first_h1 = i
        k = owner[i]
        if k >= 0:
            sums[k, 8] += link[i] == i
            for kind in range(5):
                sums[k, 9 + kind] += is_kind[kind, tag[i]]
    for k in range(n):
        whole += sums[k, 1]
    for k in range(n):
        i = roots[k][0]
        table[0, k] = sums[k, 1] / max(1.0, whole)
        table[1, k] = sums[k, 1]
        table[2, k] = sums[k, 3] / max(1.0, sums[k, 1])
        table[3, k] = sums[k, 8]
        table[4, k] = sums[k, 3] / max(1.0, sums[k, 8])
        table[5, k] = sums[k, 2] / max(1.0, sums[k, 0])
        table[6, k] = sums[k, 0]
        table[7, k] = sums[k, 4]
        table[8, k] = before / max(1.0, whole)
        table[9, k] = k
        table[9, k] /= max(1, n - 1)
        table[10, k] = 100 * sums[k, 9] / max(1.0, sums[k, 1])
        table[11, k] = sums[k, 10]
        table[12, k] = 1 if i < first_h1 else 0
        table[13, k] = before
        before += sums[k, 1]
        table[14, k] = whole - before
        table[15, k] = sums[k, 11]
        table[16, k] = sums[k, 12]
        table[17, k] = sums[k, 13] / max(1.0, sums[k, 0])
        table[18, k] = sums[k, 6] / max(1.0, sums[k, 5])
        table[19, k] = 1 if sums[k, 7] == 0 and sums[k, 1] > 0 else 0
        table[20, k] = table[19, k] * (2 * seen >= shown)
    return made


def share_kept(
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
    row: cython.const[cython.longlong][:],
    words: cython.const[cython.double][:],
    is_kept: cython.const[cython.uchar][:],
) -> Any:
    """float64 [n]: the share of each block's words in text blocks that are kept.

    Args:
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
        row, words, is_kept: of the text blocks, int64, float64 and uint8. Each counts for a word at least.
    """
    made = np.zeros(n)
    share: cython.double[::1] = made
    total: cython.double[::1] = np.zeros(n)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(row.shape[0]):
        k = owner[row[i]]
        if k >= 0:
            total[k] += max(1.0, words[i])
            share[k] += max(1.0, words[i]) if is_kept[i] else 0
    for k in range(n):
        share[k] /= max(1.0, total[k])
    return made


def describe_block_surroundings(
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
    tree: tuple[Any, Any],
    marks: tuple[Any, Any, Any, int, list[tuple[list[int], int]]],
    blocks: tuple[Any, Any],
    n_flags: cython.Py_ssize_t,
    most: cython.double,
) -> Any:
    """float64 [n_flags, n]: the share of a block's characters that are inside elements with each flag.

    Args:
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
        tree: int64 [n_elements] each, parent and end.
        marks: what gives elements flags, as bits, of which the last one counts only for elements with less than `most`
            of the text: int64 [n_elements], tags; uint16 [n_codes], flags of tags; int64 [n_elements], groups of tokens
            as bits; those that give the last flag; rows of elements, each time with their flags.
        blocks: of the text blocks the elements, int64, and characters, float64.
        n_flags, most: as said.
    """
    parent: cython.const[cython.longlong][:] = tree[0]
    end: cython.const[cython.longlong][:] = tree[1]
    row: cython.const[cython.longlong][:] = blocks[0]
    chars: cython.const[cython.double][:] = blocks[1]
    made = np.zeros((n_flags, n))
    table: cython.double[:, ::1] = made
    total: cython.double[::1] = np.zeros(n)
    running: cython.double[::1] = np.zeros(parent.shape[0] + 1)
    joined: cython.ushort[::1] = np.zeros(parent.shape[0], dtype=np.uint16)
    last: cython.ushort = 1 << (n_flags - 1)
    tag: cython.const[cython.longlong][:] = marks[0]
    of_tag: cython.const[cython.ushort][:] = marks[1]
    names: cython.const[cython.longlong][:] = marks[2]
    groups: cython.longlong = marks[3]
    given: cython.ushort
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    flag: cython.Py_ssize_t
    for i in range(row.shape[0]):
        running[row[i] + 1] += chars[i]
    for i in range(parent.shape[0]):
        running[i + 1] += running[i]
        joined[i] = of_tag[tag[i]] | (last if names[i] & groups else 0)
    for rows, given in marks[4]:
        for i in rows:
            joined[i] |= given
    for i in range(parent.shape[0]):
        if joined[i] & last and running[end[i]] - running[i] >= most * running[parent.shape[0]]:
            joined[i] ^= last
        if parent[i] >= 0:
            joined[i] |= joined[parent[i]]
    for i in range(row.shape[0]):
        k = owner[row[i]]
        if k >= 0:
            total[k] += chars[i]
            for flag in range(n_flags):
                if joined[row[i]] >> flag & 1:
                    table[flag, k] += chars[i]
    for flag in range(n_flags):
        for k in range(n):
            table[flag, k] /= max(1.0, total[k])
    return made


def describe_block_names(
    roots: tuple[tuple[int, ...], ...],
    tree: tuple[Any, Any],
    names: cython.const[cython.longlong][:],
    groups: cython.const[cython.longlong][:],
) -> Any:
    """float64 [n_groups, n]: 1 where the block's own elements are named by a group of tokens, 0.5 where one around is.

    Args:
        roots: the outermost elements of each semantic block. What is their only child is its own as well.
        tree: int64 [n_elements] each, parent and end.
        names: int64 [n_elements], groups of tokens in the names of each element, as bits.
        groups: int64 [n_groups], their bits.
    """
    parent: cython.const[cython.longlong][:] = tree[0]
    end: cython.const[cython.longlong][:] = tree[1]
    made = np.zeros((groups.shape[0], len(roots)))
    table: cython.double[:, ::1] = made
    own: cython.longlong
    around: cython.longlong
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for k in range(len(roots)):
        own = around = 0
        for root in roots[k]:
            row = root
            own |= names[row]
            while row + 1 < end[row] and end[row + 1] == end[row]:
                row += 1
                own |= names[row]
        row = roots[k][0]
        row = parent[row]
        while row >= 0:
            around |= names[row]
            row = parent[row]
        if own | around:
            for i in range(groups.shape[0]):
                table[i, k] = 1.0 if own & groups[i] else 0.5 if around & groups[i] else 0.0
    return made
