"""Text blocks -> which of them belong to a list of links to other pages.

Such a list, of related products or of other stories, is no content of the page and no furniture either: its entries
change from page to page. It is known by its form: repeated units (`segments.unit_search`), each with a link as its
title, none longer than a teaser. A unit whose first text is a label ("Publisher:") is a fact that contains a link.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.features import PageColumns
from webclean.model import Document, Mask
from webclean.parse import find_texts
from webclean.rules.segments_schema import Segments
from webclean.segments.listing import LinkLines
from webclean.segments.segment_columns import NamedRows
from webclean.segments.unit_search import UnitSearch
from webclean.segments.units import Unit

_LABEL_ENDS: Final = (":", "：")


def mark_lists(columns: PageColumns, rules: Segments) -> Mask:
    """bool [n_blocks]: text blocks in units that lead to other pages."""
    document, blocks = columns.document, columns.blocks
    search = UnitSearch(document, rules.records)
    lines, authors = LinkLines(search, rules.people), NamedRows(document, rules, "author")
    listed = np.zeros(len(blocks), dtype=bool)
    for unit in search.units:
        if (
            search.chars[unit.end] - search.chars[unit.first] <= rules.records.teaser_chars
            and lines.leads_on(unit, authors)
            and not _begins_with_label(document, unit)
        ):
            listed |= (blocks.row >= unit.first) & (blocks.row < unit.end)
    return listed


def _begins_with_label(document: Document, unit: Unit) -> bool:
    """Whether the first displayed text of a unit ends with a colon and is in no link."""
    for node in find_texts(document, unit.first, unit.end):
        text, owner = document.text[node].strip(), document.text_owner[node]
        if text and document.displayed[owner]:
            return bool(document.link[owner] < 0) and text.endswith(_LABEL_ENDS)
    return False
