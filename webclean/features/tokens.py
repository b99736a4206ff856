"""Points of meaningful words: of those in class and id names, in short texts and in headings.

Each word has points from the rules (`word_points`), positive for main content; the features of `core/block_names.py`
sum them.
"""

from __future__ import annotations

from typing import Final

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.concepts import find_phrases
from webclean.features.lexicon import SUM_UNIT, Found
from webclean.features.names import find_name_words, find_names
from webclean.features.page_columns import PageColumns
from webclean.features.text import find_words
from webclean.features.word_points import CompiledWordPoints
from webclean.model import Floats

SHORT_TEXT: Final = 60
WORDS: Final = 0
HEADINGS: Final = 1
"""Rows of the table `of_texts`: points of a word in a short text, and in a heading."""


@cached_per_page
def find_known_names(columns: PageColumns, points: CompiledWordPoints) -> Found:
    """The words with points in the page's names; `text` is the number of the name."""
    return points.of_names.lexicon.find(find_name_words(columns))


@cached_per_page
def score_distinct_names(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [n_names]: sum of the points of the words in each of the page's names."""
    return points.of_names.add_up(find_known_names(columns, points), len(find_names(columns).names))


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


def count_known_names(columns: PageColumns) -> int:
    """How many different class and id names that name parts of pages the page has."""
    places = find_known_names(columns, columns.word_points).place
    return len(set(places[columns.word_points.is_naming[places]].tolist()))
