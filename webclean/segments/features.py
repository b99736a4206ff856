"""Features of semantic blocks: the named numbers that the role card refers to.

Most are lines of `core/features.toml`; here are those that ask for attributes, names and patterns: functions
that take a `SegmentColumns` and return one value for each semantic block.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from webclean import core
from webclean.matching.expressions import compile_pattern, compile_test
from webclean.model import Document, Floats
from webclean.parse import read_attribute
from webclean.parse.columns import read_attributes
from webclean.parse.tags import CODE
from webclean.segments.node_features import ColumnFeatures
from webclean.segments.segment_columns import SegmentColumns, read_origin

_TEXT_FIELDS: Final = frozenset(("text", "search", ""))
_NAMING: Final = ("name", "id", "class", "placeholder", "value", "title", "aria-label", "action", "role")
_SHARE: Final = "share."
_COUNT: Final = "pattern."

SEGMENT_FEATURES: Final = ColumnFeatures[SegmentColumns]("semantic block", "roles", tables=core.SEGMENT_TABLES)
feature: Final = SEGMENT_FEATURES.feature
measure_segments: Final = SEGMENT_FEATURES.measure


def measure_table(columns: SegmentColumns, names: tuple[str, ...]) -> tuple[Floats, ...]:
    """float64 [n] each: several features; what they find in texts is searched together, whatever family asks for it."""
    columns.find_matches(*_list_patterns(names))
    return SEGMENT_FEATURES.measure_all(columns, names)


@lru_cache(maxsize=16)
def _list_patterns(names: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns of `segments.patterns` that features ask for."""
    asked = (name.partition(".")[2] for name in names if name.startswith((_SHARE, _COUNT)))
    return tuple(dict.fromkeys(asked))


@feature("search boxes", "text fields of the block that are for a search, by their names and those of their form")
def n_search_boxes(columns: SegmentColumns) -> Floats:
    document, reads_as_search = columns.page.document, compile_test(columns.rules.markup["search"])
    owner = columns.segments.owner
    # by tag first: names are read of inputs alone
    rows: list[int] = np.flatnonzero((document.tag == CODE["input"]) & (owner >= 0)).tolist()
    if not rows:
        return np.zeros(len(columns.segments))
    kinds = read_attributes(document, rows, "type")
    # an input without a type is one for text (HTML 4.10.5)
    rows = [row for row, kind in zip(rows, kinds, strict=True) if (kind or "text").lower() in _TEXT_FIELDS]
    # a field named `q` is told by its form: `<form role=search>`, `action=/search`
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
    # as a path: `/`, `/index.html`, and the same after the page's own scheme and host
    home = compile_pattern(columns.rules.markup["home"]).search
    origin = read_origin(document.url)
    rows = [
        row
        for row in columns.link_rows.tolist()
        if home((read_attribute(document, row, "href") or "").strip().removeprefix(origin))
    ]
    return columns.count_segments(columns.segments.owner[np.array(rows, dtype=np.int64)])


@SEGMENT_FEATURES.family_together(
    "token.", "0 to 1", "1: a class or id of the block is of the group; 0.5: of an element around it"
)
def _list_tokens(columns: SegmentColumns, groups: list[str]) -> list[Floats]:
    """By a group of `segments.tokens`."""
    return list(map(columns.token_shares.__getitem__, groups))


@SEGMENT_FEATURES.family_together(
    _SHARE, "share", "characters of the text blocks in which the pattern is found / characters of the block"
)
def _measure_match_shares(columns: SegmentColumns, patterns: list[str]) -> Iterator[Floats]:
    """By a pattern of `segments.patterns`."""
    for found in columns.find_matches(*patterns):
        n_chars = 0.0 if found is None else columns.sum_text_blocks(columns.page.blocks.n_chars * found)
        yield n_chars / np.maximum(1, columns.n_chars)


@SEGMENT_FEATURES.family_together(_COUNT, "text blocks", "text blocks of the block in which the pattern is found")
def _count_matches(columns: SegmentColumns, patterns: list[str]) -> Iterator[Floats]:
    """By a pattern of `segments.patterns`."""
    for found in columns.find_matches(*patterns):
        yield np.zeros(len(columns.segments)) if found is None else columns.sum_text_blocks(found)
