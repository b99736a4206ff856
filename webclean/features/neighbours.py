"""Features of the blocks around a block in reading order, and of the headings above it."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature, measure
from webclean.features.trees import sum_groups
from webclean.model import Floats, Rows
from webclean.parse.tags import tag_mask

FAR: Final = 99.0
NO_DENSITY: Final = 1.5
"""Link density after the last block."""
NO_RANK: Final = 7
RANK: Final = NO_RANK - np.sum([(NO_RANK - rank) * tag_mask(f"h{rank}") for rank in range(1, 7)], axis=0)
"""Rank of a heading by tag code, 7 for other elements."""


def average_window(values: Floats, reach: int) -> Floats:
    """float64 [n]: mean over the entry and up to `reach` entries on either side."""
    n = len(values)
    running = np.concatenate(([0.0], np.cumsum(values)))
    at = np.arange(n)
    low, high = np.maximum(0, at - reach), np.minimum(n, at + (reach + 1))
    return np.asarray((running[high] - running[low]) / (high - low))


def _shift(values: Floats, by: int, missing: float) -> Floats:
    shifted = np.full(len(values), missing)
    if by > 0:
        shifted[by:] = values[:-by]
    else:
        shifted[:by] = values[-by:]
    return shifted


@feature("blocks", "blocks of running text among the five on either side", learn=PLAIN_CARD)
def sentences_within_5(columns: PageColumns) -> Floats:
    return average_window(columns.is_prose.astype(np.float64), 5)


@feature("share", "share of running text among the fifteen blocks on either side", learn=PLAIN_CARD)
def sentences_within_15(columns: PageColumns) -> Floats:
    return average_window(columns.is_prose.astype(np.float64), 15)


@feature("words", "mean words of the blocks up to two places away", learn=PLAIN_CARD)
def words_within_2(columns: PageColumns) -> Floats:
    return average_window(columns.words, 2)


@feature("words", "mean words of the blocks up to ten places away", learn=PLAIN_CARD)
def words_within_10(columns: PageColumns) -> Floats:
    return average_window(columns.words, 10)


@feature("share", "link words among the words of the blocks up to three places away", learn=PLAIN_CARD)
def links_within_3(columns: PageColumns) -> Floats:
    link = average_window(columns.link_words, 3)
    return link / average_window(columns.words, 3)


@feature("share", "link words among the words of the blocks up to twelve places away", learn=PLAIN_CARD)
def links_within_12(columns: PageColumns) -> Floats:
    link = average_window(columns.link_words, 12)
    return link / average_window(columns.words, 12)


@feature("words", "words of the block before", learn=PLAIN_CARD)
def words_before(columns: PageColumns) -> Floats:
    return _shift(columns.words, 1, 0.0)


@feature("share", "link density of the block after; 1.5 at the end", learn=PLAIN_CARD)
def link_density_after(columns: PageColumns) -> Floats:
    return _shift(measure(columns, "link_density"), -1, NO_DENSITY)


@feature(
    "blocks", "distance to the next block of running text, itself included; 99 when none follows", learn=PLAIN_CARD
)
def to_next_sentence(columns: PageColumns) -> Floats:
    at = np.flatnonzero(columns.is_prose)
    nearest = np.append(at, 10**6)[at.searchsorted(columns.index)]
    return np.minimum(FAR, nearest - columns.index)


@feature("blocks", "distance to the last block of running text, itself included; 99 when there was none")
def from_last_sentence(columns: PageColumns) -> Floats:
    at = np.flatnonzero(columns.is_prose)
    nearest = np.append(-(10**6), at)[at.searchsorted(columns.index, side="right")]
    return np.asarray(np.minimum(FAR, columns.index - nearest))


@feature("share", "running-text words after the block / running-text words of the page")
def sentence_words_left(columns: PageColumns) -> Floats:
    weight = columns.sentence_words
    running = np.cumsum(weight)
    return np.asarray((running[-1:] - running + weight) / np.maximum(1, running[-1:]))


@cached_per_page
def find_heading_above(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the heading whose section the block is in (the block itself if a heading), or -1."""
    return np.maximum.accumulate(np.where(columns.is_heading, columns.index, -1))


def _sum_section(columns: PageColumns, values: Floats | None = None) -> Floats:
    """float64 [n_blocks]: for each block, the sum of `values` over its section; without values, the number of blocks.

    A section begins with a heading and ends before the next one.
    """
    return sum_groups(find_heading_above(columns) + 1, values)


@feature("blocks", "blocks since the last heading, 0 for the heading itself; 99 before the first")
def from_heading(columns: PageColumns) -> Floats:
    above = find_heading_above(columns)
    return np.where(above >= 0, np.minimum(FAR - 1, columns.index - above), FAR)


@feature("1 to 7", "level of the last heading, 7 before the first", learn=SCORE_CARD)
def heading_level(columns: PageColumns) -> Rows:
    above = find_heading_above(columns)
    return np.where(above >= 0, RANK[columns.tag[above]], NO_RANK)


@feature(
    "words", "mean words of the blocks from the last heading to the next one, the heading left out", learn=PLAIN_CARD
)
def section_words_per_block(columns: PageColumns) -> Floats:
    own = np.where(columns.is_heading, 0.0, columns.words)
    return _sum_section(columns, own) / np.maximum(1, _sum_section(columns) - 1)


@feature("share", "link words among the words of the blocks from the last heading to the next one")
def section_link_density(columns: PageColumns) -> Floats:
    return _sum_section(columns, columns.link_words) / _sum_section(columns, columns.words)
