"""Points of meaningful words: of those in class and id names, in short texts and in headings.

Each word has points from the rules (`word_points`), positive for main content; the features of `core/block_names.py`
sum them.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.lexicon import SUM_UNIT
from webclean.features.names import read_names
from webclean.features.page_columns import PageColumns
from webclean.features.phrases import NEXT_WORD
from webclean.features.text import cut_texts
from webclean.features.word_points import CompiledWordPoints
from webclean.features.words import describe_label_words
from webclean.model import Floats
from webclean.parse.tags import HEADING
from webclean.rules.caching import cached_per_rule_set

SHORT_TEXT: Final = 60
LONGEST_LABEL: Final = 120
"""Characters. In a longer text a phrase such as `read also` is part of a sentence and announces nothing."""
WORDS: Final = 0
HEADINGS: Final = 1
"""Rows of the table `of_texts`: points of a word in a short text, and in a heading."""


@cached_per_page
def _score_names(columns: PageColumns, points: CompiledWordPoints) -> tuple[Floats, int]:
    words, of_names = read_names(columns), points.of_names
    known, n_names = of_names.lexicon.keys.compiled, len(columns.document.page.element_names)
    found = core.score_names(words, known, of_names.points[0], points.is_naming.view(np.uint8), n_names, SUM_UNIT)
    return cast("tuple[Floats, int]", found)


def score_distinct_names(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [n_names]: sum of the points of the words in each of the page's names."""
    return _score_names(columns, points)[0]


def count_known_names(columns: PageColumns) -> int:
    """How many different class and id names that name parts of pages the page has."""
    return _score_names(columns, columns.word_points)[1]


@cached_per_rule_set
def _compile_texts(points: CompiledWordPoints) -> Any:
    """What the core looks for in short texts and headings."""
    words, table, phrases = points.of_texts, points.of_concepts, points.of_concepts.phrases
    return core.TextPlan(
        (words.lexicon.keys.compiled, words.points),
        (phrases.first.compiled, phrases.whole.compiled, phrases.lengths, int(NEXT_WORD)),
        (table.gives_points.view(np.uint8), table.points),
        SUM_UNIT,
        (HEADING.view(np.uint8), SHORT_TEXT, LONGEST_LABEL),
        describe_label_words(),
    )


@cached_per_page
def score_texts(columns: PageColumns, points: CompiledWordPoints) -> Floats:
    """float64 [2, n_blocks]: points of the words and concepts of each short text and heading, as WORDS and HEADINGS."""
    _ = columns.n_text_chars  # which the core reads
    found: Floats = core.score_texts(columns.document.page, cut_texts(columns), _compile_texts(points))
    return found
