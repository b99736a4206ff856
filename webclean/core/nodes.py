"""The nodes of a cut tree as features see them: what each consists of, and how it compares with what is around it.

Each feature is a line of `features.toml`. Three of them are signals of the patent (A4): `url_alike`, `shape_alike`
and `first_part`, the information gain of the largest part.

Enters: a page with names, its cut tree (`core/segments.py`), links and entries of lists. Leaves: a table, one row a
feature. Keep: names and meanings are what cards and rules refer to; a column is filled by its pass once, when the first
feature asks for it (`done`). Tested by `tests/segments/test_cut.py`, `tests/segments/test_sections.py`,
`tests/features/test_table.py` (the table) and the golden blocks.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.generated import fill_node
from webclean.core.lexicon import GOLDEN, PRIME
from webclean.core.page import Page, count_smaller

_SMALL_PART = cython.declare(cython.double, 0.01)
"""Share of the page's text of a part that counts. Constant, because cards are learnt with this value."""


class Nodes:
    """n nodes of a cut tree with m parts in all, and the columns that their features are made of.

    Of nodes, int64 [n]: number: in the tree; rows, inner: the outermost and the innermost element; ends: one past the
    last element; above: the place among the n of what it is a part of, -1 for the root; n_parts.
    Of parts, int64 [m], those of the first node first: parts: numbers in the tree; part_rows: outermost elements;
    whole: the place of what it is a part of. shapes: int64 [n_tree], a number for the nested tags of each node of the
    tree, where equal neighbours count once: hashes of 64 bits.
    is_kind: uint8 [5, n_codes], which tags are headings, images, controls, rules, divs. page_height: of the tree.
    links: int64, rows of the page's links and numbers of their targets, and a number for the directory of each target,
    -1 for those that lead to no page. entries: int64 [n_entries, 2], first row and end of each entry of a repeated
    list; float64 [n_elements + 1], prefix sums of characters. teaser_chars: of the longest entry that is a teaser.
    All other columns are float64 [n] in the memory of the page, and filled by the function that assigns them.
    """

    n: cython.Py_ssize_t
    done: cython.ulonglong
    page: Page
    number = cython.declare(cython.longlong[::1], visibility="readonly")
    rows = cython.declare(cython.longlong[::1], visibility="readonly")
    inner = cython.declare(cython.longlong[::1], visibility="readonly")
    ends = cython.declare(cython.longlong[::1], visibility="readonly")
    above = cython.declare(cython.longlong[::1], visibility="readonly")
    n_parts = cython.declare(cython.longlong[::1], visibility="readonly")
    parts = cython.declare(cython.longlong[::1], visibility="readonly")
    whole = cython.declare(cython.longlong[::1], visibility="readonly")
    part_rows: cython.longlong[::1]
    shapes = cython.declare(cython.longlong[::1], visibility="readonly")
    tree_rows: cython.const[cython.longlong][:]
    is_kind: cython.const[cython.uchar][:, ::1]
    links: tuple
    entries: tuple

    share = cython.declare(cython.double[::1], visibility="readonly")

    def __init__(
        self, page: Page, tree: tuple, children: list, nodes: list, is_kind: Any, links: tuple, entries: tuple
    ) -> None:
        """
        Args:
            tree: columns of the cut tree: row and inner, height, share and own, is_list and has_heading (uint8).
            children: of each node of the tree. nodes: the numbers of the n, rising.
            entries: the entries, prefix sums of characters, the longest teaser.
        """
        self.page, self.is_kind, self.links, self.n = page, is_kind, links, len(nodes)
        self.tree_rows, self.page_height, self.teaser_chars, self.entries = tree[0], tree[2][0], entries[2], entries[:2]
        of_node: cython.longlong[:, ::1] = np.empty((6, self.n), dtype=np.int64)
        of_part: cython.longlong[:, ::1] = np.empty((3, sum([len(children[node]) for node in nodes])), dtype=np.int64)
        self.number, self.rows, self.inner = of_node[0], of_node[1], of_node[2]
        self.ends, self.above, self.n_parts = of_node[3], of_node[4], of_node[5]
        self.parts, self.part_rows, self.whole = of_part[0], of_part[1], of_part[2]
        self.share = np.empty(self.n)
        self.share_of_whole, self.height = page.take_floats(self.n), page.take_floats(self.n)
        self.depth, self.own_share = page.take_floats(self.n), page.take_floats(self.n)
        self.first_part, self.second_part = page.take_floats(self.n), page.take_floats(self.n)
        self.large_parts, self.leaf_parts = page.take_floats(self.n, True), page.take_floats(self.n, True)
        self.headed_parts, self.starts_with_heading = page.take_floats(self.n, True), page.take_floats(self.n)
        self.is_list = page.take_floats(self.n)
        self.place_nodes(tree, children, nodes)
        self.number_shapes()

    @cython.cfunc
    def place_nodes(self, tree: tuple, children: list, nodes: list) -> None:
        """Fill the columns that follow from the tree. Arguments as at first."""
        inner: cython.const[cython.longlong][:] = tree[1]
        heights: cython.const[cython.longlong][:] = tree[2]
        shares: cython.const[cython.double][:] = tree[3]
        owns: cython.const[cython.double][:] = tree[4]
        lists: cython.const[cython.uchar][:] = tree[5]
        headed: cython.const[cython.uchar][:] = tree[6]
        holder: cython.longlong[::1] = np.full(len(children) + 1, -1, dtype=np.int64)
        part: cython.Py_ssize_t
        m: cython.Py_ssize_t = 0
        for place in range(self.n):
            node: cython.Py_ssize_t = nodes[place]
            up = holder[node]
            # a node has text, so a share of 0 is a rounded one: divided by this it stays 0 and not infinite
            unit: cython.double = max(1e-12, shares[node])
            self.number[place], self.rows[place], self.inner[place] = node, self.tree_rows[node], inner[node]
            self.ends[place], self.above[place] = self.page.end[self.tree_rows[node]], up
            self.share[place], self.height[place], self.own_share[place] = (
                shares[node],
                heights[node],
                owns[node] / unit,
            )
            self.share_of_whole[place] = shares[node] / max(1e-12, self.share[up] if up >= 0 else shares[node])
            self.depth[place] = self.depth[up] + 1 if up >= 0 else 0
            self.is_list[place], self.starts_with_heading[place] = lists[node] != 0, headed[node] != 0
            first = second = 0.0
            below: list = children[node]
            self.n_parts[place] = len(below)
            for part in below:
                self.parts[m], self.part_rows[m], self.whole[m] = part, self.tree_rows[part], place
                holder[part] = place
                m += 1
                self.large_parts[place] += shares[part] > _SMALL_PART
                self.leaf_parts[place] += 0 if children[part] else 1
                self.headed_parts[place] += headed[part] != 0
                if shares[part] > first:
                    first, second = shares[part], first
                elif shares[part] > second:
                    second = shares[part]
            self.first_part[place], self.second_part[place] = first / unit, second / unit
            self.leaf_parts[place] /= max(1, self.n_parts[place])

    @cython.cfunc
    def number_shapes(self) -> None:
        made = np.empty(self.tree_rows.shape[0], dtype=np.uint64)
        shape: cython.ulonglong[::1] = made
        first = self.parts.shape[0]
        for at in range(shape.shape[0]):
            shape[at] = (self.page.tag[self.tree_rows[at]] + 1) * GOLDEN
        # in reverse, so that the parts of a node have their shapes before it
        for place in range(self.n - 1, -1, -1):
            first -= self.n_parts[place]
            hashed = shape[self.number[place]] * PRIME
            for at in range(first, first + self.n_parts[place]):
                # `p p p` and `p p` are alike: how many paragraphs an entry has says nothing of its form
                if at == first or shape[self.parts[at]] != shape[self.parts[at - 1]]:
                    hashed = (hashed ^ shape[self.parts[at]]) * PRIME
                    hashed = (hashed ^ (hashed >> 29)) * GOLDEN
            shape[self.number[place]] = hashed
        self.shapes = made.view(np.int64)

    def fill(self, numbers: tuple[int, ...]) -> Any:
        """float64 [n_numbers, n]: features by their numbers in the order of the table."""
        made = np.empty((len(numbers), self.n))
        table: cython.double[:, ::1] = made
        for at in range(len(numbers)):
            if self.n:
                fill_node(self, numbers[at], cython.address(table[at, 0]))
        return made

    def has_own_class(self, kind: cython.Py_ssize_t) -> cython.bint:
        """Whether a name of tag and classes has a class beside the tag."""
        return " " in cython.cast(str, self.page.element_names[kind])

    def find_alike(self) -> Any:
        """int64 [n]: for each node the first of its siblings that is alike: of the same tag and classes, or, where
        these are none, of the same tag and nested tags, for much that differs is a `div`."""
        made = np.empty(self.n, dtype=np.int64)
        first: cython.longlong[::1] = made
        known: dict = {}
        for i in range(self.n):
            kind = self.page.class_name[self.rows[i]]
            looks = 0 if self.has_own_class(kind) else self.shapes[self.number[i]]
            first[i] = known.setdefault((self.above[i], self.page.tag[self.rows[i]], kind, looks), i)
        return made

    def describe_chains(
        self, names: cython.const[cython.longlong][:], groups: cython.const[cython.longlong][:], n_codes: int
    ) -> Any:
        """uint8 [n_codes, n], which tags the elements of each chain have; float64 [n_groups, n], 1 where a name in it
        is of a group of tokens, 0.5 where one of a node around it is.

        names: int64 [n_elements], groups of tokens as bits. groups: int64 [n_groups], their bits.
        """
        flags, made = np.zeros((n_codes, self.n), dtype=np.uint8), np.zeros((groups.shape[0], self.n))
        has_tag: cython.uchar[:, ::1] = flags
        shares: cython.double[:, ::1] = made
        bits: cython.longlong[:, ::1] = np.zeros((2, self.n), dtype=np.int64)
        own: cython.longlong[::1] = bits[0]
        around: cython.longlong[::1] = bits[1]
        for i in range(self.n):
            at = self.number[i]
            while True:
                row = self.tree_rows[at]
                has_tag[self.page.tag[row], i] = 1
                own[i] |= names[row]
                if row == self.inner[i]:
                    break
                at += 1  # in a chain, the next block element with text is the child
            if self.above[i] >= 0:
                around[i] = around[self.above[i]] | own[self.above[i]]
            if own[i] | around[i]:
                for k in range(groups.shape[0]):
                    # half as much where only something around is named so: `sidebar` on the page's wrapper says little
                    # of each part
                    shares[k, i] = 1.0 if own[i] & groups[k] else 0.5 if around[i] & groups[k] else 0.0
        return flags, made


@cython.inline
def sum_in_node(nodes: Nodes, until: cython.p_double, i: cython.Py_ssize_t) -> cython.double:
    """The sum over the elements of a node. until: sums of those before each."""
    return until[nodes.ends[i]] - until[nodes.rows[i]]


@cython.inline
def density_around(nodes: Nodes, i: cython.Py_ssize_t) -> cython.double:
    """Share of link characters in the node around one, of the page in the page itself."""
    up = nodes.above[i] if nodes.above[i] >= 0 else i
    return sum_in_node(nodes, nodes.link_chars_until, up) / max(1.0, sum_in_node(nodes, nodes.chars_until, up))


@cython.cfunc
def count_links(nodes: Nodes) -> None:
    """The links to pages of each node; those in the directory of the one before; boundaries between parts whose nearest
    links share a directory."""
    every: cython.const[cython.longlong][:]
    target: cython.const[cython.longlong][:]
    of_target: cython.const[cython.longlong][:]
    every, target, of_target = nodes.links
    links: cython.p_longlong = nodes.page.take_rows(every.shape[0])
    folder: cython.p_longlong = nodes.page.take_rows(every.shape[0])
    nodes.n_links, nodes.n_same_folder = nodes.page.take_floats(nodes.n), nodes.page.take_floats(nodes.n)
    nodes.n_bonds = nodes.page.take_floats(nodes.n, True)
    n_links: cython.Py_ssize_t = 0
    for i in range(every.shape[0]):
        # links to a place of the page, scripts and mail lead to no page, and lie in no directory
        if of_target[target[i]] >= 0:
            links[n_links], folder[n_links] = every[i], of_target[target[i]]
            n_links += 1
    n_same: cython.longlong[::1] = np.zeros(n_links + 1, dtype=np.int64)
    for i in range(n_links):
        n_same[i + 1] = n_same[i] + (i > 0 and folder[i] == folder[i - 1])
    for i in range(nodes.n):
        first, last = count_smaller(links, n_links, nodes.rows[i]), count_smaller(links, n_links, nodes.ends[i])
        nodes.n_links[i] = last - first
        # without the first link of the node, which follows one outside of it
        nodes.n_same_folder[i] = n_same[last] - n_same[min(first + 1, last)]
    for i in range(1, nodes.whole.shape[0]):
        if nodes.whole[i] == nodes.whole[i - 1]:
            row = nodes.part_rows[i]
            at = count_smaller(links, n_links, row)
            # it has a link, and before it in the same node there is one
            if 0 < at < n_links and links[at] < nodes.page.end[row] and links[at - 1] >= nodes.rows[nodes.whole[i]]:
                nodes.n_bonds[nodes.whole[i]] += folder[at] == folder[at - 1]


@cython.cfunc
def count_entries(nodes: Nodes) -> None:
    """How many parts of each node are entries of a repeated list, and their characters."""
    units: cython.const[cython.longlong][:, ::1] = nodes.entries[0]
    running: cython.const[cython.double][:] = nodes.entries[1]
    place: cython.int[::1] = np.zeros(nodes.page.n_elements + 1, dtype=np.intc)
    nodes.n_entries, nodes.entry_chars = nodes.page.take_floats(nodes.n, True), nodes.page.take_floats(nodes.n, True)
    for i in range(nodes.n):
        place[nodes.inner[i]] = i + 1
    for k in range(units.shape[0]):
        up = nodes.page.parent[units[k, 0]]
        # only entries right below a node count: deeper ones belong to a node below it
        if up >= 0 and place[up]:
            nodes.n_entries[place[up] - 1] += 1
            nodes.entry_chars[place[up] - 1] += running[units[k, 1]] - running[units[k, 0]]


def number_kind(nodes: Nodes, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """A number for tag and classes of an element, also where those have none."""
    kind = nodes.page.class_name[row]
    # bare tags are numbered after all classes, so `li` and `li teaser` never share a number
    return kind if kind else nodes.page.n_class_names + nodes.page.tag[row]


@cython.cfunc
def compare_parts(nodes: Nodes) -> None:
    """How many parts of each node are of its most frequent tag and classes, are headings, and have the nested tags of
    the part before; how many parts of the same node, and how many nodes, have the tag and classes of each node."""
    page: Page = nodes.page
    nodes.n_alike, nodes.n_heading_parts = page.take_floats(nodes.n), page.take_floats(nodes.n, True)
    nodes.n_same_shape, nodes.n_siblings_alike = page.take_floats(nodes.n, True), page.take_floats(nodes.n)
    nodes.n_nodes_alike = page.take_floats(nodes.n)
    n_kinds: cython.Py_ssize_t = nodes.page.n_class_names + nodes.is_kind.shape[1]
    counts: cython.int[::1] = np.zeros(n_kinds, dtype=np.intc)
    n_of_kind: cython.int[::1] = np.zeros(n_kinds, dtype=np.intc)
    place: cython.int[::1] = np.full(nodes.page.n_elements + 1, -1, dtype=np.intc)
    at: cython.Py_ssize_t = 0
    for i in range(nodes.n):
        place[nodes.rows[i]] = i
        nodes.n_siblings_alike[i] = 1
        n_of_kind[number_kind(nodes, nodes.rows[i])] += 1
    for i in range(nodes.n):
        nodes.n_nodes_alike[i] = n_of_kind[number_kind(nodes, nodes.rows[i])]
        end = at + nodes.n_parts[i]
        most: cython.int = 0
        for k in range(at, end):
            kind = number_kind(nodes, nodes.part_rows[k])
            counts[kind] += 1
            most = max(most, counts[kind])
            nodes.n_heading_parts[i] += nodes.is_kind[0, nodes.page.tag[nodes.part_rows[k]]]
            nodes.n_same_shape[i] += k > at and nodes.shapes[nodes.parts[k]] == nodes.shapes[nodes.parts[k - 1]]
        for k in range(at, end):
            if place[nodes.part_rows[k]] >= 0:
                nodes.n_siblings_alike[place[nodes.part_rows[k]]] = counts[number_kind(nodes, nodes.part_rows[k])]
        for k in range(at, end):
            # only set entries are cleared: clearing all for each node would be quadratic
            counts[number_kind(nodes, nodes.part_rows[k])] = 0
        at = end
        nodes.n_alike[i] = most


@cython.cfunc
def follow_chains(nodes: Nodes) -> None:
    """The elements of each node's chain: how many there are, and how many of the page are like the rarest with a class;
    how many nodes have its nested tags."""
    page: Page = nodes.page
    nodes.chain, nodes.n_elements_alike = page.take_floats(nodes.n, True), page.take_floats(nodes.n, True)
    nodes.n_of_shape = page.take_floats(nodes.n)
    counts: cython.int[::1] = np.zeros(page.n_class_names + 1, dtype=np.intc)
    n_of_shape: dict = {}
    for i in range(page.n_elements):
        counts[page.class_name[i]] += 1
    for i in range(nodes.n):
        shape = nodes.shapes[nodes.number[i]]
        n_of_shape[shape] = n_of_shape.get(shape, 0) + 1
        at = nodes.number[i]
        while True:
            row = nodes.tree_rows[at]
            kind = page.class_name[row]
            nodes.chain[i] += 1
            if nodes.has_own_class(kind) and not 0 < nodes.n_elements_alike[i] <= counts[kind]:
                nodes.n_elements_alike[i] = counts[kind]
            if row == nodes.inner[i]:
                break
            at += 1  # in a chain, the next block element with text is the child
    for i in range(nodes.n):
        nodes.n_of_shape[i] = n_of_shape[nodes.shapes[nodes.number[i]]]
