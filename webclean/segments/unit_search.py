"""The search for the repeated units of a page.

From the root down, for each element: the tags of its children are searched for a repetition
(`segments.tag_sequence`), or their tags and classes if that fails. The units must look like entries: mostly links,
starting with a link, or with a heading or a link on a line of its own. If the units are lists themselves, such as the
columns of a portal, their units are taken instead. No selector and no class name is known in advance: classes only
distinguish siblings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from operator import attrgetter
from typing import Final, TypeVar

import numpy as np

from webclean import core
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.model import Rows
from webclean.parse.limits import check_time
from webclean.rules.segments_schema import Records
from webclean.segments.units import KINDS, Unit, UnitColumns, list_units

_Key = TypeVar("_Key", bound=Hashable)
_SETTINGS: Final = attrgetter(
    *("min_units", "agreement", "entries", "coverage", "nested_coverage"),
    *("headline_share", "headline_chars", "link_share", "cells_alike"),
)
"""What `core.UnitSearch` takes of the rules, in its order."""


class UnitSearch(UnitColumns):
    """Finds the units of one page."""

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
        if not self.summed.searched:
            return np.empty((0, 2), dtype=np.int64)
        document = self.document
        search = core.UnitSearch(
            (document.parent, document.end, document.tag, document.link, document.block, self.tags, self.classes),
            (document.text, document.text_owner, document.text_next, self.text_length),
            self.summed,
            KINDS,
            _SETTINGS(self.rules),
            (check_time, self.share_class, self.are_headlines, self.is_story),
        )
        found: Rows = search.find_all(first, end)
        return found


@cached_per_page
def find_units(page: PageColumns, rules: Records) -> UnitSearch:
    """The search for the units of a page."""
    return UnitSearch(page.document, rules, find_names(page))


def _find_most(keys: Iterable[_Key]) -> tuple[_Key, int]:
    """The most frequent key, the first of equals, and how often it occurs."""
    return Counter(keys).most_common(1)[0]
