"""Rows -> the list item, table cell and preformatted element that contain each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from webclean.model import Document

LISTS: Final = frozenset(("ul", "ol", "menu", "dir", "dl"))
ITEMS: Final = frozenset(("li", "dt", "dd"))
CELLS: Final = frozenset(("td", "th", "caption"))
PREFORMATTED: Final = frozenset(("pre", "listing", "xmp", "plaintext"))


class Place(NamedTuple):
    """Rows of the nearest element of each kind that contains a block (or is the block itself), -1 if there is none.

    items: the nearest list; outer_list: the outermost one inside the nearest cell. depth: number of lists around it.
    """

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
    names = document.names
    block_above = np.where(document.parent >= 0, document.block[document.parent], -1).tolist()
    places = []
    for wanted in rows:
        row, todo = wanted, []
        while row not in known:
            todo.append(row)
            row = block_above[row]
        place = known[row]
        for row in reversed(todo):
            if names[row] in _ENTER:
                place = _ENTER[names[row]](place, row)
            known[row] = place
        places.append(place)
    return places


def _enter_item(place: Place, row: int) -> Place:
    return place._replace(item=row)


def _enter_list(place: Place, row: int) -> Place:
    outer = place.outer_list if place.outer_list >= 0 else row
    return place._replace(items=row, outer_list=outer, depth=place.depth + 1)


def _enter_table(place: Place, row: int) -> Place:
    return place._replace(table=row, line=-1, cell=-1)


def _enter_line(place: Place, row: int) -> Place:
    return place._replace(line=row)


def _enter_cell(place: Place, row: int) -> Place:
    return Place(table=place.table, line=place.line, cell=row, pre=place.pre)


def _enter_preformatted(place: Place, row: int) -> Place:
    return place if place.pre >= 0 else place._replace(pre=row)


_ENTER: Final[dict[str, Callable[[Place, int], Place]]] = {
    **dict.fromkeys(LISTS, _enter_list),
    **dict.fromkeys(ITEMS, _enter_item),
    "table": _enter_table,
    "tr": _enter_line,
    **dict.fromkeys(CELLS, _enter_cell),
    **dict.fromkeys(PREFORMATTED, _enter_preformatted),
}
