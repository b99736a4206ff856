"""Tables of features of the nodes of a cut tree that have parts, of which there are n.

The rows of each table are features of `segments.node_features`, which define them; `segments.node_tables` names them.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_READ_CHAR

from webclean.core.attributes import GOLDEN

_HASH_SIGN = cython.declare(cython.Py_UCS4, 35)
_SLASH_SIGN = cython.declare(cython.Py_UCS4, 47)
_QUESTION_SIGN = cython.declare(cython.Py_UCS4, 63)


def describe_node_texts(
    rows: cython.const[cython.longlong][:],
    ends: cython.const[cython.longlong][:],
    nodes: tuple[Any, Any],
    page: tuple[Any, Any, Any, Any, Any],
    is_kind: cython.const[cython.uchar][:, ::1],
    height: cython.double,
) -> Any:
    """float64 [13, n].

    Args:
        rows, ends: int64 [n], the outermost element of each node, and one past its last element.
        nodes: shares of the page's characters, float64 [n], and numbers of parts, int64 [n].
        page: int64 [n_elements], tags; of the text blocks their elements, int64, and their words, characters and
            characters in links, float64.
        is_kind: uint8 [4, n_codes], which tags are headings, images, controls, rules.
        height: of the tree.
    """
    share: cython.const[cython.double][:] = nodes[0]
    n_parts: cython.const[cython.longlong][:] = nodes[1]
    tag: cython.const[cython.longlong][:] = page[0]
    block: cython.const[cython.longlong][:] = page[1]
    words: cython.const[cython.double][:] = page[2]
    chars: cython.const[cython.double][:] = page[3]
    linked: cython.const[cython.double][:] = page[4]
    n: cython.Py_ssize_t = rows.shape[0]
    sums: cython.double[:, ::1] = np.zeros((tag.shape[0] + 1, 8))  # by row, for all of a row are read together
    made = np.empty((13, n))
    table: cython.double[:, ::1] = made
    i: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    n_blocks: cython.double
    for i in range(block.shape[0]):
        sums[block[i] + 1, 0] += 1
        sums[block[i] + 1, 1] += words[i]
        sums[block[i] + 1, 2] += chars[i]
        sums[block[i] + 1, 3] += linked[i]
    for i in range(tag.shape[0]):
        for kind in range(4):
            sums[i + 1, kind] += sums[i, kind]
            sums[i + 1, kind + 4] = sums[i, kind + 4] + is_kind[kind, tag[i]]
    whole: cython.double = sums[tag.shape[0], 2]
    for i in range(n):
        first, end = rows[i], ends[i]
        n_blocks = sums[end, 0] - sums[first, 0]
        table[0, i] = share[i] * whole
        table[1, i] = whole
        table[2, i] = block.shape[0]
        table[3, i] = height
        table[4, i] = sums[first, 2] / max(1.0, whole)
        table[5, i] = share[i] * whole / max(1, n_parts[i])
        table[6, i] = (sums[end, 3] - sums[first, 3]) / max(1.0, sums[end, 2] - sums[first, 2])
        table[7, i] = n_blocks
        table[8, i] = (sums[end, 1] - sums[first, 1]) / max(1.0, n_blocks)
        for kind in range(4):
            table[9 + kind, i] = sums[end, kind + 4] - sums[first, kind + 4]
    return made


def describe_node_links(
    nodes: tuple[Any, Any, Any],
    parts: tuple[Any, Any, Any, Any],
    page: tuple[Any, Any, Any],
) -> Any:
    """float64 [4, n].

    Args:
        nodes: int64 [n] each, the outermost element, one past the last element, and the number of parts.
        parts: the outermost element of each node of the tree, int64; the number of each part in the tree and the place
            of the node that it is a part of, int64 [n_parts] each, those of the first node first; the end of each
            element, int64 [n_elements].
        page: the rows of its links, rising, and the numbers of their targets, int64 [n_links] each; a number for the
            directory of each target, -1 for those that lead to no page, int64 [n_targets].
    """
    rows: cython.const[cython.longlong][:] = nodes[0]
    ends: cython.const[cython.longlong][:] = nodes[1]
    n_parts: cython.const[cython.longlong][:] = nodes[2]
    row_of: cython.const[cython.longlong][:] = parts[0]
    part: cython.const[cython.longlong][:] = parts[1]
    whole: cython.const[cython.longlong][:] = parts[2]
    end: cython.const[cython.longlong][:] = parts[3]
    every: cython.const[cython.longlong][:] = page[0]
    target: cython.const[cython.longlong][:] = page[1]
    of_target: cython.const[cython.longlong][:] = page[2]
    n: cython.Py_ssize_t = rows.shape[0]
    made = np.zeros((4, n))
    table: cython.double[:, ::1] = made
    leading: cython.longlong[:, ::1] = np.empty((2, every.shape[0]), dtype=np.int64)
    n_links: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(every.shape[0]):
        if of_target[target[i]] >= 0:
            leading[0, n_links], leading[1, n_links] = every[i], of_target[target[i]]
            n_links += 1
    links: cython.const[cython.longlong][:] = leading[0, :n_links]
    folder: cython.const[cython.longlong][:] = leading[1, :n_links]
    n_same: cython.longlong[::1] = np.zeros(links.shape[0] + 1, dtype=np.int64)
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(links.shape[0]):
        n_same[i + 1] = n_same[i] + (i > 0 and folder[i] == folder[i - 1])
    for i in range(n):
        first, last = _search(links, rows[i]), _search(links, ends[i])
        table[0, i] = last - first
        table[1, i] = table[0, i] / max(1, n_parts[i])
        table[2, i] = n_same[last] - n_same[min(first + 1, last)]
        table[2, i] /= max(1, last - first - 1)
    for i in range(1, part.shape[0]):
        if whole[i] == whole[i - 1]:
            first = row_of[part[i]]
            at = _search(links, first)
            if 0 < at < links.shape[0] and links[at] < end[first] and links[at - 1] >= rows[whole[i]]:
                table[3, whole[i]] += folder[at] == folder[at - 1]
    for i in range(n):
        table[3, i] /= max(1, n_parts[i] - 1)
    return made


@cython.cfunc
@cython.exceptval(check=False)
def _search(rising: cython.const[cython.longlong][:], value: cython.longlong) -> cython.Py_ssize_t:
    """How many numbers are smaller."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = rising.shape[0]
    middle: cython.Py_ssize_t
    while low < high:
        middle = (low + high) // 2
        if rising[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def describe_parts(
    nodes: tuple[Any, Any, Any],
    parts: tuple[Any, Any],
    kinds: tuple[Any, Any, Any],
    is_heading: cython.const[cython.uchar][::1],
    n_classes: cython.Py_ssize_t,
) -> Any:
    """float64 [6, n].

    Args:
        nodes: the number of parts and the place of the node around, int64 [n], and of large parts, float64 [n].
        parts: int64 [n_parts] each, the outermost element of each part, and a number for its nested tags.
        kinds: int64 [n_elements] each, tags, and numbers for tag and classes, of which 0 tells nothing.
        is_heading: uint8 [n_codes], of tags.
        n_classes: numbers of `kinds`.
    """
    n_parts: cython.const[cython.longlong][:] = nodes[0]
    above: cython.const[cython.longlong][:] = nodes[1]
    large: cython.const[cython.double][:] = nodes[2]
    part: cython.const[cython.longlong][:] = parts[0]
    shape: cython.const[cython.longlong][:] = parts[1]
    tag: cython.const[cython.longlong][:] = kinds[0]
    classes: cython.const[cython.longlong][:] = kinds[1]
    n: cython.Py_ssize_t = n_parts.shape[0]
    made = np.zeros((6, n))
    table: cython.double[:, ::1] = made
    counts: cython.int[::1] = np.zeros(n_classes + is_heading.shape[0], dtype=np.intc)
    at: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    most: cython.int
    for i in range(n):
        most = 0
        for k in range(at, at + n_parts[i]):
            kind = _number_kind(tag[part[k]], classes[part[k]], n_classes)
            counts[kind] += 1
            most = max(most, counts[kind])
            table[4, i] += is_heading[tag[part[k]]]
            table[5, i] += k > at and shape[k] == shape[k - 1]
        for k in range(at, at + n_parts[i]):
            counts[_number_kind(tag[part[k]], classes[part[k]], n_classes)] = 0
        at += n_parts[i]
        table[0, i] = n_parts[i]
        table[1, i] = n_parts[above[i]] if above[i] >= 0 else 0
        table[2, i] = n_parts[i] - large[i]
        table[3, i] = most
        table[3, i] /= max(1, n_parts[i])
        table[5, i] /= max(1, n_parts[i] - 1)
    return made


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _number_kind(tag: cython.Py_ssize_t, classes: cython.Py_ssize_t, n_classes: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """A number for tag and classes, also where those have none."""
    return classes if classes else n_classes + tag


def describe_entries(
    inner: cython.const[cython.longlong][:],
    parent: cython.const[cython.longlong][:],
    units: cython.const[cython.longlong][:, ::1],
    running: cython.const[cython.double][:],
    teaser_chars: cython.double,
) -> Any:
    """float64 [3, n].

    Args:
        inner: int64 [n], the innermost element of each node.
        parent: int64 [n_elements].
        units: int64 [n_entries, 2], first row and end of each entry of a repeated list.
        running: float64 [n_elements + 1], prefix sums of characters.
        teaser_chars: of the longest entry that is a teaser.
    """
    n: cython.Py_ssize_t = inner.shape[0]
    made = np.zeros((3, n))
    table: cython.double[:, ::1] = made
    place: cython.int[::1] = np.zeros(parent.shape[0] + 1, dtype=np.intc)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    up: cython.Py_ssize_t
    for i in range(n):
        place[inner[i]] = i + 1
    for k in range(units.shape[0]):
        up = parent[units[k, 0]]
        if up >= 0 and place[up]:
            table[0, place[up] - 1] += 1
            table[2, place[up] - 1] += running[units[k, 1]] - running[units[k, 0]]
    for i in range(n):
        table[1, i] = table[0, i] if table[2, i] <= teaser_chars * table[0, i] else 0.0
        table[2, i] /= max(1.0, table[0, i])
    return made


def describe_chains(
    tree: tuple[Any, Any, list[int]],
    above: cython.const[cython.longlong][:],
    page: tuple[Any, Any],
    groups: cython.const[cython.longlong][:],
    n_codes: cython.Py_ssize_t,
) -> Any:
    """uint8 [n_codes, n], which tags the elements of each chain have; float64 [n_groups, n], 1 where a name in it is of
    a group of tokens, 0.5 where one of a node around it is.

    Args:
        tree: row and inner of all nodes of the tree, int64, and the numbers of the n nodes.
        above: int64 [n], the place of the node around each, -1 for none.
        page: int64 [n_elements] each, tags, and groups of tokens as bits.
        groups: int64 [n_groups], their bits.
        n_codes: codes of tags.
    """
    row: cython.const[cython.longlong][:] = tree[0]
    inner: cython.const[cython.longlong][:] = tree[1]
    nodes: list = tree[2]
    tag: cython.const[cython.longlong][:] = page[0]
    names: cython.const[cython.longlong][:] = page[1]
    n: cython.Py_ssize_t = len(nodes)
    flags = np.zeros((n_codes, n), dtype=np.uint8)
    has_tag: cython.uchar[:, ::1] = flags
    made = np.zeros((groups.shape[0], n))
    shares: cython.double[:, ::1] = made
    own: cython.longlong[::1] = np.zeros(n, dtype=np.int64)
    around: cython.longlong[::1] = np.zeros(n, dtype=np.int64)
    place: cython.Py_ssize_t
    at: cython.Py_ssize_t
    here: cython.Py_ssize_t
    last: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for place in range(n):
        at = nodes[place]
        last = inner[at]
        while True:
            here = row[at]
            has_tag[tag[here], place] = 1
            own[place] |= names[here]
            if here == last:
                break
            at += 1  # in a chain, the next block element with text is the child
        if above[place] >= 0:
            around[place] = around[above[place]] | own[above[place]]
        if own[place] | around[place]:
            for i in range(groups.shape[0]):
                shares[i, place] = 1.0 if own[place] & groups[i] else 0.5 if around[place] & groups[i] else 0.0
    return flags, made


def number_folders(targets: list[str], others: tuple[str, ...]) -> Any:
    """int64 [n]: a number for the directory of each address, a hash of 63 bits; -1 for one that leads to no page.

    targets: without white space at their ends. others: what such addresses begin with, in lower case.
    """
    n: cython.Py_ssize_t = len(targets)
    given: list = targets
    made = np.empty(n, dtype=np.int64)
    number: cython.longlong[::1] = made
    firsts: frozenset = frozenset([other[0] for other in others])
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_UCS4
    hashed: cython.ulonglong
    of_folder: cython.ulonglong
    target: str
    for i in range(n):
        target, number[i] = given[i], -1
        if not target or PyUnicode_READ_CHAR(target, 0) == _HASH_SIGN:
            continue
        if target[0].lower() in firsts and target[:16].lower().startswith(others):
            continue
        hashed = of_folder = 0
        for k in range(len(target)):
            c = PyUnicode_READ_CHAR(target, k)
            if c == _QUESTION_SIGN:
                break
            if c == _SLASH_SIGN:
                of_folder = hashed
            hashed = (hashed + cython.cast(cython.ulonglong, c)) * GOLDEN
            hashed ^= hashed >> 29
        number[i] = of_folder >> 1
    return made
