"""Tells data tables from tables that are used for layout."""

from __future__ import annotations

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.parse import count_tags, read_attribute
from webclean.parse.tags import CODE, HEADING, LIST_ITEM


def find_data_tables(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask) -> Mask:
    """bool [n_elements]: the data tables. filled: bool [n_elements], elements that contain kept text.

    Only filled rows and cells count. A data table has at least two rows, a row with at least two cells, no heading and
    no other table inside, and no `role` of presentation. Fewer than half of its rows have a cell with several
    paragraphs: such cells are typical of forum posts and page columns.
    """
    found = np.zeros(len(document), dtype=bool)
    if not count_tags(document)[CODE["table"]]:
        return found
    tables = (document.tag == CODE["table"]) & filled
    disturbing = np.concatenate(([0], np.cumsum(tables | (HEADING[document.tag] & filled))))
    rows = blocks.row[kept]
    paragraphs = np.bincount(rows[~LIST_ITEM[document.tag[rows]]], minlength=len(document))
    n_paragraphs = np.concatenate(([0], np.cumsum(paragraphs)))
    for row in tables.nonzero()[0].tolist():
        end = int(document.end[row])
        if disturbing[end] > disturbing[row + 1]:
            continue
        if (read_attribute(document, row, "role") or "").strip().lower() in ("presentation", "none"):
            continue
        tags = document.tag[row:end]
        cells = row + (((tags == CODE["td"]) | (tags == CODE["th"])) & filled[row:end]).nonzero()[0]
        lines, n_cells = np.unique(document.parent[cells], return_counts=True)
        long = n_paragraphs[document.end[cells]] - n_paragraphs[cells] > 1
        n_long = len(np.unique(document.parent[cells[long]]))
        found[row] = len(lines) > 1 and n_cells.max() > 1 and 2 * n_long < len(lines)
    return found
