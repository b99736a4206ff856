"""A unit -> its pieces: runs of displayed text inside one block element and one link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

from webclean.model import Document
from webclean.parse import find_texts
from webclean.parse.tags import HEADING
from webclean.segments.units import Unit

MAX_DEPTH: Final = 4
"""Elements above a text whose names may say what it is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text of a unit, inside one block element and one link.

    owner: element of its first text node. link: row of the link around it, or -1. heading: whether the block element is
    a heading.
    """

    text: str
    owner: int
    link: int
    heading: bool


def list_pieces(document: Document, unit: Unit) -> list[Piece]:
    """The displayed text of a unit in order, divided where the block element or the link changes."""
    made: list[Piece] = []
    key: tuple[int, int] | None = None
    for node in list_text_nodes(document, unit):
        text = " ".join(document.text[node].split())
        owner = int(document.text_owner[node])
        if not text or not document.displayed[owner]:
            continue
        now = (int(document.block[owner]), int(document.link[owner]))
        if key == now:
            made[-1] = Piece(f"{made[-1].text} {text}", made[-1].owner, now[1], made[-1].heading)
        else:
            made.append(Piece(text, owner, now[1], bool(HEADING[document.tag[now[0]]])))
        key = now
    return made


def list_text_nodes(document: Document, unit: Unit) -> range:
    """Numbers of the text nodes inside a unit, those between its elements included."""
    nodes = find_texts(document, unit.first, unit.end)
    begin, stop = nodes.start, nodes.stop
    while stop > begin and not unit.first <= document.text_owner[stop - 1] < unit.end:
        stop -= 1
    return range(begin, stop)


def is_named(document: Document, row: int, unit: Unit, named: Container[int], depth: int = MAX_DEPTH) -> bool:
    """Whether an element, or one up to `depth` levels above it inside the unit, is in `named`.

    The unit's own element does not count: its names describe the whole entry.
    """
    for _ in range(depth + 1):
        if row <= unit.first:
            return False
        if row in named:
            return True
        row = int(document.parent[row])
    return False


def find_links_alone(document: Document, pieces: Iterable[Piece]) -> frozenset[Piece]:
    """The link texts that are at least half of their line."""
    return _find_long_links(document, pieces, among_links=True)


def find_links_outside_sentences(document: Document, pieces: Iterable[Piece]) -> frozenset[Piece]:
    """The link texts that are at least as long as the text of their line that is no link."""
    return _find_long_links(document, pieces, among_links=False)


def _find_long_links(document: Document, pieces: Iterable[Piece], *, among_links: bool) -> frozenset[Piece]:
    lines: Counter[int] = Counter()
    linked = []
    for piece in pieces:
        if piece.link >= 0:
            linked.append(piece)
        if among_links or piece.link < 0:
            lines[int(document.block[piece.owner])] += len(piece.text)
    share = 2 if among_links else 1
    return frozenset(piece for piece in linked if share * len(piece.text) >= lines[int(document.block[piece.owner])])
