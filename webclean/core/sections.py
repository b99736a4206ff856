"""Sections: features of what stands around a node of the cut tree, and the choice of the nodes that are sections.

`core/nodes.py` has what a node consists of; here is how it compares with its siblings and with the rest of the page, by
which people tell the parts that they would name.

Enters: `Nodes`; sizes and chances of parts. Leaves: features; what taking each part gains. Keep: `close` is over one
half, or a node would be close to two of its parts and `walk` miss one. Tested by `tests/segments/test_sections.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.nodes import Nodes, _number_kind


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def density_around(nodes: Nodes, i: cython.Py_ssize_t) -> cython.double:
    """Share of link characters in the node around one, of the page in the page itself."""
    up = nodes.above[i] if nodes.above[i] >= 0 else i
    return nodes.link_chars[up] / max(1.0, nodes.chars[up])


@cython.cfunc
def compare_kinds(nodes: Nodes) -> cython.int:
    """How many siblings and nodes have the tag and classes of each node."""
    found: cython.double[:, ::1] = np.ones((2, nodes.n))
    counts: cython.int[::1] = np.zeros(nodes.n_classes + nodes.is_kind.shape[1], dtype=np.intc)
    place: cython.int[::1] = np.full(nodes.tag.shape[0] + 1, -1, dtype=np.intc)
    k: cython.Py_ssize_t
    for i in range(nodes.n):
        place[nodes.rows[i]] = i
        counts[_number_kind(nodes, nodes.rows[i])] += 1
    for i in range(nodes.n):
        found[1, i] = counts[_number_kind(nodes, nodes.rows[i])]
    # used again below, for the parts of one node at a time
    counts[:] = 0
    at: cython.Py_ssize_t = 0
    for i in range(nodes.n):
        for k in range(at, at + nodes.n_parts[i]):
            counts[_number_kind(nodes, nodes.part_rows[k])] += 1
        for k in range(at, at + nodes.n_parts[i]):
            if place[nodes.part_rows[k]] >= 0:
                found[0, place[nodes.part_rows[k]]] = counts[_number_kind(nodes, nodes.part_rows[k])]
        for k in range(at, at + nodes.n_parts[i]):
            counts[_number_kind(nodes, nodes.part_rows[k])] = 0
        at += nodes.n_parts[i]
    nodes.n_siblings_alike, nodes.n_nodes_alike = found[0], found[1]
    return 0


@cython.cfunc
def follow_chains(nodes: Nodes) -> cython.int:
    """The elements of each node's chain: how many there are, whether one has a class, and how rare the rarest is."""
    rows: cython.const[cython.longlong][:]
    inner: cython.const[cython.longlong][:]
    numbers: cython.const[cython.longlong][:]
    rows, inner, numbers = nodes.tree
    found: cython.double[:, ::1] = np.zeros((3, nodes.n))
    counts: cython.int[::1] = np.zeros(nodes.n_classes + 1, dtype=np.intc)
    at: cython.Py_ssize_t
    of_class: cython.Py_ssize_t
    for i in range(nodes.classes.shape[0]):
        counts[nodes.classes[i]] += 1
    for i in range(nodes.n):
        at = numbers[i]
        while True:
            found[0, i] += 1
            of_class = nodes.classes[rows[at]]
            if nodes.has_own_class[of_class]:
                if not found[1, i] or counts[of_class] < found[2, i]:
                    found[2, i] = counts[of_class]
                found[1, i] = 1
            if rows[at] == inner[numbers[i]]:
                break
            at += 1  # in a chain, the next block element with text is the child
    nodes.chain, nodes.has_class, nodes.n_elements_alike = found[0], found[1], found[2]
    return 0


def number_alike(
    nodes: tuple[Any, Any, Any],
    tag: cython.const[cython.longlong][:],
    classes: cython.const[cython.longlong][:],
    has_own_class: cython.const[cython.uchar][:],
) -> Any:
    """int64 [n]: for each node the first of its siblings that is alike: of the same tag and classes, or, where these
    are none, of the same tag and nested tags, for much that differs is a `div`.

    Args:
        nodes: int64 [n] each, the node around, -1 for none; the outermost element; a number for the nested tags.
        tag, classes: int64 [n_elements], of elements; numbers for tag and classes.
        has_own_class: uint8 [n_classes], whether such a number stands for classes beside the tag.
    """
    above: cython.const[cython.longlong][:]
    rows: cython.const[cython.longlong][:]
    shapes: cython.const[cython.longlong][:]
    above, rows, shapes = nodes
    made = np.empty(above.shape[0], dtype=np.int64)
    first: cython.longlong[::1] = made
    known: dict = {}
    for i in range(above.shape[0]):
        kind = classes[rows[i]]
        looks = 0 if has_own_class[kind] else shapes[i]
        first[i] = known.setdefault((above[i], tag[rows[i]], kind, looks), i)
    return made


@cython.final
@cython.cclass
class _Cover:
    """Greedy coverage: of n nodes, in document order, some are taken so that each likely part is close to one of them.

    Two nodes are *close* where one is inside the other and holds `close` of its characters (an IoU): these stand on one
    path, since of the parts of a node at most one is close to it. So what a node covers is a walk up and a walk down.

    above: the place of the node around, -1 for none. heavy: that of its largest part. size: characters. chance: that
    people name it. group: nodes that stand or fall together. covered: a taken node, or a block, is close to it. free:
    is a block, so that it costs nothing to take it.
    """

    n: cython.Py_ssize_t
    close: cython.double
    above: cython.const[cython.longlong][:]
    size: cython.const[cython.double][:]
    chance: cython.const[cython.double][:]
    heavy: cython.longlong[::1]
    covered: cython.uchar[::1]

    def __init__(
        self,
        above: cython.const[cython.longlong][:],
        size: cython.const[cython.double][:],
        chance: cython.const[cython.double][:],
        close: float,
    ) -> None:
        self.n, self.close, self.above, self.size, self.chance = above.shape[0], close, above, size, chance
        self.heavy = np.full(self.n, -1, dtype=np.int64)
        self.covered = np.zeros(self.n, dtype=np.uint8)
        up: cython.Py_ssize_t
        for i in range(self.n):
            up = above[i]
            # of equals the first: it alone can be close to the whole, and two of equal size are half each
            if up >= 0 and (self.heavy[up] < 0 or size[i] > size[self.heavy[up]]):
                self.heavy[up] = i

    @cython.cfunc
    def walk(self, node: cython.Py_ssize_t, cover: cython.bint) -> cython.double:
        """The chances of what is close to a node and not covered yet; covers it if asked."""
        gain: cython.double = 0.0
        at: cython.Py_ssize_t = node
        while at >= 0 and self.size[node] >= self.close * self.size[at]:
            gain += self.visit(at, cover)
            at = self.above[at]
        # a part that is not the largest holds at most half, which is not close while `close` is over one half
        at = self.heavy[node]
        while at >= 0 and self.size[at] >= self.close * self.size[node]:
            gain += self.visit(at, cover)
            at = self.heavy[at]
        return gain

    @cython.cfunc
    @cython.inline
    def visit(self, at: cython.Py_ssize_t, cover: cython.bint) -> cython.double:
        gain: cython.double = 0.0 if self.covered[at] else self.chance[at]
        if cover:
            self.covered[at] = 1
        return gain


def cover_nodes(
    above: cython.const[cython.longlong][:],
    size: cython.const[cython.double][:],
    chance: cython.const[cython.double][:],
    groups: tuple[Any, Any],
    blocks: cython.const[cython.longlong][:],
    enough: float,
    close: float,
) -> Any:
    """float64 [n]: what taking each node gained, 0 for those that are not taken.

    While a group gains enough, the one that gains most is taken: the chances that it newly covers, divided by its nodes
    that are not blocks.

    Args:
        above, size, chance: of n nodes in document order, as in `_Cover`; a node with no chance is not taken.
        groups: int64 [n], numbers of nodes in the order of their groups; int64 [n_groups + 1], where each begins.
        blocks: numbers of the nodes that are blocks.
        enough: the least gain, over 0. close: the IoU from which two nodes are close.
    """
    member: cython.const[cython.longlong][:] = groups[0]
    first: cython.const[cython.longlong][:] = groups[1]
    cover: _Cover = _Cover(above, size, chance, close)
    made = np.zeros(cover.n)
    gained: cython.double[::1] = made
    n_groups: cython.Py_ssize_t = first.shape[0] - 1
    bound: cython.double[::1] = np.empty(n_groups)  # what a group may gain; taking others only lessens it
    is_free: cython.uchar[::1] = np.zeros(cover.n, dtype=np.uint8)
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t
    gain: cython.double
    cost: cython.double
    for k in range(blocks.shape[0]):
        is_free[blocks[k]] = 1
    least: cython.double = max(1e-9, enough)  # with 0 the loop would take groups that gain nothing for ever
    for best in range(n_groups):
        bound[best] = np.inf if chance[member[first[best]]] > 0 else 0.0
    # readers have the blocks already: a section close to one would say the same twice
    for k in range(blocks.shape[0]):
        cover.walk(blocks[k], True)
    while True:
        best = -1
        for k in range(n_groups):
            if bound[k] >= least and (best < 0 or bound[k] > bound[best]):
                best = k
        if best < 0:
            return made
        gain = cost = 0.0
        for k in range(first[best], first[best + 1]):
            gain += cover.walk(member[k], False)
            cost += 0 if is_free[member[k]] else 1
        gain /= max(1.0, cost)
        if gain < bound[best]:  # asked again before it is taken, for others may gain more now
            bound[best] = gain
            continue
        for k in range(first[best], first[best + 1]):
            gained[member[k]] = gain
            cover.walk(member[k], True)
        bound[best] = 0.0
