"""Columns of a page and what is kept of it -> the elements and text nodes that a tree of clean elements is built from.

A block whose text needs no look inside is listed by its first text node alone; see `outputs.flow.visit`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

STRUCTURE = cython.declare(cython.int, 1)
SHOWN = cython.declare(cython.int, 2)
TELLING = cython.declare(cython.int, 4)
CELL = cython.declare(cython.int, 8)
BREAK = cython.declare(cython.int, 16)
HEADING = cython.declare(cython.int, 32)
IS_BLOCK = cython.declare(cython.int, 64)
MAY_BE_LONE = cython.declare(cython.int, 128)
MAY_BE_FILLED = cython.declare(cython.int, 256)
FAMILY = cython.declare(cython.int, 1536)

FLOW_FLAGS = {
    "structure": STRUCTURE,
    "shown": SHOWN,
    "telling": TELLING,
    "cell": CELL,
    "break": BREAK,
    "heading": HEADING,
    "block": IS_BLOCK,
    "may_be_lone": MAY_BE_LONE,
    "may_be_filled": MAY_BE_FILLED,
    "family": FAMILY,
}
"""What a tag means to `outputs.flow.visit`; a tag has the sum of its flags. family: the bits of a number."""

_IS_DIRECTED = cython.declare(cython.uchar, 1)
_IS_SPECIAL = cython.declare(cython.uchar, 2)


def find_filled(
    block_of: cython.const[cython.longlong][::1],
    kept: cython.const[cython.uchar][::1],
    owner: cython.const[cython.longlong][:],
    end: cython.const[cython.longlong][:],
) -> Any:
    """bool [n_elements]: elements that contain kept text.

    Args:
        block_of, owner: of text nodes, their block, -1 for none, and their element.
        kept: bool [n_blocks].
        end: of elements.
    """
    n: cython.Py_ssize_t = end.shape[0]
    made = np.empty(n, dtype=np.uint8)
    filled: cython.uchar[::1] = made
    running: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    for i in range(block_of.shape[0]):
        if block_of[i] >= 0 and kept[block_of[i]]:
            running[owner[i] + 1] += 1
    for i in range(n):
        running[i + 1] += running[i]
    for i in range(n):
        filled[i] = running[end[i]] > running[i]
    return made.view(np.bool_)


@cython.final
@cython.cclass
class _Page:
    """The columns that are read, and what is found of them."""

    parent: cython.const[cython.longlong][:]
    end: cython.const[cython.longlong][:]
    block: cython.const[cython.longlong][:]
    link: cython.const[cython.longlong][:]
    tag: cython.const[cython.longlong][:]
    owner: cython.const[cython.longlong][:]
    after: cython.const[cython.longlong][:]
    row: cython.const[cython.longlong][::1]
    first: cython.const[cython.longlong][::1]
    block_of: cython.const[cython.longlong][::1]
    kept: cython.const[cython.uchar][::1]
    flags: cython.const[cython.ushort][::1]
    filled: cython.const[cython.uchar][::1]
    mixed: cython.uchar[::1]
    special: cython.uchar[::1]
    n: cython.Py_ssize_t
    n_texts: cython.Py_ssize_t
    n_blocks: cython.Py_ssize_t


def plan_visit(
    of_elements: tuple[Any, ...],
    of_texts: tuple[Any, ...],
    of_blocks: tuple[Any, ...],
    flags: cython.const[cython.ushort][::1],
    special: list[int],
    directed: list[int],
    around: list[int],
    objects: list[int],
    formulas: list[int],
    signs: list[int],
) -> Any:
    """The elements and text nodes to visit; see `outputs.flow.visit.Plan`.

    Args:
        of_elements: parent, end, block, link, tag, and whether they contain kept text.
        of_texts: owner and next.
        of_blocks: row, first, block of each text node, and what is kept.
        flags: by tag.
        special: elements that are added in a way of their own.
        directed: elements that say in which direction their text runs.
        around: elements of which each is added by itself, with all in it.
        objects: images and the like that are shown.
        formulas: first elements of formulas.
        signs: kept blocks that may hold formulas.

    Returns:
        The lists of a `Plan`: rows, lone, nodes, after, blocks, is_whole.
    """
    page: _Page = _Page()
    page.parent, page.end, page.block, page.link, page.tag, page.filled = of_elements
    page.owner, page.after = of_texts
    page.row, page.first, page.block_of, page.kept = of_blocks
    page.flags = flags
    page.n, page.n_texts, page.n_blocks = page.parent.shape[0], page.owner.shape[0], page.row.shape[0]
    page.mixed = np.zeros(page.n, dtype=np.uint8)
    page.special = np.zeros(page.n, dtype=np.uint8)
    i: cython.Py_ssize_t
    for i in directed:
        page.special[i] = _IS_DIRECTED
    for i in special:
        page.special[i] = _IS_SPECIAL
    _mark_mixed(page, around, objects, formulas)
    for i in signs:
        page.mixed[page.row[i]] = page.filled[page.row[i]]
    whole: cython.uchar[::1] = np.empty(page.n_blocks, dtype=np.uint8)
    for i in range(page.n_blocks):
        whole[i] = page.kept[i] and not page.mixed[page.row[i]]
    rows: list = _list_rows(page, objects, formulas)
    nodes: list = _list_nodes(page, objects, whole)
    lone: list = [-1] * len(rows) if directed else _find_lone(page, rows, nodes, whole)
    after: list = [page.after[i] for i in nodes]
    blocks: list = [page.block_of[i] for i in nodes]
    return rows, lone, nodes, after, blocks, [i >= 0 and whole[i] != 0 for i in blocks]


@cython.cfunc
def _mark_mixed(page: _Page, around: list, objects: list, formulas: list) -> cython.bint:
    """Mark the block elements with kept text whose blocks cannot be written as a whole."""
    reach: cython.Py_ssize_t = 0  # up to where all elements are inside one of which each is added by itself
    is_around: cython.uchar[::1] = np.zeros(page.n, dtype=np.uint8)
    i: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for i in around:
        is_around[i] = 1
    for i in range(page.n):
        if is_around[i] or (page.filled[i] and page.flags[page.tag[i]] & TELLING):
            page.mixed[page.block[i]] = 1
            reach = max(reach, page.end[i])
        if i < reach:
            page.mixed[i] = 1
        if page.special[i] == _IS_SPECIAL or page.flags[page.tag[i]] & BREAK:
            page.mixed[page.block[i]] = 1
    for listed in (objects, formulas):
        for i in listed:
            above = page.block[i]
            while not page.filled[above] and page.parent[above] >= 0:
                above = page.block[page.parent[above]]
            page.mixed[above] = 1
    for i in range(page.n):
        page.mixed[i] &= page.filled[i]
    return True


@cython.cfunc
def _list_rows(page: _Page, objects: list, formulas: list) -> list:
    """The elements to visit."""
    wanted: cython.uchar[::1] = np.zeros(page.n, dtype=np.uint8)
    i: cython.Py_ssize_t
    for i in objects:
        wanted[i] = 1
        if page.link[i] >= 0:
            wanted[page.link[i]] = 1
    for i in formulas:
        wanted[i] = 1
    return _drop_headings(page, [i for i in range(page.n) if wanted[i] or _is_wanted(page, i)])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_wanted(page: _Page, i: cython.Py_ssize_t) -> cython.bint:
    """Whether an element makes a structure or is shown for its own sake."""
    flag: cython.int = page.flags[page.tag[i]]
    if page.filled[i] and (flag & (STRUCTURE | SHOWN) or page.special[i]):
        return True
    if page.filled[i] and flag & IS_BLOCK and page.mixed[page.block[i]]:
        return True
    if flag & BREAK and page.filled[page.block[i]]:
        return True
    return flag & CELL and page.parent[i] >= 0 and page.filled[page.parent[i]]


@cython.cfunc
def _drop_headings(page: _Page, rows: list) -> list:
    """The elements without headings in which nothing else is visited and whose blocks are written as a whole."""
    kept: list = []
    row: cython.Py_ssize_t
    below: cython.Py_ssize_t
    for k in range(len(rows)):
        row = rows[k]
        below = rows[k + 1] if k + 1 < len(rows) else page.n
        is_heading = page.flags[page.tag[row]] & HEADING
        if not is_heading or below < page.end[row] or page.mixed[row] or page.special[row]:
            kept.append(row)
    return kept


@cython.cfunc
def _list_nodes(page: _Page, objects: list, whole: cython.uchar[::1]) -> list:
    """The text nodes to visit: all in mixed elements and beside objects, else the first of each block."""
    holders: cython.uchar[::1] = np.array(page.mixed, dtype=np.uint8)
    nodes: list = []
    i: cython.Py_ssize_t
    number: cython.Py_ssize_t
    for i in objects:
        holders[page.block[i]] = 1
    for i in range(page.n_texts):
        number = page.block_of[i]
        if number >= 0 and not page.kept[number]:
            continue
        if (number >= 0 and whole[number] and page.first[number] == i) or holders[page.block[page.owner[i]]]:
            nodes.append(i)
    return nodes


@cython.cfunc
def _find_lone(page: _Page, rows: list, nodes: list, whole: cython.uchar[::1]) -> list:
    """The text block that is all that is shown of each element, -1 if there is more."""
    n_rows: cython.Py_ssize_t = len(rows)
    n_nodes: cython.Py_ssize_t = len(nodes)
    lone: list = []
    at: cython.Py_ssize_t = 0  # the first text node after the element
    row: cython.Py_ssize_t
    below: cython.Py_ssize_t
    behind: cython.Py_ssize_t
    number: cython.Py_ssize_t
    flag: cython.int
    is_next_own: cython.bint
    for k in range(n_rows):
        row = rows[k]
        below = rows[k + 1] if k + 1 < n_rows else page.n
        while at < n_nodes and page.after[cython.cast(cython.Py_ssize_t, nodes[at])] <= row:
            at += 1
        flag = page.flags[page.tag[row]]
        if not flag & MAY_BE_LONE or below < page.end[row] or at == n_nodes:
            lone.append(-1)
            continue
        behind = page.after[cython.cast(cython.Py_ssize_t, nodes[at + 1])] if at + 1 < n_nodes else page.n + 1
        if flag & MAY_BE_FILLED:
            is_next_own = flag & FAMILY == (page.flags[page.tag[below]] & FAMILY if k + 1 < n_rows else 0)
            if not is_next_own or behind <= below or (k + 1 < n_rows and page.special[below]):
                lone.append(-1)
                continue
        number = page.block_of[cython.cast(cython.Py_ssize_t, nodes[at])]
        if number >= 0 and whole[number] and row <= page.row[number] < page.end[row] < behind:
            lone.append(number)
        else:
            lone.append(-1)
    return lone


def find_beside(rows: list[int], of_elements: tuple[Any, ...], of_blocks: tuple[Any, ...]) -> list[tuple[int, int]]:
    """Those of some elements without text that stand beside kept text: (element, the block element around both).

    That is the smallest block element around the element that has text: half of that text, at least, is kept, and so is
    the block just before or just after the element in it.

    Args:
        rows: elements, such as images.
        of_elements: parent, end, block.
        of_blocks: row, elements that start before the text, characters, whether kept.
    """
    parent: cython.const[cython.longlong][:] = of_elements[0]
    end: cython.const[cython.longlong][:] = of_elements[1]
    block: cython.const[cython.longlong][:] = of_elements[2]
    block_row: cython.const[cython.longlong][::1] = of_blocks[0]
    starts: cython.const[cython.longlong][::1] = of_blocks[1]
    kept: cython.const[cython.uchar][::1] = of_blocks[3]
    n_below: cython.longlong[::1] = _sum_up_to(end.shape[0], block_row, of_blocks[2], None)
    n_kept_below: cython.longlong[::1] = _sum_up_to(end.shape[0], block_row, of_blocks[2], of_blocks[3])
    found: list = []
    row: cython.Py_ssize_t
    around: cython.Py_ssize_t
    n_kept: cython.longlong
    for row in rows:
        around = block[row]
        while n_below[end[around]] == n_below[around] and parent[around] >= 0:
            around = block[parent[around]]
        n_kept = n_kept_below[end[around]] - n_kept_below[around]
        if n_kept == 0 or 2 * n_kept < n_below[end[around]] - n_below[around]:
            continue
        after = _count_before(starts, row)
        for at in range(max(after - 1, 0), min(after + 1, starts.shape[0])):
            if kept[at] and around <= block_row[at] < end[around]:
                found.append((row, around))
                break
    return found


@cython.cfunc
def _sum_up_to(
    n: cython.Py_ssize_t, block_row: cython.const[cython.longlong][::1], values: Any, chosen: Any
) -> cython.longlong[::1]:
    """int64 [n + 1]: for each element, the sum of the values of the (chosen) blocks in the elements before it."""
    n_chars: cython.const[cython.int][::1] = values
    kept: cython.const[cython.uchar][::1] = chosen
    sums: cython.longlong[::1] = np.zeros(n + 1, dtype=np.int64)
    for i in range(block_row.shape[0]):
        if kept is None or kept[i]:
            sums[block_row[i] + 1] += n_chars[i]
    for i in range(n):
        sums[i + 1] += sums[i]
    return sums


@cython.cfunc
def _count_before(starts: cython.const[cython.longlong][::1], row: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many texts start after at most `row` elements."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = starts.shape[0]
    while low < high:
        middle = (low + high) // 2
        if starts[middle] <= row:
            low = middle + 1
        else:
            high = middle
    return low
