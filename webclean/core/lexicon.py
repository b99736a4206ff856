"""Hashes of words -> which of them are in a set of words (`features.words`)."""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

_FILTER_BITS = cython.declare(cython.int, 3)
"""Bits of a key, beyond those that tell its bucket, by which it may be in a set. So few that the filters of all sets
stay in the processor's nearest cache together."""


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
    filter_shift: cython.int

    def __init__(self, key: Any, first: Any, shift: int) -> None:
        """key: uint64 [n + 1]; first: int64 [n_buckets + 1], where each bucket begins; shift: bits below its number."""
        bit: cython.Py_ssize_t
        self.key, self.first, self.shift = key, np.asarray(first, dtype=np.intc), shift
        self.filter_shift = self.shift - _FILTER_BITS
        self.may_have = np.zeros(((1 << (64 - self.filter_shift)) + 63) // 64, dtype=np.uint64)
        for i in range(self.key.shape[0] - 1):
            bit = self.key[i] >> self.filter_shift
            self.may_have[bit >> 6] |= cython.cast(cython.ulonglong, 1) << (bit & 63)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def look_up(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """The place of a key, -1 if it is not in the set."""
        bit: cython.Py_ssize_t = key >> self.filter_shift
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
