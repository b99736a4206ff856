"""Sections: features of what stands around a node of the cut tree.

`core/nodes.py` has what a node consists of; here is how it compares with its siblings and with the rest of the page, by
which people tell the parts that they would name.

Enters: `Nodes`. Leaves: features. Tested by `tests/segments/test_sections.py`.
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
