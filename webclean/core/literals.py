"""Texts -> which of them have a literal that an expression needs, whatever its case.

An expression of a rule is found in few texts of a page, and most need some literal: "read more", "版权所有". One pass
over the characters finds the texts that have one of them, and only those are worth asking the expression itself.

    text      s h a r e   t h i s      the last four characters are one number, and bits of a small table tell whether
              |-----|                  any literal begins with them: nearly none does
                              |-|      literals of fewer characters are found by their end: by the last one, which tells
                                       how long they may be, then by the last two

Enters: texts, or the attributes of a page; literals in folded case. Leaves: pairs of a text (or row) and the number of
an expression that has a literal in it. Keep: more may be found than an expression matches, never less; bits in a table
say "may be", and only `_look_up`, which compares all characters, says "is". Tested by
`tests/matching/test_expressions.py`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND

from webclean.core.attributes import Attributes, Values
from webclean.core.lexicon import GOLDEN
from webclean.core.texts import Chars

BEYOND = cython.declare(cython.uint, 0xFFFF)
"""The last code point of the plane that literals are of. Those beyond it are read as 0, which no literal has."""
_WINDOW = cython.declare(cython.int, 4)
"""Characters, of 16 bits each, that are one number of 64 bits: the first of a literal."""
_LATIN = cython.declare(cython.uint, 256)
"""Characters of which all is told by one look into a table that stays in the processor's nearest cache: Latin, which
classes and addresses are of on pages in any language."""
_PAIR = cython.declare(cython.ulonglong, 0xFFFFFFFF)
"""Of the window, the last two characters."""
_SINGLE = cython.declare(cython.uint, 1 << 17)
"""Of a sign, as `_read_sign` gives it: a literal is this character alone."""


@cache
def list_case_folds() -> Any:
    """uint16 [2^16]: one character for all that differ in case alone, as RE2 takes them: `ſ` is an s, `ς` is a sigma.

    What becomes several letters (`ß`, ss) stands for all that become the same.
    """
    # a table of the plane, made once a process, instead of a call of `casefold` for each character
    found = np.arange(1 << 16, dtype=np.uint16)
    of_several: dict = {}
    for point in range(1 << 16):
        folded = chr(point).casefold()
        # `ß` folds to two letters: it stands for itself, and for all that fold to the same two
        is_one = len(folded) == 1 and folded <= "\uffff"
        found[point] = ord(folded) if is_one else of_several.setdefault(folded, point)
    return found


@cython.inline
@cython.exceptval(check=False)
def _place_of(c: cython.uint) -> cython.uint:
    """Where a character stands in a table of few. Letters of ASCII, which most texts are of, share no place with signs
    beyond it, which most short literals are of."""
    return c if c < 128 else 128 + (c & 1023)


class LiteralSet:
    """Literals to be found all at once. Each belongs to a number, of an expression that needs one of its literals."""

    fold: cython.const[cython.ushort][::1]
    chars: cython.ushort[::1]  # of all literals, one after the other
    start: cython.int[::1]  # where each begins, and the end
    owner: cython.int[::1]
    at_start: cython.uchar[::1]
    key: cython.ulonglong[::1]  # of the first characters, `_WINDOW` at most
    following: cython.int[::1]  # the next literal of the same bucket, -1 for none
    bucket: cython.int[::1]  # the first literal of each, by 8 bits of a hash of the key
    may_begin: cython.ulonglong[::1]  # bits, by 16 bits of the hash of the first `_WINDOW` characters, or fewer
    may_start: cython.ulonglong[::1]  # the same of those that must begin a text, however short
    ends_short: cython.uchar[::1]  # by the last character of shorter ones (`_place_of`): a bit for each length
    ends_pair: cython.ulonglong[::1]  # bits, by 12 bits of a hash of the last two characters of shorter ones
    near: cython.uint[::1]  # of each of the first `_LATIN` characters, its sign (`_read_sign`)
    last_text: cython.longlong[::1]  # the text in which each number was found last, lest it is told twice

    def __init__(self, literals: list[str], owner: list[int], at_start: list[bool]) -> None:
        """literals: in the case of `list_case_folds`; owner: number of each; at_start: whether it must begin the
        text."""
        n: cython.Py_ssize_t = len(literals)
        self.fold = list_case_folds()
        # two bytes a character: none is beyond the first plane, where text is read as 0
        self.chars = np.frombuffer("".join(literals).encode("utf-16-le"), dtype=np.uint16).copy()
        self.start = np.cumsum([0, *map(len, literals)]).astype(np.intc)
        self.owner = np.array(owner, dtype=np.intc)
        self.at_start = np.array(at_start, dtype=np.uint8)
        self.key = np.zeros(n, dtype=np.uint64)
        self.following = np.full(n, -1, dtype=np.intc)
        self.bucket = np.full(256, -1, dtype=np.intc)
        self.may_begin = np.zeros(1 << 10, dtype=np.uint64)
        self.may_start = np.zeros(1 << 10, dtype=np.uint64)
        # the number of places that `_place_of` can give
        self.ends_short = np.zeros(128 + 1024, dtype=np.uint8)
        self.ends_pair = np.zeros(64, dtype=np.uint64)
        self.last_text = np.empty(max(owner) + 1 if n else 0, dtype=np.int64)
        for i in range(n):
            self._add(i, min(len(literals[i]), _WINDOW))
        # last: it is read off the tables that the literals have filled
        self.near = np.array([self._read_sign(c) for c in range(_LATIN)], dtype=np.uintc)

    def _add(self, i: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.void:
        """Enter a literal into the tables. size: characters of it that are its key."""
        for at in range(size):
            self.key[i] = self.key[i] << 16 | self.chars[self.start[i] + at]
        hashed = self.key[i] * GOLDEN
        self.following[i] = self.bucket[hashed >> 56]
        # of one product the high bits choose the bucket, and the same and more the bit: one multiplication for both
        self.bucket[hashed >> 56] = i
        # they have tables of their own, which are looked up only at the first characters of a text
        if self.at_start[i]:
            self.may_start[hashed >> 54] |= cython.cast(cython.ulonglong, 1) << (hashed >> 48 & 63)
            return
        self.may_begin[hashed >> 54] |= cython.cast(cython.ulonglong, 1) << (hashed >> 48 & 63)
        if size < _WINDOW:
            self.ends_short[_place_of(self.key[i] & 0xFFFF)] |= 1 << size
            pair = (self.key[i] & _PAIR) * GOLDEN
            self.ends_pair[pair >> 58] |= cython.cast(cython.ulonglong, 1) << (pair >> 52 & 63)

    @cython.exceptval(check=False)
    def _read_sign(self, c: cython.uint) -> cython.uint:
        """A character as it is compared, and from bit 16 on the lengths of the shorter literals that may end with
        it."""
        folded: cython.uint = self._fold(c)
        return folded | cython.cast(cython.uint, self.ends_short[_place_of(folded)]) << 16

    def find(self, texts: list[str]) -> list[tuple[int, int]]:
        """(text, number) of each text that has a literal of a number, by texts."""
        found: list = []
        self._forget()
        for number in range(len(texts)):
            text: str = texts[number]
            self._scan_slice(text, 0, PyUnicode_GET_LENGTH(text), number, found)
        return found

    def find_rows(
        self, attributes: Attributes, name: str, tags: cython.const[cython.uchar][:, ::1] = None
    ) -> list[tuple[int, int]]:
        """(row, number) of each element whose attribute of a name has a literal of a number, by rows. No string of a
        value is made: a page has thousands of classes, and hardly one that any rule asks for.

        tags: uint8 [n_numbers, n_codes], the tags that are asked for a number; None: all.
        """
        number: cython.int = attributes.number_of.get(name, -1)
        if number < 0:
            return []
        values: Values = attributes.number_values(number)
        hits: list = []  # (number of a value, number of a literal)
        self._forget()
        for k in range(values.n):
            at = values.place[k]
            self._scan_slice(attributes.markup, attributes.start[at], attributes.stop[at], k, hits)
        if not hits:
            return hits
        owners: dict = {}
        for k, owner in hits:
            # a value may have several literals of one number
            known = owners.setdefault(k, [])
            if owner not in known:
                known.append(owner)
        wanted: cython.pointer[cython.const[cython.uchar]] = cython.NULL
        n_codes: cython.Py_ssize_t = 0
        if tags is not None:
            wanted, n_codes = cython.address(tags[0, 0]), tags.shape[1]
        return self._list_rows(attributes, number, owners, values.n, wanted, n_codes)

    def _list_rows(
        self,
        attributes: Attributes,
        number: cython.int,
        owners: dict,
        n_values: cython.Py_ssize_t,
        tags: cython.pointer[cython.const[cython.uchar]],
        n_codes: cython.Py_ssize_t,
    ) -> list:
        """(row, number) of the elements with the values that are in `owners`, by rows. tags: NULL for all."""
        # one byte a value: most rows have none of them, and no Python object is read for them
        has: cython.p_uchar = attributes.page.take_flags(n_values, True)
        found: list = []
        value: cython.Py_ssize_t
        owner: cython.Py_ssize_t
        for value in owners:
            has[value] = True
        for i in range(attributes.start_of_name[number], attributes.start_of_name[number + 1]):
            at = attributes.by_name[i]
            if has[attributes.value[at]]:
                row = attributes.row[at]
                tag = attributes.page.tag[row]
                for owner in owners[attributes.value[at]]:
                    if tags == cython.NULL or tags[owner * n_codes + tag]:
                        found.append((row, owner))  # noqa: PERF401  a comprehension would make objects of its numbers
        return found

    @cython.exceptval(check=False)
    def _forget(self) -> cython.void:
        for number in range(self.last_text.shape[0]):
            self.last_text[number] = -1

    def _scan_slice(
        self, text: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, number: cython.Py_ssize_t, found: list
    ) -> cython.bint:
        """Add what a part of a text has, under a number that no other one has."""
        kind: cython.int = PyUnicode_KIND(text)
        data: cython.p_void = PyUnicode_DATA(text)
        n: cython.Py_ssize_t = stop - start
        if kind == 1:
            self._scan(cython.cast(cython.pointer[cython.uchar], data) + start, n, number, found)
        elif kind == 2:
            self._scan(cython.cast(cython.pointer[cython.ushort], data) + start, n, number, found)
        else:
            self._scan(cython.cast(cython.pointer[cython.uint], data) + start, n, number, found)

    def _scan(
        self, data: cython.pointer[Chars], n: cython.Py_ssize_t, number: cython.Py_ssize_t, found: list
    ) -> cython.bint:
        """Add what a text has."""
        # kept in variables of its own, for the compiler would read them anew at each character
        near: cython.p_uint = cython.address(self.near[0])
        may_begin: cython.p_ulonglong = cython.address(self.may_begin[0])
        ends_pair: cython.p_ulonglong = cython.address(self.ends_pair[0])
        window: cython.ulonglong = 0
        for i in range(min(n, _WINDOW)):
            window = window << 16 | self._fold(data[i])
            hashed = window * GOLDEN
            # at each of the first characters, for a literal of one or two must be found as well as its first four
            if self.may_start[hashed >> 54] >> (hashed >> 48 & 63) & 1:
                self._look_up(window, i + 1, data, n, 0, True, number, found)
        window = 0
        for i in range(n):
            sign = near[data[i]] if data[i] < _LATIN else self._read_sign(data[i])
            window = window << 16 | sign & 0xFFFF
            hashed = window * GOLDEN
            if may_begin[hashed >> 54] >> (hashed >> 48 & 63) & 1:
                self._look_up(window, _WINDOW, data, n, i + 1 - _WINDOW, False, number, found)
            if sign > 0xFFFF:
                # `e` ends `age`, and a tenth of all words: what stands before it is asked before all lengths are
                hashed = (window & _PAIR) * GOLDEN
                if sign & _SINGLE or ends_pair[hashed >> 58] >> (hashed >> 52 & 63) & 1:
                    self._look_up_short(window, sign >> 16, data, n, i + 1, number, found)

    def _look_up_short(
        self,
        window: cython.ulonglong,
        lengths: cython.uint,
        data: cython.pointer[Chars],
        n: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        number: cython.Py_ssize_t,
        found: list,
    ) -> cython.bint:
        """Add the numbers of the literals, shorter than the window, that end before a place. lengths: a bit for each
        length that they may have."""
        for size in range(1, _WINDOW):
            if lengths >> size & 1 and size <= end:
                own = window & ((cython.cast(cython.ulonglong, 1) << (16 * size)) - 1)
                hashed = own * GOLDEN
                # `fn-` ends in a sign that stands in half of all classes: the last character alone tells too little
                if self.may_begin[hashed >> 54] >> (hashed >> 48 & 63) & 1:
                    self._look_up(own, size, data, n, end - size, False, number, found)

    @cython.inline
    @cython.exceptval(check=False)
    def _fold(self, c: cython.uint) -> cython.ulonglong:
        return self.fold[c] if c <= BEYOND else 0

    def _look_up(
        self,
        window: cython.ulonglong,
        size: cython.Py_ssize_t,
        data: cython.pointer[Chars],
        n: cython.Py_ssize_t,
        first: cython.Py_ssize_t,
        at_start: cython.bint,
        number: cython.Py_ssize_t,
        found: list,
    ) -> cython.bint:
        """Add the numbers of the literals that stand at a place. window: its first `size` characters."""
        at: cython.int = self.bucket[(window * GOLDEN) >> 56]
        while at >= 0:
            length = self.start[at + 1] - self.start[at]
            if (
                self.key[at] == window
                and (length if length < _WINDOW else _WINDOW) == size
                and self.at_start[at] == at_start
                and first + length <= n
                # once a text: who asks wants to know whether, not where
                and self.last_text[self.owner[at]] != number
            ):
                k = size
                while k < length and self._fold(data[first + k]) == self.chars[self.start[at] + k]:
                    k += 1
                if k == length:
                    self.last_text[self.owner[at]] = number
                    found.append((number, self.owner[at]))
            at = self.following[at]
