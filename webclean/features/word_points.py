"""How names and texts are cut into words, and the `word_points` section of a rule set -> what each word weighs.

Names are compared as whole words (split at anything that is not a letter, and at camelCase), never as substrings:
`ad` does not match `padding`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.lexicon import NameLexicon, WordWeights, weigh_words
from webclean.model import Mask, Rows
from webclean.parse.tags import CODE
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.word_points_schema import WordGroup, WordPoints

_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_TEXT_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_NAMES: Final = 1 << 14


@lru_cache(maxsize=_MOST_NAMES)
def split_name(name: str) -> frozenset[str]:
    """Lower-case words of a class, id or role value: `relatedPosts-box` gives related, posts, box."""
    return frozenset(map(str.lower, _NAME_WORD.findall(name)))


def split_text(text: str) -> frozenset[str]:
    """Lower-case words of a short text; a run of CJK characters is one word."""
    return frozenset(_TEXT_WORD.findall(text.lower()))


@dataclass(frozen=True, slots=True)
class AskedWords:
    """Lower-case words of names and of texts that another stage asks for, whether they have points or not."""

    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompiledWordPoints:
    """Points by lower-case word: of names, short texts and headings.

    asked: further words, which are found in the same search. of_names, of_texts: the tables of all of them, that of
    texts with the points of words, then those of headings. in_names: the names met so far and their words of the first
    table. is_naming: bool [n], whether a word of it has points and is no tag. asked_names, asked_texts: int64 [n], for
    each word of the tables its number in `asked`, or one past the last.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    asked: AskedWords = field(default_factory=AskedWords)
    of_names: WordWeights = field(init=False, compare=False)
    of_texts: WordWeights = field(init=False, compare=False)
    in_names: NameLexicon = field(init=False, compare=False)
    is_naming: Mask = field(init=False, compare=False)
    asked_names: Rows = field(init=False, compare=False)
    asked_texts: Rows = field(init=False, compare=False)

    def __post_init__(self) -> None:
        of_names = weigh_words(self.names, further=self.asked.names)
        of_texts = weigh_words(self.words, self.headings, further=self.asked.texts)
        is_naming = [word in self.names and word not in CODE for word in of_names.known.words]
        object.__setattr__(self, "of_names", of_names)
        object.__setattr__(self, "in_names", NameLexicon(of_names.known))
        object.__setattr__(self, "of_texts", of_texts)
        object.__setattr__(self, "is_naming", np.array(is_naming, dtype=bool))
        object.__setattr__(self, "asked_names", _number(of_names.known.words, self.asked.names))
        object.__setattr__(self, "asked_texts", _number(of_texts.known.words, self.asked.texts))


def _number(words: tuple[str, ...], asked: tuple[str, ...]) -> Rows:
    """int64 [n_words]: the place of each word in `asked`, or one past the last."""
    place = {word: number for number, word in enumerate(asked)}
    return np.array([place.get(word, len(asked)) for word in words], dtype=np.intp)


NO_POINTS: Final = CompiledWordPoints()

NOTHING_ASKED: Final = AskedWords()


@cached_per_rule_set
def compile_word_points(points: WordPoints | None, asked: AskedWords = NOTHING_ASKED) -> CompiledWordPoints:
    """The tables of a rule set's `word_points`."""
    if points is None:
        return CompiledWordPoints(asked=asked)
    changes = points.changes
    return CompiledWordPoints(
        names=_flatten(points.names, changes.names),
        words=_flatten(points.words, changes.words),
        headings=_flatten(points.headings, changes.headings),
        asked=asked,
    )


def _flatten(groups: tuple[WordGroup, ...], changes: Mapping[str, float]) -> dict[str, float]:
    return {word: group.points for group in groups for word in group.words.split()} | dict(changes)
