"""The contents of each semantic block: text and links."""

from __future__ import annotations

from functools import partial
from typing import cast

from webclean import core
from webclean.features.links import find_links
from webclean.model import Floats, Link
from webclean.parse import read_attribute
from webclean.parse.base import find_base
from webclean.parse.controls import escape_controls
from webclean.parse.limits import spend_output, spend_outputs
from webclean.parse.url import join_url, split_url
from webclean.segments.folders import find_folders
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.url_structure import (
    DOUBTFUL,
    MOST_URLS,
    SLUG_WORDS,
    find_markers,
    generalise_url,
    is_page_url,
    list_first_letters,
)


def collect_texts(columns: SegmentColumns) -> list[str]:
    """The text of each semantic block, one line a text block."""
    blocks, segments = columns.page.blocks, columns.segments
    return cast("list[str]", core.join_texts(blocks.text, blocks.row, segments.owner, len(segments)))


def collect_links(columns: SegmentColumns) -> list[tuple[Link, ...]]:
    """The links of each semantic block in reading order, absolute when the page's URL is known."""
    document = columns.page.document
    parts: dict[int, list[str]] = {row: [] for row in columns.link_rows.tolist()}
    for text, row in zip(document.text, document.link[document.text_owner].tolist(), strict=True):
        if row in parts:
            parts[row].append(text)
    base = find_base(document)
    origin = read_origin(base)
    made: list[list[Link]] = [[] for _ in columns.segments.roots]
    for row, part in parts.items():
        target = (read_attribute(document, row, "href") or "").strip()
        link = Link(make_absolute(target, base, origin), " ".join("".join(part).split()))
        if spend_output(len(link.url) + len(link.text)):
            made[int(columns.segments.owner[row])].append(link)
    return [tuple(links) for links in made]


def measure_targets(columns: SegmentColumns) -> tuple[list[list[str]], Floats]:
    """For each semantic block the first distinct addresses that its links lead to, absolute like those of its links;
    float64 [3, n]: what `measure_urls` tells of them."""
    markers, base = columns.rules.urls.markers, find_base(columns.page.document)
    origin = read_origin(base)
    links, (written, folder) = find_links(columns.page), find_folders(columns.page)
    asked = is_page_url, partial(make_absolute, base=base, origin=origin), generalise_url, find_markers
    found: tuple[list[list[str]], Floats] = core.measure_addresses(
        (links.row, links.number, folder),
        columns.segments.owner,
        len(columns.segments),
        written,
        (bool(base and origin), origin),
        (markers, list_first_letters(markers)),
        asked,
        spend_outputs,
        DOUBTFUL,
        (MOST_URLS, SLUG_WORDS),
    )
    return found


def read_origin(url: str | None) -> str:
    """Scheme and host of a base URL, '' when it is not known or not valid."""
    parts = split_url(url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def make_absolute(target: str, base: str | None, origin: str) -> str:
    """A link target made absolute; as written when it cannot be."""
    if not base or not origin or target.startswith(("http://", "https://")):
        return escape_controls(target)
    if target.startswith("/") and not target.startswith("//"):
        return escape_controls(origin + target)
    return join_url(base, target) or escape_controls(target)
