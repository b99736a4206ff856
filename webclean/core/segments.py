"""The cut tree of a page: its block elements with text, chains of wrappers collapsed (`segments.nodes`); and the
features of its semantic blocks, of which there are n, with the columns that they are made of.

Each feature is a line of `features.toml`.

Enters: a page with blocks, the flags of tags; semantic blocks by `owner` of elements, points of text blocks. Leaves:
the tree; a table, one row a feature. Keep: nodes are numbered in document order, a parent before its children, and node
0 is the root; characters are those without white space, since templates indent differently; a text belongs to the block
that owns its element, so sums over blocks are those over texts, once each; the flags of surroundings stand in the order
of the features `in_...`. Tested by `tests/segments/test_cut.py`, `tests/segments/test_roles.py`,
`tests/features/test_table.py` and the blocks of all fixtures.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.generated import fill_segment
from webclean.core.page import Page


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
        nothing: list = []  # shared by the leaves
        children: list = [nothing] * self.m
        # children have higher numbers than their parent, so both are known when it comes
        for node in range(self.m - 1, -1, -1):
            below: list = children[node]
            # all its text is in the one child: the wrapper adds nothing, and takes over what the child is
            if self.n_children[node] == 1 and self.own[self.rows[node]] == 0:
                child: cython.Py_ssize_t = below[0]
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


class SegmentSums:
    """What the features of semantic blocks are made of.

    Of blocks, float64 [n] (`segment.sums` of `features.toml`): their text blocks, characters, words, characters in
    links, sentences, characters that are seen; weights: words, at least 1 a text block; points: of text blocks over the
    cut, times weights; links and elements of four kinds. before: characters before them. first_rows: their first
    elements. inside: float64 [n_flags, n], characters inside elements with each flag (`sum_surroundings`).
    Of the page: whole: characters in blocks; first_h1: row of the first h1, -1 for none; is_seen_page: most characters
    are seen.
    """

    n: cython.Py_ssize_t
    done: cython.ulonglong
    page: Page
    owner: cython.const[cython.int][:]
    is_kind: cython.const[cython.uchar][:, ::1]
    score: cython.const[cython.double][:]
    cut: cython.double
    marks: tuple

    first_h1: cython.Py_ssize_t
    is_seen_page: cython.bint
    first_rows: cython.longlong[::1]
    inside: cython.double[:, ::1]

    def __init__(
        self, page: Page, segments: tuple[Any, Any], is_kind: Any, decided: tuple[Any, float], marks: tuple
    ) -> None:
        """
        Args:
            segments: int32 [n_elements], the semantic block of each element, -1 for none; the outermost elements of
                each block.
            is_kind: uint8 [4, n_codes], which tags are images, controls, headings, h1.
            decided: float64, the points of text blocks; those from which they are kept.
            marks: int64 [n_elements], groups of tokens as bits; uint16 [n_codes], flags of tags; pairs (groups of
                tokens, flag that a name of these gives); rows of elements, each time with their flags; how many flags
                there are; the share of the text from which an element has none of those that a name gives.
        """
        self.page, self.is_kind, self.marks = page, is_kind, marks
        self.owner, roots = segments
        self.score, self.cut = decided
        self.n = len(roots)
        self.first_rows = np.array([rows[0] for rows in roots], dtype=np.int64)

    def fill(self, numbers: tuple[int, ...]) -> Any:
        """float64 [n_numbers, n]: features by their numbers in the order of the tables."""
        made = np.empty((len(numbers), self.n))
        table: cython.double[:, ::1] = made
        for at in range(len(numbers)):
            if self.n:
                fill_segment(self, numbers[at], cython.address(table[at, 0]))
        return made


@cython.cfunc
def place_segments(segments: SegmentSums) -> None:
    """before, whole, first_h1, is_seen_page."""
    page: Page = segments.page
    seen = shown = 0.0
    for i in range(page.n_blocks):
        shown += page.n_chars[i]
        seen += page.n_chars[i] if page.visible[i] else 0
    # a page drawn by a script is hidden whole until it runs: there `hidden` tells nothing of a block
    segments.is_seen_page = 2 * seen >= shown
    segments.first_h1 = -1
    for i in range(page.n_elements):
        if segments.is_kind[3, page.tag[i]]:
            segments.first_h1 = i
            break
    segments.whole = 0
    segments.before = page.take_floats(segments.n)
    for k in range(segments.n):
        segments.before[k] = segments.whole
        segments.whole += segments.chars[k]


@cython.cfunc
def sum_surroundings(segments: SegmentSums) -> None:
    """inside: the characters of each block inside elements with each flag."""
    page: Page = segments.page
    n: cython.Py_ssize_t = page.n_elements
    names: cython.const[cython.longlong][:]
    of_tag: cython.const[cython.ushort][:]
    by_name: list
    by_role: list
    n_flags: cython.Py_ssize_t
    page_share: cython.double
    names, of_tag, by_name, by_role, n_flags, page_share = segments.marks
    segments.inside = np.zeros((n_flags, segments.n))
    running: cython.double[::1] = np.zeros(n + 1)
    joined: cython.ushort[::1] = np.zeros(n, dtype=np.uint16)
    groups: cython.longlong
    given: cython.ushort
    bounded: cython.ushort = 0
    i: cython.Py_ssize_t
    for i in range(page.n_blocks):
        running[page.row[i] + 1] += page.n_chars[i]
    for i in range(n):
        running[i + 1] += running[i]
        joined[i] = of_tag[page.tag[i]]
    for rows, given in by_role:
        for i in rows:
            joined[i] |= given
    for groups, given in by_name:
        bounded |= given
        for i in range(n):
            if names[i] & groups:
                joined[i] |= given
    for i in range(n):
        # A dialog or sidebar with most of the text is the page itself, framed by a tool of that name.
        if joined[i] & bounded and running[page.end[i]] - running[i] >= page_share * running[n]:
            joined[i] &= ~bounded
        if page.parent[i] >= 0:
            # parents come first, so a flag goes down in the same pass; after the bound, so that a framed page hands
            # none down
            joined[i] |= joined[page.parent[i]]
    for i in range(page.n_blocks):
        k = segments.owner[page.row[i]]
        for flag in range(n_flags if k >= 0 else 0):
            if joined[page.row[i]] >> flag & 1:
                segments.inside[flag, k] += page.n_chars[i]


def describe_block_names(
    page: Page,
    roots: tuple[tuple[int, ...], ...],
    names: cython.const[cython.longlong][:],
    around_names: cython.const[cython.longlong][:],
    groups: cython.const[cython.longlong][:],
) -> Any:
    """float64 [n_groups, n]: 1 where the block's own elements are named by a group of tokens, 0.5 where one around is.

    Args:
        roots: the outermost elements of each semantic block. What is their only child is its own as well.
        names: int64 [n_elements], groups of tokens in the names of each element, as bits.
        around_names: the same, of those elements whose names say something of what is in them.
        groups: int64 [n_groups], their bits.
    """
    made = np.zeros((groups.shape[0], len(roots)))
    table: cython.double[:, ::1] = made
    row: cython.Py_ssize_t
    for k in range(len(roots)):
        own: cython.longlong = 0
        around: cython.longlong = 0
        for row in roots[k]:
            own |= names[row]
            # an only child is the block as well: authors name either (`<section><div class=comments>`)
            while row + 1 < page.end[row] and page.end[row + 1] == page.end[row]:
                row += 1  # noqa: PLW2901
                own |= names[row]
        row = roots[k][0]
        while page.parent[row] >= 0:
            row = page.parent[row]
            around |= around_names[row]
        for i in range(groups.shape[0] if own | around else 0):
            table[i, k] = 1.0 if own & groups[i] else 0.5 if around & groups[i] else 0.0
    return made
