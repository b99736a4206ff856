"""Rows -> where they stand: in which list item, table cell and preformatted block."""

from __future__ import annotations

from typing import Final, NamedTuple

from webclean.model import Document

LISTS: Final = frozenset(("ul", "ol", "menu", "dir", "dl"))
ITEMS: Final = frozenset(("li", "dt", "dd"))
CELLS: Final = frozenset(("td", "th", "caption"))
PREFORMATTED: Final = frozenset(("pre", "listing", "xmp", "plaintext"))


class Place(NamedTuple):
    """Where a block stands: rows of the nearest elements of each kind around it, itself included, or -1.

    name: tag of the block element. items: the nearest list; outer_list: the outermost one inside the nearest cell.
    depth: number of lists around it.
    """

    name: str = ""
    item: int = -1
    items: int = -1
    outer_list: int = -1
    table: int = -1
    line: int = -1
    cell: int = -1
    pre: int = -1
    depth: int = 0


def find_places(document: Document, rows: list[int]) -> list[Place]:
    """The place of each block row."""
    known = {-1: Place()}
    names, block, parent = document.names, document.block, document.parent
    places = []
    for wanted in rows:
        row, todo = wanted, []
        while row not in known:
            todo.append(row)
            above = int(parent[row])
            row = int(block[above]) if above >= 0 else -1
        place = known[row]
        for row in reversed(todo):
            known[row] = place = _enter(place, row, names[row])
        places.append(place)
    return places


def _enter(place: Place, row: int, name: str) -> Place:
    """The place inside the block element at `row`."""
    if name in ITEMS:
        return place._replace(name=name, item=row)
    if name in LISTS:
        outer = place.outer_list if place.outer_list >= 0 else row
        return place._replace(name=name, items=row, outer_list=outer, depth=place.depth + 1)
    if name == "table":
        return place._replace(name=name, table=row, line=-1, cell=-1)
    if name == "tr":
        return place._replace(name=name, line=row)
    if name in CELLS:
        return Place(name, table=place.table, line=place.line, cell=row, pre=place.pre)
    if name in PREFORMATTED and place.pre < 0:
        return place._replace(name=name, pre=row)
    return place._replace(name=name)
