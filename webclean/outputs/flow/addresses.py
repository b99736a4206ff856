"""URLs of a page -> safe URLs: their schemes are harmless, and they are absolute if the URL of the page is known.
Videos, recordings and embedded pages -> links with a title and, for a video, its poster. The pictures of the kept text.

    <iframe src="https://www.youtube.com/embed/abc" title="The bell">     [The bell](https://www.youtube.com/embed/abc)

A browser removes tabs and line breaks from a URL, and control characters at its start, before it reads the scheme
(WHATWG URL, 4.4). They are removed here first as well, because a browser runs `java\\nscript:` as a script.

A picture may be an `img`; the `noscript` of an `img` that a script loads late; an element that HTML does not define; or
an empty element into which a script puts a picture:

    <amp-img src="/roof.jpg">   <a-img data-src="/gate.jpg">   <figure data-src="/jars.jpg">

A page may hold one picture twice: small and blurred till the large one is loaded. Of two that stand next to each other
without a text between them, the larger one is shown.

    <img class="blurred" src="/max/30/wheel.jpg"> <img data-src="/max/1600/wheel.jpg"> <noscript> <img> </noscript>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from html import unescape
from itertools import chain
from typing import Final
from urllib.parse import quote, unquote

import msgspec
import numpy as np

from webclean import core
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.flow.tools import Conventions, find_conventions, has_class, has_text, list_texts
from webclean.parse import count_tags, find_attribute, read_attribute, sum_before
from webclean.parse.columns import find_hiding, is_hidden, is_unseen, list_holding, list_undefined, mark_slices
from webclean.parse.controls import clean_line, escape_controls
from webclean.parse.snippets import list_attributes
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.parse.url import find_base, join_plain_url, join_url, split_url

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
    """A URL as a browser writes it (WHATWG URL, 4.5), absolute if `base` is known; None if it is not safe to follow."""
    plain = join_plain_url(base, url)
    if plain is not None:
        # a host alone gets the slash of its path
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
    # written in one way, however the page wrote it, so that callers can compare addresses
    written = _NO_PATH.sub(r"\g<0>/", absolute, count=1)
    if not _UNSAFE.search(written):
        return written
    # percent signs are not for hosts, whose other letters have an encoding of their own (IDNA)
    origin = _ORIGIN.match(written)
    first = origin.end() if origin else 0
    return written[:first] + _UNSAFE.sub(lambda found: quote(found[0]), written[first:])


def read_target(document: Document, row: int, base: str | None) -> str | None:
    """The safe URL that a link leads to; None if it leads nowhere, if a heading links to itself, or if a picture links
    to its larger copy, which is shown in its place."""
    target = (read_attribute(document, row, "href") or "").strip()
    # buttons, which a script reads
    if target in ("", "#", "#!"):
        return None
    found = sanitise_url(target, base)
    if found is None:
        return None
    page, _, place = found.partition("#")
    if place and page in ("", (base or "").partition("#")[0]):
        # around a heading, or with its name
        own = (read_attribute(document, at, "id") for at in range(row, document.end.item(row)))
        if HEADING[document.tag[document.block[row]]] or place in own:
            return None
    return None if is_enlargement(document, row, found) else found


def is_enlargement(document: Document, row: int, url: str) -> bool:
    """Whether a link is around a picture alone and leads to a picture: the larger copy of it (a lightbox)."""
    if not IMAGE_FILE.search(url):
        return False
    is_bare = not any(map(str.strip, list_texts(document, row)))
    return is_bare and "img" in document.names[row + 1 : document.end.item(row)]


MEDIA: Final = tag_mask("iframe video audio object embed")
_SOURCES: Final = ("data-src", "data-lazy-src", "src", "data")
"""Attributes with the URL of media. Those that a script reads come first: until then `src` may be a blank page."""
_HELD: Final = ("source", "embed", "iframe")
"""Elements within media that may have the URL in their place."""
_POSTERS: Final = ("poster", "data-poster")
_PAGE_FILE: Final = re.compile(r"^\S+\.(?:x?html?|php|aspx?|jsp)(?:\?\S*)?$", re.IGNORECASE)
"""The name of a file of a page: as a title of an embedded page it says nothing to a reader."""
_MADE: Final = re.compile(r"(?i)(?<![a-z\d])(?=\d*(?:[a-z]+\d+){3})[\da-z]{12,}(?![a-z\d])")
"""A run of letters and digits in turn, as programs name files: their readers see no name in it."""
_TITLES: Final = ("title", "aria-label", "data-title", "alt")


def find_media(document: Document) -> list[int]:
    """Rows of the outermost media elements."""
    found, done = [], 0
    for row in MEDIA[document.tag].nonzero()[0].tolist():
        if row >= done:
            # an `object` holds an `embed` for old browsers: one video, and one link
            found.append(row)
            done = int(document.end[row])
    return found


def make_media(document: Document, row: int, base: str | None, *, with_poster: bool) -> Node | None:
    """A link to a media element; None if it has no safe URL."""
    inside = (at for at in range(row + 1, document.end.item(row)) if document.names[at] in _HELD)
    values = (read_attribute(document, at, name) for at in (row, *inside) for name in _SOURCES)
    # `about:blank` stands there until a reader agrees to load the frame
    named = (value for value in values if value and not value.startswith(("about:", "data:")))
    url = next(filter(None, (sanitise_url(value, base, IMAGE_SCHEMES) for value in named)), None)
    if url is None:
        return None
    parts = split_url(url)
    last = clean_line(unquote(parts.path).rstrip("/").rpartition("/")[2])
    titles = (clean_line(value) for name in _TITLES if (value := read_attribute(document, row, name)))
    # `talk.mp4` names a video; `embed`, `c3.html` or `8620d3f1e840.mp4` do not: then its site does
    is_file = "." in last and not _PAGE_FILE.search(last) and not _MADE.search(last)
    title = next((title for title in titles if title and not _PAGE_FILE.search(title)), "")
    title = title or (last if is_file else parts.hostname or "")
    if not title:  # a part of the site, saved with a page whose address is not known
        return None
    poster = next(filter(None, (read_attribute(document, row, name) for name in _POSTERS)), "")
    shown = sanitise_url(poster, base, IMAGE_SCHEMES) if poster and with_poster else None
    return Node("a", {"href": url}, [Node("img", {"src": shown, "alt": title}) if shown else title])


# not SVG, which can hold scripts
_IMAGE_DATA: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif)[;,]", re.IGNORECASE)
_MIN_DATA_LENGTH: Final = 512
"""A `data:` image URL with fewer characters is a placeholder, such as a blank pixel or a blurred preview."""
_LEAST_PIXELS: Final = 8
# HTML standard 4.8.4.2.1: a URL may hold commas, and does not end in one
_CANDIDATE: Final = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+([\d.]+)([wxh]))?\s*(?:,|$)")
_NUMBER: Final = re.compile(r"(?<![0-9a-zA-Z])[wh]?[_=]?(\d{2,4})(?![0-9])")
"""A number in the URL of a picture that may be its width or height."""
_SIZE: Final = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.\w+$)")
_MIN_RATIO: Final = 3
"""A picture is a preview of another one of the same name that is at least so many times as large: previews have 20 to
100 pixels."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NOSCRIPT: Final = "noscript"
_FIGURE: Final = tag_mask("figure").view(np.uint8)
_HOLDERS: Final = frozenset(("figure", "picture", "div", "span", "a", "p"))


def name_file(url: str) -> str:
    """The name of the file of a picture, in lower case and without a size."""
    return "" if url.startswith("data:") else _SIZE.sub("", url.partition("?")[0].rpartition("/")[2].lower())


class Picture(msgspec.Struct):
    """A picture. is_preview: by its class or URL, another picture will take its place."""

    row: int
    source: str
    alt: str
    size: dict[str, str]
    is_preview: bool

    def count_pixels(self, other: Picture) -> int:
        """The largest number in its URL that may be a width or height, and is not in that of a twin too, as a date is;
        0 where there is none."""
        urls = ("" if one.source.startswith("data:") else one.source for one in (self, other))
        own, shared = (set(map(int, _NUMBER.findall(url))) for url in urls)
        return max(own - shared, default=0)

    @property
    def file(self) -> str:
        return name_file(self.source)

    def is_icon(self, names: Set[str]) -> bool:
        """Whether it is only a sign, such as an arrow or a check mark. names: words for such pictures."""
        said, called = (set(_LETTERS.findall(text.lower())) for text in (self.alt, unquote(self.file)))
        if said and said <= names:
            return True
        return self.file.endswith(".svg") and not called.isdisjoint(names) and (not said or not said.isdisjoint(names))


def find_pictures(document: Document, kept: Mask, options: TreeOptions) -> dict[int, dict[str, str]]:
    """Row -> the attributes `src`, `alt`, `width` and `height` of each picture that belongs to kept text, in order."""
    if not options.images:
        return {}
    conventions = find_conventions(options.tools)
    late = {row for name in options.image_attributes if name != "src" for row in find_attribute(document, name)}
    rows = find_kept_objects(document, kept, _list_rows(document, options, conventions, late), late)
    base = find_base(document)
    read = (_read_picture(document, row, base, options, conventions) for row in rows)
    icons = {*conventions.names.picture_icons}
    pictures = _drop_twins(document, [picture for picture in read if picture and not picture.is_icon(icons)])
    return {one.row: {"src": one.source, "alt": clean_line(one.alt), **one.size} for one in pictures}


def _list_rows(document: Document, options: TreeOptions, conventions: Conventions, late: set[int]) -> list[int]:
    """Rows of all elements that show a picture, in document order. late: of those whose picture a script sets."""
    found = set(((document.tag == CODE["img"]) & document.displayed).nonzero()[0].tolist())
    # images that a script loads late stand in a `noscript` too, in some with the signs of markup escaped
    found.update(row for row, markup in document.fallback.items() if "<img" in markup or "&lt;img" in markup)
    # only those with an address: a page may have hundreds of icons that are elements of its own
    having = late.union(find_attribute(document, "src")) if "src" in options.image_attributes else late
    undefined = having.intersection(chain.from_iterable(list_undefined(document).values()))
    # an element that a script makes a picture is empty, or holds the same picture for browsers without scripts
    for row in sorted(undefined | {row for row in late if document.names[row] in _HOLDERS}):
        if row not in undefined and "img" in document.names[row + 1 : document.end.item(row)]:
            continue
        values = [value for name in options.image_attributes if (value := read_attribute(document, row, name))]
        # the name of `amp-img` or `x-image` says that it is a picture; of other elements the URL must say so
        is_named = not {*conventions.names.picture_elements}.isdisjoint(document.names[row].split("-"))
        is_picture = values and document.displayed[row] and (is_named or any(map(IMAGE_FILE.search, values)))
        if is_picture and not any(map(str.strip, list_texts(document, row))):
            found.difference_update(range(row + 1, document.end.item(row)))
            found.add(row)
    return sorted(found)


def _read_picture(
    document: Document, row: int, base: str | None, options: TreeOptions, conventions: Conventions
) -> Picture | None:
    if document.names[row] == _NOSCRIPT:
        markup = document.fallback[row]
        images = list_attributes(markup if "<img" in markup else unescape(markup), "img")
        # a pixel that counts visits of those without scripts
        if not images or is_unseen(images[0].get) or ".gif?" in (images[0].get("src") or ""):
            return None
        source = choose_source(images[0].get, base, options.image_attributes, conventions)
        return Picture(row, source, images[0].get("alt") or "", {}, is_preview=False) if source else None
    source = find_image(document, row, base, options.image_attributes, conventions)
    if source is None:
        return None
    # as the page states it: browsers keep room for an image by it; that of a placeholder says nothing
    size = {key: (read_attribute(document, row, key) or "").strip()[:6] for key in ("width", "height")}
    is_known = all(value.isdecimal() and value.isascii() and int(value) >= _LEAST_PIXELS for value in size.values())
    is_preview = source.startswith("data:") or has_class(document, row, conventions, "picture_previews")
    alt = read_attribute(document, row, "alt") or ""
    return Picture(row, source, alt, size if is_known else {}, is_preview)


def _drop_twins(document: Document, pictures: list[Picture]) -> list[Picture]:
    """The pictures without the smaller one of two copies of a picture."""
    kept: list[Picture] = []
    for picture in pictures:
        if not kept or not _are_twins(document, kept[-1], picture):
            kept.append(picture)
            continue
        before = kept[-1]
        n_before, n_pixels = before.count_pixels(picture), picture.count_pixels(before)
        is_larger = (not picture.is_preview, n_pixels) > (not before.is_preview, n_before)
        shown, other = (picture, before) if is_larger else (before, picture)
        # what stands first keeps the place: a `noscript` may stand outside of the link around the other one
        kept[-1] = msgspec.structs.replace(shown, row=before.row, alt=shown.alt or other.alt)
    return kept


def _are_twins(document: Document, first: Picture, second: Picture) -> bool:
    """Whether two pictures that follow each other are copies: of two sizes, or with and without scripts."""
    above = document.parent.item(second.row)
    is_fallback = document.names[second.row] == _NOSCRIPT
    # an `img` that a script loads late has a `noscript` with the same picture after it or just before it
    if is_fallback or document.names[first.row] == _NOSCRIPT:
        is_near = first.row >= above if is_fallback else first.row == second.row - 1
        # a text between them is the caption of one picture, or they are two
        is_near = is_near and (document.names[above] == "figure" or not has_text(document, first.row, second.row))
        return is_near and document.names[first.row] != document.names[second.row]
    if has_text(document, first.row, second.row):
        return False
    if first.source == second.source or _are_sizes(first, second):
        return True
    if first.row < document.parent.item(above):
        return False
    if first.is_preview != second.is_preview:
        return first.row >= above or document.names[document.parent.item(above)] in ("figure", "picture")
    small, large = sorted((first.count_pixels(second), second.count_pixels(first)))
    return bool(first.file) and first.file == second.file and 0 < _MIN_RATIO * small <= large


def _are_sizes(first: Picture, second: Picture) -> bool:
    """Whether the addresses of two pictures differ in a size alone: `/roof-640x480.jpg`, `/roof.jpg?w=320`; that of a
    folder, as `/640/480/roof.jpg`, may be a date, unless both pictures are said to show the same."""
    folders = [picture.source.split("?")[0].rpartition("/")[0] for picture in (first, second)]
    if first.alt and first.alt == second.alt:
        folders = [_NUMBER.sub("", folder) for folder in folders]
    return first.file == second.file and folders[0] == folders[1] and IMAGE_FILE.search(first.source) is not None


def find_image(
    document: Document, row: int, base: str | None, attributes: Iterable[str], conventions: Conventions
) -> str | None:
    """The URL of an image: that of the `img`, otherwise that of a `source` beside it in a `picture`."""
    # the larger copy that the nearest link around the image leads to
    link = document.link.item(row)
    if link >= 0:
        url = sanitise_url(read_attribute(document, link, "href") or "", base, IMAGE_SCHEMES)
        if url is not None and is_enlargement(document, link, url):
            return url
    names = tuple(attributes)
    if source := choose_source(partial(read_attribute, document, row), base, names, conventions):
        return source
    # a `picture` often has its sizes in `source` alone and a blank pixel in `img`
    above = document.parent.item(row)
    if above < 0 or document.names[above] != "picture":
        return None
    rows = (at for at in range(above + 1, document.end.item(above)) if document.names[at] == "source")
    sources = (choose_source(partial(read_attribute, document, at), base, names, conventions) for at in rows)
    return next((source for source in sources if source), None)


def choose_source(
    read: Callable[[str], str | None], base: str | None, attributes: Iterable[str], conventions: Conventions
) -> str | None:
    """The URL of an image: that of the first of the attributes whose URL is no placeholder."""
    for name in attributes:
        value = read(name)
        if value and name.endswith("srcset"):
            value = _choose_candidate(value)
        if not value:
            continue
        # lazy pages set a tiny picture in `src` until a script reads another attribute
        if value.lstrip()[:5].lower() == "data:":
            if len(value) >= _MIN_DATA_LENGTH and _IMAGE_DATA.match(value.strip()):
                return escape_controls(drop_breaks(value.strip()))
            continue
        # the same picture may be there in larger sizes
        sizes = read(f"{name}set") if name.endswith("src") else None
        if sizes and value.strip() in (url for url, _, unit in _list_candidates(sizes) if unit == "w"):
            value = _choose_candidate(sizes)
        found = sanitise_url(value, base, IMAGE_SCHEMES)
        if found and not conventions.patterns["picture_blanks"].search(found):
            return found
    return None


def _choose_candidate(srcset: str) -> str:
    """The URL of the widest image of a `srcset`; the first one if no widths are given."""
    found = [
        (float(size) if unit == "w" and size.count(".") < 2 else 0.0, url)
        for url, size, unit in _list_candidates(srcset)
    ]
    return max(found, key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _list_candidates(srcset: str) -> Iterator[tuple[str, str, str]]:
    return ((found[1], found[2] or "", found[3] or "") for found in _CANDIDATE.finditer(srcset))


def find_kept_objects(document: Document, kept: Mask, rows: list[int], late: Set[int] = frozenset()) -> list[int]:
    """Those of some elements without text, such as images, that belong to kept text and are not hidden. late: elements
    that may be hidden until a script sets their picture."""
    found: list[int] = []
    for row, around in find_beside(document, kept, rows) if rows and kept.any() else ():
        # neither it nor what is around it, below the element `around`, is hidden by its attributes
        if (hiding := find_hiding(document, row)) != row:
            is_seen = hiding <= around
        else:  # the sizes of `amp-img` may be a ratio
            is_seen = document.tag.item(row) == 0 or (row in late and is_hidden(partial(read_attribute, document, row)))
        found += [row] if is_seen else []
    return found


def find_beside(document: Document, kept: Mask, rows: list[int]) -> list[tuple[int, int]]:
    """Those of some elements without text that stand beside kept text: (element, the block element around both).

    The block element is the smallest one around the element that has text. At least half of that text is kept, and so
    is the block just before or just after the element in it.
    """
    block_row, n_chars, first = (document.page.view(name) for name in ("row", "n_chars", "first"))
    # a caption that is not kept says nothing of the text beside a picture: captions, figures around the picture, and
    # links around it to another picture, such as a larger copy, are passed over
    links = set(document.link[rows].tolist()) - {-1}
    holding = {row for row in links if IMAGE_FILE.search(read_attribute(document, row, "href") or "")}
    holding.update((document.tag == CODE["figcaption"]).nonzero()[0].tolist())
    holding |= {*core.find_around(document.page, np.array(rows), _FIGURE).tolist()} - {-1}
    if holding:
        holders = np.array(sorted(holding), dtype=np.intp)
        seen = kept | ~mark_slices(holders, document.end[holders], len(document))[block_row]
        block_row, n_chars, first, kept = block_row[seen], n_chars[seen], first[seen], kept[seen]
    # characters, and kept ones, in the elements before each
    n_below, n_kept_below = (
        sum_before(np.bincount(block_row, counts, minlength=len(document))) for counts in (n_chars, n_chars * kept)
    )
    parent, end, row = document.parent, document.end, np.array(rows)
    around = document.block[row]
    # elements around an image alone say nothing of whether the text beside it is kept
    while (is_empty := (n_below[end[around]] == n_below[around]) & (parent[around] >= 0)).any():
        around[is_empty] = document.block[parent[around[is_empty]]]
    n_kept = n_kept_below[end[around]] - n_kept_below[around]
    # a picture in a sidebar of which one line is kept by chance is none of the text
    is_kept = (n_kept > 0) & (2 * n_kept >= n_below[end[around]] - n_below[around])
    after = document.text_next[first].searchsorted(row, side="right")
    is_beside = np.zeros(len(row), dtype=bool)
    for at in (after - 1, after):
        place = at.clip(0, len(kept) - 1)
        is_inside = (around <= block_row[place]) & (block_row[place] < end[around])
        is_beside |= (at == place) & kept[place] & is_inside
    found = is_kept & is_beside
    return list(zip(row[found].tolist(), around[found].tolist(), strict=True))


def find_dropped_captions(document: Document, blocks: TextBlocks, kept: Mask, options: TreeOptions) -> Mask:
    """bool [n_blocks]: the dropped captions of figures whose picture is shown; a text without pictures needs none."""
    captions = (document.tag == CODE["figcaption"]).nonzero()[0]
    found: Mask = ~kept & mark_slices(captions, document.end[captions], len(document))[blocks.row] & blocks.visible
    if found.any():
        # some tools write a caption without a figure around it
        figures = core.find_around(document.page, captions, _FIGURE)
        figures = np.where(figures < 0, document.parent[captions], figures)
        pictures = np.array([*find_pictures(document, kept, options)], dtype=np.int64)
        own = captions[pictures.searchsorted(figures) < pictures.searchsorted(document.end[figures])]
        found &= mark_slices(own, document.end[own], len(document))[blocks.row]
    return found


def find_objects(document: Document, blocks: TextBlocks, kept: Mask, options: TreeOptions) -> list[int]:
    """Rows of media, rules and check boxes that belong to kept text."""
    n_tags = count_tags(document)
    found = find_kept_objects(document, kept, find_media(document)) if options.links else []
    if n_tags[CODE["hr"]]:
        rows = ((document.tag == CODE["hr"]) & document.displayed).nonzero()[0]
        # a rule stays between kept blocks; beyond the first and the last block nothing is kept
        around = np.concatenate(([False], kept, [False]))
        at = np.searchsorted(document.text_next[blocks.first], rows, side="right")
        found += rows[around[at] & around[at + 1]].tolist()
    names = document.names
    for row, kind in list_holding(document, "type", "checkbox"):
        # a check box of a task list; other boxes are controls of a form
        if names[row] == "input" and kind.lower() == "checkbox" and names[document.block[row]] in ("li", "p"):
            found.append(row)
    return found
