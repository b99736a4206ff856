"""Repeated units of a block -> whether the block is an index: a list of entries of other pages (patent A7).

A unit leads on if its title is a link to another page: a link in a heading or on a line of its own that is not an
author's name. This is computed from prefix sums and link columns, without assembling any text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.model import Document, Rows
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import HEADING
from webclean.rules.segments_schema import Records
from webclean.segments.pieces import is_named
from webclean.segments.unit_search import UnitSearch
from webclean.segments.units import Unit, list_units
from webclean.segments.url_structure import is_page_url, links_to_person

_MOST_DIGITS: Final = 6


@dataclass(frozen=True, eq=False)
class Listing:
    """The repeated units of one semantic block. bounds: int64 [n_units, 2], their rows. n_chars: of all of them."""

    bounds: Rows
    n_chars: float

    def __len__(self) -> int:
        return len(self.bounds)

    @cached_property
    def units(self) -> list[Unit]:
        return list_units(self.bounds)


NO_UNITS: Final = Listing(np.empty((0, 2), dtype=np.int64), 0.0)


class LinkLines:
    """The links of a page with text, as lists with an entry for each, in document order.

    rows: the element. chars: its characters. is_lone: whether it is at least half of its line. in_heading: whether its
    block element is a heading.
    """

    def __init__(self, search: UnitSearch, people: frozenset[str]) -> None:
        document = search.document
        self.search, self.people = search, people
        rows, texts = (document.tag, document.link, document.block), (document.text_owner, search.text_chars)
        found = core.measure_links(rows, texts, HEADING.view(np.uint8))
        self.rows, self.chars, self.is_lone, self.in_heading = found

    def lead_on(self, units: Sequence[Unit], author_rows: Container[int], fewest: float) -> bool:
        """Whether so many units lead on; they are read until that is known."""
        n_left = len(units)
        for unit in units:
            if fewest <= 0 or fewest > n_left:
                break
            fewest -= self.leads_on(unit, author_rows)
            n_left -= 1
        return fewest <= 0

    def leads_on(self, unit: Unit, author_rows: Container[int]) -> bool:
        """Whether the title of a unit is a link to another page. author_rows: elements that name an author."""
        search = self.search
        headed = search.headings[unit.end] > search.headings[unit.first]
        whole = search.chars[unit.end] - search.chars[unit.first]
        for i in range(bisect_left(self.rows, unit.first), bisect_left(self.rows, unit.end)):
            row = self.rows[i]
            if headed:
                is_title = self.in_heading[i] or search.headings[search.end[row]] > search.headings[row]
            else:
                is_title = self.is_lone[i] or 2 * self.chars[i] >= whole
            target = (read_attribute(search.document, row, "href") or "").strip() if is_title else ""
            if (
                is_page_url(target)
                and not links_to_person(target, self.people)
                and not is_named(search.document, row, unit, author_rows)
                and self._has_words(i)
            ):
                return True
        return False

    def _has_words(self, number: int) -> bool:
        """Whether a link is more than a number, such as a page number."""
        search, row = self.search, self.rows[number]
        if self.chars[number] > _MOST_DIGITS:
            return True
        nodes = find_texts(search.document, row, search.end[row])
        return not "".join(search.document.text[node] for node in nodes).strip().isdecimal()


def share_units(document: Document, owner: Rows, search: UnitSearch, n: int) -> list[Listing]:
    """For each of n semantic blocks the page's units that are its (`core.share_units`). owner: as in `Segmentation`."""
    texts = document.text_next, document.text_owner, search.text_chars
    bounds, places, n_chars = core.share_units(search.bounds, texts, owner, search.summed.sums[0], n)
    return [
        Listing(bounds[first:end], chars) if first < end else NO_UNITS
        for (first, end), chars in zip(pairwise(places), n_chars, strict=True)
    ]


def reads_as_index(listing: Listing, n_chars: float, link_density: float, rules: Records) -> bool:
    """Whether a block consists of links or short teasers.

    Args:
        listing: the units of the block.
        n_chars: characters of the block.
        link_density: of the block, 0 to 1.
        rules: settings.
    """
    n = len(listing)
    if n < rules.index_units:
        return False
    if link_density >= rules.index_link_density:
        return True
    is_list = n >= rules.teaser_units and listing.n_chars >= rules.teaser_coverage * n_chars
    return is_list and listing.n_chars <= rules.teaser_chars * n
