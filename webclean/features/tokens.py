"""Features of meaningful words: those of class and id names around a block, of short texts and of headings.

Each word has points from the rules (`word_points`), positive for main content; these features sum them. As a feature
they only change a score: no word alone keeps or drops a block.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.concepts import find_phrases
from webclean.features.lexicon import SUM_UNIT, Found, round_sums
from webclean.features.names import find_name_words, find_names
from webclean.features.neighbours import find_heading_above
from webclean.features.page_columns import PageColumns
from webclean.features.registry import SCORE_CARD, feature
from webclean.features.text import find_words
from webclean.features.trees import sum_path
from webclean.features.word_points import CompiledWordPoints
from webclean.model import Floats, Rows
from webclean.parse.preorder import count_ancestors, find_nearest

SHORT_TEXT: Final = 60
STRONG: Final = 0.5
NO_LEVELS: Final = 30
WORDS: Final = 0
HEADINGS: Final = 1
"""Rows of the table `of_texts`: points of a word in a short text, and in a heading."""


@cached_per_page
def _find_in_names(columns: PageColumns, points: CompiledWordPoints) -> Found:
    """The words with points in the page's names; `text` is the number of the name."""
    return points.of_names.lexicon.find(find_name_words(columns))


@cached_per_page
def _score_names(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [n_elements]: sum of the points of the words in each element's own names."""
    return score_distinct_names(columns, points)[find_names(columns).index]


@cached_per_page
def score_distinct_names(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [n_names]: the same of each of the page's names."""
    return points.of_names.add_up(_find_in_names(columns, points), len(find_names(columns).names))


@cached_per_page
def score_texts(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [2, n_blocks]: points of the words and concepts of each short text and heading, as WORDS and HEADINGS."""
    table = points.of_concepts
    wanted = columns.is_heading | (columns.n_text_chars <= SHORT_TEXT)
    words, phrases = points.of_texts.lexicon.find(find_words(columns), wanted), find_phrases(columns, table)
    found: Floats = core.add_up(
        (words.text, words.place),
        points.of_texts.points,
        (phrases.text, phrases.place),
        table.gives_points,
        table.points,
        len(columns.blocks),
        SUM_UNIT,
    )
    return found


@cached_per_page
def _find_nearest_against(columns: PageColumns, points: CompiledWordPoints) -> Rows:
    """int64 [n_blocks]: the nearest element around the block whose names have fewer than -0.5 points, or -1."""
    return find_nearest(columns.document.parent, _score_names(columns, points) < -STRONG)[columns.row]


@feature("names", "different class and id names on the page that have points", learn=())
def n_known_names(columns: PageColumns) -> Floats:
    places = _find_in_names(columns, columns.word_points).place
    known = set(places[columns.word_points.is_naming[places]].tolist())
    return np.full(len(columns.blocks), float(len(known)))


@feature("points", "points of the names of all elements around the block, summed", learn=SCORE_CARD)
def name_points(columns: PageColumns) -> Floats:
    return round_sums(sum_path(columns.document, _score_names(columns, columns.word_points))[columns.row])


@feature("points", "points of the names of the element of the block and the three around it", learn=SCORE_CARD)
def near_name_points(columns: PageColumns) -> Floats:
    document, values = columns.document, _score_names(columns, columns.word_points)
    total, row = np.zeros(len(columns.blocks)), columns.row
    for _ in range(4):
        total += values[row]
        row = np.maximum(0, document.parent[row])
    return round_sums(total)


@feature(
    "points",
    "points of the nearest element around the block whose names speak clearly against it; 0 for none",
    learn=SCORE_CARD,
)
def nearest_negative_points(columns: PageColumns) -> Floats:
    near = _find_nearest_against(columns, columns.word_points)
    return np.where(near >= 0, _score_names(columns, columns.word_points)[near], 0.0)


@feature(
    "elements",
    "levels up to the nearest element whose names speak clearly against the block; 30 for none",
    learn=SCORE_CARD,
)
def levels_to_negative_name(columns: PageColumns) -> Rows:
    near, depth = _find_nearest_against(columns, columns.word_points), columns.document.depth
    return np.where(near >= 0, depth[columns.row] - depth[near], NO_LEVELS)


@feature("elements", "elements around the block whose names speak clearly against it", learn=SCORE_CARD)
def n_negative_names(columns: PageColumns) -> Rows:
    return count_ancestors(columns.document, _score_names(columns, columns.word_points) < -STRONG)[columns.row]


@feature("points", "points of the words of a block of at most 60 characters; 0 for longer ones", learn=SCORE_CARD)
def short_text_points(columns: PageColumns) -> Floats:
    return np.where(columns.n_text_chars <= SHORT_TEXT, score_texts(columns, columns.word_points)[WORDS], 0.0)


@feature("points", "points of the words of the last heading", learn=SCORE_CARD)
def heading_points(columns: PageColumns) -> Floats:
    above = find_heading_above(columns)
    return np.where(above >= 0, score_texts(columns, columns.word_points)[HEADINGS][above], 0.0)
