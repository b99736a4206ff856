"""Features of the nodes of a cut tree that have parts, of which there are n, and the columns that they are made of.

Each feature is a line of `features.toml`. Four of them are the signals of the
patent (A4): `url_alike`, `shape_alike`, `looks_differ` (in `segments.node_features`) and `first_part`, the information
gain of the largest part.

Enters: the nodes with parts (`core/segments.py`), columns of the page. Leaves: a table, one row a feature. Keep: names
and meanings are what cards and rules refer to; a column is filled by its pass once, when the first feature asks for it
(`done`). Tested by `tests/segments/test_splits.py`, `tests/features/test_table.py` (the table) and the golden blocks.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.generated import fill_node
from webclean.core.unit_sums import count_smaller


@cython.final
@cython.cclass
class Nodes:
    """What the features of the n nodes with parts are made of; m is the number of all parts.

    Of nodes: rows, ends: int64, the outermost element, and one past its last element; n_parts, above: as in
    `segments.nodes.NodeParts`, whose table has `share_of_whole` to `share`.
    Of the page: tag: int64 [n_elements]; text_rows: int64 [n_text_blocks], their elements; text_counts: their words,
    characters and characters in links, float64; is_kind: uint8 [4, n_codes], which tags are headings, images, controls,
    rules, divs; page_height: of the tree.
    Columns that passes fill, float64 [n]: what the texts and elements inside the node add up to (`sum_nodes`); its
    links (`count_links`); how its parts resemble each other (`compare_parts`).
    Columns that are given: n_entries, entry_chars: entries of repeated lists that are parts, and their characters.
    """

    n: cython.Py_ssize_t
    done: cython.ulonglong
    rows: cython.const[cython.longlong][:]
    ends: cython.const[cython.longlong][:]
    n_parts: cython.const[cython.longlong][:]
    above: cython.const[cython.longlong][:]
    tag: cython.const[cython.longlong][:]
    text_rows: cython.const[cython.longlong][:]
    text_counts: tuple
    is_kind: cython.const[cython.uchar][:, ::1]
    page_height: cython.double

    share_of_whole: cython.const[cython.double][:]
    height: cython.const[cython.double][:]
    depth: cython.const[cython.double][:]
    own_share: cython.const[cython.double][:]
    first_part: cython.const[cython.double][:]
    second_part: cython.const[cython.double][:]
    large_parts: cython.const[cython.double][:]
    leaf_parts: cython.const[cython.double][:]
    headed_parts: cython.const[cython.double][:]
    starts_with_heading: cython.const[cython.double][:]
    is_list: cython.const[cython.double][:]
    share: cython.const[cython.double][:]

    page_chars: cython.double
    blocks: cython.double[::1]
    words: cython.double[::1]
    chars: cython.double[::1]
    link_chars: cython.double[::1]
    chars_before: cython.double[::1]
    headings: cython.double[::1]
    images: cython.double[::1]
    controls: cython.double[::1]
    rules: cython.double[::1]

    part_rows: cython.const[cython.longlong][:]
    whole: cython.const[cython.longlong][:]
    element_ends: cython.const[cython.longlong][:]
    links: tuple
    n_links: cython.double[::1]
    n_same_folder: cython.double[::1]
    n_bonds: cython.double[::1]

    shapes: cython.const[cython.longlong][:]
    classes: cython.const[cython.longlong][:]
    n_classes: cython.Py_ssize_t
    n_alike: cython.double[::1]
    n_heading_parts: cython.double[::1]
    n_same_shape: cython.double[::1]

    teaser_chars: cython.double
    n_entries: cython.double[::1]
    entry_chars: cython.double[::1]

    tree: tuple
    has_own_class: cython.const[cython.uchar][:]
    chain: cython.double[::1]
    has_class: cython.double[::1]
    n_elements_alike: cython.double[::1]
    n_siblings_alike: cython.double[::1]
    n_nodes_alike: cython.double[::1]

    n_divs: cython.double[::1]
    element_depth: cython.const[cython.longlong][:]
    n_of_shape: cython.const[cython.longlong][:]

    def __init__(
        self,
        places: tuple[Any, Any],
        parts: tuple[Any, Any, Any],
        page: tuple[Any, Any, tuple[Any, Any, Any]],
        is_kind: cython.const[cython.uchar][:, ::1],
        height: float,
    ) -> None:
        """
        Args:
            places: rows and ends.
            parts: n_parts and above; the table of `NodeParts`, a row for each of its measures.
            page: tag, text_rows, text_counts.
            is_kind, height: as above.
        """
        self.rows, self.ends = places
        self.n_parts, self.above, measures = parts
        self.tag, self.text_rows, self.text_counts = page
        self.is_kind, self.page_height, self.n = is_kind, height, self.rows.shape[0]
        self.share_of_whole, self.height, self.depth, self.own_share = measures[:4]
        self.first_part, self.second_part, self.large_parts, self.leaf_parts = measures[4:8]
        self.headed_parts, self.starts_with_heading, self.is_list, self.share = measures[8:]

    def give_links(self, parts: tuple[Any, Any, Any], links: tuple[Any, Any, Any]) -> None:
        """
        Args:
            parts: int64 [m], the outermost element of each part, and the place of the node that it is a part of, those
                of the first node first; the end of each element, int64 [n_elements].
            links: the rows of the page's links, rising, and the numbers of their targets, int64 [n_links] each; a
                number for the directory of each target, -1 for those that lead to no page, int64 [n_targets].
        """
        self.part_rows, self.whole, self.element_ends = parts
        self.links = links

    def give_kinds(self, part_rows: Any, shapes: Any, classes: Any, n_classes: cython.Py_ssize_t) -> None:
        """
        Args:
            part_rows, shapes: int64 [m] each, the outermost element of each part, and a number for its nested tags.
            classes: int64 [n_elements], numbers for tag and classes, of which 0 tells nothing.
            n_classes: of these numbers.
        """
        self.part_rows, self.shapes, self.classes, self.n_classes = part_rows, shapes, classes, n_classes

    def give_chains(self, tree: tuple[Any, Any, Any], has_own_class: Any, element_depth: Any, n_of_shape: Any) -> None:
        """
        Args:
            tree: int64, the outermost and the innermost element of each node of the cut tree, and the numbers of the n.
            has_own_class: uint8 [n_classes], the name of that number has a class beside its tag.
            element_depth, n_of_shape: int64 [n], elements around the node; how many of the n have its nested tags.
        """
        self.tree, self.has_own_class = tree, has_own_class
        self.element_depth, self.n_of_shape = element_depth, n_of_shape

    def give_entries(
        self,
        inner: cython.const[cython.longlong][:],
        parent: cython.const[cython.longlong][:],
        units: cython.const[cython.longlong][:, ::1],
        running: cython.const[cython.double][:],
        teaser_chars: cython.double,
    ) -> None:
        """
        Args:
            inner: int64 [n], the innermost element of each node.
            parent: int64 [n_elements].
            units: int64 [n_entries, 2], first row and end of each entry of a repeated list.
            running: float64 [n_elements + 1], prefix sums of characters.
            teaser_chars: of the longest entry that is a teaser.
        """
        place: cython.int[::1] = np.zeros(parent.shape[0] + 1, dtype=np.intc)
        up: cython.Py_ssize_t
        self.teaser_chars = teaser_chars
        self.n_entries, self.entry_chars = np.zeros(self.n), np.zeros(self.n)
        for i in range(self.n):
            place[inner[i]] = i + 1
        for k in range(units.shape[0]):
            up = parent[units[k, 0]]
            # of entries right below a node: those deeper inside belong to a node below it
            if up >= 0 and place[up]:
                self.n_entries[place[up] - 1] += 1
                self.entry_chars[place[up] - 1] += running[units[k, 1]] - running[units[k, 0]]

    def fill(self, numbers: tuple[int, ...]) -> Any:
        """float64 [n_numbers, n]: features by their numbers in the order of the table."""
        made = np.empty((len(numbers), self.n))
        table: cython.double[:, ::1] = made
        for at in range(len(numbers)):
            if self.n:
                fill_node(self, numbers[at], cython.address(table[at, 0]))
        return made


@cython.cfunc
def sum_nodes(nodes: Nodes) -> cython.int:
    """What texts and elements inside each node add up to: differences of prefix sums by row."""
    words: cython.const[cython.double][:]
    chars: cython.const[cython.double][:]
    linked: cython.const[cython.double][:]
    words, chars, linked = nodes.text_counts
    n: cython.Py_ssize_t = nodes.tag.shape[0]
    sums: cython.double[:, ::1] = np.zeros((n + 1, 9))  # by row, for all of a row are read together
    found: cython.double[:, ::1] = np.empty((10, nodes.n))
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for i in range(nodes.text_rows.shape[0]):
        row = nodes.text_rows[i] + 1
        sums[row, 0] += 1
        sums[row, 1] += words[i]
        sums[row, 2] += chars[i]
        sums[row, 3] += linked[i]
    for i in range(n):
        for k in range(4):
            sums[i + 1, k] += sums[i, k]
        for k in range(5):
            sums[i + 1, k + 4] = sums[i, k + 4] + nodes.is_kind[k, nodes.tag[i]]
    for i in range(nodes.n):
        for k in range(9):
            found[k, i] = sums[nodes.ends[i], k] - sums[nodes.rows[i], k]
        # characters before the node: the same prefix sum
        found[9, i] = sums[nodes.rows[i], 2]
    nodes.page_chars = sums[n, 2]
    nodes.blocks, nodes.words, nodes.chars, nodes.link_chars = found[0], found[1], found[2], found[3]
    nodes.headings, nodes.images, nodes.controls, nodes.rules = found[4], found[5], found[6], found[7]
    nodes.n_divs, nodes.chars_before = found[8], found[9]
    return 0


@cython.cfunc
def count_links(nodes: Nodes) -> cython.int:
    """The links to pages of each node; those in the directory of the one before; boundaries between parts whose nearest
    links share a directory."""
    every: cython.const[cython.longlong][:]
    target: cython.const[cython.longlong][:]
    of_target: cython.const[cython.longlong][:]
    every, target, of_target = nodes.links
    leading: cython.longlong[:, ::1] = np.empty((2, every.shape[0]), dtype=np.int64)
    found: cython.double[:, ::1] = np.zeros((3, nodes.n))
    n_links: cython.Py_ssize_t = 0
    has_link: cython.bint
    first: cython.Py_ssize_t
    for i in range(every.shape[0]):
        # links to a place of the page, scripts and mail lead to no page, and lie in no directory
        if of_target[target[i]] >= 0:
            leading[0, n_links], leading[1, n_links] = every[i], of_target[target[i]]
            n_links += 1
    links: cython.const[cython.longlong][:] = leading[0, :n_links]
    folder: cython.const[cython.longlong][:] = leading[1, :n_links]
    n_same: cython.longlong[::1] = np.zeros(n_links + 1, dtype=np.int64)
    for i in range(n_links):
        n_same[i + 1] = n_same[i] + (i > 0 and folder[i] == folder[i - 1])
    for i in range(nodes.n):
        first, last = count_smaller(links, nodes.rows[i]), count_smaller(links, nodes.ends[i])
        found[0, i] = last - first
        # without the first link of the node, which follows one outside of it
        found[1, i] = n_same[last] - n_same[min(first + 1, last)]
    for i in range(1, nodes.whole.shape[0]):
        if nodes.whole[i] == nodes.whole[i - 1]:
            first = nodes.part_rows[i]
            at = count_smaller(links, first)
            # it has a link, and before it in the same node there is one
            has_link = 0 < at < n_links and links[at] < nodes.element_ends[first]
            if has_link and links[at - 1] >= nodes.rows[nodes.whole[i]]:
                found[2, nodes.whole[i]] += folder[at] == folder[at - 1]
    nodes.n_links, nodes.n_same_folder, nodes.n_bonds = found[0], found[1], found[2]
    return 0


@cython.cfunc
def compare_parts(nodes: Nodes) -> cython.int:
    """How many parts of each node are of its most frequent tag and classes, are headings, and have the nested tags of
    the part before."""
    found: cython.double[:, ::1] = np.zeros((3, nodes.n))
    counts: cython.int[::1] = np.zeros(nodes.n_classes + nodes.is_kind.shape[1], dtype=np.intc)
    at: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    most: cython.int
    for i in range(nodes.n):
        most = 0
        for k in range(at, at + nodes.n_parts[i]):
            kind = _number_kind(nodes, nodes.part_rows[k])
            counts[kind] += 1
            most = max(most, counts[kind])
            found[1, i] += nodes.is_kind[0, nodes.tag[nodes.part_rows[k]]]
            found[2, i] += k > at and nodes.shapes[k] == nodes.shapes[k - 1]
        for k in range(at, at + nodes.n_parts[i]):
            # only what was set: to clear all for each node would be quadratic
            counts[_number_kind(nodes, nodes.part_rows[k])] = 0
        at += nodes.n_parts[i]
        found[0, i] = most
    nodes.n_alike, nodes.n_heading_parts, nodes.n_same_shape = found[0], found[1], found[2]
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _number_kind(nodes: Nodes, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """A number for tag and classes of an element, also where those have none."""
    # bare tags are numbered after all classes, so `li` and `li teaser` never share a number
    return nodes.classes[row] if nodes.classes[row] else nodes.n_classes + nodes.tag[row]


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
    at: cython.Py_ssize_t
    here: cython.Py_ssize_t
    last: cython.Py_ssize_t
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
                # half as much where only something around is named so: `sidebar` on the page's wrapper says little of
                # each part
                shares[i, place] = 1.0 if own[place] & groups[i] else 0.5 if around[place] & groups[i] else 0.0
    return flags, made
