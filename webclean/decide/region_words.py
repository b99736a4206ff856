"""Section `regions` of a rule set -> lookup of the kind of a region by a class or id, or by the text of a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from webclean import core
from webclean.errors import RuleError
from webclean.features.concept_table import list_phrases
from webclean.features.lexicon import Lexicon, make_lexicon, make_word_set
from webclean.features.words import Words, cut_words
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.decide_schema import Regions
from webclean.rules.features_schema import Concepts
from webclean.rules.wording import suggest

_NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_MOST_NAMES: Final = 1 << 14
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True, eq=False)
class RegionWords:
    """The words that identify regions.

    names: word of a class or id, or consecutive words joined, -> kind. lexicon: finds the names with any of them.
    headings: bare text -> kind. openings: first word of a bare text -> (first words, kind), the longest first.
    heading_keys: `core.WordSet`s for the search: the first words of headings and openings, all words of headings, and
    all words of openings. states: words that mark a
    name as a state of the element, not its purpose. threads: words that identify a thread. replies: words that
    announce its posts. kind_of: cache of `find_kind`.
    """

    names: Mapping[str, str]
    lexicon: Lexicon
    headings: Mapping[str, str]
    openings: Mapping[str, Sequence[tuple[str, str]]]
    heading_keys: tuple[Any, Any, Any]
    states: frozenset[str]
    threads: frozenset[str]
    replies: frozenset[str]
    kind_of: dict[str, tuple[str, str] | None] = field(default_factory=dict)

    def find_kind(self, names: str) -> tuple[str, str] | None:
        """The same as `find_in_names`, remembered: pages of a site share most of their names."""
        if names not in self.kind_of:
            if len(self.kind_of) >= _MOST_NAMES:
                self.kind_of.clear()
            self.kind_of[names] = self.find_in_names(names)
        return self.kind_of[names]

    def find_in_names(self, names: str) -> tuple[str, str] | None:
        """(kind, name) of the first of an element's names that identifies a kind. names: separated by spaces.

        A name with a word for a state is skipped: `has-comments` describes an article, and is not a comment region.
        Words are read one by one and joined (`comment-list` is `commentlist` too), single letters never: `c-mt-6` sets
        a margin.
        """
        for name in names.split():
            words = list(map(str.lower, _NAME_WORD.findall(name)))
            if self.states.isdisjoint(words):
                longer = [word for word in words if len(word) > 1]
                for word in (*words, "".join(longer), *map("".join, pairwise(longer))):
                    if word in self.names:
                        return self.names[word], name
        return None

    def find_in_heading(self, text: str) -> str | None:
        """The kind that a short text announces: "Comments (12)", "12 comments on: Rivers"."""
        bare = strip_text(text)
        kind = self.headings.get(bare)
        if kind is not None:
            return kind
        listed = self.openings.get(bare.partition(" ")[0], ())
        return next((kind for opening, kind in listed if bare.startswith(opening)), None)


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
    by_first_word: dict[str, list[tuple[str, str]]] = {}
    for opening, kind in openings:
        by_first_word.setdefault(opening.partition(" ")[0], []).append((opening, kind))
    headings = dict(_list_texts({name: kind.headings for name, kind in regions.kinds.items()}))
    headings = dict(_list_phrases(regions, concepts)) | headings
    return RegionWords(
        names=names,
        lexicon=make_lexicon(known),
        headings=headings,
        openings=by_first_word,
        heading_keys=_compile_headings([text for text in headings if text], [text for text, _ in openings]),
        states=frozenset(regions.states.split()),
        threads=frozenset(regions.threads.names.split()),
        replies=frozenset(regions.threads.replies.split()),
    )


def _compile_headings(headings: list[str], openings: list[str]) -> tuple[Any, Any, Any]:
    first = cut_words([text.split()[0] for text in (*headings, *openings)]).key
    whole = (core.chain_words(words.text, words.key, n) for words, n in _cut_each(headings, openings))
    sets = [make_word_set(key).compiled for key in (first, *whole)]
    return sets[0], sets[1], sets[2]


def _cut_each(*lists: list[str]) -> Iterator[tuple[Words, int]]:
    return ((cut_words(texts), len(texts)) for texts in lists)


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
