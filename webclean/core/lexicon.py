"""Hashes of words -> which of them are in a set of words or begin a phrase of one.

The sets are those of `features.words`, the phrases those of `features.word_points`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

_FILTER_BITS = cython.declare(cython.int, 17)
"""Bits of a key that tell whether it may be in a set: some sixty times as many places as a set has words."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _insert(
    pairs: cython.longlong[:, ::1],
    n: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    text: cython.longlong,
    place: cython.longlong,
) -> cython.Py_ssize_t:
    """Insert a pair of a text and a place among those of the text, which begin at `first` and rise; the number of pairs
    then, as before if the pair is there already."""
    at: cython.Py_ssize_t = n
    while at > first and pairs[1, at - 1] > place:
        at -= 1
    if at > first and pairs[1, at - 1] == place:
        return n
    for i in range(n, at, -1):
        pairs[1, i] = pairs[1, i - 1]
    pairs[0, n] = text
    pairs[1, at] = place
    return n + 1


@cython.final
@cython.cclass
class WordSet:
    """A set of keys: sorted, the last one a sentinel, and in buckets by their first bits.

    Most words of a page are not in the set: bits that stay in the processor's nearest cache, several for each bucket,
    tell so of nearly all.
    """

    key: cython.const[cython.ulonglong][::1]
    first: cython.int[::1]
    may_have: cython.ulonglong[::1]
    shift: cython.int

    def __init__(self, key: Any, first: Any, shift: int) -> None:
        """key: uint64 [n + 1]; first: int64 [n_buckets + 1], where each bucket begins; shift: bits below its number."""
        bit: cython.Py_ssize_t
        self.key, self.first, self.shift = key, np.asarray(first, dtype=np.intc), shift
        self.may_have = np.zeros((1 << _FILTER_BITS) // 64, dtype=np.uint64)
        for i in range(self.key.shape[0] - 1):
            bit = self.key[i] >> (64 - _FILTER_BITS)
            self.may_have[bit >> 6] |= cython.cast(cython.ulonglong, 1) << (bit & 63)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def look_up(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """The place of a key, -1 if it is not in the set."""
        bit: cython.Py_ssize_t = key >> (64 - _FILTER_BITS)
        if not self.may_have[bit >> 6] >> (bit & 63) & 1:
            return -1
        place: cython.Py_ssize_t = self.first[key >> self.shift]
        end: cython.Py_ssize_t = self.first[(key >> self.shift) + 1]
        while place < end:
            if self.key[place] == key:
                return place
            place += 1
        return -1

    def find(self, keys: cython.const[cython.ulonglong][:]) -> Any:
        """Rows and places of the keys that are in the set."""
        made = np.empty((2, keys.shape[0]), dtype=np.int64)
        found: cython.longlong[:, ::1] = made
        n: cython.Py_ssize_t = 0
        place: cython.Py_ssize_t
        for i in range(keys.shape[0]):
            place = self.look_up(keys[i])
            if place >= 0:
                found[0, n] = i
                found[1, n] = place
                n += 1
        return made[0, :n], made[1, :n]

    def find_wanted(
        self,
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
        wanted: cython.const[cython.uchar][:],
    ) -> Any:
        """Places of the keys that are in the set and in wanted texts. texts: of the keys; wanted: uint8 [n_texts]."""
        made = np.empty(keys.shape[0], dtype=np.int64)
        found: cython.longlong[::1] = made
        n: cython.Py_ssize_t = 0
        for i in range(keys.shape[0]):
            if wanted[texts[i]]:
                place = self.look_up(keys[i])
                if place >= 0:
                    found[n] = place
                    n += 1
        return made[:n]

    def list_beginning(
        self,
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
        wanted: cython.const[cython.uchar][:],
    ) -> list:
        """The wanted texts of which the first key is in the set. texts: rising; wanted: uint8 [n_texts]."""
        return [
            texts[i]
            for i in range(keys.shape[0])
            if (i == 0 or texts[i - 1] != texts[i]) and wanted[texts[i]] and self.look_up(keys[i]) >= 0
        ]

    def find_each_once(
        self,
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
        wanted: Any,
    ) -> Any:
        """Text and place of each known word of the wanted texts, each once a text; by text, then by place.

        texts: rising; wanted: uint8 [n_texts], None for all.
        """
        made = np.empty((2, keys.shape[0]), dtype=np.int64)
        pairs: cython.longlong[:, ::1] = made
        n: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        is_chosen: cython.bint = wanted is not None
        flags: cython.const[cython.uchar][:] = wanted if is_chosen else np.zeros(0, dtype=np.uint8)
        for i in range(keys.shape[0]):
            if is_chosen and not flags[texts[i]]:
                continue
            place = self.look_up(keys[i])
            if place >= 0:
                if n and pairs[0, n - 1] != texts[i]:
                    first = n
                n = _insert(pairs, n, first, texts[i], place)
        return made[0, :n], made[1, :n]

    def find_phrases(
        self,
        whole: WordSet,
        lengths: tuple[int, ...],
        next_word: cython.ulonglong,
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
        wanted: cython.const[cython.uchar][:],
    ) -> Any:
        """Text and place in `whole` of each phrase that begins with a word of this set, each once a text.

        lengths: of phrases in words, rising; next_word: factor of the key before that of the next word is added;
        wanted: uint8 [n_texts], where to look.
        """
        n: cython.Py_ssize_t = keys.shape[0]
        longest: cython.Py_ssize_t = lengths[len(lengths) - 1]
        is_length: cython.ulonglong = 0  # a bit for each length
        pairs: cython.longlong[:, ::1] = np.empty((2, 64), dtype=np.int64)
        n_pairs: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t
        key: cython.ulonglong
        for size in lengths:
            is_length |= cython.cast(cython.ulonglong, 1) << size
        for i in range(n):
            if not wanted[texts[i]] or self.look_up(keys[i]) < 0:
                continue
            key = 0
            for size in range(1, longest + 1):
                if i + size > n or texts[i + size - 1] != texts[i]:
                    break
                key = key * next_word + keys[i + size - 1]
                place = whole.look_up(key) if is_length >> size & 1 else -1
                if place < 0:
                    continue
                if n_pairs == pairs.shape[1]:
                    pairs = np.concatenate((pairs, np.empty((2, n_pairs), dtype=np.int64)), axis=1)
                if n_pairs and pairs[0, n_pairs - 1] != texts[i]:
                    first = n_pairs
                n_pairs = _insert(pairs, n_pairs, first, texts[i], place)
        return np.asarray(pairs)[0, :n_pairs], np.asarray(pairs)[1, :n_pairs]
