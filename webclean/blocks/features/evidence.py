"""How names and texts are cut into words, and the `evidence` section of a rule set -> what each word weighs.

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

from webclean.blocks.features.lexicon import NameLexicon, WordWeights, weigh_words
from webclean.model import Mask
from webclean.parse.tags import CODE
from webclean.rules.evidence_schema import Evidence, WordGroup

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
class WordPoints:
    """Points by lower-case word: of names, short texts and headings.

    of_names, of_texts: the same as tables, that of texts with the points of words, then those of headings. in_names:
    the names met so far and their words of the first table. is_naming: bool [n], whether a word of it is no tag.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    of_names: WordWeights = field(init=False, compare=False)
    of_texts: WordWeights = field(init=False, compare=False)
    in_names: NameLexicon = field(init=False, compare=False)
    is_naming: Mask = field(init=False, compare=False)

    def __post_init__(self) -> None:
        of_names = weigh_words(self.names)
        object.__setattr__(self, "of_names", of_names)
        object.__setattr__(self, "in_names", NameLexicon(of_names.known))
        object.__setattr__(self, "of_texts", weigh_words(self.words, self.headings))
        object.__setattr__(self, "is_naming", np.array([word not in CODE for word in of_names.known.words], dtype=bool))


NO_POINTS: Final = WordPoints()

_COMPILED: Final[dict[int, tuple[Evidence, WordPoints]]] = {}


def compile_evidence(evidence: Evidence | None) -> WordPoints:
    """The tables of a rule set's evidence, made once for each (the section is held, so its identity stays its own)."""
    if evidence is None:
        return NO_POINTS
    found = _COMPILED.get(id(evidence))
    if found is None:
        if len(_COMPILED) > 256:
            _COMPILED.clear()
        changes = evidence.changes
        points = WordPoints(
            names=_flatten(evidence.names, changes.names),
            words=_flatten(evidence.words, changes.words),
            headings=_flatten(evidence.headings, changes.headings),
        )
        found = _COMPILED[id(evidence)] = (evidence, points)
    return found[1]


def _flatten(groups: tuple[WordGroup, ...], changes: Mapping[str, float]) -> dict[str, float]:
    return {word: group.points for group in groups for word in group.words.split()} | dict(changes)
