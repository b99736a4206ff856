"""The different targets of a page's links -> the directory of each, as a number."""

from __future__ import annotations

from typing import cast

from webclean import core
from webclean.caching import cached_per_page
from webclean.features import PageColumns
from webclean.features.links import find_links
from webclean.model import Rows
from webclean.segments.url_structure import NO_PAGES


@cached_per_page
def find_folders(page: PageColumns) -> tuple[list[str], Rows]:
    """The distinct targets of the links without white space at their ends; int64 [n_targets], the directory of each."""
    written = list(map(str.strip, find_links(page).distinct))
    return written, number_folders(written)


def number_folders(targets: list[str]) -> Rows:
    """int64 [n]: a number for the directory of each address; -1 for one that leads to no page."""
    return cast("Rows", core.number_folders(targets, NO_PAGES))
