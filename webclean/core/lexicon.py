"""Words -> which of them are in a set of words, by the hashes of `features.words`; groups of equal keys; hashes of the
names above an element.

Enters: hashes of words; keys; `parent` of a tree and names of its elements. Leaves: places in the set; numbers of
groups; a hash. Keep: the keys of a set rise, and the last is no word
(`features.words.make_word_set`); tables have a power of two of places and at least half of them free, so each search
ends; numbers of groups rise with their keys. Tested by `tests/core/test_names.py` and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.stdlib import qsort

from webclean.core.page import Page

GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: products with it spread numbers that follow each other (Knuth, volume 3, 6.4)."""
_FILTER_BITS = cython.declare(cython.int, 3)
"""Bits of a key, beyond those that tell its bucket, by which it may be in a set. So few that the filters of all sets
stay in the processor's nearest cache together."""


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
        self.key, self.first, self.shift = key, np.asarray(first, dtype=np.intc), shift
        # a bit of the filter is a bucket and `_FILTER_BITS` more bits of the key: 8 bits a bucket, of which the
        # words of the bucket set one or none
        self.filter_shift = self.shift - _FILTER_BITS
        self.may_have = np.zeros(((1 << (64 - self.filter_shift)) + 63) // 64, dtype=np.uint64)
        # without the sentinel: its bit would let the largest keys of all pages through
        for i in range(self.key.shape[0] - 1):
            bit: cython.Py_ssize_t = self.key[i] >> self.filter_shift
            self.may_have[bit >> 6] |= cython.cast(cython.ulonglong, 1) << (bit & 63)

    @cython.inline
    @cython.exceptval(check=False)
    def look_up(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """The place of a key, -1 if it is not in the set."""
        bit: cython.Py_ssize_t = key >> self.filter_shift
        # most words of a page leave here: they are in no set
        if not self.may_have[bit >> 6] >> (bit & 63) & 1:
            return -1
        place: cython.Py_ssize_t = self.first[key >> self.shift]
        end: cython.Py_ssize_t = self.first[(key >> self.shift) + 1]
        # a bucket holds one word or none mostly (`make_word_set`): searching by halves would take longer
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
        for i in range(keys.shape[0]):
            place: cython.Py_ssize_t = self.look_up(keys[i])
            if place >= 0:
                found[0, n] = i
                found[1, n] = place
                n += 1
        return made[0, :n], made[1, :n]


# the prime of the 64-bit FNV hash: multiplying by it after each key makes the hash depend on their order
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)


@cython.exceptval(check=False)
def hash_path(
    parent: cython.pointer[cython.const[cython.longlong]],
    names: cython.pointer[cython.const[cython.longlong]],
    n_levels: cython.int,
    row: cython.Py_ssize_t,
) -> cython.ulonglong:
    """A hash of the names of a row and the elements above it."""
    total: cython.ulonglong = 0
    for _level in range(n_levels):
        # in order, so that `div > p` and `p > div` differ; names by their product with GOLDEN, for they are small
        # numbers
        total = total * PRIME ^ cython.cast(cython.ulonglong, names[row]) * GOLDEN
        # above the root, the root again: all paths have as many levels
        row = parent[row] if parent[row] > 0 else 0
    return total


def number_paths(
    page: Page,
    names: cython.const[cython.longlong][::1],
    n_levels: cython.int,
    inside: cython.const[cython.longlong][:],
) -> Any:
    """int64 [n_blocks]: equal for blocks of which the names of the element and of those above it are equal.

    names, n_levels: number of the name of each element, and elements of the path. inside: [n_blocks], blocks of which
    this differs are never equal.
    """
    keys: cython.ulonglong[::1] = np.empty(page.n_blocks + 1, dtype=np.uint64)
    made = np.empty(page.n_blocks, dtype=np.int64)
    group: cython.longlong[::1] = made
    for i in range(page.n_blocks):
        path = hash_path(page.parent, cython.address(names[0]), n_levels, page.row[i])
        keys[i] = path ^ cython.cast(cython.ulonglong, inside[i] + 1) * PRIME
    if page.n_blocks:
        number_keys(cython.address(keys[0]), page.n_blocks, cython.address(group[0]), Page(32 * page.n_blocks))
    return made


def number_keys(
    keys: cython.pointer[cython.const[cython.ulonglong]], n: cython.Py_ssize_t, group: cython.p_longlong, page: Page
) -> cython.bint:
    """group: the number of each key among the distinct ones, rising. page: whose memory is used meanwhile."""
    size: cython.Py_ssize_t = 16
    while size < 2 * n:
        size *= 2
    # 1 + the first entry with a key, by its hash
    table: cython.p_longlong = page.take_rows(size, True)
    # the keys, each with its first number
    distinct: cython.pointer[cython.ulonglong] = cython.cast(cython.pointer[cython.ulonglong], page.take(16 * n + 16))
    number: cython.p_longlong = page.take_rows(n + 1)
    n_groups: cython.Py_ssize_t = 0
    for i in range(n):
        # 1 more than the entry in the table, so that fresh zeros mean "free"
        place: cython.Py_ssize_t = ((keys[i] * GOLDEN) >> 20) & (size - 1)
        while table[place] and keys[table[place] - 1] != keys[i]:
            place = (place + 1) & (size - 1)
        if table[place]:
            group[i] = group[table[place] - 1]
            continue
        table[place] = i + 1
        group[i] = n_groups
        distinct[2 * n_groups] = keys[i]
        distinct[2 * n_groups + 1] = n_groups
        n_groups += 1
    # numbers rise with the keys: of paths that tie, `find_main_path` takes the lowest, and on a page without running
    # text all tie; cards were learnt with that one
    qsort(distinct, n_groups, 2 * cython.sizeof(cython.ulonglong), _compare_keys)
    for i in range(n_groups):
        number[distinct[2 * i + 1]] = i
    for i in range(n):
        group[i] = number[group[i]]


@cython.nogil
@cython.exceptval(check=False)
def _compare_keys(one: cython.p_const_void, other: cython.p_const_void) -> cython.int:
    left: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], one)[0]
    right: cython.ulonglong = cython.cast(cython.pointer[cython.const[cython.ulonglong]], other)[0]
    return (left > right) - (left < right)
