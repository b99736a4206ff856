"""A prominent block -> the elements before and after it that belong to it (patent A4, the visual signal).

From a block with enough text, its siblings with text are taken in, outwards. Backwards: a heading of the block is taken
and ends it; a change of looks ends it. Forwards: a heading or a change of looks ends it. Reading: a list of links ends
it in both directions, since only text belongs to text.

    h2  Weather        not reached
    p   Rain.          not taken: the heading below ends it
    h1  Bridge         taken, and ends it
    div the largest block
    p   More.          taken
    h2  Related        ends it
    p   Trams.         not reached
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from webclean.methods.patent.structured_page import StructuredPage


def extend_block(page: StructuredPage, block: int) -> dict[int, str]:
    """Row of each element that is taken in -> why. block: row of the block; one with little text takes in nothing."""
    if page.count_chars(block) < page.settings.blocks.prominent_chars:
        return {}
    siblings = list_text_siblings(page, block)
    before = [row for row in reversed(siblings) if row < block]
    after = [row for row in siblings if row > block]
    return dict([*_extend_backwards(page, block, before), *_extend_forwards(page, block, after)])


def list_text_siblings(page: StructuredPage, block: int) -> list[int]:
    """Rows of the block elements with text beside an element, in document order."""
    document = page.document
    parent = int(document.parent[block])
    if parent < 0:
        return []
    rows = np.arange(parent + 1, int(document.end[parent]))
    beside = (document.parent[rows] == parent) & (document.block[rows] == rows) & (rows != block)
    return [int(row) for row in rows[beside & (page.tree.chars_below[rows] > 0)]]


def _extend_backwards(page: StructuredPage, block: int, units: Iterable[int]) -> Iterator[tuple[int, str]]:
    for unit in units:
        if page.is_link_block(unit):
            return
        if page.is_heading_of(unit, block):
            yield unit, "the heading of the block after it"
            return
        if _looks_otherwise(page, unit, block):
            return
        yield unit, "looks like the block after it"


def _extend_forwards(page: StructuredPage, block: int, units: Iterable[int]) -> Iterator[tuple[int, str]]:
    for unit in units:
        stops = page.is_link_block(unit) or page.starts_with_heading(unit) or _looks_otherwise(page, unit, block)
        if stops:
            return
        yield unit, "looks like the block before it"


def _looks_otherwise(page: StructuredPage, unit: int, block: int) -> bool:
    return bool(page.looks.find_main(unit).list_changes(page.looks.find_main(block)))
