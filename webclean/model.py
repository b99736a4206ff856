"""The types that all stages share. No logic: a stage is a function from these to these.

A page is columns. `Document` has one row for each element in document order; `end` closes the
subtree, so everything below row i is the slice `i : end[i]` and any sum over a subtree is a
difference of prefix sums. `TextBlocks` has one row for each leaf run of text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.signedinteger[Any]]
"""Integers: indices are int64 (four times as fast to index with as int32), counts mostly int32."""
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class PageType(StrEnum):
    """The four types of the patent (A3), told apart by inner features, not by subject."""

    CONTENT = "content"
    MULTI_BLOCK = "multi_block"
    INDEX = "index"
    NO_FEATURE = "no_feature"


class Role(StrEnum):
    """What a block is for."""

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
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page may cost before `LimitExceeded` is raised (or the page is truncated).

    max_bytes: bytes (characters of a string). max_attributes: on all elements of the page. max_root_tags and
    max_root_attributes: `html` and `body` tags, whose attributes a parser merges. max_seconds: parsing and deciding,
    checked between steps.
    """

    max_bytes: int = 20_000_000
    max_elements: int = 400_000
    max_depth: int = 2_000
    max_attributes: int = 2_000_000
    max_root_tags: int = 200
    max_root_attributes: int = 2_000
    max_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Source:
    """Markup as text, and how the input became it.

    encoding: WHATWG name in lower case. encoding_from: `bom`, `http`, `meta`, `detected` or, for a string, `text`.
    declared: the encoding that was declared and overruled, because the bytes contradict it.
    part: the element whose content stands for the page (`noscript`, `noframes`), '' for the page itself.
    kind: `html`, `xml`, `json`, `text`, `binary` or `empty`; only `html` is markup as it came.
    """

    markup: str
    encoding: str
    encoding_from: str
    n_bytes: int
    declared: str = ""
    kind: str = "html"
    part: str = ""


class PageCache(dict[Callable[..., Any], Any]):
    """What functions computed of a page, by the function (`webclean.caching.cached_per_page`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A page as columns: one row for each element, in document order.

    tag, parent, end, depth, link, block: int64 [n_elements]. `tag` holds codes of `parse.tags`; `names` the
    tag names themselves; `parent` of the root is -1; `end` is one past the last row of the subtree;
    `link` is the row of the nearest `a` element with an href, the row itself included, or -1; `block` the
    row of the nearest block element, itself included. displayed: false under elements that are never shown.
    attrs: one mapping for each row, values as the engine holds them: read with `parse.read_attribute`.
    text: every text node outside raw-text elements, in document order, as parsed (not normalised).
    text_owner, text_next: int64 [n_texts]: the row a text node is a child of; the number of elements
    that start before it.
    raw: script and style elements that stages may read, as the engine holds them: read with `parse.read_raw`.
    fallback: row -> markup of `noscript` and `noframes`.
    truncated: names of the limits that cut the page. anchor: the XPath that stands for every row when the rows are
    not those of the page's own tree ('' when they are). attribute_rows: the rows that have each attribute.
    attribute_columns, raw_texts: filled by `parse.read_attribute_column` and `parse.read_raw`. cache: what else was
    computed of the document; one that is made of it by `replace` begins with an empty one.
    """

    names: list[str]
    tag: Rows
    parent: Rows
    end: Rows
    depth: Rows
    link: Rows
    block: Rows
    displayed: Mask
    attrs: list[Mapping[str, Any]]
    text: list[str]
    text_owner: Rows
    text_next: Rows
    raw: Mapping[int, Any]
    fallback: Mapping[int, str]
    source: Source
    engine: str
    url: str | None = None
    truncated: tuple[str, ...] = ()
    anchor: str = ""
    attribute_rows: Mapping[str, list[int]] = field(default_factory=dict)
    attribute_columns: dict[str, list[str]] = field(default_factory=dict)
    raw_texts: dict[str, list[str]] = field(default_factory=dict)
    cache: PageCache = field(init=False, default_factory=PageCache)

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, slots=True, eq=False)
class TextBlocks:
    """Leaf text blocks: runs of text with no block boundary inside, in reading order.

    row, first, last: int64 [n_blocks], the nearest block element; the run is `document.text[first:last]`
    (text nodes of invisible elements inside the span are not part of it; `node` lists the ones that are).
    text: whitespace-normalised text of each block.
    n_chars (without whitespace), n_link_chars, n_words (a CJK character counts as a word), n_link_words,
    n_punctuation, n_sentences: int32 [n_blocks].
    visible: false for blocks under a `hidden` attribute or an inline `display: none`.
    block_of: int64 [n_texts], the block that a text node belongs to, or -1 (not displayed, blank, or the sign that
    links a heading to itself).
    gap: bool [n_texts], the text node is apart from the one before it, though no white space stands between.
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


class RepairKind(StrEnum):
    """What was wrong with the markup: the four repairs of the patent (A1), and lexical faults."""

    OMITTED = "omitted"
    CROSSED = "crossed"
    WRONG_END_TAG = "wrong_end_tag"
    CONTENT_MODEL = "content_model"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Repair:
    """One place where the tree says more than, or something else than, the markup. line from 1, column from 1."""

    kind: RepairKind
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was decided: the stage, the rule's id, its points (where it has any) and the evidence."""

    stage: str
    rule: str
    evidence: str = ""
    points: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What one finding about the whole page adds to the points of its blocks.

    name: of the finding. points: float64 [n_blocks], 0 where it says nothing. because: int64 [n_blocks], which of
    `texts` is the evidence.
    """

    name: str
    points: Floats
    because: Rows
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BlockDecisions:
    """Decisions of one page.

    score: float64 [n_blocks], points after the last pass; kept: bool [n_blocks]; cut: the score from which blocks are
    kept where no rule says otherwise. first: points of the first pass. expected: the F score expected of what is kept.
    kept_by, dropped_by: rule ids of the blocks that a rule decided, by block. type_weights: subtype -> share of its
    adjustments that was applied. plain: share of the plain card in the score. steps: why a later step of the page
    type's handler turned the decision on a block round, by block. corrections: what findings about the whole page added
    to the points of both passes.
    """

    score: Floats
    kept: Mask
    cut: float
    first: Floats | None = None
    expected: float = 1.0
    kept_by: Mapping[int, str] | None = None
    dropped_by: Mapping[int, str] | None = None
    type_weights: Mapping[str, float] | None = None
    plain: float = 0.0
    steps: Mapping[int, Reason] | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a block: absolute when the page's URL is known."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a stage chose, with what made it choose."""

    value: Any
    confidence: float = 1.0
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One field of a page: value, where it is from, how sure, and what else it could have been."""

    value: str | None
    source: str = ""
    confidence: float = 0.0
    alternatives: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FieldValues:
    """A field of several values, such as keywords: all of them, where they are from, how sure."""

    values: tuple[str, ...] = ()
    source: str = ""
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Image:
    """An image in the text. width, height: pixels as the markup states them."""

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
class Record:
    """One entry of a repeated list: a teaser, a product, a post."""

    title: str
    url: str | None = None
    summary: str = ""
    date: str | None = None
    image: str | None = None
    price: str | None = None
    author: str | None = None


class BlockParts(Protocol):
    """What is told of a page's semantic blocks on demand: each sequence has one entry a block."""

    @property
    def texts(self) -> Sequence[str]: ...
    @property
    def headings(self) -> Sequence[str]: ...
    @property
    def xpaths(self) -> Sequence[tuple[str, ...]]: ...
    @property
    def links(self) -> Sequence[tuple[Link, ...]]: ...
    @property
    def records(self) -> Sequence[tuple[Record, ...]]: ...
    @property
    def importance(self) -> Sequence[float]: ...
    @property
    def reasons(self) -> Sequence[tuple[Reason, ...]]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A semantic block (A4): a row of columns that are computed when the first block of a page is asked for them.

    id: names the block on its page. parent: index in `page.blocks` of the block around it, or None. number: its row in
    `parts`.
    """

    id: str
    role: Role
    kept: bool
    parent: int | None
    number: int
    parts: BlockParts = field(repr=False)

    @property
    def text(self) -> str:
        """Its text, one line a text block."""
        return self.parts.texts[self.number]

    @property
    def heading(self) -> str:
        """The first heading inside, '' where there is none."""
        return self.parts.headings[self.number]

    @property
    def xpaths(self) -> tuple[str, ...]:
        """lxml XPaths of its elements, valid in the html5lib tree of the same bytes (namespaces off)."""
        return self.parts.xpaths[self.number]

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links in reading order."""
        return self.parts.links[self.number]

    @property
    def records(self) -> tuple[Record, ...]:
        """The entries of its repeated list."""
        return self.parts.records[self.number]

    @property
    def importance(self) -> float:
        """0..1: the rank of an index page's blocks."""
        return self.parts.importance[self.number]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it has its role, its fate and its importance."""
        return self.parts.reasons[self.number]
