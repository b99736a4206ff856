"""The `word_points` and `concepts` sections of a rule set -> tables of the points of words and phrases.

Names are split into whole words, at all that is not a letter and at changes of case (camelCase). They are never
compared as substrings: `ad` does not match `padding`.

Concepts: what a short text announces, in any language. `Read also`, `Читайте также`, `関連記事` all mean `related`.

The phrases of each concept are rules (`concepts`). Its points are not: they are derived from the word points, which are
learnt from mostly English pages. A concept has the mean points of its English phrases, and a phrase has the sum of its
words' points. With `related` -2 and `read` 0, `also` -1, the phrases `related` (-2) and `read also` (-1) give -1.5.

A phrase of another language gets the points of its concept, unless it is a single word with learnt points of its own.

A phrase has a 64-bit hash (its key) that is computed from the keys of its words. Labels are first searched for words
that begin some phrase, which are few. Only from there are the following words combined, once for each number of words
that phrases have, and looked up:

    label                  Read also: more news
    begins a phrase        ^          ^
    phrases that are known ^^^^^^^^^  ^^^^^^^^^
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.words import Words, WordSet, WordWeights, cut_labels, make_word_set, make_word_weights
from webclean.model import Floats, Mask, Rows
from webclean.parse.tags import CODE
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Concepts, WordGroup, WordPoints

NEXT_WORD: Final = np.uint64(0xD6E8FEB86659FD93)
"""The key of a phrase is multiplied by this before that of the next word is added. Odd, so that no bits are lost."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSet:
    """Phrases to look for.

    first: the words that begin a phrase. whole: the phrases. lengths: the numbers of words that phrases have, rising.
    """

    first: WordSet
    whole: WordSet
    lengths: tuple[int, ...]


def make_phrase_set(phrases: Sequence[str]) -> tuple[PhraseSet, Rows]:
    """A set of lower-case phrases, and int64 [n], the place of each; one without letters gets the last place + 1."""
    words = cut_labels(phrases)
    bounds = words.text.searchsorted(np.arange(len(phrases) + 1))
    start, n_words = bounds[:-1], np.diff(bounds)
    # by length, and all phrases of a length at once
    key = np.zeros(len(phrases), dtype=np.uint64)
    lengths = tuple(sorted(set(n_words[n_words > 0].tolist())))
    for length in lengths:
        of_length = n_words == length
        key[of_length] = _chain_words(words, start[of_length], length).key
    is_phrase = n_words > 0
    whole = make_word_set(key[is_phrase])
    # what has no letters, such as `+1`, gets the place of the sentinel, which no text reaches
    place = np.where(is_phrase, whole.key.searchsorted(key), len(whole.key) - 1)
    return PhraseSet(make_word_set(words.key[start[is_phrase]]), whole, lengths or (1,)), place


def _chain_words(words: Words, start: Rows, n_words: int) -> Words:
    """Join `n_words` consecutive words to one, from each start; left out where they are not all in one text."""
    start = start[start + n_words <= len(words.text)]
    start = start[words.text[start] == words.text[start + n_words - 1]]
    key, length = words.key[start], words.length[start]
    for step in range(1, n_words):
        key = key * NEXT_WORD + words.key[start + step]
        length = length + words.length[start + step]
    return Words(words.text[start], key, length)


YARDSTICK: Final = "en"
"""The language from which points are derived: most words with learnt points are English."""


@dataclass(frozen=True, slots=True, eq=False)
class ConceptTable:
    """The phrases of all concepts and their points.

    names: the concepts. phrases: the phrases of all languages. gives_points: bool [n_kinds, n_concepts, n_phrases + 1],
    whether a phrase gives the points of the concept. points: float64 [n_kinds, n_concepts]. The kinds are points as a
    word of a text and of a heading.
    """

    names: tuple[str, ...]
    phrases: PhraseSet
    gives_points: Mask
    points: Floats


def make_concept_table(concepts: Concepts, *kinds: Mapping[str, float]) -> ConceptTable:
    """Build the table of a rule set's concepts. kinds: word -> learnt points, of each kind of points."""
    entries = list(list_phrases(concepts))
    listed = list(dict.fromkeys(phrase for _, _, phrase in entries))
    phrases, place_of = make_phrase_set(listed)
    places = dict(zip(listed, place_of.tolist(), strict=True))
    names, n_places = tuple(concepts), len(phrases.whole.key)
    # an English phrase in another language too (`podcast`) has its learnt points already
    english = {phrase for _, language, phrase in entries if language == YARDSTICK}
    gives_points = np.zeros((len(kinds), len(names), n_places), dtype=bool)
    for name, _, phrase in entries:
        gives_points[:, names.index(name), places[phrase]] = [
            phrase not in english and phrase not in points for points in kinds
        ]
    return ConceptTable(names, phrases, gives_points, _average_points(concepts, kinds))


def list_phrases(concepts: Concepts) -> Iterator[tuple[str, str, str]]:
    """(concept, language, phrase) of all phrases."""
    for name, by_language in concepts.items():
        for language, listed in by_language.items():
            for phrase in listed.split(","):
                yield name, language, phrase.strip()


def _average_points(concepts: Concepts, kinds: tuple[Mapping[str, float], ...]) -> Floats:
    """float64 [n_kinds, n_concepts]: mean points of the English phrases of each concept."""
    points = np.zeros((len(kinds), len(concepts)))
    for number, words in enumerate(concepts.values()):
        english = [phrase.split() for phrase in words.get(YARDSTICK, "").split(",")]
        for kind, known in enumerate(kinds):
            # the mean: a concept with many phrases weighs no more than one with few
            points[kind, number] = np.mean([sum(known.get(word, 0.0) for word in phrase) for phrase in english])
    return points


NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
"""The words of a class or id: `relatedPosts`, `related-posts` and `RELATED_POSTS` have the same."""
_TEXT_WORD: Final = re.compile(r"[^\W\d_]+")
# more than the pages of a site have; a server that cleans many sites must not grow
_MOST_NAMES: Final = 1 << 14


@lru_cache(maxsize=_MOST_NAMES)
def split_name(name: str) -> frozenset[str]:
    """The lower-case words of a class, id or role value: `relatedPosts-box` gives related, posts, box."""
    return frozenset(map(str.lower, NAME_WORD.findall(name)))


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
        # a name begins with its tag: that of a `header` is no name that somebody gave
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
