"""URLs of a page -> safe URLs: only harmless schemes, absolute if the URL of the page is known.

A browser removes tabs and line breaks from a URL, and control characters at its start, before it reads the scheme
(WHATWG URL, 4.4). They are removed here first as well, because a browser runs `java\\nscript:` as a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urljoin

from webclean.model import Document
from webclean.parse import read_attribute

LINK_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel", "ftp"))
IMAGE_SCHEMES: Final = frozenset(("http", "https"))

_CONTROLS: Final = "".join(map(chr, (*range(0x21), 0x7F)))
_LINE_BREAKS: Final = str.maketrans("", "", "\t\r\n")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_IMAGE_DATA: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif)[;,]", re.IGNORECASE)
_MIN_DATA_LENGTH: Final = 512
"""A `data:` image URL with fewer characters is a placeholder, such as a blank pixel or a blurred preview."""


def find_base(document: Document) -> str | None:
    """The URL against which relative URLs are resolved: the first `<base href>`, itself relative to the page's URL."""
    for row, name in enumerate(document.names):
        if name == "base" and (href := read_attribute(document, row, "href")):
            return sanitise_url(href, document.url, IMAGE_SCHEMES) or document.url
        if name == "body":
            break
    return document.url


def sanitise_url(url: str, base: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str | None:
    """A URL that is safe to follow, or None. Absolute when `base` is known."""
    cleaned = url.strip(_CONTROLS).translate(_LINE_BREAKS)
    if not cleaned:
        return None
    try:
        absolute = urljoin(base, cleaned) if base else cleaned
    except ValueError:  # an invalid host in brackets
        return None
    scheme = _SCHEME.match(absolute)
    if scheme and scheme[1].lower() not in schemes:
        return None
    return absolute


def find_image_source(document: Document, row: int, base: str | None, attributes: Iterable[str]) -> str | None:
    """The URL of an image: the first of the attributes that holds one which is no placeholder.

    Of a `srcset`, a list of URLs with their sizes, the first is taken.
    """
    for name in attributes:
        value = read_attribute(document, row, name)
        if name.endswith("srcset"):
            value = next(iter((value or "").split(",", 1)[0].split()), None)
        if not value:
            continue
        if value.lstrip()[:5].lower() == "data:":
            if len(value) >= _MIN_DATA_LENGTH and _IMAGE_DATA.match(value.strip()):
                return value.strip()
            continue
        if found := sanitise_url(value, base, IMAGE_SCHEMES):
            return found
    return None
