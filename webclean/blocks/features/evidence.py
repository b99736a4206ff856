"""How names and texts are cut into words, and the `evidence` section of a rule set -> what each word weighs.

Names are compared as whole words (split at anything that is not a letter, and at camelCase), never as substrings:
`ad` does not match `padding`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from webclean.blocks.features.words import WordWeights, weigh_words
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


class WeighedNames(dict[str, tuple[float, frozenset[str]]]):
    """Name -> points, and the words in it that the evidence knows and that are no tags.

    A name is weighed when it is first asked for. Pages of a site share most of their names, so they are kept from page
    to page, but never more than `_MOST_NAMES`.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, name: str) -> tuple[float, frozenset[str]]:
        if len(self) >= _MOST_NAMES:
            self.clear()
        words = split_name(name)
        known = frozenset(word for word in words if word in self._weights and word not in CODE)
        # Summed exactly: the order of a set of strings differs from process to process.
        found = self[name] = (math.fsum(filter(None, map(self._weights.get, words))), known)
        return found


@dataclass(frozen=True, slots=True)
class WordPoints:
    """Points by lower-case word: of names, short texts and headings.

    weighed_names: names whose points are known already. in_words, in_headings: the words of texts and headings as
    tables.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    weighed_names: WeighedNames = field(init=False, compare=False)
    in_words: WordWeights = field(init=False, compare=False)
    in_headings: WordWeights = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighed_names", WeighedNames(self.names))
        object.__setattr__(self, "in_words", weigh_words(self.words))
        object.__setattr__(self, "in_headings", weigh_words(self.headings))


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
