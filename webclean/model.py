"""The types that all stages share, without logic: each stage takes some of them and returns others.

A page is stored as columns (arrays with one entry for each row), not as a tree of objects. `Document` has one row for
each element, in document order; `TextBlocks` has one row for each block of text. `end[i]` is one past the last row
inside element i, so its subtree is the slice `i : end[i]` and a sum over it is a difference of two prefix sums:

    row      0     1    2  3  4         words    0  0  3  5  2
    element  body  div  p  p  footer    sums     0  0  0  3  8  10
    end      5     4    3  4  5         words of the div (row 1): sums[end[1]] - sums[1] = 8 - 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.signedinteger[Any]]
"""Integers. Row numbers are int64, because numpy indexes with it four times as fast as with int32; counts are int32."""
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class PageType(StrEnum):
    """The four page types of the patent (A3). They depend on the structure of the page, not on its subject."""

    CONTENT = "content"
    MULTI_BLOCK = "multi_block"
    INDEX = "index"
    NO_FEATURE = "no_feature"


class Role(StrEnum):
    """The function of a block on its page."""

    CONTENT = "content"
    INDEX = "index"
    LINKS = "links"
    RELATED = "related"
    NAVIGATION = "navigation"
    HEADER = "header"
    FOOTER = "footer"
    SIDEBAR = "sidebar"
    ADVERTISEMENT = "advertisement"
    FORM = "form"
    COMMENTS = "comments"
    MEDIA = "media"
    TABLE = "table"
    TITLE = "title"
    METADATA = "metadata"
    DIALOG = "dialog"
    OTHER = "other"


SMALL_PAGE: Final = 50_000
"""Characters that a page has at least for `Limits.max_output_ratio`: styles and markup of a document are constant."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest page that is processed; above it `LimitExceeded` is raised (or the page is truncated).

    max_bytes: length in bytes (in characters for a string). max_attributes: on all elements of the page together.
    max_root_tags: `html` and `body` tags, whose attributes a parser merges; max_root_attributes: attributes on all of
    them. max_seconds: time for parsing and deciding, and again for each part of the result that is computed when it is
    asked for; checked between steps. of_processor: it is that of the processor, of a process which cleans one page at a
    time and stands back for others. max_output_ratio: characters that such a part may have for each character of the
    page, which may be taken for `SMALL_PAGE` characters long.
    """

    max_bytes: int = 20_000_000
    max_elements: int = 400_000
    max_depth: int = 2_000
    max_attributes: int = 2_000_000
    max_root_tags: int = 200
    max_root_attributes: int = 2_000
    max_seconds: float = 30.0
    max_output_ratio: float = 20.0
    of_processor: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Markup as text, and how it was obtained from the input.

    encoding: WHATWG name in lower case. encoding_from: `bom`, `http`, `meta`, `detected` or, for a string, `text`.
    declared: a declared encoding that was not used, because the bytes contradict it.
    part: the element whose content is used instead of the page (`noscript`, `noframes`), '' for the page itself.
    kind: `html`, `xml`, `json`, `text`, `binary` or `empty`; the markup of all kinds but `html` was generated.
    format: of binary input, its media type and name, as far as known. is_repaired: it was encoded twice, and what was
    meant is read.
    """

    markup: str
    encoding: str
    encoding_from: str
    n_bytes: int
    declared: str = ""
    kind: str = "html"
    part: str = ""
    format: str = ""
    is_repaired: bool = False


PageCache = dict[Callable[..., Any], Any]
"""Results that were computed of a page, under the function that computed them (`webclean.caching.cached_per_page`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A page as columns: one row for each element, in document order.

    tag, parent, end, depth, link, block: int64 [n_elements]. `tag` holds codes of `parse.tags`; `names` the tag names
    themselves; `parent` of the root is -1; `end` is one past the last row of the subtree; `link` is the row of the
    nearest `a` element with an href, the row itself included, or -1; `block` the row of the nearest block element,
    itself included. displayed: false under elements that are never shown. page: the `core.Page` that owns the columns,
    of which these are views. text: every text node outside raw-text elements, in document order, as parsed (white space
    as it is) but without control characters (`parse.controls`). text_owner, text_next: int64 [n_texts]: the row a text
    node is a child of; the number of elements that start before it. raw: row -> content of a script, style sheet or
    template, read by `parse.read_raw`. fallback: row -> markup inside `noscript` and `noframes`. truncated: names of
    the limits at which the page was cut. anchor: one XPath for every row, if the rows do not come from the page's own
    tree; else ''. cache: a copy made with `replace` starts with an empty one.
    """

    page: Any
    names: list[str]
    tag: Rows
    parent: Rows
    end: Rows
    depth: Rows
    link: Rows
    block: Rows
    displayed: Mask
    attrs: Any
    text: list[str]
    text_owner: Rows
    text_next: Rows
    raw: Mapping[int, str]
    fallback: Mapping[int, str]
    source: Source
    engine: str
    url: str | None = None
    truncated: tuple[str, ...] = ()
    anchor: str = ""
    cache: PageCache = field(init=False, default_factory=dict)

    def __len__(self) -> int:
        return len(self.names)


class TextBlocks(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Leaf text blocks: runs of text with no block boundary inside, in reading order.

    row, first, last: int64 [n_blocks], the nearest block element; the run is `document.text[first:last]` (text nodes of
    invisible elements inside the span are not part of it; `block_of` tells the ones that are). text:
    whitespace-normalised text of each block. n_chars (without whitespace), n_link_chars, n_words (a CJK character
    counts as a word), n_link_words, n_punctuation, n_sentences: int32 [n_blocks]. visible: false for blocks under a
    `hidden` attribute or an inline `display: none`. block_of: int64 [n_texts], the block that a text node belongs to,
    or -1 (text that is not displayed, is blank, or is the sign, such as ¶, by which a heading links to itself). gap:
    bool [n_texts], the text node is separated from the one before it although there is no white space between.
    """

    row: Rows
    first: Rows
    last: Rows
    text: list[str]
    n_chars: Rows
    n_link_chars: Rows
    n_words: Rows
    n_link_words: Rows
    n_punctuation: Rows
    n_sentences: Rows
    visible: Mask
    block_of: Rows
    gap: Mask

    def __len__(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was decided: the stage, the id of the rule, the evidence, and the rule's points if it has any."""

    stage: str
    rule: str
    evidence: str = ""
    points: float | None = None
    source: str = ""


class Correction(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Points that are added to the text blocks of a page because of something found on the page as a whole.

    name: of what was found. points: float64 [n_blocks], 0 for blocks that it does not concern. tell: writes the
    evidence for one block, when it is explained.
    """

    name: str
    points: Floats
    tell: Callable[[int], str]


@dataclass(frozen=True, slots=True, eq=False)
class Segmentation:
    """The cut of a page into semantic blocks, in reading order.

    roots: rows of the elements that make up each block, children of one parent. parent: number of the enclosing block,
    or -1. why: why the block was not split further. owner: int32 [n_elements], number of the element's block, or -1.
    """

    roots: tuple[tuple[int, ...], ...]
    parent: tuple[int, ...]
    why: tuple[str, ...]
    owner: Rows

    def __len__(self) -> int:
        return len(self.roots)


@dataclass(frozen=True, slots=True, eq=False)
class MethodBlocks:
    """Semantic blocks that a method has cut and judged itself. Each sequence has one entry for each block.

    segments: the cut. kept: whether the block is shown. reasons: why. importance: 0 to 1; empty where the method gives
    none. ranked: the outputs show the blocks in the order of their importance.
    """

    segments: Segmentation
    kept: tuple[bool, ...]
    reasons: tuple[Reason, ...]
    importance: tuple[float, ...] = ()
    ranked: bool = False


class BlockDecisions(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Which text blocks of a page are kept, with their scores.

    score: float64 [n_blocks], points after the last pass. kept: bool [n_blocks]. cut: blocks with this score or more
    are kept, unless a rule decides otherwise. first: points of the first pass. expected: estimated F score of the kept
    text. kept_by, dropped_by: block -> id of the rule that kept or dropped it. type_weights: subtype -> share of its
    adjustments that was applied. article_share: of the article card in the first pass, 0 to 1. plain_share: of the
    plain card in the rest of it. steps: block -> why a later step of the page type's handler reversed its decision, or
    which step of a method made it. corrections: points added because of the page as a whole, in both passes. blocks:
    the semantic blocks of a method that cuts the page itself. by_parts: the page was read part by part, as index pages
    are. title: the title, of a method that finds one itself.
    """

    score: Floats
    kept: Mask
    cut: float
    first: Floats | None = None
    expected: float = 1.0
    kept_by: Mapping[int, str] | None = None
    dropped_by: Mapping[int, str] | None = None
    type_weights: Mapping[str, float] | None = None
    article_share: float = 0.0
    plain_share: float = 0.0
    steps: Mapping[int, Reason] | None = None
    corrections: tuple[Correction, ...] = ()
    blocks: MethodBlocks | None = None
    by_parts: bool = False
    title: FieldValue | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a block. url: absolute if the page's URL is known."""

    url: str
    text: str


class Decision(msgspec.Struct, frozen=True):
    """What a stage chose, with its confidence (0 to 1)."""

    value: Any
    confidence: float = 1.0
    reasons: tuple[Reason, ...] = ()


class FoundPlatform(msgspec.Struct, frozen=True):
    """A platform that the page was made with, such as WordPress.

    file: name of its rule file in `platforms/`. name: as its makers write it. version: as the page states it, '' if it
    does not. evidence: the signs that were found, as `generator: phpBB`.
    """

    file: str
    name: str
    version: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One field of a page: value, source, confidence (0 to 1), and the other candidates as (value, source)."""

    value: str | None
    source: str = ""
    confidence: float = 0.0
    alternatives: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FieldValues:
    """A field with several values, such as keywords."""

    values: tuple[str, ...] = ()
    source: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class EntityRows:
    """A property of an entity with several values: rows of named texts, and their source."""

    rows: tuple[dict[str, str], ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """The one thing that a page is about. type: of https://schema.org. properties: name -> value with its source.
    lists: name -> rows, such as the specifications of a product or the ingredients of a recipe."""

    type: str
    properties: dict[str, FieldValue]
    lists: dict[str, EntityRows]

    def __getitem__(self, name: str) -> str | None:
        """The text of a property; None where it is not known."""
        found = self.properties.get(name)
        return None if found is None else found.value


@dataclass(frozen=True, slots=True)
class Image:
    """An image in the text. width, height: in pixels."""

    url: str
    alt: str = ""
    caption: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Alternate:
    """Another version of the page: in another language, as a feed, for another device."""

    url: str
    language: str = ""
    media_type: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Author:
    """One of the authors of a page: the name, and the absolute URL of the page about them, '' where none is known."""

    name: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """How often an entry of a list was answered, say. name: replies, views, comments, votes or reviews."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a repeated list: a teaser, a product, a post. counts: those that it shows, each name once."""

    title: str
    url: str | None = None
    summary: str = ""
    date: str | None = None
    image: str | None = None
    price: str | None = None
    author: str | None = None
    counts: tuple[Count, ...] = ()
    is_advertisement: bool = False


class Post(NamedTuple):
    """A post of a thread that a rule named: rows `first` to `end` (exclusive), and what it says of itself.

    heads: rows of the elements that say who wrote it and when. said: the row of the element with its text, -1 if none
    is named. depth: how many posts it is a reply within, -1 where the page does not state it.
    """

    first: int
    end: int
    author: str | None
    date: str | None
    url: str | None
    text: str | None
    heads: tuple[int, ...] = ()
    said: int = -1
    is_reply: bool = False
    depth: int = -1


_Value = TypeVar("_Value")


class Column(Generic[_Value]):
    """A property of a block or section: its row in a column of `parts`, which is computed for all of a page at once."""

    def __init__(self, name: str, meaning: str) -> None:
        self.name, self.__doc__ = name, meaning

    @overload
    def __get__(self, one: None, owner: type) -> Self: ...
    @overload
    def __get__(self, one: Block | Section, owner: type) -> _Value: ...
    def __get__(self, one: Block | Section | None, owner: type) -> Self | _Value:
        if one is None:
            return self
        value: _Value = getattr(one.parts, self.name)[one.number]
        return value


def read_columns(parts: object, owner: type) -> dict[str, Any]:
    """All columns that the properties of `Block` or `Section` are read from, with which these are pickled."""
    names = [column.name for column in vars(owner).values() if isinstance(column, Column)]
    return {name: getattr(parts, name) for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A semantic block (patent A4). Its other properties are computed for all blocks of a page on first access.

    id: unique on the page. parent: index in `page.blocks` of the block that contains this one, or None. number: row of
    this block in `parts`.
    """

    id: str
    role: Role
    kept: bool
    parent: int | None
    number: int
    parts: Any = field(repr=False)

    text = Column[str]("texts", "Its text, a line for each text block in it.")
    heading = Column[str]("headings", "Its heading, or the short line before its entries or alone before it; or ''.")
    xpaths = Column[tuple[str, ...]]("xpaths", "Its elements, for lxml in the html5lib tree (namespaces off).")
    links = Column[tuple[Link, ...]]("links", "Its links in reading order.")
    records = Column[tuple[Record, ...]]("records", "The entries of the repeated list in it; empty if there is none.")
    importance = Column[float]("importance", "Importance on an index page, 0 to 1; its blocks are ranked by it.")
    reasons = Column[tuple[Reason, ...]]("reasons", "Why it has its role and importance, and was kept or dropped.")
    fragment = Column[str](
        "fragments", "`#:~:text=...`, after the URL of the page a link to its text; '' without text."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """A part of a page that a reader would name: larger than a semantic block, or inside one. Sections nest.

    id: unique on the page. role: that of most of its text. blocks: those of `page.blocks` that it holds and no section
    inside it does. sections: those inside it, in reading order. within: index in `page.blocks` of the block that it is
    a part of, None for a section of whole blocks. number: row of this section in `parts`.
    """

    id: str
    role: Role
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    within: int | None
    number: int
    parts: Any = field(repr=False)

    title = Column[str]("titles", "Its heading, or a bold line or label before the rest, or its element's name; or ''.")
    text = Column[str]("texts", "All its text, a line for each text block in it.")
    xpaths = Column[tuple[str, ...]]("xpaths", "Its elements, several where it spans siblings; as those of blocks.")
    importance = Column[float]("importance", "Importance of its most important block, 0 to 1.")
    reasons = Column[tuple[Reason, ...]]("reasons", "What joins it, how likely people name such a part, what says so.")

    def walk(self) -> Iterator[Section]:
        """The section and all sections inside it, in reading order."""
        yield self
        for section in self.sections:
            yield from section.walk()
