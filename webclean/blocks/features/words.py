"""Texts -> their words as columns: the text each stands in and a number that stands for its letters.

A word is a run of letters; a run of CJK characters is one word. The number is a polynomial of the characters modulo
2^64 (Karp and Rabin, 1987), computed over all texts at once: no string is cut, and words are compared as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean.model import Floats, Mask, Rows

Keys = NDArray[np.uint64]
_Number = TypeVar("_Number", bound=np.integer[Any])

LONGEST: Final = 400
"""Characters of the longest text whose words are cut."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_PLANES: Final = (1 << 16, 4 << 16)
"""Code points: nearly all letters of Unicode stand on its first plane, the others on the next three."""
_PART: Final = 512
_ROOM: Final = _PART * (LONGEST + 1) + 1
_BASE: Final = 0x9E3779B97F4A7C15
_TOP_BITS: Final = np.uint64(48)
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """One row for each word, in the order of the texts.

    text: int64 [n_words], number of the text; key: uint64 [n_words], equal for equal words; length: int64 [n_words],
    characters.
    """

    text: Rows
    key: Keys
    length: Rows


def cut_words(texts: Sequence[str]) -> Words:
    """The words of texts without newlines, as they are written. A text over `LONGEST` characters counts as empty."""
    parts = [_cut_part(texts[at : at + _PART], at) for at in range(0, max(1, len(texts)), _PART)]
    if len(parts) == 1:
        return parts[0]
    columns = ([getattr(part, name) for part in parts] for name in ("text", "key", "length"))
    return Words(*map(np.concatenate, columns))


def _cut_part(texts: Sequence[str], first: int) -> Words:
    """Words of at most `_PART` texts; first: number of the first one."""
    joined = "\n".join(["", *(text if len(text) <= LONGEST else "" for text in texts), ""])
    code = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.intp)
    is_letter = _find_letters(_PLANES[int(code.max()) >= _PLANES[0]]).take(code, mode="clip")
    bounds = np.flatnonzero(is_letter[1:] != is_letter[:-1]) + 1
    if not len(bounds):
        return Words(bounds, bounds.astype(np.uint64), bounds)
    start, end = bounds[::2], bounds[1::2]
    power, inverse = _list_powers()
    key = np.add.reduceat(code.view(np.uint64) * power[: len(code)], bounds)[::2] * inverse[start]
    n_words = np.diff(start.searchsorted(np.flatnonzero(code == ord("\n"))))
    return Words(np.repeat(np.arange(first, first + len(texts)), n_words), key, end - start)


@cache
def _list_powers() -> tuple[Keys, Keys]:
    """Twice uint64 [_ROOM]: rising powers of the base modulo 2^64, and what undoes them."""
    return _raise_power(_BASE), _raise_power(pow(_BASE, -1, 1 << 64))


def _raise_power(base: int) -> Keys:
    return np.multiply.accumulate(np.full(_ROOM, base, dtype=np.uint64))


@cache
def _find_letters(n: int) -> Mask:
    """bool [n + 1]: whether a code point is a letter, false for the last entry."""
    table = np.zeros(n + 1, dtype=bool)
    for run in _LETTERS.finditer(np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")):
        table[run.start() : run.end()] = True
    return table


@dataclass(frozen=True, slots=True, eq=False)
class WordSet:
    """Words to look for. key: uint64 [n], rising; is_known: bool [65536], whether some key begins with these bits."""

    key: Keys
    is_known: Mask

    def find(self, words: Words) -> tuple[Rows, Rows]:
        """Which of the words are in the set, twice int64 [n_found]: their rows and their places in `key`."""
        rows = np.flatnonzero(self.is_known[(words.key >> _TOP_BITS).astype(np.intp)])
        place = self.key.searchsorted(words.key[rows])
        found = self.key[np.minimum(place, len(self.key) - 1)] == words.key[rows]
        return rows[found], place[found]

    def find_each_once(self, words: Words) -> tuple[Rows, Rows]:
        """As `find`, but twice int64 [n]: text and place, each pair once."""
        rows, place = self.find(words)
        pairs = _sort_distinct(words.text[rows] * len(self.key) + place)
        return pairs // len(self.key), pairs % len(self.key)


def make_word_set(key: Keys) -> WordSet:
    """A set of at least one word. key: uint64 [n], in any order, possibly with repetitions."""
    is_known = np.zeros(1 << 16, dtype=bool)
    is_known[(key >> _TOP_BITS).astype(np.intp)] = True
    return WordSet(_sort_distinct(key), is_known)


def _sort_distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """The distinct values, rising. For some hundred values a fraction of the cost of `numpy.unique`."""
    ordered = np.sort(values)
    return np.concatenate((ordered[:1], ordered[1:][ordered[1:] != ordered[:-1]]))


def round_sums(points: Floats) -> Floats:
    """Sums of short decimals without the last digits, which tell in what order they were summed and nothing else."""
    return np.round(points, _DIGITS)


@dataclass(frozen=True, slots=True, eq=False)
class WordWeights:
    """Words with points: float64 [n], one for each key of the set."""

    words: WordSet | None
    points: Floats

    def add_up(self, words: Words, n_texts: int) -> Floats:
        """float64 [n_texts]: the points of the words of each text, each word once."""
        if self.words is None:
            return np.zeros(n_texts)
        text, place = self.words.find_each_once(words)
        totals: Floats = np.bincount(text, self.points[place], minlength=n_texts).astype(np.float64)
        return round_sums(totals)


def weigh_words(points: Mapping[str, float]) -> WordWeights:
    """Points by word, lower case, as a table. What is not a single word is never found and left out."""
    known = [word for word in points if _LETTERS.fullmatch(word) and len(word) <= LONGEST]
    if not known:
        return WordWeights(None, np.zeros(0))
    key = cut_words(known).key
    order = np.argsort(key)
    return WordWeights(make_word_set(key), np.array([points[word] for word in known])[order])
