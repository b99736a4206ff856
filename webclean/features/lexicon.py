"""Known words as a table, and which of them stand in texts and names: looked up as numbers, many at once.

A dictionary of strings would cut each word out of its text and hash it, some thousand times a page. Here a word is the
number that `features.words` computes of its letters for all words of a page at once, and the table is sorted by these:

    known words   sorted keys         buckets by the first 14 bits
    nav, related  0x1234.., 0x1236..  bucket 0x048D begins at place 0 and holds 2 keys

The bucket of each word of the page says where its key would stand. Most buckets are empty, so most words are done with
there; the others step on while the key at their place is smaller, as often as the fullest bucket has further keys,
and are found when the key is equal. Two words with equal keys (one pair in 2^64) would count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean.features.words import LETTERS, LONGEST, Keys, Words, cut_names, cut_words
from webclean.model import Floats, Mask, Rows

_Number = TypeVar("_Number", bound=np.integer[Any])

_BUCKET_BITS: Final = np.uint64(50)
_N_BUCKETS: Final = 1 << 14
_PLACE_BITS: Final = 32
_MOST_NAMES: Final = 1 << 14
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True, eq=False)
class WordSet:
    """Words to look for, in buckets by the first bits of their keys.

    key: uint64 [n + 1], rising, the last one larger than any word's. first: int64 [_N_BUCKETS + 1], where each bucket
    begins in `key`; is_full: bool [_N_BUCKETS]. longest: keys in the fullest bucket.
    """

    key: Keys
    first: Rows
    is_full: Mask
    longest: int

    def find(self, words: Words) -> tuple[Rows, Rows]:
        """Which of the words are in the set, twice int64 [n_found]: their rows and their places in `key`."""
        bucket = _find_buckets(words.key)
        rows = np.flatnonzero(self.is_full[bucket])
        key, place = words.key[rows], self.first[bucket[rows]]
        for _ in range(self.longest - 1):
            place += self.key[place] < key
        found = np.flatnonzero(self.key[place] == key)
        return rows[found], place[found]

    def find_each_once(self, words: Words) -> tuple[Rows, Rows]:
        """As `find`, but twice int64 [n]: text and place, each pair once."""
        rows, place = self.find(words)
        pairs = _sort_distinct(words.text[rows] << _PLACE_BITS | place)
        return pairs >> _PLACE_BITS, pairs & (1 << _PLACE_BITS) - 1


def make_word_set(key: Keys) -> WordSet:
    """A set of words. key: uint64 [n], in any order, possibly with repetitions."""
    rising = _sort_distinct(key)
    size = np.bincount(_find_buckets(rising), minlength=_N_BUCKETS)
    first = np.concatenate(([0], np.cumsum(size)))
    return WordSet(np.append(rising, np.iinfo(np.uint64).max), first, size > 0, int(size.max()))


def _find_buckets(key: Keys) -> Rows:
    """int64 [n]: the first bits of keys."""
    return (key >> _BUCKET_BITS).astype(np.intp)


def _sort_distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """The distinct values, rising. For some hundred values a fraction of the cost of `numpy.unique`."""
    ordered = np.sort(values)
    return np.concatenate((ordered[:1], ordered[1:][ordered[1:] != ordered[:-1]]))


def round_sums(points: Floats) -> Floats:
    """Sums of short decimals without the last digits, which tell in what order they were summed and nothing else."""
    return np.round(points, _DIGITS)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Known words: `words` in the order of the keys of the set."""

    words: tuple[str, ...]
    keys: WordSet


def make_lexicon(known: Iterable[str]) -> Lexicon:
    """A table of lower-case words. What is not a single word is never found and left out."""
    words = [word for word in dict.fromkeys(known) if LETTERS.fullmatch(word) and len(word) <= LONGEST]
    key = cut_words(words).key
    return Lexicon(tuple(words[at] for at in np.argsort(key).tolist()), make_word_set(key))


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Words of texts that a lexicon knows, each once a text: twice int64 [n], the text and the place of the word."""

    text: Rows
    place: Rows


class NameLexicon(dict[str, tuple[int, ...]]):
    """Name -> the places of its words in a lexicon, each once.

    Pages of a site share most of their names: what was found in one is kept for the next page, but never for more than
    `_MOST_NAMES` of them.
    """

    def __init__(self, known: Lexicon) -> None:
        super().__init__()
        self.known = known

    def find(self, names: Sequence[str]) -> Found:
        """The known words of names, each once a name."""
        known = self._find_places(names)
        n_words = list(map(len, known))
        place = np.fromiter(chain.from_iterable(known), dtype=np.intp, count=sum(n_words))
        return Found(np.repeat(np.arange(len(names)), n_words), place)

    def _find_places(self, names: Sequence[str]) -> list[tuple[int, ...]]:
        met = list(map(self.get, names))
        known = [places for places in met if places is not None]
        if len(known) == len(names):
            return known
        fresh = [names[number] for number, places in enumerate(met) if places is None]
        if len(self) + len(fresh) > _MOST_NAMES:
            self.clear()
        found = dict(zip(fresh, self._look_up(fresh), strict=True))
        self.update(found)
        return [found[name] if places is None else places for name, places in zip(names, met, strict=True)]

    def _look_up(self, names: list[str]) -> list[tuple[int, ...]]:
        if not names:
            return []
        text, place = self.known.keys.find_each_once(cut_names(names))
        bounds = np.searchsorted(text, np.arange(len(names) + 1)).tolist()
        return [tuple(place[low:high].tolist()) for low, high in pairwise(bounds)]


@dataclass(frozen=True, slots=True, eq=False)
class WordWeights:
    """Words with points of one or several kinds: float64 [n_kinds, n_words]."""

    known: Lexicon
    points: Floats

    def find(self, words: Words) -> Found:
        """The words that have points, each once a text."""
        return Found(*self.known.keys.find_each_once(words))

    def add_up(self, found: Found, n_texts: int, kind: int = 0) -> Floats:
        """float64 [n_texts]: the points of one kind of the words of each text."""
        totals: Floats = np.bincount(found.text, self.points[kind][found.place], minlength=n_texts).astype(np.float64)
        return round_sums(totals)


def weigh_words(*kinds: Mapping[str, float]) -> WordWeights:
    """Points by word, lower case, as a table; a word that a kind does not name has no points of it."""
    known = make_lexicon(chain(*kinds))
    table = [[points.get(word, 0.0) for word in known.words] for points in kinds]
    return WordWeights(known, np.array(table, dtype=np.float64))
