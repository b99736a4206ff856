"""URLs of a page -> safe URLs, only with harmless schemes and absolute if the URL of the page is known; and videos,
recordings and embedded pages as links with a title and, for a video, its poster.

    <iframe src="https://www.youtube.com/embed/abc" title="The bell">     [The bell](https://www.youtube.com/embed/abc)

A browser removes tabs and line breaks from a URL, and control characters at its start, before it reads the scheme
(WHATWG URL, 4.4). They are removed here first as well, because a browser runs `java\\nscript:` as a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote

from webclean.model import Document
from webclean.outputs.flow import Node
from webclean.outputs.flow.tools import list_texts
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.parse.tags import HEADING, tag_mask
from webclean.parse.url import join_plain_url, join_url, split_url

LINK_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel", "ftp"))
IMAGE_SCHEMES: Final = frozenset(("http", "https"))

_CONTROLS: Final = "".join(map(chr, (*range(0x21), 0x7F)))
_LINE_BREAKS: Final = str.maketrans("", "", "\t\r\n")
# RFC 3986, 3.1
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_NO_PATH: Final = re.compile(r"^https?://[^/?#\\]+(?=[?#]|$)", re.IGNORECASE)
# white space, `"`, `<`, `>`, backticks and what is not ASCII
_UNSAFE: Final = re.compile(r"[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]+")
_ORIGIN: Final = re.compile(r"(?:[^:/?#]+:)?(?://[^/?#]*)?")
# not the page of a picture: `/wiki/File:Tower.jpg`
IMAGE_FILE: Final = re.compile(r"/[^/:?#]*\.(?:png|jpe?g|gif|webp|avif|svg)(?:\?[^#]*)?$", re.IGNORECASE)


def drop_breaks(url: str) -> str:
    """A URL without the tabs and line breaks that a browser leaves out."""
    return url.translate(_LINE_BREAKS)


def sanitise_url(url: str, base: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str | None:
    """A URL that is safe to follow, as a browser writes it (WHATWG URL, 4.5), or None. Absolute if `base` is known."""
    plain = join_plain_url(base, url)
    if plain is not None:
        # only a host alone has no slash after those of its scheme
        return plain if plain.find("/", 8) > 0 else _NO_PATH.sub(r"\g<0>/", plain, count=1)
    # `java\nscript:` runs in a browser, which leaves the line break out
    cleaned = drop_breaks(url.strip(_CONTROLS))
    if not cleaned:
        return None
    absolute = join_url(base, cleaned)
    if absolute is None:
        return None
    scheme = _SCHEME.match(absolute)
    # a relative URL has no scheme, and takes that of the page
    if scheme and scheme[1].lower() not in schemes:
        return None
    # one address is written in one way, however the page wrote it: those who collect links compare them
    written = _NO_PATH.sub(r"\g<0>/", absolute, count=1)
    if not _UNSAFE.search(written):
        return written
    # other letters of a host are written in another way (IDNA), which those who follow the link know
    origin = _ORIGIN.match(written)
    first = origin.end() if origin else 0
    return written[:first] + _UNSAFE.sub(lambda found: quote(found[0]), written[first:])


def read_target(document: Document, row: int, base: str | None) -> str | None:
    """The safe URL that a link leads the reader to; None where it leads nowhere or is no more than its content says:
    a heading's link to itself, a picture's to its larger copy, which is shown in its place."""
    target = (read_attribute(document, row, "href") or "").strip()
    # buttons, which a script reads
    if target in ("", "#", "#!"):
        return None
    found = sanitise_url(target, base)
    if found is None:
        return None
    page = (base or "").partition("#")[0]
    if "#" in target and found.partition("#")[0] in ("", page) and HEADING[document.tag[document.block[row]]]:
        return None
    return None if is_enlargement(document, row, found) else found


def is_enlargement(document: Document, row: int, url: str) -> bool:
    """Whether a link is around a picture alone and leads to a picture: the larger copy of it (a lightbox)."""
    if not IMAGE_FILE.search(url):
        return False
    has_text = any(text.strip() for text in list_texts(document, row))
    return not has_text and "img" in document.names[row + 1 : document.end.item(row)]


MEDIA: Final = tag_mask("iframe video audio object embed")
_SOURCES: Final = ("data-src", "data-lazy-src", "src", "data")
"""Attributes with the URL of media, those that a script reads later first: `src` may hold a blank page till then."""
_POSTERS: Final = ("poster", "data-poster")
_PAGE_FILE: Final = re.compile(r"^\S+\.(?:x?html?|php|aspx?|jsp)$", re.IGNORECASE)
"""The name of the file of an embedded page, which says nothing to a reader."""
_TITLES: Final = ("title", "aria-label", "data-title", "alt")


def find_media(document: Document) -> list[int]:
    """Rows of the media elements that are in no other."""
    found, done = [], 0
    for row in MEDIA[document.tag].nonzero()[0].tolist():
        if row >= done:
            # an `object` holds an `embed` for old browsers: one video, and one link
            found.append(row)
            done = int(document.end[row])
    return found


def make_media(document: Document, row: int, base: str | None, *, with_poster: bool) -> Node | None:
    """A link to a media element; None if it has no safe URL."""
    url = next(_list_urls(document, row, base), None)
    if url is None:
        return None
    parts = split_url(url)
    last = clean_line(unquote(parts.path.rstrip("/").rpartition("/")[2]))
    titles = (clean_line(value) for name in _TITLES if (value := read_attribute(document, row, name)))
    # `talk.mp4` names a video; `embed`, `abc123` or `c3.html` do not: then its site does
    is_file = "." in last and not _PAGE_FILE.search(last)
    title = next((title for title in titles if title and not _PAGE_FILE.search(title)), "")
    title = title or (last if is_file else parts.hostname or last or url)
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
            # `about:blank` stands there until a reader agrees to load the frame
            if value and not value.startswith(("about:", "data:")):
                url = sanitise_url(value, base, IMAGE_SCHEMES)
                if url:
                    yield url
