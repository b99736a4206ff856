"""The main image of a page, and the images in its text with their captions (patent S304)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np

from webclean.features.names import find_names
from webclean.fields.declared import rank_values, read_metas
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue, Image, Mask
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.parse.pixels import is_hidden
from webclean.parse.tags import CODE
from webclean.rules.fields_schema import FieldRules, ImageRules

_MAX_IMAGES: Final = 200
_MAX_CAPTION_LEVELS: Final = 4
"""Around an image: `figure > div > picture > img`, or a link in their place. Further out stands the article."""
_MAX_CAPTION_ROWS: Final = 6
"""From an image to a caption that is in no figure with it: a credit or a button stands between them, no paragraph."""
_CAPTION: Final = "caption"
_DIGITS: Final = re.compile(r"\d{1,5}")


def find_image(statements: PageStatements, rules: FieldRules, images: tuple[Image, ...]) -> FieldValue:
    """The main image: of meta elements, JSON-LD or `link image_src`, else the first image in the text."""
    found = [(statements.absolute(text), source) for text, source in read_metas(statements, rules.images.metas)]
    for thing in statements.things:
        # deeper are the publisher's logo and the author's portrait
        if thing.depth < 2 and thing.role not in rules.title.reference_roles:
            found += [(statements.absolute(url), "json-ld image") for url in _read_urls(thing.values.get("image"))[:1]]
    found += [(link.url, "link image_src") for link in statements.links if "image_src" in link.rel]
    found += [(image.url, "first in text") for image in images[:1]]
    return rank_values(found, rules.images.confidence)


def _read_urls(value: object) -> list[str]:
    urls = []
    for item in value if isinstance(value, list) else [value]:
        url = (item.get("url") or item.get("contentUrl")) if isinstance(item, dict) else item
        if isinstance(url, str):
            urls.append(url)
    return urls


def find_images(statements: PageStatements, rules: FieldRules, kept: Mask | None) -> tuple[Image, ...]:
    """Images between the first and the last kept block, without small ones and those in nav, footer or aside.

    kept: bool [n_blocks]; None for the whole page.
    """
    document = statements.document
    first, last = 0, len(document)
    if kept is not None:
        content = statements.columns.row[kept]
        if not len(content):
            return ()
        # the lead image stands before the first paragraph
        first, last = int(content[0]) - rules.images.rows_before, int(document.end[content[-1]])
    first = max(0, first)
    rows = (np.flatnonzero(document.tag[first:last] == CODE["img"]) + first).tolist()
    images = [row for row in rows if not statements.is_in_landmark(row)]
    found: dict[str, Image] = {}
    captions = find_captions(statements, images) if images else ()
    for row in images:
        image = read_image(statements, row, rules.images, captions)
        if image:
            # a picture that is shown twice counts once
            found.setdefault(image.url, image)
            if len(found) == _MAX_IMAGES:
                break
    return tuple(found.values())


def read_image(statements: PageStatements, row: int, rules: ImageRules, captions: Sequence[int]) -> Image | None:
    """An `img` with its alternative text, size and caption; None if it has no URL, is small or hidden."""
    attrs = statements.document.attrs[row]
    if is_hidden(attrs.get):
        return None
    width, height = map(_read_size, map(attrs.get, ("width", "height")))
    if (width is not None and width < rules.min_pixels) or (height is not None and height < rules.min_pixels):
        return None
    for name in rules.attributes:
        value = attrs.get(name)
        if value and "srcset" in name:
            value = next(iter(value.rpartition(",")[2].split()), "")  # of the sizes the last is mostly the largest
        if value and (url := statements.absolute(value)):
            alt = clean_line(attrs.get("alt"))
            return Image(url, alt, find_caption(statements, row, captions) if captions else "", width, height)
    return None


def _read_size(value: str | None) -> int | None:
    if not value:
        return None
    # 100 % is of an unknown width
    found = _DIGITS.match(value.strip()) if "%" not in value else None
    return int(found[0]) if found else None


def find_captions(statements: PageStatements, images: Sequence[int]) -> list[int]:
    """Rows of possible captions: `figcaption` elements, and elements whose class contains `caption` if they have text
    blocks or are inline in the text block after an image."""
    document, blocks, table = statements.document, statements.columns.blocks, find_names(statements.columns)
    names = table.list_classes()
    is_caption = [_CAPTION in name.lower() for name in names] if _CAPTION in "\n".join(names).lower() else []
    rows = np.flatnonzero(np.array(is_caption)[table.classes]).tolist() if is_caption else []
    behind = statements.block_position.searchsorted(images, side="right")
    owners = dict.fromkeys(document.text_owner[blocks.first[behind[behind < len(blocks)]]].tolist())
    lines = [row for row in owners if _CAPTION in (read_attribute(document, row, "class") or "").lower()]
    return sorted({*statements.rows_of("figcaption"), *rows, *lines})


def find_caption(statements: PageStatements, row: int, captions: Sequence[int]) -> str:
    """The `figcaption` of the figure around an image, else the text of the next possible caption near it; else ''."""
    document = statements.document
    above = int(document.parent[row])
    for _ in range(_MAX_CAPTION_LEVELS):
        if above < 0:
            break
        end = int(document.end[above])
        if document.tag[above] == CODE["figure"]:
            inside = captions[bisect_right(captions, above) : bisect_left(captions, end)]
            return next((statements.read_text(r) for r in inside if document.names[r] == "figcaption"), "")
        following = captions[bisect_right(captions, row) :][:1]
        if following and following[0] < min(end, row + _MAX_CAPTION_ROWS):
            return statements.read_text(following[0])
        above = int(document.parent[above])
    return ""
