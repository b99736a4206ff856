"""Where the links of a page lead: to the same page, the same site, another site, or a script."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.model import Floats, Mask, Rows
from webclean.parse.columns import list_distinct
from webclean.parse.url import find_registered_domain, split_url

SAME_SITE: Final = 0
OTHER_SITE: Final = 1
SAME_PAGE: Final = 2
SCRIPT: Final = 3
_SCHEMES: Final = ("javascript:", "mailto:", "tel:", "sms:", "whatsapp:")
"""Targets that open no page."""


class LinkTable(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The links of a page: one row for each `a` with an href.

    row: int64 [n_links], the element. distinct: the different targets, as written; number: int64 [n_links], the target
    of each link among them. kind: int64 [n_links], one of the constants above.
    length: float64 [n_links], segments of the target's path. is_own: bool [n_links], the target's path has the page's
    first directory.
    """

    row: Rows
    distinct: list[str]
    number: Rows
    kind: Rows
    length: Floats
    is_own: Mask

    @property
    def target(self) -> list[str]:
        """The href of each link, as written."""
        return [self.distinct[number] for number in self.number.tolist()]


@cached_per_page
def find_links(columns: PageColumns) -> LinkTable:
    """The table of the page's links; each distinct target is described once."""
    document = columns.document
    rows = (document.link == np.arange(len(document))).nonzero()[0]
    distinct, number = list_distinct(document, rows, "href")
    site = find_registered_domain(document.url) if document.url else ""
    hosts, host, length, is_own = core.describe_targets(distinct, find_directory(document.url), _SCHEMES)
    # hosts of one registered domain are one site: `www.` and `blog.` lead to each other; of a page without URL all
    others = [OTHER_SITE if site and _find_site(name) != site else SAME_SITE for name in hosts]
    # the last two for the negative numbers of scripts and of places in the page
    kind = np.array([SAME_SITE, *others, SCRIPT, SAME_PAGE])[host]
    return LinkTable(
        row=rows,
        distinct=distinct,
        number=number,
        kind=kind[number],
        length=length[number],
        is_own=is_own[number],
    )


@lru_cache(maxsize=8192)
def _find_site(authority: str) -> str:
    """The registered domain of a URL's authority: `www.example.co.uk:80` gives `example.co.uk`."""
    return find_registered_domain(f"//{authority}")


def find_directory(url: str | None) -> str:
    """The first directory of a page's address, '' when there is none."""
    return _first_segment(split_url(url).path) if url else ""


def _first_segment(path: str) -> str:
    """The first directory of a path, '' when there is none: `/shop/tea/1` -> `shop`, `/tea` -> ''."""
    parts = path.strip("/").split("/", 1)
    return parts[0] if len(parts) > 1 else ""
