"""Main image, and the images in the text with their captions (patent S304: the caption is the text node that belongs
to the image)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import Document, FieldValue, Image, Mask
from webclean.parse import read_attribute
from webclean.parse.tags import CODE
from webclean.rules.fields_schema import FieldRules

_MAX_IMAGES: Final = 200
_MAX_CAPTION_LEVELS: Final = 4
_MAX_CAPTION_ROWS: Final = 6
_DIGITS: Final = re.compile(r"\d{1,5}")


def find_image(evidence: Evidence, rules: FieldRules, images: tuple[Image, ...]) -> FieldValue:
    """The image that stands for the page: metas, JSON-LD, `link image_src`, else the first in the text."""
    found = [(evidence.absolute(text), f"meta {name}") for name, text in evidence.read_meta(rules.images.metas)]
    for thing in evidence.things:
        if thing.depth < 2 and thing.role not in rules.title.reference_roles:
            found += [(evidence.absolute(url), "json-ld image") for url in _read_urls(thing.values.get("image"))[:1]]
    found += [(link.url, "link image_src") for link in evidence.links if "image_src" in link.rel]
    found += [(image.url, "first in text") for image in images[:1]]
    return rank_values(found, rules.images.confidence)


def _read_urls(value: object) -> list[str]:
    urls = []
    for item in value if isinstance(value, list) else [value]:
        url = (item.get("url") or item.get("contentUrl")) if isinstance(item, dict) else item
        if isinstance(url, str):
            urls.append(url)
    return urls


def find_images(evidence: Evidence, rules: FieldRules, kept: Mask | None) -> tuple[Image, ...]:
    """Images between the first and the last kept block, without those that are too small or outside the content's
    landmarks."""
    document = evidence.document
    first, last = 0, len(document)
    if kept is not None and kept.any():
        rows = np.flatnonzero(kept)
        first = int(evidence.columns.blocks.row[rows[0]]) - rules.images.rows_before
        last = int(document.end[evidence.columns.blocks.row[rows[-1]]])
    elif kept is not None:
        return ()
    found: dict[str, Image] = {}
    captions = find_captions(evidence)
    first = max(0, first)
    for row in (np.flatnonzero(document.tag[first:last] == CODE["img"]) + first).tolist():
        if len(found) < _MAX_IMAGES and not evidence.is_in_landmark(row):
            image = read_image(evidence, row, rules, captions)
            if image:
                found.setdefault(image.url, image)
    return tuple(found.values())


def read_image(evidence: Evidence, row: int, rules: FieldRules, captions: frozenset[int]) -> Image | None:
    """An `img` with its alternative text, size and caption; None without a URL or when it is small."""
    document = evidence.document
    width, height = _read_size(document, row, "width"), _read_size(document, row, "height")
    least = rules.images.min_pixels
    if (width is not None and width < least) or (height is not None and height < least):
        return None
    url = ""
    for name in rules.images.attributes:
        value = read_attribute(document, row, name) or ""
        if "srcset" in name:
            value = value.strip().rpartition(",")[2].split(" ")[0] if value.strip() else ""
        url = evidence.absolute(value) if value else ""
        if url:
            break
    if not url:
        return None
    alt = " ".join((read_attribute(document, row, "alt") or "").split())
    caption = find_caption(evidence, row, captions) if captions else ""
    return Image(url, alt, caption, width, height)


def _read_size(document: Document, row: int, name: str) -> int | None:
    value = read_attribute(document, row, name)
    found = _DIGITS.match(value.strip()) if value else None
    return int(found[0]) if found and value and "%" not in value else None


def find_captions(evidence: Evidence) -> frozenset[int]:
    """Rows of the `figcaption` elements, and of those whose class says caption."""
    return frozenset((*evidence.rows_of("figcaption"), *evidence.find_classes("caption")[0]))


def find_caption(evidence: Evidence, row: int, captions: frozenset[int]) -> str:
    """`figcaption` of the figure around an image, else the text of an element beside it whose class says caption."""
    document = evidence.document
    above = int(document.parent[row])
    for _ in range(_MAX_CAPTION_LEVELS):
        if above < 0:
            break
        end = int(document.end[above])
        if document.tag[above] == CODE["figure"]:
            inside = (r for r in sorted(captions) if above < r < end)
            return next((evidence.read_text(r) for r in inside if document.names[r] == "figcaption"), "")
        for beside in range(row + 1, min(end, row + _MAX_CAPTION_ROWS)):
            if beside in captions:
                return evidence.read_text(beside)
        above = int(document.parent[above])
    return ""
