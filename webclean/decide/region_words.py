"""Section `regions` of a rule set -> lookup of the kind of a region by a class or id, or by the text of a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from webclean.errors import RuleError
from webclean.features.concept_table import list_phrases
from webclean.features.lexicon import NameLexicon, WordSet, make_lexicon, make_word_set
from webclean.features.words import cut_words
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.concepts_schema import Concepts
from webclean.rules.regions_schema import Regions
from webclean.rules.wording import suggest

_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True, eq=False)
class RegionWords:
    """The words that identify regions.

    names: word of a class or id, or consecutive words joined, -> kind. lexicon: finds the names with any of them.
    headings: bare text -> kind. openings: (first words of a bare text, kind), the longest first; any_opening: the
    first words alone. first_words: every heading and opening begins with one of them. states: words that mark a
    name as a state of the element, not its purpose. threads: words that identify a thread. replies: words that
    announce its posts.
    """

    names: Mapping[str, str]
    lexicon: NameLexicon
    headings: Mapping[str, str]
    openings: tuple[tuple[str, str], ...]
    any_opening: tuple[str, ...]
    first_words: WordSet
    states: frozenset[str]
    threads: frozenset[str]
    replies: frozenset[str]

    def find_in_names(self, names: str) -> tuple[str, str] | None:
        """(kind, name) of the first of an element's names that identifies a kind. names: separated by spaces.

        A name with a word for a state is skipped: `has-comments` describes an article, and is not a comment region.
        """
        for name in names.split():
            words = list(map(str.lower, _NAME_WORD.findall(name)))
            if self.states.isdisjoint(words):
                for word in (*words, "".join(words), *map("".join, pairwise(words))):
                    if word in self.names:
                        return self.names[word], name
        return None

    def find_in_heading(self, text: str) -> str | None:
        """The kind that a short text announces: "Comments (12)", "12 comments on: Rivers"."""
        bare = strip_text(text)
        kind = self.headings.get(bare)
        if kind is None and bare.startswith(self.any_opening):
            return next(kind for opening, kind in self.openings if bare.startswith(opening))
        return kind


def strip_text(text: str) -> str:
    """Lower case, words between single spaces, without digits and signs."""
    return _NO_LETTERS.sub(" ", text.lower()).strip()


@cached_per_rule_set
def compile_region_words(regions: Regions, concepts: Concepts) -> RegionWords:
    """The tables of a rule set's `regions`. Raises `RuleError` for a concept that there is not."""
    names = dict(_list_names(regions))
    known = [*names, *(word for kind in regions.kinds.values() for word in kind.names.replace("-", " ").split())]
    listed = _list_texts({name: kind.openings for name, kind in regions.kinds.items()})
    openings = sorted(((f"{text} ", kind) for text, kind in listed), key=lambda entry: -len(entry[0]))
    headings = dict(_list_texts({name: kind.headings for name, kind in regions.kinds.items()}))
    headings = dict(_list_phrases(regions, concepts)) | headings
    first = dict.fromkeys(text.split()[0] for text in (*headings, *(text for text, _ in openings)) if text.strip())
    return RegionWords(
        names=names,
        lexicon=NameLexicon(make_lexicon(known)),
        headings=headings,
        openings=tuple(openings),
        any_opening=tuple(text for text, _ in openings),
        first_words=make_word_set(cut_words(list(first)).key),
        states=frozenset(regions.states.split()),
        threads=frozenset(regions.threads.names.split()),
        replies=frozenset(regions.threads.replies.split()),
    )


def _list_names(regions: Regions) -> Iterator[tuple[str, str]]:
    for name, kind in regions.kinds.items():
        for word in kind.names.split():
            yield word.replace("-", ""), name


def _list_phrases(regions: Regions, concepts: Concepts) -> Iterator[tuple[str, str]]:
    """(bare text, kind) of the phrases of the concepts that announce a kind."""
    for name, kind in regions.kinds.items():
        for concept in kind.concepts:
            if concept not in concepts:
                raise RuleError(suggest(concept, list(concepts), "concept"), key=f"regions.kinds.{name}.concepts")
            for _, _, phrase in list_phrases({concept: concepts[concept]}):
                yield strip_text(phrase), name


def _list_texts(by_kind: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    for name, by_language in by_kind.items():
        for texts in by_language.values():
            for text in texts:
                yield strip_text(text), name
