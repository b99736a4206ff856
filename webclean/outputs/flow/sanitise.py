"""URLs of a page -> safe URLs: only harmless schemes, absolute if the URL of the page is known.

A browser removes tabs and line breaks from a URL, and control characters at its start, before it reads the scheme
(WHATWG URL, 4.4). They are removed here first as well, because a browser runs `java\\nscript:` as a script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from webclean.model import Document
from webclean.parse import read_attribute
from webclean.parse.controls import escape_controls
from webclean.parse.pixels import is_unseen
from webclean.parse.snippets import list_attributes
from webclean.parse.url import join_plain_url, join_url

LINK_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel", "ftp"))
IMAGE_SCHEMES: Final = frozenset(("http", "https"))

_CONTROLS: Final = "".join(map(chr, (*range(0x21), 0x7F)))
_LINE_BREAKS: Final = str.maketrans("", "", "\t\r\n")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_IMAGE_DATA: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif)[;,]", re.IGNORECASE)
_MIN_DATA_LENGTH: Final = 512
"""A `data:` image URL with fewer characters is a placeholder, such as a blank pixel or a blurred preview."""


def sanitise_url(url: str, base: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str | None:
    """A URL that is safe to follow, or None. Absolute when `base` is known."""
    plain = join_plain_url(base, url)
    if plain is not None:
        return plain
    cleaned = url.strip(_CONTROLS).translate(_LINE_BREAKS)
    if not cleaned:
        return None
    absolute = join_url(base, cleaned)
    if absolute is None:
        return None
    scheme = _SCHEME.match(absolute)
    if scheme and scheme[1].lower() not in schemes:
        return None
    return absolute


def find_image(document: Document, row: int, base: str | None, attributes: Iterable[str]) -> str | None:
    """The URL of an image: that of the `img`, otherwise that of a `source` beside it in a `picture`."""
    names = tuple(attributes)
    if source := choose_source(partial(read_attribute, document, row), base, names):
        return source
    above = document.parent.item(row)
    if above < 0 or document.names[above] != "picture":
        return None
    rows = (at for at in range(above + 1, document.end.item(above)) if document.names[at] == "source")
    sources = (choose_source(partial(read_attribute, document, at), base, names) for at in rows)
    return next((source for source in sources if source), None)


def find_image_in(markup: str, base: str | None, attributes: Iterable[str]) -> tuple[str | None, str]:
    """URL and alternative text of the first image in a piece of markup; no URL if there is none."""
    images = list_attributes(markup, "img")
    if not images or is_unseen(images[0].get):
        return None, ""
    return choose_source(images[0].get, base, tuple(attributes)), images[0].get("alt") or ""


def choose_source(read: Callable[[str], str | None], base: str | None, attributes: Iterable[str]) -> str | None:
    """The URL of an image: the first of the attributes that holds one which is no placeholder.

    Of a `srcset`, a list of URLs with their sizes, the first is taken.
    """
    for name in attributes:
        value = read(name)
        if name.endswith("srcset"):
            value = next(iter((value or "").split(",", 1)[0].split()), None)
        if not value:
            continue
        if value.lstrip()[:5].lower() == "data:":
            if len(value) >= _MIN_DATA_LENGTH and _IMAGE_DATA.match(value.strip()):
                return escape_controls(value.strip().translate(_LINE_BREAKS))
            continue
        if found := sanitise_url(value, base, IMAGE_SCHEMES):
            return found
    return None
