"""A set of words to look for, and which of them occur in texts and names: a hash table for arrays of hashes.

A Python dictionary would need each word of a page as a string, some thousand times a page. Here a word is a 64-bit hash
(its key), which `features.words` computes for all words of a page at once. The keys of the known words are sorted, and
divided into 2^14 buckets by their first 14 bits. For the words `nav` and `related`:

    key                 0x61f2.. (related)   0xf6f2.. (nav)
    bucket (14 bits)    0x187c               0x3dbc
    place in `key`      0                    1

A word is looked up among the keys of its bucket, of which most have none (`core/lexicon.py`). Two different words have
the same key with probability 2^-64, and would count as one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, TypeVar, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.features.words import LETTERS, LONGEST, Keys, Words, cut_words
from webclean.model import Floats, Mask, Rows

_Number = TypeVar("_Number", bound=np.integer[Any])

_BUCKET_BITS: Final = np.uint64(50)
_N_BUCKETS: Final = 1 << 14
_DIGITS: Final = 9
SUM_UNIT: Final = 10.0**_DIGITS
"""Sums of points are rounded to one part of this."""


@dataclass(frozen=True, slots=True, eq=False)
class WordSet:
    """The keys of the known words.

    key: uint64 [n + 1], rising; the last one is a sentinel. compiled: `core.WordSet`, which has them in buckets.
    """

    key: Keys
    compiled: Any

    def find(self, words: Words) -> tuple[Rows, Rows]:
        """The words that are in the set, as two int64 [n_found]: their rows in `words` and their places in `key`."""
        return cast("tuple[Rows, Rows]", self.compiled.find(words.key))

    def find_wanted(self, words: Words, wanted: Mask) -> Rows:
        """int64 [n_found]: the places in `key` of the words of the wanted texts. wanted: bool [n_texts]."""
        return cast("Rows", self.compiled.find_wanted(words.text, words.key, wanted.view(np.uint8)))

    def list_beginning(self, words: Words, wanted: Mask) -> list[int]:
        """The wanted texts of which the first word is in the set. wanted: bool [n_texts]."""
        return cast("list[int]", self.compiled.list_beginning(words.text, words.key, wanted.view(np.uint8)))

    def find_each_once(self, words: Words, wanted: Mask | None = None) -> tuple[Rows, Rows]:
        """Two int64 [n]: the text and the place in `key` of each known word; a word that a text repeats comes once.

        wanted: bool [n_texts], the texts to search, None for all.
        """
        flags = None if wanted is None else wanted.view(np.uint8)
        return cast("tuple[Rows, Rows]", self.compiled.find_each_once(words.text, words.key, flags))


def make_word_set(key: Keys) -> WordSet:
    """Build a set of words. key: uint64 [n], in any order, possibly with repetitions."""
    rising = _sort_distinct(key)
    size = np.bincount(_find_buckets(rising), minlength=_N_BUCKETS)
    first = np.concatenate(([0], np.cumsum(size)))
    key = np.append(rising, np.iinfo(np.uint64).max)
    return WordSet(key, core.WordSet(key, first, int(_BUCKET_BITS)))


def _find_buckets(key: Keys) -> Rows:
    """int64 [n]: the bucket of each key, its first 14 bits."""
    return (key >> _BUCKET_BITS).astype(np.intp)


def _sort_distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """The distinct values, rising. For a few hundred values this takes a fraction of the time of `numpy.unique`."""
    ordered = np.sort(values)
    return np.concatenate((ordered[:1], ordered[1:][ordered[1:] != ordered[:-1]]))


def round_sums(points: Floats) -> Floats:
    """Round sums of points, so that they do not depend on the order of summation: 0.1 + 0.2 becomes 0.3."""
    return np.round(points, _DIGITS)


class Found(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The known words (or phrases) in some texts, one row for each text and word.

    text: int64 [n], number of the text. place: int64 [n], place of the word in its lexicon.
    """

    text: Rows
    place: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Known words and their keys. words: in the order of `keys.key`, so that a place found there is an index here."""

    words: tuple[str, ...]
    keys: WordSet

    def find(self, words: Words, wanted: Mask | None = None) -> Found:
        """The known words of the wanted texts; one that a text repeats comes once. wanted: None for all."""
        return Found(*self.keys.find_each_once(words, wanted))


def make_lexicon(known: Iterable[str]) -> Lexicon:
    """Build a lexicon of lower-case words. What is not a single word can never be found, so it is left out."""
    words = [word for word in dict.fromkeys(known) if LETTERS.fullmatch(word) and len(word) <= LONGEST]
    key = cut_words(words).key
    return Lexicon(tuple(words[at] for at in np.argsort(key).tolist()), make_word_set(key))


@dataclass(frozen=True, slots=True, eq=False)
class WordWeights:
    """Words and their points. points: float64 [n_kinds, n_words], in the order of `lexicon.words`."""

    lexicon: Lexicon
    points: Floats

    def add_up(self, found: Found, n_texts: int, kind: int = 0) -> Floats:
        """float64 [n_texts]: sum of the points of each text's words. kind: row of `points`."""
        totals: Floats = np.bincount(found.text, self.points[kind][found.place], minlength=n_texts).astype(np.float64)
        return round_sums(totals)


def make_word_weights(*kinds: Mapping[str, float]) -> WordWeights:
    """Build the table of several kinds of points.

    Args:
        *kinds: lower-case word -> points. A word that is missing in one of them has 0 points of that kind.
    """
    lexicon = make_lexicon(chain(*kinds))
    table = [[points.get(word, 0.0) for word in lexicon.words] for points in kinds]
    return WordWeights(lexicon, np.array(table, dtype=np.float64))
