"""Finds regions below or beside an article: reader comments, lists of related and latest articles, boxes.

A region is a slice of the blocks in reading order. It is identified by a class or id (`<div id=comments>`) or by a
heading, together with what belongs to the heading:

    <div>  <h3>Comments (2)</h3>  <p>First!</p> ... </div>      the element that begins with the heading
    <p>The last paragraph.</p>
    <h3>Read also</h3> <ul>...</ul>  <h3>Weather</h3>           the heading and its siblings, up to the next one

A region lowers the points of its blocks, by how much depends on the page's type (`rules/regions.yaml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import numpy as np

from webclean import core
from webclean.decide.correction import average_by_type
from webclean.decide.region_words import RegionWords, strip_text
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.features.names import find_name_words, find_names
from webclean.features.page_columns import RANK
from webclean.features.text import find_words
from webclean.features.word_points import split_name
from webclean.model import Mask
from webclean.parse import read_attribute
from webclean.parse.tags import FORMATTING, tag_mask
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.decide_schema import Regions

_WHOLE_PAGE: Final = tag_mask("html body main")
_NO_REGION: Final = _WHOLE_PAGE | FORMATTING | tag_mask("h1 head title")
"""An `i` that is not closed, the icon of a share button, is opened anew around all that follows (`parse.tags`)."""


_LIMITS: Final = ("most_kept", "most_words", "link_share")
_FLAGS: Final = ("after_text", "in_threads")
"""Fields of `RegionKind` that the search compares with."""


class Region(msgspec.Struct, frozen=True):
    """Blocks `first:last`. found_by: the name or heading of it. words_before: kept prose words before it; of a kind
    that posts of a thread may be named by, without those in regions of the kind."""

    kind: str
    first: int
    last: int
    found_by: str
    words_before: float


@cached_per_rule_set
def plan_regions(rules: Regions, known: RegionWords) -> Any:
    """The `core.RegionPlan` of a rule set: limits of kinds as arrays, and what tells a kind."""
    kinds = rules.kinds.values()
    limits = {name: np.array([float(getattr(kind, name)) for kind in kinds]) for name in _LIMITS}
    flags = {name: np.array([getattr(kind, name) for kind in kinds], dtype=np.uint8) for name in _FLAGS}
    tags = {"may_be": ~_NO_REGION, "whole_page": _WHOLE_PAGE, "rank": RANK}
    first, headings, openings = known.heading_keys
    words = {
        "in_names": known.lexicon.keys.compiled,
        "begin_headings": first,
        "headings": headings,
        "openings": openings,
        "find_in_names": known.find_kind,
        "find_in_heading": known.find_in_heading,
    }
    numbers = {name: number for number, name in enumerate(rules.kinds)}
    return core.RegionPlan(numbers, limits | flags, tags, words, rules.words_before, rules.heading_chars)


def find_regions(columns: PageColumns, kept: Mask, rules: Regions, known: RegionWords) -> tuple[Region, ...]:
    """The regions of a page; those of one kind may nest.

    Args:
        columns: the page.
        kept: bool [n_blocks], what would be kept without regions.
        rules: section `regions`.
        known: the words that identify regions.
    """
    if not len(columns.blocks) or not rules.kinds:
        return ()
    document, texts, kinds = columns.document, columns.blocks.text, list(rules.kinds)
    columns.view("words")  # measured, which the search asks for
    names, words = find_name_words(columns), find_words(columns)
    found = plan_regions(rules, known).find(
        document.page,
        kept,
        find_headline(columns),
        (document.attrs.found, find_names(columns).index, names.text, names.key),
        (words.text, words.key),
    )
    return tuple(
        [
            Region(kinds[kind], first, last, f"named {by}" if type(by) is str else f"headed {texts[by]}", before)
            for kind, first, last, by, before in found
        ]
    )


def compute_region_share(
    region: Region, columns: PageColumns, rules: Regions, known: RegionWords, types: Mapping[str, float]
) -> float:
    """How far a region counts (0..1): by the page's types, and whether it may be the posts of a thread."""
    kind, threads = rules.kinds[region.kind], rules.threads
    share = average_by_type(kind.counts, types)
    of_thread = types.get(threads.type, 0.0)
    if kind.in_threads and of_thread:
        if of_thread > threads.sure_from and (_is_thread(columns, known) or _announces_posts(region, known)):
            return 0.0
        reach = max(1, threads.words_full - threads.words_from)
        share -= of_thread * (1 - min(1.0, max(0.0, (region.words_before - threads.words_from) / reach)))
    return max(0.0, share)


def _announces_posts(region: Region, known: RegionWords) -> bool:
    return not known.replies.isdisjoint(strip_text(region.found_by).split())


def _is_thread(columns: PageColumns, known: RegionWords) -> bool:
    """Whether the URL, or a class or id of html or body, has a word for a thread."""
    document = columns.document
    words = set(strip_text(document.url or "").split())
    for tag in ("html", "body"):
        row = document.names.index(tag) if tag in document.names else 0
        for key in ("id", "class"):
            words |= split_name(read_attribute(document, row, key) or "")
    return not known.threads.isdisjoint(words)
