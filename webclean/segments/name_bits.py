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
from webclean.features.names import find_names
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


@lru_cache(maxsize=16)
def _make_name_bits(tokens: tuple[tuple[str, str], ...]) -> NameBits:
    bits: dict[str, int] = {}
    for i, (_, words) in enumerate(tokens):
        for word in words.split():
            bits[word] = bits.get(word, 0) | 1 << i
    return NameBits(bits)


def get_name_bits(rules: Segments) -> NameBits:
    """The cache for the groups of tokens of a rule set."""
    return _make_name_bits(tuple(rules.tokens.items()))


@cached_per_page
def find_name_bits(page: PageColumns, rules: Segments) -> NDArray[np.int64]:
    """int64 [n_elements], as bits: the groups of tokens of which its tag or naming attributes have a word."""
    table = find_names(page)
    found = list(map(get_name_bits(rules).__getitem__, table.names))
    return np.array(found, dtype=np.int64)[table.index]
