"""Nodes of a long page -> parts of about the same length.

A part ends, once it has most of its bytes, before the next semantic block, post, card or heading; where none comes
before it is far too long, at its full length before any paragraph. Cards and lists that are longer than a part are
divided between their items.

                           soft      full        hard
    |------------------------|---------|-----------|
    h2 p p p p p p p p p p p p p  h2 p p p p p p p p p p
                                ^ ends here
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS
from webclean.outputs.phone.pieces import measure

_DIVISIBLE: Final = frozenset(("section", "article", "ul", "ol", "dl", "blockquote", "table", "details", "div"))
_WHOLE: Final = 1.5
"""A page of less than so many parts is one."""
_SOFT: Final = 0.7
"""Share of a part from which it may end at a good place."""
_HARD: Final = 1.3
"""Share of a part that it may have at most, unless one node has more."""


def split_parts(nodes: list[Node], part_bytes: int) -> list[list[Node]]:
    """The nodes of each part."""
    whole = sum(map(measure, nodes))
    if whole < _WHOLE * part_bytes:
        return [nodes]
    size = whole / max(2, round(whole / part_bytes))
    pieces = list(_divide_long(nodes, round(size)))
    sizes = [measure(piece) for piece in pieces]
    good = [at > 0 and _is_good_start(piece, pieces[at - 1]) for at, piece in enumerate(pieces)]
    ahead = _measure_to_good(sizes, good)
    starts = [0]
    filled = 0
    for at, n_bytes in enumerate(sizes):
        is_soft = filled >= _SOFT * size and good[at]
        is_full = filled + n_bytes > _HARD * size or (filled >= size and filled + ahead[at] > _HARD * size)
        if at > starts[-1] and (is_soft or is_full):
            with_heading = pieces[at - 1].name in HEADINGS and at - 1 > starts[-1]
            starts.append(at - 1 if with_heading else at)
            filled = sizes[at - 1] if with_heading else 0
        filled += n_bytes
    return [pieces[start:end] for start, end in zip(starts, [*starts[1:], len(pieces)], strict=True)]


def _measure_to_good(sizes: list[int], good: list[bool]) -> list[int]:
    """For each piece, the bytes from it to the next piece that a part may begin with, or to the end."""
    ahead = [0] * (len(sizes) + 1)
    for at in range(len(sizes) - 1, -1, -1):
        ahead[at] = 0 if good[at] else sizes[at] + ahead[at + 1]
    return ahead[:-1]


def _is_good_start(node: Node, before: Node) -> bool:
    """Whether a part may begin with a node: a heading, a card or post, or the first of another semantic block."""
    if node.name in HEADINGS:
        return before.name not in HEADINGS
    return node.name in ("section", "article", "details") or node.attributes.get("block") != before.attributes.get(
        "block"
    )


def _divide_long(nodes: list[Node], size: int) -> Iterator[Node]:
    """The nodes, of which those longer than a part are divided between their children."""
    for node in nodes:
        if node.name not in _DIVISIBLE or measure(node) <= size:
            yield node
        else:
            yield from _divide_node(node, size)


def _divide_node(node: Node, size: int) -> Iterator[Node]:
    head = node.children[:1] if node.name == "table" and _is_header(node.children[0]) else []
    held: list[Node | str] = []
    n_held = n_done = 0
    pieces = list(_divide_long([_as_node(child) for child in node.children], size))
    for child in pieces:
        n_bytes = measure(child)
        if len(held) > len(head) and n_held + n_bytes > size / 2:
            yield _copy_with(node, held, n_done)
            n_done += len(held)
            held, n_held = list(head), 0
        held.append(child)
        n_held += n_bytes
    yield _copy_with(node, held, n_done)


def _is_header(row: Node | str) -> bool:
    return isinstance(row, Node) and bool(row.children) and all(cell.name == "th" for cell in row.find_nodes())


def _as_node(child: Node | str) -> Node:
    return Node("p", {}, [child]) if isinstance(child, str) else child


def _copy_with(node: Node, children: list[Node | str], n_before: int) -> Node:
    """A node of the same kind with some of its children; a later one has no id, and its numbers go on."""
    attributes = dict(node.attributes)
    if n_before:
        attributes.pop("id", None)
    if node.name == "ol" and n_before:
        attributes["start"] = str(int(attributes.get("start", "1")) + n_before)
    return Node(node.name, attributes, children, node.is_line, node.row)
