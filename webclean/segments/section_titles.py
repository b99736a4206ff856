"""Sections -> the title that a reader would give each, '' rather than a wrong one.

<section> <h2>Sport</h2> <div>..</div> </section>          the heading that leads it, if no other of its rank follows
<div> <h3>Topics</h3>.. <h3>Links</h3>.. </div>            it does: each names a part, and neither names the whole
<div> <b>Local news</b> <ul>..</ul> </div>                 a line in bold or a label before the rest
<h2>Local news</h2> <div> <ul>..</ul> </div>               the heading that stands alone before it
<nav aria-label="Breadcrumb">                              what the element is called
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from webclean.model import Rows
from webclean.parse import read_attribute
from webclean.parse.tags import tag_mask
from webclean.segments.titles import TitleSearch

_LABELS: Final = tag_mask("dt th caption legend")
_BOLD: Final = tag_mask("b strong")
_LINKED: Final = 0.5
"""Share of link text from which lines are a list of links."""


class Span(NamedTuple):
    """A section by its outermost elements, and the rows from the first of them to the end of the last."""

    rows: tuple[int, ...]
    first: int
    end: int


class SectionTitles:
    """Finds the titles of the sections of one page.

    blocks: the search for titles of the page's blocks, which knows its lines. units: int64 [n_units, 2], the rows of
    the entries of its lists.
    """

    def __init__(self, blocks: TitleSearch, units: Rows) -> None:
        self._blocks, self._units = blocks, units
        self._page, self._rules = blocks.columns.page, blocks.columns.rules.titles
        self._is_heading = self._page.is_heading

    def find(self, span: Span, is_noise: bool, around: Span | None, alone: int | None) -> str:
        """The title of a section.

        Args:
            span: of the section.
            is_noise: it is a menu, say, which only a heading of its own names.
            around: of the section around it.
            alone: the block that is all of it, if one is.
        """
        if alone is not None and (title := self._blocks.find(alone)):
            return title
        rows = self._page.blocks.row
        places = np.flatnonzero((rows >= span.first) & (rows < span.end)).tolist()
        found = self._find_leading(places, None if is_noise else self._is_entry(span))
        if found is None and places and not is_noise:
            found = self._find_before(span, places[0], around)
        return self._name_element(span) if found is None else self._page.blocks.text[found]

    def _is_entry(self, span: Span) -> bool:
        """Whether a section is no list, but one entry of a list at most: then a link can be its title."""
        first, end = self._units.T
        return int(((first >= span.first) & (end <= span.end)).sum()) <= 1

    def _find_leading(self, places: Sequence[int], is_entry: bool | None) -> int | None:
        """The heading or label among the first lines that speaks for all that follows. is_entry: None where no label
        can."""
        for at, place in enumerate(places[: self._rules.lines]):
            if self._is_heading[place]:
                return place if self._leads(place, places) else None
            if is_entry is None or not self._blocks.is_label[place]:
                return None
            if not at and len(places) > 1 and self._names_rest(place, places, is_entry):
                return place
        return None

    def _names_rest(self, place: int, places: Sequence[int], is_entry: bool) -> bool:
        """Whether the first line, which is short, is a label of the lines after it: it stands out, it is the linked
        name of an entry, or it is no link and links follow."""
        blocks = self._page.blocks
        if self._blocks.is_refused(place):
            return False
        linked, whole = blocks.n_link_chars[places[1:]].sum(), blocks.n_chars[places[1:]].sum()
        heads_links = not blocks.n_link_chars[place] and linked >= _LINKED * whole
        if blocks.n_link_chars[place] and is_entry:
            return True
        return bool(heads_links or self._stands_out(place)) and not self._blocks.is_entry(place)

    def _leads(self, heading: int, places: Sequence[int]) -> bool:
        """Whether no other heading of the rank of this one, or a higher one, follows it: then it is a part's alone."""
        tags, rows = self._page.document.tag, self._page.blocks.row
        rank = tags[rows[heading]]
        rivals = (place for place in places if place != heading and self._is_heading[place])
        return not self._blocks.is_refused(heading) and all(tags[rows[place]] > rank for place in rivals)

    def _stands_out(self, place: int) -> bool:
        """Whether a line is in bold or a label."""
        document, row = self._page.document, int(self._page.blocks.row[place])
        inside = (
            row + 1 < document.end[row] and _BOLD[document.tag[row + 1]] and document.end[row + 1] == document.end[row]
        )
        return bool(inside or _LABELS[document.tag[row]])

    def _find_before(self, span: Span, first: int, around: Span | None) -> int | None:
        """The heading that stands alone next before a section, beside it or beside the element around it."""
        document, before = self._page.document, first - 1
        if before < 0 or not self._is_heading[before] or self._blocks.is_refused(before):
            return None
        row, parent = int(self._page.blocks.row[before]), int(document.parent[span.first])
        near = {parent, int(document.parent[parent]) if parent >= 0 else -1}
        is_inside = around is None or around.first <= row < around.end
        return before if is_inside and int(document.parent[row]) in near else None

    def _name_element(self, span: Span) -> str:
        """What the only element of a section is called for those who cannot see it."""
        if len(span.rows) != 1:
            return ""
        said = read_attribute(self._page.document, span.rows[0], "aria-label") or ""
        return " ".join(said.split())[: self._rules.chars]
