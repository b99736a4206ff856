"""The cut tree of a page, and what its nodes consist of, as `segments.nodes` and `segments.nodes` state it.

Enters: columns of elements and texts, the flags of tags. Leaves: the tree and measures of its nodes. Keep: nodes are
numbered in document order, a parent before its children, and node 0 is the root; characters are those without white
space, since templates indent differently. Tested by `tests/segments/test_splits.py` and the blocks of all fixtures.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.groups import PRIME
from webclean.core.lexicon import GOLDEN


def count_own_chars(
    rows: tuple[Any, Any, Any],
    blocks: tuple[Any, Any],
    texts: tuple[list[str], Any, Any],
    is_control: cython.const[cython.uchar][:],
) -> Any:
    """float64 [n_elements]: characters directly inside each block element, the values of form controls included.

    Args:
        rows: int64 [n_elements] each: tag, parent, block.
        blocks: of the text blocks the elements, int64, and characters, float64.
        texts: the text nodes and, int64, the element that each is in; uint8 [n_elements], what is displayed.
        is_control: uint8 [n_codes], which tags are controls.
    """
    tag: cython.const[cython.longlong][:] = rows[0]
    parent: cython.const[cython.longlong][:] = rows[1]
    block: cython.const[cython.longlong][:] = rows[2]
    block_row: cython.const[cython.longlong][:] = blocks[0]
    chars: cython.const[cython.double][:] = blocks[1]
    text: list = texts[0]
    owner: cython.const[cython.longlong][:] = texts[1]
    is_displayed: cython.const[cython.uchar][:] = texts[2]
    n: cython.Py_ssize_t = tag.shape[0]
    made = np.zeros(n)
    own: cython.double[::1] = made
    control: cython.int[::1] = np.full(n + 1, -1, dtype=np.intc)  # the nearest
    has_control: cython.bint = False
    for i in range(block_row.shape[0]):
        own[block_row[i]] += chars[i]
    for i in range(n):
        if is_control[tag[i]]:
            control[i] = i
            has_control = True
        elif parent[i] >= 0:
            control[i] = control[parent[i]]
    # the value of a `select` or `textarea` is not displayed text, yet it fills its place on the page: a form of one
    # `select` of countries is no empty node
    if has_control:
        for i in range(owner.shape[0]):
            if control[owner[i]] >= 0 and not is_displayed[owner[i]]:
                size = 0
                for word in text[i].split():
                    size += len(word)
                own[block[control[owner[i]]]] += size
    return made


@cython.final
@cython.cclass
class _CutTree:
    """The block elements with text, in document order, while chains of single children are collapsed.

    A node stands for a chain: an element, and its only child below it as long as that holds all of its text.

        div > div > (p, p)      one node: row is the first div, inside the second one
    """

    m: cython.Py_ssize_t
    own: cython.const[cython.double][::1]
    total: cython.double[::1]  # [n_elements], characters of the subtree
    rows: cython.int[::1]  # of nodes, the outermost element of the chain
    up: cython.int[::1]
    n_children: cython.int[::1]
    tall: cython.int[::1]
    inside: cython.int[::1]  # the innermost element of the chain
    flags: cython.int[::1]  # 1: a list, 2: begins with a heading
    children: list

    def __init__(self, own: cython.const[cython.double][::1], n: int) -> None:
        columns: cython.int[:, ::1] = np.zeros((6, n + 1), dtype=np.intc)
        self.own, self.total = own, np.empty(n)
        self.rows, self.up, self.n_children = columns[0], columns[1], columns[2]
        self.tall, self.inside, self.flags = columns[3], columns[4], columns[5]

    @cython.cfunc
    def collapse(self) -> cython.bint:
        """From the leaves up: link nodes to their children, shorten chains, measure heights."""
        child: cython.Py_ssize_t
        nothing: list = []  # shared by the leaves
        children: list = [nothing] * self.m
        below: list
        # children have higher numbers than their parent, so both are known when it comes
        for node in range(self.m - 1, -1, -1):
            below = children[node]
            # all its text is in the one child: the wrapper adds nothing, and takes over what the child is
            if self.n_children[node] == 1 and self.own[self.rows[node]] == 0:
                child = below[0]
                self.inside[node], self.tall[node] = self.inside[child], self.tall[child]
                children[node] = children[child]
                self.flags[node] |= self.flags[child]
            elif below is not nothing:
                # they were linked from the last to the first
                below.reverse()
                for child in below:
                    self.tall[node] = max(self.tall[node], 1 + self.tall[child])
                child = below[0]
                # a node begins with a heading if its first child does and nothing stands before that; that it holds a
                # list is of its chain alone
                self.flags[node] |= self.flags[child] & 2
            if self.up[node] >= 0:
                below = children[self.up[node]]
                if below is nothing:
                    children[self.up[node]] = [node]
                else:
                    below.append(node)
        self.children = children
        return True

    @cython.cfunc
    def list_columns(self) -> tuple:
        """The children of all nodes, and the columns of `segments.nodes.CutTree` without them, in its order."""
        m: cython.Py_ssize_t = self.m
        numbers = np.empty((3, m), dtype=np.int64)
        shares = np.empty((2, m))
        marks = np.empty((2, m), dtype=bool)
        number: cython.longlong[:, ::1] = numbers
        share: cython.double[:, ::1] = shares
        mark: cython.uchar[:, ::1] = marks.view(np.uint8)
        whole: cython.double = max(1.0, self.total[0]) if self.total.shape[0] else 1.0
        for node in range(m):
            number[0, node], number[1, node], number[2, node] = self.rows[node], self.inside[node], self.tall[node]
            share[0, node] = self.total[self.rows[node]] / whole
            share[1, node] = self.own[self.inside[node]] / whole
            mark[0, node], mark[1, node] = self.flags[node] & 1, self.flags[node] >> 1 & 1
        return (self.children, *numbers, *shares, *marks)


def build_cut_tree(
    tag: cython.const[cython.longlong][:],
    parent: cython.const[cython.longlong][:],
    block: cython.const[cython.longlong][:],
    end: cython.const[cython.longlong][:],
    own: cython.const[cython.double][::1],
    tags: tuple[Any, Any, Any],
) -> Any:
    """The children of all nodes, and the columns of `segments.nodes.CutTree` without them, in its order.

    Args:
        tag, parent, block, end: int64 [n_elements].
        own: float64 [n_elements], characters directly inside each block element.
        tags: uint8 [n_codes] each, which tags are blocks, lists, headings.
    """
    is_block: cython.const[cython.uchar][::1] = tags[0]
    is_list: cython.const[cython.uchar][::1] = tags[1]
    is_heading: cython.const[cython.uchar][::1] = tags[2]
    n: cython.Py_ssize_t = tag.shape[0]
    running: cython.double[::1] = np.zeros(n + 1)
    index: cython.int[::1] = np.full(n + 1, -1, dtype=np.intc)
    tree: _CutTree = _CutTree(own, n)
    m: cython.Py_ssize_t = 0
    for row in range(n):
        running[row + 1] = running[row] + own[row]
    for row in range(n):
        tree.total[row] = running[end[row]] - running[row]
        # the root is a node whatever its name is, so that each node has one to be reached from
        if tree.total[row] > 0 and (row == 0 or is_block[tag[row]]):
            index[row] = m
            tree.rows[m] = tree.inside[m] = row
            tree.flags[m] = (1 if is_list[tag[row]] else 0) | (2 if is_heading[tag[row]] else 0)
            # the nearest block element above has text, for this one has: so it is a node, and its number is set
            tree.up[m] = index[block[parent[row]]] if parent[row] >= 0 else -1
            if tree.up[m] >= 0:
                tree.n_children[tree.up[m]] += 1
            m += 1
    tree.m = m
    tree.collapse()
    return tree.list_columns()


def list_nodes(children: list[list[int]], with_leaves: cython.bint) -> list[int]:
    """The nodes that have parts, or all if asked, of those that the root reaches, rising. children: of each node, which
    follow it."""
    n: cython.Py_ssize_t = len(children)
    is_reached: cython.uchar[::1] = np.zeros(n + 1, dtype=np.uint8)
    is_reached[0] = 1
    found: list = []
    part: cython.Py_ssize_t
    below: list
    for node in range(n):
        below = children[node]
        # inner elements of chains have numbers, and are reached from none
        if is_reached[node] and (with_leaves or len(below)):
            found.append(node)
            for part in below:
                is_reached[part] = 1
    return found


def measure_parts(
    columns: tuple[Any, Any, Any, Any, Any],
    children: list[list[int]],
    nodes: list[int],
    small: float,
) -> Any:
    """The fields of `segments.nodes.NodeParts`, in its order.

    Args:
        columns: of the cut tree: share and own, float64; height, int64; is_list and has_heading, uint8.
        children: of each node of the tree.
        nodes: those with parts, rising.
        small: share of the page's text of a part that counts.
    """
    shares: cython.const[cython.double][:] = columns[0]
    owns: cython.const[cython.double][:] = columns[1]
    heights: cython.const[cython.longlong][:] = columns[2]
    lists: cython.const[cython.uchar][:] = columns[3]
    headed: cython.const[cython.uchar][:] = columns[4]
    n: cython.Py_ssize_t = len(nodes)
    m: cython.Py_ssize_t = sum([len(children[number]) for number in nodes])
    of_node = np.zeros((2, n), dtype=np.int64)
    of_part = np.zeros((2, m), dtype=np.int64)
    table = np.zeros((12, n))
    n_parts: cython.longlong[::1] = of_node[0]
    above: cython.longlong[::1] = of_node[1]
    parts: cython.longlong[::1] = of_part[0]
    whole: cython.longlong[::1] = of_part[1]
    value: cython.double[:, ::1] = table
    holder: cython.longlong[::1] = np.full(len(children) + 1, -1, dtype=np.int64)
    node: cython.Py_ssize_t
    part: cython.Py_ssize_t
    up: cython.Py_ssize_t
    share: cython.double
    m = 0
    for place in range(n):
        node = nodes[place]
        share = shares[node]
        up = holder[node]
        above[place], n_parts[place] = up, len(children[node])
        for part in children[node]:
            parts[m], whole[m], holder[part] = part, place, place
            m += 1
            value[6, place] += shares[part] > small
            value[7, place] += 0 if children[part] else 1
            value[8, place] += 1 if headed[part] else 0
        # a node has text, so a share of 0 is a rounded one: divided by this it stays 0 and not infinite
        value[0, place] = share / max(1e-12, value[11, up] if up >= 0 else share)
        value[1, place] = heights[node]
        value[2, place] = value[2, up] + 1 if up >= 0 else 0
        value[3, place] = owns[node] / max(1e-12, share)
        value[4, place], value[5, place] = _find_two_largest(children[node], shares, max(1e-12, share))
        value[7, place] /= max(1, n_parts[place])
        value[9, place] = 1 if headed[node] else 0
        value[10, place] = 1 if lists[node] else 0
        value[11, place] = share
    return of_node[0], of_node[1], of_part[0], of_part[1], table


@cython.cfunc
def _find_two_largest(
    parts: list, shares: cython.const[cython.double][:], unit: cython.double
) -> tuple[cython.double, cython.double]:
    """The shares of the two largest parts, in units; 0 where there are fewer."""
    first: cython.double = 0.0
    second: cython.double = 0.0
    part: cython.Py_ssize_t
    for part in parts:
        if shares[part] > first:
            first, second = shares[part], first
        elif shares[part] > second:
            second = shares[part]
    return first / unit, second / unit


def number_shapes(
    tag: cython.const[cython.longlong][:],
    nodes: cython.const[cython.longlong][::1],
    n_parts: cython.const[cython.longlong][::1],
    parts: cython.const[cython.longlong][::1],
) -> Any:
    """int64 [n_tree]: equal for nodes with the same nested tags, where equal neighbours count once. Hashes of 64 bits.

    Args:
        tag: of each node of the tree.
        nodes: those with parts, rising.
        n_parts, parts: how many parts each of them has; all parts, those of the first node first.
    """
    made = np.empty(tag.shape[0], dtype=np.uint64)
    shape: cython.ulonglong[::1] = made
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t = parts.shape[0]
    for at in range(tag.shape[0]):
        shape[at] = (tag[at] + 1) * GOLDEN
    # from the last, so that the parts of a node have their shapes before it
    for place in range(nodes.shape[0] - 1, -1, -1):
        first -= n_parts[place]
        hashed = shape[nodes[place]] * PRIME
        for at in range(first, first + n_parts[place]):
            # `p p p` and `p p` are alike: how many paragraphs an entry has says nothing of its form
            if at == first or shape[parts[at]] != shape[parts[at - 1]]:
                hashed = (hashed ^ shape[parts[at]]) * PRIME
                hashed = (hashed ^ (hashed >> 29)) * GOLDEN
        shape[nodes[place]] = hashed
    return made.view(np.int64)


def arrange(roots: list[tuple[int, ...]], end: cython.const[cython.longlong][:]) -> Any:
    """The block around each semantic block, -1 for none; int32 [n_elements], the block that each element is in, -1 for
    none. roots: the outermost elements of each block, those of blocks before the blocks inside them. end: of elements.
    """
    made = np.empty(end.shape[0], dtype=np.int32)
    owner: cython.int[::1] = made
    parents: list = []
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for i in range(end.shape[0]):
        owner[i] = -1
    for number in range(len(roots)):
        row = roots[number][0]
        # before its own rows are set: who owns the row now is the block around
        parents.append(owner[row])
        for row in roots[number]:
            for i in range(row, end[row]):
                owner[i] = number
    return parents, made


def join_texts(
    texts: list[str], rows: cython.const[cython.longlong][:], owner: cython.const[cython.int][:], n: int
) -> Any:
    """The texts of n semantic blocks, one line a text block. rows: the element of each text block. owner: the semantic
    block of each element, in one of which each text block is."""
    k: cython.Py_ssize_t
    parts: list = [[] for _ in range(n)]
    own: list
    for i in range(rows.shape[0]):
        k = owner[rows[i]]
        # rows of no block would write to the last, as an index below 0 does in Python; by contract there are none
        own = parts[k if k >= 0 else n + k]
        own.append(texts[i])
    return ["\n".join(own) for own in parts]
