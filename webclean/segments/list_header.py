"""Rows of a table that are entries -> what the header of each column says.

    <tr> <th colspan="2">Topic</th> <td>Replies/Views</td> </tr>          often in a table of its own, before the list
    <tr> <td>*</td> <td><a>..</a></td> <td><a>22</a> <em>1171</em></td> </tr>

The header is the nearest row before the entries that spans as many columns. It may name several numbers of a cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from webclean.model import Document
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import CODE, tag_mask
from webclean.segments.units import Unit

_CELL: Final = tag_mask("td th")
_ROWS_BEFORE: Final = 3
_MOST_CHARS: Final = 200


def read_header(document: Document, units: Sequence[Unit]) -> dict[int, str]:
    """First column of a cell -> its text in the header of a list; empty for lists that are no table or have none."""
    row = _find_row(document, units[0]) if units else -1
    width = sum(span for _, span in list_cells(document, row)) if row >= 0 else 0
    if width < 2:
        return {}
    rows = np.flatnonzero(document.tag[:row] == CODE["tr"])[-_ROWS_BEFORE:]
    for above in reversed(rows.tolist()):
        cells = list_cells(document, above)
        if len(cells) > 1 and sum(span for _, span in cells) == width and document.end[above] <= row:
            return dict(zip(_list_columns(cells), (_read_text(document, cell) for cell, _ in cells), strict=True))
    return {}


def place_cells(document: Document, unit: Unit) -> dict[int, int]:
    """Row of a cell of an entry's first table row -> its first column."""
    row = _find_row(document, unit)
    cells = list_cells(document, row) if row >= 0 else []
    return dict(zip((cell for cell, _ in cells), _list_columns(cells), strict=True))


def list_cells(document: Document, row: int) -> list[tuple[int, int]]:
    """The cells of a table row with the number of columns that each spans."""
    cells, at, end = [], row + 1, int(document.end[row])
    while at < end:
        if _CELL[document.tag[at]]:
            span = read_attribute(document, at, "colspan") or ""
            cells.append((at, int(span) if span.isdecimal() and len(span) < 3 else 1))
        at = int(document.end[at])
    return cells


def _list_columns(cells: list[tuple[int, int]]) -> list[int]:
    spans = [0, *(span for _, span in cells)]
    return np.cumsum(spans[: len(cells)]).tolist() if cells else []


def _find_row(document: Document, unit: Unit) -> int:
    """The first table row of a unit that is one or a group of them, -1 without one."""
    rows = np.flatnonzero(document.tag[unit.first : unit.end] == CODE["tr"])
    row = unit.first + int(rows[0]) if len(rows) else -1
    return row if row == unit.first or (row >= 0 and document.tag[unit.first] == CODE["tbody"]) else -1


def _read_text(document: Document, row: int) -> str:
    nodes = find_texts(document, row, int(document.end[row]))
    return " ".join(" ".join(document.text[node] for node in nodes).split())[:_MOST_CHARS]
