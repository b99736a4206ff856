"""The `word_points` and `concepts` sections of a rule set -> tables of the points of each word.

Names are split into whole words, at all that is not a letter and at changes of case (camelCase). They are never
compared as substrings: `ad` does not match `padding`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.concept_table import ConceptTable, make_concept_table
from webclean.features.lexicon import WordWeights, make_word_weights
from webclean.model import Mask
from webclean.parse.tags import CODE
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Concepts, WordGroup, WordPoints

_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_TEXT_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_NAMES: Final = 1 << 14


@lru_cache(maxsize=_MOST_NAMES)
def split_name(name: str) -> frozenset[str]:
    """The lower-case words of a class, id or role value: `relatedPosts-box` gives related, posts, box."""
    return frozenset(map(str.lower, _NAME_WORD.findall(name)))


def split_text(text: str) -> frozenset[str]:
    """The lower-case words of a short text; consecutive CJK characters are one word."""
    return frozenset(_TEXT_WORD.findall(text.lower()))


@dataclass(frozen=True, slots=True, eq=False)
class CompiledWordPoints:
    """The points of words, as the rules have them and as tables.

    names, words, headings: lower-case word -> points in a name, a short text, a heading. concepts: concept -> language
    -> phrases. of_concepts: the table of the concepts. of_names: the table of `names`. of_texts: the table of `words`
    (row 0) and `headings` (row 1). is_naming: bool [n_words of `of_names`],
    whether the word is not itself an HTML tag.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    concepts: Concepts = field(default_factory=dict)
    of_concepts: ConceptTable = field(init=False)
    of_names: WordWeights = field(init=False)
    of_texts: WordWeights = field(init=False)
    is_naming: Mask = field(init=False)

    def __post_init__(self) -> None:
        of_names = make_word_weights(self.names)
        is_naming = [word not in CODE for word in of_names.lexicon.words]
        object.__setattr__(self, "of_concepts", make_concept_table(self.concepts, self.words, self.headings))
        object.__setattr__(self, "of_names", of_names)
        object.__setattr__(self, "of_texts", make_word_weights(self.words, self.headings))
        object.__setattr__(self, "is_naming", np.array(is_naming, dtype=bool))


NO_POINTS: Final = CompiledWordPoints()

NO_CONCEPTS: Final[Concepts] = {}


@cached_per_rule_set
def compile_word_points(points: WordPoints, concepts: Concepts = NO_CONCEPTS) -> CompiledWordPoints:
    """Compile the sections `word_points` and `concepts` of a rule set."""
    changes = points.changes
    return CompiledWordPoints(
        names=_flatten(points.names, changes.names),
        words=_flatten(points.words, changes.words),
        headings=_flatten(points.headings, changes.headings),
        concepts=concepts,
    )


def _flatten(groups: tuple[WordGroup, ...], changes: Mapping[str, float]) -> dict[str, float]:
    return {word: group.points for group in groups for word in group.words.split()} | dict(changes)
