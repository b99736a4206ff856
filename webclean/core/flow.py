"""Columns of a page and what is kept of it -> the elements and text nodes that a tree of clean elements is built from.

A block whose text needs no look inside is listed by its first text node alone; see `outputs.flow.builder`.

Enters: a page with blocks, what is kept, the flags of tags, rows that are special. Leaves: what `core.tree` visits.
Keep: what is left out here is in no output: a block is written whole only where nothing inside it shows (`mixed`).
Tested by `tests/core/test_flow.py` and `tests/outputs/test_properties.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.string import memcpy

from webclean.core.page import Page

FLOW_FLAGS = {
    "structure": 1,
    "shown": 2,
    "telling": 4,
    "cell": 8,
    "break": 16,
    "heading": 32,
    "block": 64,
    "may_be_lone": 128,
    "may_be_filled": 256,
    "family": 1536,  # the bits of a number
}
"""What a tag means to `outputs.flow.builder`; a tag has the sum of its flags."""

_IS_DIRECTED = cython.declare(cython.uchar, 1)
_IS_SPECIAL = cython.declare(cython.uchar, 2)


def find_filled(page: Page, kept: cython.const[cython.uchar][::1]) -> Any:
    """bool [n_elements]: elements that contain kept text. kept: bool [n_blocks]."""
    n: cython.Py_ssize_t = page.n_elements
    made = np.empty(n, dtype=np.bool_)
    filled: cython.uchar[::1] = made.view(np.uint8)
    # kept texts in the elements before each, so that those of a subtree are a difference
    running: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    for i in range(page.n_texts):
        if page.block_of[i] >= 0 and kept[page.block_of[i]]:
            running[page.text_owner[i] + 1] += 1
    for i in range(n):
        running[i + 1] += running[i]
    for i in range(n):
        filled[i] = running[page.end[i]] > running[i]
    return made


class _Visit:
    """The columns that are read, and what is found of them.

    mixed: uint8 [n_elements], block elements with kept text whose blocks cannot be written as a whole. special: alike,
    elements that say a direction, or are added in a way of their own. whole: uint8 [n_blocks], blocks that can.
    """

    page: Page
    memory: Page  # of this object alone: a page may be rendered many times
    kept: cython.const[cython.uchar][::1]
    flags: cython.const[cython.ushort][::1]
    filled: cython.const[cython.uchar][::1]
    mixed: cython.p_uchar
    special: cython.p_uchar
    whole: cython.p_uchar
    n: cython.Py_ssize_t


def plan_visit(
    page: Page,
    kept: cython.const[cython.uchar][::1],
    filled: cython.const[cython.uchar][::1],
    flags: cython.const[cython.ushort][::1],
    rows: tuple[list[int], list[int], list[int], list[int], list[int]],
    signs: list[int],
) -> Any:
    """The elements and text nodes to visit; see `outputs.flow.builder.plan_visit`.

    Args:
        page: with blocks.
        kept: bool [n_blocks]; filled: bool [n_elements], elements that contain kept text.
        flags: by tag.
        rows: elements that are added in a way of their own; that say in which direction their text runs; of which each
            is added by itself, with all in it; images and the like that are shown; first elements of formulas.
        signs: kept blocks that may hold formulas.

    Returns:
        Lists: rows, lone, nodes, after, blocks, is_whole.
    """
    visit: _Visit = _Visit()
    special: list
    directed: list
    around: list
    objects: list
    formulas: list
    special, directed, around, objects, formulas = rows
    visit.page, visit.memory, visit.n = page, Page(8 * page.n_elements), page.n_elements
    visit.kept, visit.filled, visit.flags = kept, filled, flags
    visit.mixed, visit.special = visit.memory.take_flags(visit.n, True), visit.memory.take_flags(visit.n, True)
    visit.whole = visit.memory.take_flags(page.n_blocks, True)
    i: cython.Py_ssize_t
    for i in directed:
        visit.special[i] = _IS_DIRECTED
    for i in special:
        visit.special[i] = _IS_SPECIAL
    _mark_mixed(visit, around, objects, formulas)
    for i in signs:
        visit.mixed[visit.page.row[i]] = filled[visit.page.row[i]]
    for i in range(page.n_blocks):
        visit.whole[i] = kept[i] and not visit.mixed[visit.page.row[i]]
    listed: list = _list_rows(visit, objects, formulas)
    nodes: list = _list_nodes(visit, objects)
    # a block that is added whole with its text is not checked for a direction of its own
    lone: list = [-1] * len(listed) if directed else _find_lone(visit, listed, nodes)
    after: list = [visit.page.text_next[i] for i in nodes]
    blocks: list = [visit.page.block_of[i] for i in nodes]
    return listed, lone, nodes, after, blocks, [i >= 0 and visit.whole[i] != 0 for i in blocks]


def _mark_mixed(visit: _Visit, around: list, objects: list, formulas: list) -> None:
    """Mark the block elements with kept text whose blocks cannot be written as a whole."""
    reach: cython.Py_ssize_t = 0  # up to where all elements are inside one of which each is added by itself
    is_around: cython.p_uchar = visit.memory.take_flags(visit.n, True)
    i: cython.Py_ssize_t
    for i in around:
        is_around[i] = 1
    for i in range(visit.n):
        # text inside a note, or inside a link or emphasis that is shown, is written piece by piece
        if is_around[i] or (visit.filled[i] and visit.flags[visit.page.tag[i]] & FLOW_TELLING):
            visit.mixed[visit.page.block[i]] = 1
            reach = max(reach, visit.page.end[i])
        if i < reach:
            visit.mixed[i] = 1
        if visit.special[i] == _IS_SPECIAL or visit.flags[visit.page.tag[i]] & FLOW_BREAK:
            visit.mixed[visit.page.block[i]] = 1
    for listed in (objects, formulas):
        for i in listed:
            above: cython.Py_ssize_t = visit.page.block[i]
            # an image between two paragraphs has a block element of its own: the one that holds text too is taken apart
            while not visit.filled[above] and visit.page.parent[above] >= 0:
                above = visit.page.block[visit.page.parent[above]]
            visit.mixed[above] = 1
    for i in range(visit.n):
        visit.mixed[i] &= visit.filled[i]


def _list_rows(visit: _Visit, objects: list, formulas: list) -> list:
    """The elements to visit."""
    wanted: cython.p_uchar = visit.memory.take_flags(visit.n, True)
    for i in objects:
        wanted[i] = 1
        if visit.page.link[i] >= 0:
            wanted[visit.page.link[i]] = 1
    for i in formulas:
        wanted[i] = 1
    return _drop_headings(visit, [i for i in range(visit.n) if wanted[i] or _is_wanted(visit, i)])


@cython.inline
@cython.exceptval(check=False)
def _is_wanted(visit: _Visit, i: cython.Py_ssize_t) -> cython.bint:
    """Whether an element makes a structure or is shown for its own sake."""
    flag: cython.int = visit.flags[visit.page.tag[i]]
    if visit.filled[i] and (flag & (FLOW_STRUCTURE | FLOW_SHOWN) or visit.special[i]):
        return True
    if visit.filled[i] and flag & FLOW_BLOCK and visit.mixed[visit.page.block[i]]:
        return True
    if flag & FLOW_BREAK and visit.filled[visit.page.block[i]]:
        return True
    return flag & FLOW_CELL and visit.page.parent[i] >= 0 and visit.filled[visit.page.parent[i]]


def _drop_headings(visit: _Visit, rows: list) -> list:
    """The elements without headings in which nothing else is visited and whose blocks are written as a whole."""
    kept: list = []
    for k in range(len(rows)):
        row: cython.Py_ssize_t = rows[k]
        # the next element that is visited: if it stands outside, nothing is visited inside
        below: cython.Py_ssize_t = rows[k + 1] if k + 1 < len(rows) else visit.n
        is_heading = visit.flags[visit.page.tag[row]] & FLOW_HEADING
        if not is_heading or below < visit.page.end[row] or visit.mixed[row] or visit.special[row]:
            kept.append(row)
    return kept


def _list_nodes(visit: _Visit, objects: list) -> list:
    """The text nodes to visit: all in mixed elements and beside objects, else the first of each block."""
    holders: cython.p_uchar = visit.memory.take_flags(visit.n, True)
    nodes: list = []
    i: cython.Py_ssize_t
    memcpy(holders, visit.mixed, visit.n)
    for i in objects:
        holders[visit.page.block[i]] = 1
    for i in range(visit.page.n_texts):
        number: cython.Py_ssize_t = visit.page.block_of[i]
        if number >= 0 and not visit.kept[number]:
            continue
        # the first text of a whole block stands for all of its texts
        is_first = number >= 0 and visit.whole[number] and visit.page.first[number] == i
        if is_first or holders[visit.page.block[visit.page.text_owner[i]]]:
            nodes.append(i)
    return nodes


def _find_lone(visit: _Visit, rows: list, nodes: list) -> list:
    """The text block that is all that is shown of each element, -1 if there is more."""
    n_rows: cython.Py_ssize_t = len(rows)
    n_nodes: cython.Py_ssize_t = len(nodes)
    lone: list = []
    at: cython.Py_ssize_t = 0  # the first text node after the element
    for k in range(n_rows):
        row: cython.Py_ssize_t = rows[k]
        below: cython.Py_ssize_t = rows[k + 1] if k + 1 < n_rows else visit.n
        while at < n_nodes and visit.page.text_next[cython.cast(cython.Py_ssize_t, nodes[at])] <= row:
            at += 1
        flag: cython.int = visit.flags[visit.page.tag[row]]
        if not flag & FLOW_MAY_BE_LONE or below < visit.page.end[row] or at == n_nodes:
            lone.append(-1)
            continue
        behind: cython.Py_ssize_t = visit.n + 1
        if at + 1 < n_nodes:
            behind = visit.page.text_next[cython.cast(cython.Py_ssize_t, nodes[at + 1])]
        if flag & FLOW_MAY_BE_FILLED:
            # only beside others of its kind: the paragraph of a lone cell is tidied away later
            is_next_own: cython.bint = flag & FLOW_FAMILY == (
                visit.flags[visit.page.tag[below]] & FLOW_FAMILY if k + 1 < n_rows else 0
            )
            if not is_next_own or behind <= below or (k + 1 < n_rows and visit.special[below]):
                lone.append(-1)
                continue
        number = visit.page.block_of[cython.cast(cython.Py_ssize_t, nodes[at])]
        if number >= 0 and visit.whole[number] and row <= visit.page.row[number] < visit.page.end[row] < behind:
            lone.append(number)
        else:
            lone.append(-1)
    return lone


def read_short(page: Page, rows: list[int], most_nodes: cython.Py_ssize_t, most_chars: cython.Py_ssize_t) -> list[str]:
    """The texts of those of some elements that have at most so many text nodes, and fewer characters.

    A text node right after an element counts among its nodes, though its text is not taken.
    """
    found: list = []
    row: cython.Py_ssize_t
    for row in rows:
        end, low = page.end[row], page.count_texts(row)
        pieces: list = []
        n_nodes: cython.Py_ssize_t = 0
        for node in range(low, min(low + most_nodes + 1, page.n_texts)):
            if page.text_next[node] > end:
                break
            # text that follows one element may stand before the next one too
            if page.text_owner[node] < end:
                n_nodes += 1
                if page.text_owner[node] >= row:
                    pieces.append(page.texts[node])
        if n_nodes <= most_nodes:
            text = "".join(pieces)
            if len(text) < most_chars:
                found.append(text)
    return found
