"""Which tables hold data, and which only place things on the page."""

from __future__ import annotations

import numpy as np

from webclean.model import Document, Mask
from webclean.parse import read_attribute
from webclean.parse.tags import CODE, HEADING


def find_data_tables(document: Document, holds_text: Mask) -> Mask:
    """bool [n_elements]: tables of data, counting only what holds kept text.

    A table of data has two filled rows or more and two filled cells in a row, no heading and no table inside, and is
    not said to be presentation.
    """
    tables = (document.tag == CODE["table"]) & holds_text
    found = np.zeros(len(document), dtype=bool)
    disturbing = np.concatenate(([0], np.cumsum(tables | (HEADING[document.tag] & holds_text))))
    for row in np.flatnonzero(tables).tolist():
        end = int(document.end[row])
        if disturbing[end] > disturbing[row + 1]:
            continue
        if (read_attribute(document, row, "role") or "").strip().lower() in ("presentation", "none"):
            continue
        inside = slice(row, end)
        tags, parents = document.tag[inside], document.parent[inside]
        cells = ((tags == CODE["td"]) | (tags == CODE["th"])) & holds_text[inside]
        lines, n_cells = np.unique(parents[cells], return_counts=True)
        found[row] = len(lines) > 1 and n_cells.max() > 1
    return found
