"""Main image, and the images in the text with their captions (patent S304: the caption is the text node that belongs
to the image)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import FieldValue, Image, Mask
from webclean.parse import read_attribute
from webclean.parse.tags import CODE
from webclean.rules.fields_schema import FieldRules

_MAX_IMAGES: Final = 200
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
    for row in evidence.rows_of("img"):
        if first <= row < last and not evidence.in_landmark[row] and len(found) < _MAX_IMAGES:
            image = read_image(evidence, row, rules)
            if image:
                found.setdefault(image.url, image)
    return tuple(found.values())


def read_image(evidence: Evidence, row: int, rules: FieldRules) -> Image | None:
    """An `img` with its alternative text, size and caption; None without a URL or when it is small."""
    document = evidence.document
    url = ""
    for name in rules.images.attributes:
        value = read_attribute(document, row, name) or ""
        if "srcset" in name:
            value = value.strip().rpartition(",")[2].split(" ")[0] if value.strip() else ""
        url = url or evidence.absolute(value)
    size = [_read_size(read_attribute(document, row, name)) for name in ("width", "height")]
    if not url or any(n is not None and n < rules.images.min_pixels for n in size):
        return None
    alt = " ".join((read_attribute(document, row, "alt") or "").split())
    return Image(url, alt, find_caption(evidence, row), size[0], size[1])


def _read_size(value: str | None) -> int | None:
    found = _DIGITS.match((value or "").strip())
    return int(found[0]) if found and "%" not in (value or "") else None


def find_caption(evidence: Evidence, row: int) -> str:
    """`figcaption` of the figure around an image, else the text of an element beside it whose class says caption."""
    document = evidence.document
    above = int(document.parent[row])
    for _ in range(4):
        if above < 0:
            break
        end = int(document.end[above])
        if document.tag[above] == CODE["figure"]:
            captions = np.flatnonzero(document.tag[above:end] == CODE["figcaption"])
            return evidence.read_text(above + int(captions[0])) if len(captions) else ""
        for beside in range(row + 1, min(end, row + 6)):
            if "caption" in (read_attribute(document, beside, "class") or "").lower():
                return evidence.read_text(beside)
        above = int(document.parent[above])
    return ""
