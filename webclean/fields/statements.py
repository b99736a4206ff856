"""Columns -> what a page states about itself, collected once and shared by all fields.

Enters: `PageColumns`. Leaves: `PageStatements`: meta elements, links, the `title` element, JSON-LD objects
(schema.org), microdata, class tokens, and the rows of headings. Each part is read when a field first asks for it.

Scripts of JSON-LD (https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents) become `Thing`s. Reading them
never raises: common mistakes are repaired, other scripts are skipped.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.features.page_words import find_names, join_text
from webclean.fields.scan import SCAN_CHARS, TextScan, compile_finders
from webclean.model import Document, Mask
from webclean.parse.columns import climb, find_attribute, list_values, mark_slices, read_attribute, read_raw
from webclean.parse.controls import clean_line
from webclean.parse.limits import check_time
from webclean.parse.tags import BLOCK, CODE, HEADING, N_CODES, tag_mask
from webclean.parse.url import find_address, find_base, find_host, join_url

# RDFa writes `property`, HTML `name`, microdata `itemprop`; all three are found with the names of all vocabularies.
_CONTENT_KEYS: Final = ("content", "value")
_META_KEYS: Final = ("property", "name", "itemprop", "http-equiv")


def _list_flags() -> NDArray[np.uint8]:
    masks = {
        "apart": BLOCK | tag_mask("br"),
        "heading": HEADING,
        "landmark": tag_mask("nav footer aside"),
        "button": tag_mask("button"),
        "meta": tag_mask("meta"),
        "listed": tag_mask("title base h1 h2 time figcaption"),
        "link": tag_mask("link"),
        "anchor": tag_mask("a"),
    }
    flags = np.zeros(N_CODES, dtype=np.uint8)
    for name, mask in masks.items():
        flags[mask] |= core.STATEMENT_FLAGS[name]
    return flags


_FLAGS: Final = _list_flags()
"""uint8 [N_CODES]: what the core knows of each tag."""
# most other links have `nofollow` or `noopener`, which say nothing about the page
_OF_PAGE: Final = frozenset(("canonical", "alternate", "amphtml", "next", "license", "image_src", "tag"))
_MAX_METAS: Final = 2_000
"""With a content; real pages have up to two hundred, generated ones any number."""
# the words of camel case, as in `datePublished` and `DCDate`, and those between signs
_WORD: Final = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


# A hostile page may hold any amount of JSON; real ones have up to some hundred objects, five deep.
_MAX_SCRIPT_CHARS: Final = 2_000_000
_MAX_THINGS: Final = 2_000
_MAX_DEPTH: Final = 30
_HOLDERS: Final = frozenset((dict, list))
_OF_READERS: Final = frozenset(("Review", "UserReview", "Comment", "UserComments", "Answer"))
_WRAPPING: Final = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|(?://|/\*)?\s*\]\]>(?:\s*\*/)?)\s*;?\s*$"
)
_VOCABULARY: Final = re.compile(r".*[/#:]", re.DOTALL)
_LONE_SURROGATE: Final = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}"
)
"""An escape of a lone surrogate, which is not a character."""
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,31});")
_INLINE: Final = "abbr|big|b|center|cite|code|del|div|em|font|h[1-6]|ins|i|mark|p|q|small|span|strong|sub|sup|s|u"
_MARKUP: Final = re.compile(
    rf"<({_INLINE})(?:\s[^<>]*)?>([^<>]+)</\1\s*>|(?<=\S)<br\s*/?>|<br\s*/?>(?=\S)", re.IGNORECASE
)
"""Markup that was escaped once too often: `Old <em>mill</em>`. A tag that the text speaks of, as in `The <b> tag`, has
nothing in it and stays."""
_OPENED: Final = re.compile(rf"^<(?:{_INLINE})(?:\s[^<>]*)?>(?=\w)", re.IGNORECASE)
"""What is left of it where a description was cut off: `<p>The weir at Holm`."""


def read_written(text: str) -> str:
    """A value that is written for programs, on one line: without entities, tags and controls in it."""
    # twice, for some are escaped twice: `&amp;amp;`; and one element may be in another: `<p><b>Old mill</b></p>`
    for _ in range(2 if "&" in text else 0):
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    for _ in range(2 if "<" in text else 0):
        text = _MARKUP.sub(lambda found: found[2] or " ", text)
    return clean_line(_OPENED.sub("", text.strip()))


class Thing(msgspec.Struct, frozen=True):
    """One object: its types without the vocabulary's URL, its values, the key that it is the value of, its depth, and
    the syntax that it is stated in."""

    types: tuple[str, ...]
    values: dict[str, Any]
    role: str = ""
    depth: int = 0
    syntax: str = "json-ld"

    def texts(self, key: str) -> list[str]:
        """The strings of a key: its literals, or the names of its objects."""
        value = self.values.get(key)
        return [] if value is None else list(read_names(value))


def read_things(scripts: Iterable[str]) -> tuple[Thing, ...]:
    """The objects of all scripts; nested ones follow the one that contains them."""
    found: list[Thing] = []
    for script in scripts:
        if len(script) <= _MAX_SCRIPT_CHARS:
            # the prefix of a vocabulary says no more than `@context`
            for value in parse_script(script.replace('"schema:', '"')):
                found.extend(walk_things(value, _MAX_THINGS - len(found)))
    return tuple(found)


def parse_script(script: str) -> Iterator[Any]:
    """The JSON value of a script. Comments around it, control characters and lone surrogates are tolerated."""
    try:
        yield msgspec.json.decode(script)  # most scripts are right, and this is ten times as fast as `json`
    except (ValueError, RecursionError):
        with suppress(ValueError, RecursionError):
            text = _LONE_SURROGATE.sub(r"\\ufffd", _WRAPPING.sub("", script).strip())
            yield json.loads(text, strict=False)


def walk_things(root: Any, room: int = _MAX_THINGS, syntax: str = "json-ld") -> Iterator[Thing]:
    """The objects of a value of JSON, at most `room`; nested ones follow the one that contains them."""
    todo: list[tuple[Any, str, int]] = [(root, "", 0)]
    while todo and room > 0:
        value, role, depth = todo.pop()
        if type(value) is list:
            # reversed, for the last one added is taken first; no recursion, for a page may nest as deep as it likes
            todo += [(item, role, depth) for item in reversed(value[:room])]
        elif type(value) is dict and depth <= _MAX_DEPTH:
            written = value.get("@type")
            # one type, or a list of them
            kinds = written if type(written) is list else [written]
            types = tuple([name for kind in kinds if type(kind) is str for name in _read_type(kind)])
            if types:
                room -= 1
                yield Thing(types, value, role, depth, syntax)
            below = [(item, key, depth + 1) for key, item in value.items() if type(item) in _HOLDERS]
            below.reverse()
            todo += below


@lru_cache(maxsize=1024)
def _read_type(written: str) -> tuple[str]:
    """A type without the URL of the vocabulary."""
    return (_VOCABULARY.sub("", written),)


def read_names(value: Any) -> Iterator[str]:
    """The strings of a value: literals; `name`, `@value` or `url` of an object; those of each item of a list."""
    if isinstance(value, str):
        if text := read_written(value):
            yield text
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        # as many digits as a float keeps of a decimal: 1250000.5 and not 1.25e+06, 9.5 and not 9.500000000000001
        yield f"{value:.15g}" if isinstance(value, float) else str(value)
    elif isinstance(value, list):
        for item in value[:50]:  # a list of names with more is one of members or readers
            yield from read_names(item) if not isinstance(item, list) else ()
    elif isinstance(value, dict):
        if not value.get("name") and (parts := [value.get(key) for key in ("givenName", "familyName")]) != [None, None]:
            yield from read_names(" ".join(part for part in parts if isinstance(part, str)))
            return
        for key in ("name", "alternateName", "@value", "url"):
            if value.get(key):
                yield from read_names(value[key]) if not isinstance(value[key], dict) else ()
                return


def read_people(value: object, things: tuple[Thing, ...]) -> Iterator[str]:
    """Names of the people in a JSON-LD value, or in the objects that it refers to by `@id`."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and not item.get("name") and item.get("@id"):
            # one level: an object that refers to one that refers back would never end
            named = (thing for thing in things if thing.values.get("name") and thing.values.get("@id") == item["@id"])
            yield from next((thing.texts("name")[:1] for thing in named), ())
        elif isinstance(item, (dict, str)):
            yield from read_names(item)


Stated = list[tuple[str, str]]
"""(value, source), the most trusted first. A source is written as `meta og:title`."""


class HeadLink(NamedTuple):
    """A `link` element, or an `a` with a `rel`: its relation tokens, its absolute URL, and its attributes about the
    target."""

    row: int
    rel: tuple[str, ...]
    url: str
    media_type: str = ""
    language: str = ""
    title: str = ""


@dataclass(frozen=True, eq=False)
class PageStatements:
    """What one page states about itself; each part is computed on first use."""

    columns: PageColumns

    @cached_property
    def document(self) -> Document:
        return self.columns.document

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        """Name, property, itemprop or http-equiv of the meta elements, lower case -> contents in document order, as
        written. Some pages write `value` for `content`, as form controls do."""
        return self._elements.read_metas(_CONTENT_KEYS, _META_KEYS, _MAX_METAS, self.of_readers)  # type: ignore[no-any-return]

    def read_metas(self, names: Iterable[str]) -> Stated:
        """The content of each meta element that has one of the names and is not blank, in the order of the names; white
        space normalised."""
        metas, found = self.metas, Stated()
        # a rule lists forty names for a date, of which a page has two
        wanted = _fold_names(tuple(names))
        for _, source, folded in sorted([place for key in wanted.keys() & metas.keys() for place in wanted[key]]):
            found += [(text, source) for content in metas[folded] if (text := read_written(content))]
        return found

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """The objects of all JSON-LD scripts; nested ones follow the one that contains them.

        Some frameworks write the script as a meta element.
        """
        written = (text for name, texts in self.metas.items() if name.endswith("ld+json") for text in texts)
        return read_things((*read_raw(self.document, "script"), *written))

    @cached_property
    def title(self) -> str:
        """Text of the first `title` element that is not inside a drawing (SVG); some pages have it deep in the body."""
        document = self.document
        shown = (
            row for row in self.rows_of("title") if "svg" not in map(document.names.__getitem__, climb(document, row))
        )
        return next(filter(None, (read_written(self.read_text(row)) for row in shown)), "")

    @cached_property
    def base(self) -> str:
        """What relative URLs are relative to: the `base` element, else the page's URL."""
        return find_base(self.document) or ""

    @cached_property
    def host(self) -> str:
        """Host of the page, '' where its URL is not known."""
        return find_host(self.address)

    @cached_property
    def address(self) -> str:
        """The page's URL; where it is not known, the one that the page states; '' without any."""
        return find_address(self.document)

    @cached_property
    def links(self) -> tuple[HeadLink, ...]:
        """The elements with an `href` and a `rel` that describes the page (HTML standard, 4.6.7)."""
        document, found = self.document, []
        # `link` elements first: the head says what the page is; an `a` may be of any article of a list
        for row, tokens in self._elements.read_relations(_OF_PAGE).items():
            if href := read_attribute(document, row, "href"):
                attrs = document.attrs[row]
                media_type, language, title = (attrs.get(name) or "" for name in ("type", "hreflang", "title"))
                found.append(
                    HeadLink(row, tokens, self.absolute(href), *map(clean_line, (media_type.lower(), language, title)))
                )
        return tuple(found)

    def list_links(self, near: range) -> list[tuple[int, str]]:
        """(row, target as written) of the links in some rows."""
        links = find_links(self.columns)
        within = slice(*links.row.searchsorted((near.start, near.stop)).tolist())
        targets = map(links.distinct.__getitem__, links.number[within].tolist())
        return list(zip(links.row[within].tolist(), targets, strict=True))

    @cached_property
    def text_scan(self) -> TextScan:
        """All text blocks, ready to be searched."""
        return TextScan(self.columns.blocks.text, join_text(self.columns)[:-1])

    def absolute(self, href: str) -> str:
        """An absolute URL; '' for one that leads to no document (a fragment, a script, data)."""
        href = href.strip()
        leads_on = href and not href.startswith(("#", "javascript:", "data:"))
        return (join_url(self.base, href) or "") if leads_on else ""

    def rows_of(self, name: str) -> list[int]:
        """Rows of the elements with one of the tag names that fields ask for, in document order."""
        return self._elements.rows_of.get(CODE[name], [])  # type: ignore[no-any-return]

    @cached_property
    def _elements(self) -> Any:
        """`core.Statements`: what single elements say."""
        return core.Statements(self.document.page, self.document.attrs.found, _FLAGS)

    @cached_property
    def of_readers(self) -> Mask | None:
        """bool [n_elements]: inside of what readers say of the page in microdata, such as reviews; None if nothing is.
        One around the headline is the page's own."""
        document = self.document
        kinds = zip(find_attribute(document, "itemtype"), list_values(document, "itemtype"), strict=True)
        rows = np.array([row for row, kind in kinds if _read_type(kind.strip())[0] in _OF_READERS], dtype=np.int64)
        if not len(rows):
            return None
        heads, ends = np.array(self.rows_of("h1"), dtype=np.int64), document.end[rows]
        apart = heads.searchsorted(rows) == heads.searchsorted(ends)
        return mark_slices(rows[apart], ends[apart], len(document))

    @cached_property
    def properties(self) -> dict[str, list[int]]:
        """Property of microdata, or of RDFa in the body, lower case -> rows; without those of what readers say."""
        found: dict[str, list[int]] = {}
        apart = self.of_readers
        for attribute in ("itemprop", "property"):
            rows = find_attribute(self.document, attribute)
            for row, names in zip(rows, list_values(self.document, attribute), strict=True):
                is_stated = attribute == "itemprop" or self.document.names[row] != "meta"
                if is_stated and (apart is None or not apart[row]):
                    for name in names.lower().split():
                        found.setdefault(name.removeprefix("schema:"), []).append(row)
        return {name: sorted(rows) for name, rows in found.items()}

    def find_classes(self, *patterns: str, near: range = range(0)) -> list[list[int]]:
        """For each expression, the rows with text whose class attribute it matches, in document order.

        near: the rows in which inline elements inside a text block count as well.
        """
        finders, table = compile_finders(*patterns), find_names(self.columns)
        names, inline = table.list_classes(), self._elements.list_inline(near.start, near.stop)
        n = len(names)
        names += [f" {value}" for _, value in inline]  # as those of the table, but without a tag
        found: list[list[int]] = [[] for _ in patterns]
        for i, possible in finders.find_each(names):
            value = names[i][:SCAN_CHARS].partition(" ")[2]  # without the tag
            matching = [number for number in possible if finders.finders[number].exact.search(value)]
            if matching:
                rows = (table.classes == i).nonzero()[0].tolist() if i < n else [inline[i - n][0]]
                for number in matching if i < n or self.shows_text(rows[0]) else ():
                    found[number] += rows
        return [sorted(rows) for rows in found]

    def shows_text(self, row: int) -> bool:
        """Whether an element contains text of a text block."""
        return self._elements.shows_text(row)  # type: ignore[no-any-return]

    def is_in_landmark(self, row: int) -> bool:
        """Whether an element is inside nav, footer or aside."""
        return self._elements.is_in_landmark(row)  # type: ignore[no-any-return]

    @cached_property
    def block_position(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """int32 [n_blocks]: elements that start before each text block."""
        return self.document.text_next[self.columns.blocks.first]

    def read_machine_value(self, row: int, names: Iterable[str] = ("datetime", "content")) -> str:
        """The first of some attributes of an element that is not blank, else its text."""
        values = (clean_line(read_attribute(self.document, row, name)) for name in names)
        return next(filter(None, values), "") or self.read_text(row)

    def read_text(self, row: int) -> str:
        """Text of an element with white space normalised, without that of buttons inside.

        Line breaks and block boundaries separate words.
        """
        text: str = self._elements.read_text(row)
        # many short texts take no time; elements in one another with much text do
        if len(text) > SCAN_CHARS:
            check_time()
        return text


@lru_cache(maxsize=256)
def _fold_names(names: tuple[str, ...]) -> dict[str, list[tuple[int, str, str]]]:
    """Name in lower case -> (place, source, name in lower case) of each of the names that is written so."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    for place, name in enumerate(names):
        found.setdefault(name.lower(), []).append((place, f"meta {name}", name.lower()))
    return found


def split_tokens(name: str) -> list[str]:
    """`datePublished` and `post-date` -> lower-case words of a class, id or property."""
    return [word.lower() for word in _WORD.findall(name)]
