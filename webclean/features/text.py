"""What several stages read of the texts of blocks, and the points of the meaningful words in them.

Each meaningful word has points from the rules (`word_points`), positive for main content; the features of
`core/block_names.py` sum them.
"""

from __future__ import annotations

import sys
from typing import Any, Final, cast

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.names import read_names
from webclean.features.page_columns import PageColumns
from webclean.features.word_points import NEXT_WORD, CompiledWordPoints
from webclean.features.words import SUM_UNIT, Words, describe_label_words, describe_words, list_lower
from webclean.model import Floats, Rows
from webclean.parse.tags import HEADING
from webclean.rules.caching import cached_per_rule_set


def count_matches(columns: PageColumns, pattern: Any) -> Floats:
    """float64 [n_blocks]: matches of an expression for amounts or dates (`columns.prices_dates`)."""
    text, ends, blocks = (
        _encode_numbered(columns) if columns.prices_dates.needs_digit else (*encode_text(columns), None)
    )
    # one search over the whole page: a search a block costs more than what it finds
    starts = [match.start() for match in pattern.finditer(text)]
    found = ends.searchsorted(starts, side="right")
    return np.bincount(found if blocks is None else blocks[found], minlength=len(columns.blocks)).astype(np.float64)


@cached_per_page
def _encode_numbered(columns: PageColumns) -> tuple[bytes, Rows, Rows]:
    """The joined text of the blocks that have a digit, which are few, in UTF-8; int64 [n]: one past the newline after
    each, and which blocks they are."""
    texts = columns.blocks.text
    blocks = core.list_numbered(texts, 0, len(texts), sys.maxsize)
    return *_encode_lines("\n".join([*[texts[i] for i in blocks], ""])), np.array(blocks, dtype=np.int64)


@cached_per_page
def encode_text(columns: PageColumns) -> tuple[bytes, Rows]:
    """The joined text in UTF-8; int64 [n_blocks]: one past the newline after each block."""
    return _encode_lines(join_text(columns))


def _encode_lines(lines: str) -> tuple[bytes, Rows]:
    """The text in UTF-8; int64 [n_lines]: one past the newline of each."""
    text = lines.encode("utf-8", "surrogatepass")
    return text, (np.frombuffer(text, dtype=np.uint8) == ord("\n")).nonzero()[0] + 1


@cached_per_page
def join_text(columns: PageColumns) -> str:
    """The text of all blocks, a newline after each."""
    return "\n".join([*columns.blocks.text, ""])


@cached_per_page
def lower_text(columns: PageColumns) -> list[str]:
    """The text of each block in lower case."""
    return [text.lower() for text in columns.blocks.text]


@cached_per_page
def cut_texts(columns: PageColumns) -> Any:
    """`core.Words`: the lower-case words of all blocks of at most `LONGEST` characters."""
    return core.cut_lower(columns.blocks.text, *describe_words())


@cached_per_page
def find_words(columns: PageColumns) -> Words:
    """The same as arrays."""
    return Words(*cut_texts(columns).take())


@cached_per_page
def find_same_text(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the first block of the page with the same text in lower case."""
    return cast("Rows", core.find_same(columns.blocks.text, list_lower()))


# characters; the points of words are learnt from texts of at most so many: buttons, labels, by-lines
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
