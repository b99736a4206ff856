"""Names of elements -> groups of tokens (`segments.tokens`), as bits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.caching import cached_per_page
from webclean.features import PageColumns
from webclean.features.lexicon import Lexicon, make_lexicon
from webclean.features.names import find_name_words, find_names
from webclean.features.word_points import split_name
from webclean.rules.segments_schema import Segments

_MOST_NAMES: Final = 1 << 14


class NameBits(dict[str, int]):
    """A cache: name -> the groups of tokens of which it has a word, as bits. It outlives a page, since names recur."""

    def __init__(self, bits: Mapping[str, int]) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, name: str) -> int:
        if len(self) >= _MOST_NAMES:
            self.clear()
        found = self[name] = reduce(or_, (self._bits.get(word, 0) for word in split_name(name)), 0)
        return found


def _list_bits(tokens: tuple[tuple[str, str], ...]) -> dict[str, int]:
    """Word -> the groups that it is of, as bits. tokens: (group, its words)."""
    bits: dict[str, int] = {}
    for i, (_, words) in enumerate(tokens):
        for word in words.split():
            bits[word] = bits.get(word, 0) | 1 << i
    return bits


@lru_cache(maxsize=16)
def _make_name_bits(tokens: tuple[tuple[str, str], ...]) -> NameBits:
    return NameBits(_list_bits(tokens))


def get_name_bits(rules: Segments) -> NameBits:
    """The cache for the groups of tokens of a rule set."""
    return _make_name_bits(tuple(rules.tokens.items()))


@lru_cache(maxsize=16)
def _make_bit_table(tokens: tuple[tuple[str, str], ...]) -> tuple[Lexicon, NDArray[np.int64]]:
    """The words of all groups, and int64 [n_words]: the groups of each, as bits."""
    bits = _list_bits(tokens)
    lexicon = make_lexicon(bits)
    return lexicon, np.array([bits[word] for word in lexicon.words], dtype=np.int64)


@cached_per_page
def find_name_bits(page: PageColumns, rules: Segments) -> NDArray[np.int64]:
    """int64 [n_elements], as bits: the groups of tokens of which its tag or naming attributes have a word."""
    lexicon, bits = _make_bit_table(tuple(rules.tokens.items()))
    names, words = find_names(page), find_name_words(page)
    found, place = lexicon.keys.find(words)
    of_name = np.zeros(len(names.names), dtype=np.int64)
    np.bitwise_or.at(of_name, words.text[found], bits[place])
    return of_name[names.index]
