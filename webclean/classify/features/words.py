"""The words of a page, by the channel in which they occur. A word counts once a channel.

url    words of host, path and names in the query, each with its place: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, the values of og:type and the like, and types of JSON-LD
title  words of the title element
label  words of short texts: buttons, menus, bylines, headings
names  words of the tags, classes, ids and roles of elements with text: `relatedPosts` is related, posts

`list_channel_words` gives all words of a channel, for learning. For finding a type only the words in the rules matter:
`compile_vocabulary` numbers them, `match_words` looks them up, those of labels and names all at once
(`features.lexicon`), the others one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

import msgspec
import numpy as np

from webclean.classify.features.registry import PageView
from webclean.errors import RuleError
from webclean.features.lexicon import Lexicon, make_lexicon
from webclean.features.names import find_name_words, find_names
from webclean.features.text import find_words, lower_text
from webclean.features.word_points import split_name
from webclean.features.words import Words
from webclean.model import Mask, Rows
from webclean.parse import read_attribute, read_attributes, read_raw
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.card_schema import Card
from webclean.rules.page_type_schema import PageTypeRules

_WORD: Final = re.compile(r"[^\W\d_]+")
_SCHEMA_TYPE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]+)"')
_TELLING: Final = frozenset(("og:type", "generator", "twitter:card", "twitter:label1", "twitter:label2"))
"""Meta elements of which the first word of the content is a word too: `og:type=article`."""


def list_url_words(page: PageView) -> list[str]:
    """Words of the address."""
    if page.url is None:
        return []
    words = [f"host:{word}" for word in _WORD.findall(page.url.host.lower().rpartition(".")[0])]
    words += [f"in:{word}" for word in _WORD.findall("/".join(page.path[:-1]).lower())]
    words += [f"at:{word}" for word in _WORD.findall(page.slug)]
    if page.url.query:
        words += [f"query:{part.partition('=')[0].lower()}" for part in page.url.query.split("&") if part]
    return words


def list_head_words(page: PageView) -> list[str]:
    """Names of meta elements, and types of structured data."""
    document, words = page.document, []
    rows = page.find_rows("meta")
    columns = [read_attributes(document, rows, key) for key in ("property", "name", "itemprop")]
    for row, *names in zip(rows, *columns, strict=True):
        word = next(filter(None, names), "").lower()
        if word:
            words.append(word)
            if word in _TELLING:
                content = _WORD.search((read_attribute(document, row, "content") or "").lower())
                words.append(f"{word}={content[0] if content else ''}")
    for text in read_raw(document, "script"):
        words += [f"schema:{kind}" for kind in _SCHEMA_TYPE.findall(text)]
    return words


def list_title_words(page: PageView) -> list[str]:
    """Words of the title element."""
    words: list[str] = _WORD.findall(page.title.lower())
    return words


def list_label_words(page: PageView) -> list[str]:
    """Words of labels; for words of other languages also the English word of the rules that means the same."""
    texts = lower_text(page.columns)
    words = [word for at in np.flatnonzero(page.is_label).tolist() for word in _WORD.findall(texts[at])]
    same = _index_by_word(tuple(page.rules.same_words.items()))
    return words + [same[word] for word in words if word in same]


@lru_cache(maxsize=64)
def _index_by_word(same_words: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Word -> the English word that means the same."""
    return {word: meaning for meaning, words in same_words for word in words.split()}


def list_names_words(page: PageView) -> Iterable[str]:
    """Words of class and id names and the like."""
    return chain.from_iterable(map(split_name, find_names(page.columns).names))


LABEL: Final = "label"
NAMES: Final = "names"
_READ: Final[dict[str, Callable[[PageView], list[str]]]] = {
    "url": list_url_words,
    "head": list_head_words,
    "title": list_title_words,
}
CHANNELS: Final[dict[str, Callable[[PageView], Iterable[str]]]] = {
    **_READ,
    LABEL: list_label_words,
    NAMES: list_names_words,
}


def list_channel_words(page: PageView, channel: str) -> set[str]:
    """The words of one channel."""
    return set(CHANNELS[channel](page))


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words in the rules of page types, numbered: those of the card as in `list_card_words`, then the others.

    number: channel -> word -> number; label words that mean the same share a number. in_names, in_labels: lookup tables
    of the words of names and labels. name_numbers, label_numbers: int64 [n], the number of each word in these tables.
    """

    source: PageTypeRules
    number: Mapping[str, Mapping[str, int]]
    in_names: Lexicon
    name_numbers: Rows
    in_labels: Lexicon
    label_numbers: Rows

    def find_names(self, words: Words) -> set[int]:
        """The numbers of those words of names that are known."""
        return set(self.name_numbers[self.in_names.keys.find(words)[1]].tolist())

    def find_labels(self, words: Words, is_label: Mask) -> set[int]:
        """The numbers of those words that are known. is_label: bool [n_texts], the texts that are labels."""
        return set(self.label_numbers[self.in_labels.keys.find_wanted(words, is_label)].tolist())


class MatchedWords(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The words of a vocabulary that a page has, by number."""

    vocabulary: Vocabulary
    numbers: frozenset[int]

    def has(self, written: str) -> bool:
        """Whether the page has a word, written `channel:word` as in refinements."""
        channel, _, word = written.partition(":")
        return self.vocabulary.number[channel][word] in self.numbers


def list_card_words(card: Card) -> list[tuple[str, str]]:
    """(channel, word) of all words of a card, in its order."""
    return [(channel, word) for channel, words in card.words.items() for word in words]


@cached_per_rule_set
def compile_vocabulary(rules: PageTypeRules) -> Vocabulary:
    """Number the words of a rule set. Raises `RuleError` for a channel that does not exist."""
    number: dict[str, dict[str, int]] = {channel: {} for channel in CHANNELS}
    of_refinements = [
        written.partition(":")[::2] for refinement in rules.refinements.values() for written in refinement.words
    ]
    for place, (channel, word) in enumerate(dict.fromkeys([*list_card_words(rules.card), *of_refinements])):
        if channel not in CHANNELS:
            raise RuleError(f"no words of {channel!r}: one of {', '.join(CHANNELS)}", key="page_type")
        number[channel][word] = place
    names, labels = number[NAMES], number[LABEL]
    same = _index_by_word(tuple(rules.same_words.items()))
    twins = [(word, labels[meaning]) for word, meaning in same.items() if meaning in labels]
    of_labels = dict([*labels.items(), *twins])
    in_names, in_labels = make_lexicon(names), make_lexicon(of_labels)
    return Vocabulary(rules, number, in_names, _number(in_names, names), in_labels, _number(in_labels, of_labels))


def _number(known: Lexicon, numbers: Mapping[str, int]) -> Rows:
    """int64 [n_words]: the number of each word of a table."""
    return np.array([numbers[word] for word in known.words], dtype=np.intp)


def match_words(page: PageView) -> MatchedWords:
    """The words of the rules that the page has."""
    vocabulary, columns = compile_vocabulary(page.rules), page.columns
    numbers = vocabulary.find_names(find_name_words(columns))
    numbers |= vocabulary.find_labels(find_words(columns), page.is_label)
    for channel, read in _READ.items():
        number = vocabulary.number[channel]
        if number:
            numbers.update(number[word] for word in read(page) if word in number)
    return MatchedWords(vocabulary, frozenset(numbers))
