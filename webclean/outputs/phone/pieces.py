"""A tree of clean elements -> pieces of it by what their text belongs to: a semantic block, an entry of a list.

    ul [li A, li B, li C]   with B, C of one entry   ->   (A) ul [li A], (B C) ul [li B, li C]

An element whose text belongs to several is divided, at any depth, into one of its kind for each run of its children.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeVar

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import INLINE, LEAVES, read_text
from webclean.outputs.phone.wording import Phrases

Place = int
"""What a piece belongs to: the number of a block or entry, -1 for none."""
Piece = tuple[Place, Node]
_Child = TypeVar("_Child")


def divide(
    nodes: Iterable[Node], find_place: Callable[[int], Place], whole: frozenset[str] = frozenset()
) -> list[Piece]:
    """The nodes in order, each of one place. find_place: row of a leaf -> its place. whole: names of elements that are
    not divided, but belong to the place of their first text."""
    found: list[Piece] = []
    for node in nodes:
        found += _fill(_divide(node, find_place, whole), found[-1][0] if found else -1)
    return found


def _divide(node: Node, find_place: Callable[[int], Place], whole: frozenset[str]) -> list[tuple[Place | None, Node]]:
    """The pieces of a node; the place of one without a row, such as an empty cell, is None."""
    if node.name in LEAVES or node.name in INLINE or node.name == "hr":
        return [(find_place(node.row) if node.row >= 0 else None, node)]
    pieces: list[tuple[Place | None, Node | str]] = []
    for child in node.children:
        if isinstance(child, str) or (child.name in INLINE and child.row < 0):
            pieces.append((find_place(node.row) if node.row >= 0 else None, child))
        else:
            pieces += _divide(child, find_place, whole)
    places = {place for place, _ in pieces if place is not None}
    if len(places) <= 1 or node.name in whole:
        first = next((place for place, _ in pieces if place is not None), None)
        return [(first, node)]
    return [
        (place, Node(node.name, node.attributes, [child for _, child in run], node.is_line, node.row))
        for place, run in groupby(_fill(pieces, pieces[0][0]), key=lambda piece: piece[0])
    ]


def _fill(pieces: Sequence[tuple[Place | None, _Child]], before: Place | None) -> list[tuple[Place, _Child]]:
    """Pieces of no place belong to that of the piece before them."""
    filled = []
    place = -1 if before is None else before
    for found, child in pieces:
        place = place if found is None else found
        filled.append((place, child))
    return filled


class Spans:
    """Spans of rows, `(first, end)`, found by a row: the innermost where one lies in another."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._order = sorted(range(len(spans)), key=lambda number: (spans[number][0], -spans[number][1]))
        self._starts = [spans[number][0] for number in self._order]
        self._ends = [spans[number][1] for number in self._order]
        self._around: list[int] = []
        for at, first in enumerate(self._starts):
            outer = at - 1
            while outer >= 0 and self._ends[outer] <= first:
                outer = self._around[outer]
            self._around.append(outer)

    def find(self, row: int) -> Place:
        """Number of the span that holds a row, or -1."""
        at = bisect_right(self._starts, row) - 1
        while at >= 0 and row >= self._ends[at]:
            at = self._around[at]
        return self._order[at] if at >= 0 else -1


def list_leaves(node: Node) -> list[Node]:
    """The nodes with text or images of their own, in order: leaves, and containers that hold text directly."""
    if is_leaf(node):
        return [node]
    found: list[Node] = []
    own = [child for child in node.children if isinstance(child, str) or child.name in INLINE]
    if own:
        found.append(Node("p", {}, list(own), row=node.row))
    for child in node.find_nodes():
        if child.name not in INLINE:
            found += list_leaves(child)
    return found


def leave_out_images(children: Iterable[Node | str]) -> list[Node | str]:
    """What a line holds beside images, on one line."""
    kept: list[Node | str] = []
    for child in children:
        if isinstance(child, str) or child.name == "math":
            kept.append(child)
        elif child.name == "br":
            kept.append(" ")
        elif child.name != "img" and (inside := leave_out_images(child.children)):
            kept.append(Node(child.name, child.attributes, inside, child.is_line, child.row))
    return kept


def read_phrases(nodes: Iterable[Node]) -> Phrases:
    """What the lines of some nodes, and the links in them, say."""
    leaves = [leaf for node in nodes for leaf in list_leaves(node)]
    links = (read_text(child) for leaf in leaves for child in leaf.find_nodes() if child.name == "a")
    return Phrases(map(read_text, leaves), links)


def is_leaf(node: Node) -> bool:
    """Whether a node holds text and inline elements alone."""
    return node.name in LEAVES or node.name in INLINE


def measure(node: Node | str) -> int:
    """Bytes of text (UTF-8) in a node."""
    if isinstance(node, str):
        return len(node.encode("utf-8", "surrogatepass"))
    if node.name == "math":
        return len(read_text(node).encode("utf-8", "surrogatepass"))
    return sum(map(measure, node.children))
