"""Repeated units of a page: the elements or runs of siblings that are entries of a list, and their search.

A unit is an element, or a run of siblings, that is one entry of a list:

    <ul> <li>..</li> <li>..</li> </ul>                          each li is a unit
    <dl> <dt>..</dt><dd>..</dd> <dt>..</dt><dd>..</dd> </dl>    each run dt, dd is a unit

From the root down, for each element: the tags of its children are searched for a repetition
(`segments.tag_sequence`), or their tags and classes if that fails. The units must look like entries: mostly links,
starting with a link, or with a heading or a link on a line of its own. If the units are lists themselves, such as the
columns of a portal, their units are taken instead. No selector and no class name is known in advance: classes only
distinguish siblings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.blocks.text_blocks import measure_stripped
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.names import NameTable, find_names
from webclean.model import Document, Floats, Rows
from webclean.parse import read_attribute
from webclean.parse.columns import number_names
from webclean.parse.limits import check_time
from webclean.parse.tags import HEADING, INVISIBLE, tag_mask
from webclean.rules.segments_schema import Records
from webclean.segments.urls import generalise_url, is_generated, is_page_url

_Number = TypeVar("_Number", np.int64, np.float64)

CELL: Final = tag_mask("td th")
ROW: Final = tag_mask("tr")
LIST_OF_ITEMS: Final = tag_mask("ul ol")
IMAGE: Final = tag_mask("img picture")
LABEL: Final = tag_mask("label")
KINDS: Final = np.array([HEADING, LIST_OF_ITEMS, INVISIBLE, CELL, ROW, IMAGE, LABEL]).view(np.uint8)
"""uint8 [7, n_codes]: what `core/unit_signals.py` and `core/units.py` ask of a tag, in their order."""


class Unit(NamedTuple):
    """One entry: consecutive siblings with their subtrees, rows `first` to `end` (exclusive)."""

    first: int
    end: int


def list_inside(rows: Sequence[int], first: int, end: int) -> Sequence[int]:
    """Those of rising rows from `first` to `end` (exclusive)."""
    return rows[bisect_left(rows, first) : bisect_left(rows, end)]


def list_units(bounds: Rows) -> list[Unit]:
    """Units by their rows, int64 [n_units, 2]."""
    return list(map(Unit._make, bounds.tolist()))


class UnitSums(NamedTuple):
    """Sums over a page of n elements, and who has children with text.

    text_chars: float64 [n_texts], displayed characters. sums: float64 [5, n + 1], prefix sums over rows: characters,
    those in links, headings, links, and links that are all of their line: of the text of a block element outside the
    blocks inside it. children: int64 [n_children], the children with text of all elements, those of the first element
    first. first_child: int64 [n + 1], where in `children` those of each element begin. searched: the elements that may
    have units, rising: with so many children that have link text, or such items of lists.
    """

    text_chars: Floats
    sums: Floats
    children: Rows
    first_child: Rows
    searched: list[int]


class UnitSearch:
    """Finds the units of one page, and has what their readers ask of it.

    text_chars: as in `UnitSums`. chars, link_chars, headings, links, alone: its sums, so that the value of a unit is
    `chars[end] - chars[first]`; views, because a few single entries are read. end: `Document.end`.
    """

    def __init__(self, document: Document, rules: Records, names: NameTable | None = None) -> None:
        """names: of the page's elements, where they are known."""
        self.document, self.rules, self._names = document, rules, names
        self.text_length = measure_stripped(document.text)
        self.summed = UnitSums(*core.add_up_rows(document.page, self.text_length, KINDS, rules.min_units))
        self.text_chars = self.summed.text_chars
        self.chars, self.link_chars, self.headings, self.links, self.alone = map(_view, self.summed.sums)
        self.end = _view(document.end)

    @cached_property
    def _classes(self) -> tuple[list[str], Rows]:
        """(names, the number of its name for each element with text); a name is a tag with its classes."""
        if self._names is not None:
            return self._names.list_classes(), self._names.classes
        has_text = np.zeros(len(self.document), dtype=bool)
        has_text[self.summed.children] = True
        numbers, _, classes, _ = number_names(self.document, has_text, ("class",))
        return ["", *numbers], classes

    @property
    def classes(self) -> Rows:
        """int64 [n_elements]: for each element with text, a number for its tag and classes."""
        return self._classes[1] if self._names is None else self._names.classes

    @cached_property
    def tags(self) -> Rows:
        """int64 [n_elements]: equal for elements of one name; those that HTML does not define are below zero."""
        document = self.document
        others = np.flatnonzero(document.tag == 0)
        if not len(others):
            return document.tag
        tags, number = document.tag.copy(), dict[str, int]()
        # `x-card` and `x-price` are two names, which one code would make alike
        tags[others] = [-1 - number.setdefault(document.names[row], len(number)) for row in others.tolist()]
        return tags

    def share_class(self, rows: Sequence[int]) -> bool:
        """Whether nearly all rows have the same first class."""
        names, classes = self._classes
        # the first class is the kind; others tell the first, the last or every second (`row odd`)
        firsts = Counter(names[classes[row]].partition(" ")[2].partition(" ")[0] for row in rows)
        name, n_rows = firsts.most_common(1)[0]
        return bool(name) and n_rows >= self.rules.cells_alike * len(rows)

    def are_headlines(self, rows: Sequence[int], among_lists: bool) -> bool:
        """Whether links are different headlines: of generated URLs of one family or, among lists, of one folder."""
        targets = self._read_targets(rows)
        # beside lists, lines of headlines are known by one folder: their names need not look generated
        families = {target.rpartition("/")[0] if among_lists else generalise_url(target) for target in targets}
        # the same address twice is a title and its image, and no list of two
        is_one = len(families) == 1 and "" not in families and len(set(targets)) == len(targets)
        return is_one and all(map(is_page_url, targets))

    def is_story(self, rows: Sequence[int]) -> bool:
        """Whether links have one target, whose address was generated; a title of a list leads to a section."""
        targets = set(self._read_targets(rows))
        return len(targets) == 1 and all(map(is_page_url, targets)) and all(map(is_generated, targets))

    def _read_targets(self, rows: Sequence[int]) -> list[str]:
        return [(read_attribute(self.document, row, "href") or "").strip() for row in rows]

    @cached_property
    def units(self) -> list[Unit]:
        """The units of the page, in document order."""
        return list_units(self.bounds)

    @cached_property
    def bounds(self) -> Rows:
        """int64 [n_units, 2]: the rows of `units`."""
        return self.find(0, len(self.document))

    def find(self, first: int, end: int) -> Rows:
        """int64 [n_units, 2]: the units among rows `first` to `end` (exclusive), in document order."""
        if not self.summed.searched:  # nowhere enough children with links
            return np.empty((0, 2), dtype=np.int64)
        search = core.UnitSearch(
            self.document.page,
            (self.tags, self.classes),
            self.text_length,
            self.summed,
            KINDS,
            self.rules,
            # what asks for attributes and addresses stays here: it is asked of few elements
            (check_time, self),
        )
        found: Rows = search.find_all(first, end)
        return found


def _view(column: NDArray[_Number]) -> Sequence[Any]:
    """The same numbers, of which single ones are read faster than from an array, without making all of them."""
    return np.ascontiguousarray(column).data


@cached_per_page
def find_units(page: PageColumns, rules: Records) -> UnitSearch:
    """The search for the units of a page."""
    return UnitSearch(page.document, rules, find_names(page))
