"""The contents of each semantic block: text and links."""

from __future__ import annotations

from itertools import islice

from webclean.features.links import find_links
from webclean.model import Link
from webclean.parse import read_attribute
from webclean.parse.base import find_base
from webclean.parse.controls import escape_controls
from webclean.parse.limits import spend_output, spend_outputs
from webclean.parse.url import join_url, split_url
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.url_structure import MOST_URLS, is_page_url


def collect_texts(columns: SegmentColumns) -> list[str]:
    """The text of each semantic block, one line a text block."""
    parts: list[list[str]] = [[] for _ in columns.segments.roots]
    for text, number in zip(columns.page.blocks.text, columns.segment_of.tolist(), strict=True):
        parts[number].append(text)
    return ["\n".join(part) for part in parts]


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


def list_targets(columns: SegmentColumns) -> list[list[str]]:
    """For each semantic block the first distinct addresses that its links lead to, absolute like those of its links."""
    document, links = columns.page.document, find_links(columns.page)
    base = find_base(document)
    origin = read_origin(base)
    written = list(map(str.strip, links.distinct))
    leads = list(map(is_page_url, written))
    found: list[dict[str, None]] = [{} for _ in columns.segments.roots]
    for number, at in zip(columns.segments.owner[links.row].tolist(), links.number.tolist(), strict=True):
        if number >= 0 and leads[at]:
            found[number][written[at]] = None
    known: dict[str, str] = {}
    made: list[list[str]] = []
    for targets in found:
        urls = []
        for target in islice(targets, MOST_URLS):
            url = known.get(target)
            if url is None:
                url = known[target] = make_absolute(target, base, origin)
            urls.append(url)
        made.append(urls[: spend_outputs(list(map(len, urls)))] if urls else urls)
    return made


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
