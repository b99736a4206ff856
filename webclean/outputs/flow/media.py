"""Document and kept blocks -> what is shown beside text: images; videos, recordings and embedded pages, as links with a
title and, for a video, its poster; rules and check boxes.

<iframe src="https://www.youtube.com/embed/abc" title="The bell">     [The bell](https://www.youtube.com/embed/abc)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from webclean import core
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.nodes import Node
from webclean.outputs.flow.sanitise import IMAGE_SCHEMES, sanitise_url
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.parse.pixels import is_unseen_image
from webclean.parse.tags import tag_mask
from webclean.parse.url import split_url

MEDIA: Final = tag_mask("iframe video audio object embed")
_SOURCES: Final = ("data-src", "data-lazy-src", "src", "data")
_POSTERS: Final = ("poster", "data-poster")
_TITLES: Final = ("title", "aria-label", "data-title", "alt")


def find_media(document: Document) -> list[int]:
    """Rows of the media elements that are in no other."""
    found, done = [], 0
    for row in MEDIA[document.tag].nonzero()[0].tolist():
        if row >= done:
            found.append(row)
            done = int(document.end[row])
    return found


def make_media(document: Document, row: int, base: str | None, *, with_poster: bool) -> Node | None:
    """A link to a media element; None if it has no safe URL."""
    url = next(_list_urls(document, row, base), None)
    if url is None:
        return None
    title = next((clean_line(value) for name in _TITLES if (value := read_attribute(document, row, name))), "")
    title = title or _name_url(url)
    poster = next((read_attribute(document, row, name) for name in _POSTERS if read_attribute(document, row, name)), "")
    shown = sanitise_url(poster, base, IMAGE_SCHEMES) if poster and with_poster else None
    return Node("a", {"href": url}, [Node("img", {"src": shown, "alt": title}) if shown else title])


def _list_urls(document: Document, row: int, base: str | None) -> Iterator[str]:
    """Safe URLs of an element, then of the sources in it."""
    end = int(document.end[row])
    inside = (at for at in range(row + 1, end) if document.names[at] in ("source", "embed", "iframe"))
    for at in (row, *inside):
        for name in _SOURCES:
            value = read_attribute(document, at, name)
            if value and not value.startswith(("about:", "data:")):
                url = sanitise_url(value, base, IMAGE_SCHEMES)
                if url:
                    yield url


def _name_url(url: str) -> str:
    """The last part of the path of a URL, or its host."""
    parts = split_url(url)
    last = clean_line(unquote(parts.path.rstrip("/").rpartition("/")[2]))
    return last if "." in last else parts.hostname or last or url


def find_kept_objects(document: Document, blocks: TextBlocks, kept: Mask, rows: list[int]) -> list[int]:
    """Those of some rows without text, such as images, that belong to kept text.

    Take the smallest block element around the image that has text. The image is kept if at least half of that text is
    kept, and so is the text block just before or just after the image in that element. Images that nobody sees are not.
    """
    if not len(blocks) or not rows:
        return []
    found: list[tuple[int, int]] = core.find_beside(document.page, kept, rows)
    return [row for row, around in found if not is_unseen_image(document, row, around)]
