"""Features of evidence in words: class and id names around a block, short texts, headings, link paths.

Names are compared as whole words (split at anything that is not a letter, and at camelCase), never as substrings:
`ad` does not match `padding`. The weights are rules (`evidence`), and they only move a score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.features.links import find_links
from webclean.blocks.features.neighbours import find_heading_above
from webclean.blocks.features.registry import PageColumns, feature, measure
from webclean.blocks.features.repetition import get_repeats
from webclean.blocks.features.trees import count_ancestors, find_nearest, sum_path
from webclean.model import Floats, Rows
from webclean.parse.columns import find_attribute, read_attribute_column
from webclean.parse.tags import CODE

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")
SHORT_TEXT: Final = 60
_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_TEXT_WORD: Final = re.compile(r"[^\W\d_]+")
_STRONG: Final = 0.5
_LEAD: Final = 120
_RANK: Final = {f"h{rank}": rank for rank in range(1, 7)}


@lru_cache(maxsize=65536)
def split_name(name: str) -> frozenset[str]:
    """Lower-case words of a class, id or role value: `relatedPosts-box` gives related, posts, box."""
    return frozenset(map(str.lower, _NAME_WORD.findall(name)))


def split_text(text: str) -> frozenset[str]:
    """Lower-case words of a short text; a run of CJK characters is one word."""
    return frozenset(_TEXT_WORD.findall(text.lower()))


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The names of a page's elements: each distinct one once, '' first; index: int64 [n_elements], its number."""

    names: list[str]
    index: NDArray[np.int64]


def find_names(columns: PageColumns) -> NameTable:
    """The tag and the naming attributes of every element as one string, '' for elements without text."""
    found = columns.shared.get("names")
    if found is None:
        found = columns.shared["names"] = _find_names(columns)
    assert isinstance(found, NameTable)
    return found


def _find_names(columns: PageColumns) -> NameTable:
    document, listed = columns.document, columns.document.names.copy()
    has_text = (columns.n_words_below > 0).tolist()
    for key in NAME_ATTRIBUTES:
        values = read_attribute_column(document, key)
        for row in find_attribute(document, key):
            if has_text[row]:
                listed[row] = f"{listed[row]} {values[row]}"
    numbers = {"": 0}
    index = [numbers.setdefault(name, len(numbers)) if full else 0 for name, full in zip(listed, has_text, strict=True)]
    return NameTable(list(numbers), np.array(index, dtype=np.int64))


def _weigh(words: frozenset[str], weights: Mapping[str, float]) -> float:
    """Sum of the weights; exact, for the order of a set of strings differs from process to process."""
    return math.fsum(filter(None, map(weights.get, words)))


def _element_evidence(columns: PageColumns) -> Floats:
    """float64 [n_elements]: points of the words in each element's own names."""
    found = columns.shared.get("evidence")
    if found is None:
        table = find_names(columns)
        points = [_weigh(split_name(name), columns.evidence.names) for name in table.names]
        found = columns.shared["evidence"] = np.array(points, dtype=np.float64)[table.index]
    assert isinstance(found, np.ndarray)
    return found


@feature("names", "different class and id names on the page that the evidence knows")
def n_known_names(columns: PageColumns) -> Floats:
    weights = columns.evidence.names
    words = frozenset[str]().union(*map(split_name, find_names(columns).names)) if weights else frozenset[str]()
    n = sum(word in weights and word not in CODE for word in words)
    return np.full(len(columns.blocks), float(n))


@feature("points", "evidence of the names of all elements around the block, summed")
def name_evidence(columns: PageColumns) -> Floats:
    return np.asarray(sum_path(columns.document, _element_evidence(columns))[columns.row])


@feature("points", "evidence of the names of the element of the block and the three around it")
def near_name_evidence(columns: PageColumns) -> Floats:
    document, values = columns.document, _element_evidence(columns)
    total, row = np.zeros(len(columns.blocks)), columns.row
    for _ in range(4):
        total += values[row]
        row = np.maximum(0, document.parent[row])
    return total


@feature("points", "evidence of the nearest element around the block whose names speak clearly against it; 0 for none")
def nearest_against(columns: PageColumns) -> Floats:
    values = _element_evidence(columns)
    near = find_nearest(columns.document, values < -_STRONG)[columns.row]
    return np.where(near >= 0, values[near], 0.0)


@feature("elements", "levels up to the nearest element whose names speak clearly against the block; 30 for none")
def levels_to_against(columns: PageColumns) -> Floats:
    document = columns.document
    near = find_nearest(document, _element_evidence(columns) < -_STRONG)[columns.row]
    return np.where(near >= 0, document.depth[columns.row] - document.depth[near], 30.0)


@feature("elements", "elements around the block whose names speak clearly against it")
def n_against(columns: PageColumns) -> Floats:
    return count_ancestors(columns.document, _element_evidence(columns) < -_STRONG)[columns.row].astype(np.float64)


@feature("elements", "elements around the block whose names speak clearly for it")
def n_for(columns: PageColumns) -> Floats:
    return count_ancestors(columns.document, _element_evidence(columns) > _STRONG)[columns.row].astype(np.float64)


@feature("points", "evidence of the words of a block of at most 60 characters; 0 for longer ones")
def word_evidence(columns: PageColumns) -> Floats:
    weights = columns.evidence.words
    return np.array(
        [_weigh(split_text(text), weights) if len(text) <= SHORT_TEXT else 0.0 for text in columns.blocks.text],
        np.float64,
    )


@feature("points", "evidence of the words of the last heading")
def heading_evidence(columns: PageColumns) -> Floats:
    above = find_heading_above(columns)
    text, weights = columns.blocks.text, columns.evidence.headings
    values = {int(i): _weigh(split_text(text[i]), weights) for i in np.unique(above) if i >= 0}
    return np.array([values.get(i, 0.0) for i in above.tolist()], np.float64)


@feature("points", "mean evidence of the paths of the links in the block; 0 without links")
def link_evidence(columns: PageColumns) -> Floats:
    links = find_links(columns)
    weights = columns.evidence.links
    values = np.array([_weigh(split_name(path), weights) for path in links.path], np.float64)
    n = len(columns.blocks)
    total = np.bincount(links.block, values, minlength=n)[:n]
    return np.asarray(total / np.maximum(1, np.bincount(links.block, minlength=n)[:n]))


@feature("points", "word evidence, summed over the two blocks on either side")
def word_evidence_around(columns: PageColumns) -> Floats:
    values = np.pad(measure(columns, "word_evidence"), 2)
    return np.asarray(values[:-4] + values[1:-3] + values[3:-1] + values[4:])


def find_outer_heading(columns: PageColumns) -> Rows:
    """int32 [n_blocks]: the last heading before the block of a higher rank than the last heading, or -1."""
    level = np.array([_RANK.get(columns.document.names[row], 7) for row in columns.row.tolist()], dtype=np.int32)
    n = np.arange(len(level))
    above = find_heading_above(columns)
    own = np.where(above >= 0, level[above], 0) if len(level) else level
    outer = np.full(len(level), -1, dtype=np.int32)
    for rank in range(2, 7):
        last = np.maximum.accumulate(np.where(level < rank, n, -1)) if len(level) else outer
        outer = np.where(own == rank, last, outer)
    return outer.astype(np.int32)


def _weigh_headings(columns: PageColumns, at: Rows) -> Floats:
    """float64 [n_blocks]: heading evidence of the text of block `at[i]`; 0 for -1 and for long texts."""
    text, weights = columns.blocks.text, columns.evidence.headings
    values = {i: _weigh(split_text(text[i]), weights) for i in set(at.tolist()) if i >= 0 and len(text[i]) <= _LEAD}
    return np.array([values.get(i, 0.0) for i in at.tolist()], np.float64)


@feature("points", "evidence of the words of the heading that the last heading stands under")
def outer_heading_evidence(columns: PageColumns) -> Floats:
    return _weigh_headings(columns, find_outer_heading(columns))


@feature("points", "evidence of the words of the text that leads in the run of repeated elements around the block")
def lead_evidence(columns: PageColumns) -> Floats:
    """The text before the first of the outermost repeated elements: inside their parent, or just before it."""
    document, blocks = columns.document, columns.blocks
    outer = get_repeats(columns).outer
    starts = document.text_next[blocks.first]
    parent = np.maximum(0, document.parent[np.maximum(0, outer)])
    first = np.searchsorted(starts, parent + 1)
    inside = np.minimum(first, max(0, len(blocks) - 1))
    leads = get_repeats(columns).outer[inside] < 0 if len(blocks) else np.zeros(0, dtype=bool)
    at = np.where(outer < 0, -1, np.where(leads, inside, first - 1))
    return _weigh_headings(columns, at.astype(np.int32))
