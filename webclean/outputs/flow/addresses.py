"""URLs of a page -> safe URLs, only with harmless schemes and absolute if the URL of the page is known; and what is
shown beside text by its URL: images; videos, recordings and embedded pages, as links with a title and, for a video, its
poster.

    <iframe src="https://www.youtube.com/embed/abc" title="The bell">     [The bell](https://www.youtube.com/embed/abc)

A browser removes tabs and line breaks from a URL, and control characters at its start, before it reads the scheme
(WHATWG URL, 4.4). They are removed here first as well, because a browser runs `java\\nscript:` as a script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final
from urllib.parse import quote, unquote

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.flow.tools import list_texts
from webclean.parse import count_tags, read_attribute
from webclean.parse.columns import is_unseen, is_unseen_image, list_holding
from webclean.parse.controls import clean_line, escape_controls
from webclean.parse.snippets import list_attributes
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.parse.url import join_plain_url, join_url, split_url

LINK_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel", "ftp"))
IMAGE_SCHEMES: Final = frozenset(("http", "https"))

_CONTROLS: Final = "".join(map(chr, (*range(0x21), 0x7F)))
_LINE_BREAKS: Final = str.maketrans("", "", "\t\r\n")
# RFC 3986, 3.1
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
# not SVG, which can hold scripts
_IMAGE_DATA: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif)[;,]", re.IGNORECASE)
_NO_PATH: Final = re.compile(r"^https?://[^/?#\\]+(?=[?#]|$)", re.IGNORECASE)
# white space, `"`, `<`, `>`, backticks and what is not ASCII
_UNSAFE: Final = re.compile(r"[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]+")
_ORIGIN: Final = re.compile(r"(?:[^:/?#]+:)?(?://[^/?#]*)?")
# not the page of a picture: `/wiki/File:Tower.jpg`
_IMAGE_FILE: Final = re.compile(r"/[^/:?#]*\.(?:png|jpe?g|gif|webp|avif|svg)(?:\?[^#]*)?$", re.IGNORECASE)
_MIN_DATA_LENGTH: Final = 512
"""A `data:` image URL with fewer characters is a placeholder, such as a blank pixel or a blurred preview."""


def sanitise_url(url: str, base: str | None, schemes: frozenset[str] = LINK_SCHEMES) -> str | None:
    """A URL that is safe to follow, as a browser writes it (WHATWG URL, 4.5), or None. Absolute if `base` is known."""
    plain = join_plain_url(base, url)
    if plain is not None:
        # only a host alone has no slash after those of its scheme
        return plain if plain.find("/", 8) > 0 else _NO_PATH.sub(r"\g<0>/", plain, count=1)
    # `java\nscript:` runs in a browser, which leaves the line break out
    cleaned = url.strip(_CONTROLS).translate(_LINE_BREAKS)
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
    if not _IMAGE_FILE.search(url):
        return False
    has_text = any(text.strip() for text in list_texts(document, row))
    return not has_text and "img" in document.names[row + 1 : document.end.item(row)]


def find_image(document: Document, row: int, base: str | None, attributes: Iterable[str]) -> str | None:
    """The URL of an image: that of the `img`, otherwise that of a `source` beside it in a `picture`."""
    # the larger copy that the nearest link around the image leads to
    link = document.link.item(row)
    if link >= 0:
        url = sanitise_url(read_attribute(document, link, "href") or "", base, IMAGE_SCHEMES)
        if url is not None and is_enlargement(document, link, url):
            return url
    names = tuple(attributes)
    if source := choose_source(partial(read_attribute, document, row), base, names):
        return source
    # a `picture` often has its sizes in `source` alone and a blank pixel in `img`
    above = document.parent.item(row)
    if above < 0 or document.names[above] != "picture":
        return None
    rows = (at for at in range(above + 1, document.end.item(above)) if document.names[at] == "source")
    sources = (choose_source(partial(read_attribute, document, at), base, names) for at in rows)
    return next((source for source in sources if source), None)


def find_image_in(markup: str, base: str | None, attributes: Iterable[str]) -> tuple[str | None, str]:
    """URL and alternative text of the first image in a piece of markup; no URL if there is none."""
    images = list_attributes(markup, "img")
    # a pixel that counts visits of those without scripts
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
        # lazy pages set a tiny picture in `src` until a script reads another attribute
        if value.lstrip()[:5].lower() == "data:":
            if len(value) >= _MIN_DATA_LENGTH and _IMAGE_DATA.match(value.strip()):
                return escape_controls(value.strip().translate(_LINE_BREAKS))
            continue
        if found := sanitise_url(value, base, IMAGE_SCHEMES):
            return found
    return None


MEDIA: Final = tag_mask("iframe video audio object embed")
_SOURCES: Final = ("data-src", "data-lazy-src", "src", "data")
"""Attributes with the URL of media, those that a script reads later first: `src` may hold a blank page till then."""
_POSTERS: Final = ("poster", "data-poster")
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
    title = next((clean_line(value) for name in _TITLES if (value := read_attribute(document, row, name))), "")
    if not title:
        parts = split_url(url)
        last = clean_line(unquote(parts.path.rstrip("/").rpartition("/")[2]))
        # `talk.mp4` names a video, `embed` or `abc123` does not: then its site does
        title = last if "." in last else parts.hostname or last or url
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


def find_kept_objects(document: Document, kept: Mask, rows: list[int]) -> list[int]:
    """Those of some rows without text, such as images, that belong to kept text. Images that nobody sees do not."""
    if not rows or not kept.any():
        return []
    return [row for row, around in find_beside(document, kept, rows) if not is_unseen_image(document, row, around)]


def find_beside(document: Document, kept: Mask, rows: list[int]) -> list[tuple[int, int]]:
    """Those of some elements without text that stand beside kept text: (element, the block element around both).

    That is the smallest block element around the element that has text: half of that text, at least, is kept, and so is
    the block just before or just after the element in it.
    """
    block_row, n_chars = (document.page.view(name) for name in ("row", "n_chars"))
    # characters, and kept ones, in the elements before each
    n_below, n_kept_below = (
        np.concatenate(([0], np.bincount(block_row, counts, minlength=len(document)).cumsum()))
        for counts in (n_chars, n_chars * kept)
    )
    parent, end, row = document.parent, document.end, np.array(rows)
    around = document.block[row]
    # elements around an image alone say nothing of whether the text beside it is kept
    while (is_empty := (n_below[end[around]] == n_below[around]) & (parent[around] >= 0)).any():
        around[is_empty] = document.block[parent[around[is_empty]]]
    n_kept = n_kept_below[end[around]] - n_kept_below[around]
    # a picture in a sidebar of which one line is kept by chance is none of the text
    is_kept = (n_kept > 0) & (2 * n_kept >= n_below[end[around]] - n_below[around])
    after = document.text_next[document.page.view("first")].searchsorted(row, side="right")
    is_beside = np.zeros(len(row), dtype=bool)
    for at in (after - 1, after):
        place = at.clip(0, len(kept) - 1)
        is_inside = (around <= block_row[place]) & (block_row[place] < end[around])
        is_beside |= (at == place) & kept[place] & is_inside
    found = is_kept & is_beside
    return list(zip(row[found].tolist(), around[found].tolist(), strict=True))


def find_objects(document: Document, blocks: TextBlocks, kept: Mask, options: TreeOptions) -> list[int]:
    """Rows of images, media, rules and check boxes that belong to kept text, in document order."""
    n_tags = count_tags(document)
    wanted: set[int] = set()
    if options.images:
        images = (document.tag == CODE["img"]) & document.displayed
        wanted.update(images.nonzero()[0].tolist())
        # images that a script loads late stand in a `noscript` too
        wanted.update(row for row, markup in document.fallback.items() if "<img" in markup)
    if options.links:
        wanted.update(find_media(document))
    found = find_kept_objects(document, kept, sorted(wanted))
    if n_tags[CODE["hr"]]:
        rows = ((document.tag == CODE["hr"]) & document.displayed).nonzero()[0]
        # just after and just before kept text; a rule before the first block has a neighbour, which is not kept
        around = np.concatenate(([False], kept, [False]))
        at = np.searchsorted(document.text_next[blocks.first], rows, side="right")
        found += rows[around[at] & around[at + 1]].tolist()
    names = document.names
    for row, kind in list_holding(document, "type", "checkbox"):
        # of a task list; other boxes are controls of a form
        if names[row] == "input" and kind.lower() == "checkbox" and names[document.block[row]] in ("li", "p"):
            found.append(row)
    return sorted(found)
