"""Features of semantic blocks: the named numbers that the role card refers to.

A feature is a function that takes a `SegmentColumns` and returns one value for each semantic block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.matching.expressions import compile_pattern, compile_test
from webclean.model import Document, Floats
from webclean.parse import read_attribute
from webclean.parse.columns import read_attributes
from webclean.parse.preorder import mark_subtrees
from webclean.parse.tags import CODE, HEADING
from webclean.registry import FeatureRegistry
from webclean.segments.feature_tables import measure, measure_all
from webclean.segments.parts import read_origin
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.segment_tables import CELL, CONTROL, DIALOG_ROLES, DIALOG_SHARE, IMAGE, LANDMARKS, SEGMENT_TABLES

_TEXT_FIELDS: Final = frozenset(("text", "search", ""))
_NAMING: Final = ("name", "id", "class", "placeholder", "value", "title", "aria-label", "action", "role")
_SHARE: Final = "share."
_COUNT: Final = "pattern."

Compute = Callable[[SegmentColumns], Floats]

SEGMENT_FEATURES: Final = FeatureRegistry[SegmentColumns, Floats]("semantic block", "roles")
feature: Final = SEGMENT_FEATURES.feature
"""Registers a function as a feature of semantic blocks: `@feature(unit, meaning)`."""


def measure_segments(columns: SegmentColumns, name: str) -> Floats:
    """float64 [n]: one feature, computed once a page."""
    return measure(columns, name, SEGMENT_FEATURES, SEGMENT_TABLES)


def measure_table(columns: SegmentColumns, names: tuple[str, ...]) -> tuple[Floats, ...]:
    """float64 [n] each: several features; what they find in texts is searched together."""
    columns.find_matches(*_list_patterns(names))
    return measure_all(columns, names, SEGMENT_FEATURES, SEGMENT_TABLES)


@lru_cache(maxsize=16)
def _list_patterns(names: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns of `segments.patterns` that features ask for."""
    asked = (name.partition(".")[2] for name in names if name.startswith((_SHARE, _COUNT)))
    return tuple(dict.fromkeys(asked))


@feature("share", "characters of the block / characters of the page")
def text_share(columns: SegmentColumns) -> Floats:
    return np.asarray(columns.n_chars / max(1.0, columns.n_chars.sum()), dtype=np.float64)


@feature("characters", "characters of the block, without white space")
def n_chars(columns: SegmentColumns) -> Floats:
    return columns.n_chars


@feature("share", "link characters / characters of the block")
def link_density(columns: SegmentColumns) -> Floats:
    return columns.sum_text_blocks(columns.page.blocks.n_link_chars) / np.maximum(1, columns.n_chars)


@feature("links", "`a` elements with an href")
def n_links(columns: SegmentColumns) -> Floats:
    return columns.count_segments(columns.segments.owner[columns.link_rows])


@feature("characters", "link characters / links of the block")
def anchor_chars(columns: SegmentColumns) -> Floats:
    return columns.sum_text_blocks(columns.page.blocks.n_link_chars) / np.maximum(1, n_links(columns))


@feature("words", "words / text blocks of the block")
def words_per_text_block(columns: SegmentColumns) -> Floats:
    return columns.sum_text_blocks(columns.page.blocks.n_words) / np.maximum(1, n_text_blocks(columns))


@feature("text blocks", "leaf text blocks of the block")
def n_text_blocks(columns: SegmentColumns) -> Floats:
    return columns.count_segments(columns.segment_of)


@feature("sentences", "sentence ends in the block")
def n_sentences(columns: SegmentColumns) -> Floats:
    return columns.sum_text_blocks(columns.page.blocks.n_sentences)


@feature("share", "characters of the page before the block / characters of the page")
def position(columns: SegmentColumns) -> Floats:
    own = columns.n_chars
    return np.asarray((np.cumsum(own) - own) / max(1.0, own.sum()), dtype=np.float64)


@feature("share", "blocks before this one / blocks of the page")
def rank(columns: SegmentColumns) -> Floats:
    return np.arange(len(columns.segments)) / max(1, len(columns.segments) - 1)


@feature("images", "images, pictures, videos and frames for each 100 characters of text")
def image_density(columns: SegmentColumns) -> Floats:
    images = columns.count_elements(IMAGE[columns.page.document.tag])
    return 100 * images / np.maximum(1, columns.n_chars)


@feature("controls", "form controls that a reader can see")
def n_controls(columns: SegmentColumns) -> Floats:
    return columns.count_elements(CONTROL[columns.page.document.tag])


@feature("search boxes", "text fields of the block that are for a search, by their names and those of their form")
def n_search_boxes(columns: SegmentColumns) -> Floats:
    document, reads_as_search = columns.page.document, compile_test(columns.rules.markup["search"])
    owner = columns.segments.owner
    rows: list[int] = np.flatnonzero((document.tag == CODE["input"]) & (owner >= 0)).tolist()
    if not rows:
        return np.zeros(len(columns.segments))
    kinds = read_attributes(document, rows, "type")
    rows = [row for row, kind in zip(rows, kinds, strict=True) if (kind or "text").lower() in _TEXT_FIELDS]
    around = [*rows, *(_find_form(document, row) for row in rows)]
    named = [*zip(*(read_attributes(document, around, name) for name in _NAMING), strict=True)]
    names = (" ".join(filter(None, own + of_form)) for own, of_form in zip(named, named[len(rows) :], strict=False))
    found = [row for row, said in zip(rows, names, strict=True) if reads_as_search(said)]
    return columns.count_segments(owner[np.array(found, dtype=np.int64)])


def _find_form(document: Document, row: int) -> int:
    """The form around an element, or the root."""
    while row > 0 and document.tag[row] != CODE["form"]:
        row = int(document.parent[row])
    return row


@feature("links", "to the front page of the site")
def n_home_links(columns: SegmentColumns) -> Floats:
    document = columns.page.document
    home = compile_pattern(columns.rules.markup["home"]).search
    origin = read_origin(document.url)
    rows = [
        row
        for row in columns.link_rows.tolist()
        if home((read_attribute(document, row, "href") or "").strip().removeprefix(origin))
    ]
    return columns.count_segments(columns.segments.owner[np.array(rows, dtype=np.int64)])


@feature("0 or 1", "the block begins before the first h1; 0 on pages without one")
def before_h1(columns: SegmentColumns) -> Floats:
    headings = np.flatnonzero(columns.page.document.tag == CODE["h1"])
    if not len(headings):
        return np.zeros(len(columns.segments))
    return np.array([roots[0] < headings[0] for roots in columns.segments.roots], dtype=np.float64)


@feature("characters", "of the page after the block")
def chars_after(columns: SegmentColumns) -> Floats:
    return np.asarray(columns.n_chars.sum() - np.cumsum(columns.n_chars), dtype=np.float64)


@feature("characters", "of the page before the block")
def chars_before(columns: SegmentColumns) -> Floats:
    return np.asarray(np.cumsum(columns.n_chars) - columns.n_chars, dtype=np.float64)


@feature("headings", "h1 to h6 in the block")
def n_headings(columns: SegmentColumns) -> Floats:
    return columns.count_elements(HEADING[columns.page.document.tag])


@feature("headings", "h1 in the block")
def n_h1(columns: SegmentColumns) -> Floats:
    return columns.count_elements(columns.page.document.tag == CODE["h1"])


@feature("cells", "table cells for each text block")
def cell_density(columns: SegmentColumns) -> Floats:
    cells = columns.count_elements(CELL[columns.page.document.tag])
    return cells / np.maximum(1, n_text_blocks(columns))


@feature("points", "of its text blocks over the points from which these are kept, mean over their words")
def points_over_cut(columns: SegmentColumns) -> Floats:
    words = np.maximum(1, columns.page.blocks.n_words)
    total = columns.sum_text_blocks(words * (columns.score - columns.cut))
    return total / np.maximum(1, columns.sum_text_blocks(words))


@feature("0 or 1", "all text of the block is hidden by an attribute or an inline style")
def hidden(columns: SegmentColumns) -> Floats:
    blocks = columns.page.blocks
    seen = columns.sum_text_blocks(np.where(blocks.visible, blocks.n_chars, 0))
    return np.asarray(((seen == 0) & (columns.n_chars > 0)).astype(np.float64), dtype=np.float64)


@feature("0 or 1", "the same, on a page of which most characters are seen", learn=())
def hidden_aside(columns: SegmentColumns) -> Floats:
    blocks = columns.page.blocks
    seen = float(np.where(blocks.visible, blocks.n_chars, 0).sum())
    return np.asarray(hidden(columns) * (2 * seen >= blocks.n_chars.sum()), dtype=np.float64)


@feature("share", "characters inside dialogs (`dialog`, ARIA, or by name) of less than half of the page", learn=())
def in_dialog(columns: SegmentColumns) -> Floats:
    document, blocks = columns.page.document, columns.page.blocks
    named = columns.name_bits & columns.rules.group_bits["dialog"] > 0
    named |= document.tag == CODE["dialog"]
    for role in DIALOG_ROLES:
        named[columns.aria_rows.get(role, [])] = True
    rows = np.flatnonzero(named)
    chars = np.concatenate(([0], np.cumsum(np.bincount(blocks.row, blocks.n_chars, minlength=len(document)))))
    small = rows[chars[document.end[rows]] - chars[rows] < DIALOG_SHARE * chars[-1]]
    if not len(small):
        return np.zeros(len(columns.segments))
    roots = np.zeros(len(document), dtype=bool)
    roots[small] = True
    inside = mark_subtrees(document, roots)[blocks.row]
    return columns.sum_text_blocks(blocks.n_chars * inside) / np.maximum(1, columns.n_chars)


def _measure_landmark(name: str) -> Compute:
    """The feature of one landmark: the share of the block's characters inside it."""

    def compute(columns: SegmentColumns) -> Floats:
        document, role = columns.page.document, LANDMARKS[name]
        roots = document.tag == CODE[name]
        roots[columns.aria_rows.get(role, [])] = True
        if not roots.any():
            return np.zeros(len(columns.segments))
        inside = mark_subtrees(document, roots)[columns.page.blocks.row]
        return columns.sum_text_blocks(columns.page.blocks.n_chars * inside) / np.maximum(1, columns.n_chars)

    return compute


for _name, _role in LANDMARKS.items():
    feature("share", f"characters inside `{_name}` or ARIA role {_role}", name=f"in_{_name}", learn=())(
        _measure_landmark(_name)
    )


@SEGMENT_FEATURES.family(
    "token.", "0 to 1", "1: a class or id of the block is of the group; 0.5: of an element around it"
)
def _measure_tokens(group: str) -> Compute:
    """By a group of `segments.tokens`."""

    return lambda columns: columns.token_shares[group]


@SEGMENT_FEATURES.family(
    _SHARE, "share", "characters of the text blocks in which the pattern is found / characters of the block"
)
def _measure_match_share(name: str) -> Compute:
    """By a pattern of `segments.patterns`."""

    def compute(columns: SegmentColumns) -> Floats:
        (found,) = columns.find_matches(name)
        if found is None:
            return np.zeros(len(columns.segments))
        return columns.sum_text_blocks(columns.page.blocks.n_chars * found) / np.maximum(1, columns.n_chars)

    return compute


@SEGMENT_FEATURES.family(_COUNT, "text blocks", "text blocks of the block in which the pattern is found")
def _count_matches(name: str) -> Compute:
    """By a pattern of `segments.patterns`."""

    def compute(columns: SegmentColumns) -> Floats:
        (found,) = columns.find_matches(name)
        return np.zeros(len(columns.segments)) if found is None else columns.sum_text_blocks(found)

    return compute
