"""Features of the targets of a block's links: the same page, the same site, another site, or a script."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.subtrees import sum_subtrees
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature
from webclean.model import Floats, Rows
from webclean.parse import read_attribute
from webclean.parse.url import find_registered_domain

SAME_SITE: Final = 0
OTHER_SITE: Final = 1
SAME_PAGE: Final = 2
SCRIPT: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """The links of a page: one row for each `a` with an href.

    row: int64 [n_links], the element. target: its href as written. kind: int64 [n_links], one of the constants above.
    length: float64 [n_links], segments of the target's path. path: the target's path. block: int64 [n_links], the first
    text block that begins inside the link or after its start.
    """

    row: Rows
    target: list[str]
    kind: Rows
    length: Floats
    path: list[str]
    block: Rows


@cached_per_page
def find_links(columns: PageColumns) -> LinkTable:
    """The table of the page's links; each distinct target is classified once."""
    document, blocks = columns.document, columns.blocks
    rows = np.flatnonzero(document.link == np.arange(len(document)))
    own = find_registered_domain(document.url) if document.url else ""
    targets = [read_attribute(document, row, "href") or "" for row in rows.tolist()]
    found = {target: _describe_target(target, own) for target in set(targets)}
    described = [found[target] for target in targets]
    starts = document.text_next[blocks.first]
    return LinkTable(
        row=rows,
        target=targets,
        kind=np.array([kind for kind, _, _ in described], dtype=np.intp),
        length=np.array([length for _, length, _ in described], dtype=np.float64),
        path=[path for _, _, path in described],
        block=np.minimum(np.searchsorted(starts, rows + 1), max(0, len(blocks) - 1)),
    )


def _describe_target(href: str, site: str) -> tuple[int, int, str]:
    """(kind, path segments, path) of a link target."""
    kind, path = classify_target(href, site)
    steps = path.split("/")
    return kind, len(steps) - steps.count(""), path


def classify_target(href: str, site: str) -> tuple[int, str]:
    """(kind, path) of a link target; `site` is the registered domain of the page."""
    href = href.strip()
    if not href or href[0] == "#":
        return SAME_PAGE, ""
    head = href[:11].lower()
    if head.startswith(("javascript:", "mailto:", "tel:", "sms:", "whatsapp:")):
        return SCRIPT, ""
    if head.startswith(("http://", "https://", "//")):
        authority, _, rest = href.partition("//")[2].partition("/")
        path = rest.partition("?")[0].partition("#")[0]
        return (SAME_SITE if not site or _find_site(authority) == site else OTHER_SITE), path
    return SAME_SITE, href.partition("?")[0].partition("#")[0]


@lru_cache(maxsize=8192)
def _find_site(authority: str) -> str:
    """The registered domain of a URL's authority: `www.example.co.uk:80` gives `example.co.uk`."""
    return find_registered_domain(f"//{authority}")


@cached_per_page
def _count_links(columns: PageColumns) -> Floats:
    """float64 [n_elements]: links in the subtree of each element."""
    links = find_links(columns)
    return sum_subtrees(columns.document, links.row, np.ones(len(links.row)))


def _average(columns: PageColumns, values: NDArray[np.generic], level: int) -> Floats:
    """float64 [n_blocks]: mean value of the links in the block element `level` levels up; -1 without links.

    values: [n_links].
    """
    row = columns.above[level]
    n = _count_links(columns)[row]
    total = sum_subtrees(columns.document, find_links(columns).row, values)[row]
    return np.where(n > 0, total / np.maximum(1, n), -1.0)


def _share(columns: PageColumns, kind: int, level: int) -> Floats:
    return _average(columns, find_links(columns).kind == kind, level)


@feature("links", "links in the block's element")
def n_links_0(columns: PageColumns) -> Floats:
    return _count_links(columns)[columns.row]


@feature("share", "links to another site among the links of the element two levels up; -1 without links")
def other_site_share_2(columns: PageColumns) -> Floats:
    return _share(columns, OTHER_SITE, 2)


@feature("share", "links to another site among the links of the block's element; -1 without links", learn=PLAIN_CARD)
def other_site_share(columns: PageColumns) -> Floats:
    return _share(columns, OTHER_SITE, 0)


@feature("segments", "mean path segments of the links of the element one level up; -1 without links", learn=PLAIN_CARD)
def path_length_1(columns: PageColumns) -> Floats:
    return _average(columns, find_links(columns).length, 1)


@feature(
    "share",
    "links under the page's own first path segment among those of the element two levels up; -1 without",
    learn=SCORE_CARD,
)
def same_directory_share_2(columns: PageColumns) -> Floats:
    links, url = find_links(columns), columns.document.url
    own = _first_segment(urlsplit(url).path) if url else ""
    if not own:
        return np.full(len(columns.blocks), -1.0)
    inside = {path for path in set(links.path) if _first_segment(path) == own}
    is_same = (links.kind == SAME_SITE) & np.fromiter(map(inside.__contains__, links.path), dtype=bool)
    return _average(columns, is_same, 2)


def _first_segment(path: str) -> str:
    """The first directory of a path, '' when there is none: `/shop/tea/1` -> `shop`, `/tea` -> ''."""
    parts = path.strip("/").split("/", 1)
    return parts[0] if len(parts) > 1 else ""
