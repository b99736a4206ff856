"""Data tables in the text are decided as a whole: their cells are short, and alone look like menus and labels.

A data table is an innermost `table` with enough rows of several cells, short texts and few links; a table that lays out
the page has long cells or one a row. One that begins within `reach` blocks after kept text belongs to it, and its cells
rise to the points of that text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.model import Correction, Floats, Mask, Rows
from webclean.parse import count_tags
from webclean.parse.preorder import find_nearest
from webclean.parse.tags import CODE, tag_mask
from webclean.rules.decide_schema import DataTables

_CELL: Final = tag_mask("td th")
_LEAST_WORDS: Final = 3
"""Of the kept text before a table: a label alone is not yet text."""


def correct_tables(
    columns: PageColumns, points: Floats, kept: Mask, rules: DataTables, types: Mapping[str, float]
) -> Correction | None:
    """The points that the cells of data tables gain, None where there are none. kept: bool [n_blocks], what would
    be kept so far."""
    share = rules.share * average_by_type(rules.counts, types)
    if not share or not count_tags(columns.document)[CODE["table"]]:
        return None
    gained = np.zeros(len(points))
    is_text = kept & (columns.words >= _LEAST_WORDS)
    for cells in find_data_tables(columns, rules):
        before = np.arange(max(0, cells[0] - rules.reach), cells[0])
        before = before[is_text[before]]
        if len(before):
            gained[cells] = share * np.maximum(0.0, points[before].max() - points[cells])
    return make_correction("tables", gained, None, "in a data table after kept text")


def find_data_tables(columns: PageColumns, rules: DataTables) -> Iterator[Rows]:
    """The blocks of each data table."""
    document = columns.document
    cell = find_nearest(document.parent, _CELL[document.tag])[columns.row]
    blocks = (cell >= 0).nonzero()[0]
    table = find_nearest(document.parent, document.tag == CODE["table"])[cell[blocks]]
    for number in sorted(set(table[table >= 0].tolist())):
        own = blocks[table == number]
        cells = sorted(Counter(document.parent[cell[own]].tolist()).values())  # of each row
        if (
            len(cells) >= rules.least_rows
            and cells[(len(cells) - 1) // 2] + cells[len(cells) // 2] >= 2 * rules.least_columns  # the median
            and columns.words[own].mean() <= rules.most_words
            and columns.link_words[own].sum() <= rules.most_links * columns.words[own].sum()
        ):
            yield own
