"""Kept text blocks -> plain text in reading order, each block on its own lines.

Paragraphs are separated by a blank line, list items and table rows by a line break, cells that contain one block each
by a tab. Preformatted text keeps its lines and indentation, `br` ends a line, and each item of an unordered list starts
with `- `. Nothing else is added to the text of the page.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.lines import find_line_breaks, render_broken_lines, render_preformatted
from webclean.outputs.flow.places import Place, find_places

_PARAGRAPH = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote"))
_BULLETED = frozenset(("ul", "menu", "dir"))


def render_text(document: Document, blocks: TextBlocks, kept: Mask) -> str:
    """The text of the kept blocks."""
    chosen = np.flatnonzero(kept)
    if not len(chosen):
        return ""
    numbers = chosen.tolist()
    rows = blocks.row[chosen].tolist()
    places = find_places(document, rows)
    broken = find_line_breaks(document, blocks, chosen)
    n_in_item = Counter(place.item for place in places)
    n_in_cell = Counter(place.cell for place in places)
    names, parts = document.names, list[str]()
    marked = -1
    for at, (block, place) in enumerate(zip(numbers, places, strict=True)):
        if at:
            before = places[at - 1]
            if place.pre >= 0 and place.pre == before.pre:
                continue
            prose = names[rows[at]] in _PARAGRAPH and names[rows[at - 1]] in _PARAGRAPH
            parts.append(_separate(before, place, prose, n_in_item, n_in_cell))
        if place.pre >= 0:
            parts.append(render_preformatted(document, blocks, kept, place.pre))
            continue
        if place.item != marked:
            marked = place.item
            parts.append(_mark_item(document, place))
        parts.append(render_broken_lines(document, blocks, block) if broken[at] else blocks.text[block])
    return "".join(parts)


def _separate(before: Place, place: Place, prose: bool, n_in_item: Counter[int], n_in_cell: Counter[int]) -> str:
    """The separator between two blocks. prose: both are paragraphs or headings."""
    if place.table >= 0 and place.table == before.table and n_in_cell[place.cell] == n_in_cell[before.cell] == 1:
        return "\t" if place.line == before.line else "\n"
    if place.item >= 0 and before.item >= 0 and place.outer_list == before.outer_list:
        if place.item == before.item:
            return "\n\n" if prose else "\n"
        return "\n" if n_in_item[place.item] == n_in_item[before.item] == 1 else "\n\n"
    return "\n\n"


def _mark_item(document: Document, place: Place) -> str:
    """Indentation and bullet of the first block in a list item."""
    if place.item < 0 or place.items < 0 or document.names[place.items] not in _BULLETED:
        return ""
    return "  " * (place.depth - 1) + "- "
