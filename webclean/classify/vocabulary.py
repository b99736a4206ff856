"""The words of a page, by the channel in which they occur. A word counts once a channel.

url    words of host, path and names in the query, each with its place: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, the values of og:type and the like, and types of JSON-LD
title  words of the title element
label  words of short texts: buttons, menus, bylines, headings
names  words of the tags, classes, ids and roles of elements with text: `relatedPosts` is related, posts

`list_channel_words` gives all words of a channel, for learning. For finding a type only the words in the rules matter:
`compile_vocabulary` numbers them, `match_words` asks the core which of them a page has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np

from webclean import core
from webclean.errors import RuleError
from webclean.features import PageColumns
from webclean.features.block_texts import find_words, lower_text
from webclean.features.names import find_name_words, find_names
from webclean.features.words import LETTERS, make_lexicon, split_name
from webclean.parse import read_raw
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.page_type_schema import PageTypeRules

_TELLING: Final = frozenset(("og:type", "generator", "twitter:card", "twitter:label1", "twitter:label2"))
"""Meta elements of which the first word of the content is a word too: `og:type=article`."""


@dataclass(frozen=True, slots=True, eq=False)
class WordSource:
    """What the words of a page are read from. whole: `core.WholePage`."""

    columns: PageColumns
    rules: PageTypeRules
    whole: Any


def _list_label_words(page: WordSource) -> Iterable[str]:
    """Words of labels; for words of other languages also the English word of the rules that means the same."""
    texts = lower_text(page.columns)
    words = [word for at in np.flatnonzero(core.mark_labels(page.whole)) for word in LETTERS.findall(texts[at])]
    same = _index_by_word(tuple(page.rules.same_words.items()))
    return words + [same[word] for word in words if word in same]


LABEL: Final = "label"
NAMES: Final = "names"
CHANNELS: Final[Mapping[str, Callable[[WordSource], Iterable[str]]]] = {
    "url": lambda page: core.list_url_words(page.whole),
    "head": lambda page: core.list_head_words(page.whole, _TELLING, _read_scripts(page.columns)),
    "title": lambda page: core.list_title_words(page.whole),
    LABEL: _list_label_words,
    NAMES: lambda page: chain.from_iterable(map(split_name, find_names(page.columns).names)),
}


def list_channel_words(page: WordSource, channel: str) -> set[str]:
    """The words of one channel."""
    return set(CHANNELS[channel](page))


def _read_scripts(columns: PageColumns) -> list[str]:
    return read_raw(columns.document, "script") if columns.document.raw else []


@lru_cache(maxsize=64)
def _index_by_word(same_words: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Word -> the English word that means the same."""
    return {word: meaning for meaning, words in same_words for word in words.split()}


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words in the rules of page types, numbered: those of the card in its order, then the others.

    number: channel -> word -> number; label words that mean the same share a number. compiled: `core.PageWords`.
    """

    number: Mapping[str, Mapping[str, int]]
    compiled: Any

    def find(self, written: str) -> int:
        """The number of a word, written `channel:word` as in refinements."""
        channel, _, word = written.partition(":")
        return self.number[channel][word]


class MatchedWords(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The words of a vocabulary that a page has. flags: uint8 [n_words]."""

    vocabulary: Vocabulary
    flags: bytearray

    def has(self, written: str) -> bool:
        """Whether the page has a word, written `channel:word` as in refinements."""
        return bool(self.flags[self.vocabulary.find(written)])

    def list_first(self, n: int) -> list[int]:
        """The numbers of those below n, rising."""
        return [number for number in range(n) if self.flags[number]]


@cached_per_rule_set
def compile_vocabulary(rules: PageTypeRules) -> Vocabulary:
    """Number the words of a rule set. Raises `RuleError` for a channel that does not exist."""
    number: dict[str, dict[str, int]] = {channel: {} for channel in CHANNELS}
    of_refinements = [
        written.partition(":")[::2] for refinement in rules.refinements.values() for written in refinement.words
    ]
    # words of the card first: its points are rows of a table in that order
    of_card = [(channel, word) for channel, words in rules.card.words.items() for word in words]
    known = dict.fromkeys([*of_card, *of_refinements])
    for place, (channel, word) in enumerate(known):
        # `tilte:login` in a rule file would match no page
        if channel not in CHANNELS:
            raise RuleError(f"no words of {channel!r}: one of {', '.join(CHANNELS)}", key="page_type")
        number[channel][word] = place
    labels = number[LABEL]
    same = _index_by_word(tuple(rules.same_words.items()))
    # a word of another language has the number of the English one: the card knows `reply`, the page says `antworten`
    meant = [(word, labels[meaning]) for word, meaning in same.items() if meaning in labels]
    tables = [_make_table(number[NAMES]), _make_table(dict([*labels.items(), *meant]))]
    return Vocabulary(number, core.PageWords(len(known), number, _TELLING, *tables))


def _make_table(numbers: Mapping[str, int]) -> tuple[Any, Any]:
    """`core.WordSet` of some words, and int64 [n_words], the number of each of its places."""
    lexicon = make_lexicon(numbers)
    return lexicon.keys.compiled, np.array([numbers[word] for word in lexicon.words], dtype=np.int64)


def match_words(columns: PageColumns, rules: PageTypeRules, whole: Any) -> MatchedWords:
    """The words of the rules that a page has. whole: `core.WholePage`."""
    vocabulary, words = compile_vocabulary(rules), find_words(columns)
    names = find_name_words(columns).key
    return MatchedWords(
        vocabulary, vocabulary.compiled.match(whole, _read_scripts(columns), names, words.text, words.key)
    )
