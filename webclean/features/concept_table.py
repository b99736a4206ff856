"""Concepts: what a short text announces, in any language. `Read also`, `Читайте также`, `関連記事` all mean `related`.

The phrases of each concept are rules (`concepts`). Its points are not: they are derived from the word points, which are
learnt from mostly English pages. A concept has the mean points of its English phrases, and a phrase has the sum of its
words' points. With `related` -2 and `read` 0, `also` -1, the phrases `related` (-2) and `read also` (-1) give -1.5.

A phrase of another language gets the points of its concept, unless it is a single word with learnt points of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.features.phrases import PhraseSet, make_phrase_set
from webclean.model import Floats, Mask
from webclean.rules.features_schema import Concepts

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
    """Build the table of a rule set's concepts.

    Args:
        concepts: concept -> language -> phrases, separated by commas.
        *kinds: word -> learnt points, one mapping for each kind of points.
    """
    entries = list(list_phrases(concepts))
    listed = list(dict.fromkeys(phrase for _, _, phrase in entries))
    phrases, place_of = make_phrase_set(listed)
    places = dict(zip(listed, place_of.tolist(), strict=True))
    names, n_places = tuple(concepts), len(phrases.whole.key)
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
            points[kind, number] = np.mean([sum(known.get(word, 0.0) for word in phrase) for phrase in english])
    return points
