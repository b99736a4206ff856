"""What short texts say they are, in any language: `Read also`, `Читайте также` and `関連記事` all announce `related`.

The words and phrases are rules (`concepts`). What a concept weighs is not stated but taken from the word points, which
are learnt from pages most of which are in English: the mean of what the concept's English phrases carry, each of them
the sum of its words. A phrase of another language gets that, unless it is a word that has learnt points of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.errors import RuleError
from webclean.features.lexicon import Found
from webclean.features.phrases import PhraseSet, make_phrase_set
from webclean.model import Floats, Mask
from webclean.rules.concepts_schema import Concepts

YARDSTICK: Final = "en"
"""The language most of whose words have learnt points."""


@dataclass(frozen=True, slots=True, eq=False)
class ConceptTable:
    """The phrases of all concepts, and what they weigh.

    names: the concepts. phrases: those of all languages, as a set. means: bool [n_concepts, n_phrases + 1], which
    phrase stands for which concept. weighs: bool [n_kinds, n_concepts, n_phrases + 1], and gives the concept's points.
    points: float64 [n_kinds, n_concepts].
    """

    names: tuple[str, ...]
    phrases: PhraseSet
    means: Mask
    weighs: Mask
    points: Floats

    def find_texts(self, found: Found, n_texts: int, concept: str) -> Mask:
        """bool [n_texts]: which texts have a phrase of the concept. Raises `RuleError` for one that does not exist."""
        if concept not in self.names:
            raise RuleError(f"no concept {concept!r}: one of {', '.join(self.names)}", key="concepts")
        says = np.zeros(n_texts, dtype=bool)
        says[found.text[self.means[self.names.index(concept)][found.place]]] = True
        return says

    def add_up(self, found: Found, n_texts: int, kind: int) -> Floats:
        """float64 [n_texts]: the points of one kind of the concepts of each text, each concept once a text."""
        concept, at = np.nonzero(self.weighs[kind][:, found.place])
        says = np.zeros((n_texts, len(self.names)), dtype=bool)
        says[found.text[at], concept] = True
        return np.asarray(says @ self.points[kind], dtype=np.float64)


def make_concept_table(concepts: Concepts, *kinds: Mapping[str, float]) -> ConceptTable:
    """The table of a rule set's concepts. kinds: learnt points by word, of several kinds."""
    entries = list(_list_phrases(concepts))
    listed = list(dict.fromkeys(phrase for _, _, phrase in entries))
    phrases, place_of = make_phrase_set(listed)
    places = dict(zip(listed, place_of.tolist(), strict=True))
    names, n_places = tuple(concepts), len(phrases.whole.key)
    english = {phrase for _, language, phrase in entries if language == YARDSTICK}
    means = np.zeros((len(names), n_places), dtype=bool)
    weighs = np.zeros((len(kinds), len(names), n_places), dtype=bool)
    for name, _, phrase in entries:
        concept = names.index(name)
        means[concept, places[phrase]] = True
        weighs[:, concept, places[phrase]] = [phrase not in english and phrase not in points for points in kinds]
    return ConceptTable(names, phrases, means, weighs, _weigh_concepts(concepts, kinds))


def _list_phrases(concepts: Concepts) -> Iterator[tuple[str, str, str]]:
    """Concept, language and phrase of everything a table says."""
    for name, by_language in concepts.items():
        for language, listed in by_language.items():
            for phrase in listed.split(","):
                yield name, language, phrase.strip()


def _weigh_concepts(concepts: Concepts, kinds: tuple[Mapping[str, float], ...]) -> Floats:
    """float64 [n_kinds, n_concepts]: what the English phrases of each concept carry on average."""
    points = np.zeros((len(kinds), len(concepts)))
    for number, words in enumerate(concepts.values()):
        english = [phrase.split() for phrase in words.get(YARDSTICK, "").split(",")]
        for kind, known in enumerate(kinds):
            points[kind, number] = np.mean([sum(known.get(word, 0.0) for word in phrase) for phrase in english])
    return points
