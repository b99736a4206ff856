"""The cut tree of a page: its block elements with text, chains of wrappers collapsed (`segments.nodes`).

Enters: a page with blocks, the flags of tags. Leaves: the tree. Keep: nodes are numbered in document order, a parent
before its children, and node 0 is the root; characters are those without white space, since templates indent
differently. Tested by `tests/segments/test_cut.py` and the blocks of all fixtures.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.page import Page


def count_own_chars(page: Page, is_control: cython.const[cython.uchar][:]) -> Any:
    """float64 [n_elements]: characters directly inside each block element, the values of form controls included.
    is_control: uint8 [n_codes], which tags are controls."""
    made = np.zeros(page.n_elements)
    own: cython.double[::1] = made
    control: cython.int[::1] = np.full(page.n_elements + 1, -1, dtype=np.intc)  # the nearest
    has_control: cython.bint = False
    for i in range(page.n_blocks):
        own[page.row[i]] += page.n_chars[i]
    for i in range(page.n_elements):
        if is_control[page.tag[i]]:
            control[i] = i
            has_control = True
        elif page.parent[i] >= 0:
            control[i] = control[page.parent[i]]
    # the value of a `select` or `textarea` is not displayed text, yet it fills its place on the page: a form of one
    # `select` of countries is no empty node
    for i in range(page.n_texts if has_control else 0):
        owner = page.text_owner[i]
        if control[owner] >= 0 and not page.displayed[owner]:
            own[page.block[control[owner]]] += len("".join(cython.cast(str, page.texts[i]).split()))
    return made


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
    def collapse(self) -> None:
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


def build_cut_tree(page: Page, own: cython.const[cython.double][::1], tags: tuple[Any, Any, Any]) -> Any:
    """The children of all nodes, and the columns of `segments.nodes.CutTree` without them, in its order.

    Args:
        own: float64 [n_elements], characters directly inside each block element.
        tags: uint8 [n_codes] each, which tags are blocks, lists, headings.
    """
    is_block: cython.const[cython.uchar][::1] = tags[0]
    is_list: cython.const[cython.uchar][::1] = tags[1]
    is_heading: cython.const[cython.uchar][::1] = tags[2]
    n: cython.Py_ssize_t = page.n_elements
    running: cython.double[::1] = np.zeros(n + 1)
    index: cython.int[::1] = np.full(n + 1, -1, dtype=np.intc)
    tree: _CutTree = _CutTree(own, n)
    m: cython.Py_ssize_t = 0
    for row in range(n):
        running[row + 1] = running[row] + own[row]
    for row in range(n):
        tag = page.tag[row]
        tree.total[row] = running[page.end[row]] - running[row]
        # the root is a node whatever its name is, so that each node has one to be reached from
        if tree.total[row] > 0 and (row == 0 or is_block[tag]):
            index[row] = m
            tree.rows[m] = tree.inside[m] = row
            tree.flags[m] = (1 if is_list[tag] else 0) | (2 if is_heading[tag] else 0)
            # the nearest block element above has text, for this one has: so it is a node, and its number is set
            tree.up[m] = index[page.block[page.parent[row]]] if page.parent[row] >= 0 else -1
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
