"""A page with its semantic blocks: columns that several features share, and the text, links and addresses of each; and
the features of the blocks, the named numbers that the role card refers to.

Most features are lines of `core/features.toml`; here are those that ask for attributes, names and patterns: functions
that take a `SegmentColumns` and return one value for each semantic block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, filterfalse, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.features.page_words import find_named, find_names, search_texts
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Floats, Link, Mask, Rows, Segmentation
from webclean.parse.columns import climb, find_attribute, list_values, read_attributes, sum_before
from webclean.parse.controls import escape_controls
from webclean.parse.limits import spend_outputs
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.parse.url import find_base, join_url, split_url
from webclean.rules.segments_schema import Segments
from webclean.segments.nodes import CONTROL, MEDIA, ColumnFeatures, SplitPoints, find_name_bits
from webclean.segments.urls import MOST_URLS, find_folders

_MOST: Final = 0.5
"""Sidebars and dialogs with more of the page's text are the page, whatever their names say."""
_WHOLE: Final = 0.75
"""The name of an element with more of the page's text says nothing of the parts of the page in it."""
_LANDMARKS: Final = {  # HTML element -> the ARIA role that says the same (HTML-AAM 1.0)
    "nav": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "aside": "complementary",
    "main": "main",
    "article": "article",
}
_DIALOG_ROLES: Final = ("dialog", "alertdialog")

_KINDS: Final = np.array([MEDIA, CONTROL, HEADING, tag_mask("h1")]).view(np.uint8)
_NAMES: Final = (*_LANDMARKS, "dialog")
_BITS: Final = np.zeros(len(HEADING), dtype=np.uint16)
_BITS[[CODE[name] for name in _NAMES]] = 1 << np.arange(len(_NAMES))
"""uint16 [n_codes]: a bit for each landmark, and for dialogs the last one, by tag."""
_BITS_OF_TAGS: Final = np.where(np.arange(len(_BITS)) == CODE["header"], 0, _BITS).astype(np.uint16)
"""The same where the tag alone says so: a `header` may be that of a section."""
_SECTIONING: Final = tag_mask("article aside main nav section")
_BIT_OF_ROLE: Final = {role: _BITS[CODE[name]] for name, role in _LANDMARKS.items()} | dict.fromkeys(
    _DIALOG_ROLES, _BITS[CODE["dialog"]]
)
NAMING: Final = ("class", "rel", "itemprop")
"""Attributes that say what an element of an entry holds."""


@dataclass(frozen=True, eq=False)
class SegmentColumns:
    """One page with its semantic blocks, of which there are n.

    score: float64 [n_text_blocks], points of the text blocks. cut: the score from which they are kept. splits: the
    points by which the page was divided; None where that was done otherwise.
    """

    page: PageColumns
    segments: Segmentation
    rules: Segments
    score: Floats
    cut: float
    splits: SplitPoints | None = None

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n], filled on demand by `measure_segments`."""
        return {}

    @cached_property
    def sums(self) -> Any:
        """`core.SegmentSums`: what the features of the core are made of."""
        bits = self.rules.group_bits
        # pages older than HTML5 say by a class what others say by an element or a role
        by_name = [(bits["sidebar"], _BITS[CODE["aside"]]), (bits["dialog"], _BITS[CODE["dialog"]])]
        document = self.page.document
        roles = zip(find_attribute(document, "role"), map(str.lower, list_values(document, "role")), strict=True)
        by_role = [([row], _BIT_OF_ROLE[role]) for row, role in roles if role in _BIT_OF_ROLE]
        headers = (document.tag == CODE["header"]).nonzero()[0].tolist()
        by_role.append((list(filterfalse(self._is_of_section, headers)), _BIT_OF_ROLE["banner"]))
        return core.SegmentSums(
            self.page.document.page,
            (self.segments.owner, self.segments.roots),
            _KINDS,
            (self.score, self.cut),
            (self.name_bits, _BITS_OF_TAGS, by_name, by_role, len(_NAMES), _MOST),
        )

    def _is_of_section(self, row: int) -> bool:
        """Whether a `header` is that of a section and not of the page (HTML-AAM 1.0, `header`)."""
        document, until = self.page.document, self.until
        around = (at for at in climb(document, document.parent.item(row), 0) if _SECTIONING[document.tag[at]])
        # an element with most of the page is its frame
        return any(until[document.end[at]] - until[at] <= _WHOLE * until[-1] for at in around)

    @cached_property
    def until(self) -> Floats:
        """float64 [n_elements + 1]: characters of the text blocks before each element."""
        return sum_before(
            np.bincount(self.page.blocks.row, self.page.blocks.n_chars, minlength=len(self.page.document))
        )

    @cached_property
    def segment_of(self) -> Rows:
        """int32 [n_text_blocks]: the semantic block of each text block."""
        return self.segments.owner[self.page.blocks.row]

    @cached_property
    def _grouped(self) -> tuple[list[int], list[int]]:
        """The text blocks of the first semantic block, then those of the second, and so on, each in the order of the
        page; where those of each begin and, at last, end."""
        order = np.argsort(self.segment_of, kind="stable")
        bounds = self.segment_of[order].searchsorted(np.arange(len(self.segments) + 1))
        return order.tolist(), bounds.tolist()

    def list_text_blocks(self, number: int) -> list[int]:
        """The text blocks of a semantic block, in order."""
        order, bounds = self._grouped
        return order[bounds[number] : bounds[number + 1]]

    def list_lines(self, first: int, end: int) -> list[int]:
        """The text blocks of elements from one row up to another; what follows an inner element is of the outer one."""
        rows = self.page.blocks.row
        places: list[int] = ((rows >= first) & (rows < end)).nonzero()[0].tolist()
        return places

    def collect_texts(self) -> list[str]:
        """The text of each semantic block, one line a text block."""
        order, bounds = self._grouped
        texts = list(map(self.page.blocks.text.__getitem__, order))
        return ["\n".join(texts[first:end]) for first, end in pairwise(bounds)]

    @cached_property
    def n_chars(self) -> Floats:
        """float64 [n]: characters of the text blocks in each semantic block."""
        return self.sum_text_blocks(self.page.blocks.n_chars)

    @cached_property
    def n_link_chars(self) -> Floats:
        """float64 [n]: characters in links of the text blocks in each semantic block."""
        return self.sum_text_blocks(self.page.blocks.n_link_chars)

    @cached_property
    def name_bits(self) -> NDArray[np.int64]:
        """int64 [n_elements], as bits: the groups of tokens of which its tag or naming attributes have a word."""
        return find_name_bits(self.page, self.rules)

    @cached_property
    def alike(self) -> Rows:
        """int64 [n]: for each block the first of the run of alike siblings that it is in: neighbours of one element
        each, with the same tag and classes.

        What a template repeats is treated alike (tag repetition, patent A4), else one row of a list is a headline and
        the next an index. Only neighbours: old boards give each table of the page the same class.
        """
        roots, names = self.segments.roots, find_names(self.page)
        rows = np.array([first for first, *_ in roots], dtype=np.int64)
        above, kind, called = self.page.document.parent[rows], names.classes[rows], names.list_classes()
        # without a class all that is known of two siblings is their tag, and much that differs is a `div`
        can_join = [len(own) == 1 and " " in called[number] for own, number in zip(roots, kind.tolist(), strict=True)]
        goes_on = np.array(can_join, dtype=bool)
        goes_on[1:] &= (kind[1:] == kind[:-1]) & (above[1:] == above[:-1]) & goes_on[:-1].copy()
        # the first follows nothing
        goes_on[:1] = False
        numbers = np.arange(len(roots))
        return np.maximum.accumulate(np.where(goes_on, 0, numbers))

    @cached_property
    def author_rows(self) -> frozenset[int]:
        """The elements that are named for an author."""
        return find_named(self.page.document, self.rules.tokens["author"], NAMING)

    @cached_property
    def _inside(self) -> tuple[Rows | slice, Rows]:
        """The text blocks in semantic blocks, and the semantic block of each."""
        # nearly always all of them, and then nothing is copied for each sum
        inside = (self.segment_of >= 0).nonzero()[0]
        return (inside if len(inside) < len(self.segment_of) else slice(None)), self.segment_of[inside]

    def sum_text_blocks(self, values: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Floats:
        """float64 [n]: sum of `values` over the text blocks of each semantic block. values: [n_text_blocks]."""
        blocks, segments = self._inside
        return np.bincount(segments, values[blocks], minlength=len(self.segments)).astype(np.float64, copy=False)

    def share_kept(self, kept: Mask) -> Floats:
        """float64 [n]: share of each block's words in text blocks that are kept. kept: bool [n_text_blocks]."""
        words = np.maximum(1, self.page.blocks.n_words)
        share: Floats = self.sum_text_blocks(words * kept) / np.maximum(1, self.sum_text_blocks(words))
        return share

    def count_segments(self, numbers: Rows) -> Floats:
        """float64 [n]: how often the number of each semantic block occurs in `numbers`, where -1 is ignored."""
        return np.bincount(numbers[numbers >= 0], minlength=len(self.segments)).astype(np.float64)


def collect_links(columns: SegmentColumns) -> list[tuple[Link, ...]]:
    """The links of each semantic block in reading order, absolute when the page's URL is known."""
    document, table, base = columns.page.document, find_links(columns.page), find_base(columns.page.document)
    origin, owner = read_origin(base), columns.segments.owner
    urls = [make_absolute(target.strip(), base, origin) for target in table.distinct]
    inside = (owner[table.row] >= 0).nonzero()[0]
    numbers, places = table.number[inside].tolist(), owner[table.row[inside]].tolist()
    # each text that is in a link, in the order of the page
    nodes = (document.link[document.text_owner] >= 0).nonzero()[0]
    texts: dict[int, list[str]] = {}
    for row, node in zip(document.link[document.text_owner[nodes]].tolist(), nodes.tolist(), strict=True):
        texts.setdefault(row, []).append(document.text[node])
    named = [" ".join("".join(texts.get(row, ())).split()) for row in table.row[inside].tolist()]
    links = [Link(urls[number], text) for number, text in zip(numbers, named, strict=True)]
    made: list[list[Link]] = [[] for _ in columns.segments.roots]
    # a page may repeat a long address in thousands of links, and each is written out
    n_allowed = spend_outputs([len(link.url) + len(link.text) for link in links])
    for place, link in zip(places[:n_allowed], links[:n_allowed], strict=True):
        made[place].append(link)
    return [tuple(own) for own in made]


def list_addresses(columns: SegmentColumns) -> list[list[str]]:
    """For each semantic block the first distinct addresses that its links lead to, absolute like those of its links."""
    owner, base = columns.segments.owner, find_base(columns.page.document)
    origin = read_origin(base)
    links, (written, folder) = find_links(columns.page), find_folders(columns.page)
    leading = ((owner[links.row] >= 0) & (folder[links.number] >= 0)).nonzero()[0]
    block, number = owner[links.row[leading]].astype(np.int64), links.number[leading]
    # the first link of a block to each target, in the order of the page within the block
    first = np.sort(np.unique(block * len(written) + number, return_index=True)[1])
    first = first[np.argsort(block[first], kind="stable")]
    targets, bounds = number[first].tolist(), block[first].searchsorted(np.arange(len(columns.segments) + 1)).tolist()
    # a block may have thousands of links: the first ones tell the family of their addresses
    wanted = [targets[start : min(end, start + MOST_URLS)] for start, end in pairwise(bounds)]
    address = {at: make_absolute(written[at], base, origin) for at in dict.fromkeys(chain.from_iterable(wanted))}
    made = [list(map(address.__getitem__, own)) for own in wanted]
    # a page of a hundred thousand long addresses would otherwise be kept several times over
    n_left = spend_outputs(list(map(len, chain.from_iterable(made))))
    for urls in made:
        del urls[n_left:]
        n_left -= len(urls)
    return made


def read_origin(url: str | None) -> str:
    """Scheme and host of a base URL, '' when it is not known or not valid."""
    parts = split_url(url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def make_absolute(target: str, base: str | None, origin: str) -> str:
    """A link target made absolute; as written when it cannot be."""
    if not base or not origin or target.startswith(("http://", "https://")):
        return escape_controls(target)
    # most links of a page are such, and there is nothing in them to resolve
    if target.startswith("/") and not target.startswith("//"):
        return escape_controls(origin + target)
    return join_url(base, target) or escape_controls(target)


_TEXT_FIELDS: Final = frozenset(("text", "search", ""))
_OF_FIELD: Final = ("name", "id", "class", "placeholder", "value", "title", "aria-label", "action", "role")

SEGMENT_FEATURES: Final = ColumnFeatures("semantic block", "roles", tables=core.SEGMENT_TABLES)
feature: Final = SEGMENT_FEATURES.feature
measure_segments: Final = SEGMENT_FEATURES.measure


@feature("search boxes", "text fields of the block that are for a search, by their names and those of their form")
def n_search_boxes(columns: SegmentColumns) -> Floats:
    document, reads_as_search = columns.page.document, compile_pattern(columns.rules.markup["search"]).search
    owner = columns.segments.owner
    # by tag first: names are read of inputs alone
    rows: list[int] = ((document.tag == CODE["input"]) & (owner >= 0)).nonzero()[0].tolist()
    if not rows:
        return np.zeros(len(columns.segments))
    kinds = read_attributes(document, rows, "type")
    # an input without a type is one for text (HTML 4.10.5)
    rows = [row for row, kind in zip(rows, kinds, strict=True) if (kind or "text").lower() in _TEXT_FIELDS]
    # a field named `q` is told by its form: `<form role=search>`, `action=/search`
    around = [*rows, *(_find_form(document, row) for row in rows)]
    named = [*zip(*(read_attributes(document, around, name) for name in _OF_FIELD), strict=True)]
    names = (" ".join(filter(None, own + of_form)) for own, of_form in zip(named, named[len(rows) :], strict=False))
    found = [row for row, said in zip(rows, names, strict=True) if reads_as_search(said)]
    return columns.count_segments(owner[np.array(found, dtype=np.int64)])


def _find_form(document: Document, row: int) -> int:
    """The form around an element, or the root."""
    while row > 0 and document.tag[row] != CODE["form"]:
        row = int(document.parent[row])
    return row


@SEGMENT_FEATURES.family_together(
    "token.", "0 to 1", "1: a class or id of the block is of the group; 0.5: of an element around it"
)
def _list_tokens(columns: SegmentColumns, groups: list[str]) -> Iterable[Floats]:
    """By a group of `segments.tokens`."""
    bits = np.array([columns.rules.group_bits[group] for group in groups], dtype=np.int64)
    document, names, until = columns.page.document, columns.name_bits, columns.until
    is_part = until[document.end] - until[:-1] <= _WHOLE * until[-1]
    shares: Floats = core.describe_block_names(
        document.page, columns.segments.roots, names, np.where(is_part, names, 0), bits
    )
    return shares


@SEGMENT_FEATURES.family_together(
    "share.", "share", "characters of the text blocks in which the pattern is found / characters of the block"
)
def _measure_match_shares(columns: SegmentColumns, patterns: list[str]) -> Iterator[Floats]:
    """By a pattern of `segments.patterns`."""
    expressions = tuple(map(columns.rules.patterns.__getitem__, patterns))
    found = search_texts(columns.page, expressions)  # most are nowhere on a page, and have no entry
    n_chars, none = np.maximum(1, columns.n_chars), np.zeros(len(columns.segments))
    for expression in expressions:
        matches = found.get(expression)
        yield none if matches is None else columns.sum_text_blocks(columns.page.blocks.n_chars * matches) / n_chars
