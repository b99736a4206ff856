"""Features of where a block's links lead: same page, same site, another site, or a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from webclean.blocks.features.registry import PageColumns, feature
from webclean.blocks.structure import sum_subtrees
from webclean.model import Floats, Rows
from webclean.parse import read_attribute

SAME_SITE: Final = 0
OTHER_SITE: Final = 1
SAME_PAGE: Final = 2
SCRIPT: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class LinkTable:
    """The links of a page: one row for each `a` with an href.

    row: int32 [n_links], the element; kind: int32 [n_links], one of the constants above; length: float64 [n_links],
    path segments of the target; block: int32 [n_links], the text block that begins in it or follows it.
    """

    row: Rows
    kind: Rows
    length: Floats
    block: Rows
    path: list[str]


def find_links(columns: PageColumns) -> LinkTable:
    """Classify every link target of the page once."""
    found = columns.shared.get("links")
    if found is None:
        found = columns.shared["links"] = _find_links(columns)
    assert isinstance(found, LinkTable)
    return found


def _find_links(columns: PageColumns) -> LinkTable:
    document = columns.document
    rows = np.flatnonzero(document.link == np.arange(len(document))).astype(np.int32)
    own = _site_of(urlsplit(document.url).hostname or "") if document.url else ""
    kinds, lengths, paths = [], [], []
    for row in rows.tolist():
        kind, path = classify_target(read_attribute(document, row, "href") or "", own)
        kinds.append(kind)
        paths.append(path)
        lengths.append(len([part for part in path.split("/") if part]))
    blocks = columns.blocks
    starts = document.text_next[blocks.first] if len(blocks) else np.zeros(0, dtype=np.int32)
    block = np.minimum(np.searchsorted(starts, rows + 1), max(0, len(blocks) - 1)).astype(np.int32)
    return LinkTable(rows, np.array(kinds, dtype=np.int32), np.array(lengths, dtype=np.float64), block, paths)


def classify_target(href: str, site: str) -> tuple[int, str]:
    """(kind, path) of a link target; `site` is the last two labels of the page's host."""
    href = href.strip()
    if not href or href[0] == "#":
        return SAME_PAGE, ""
    head = href[:11].lower()
    if head.startswith(("javascript:", "mailto:", "tel:", "sms:", "whatsapp:")):
        return SCRIPT, ""
    if head.startswith(("http://", "https://", "//")):
        host, _, path = href.split("//", 1)[1].partition("/")
        path = path.partition("?")[0].partition("#")[0]
        return (SAME_SITE if not site or _site_of(host.lower()) == site else OTHER_SITE), path
    return SAME_SITE, href.partition("?")[0].partition("#")[0]


def _site_of(host: str) -> str:
    """The last two labels of a host, three where the last but one is as short as in `co.uk`."""
    labels = host.partition(":")[0].rsplit(".", 3)
    return ".".join(labels[-3:] if len(labels) > 2 and len(labels[-2]) <= 3 and labels[-3] != "www" else labels[-2:])


def _share(columns: PageColumns, kind: int, level: int) -> Floats:
    links = find_links(columns)
    row = columns.above[level]
    document = columns.document
    all_links = sum_subtrees(document, links.row, np.ones(len(links.row)))[row]
    wanted = sum_subtrees(document, links.row, (links.kind == kind).astype(np.float64))[row]
    return np.where(all_links > 0, wanted / np.maximum(1, all_links), -1.0)


@feature("links", "links in the block's element")
def n_links_0(columns: PageColumns) -> Floats:
    links = find_links(columns)
    return np.asarray(sum_subtrees(columns.document, links.row, np.ones(len(links.row)))[columns.row])


@feature("links", "links in the block element two levels up")
def n_links_2(columns: PageColumns) -> Floats:
    links = find_links(columns)
    return np.asarray(sum_subtrees(columns.document, links.row, np.ones(len(links.row)))[columns.above[2]])


@feature("share", "links to another site among the links of the element two levels up; -1 without links")
def other_site_share_2(columns: PageColumns) -> Floats:
    return _share(columns, OTHER_SITE, 2)


@feature("share", "links to another site among the links of the block's element; -1 without links")
def other_site_share(columns: PageColumns) -> Floats:
    return _share(columns, OTHER_SITE, 0)


@feature("share", "links within the page among the links of the element two levels up; -1 without links")
def same_page_share_2(columns: PageColumns) -> Floats:
    return _share(columns, SAME_PAGE, 2)


@feature("share", "script, mail and phone links among the links of the element two levels up; -1 without links")
def script_share_2(columns: PageColumns) -> Floats:
    return _share(columns, SCRIPT, 2)


@feature("segments", "mean path segments of the links of the element one level up; -1 without links")
def path_length_1(columns: PageColumns) -> Floats:
    links = find_links(columns)
    row = columns.above[1]
    n = sum_subtrees(columns.document, links.row, np.ones(len(links.row)))[row]
    total = sum_subtrees(columns.document, links.row, links.length)[row]
    return np.where(n > 0, total / np.maximum(1, n), -1.0)


@feature("share", "links under the page's own first path segment among those of the element two levels up; -1 without")
def same_directory_share_2(columns: PageColumns) -> Floats:
    links, document = find_links(columns), columns.document
    own = _first_segment(urlsplit(document.url).path) if document.url else ""
    row = columns.above[2]
    n = sum_subtrees(document, links.row, np.ones(len(links.row)))[row]
    alike = [
        kind == SAME_SITE and _first_segment(path) == own for kind, path in zip(links.kind, links.path, strict=True)
    ]
    found = sum_subtrees(document, links.row, np.array(alike, np.float64))[row]
    return np.where((n > 0) & bool(own), found / np.maximum(1, n), -1.0)


def _first_segment(path: str) -> str:
    """The first directory of a path, '' when there is none: `/shop/tea/1` -> `shop`, `/tea` -> ''."""
    parts = path.strip("/").split("/", 1)
    return parts[0] if len(parts) > 1 else ""
