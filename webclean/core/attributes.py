"""The attributes of all elements of a page, kept as slices of the markup that `scan` has read.

A page has some thousand attributes, of which a stage reads a few: strings are made of those that it asks for. What is
asked of all elements at once, such as their distinct names, is found in the slices.

Enters: a `Page` with its attributes (`growth`). Leaves: strings of those asked for, and numbers that stand for values.
Keep: attributes are in document order, so those of a row are `first[row]:first[row + 1]`; a value is compared as it is
written, so two that differ only in escapes have two numbers (who must not care reads them); all memory is the page's,
so nothing here is freed, and what is asked often is kept (`values`). Tested by `tests/core/test_names.py`,
`tests/parse/test_columns.py` and, whole pages, `tests/core/test_scan.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.libc.string import memcmp, memcpy, memset

from webclean.core.lexicon import GOLDEN
from webclean.core.page import Page


@cython.ccall
def unescape(markup: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> str:
    """A slice of the markup without the escapes that serialisation writes."""
    found: str = markup[start:stop]
    # most values have no `&`: one search is cheaper than five replacements that find nothing
    if PyUnicode_FindChar(markup, 0x26, start, stop, 1) >= 0:
        # `&amp;` last: `&amp;lt;` stands for `&lt;`
        found = found.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">")
        found = found.replace("&quot;", '"').replace("&amp;", "&")
    return found


def _join_tokens(value: str) -> str:
    """A list of tokens with one space between them."""
    # the white space of the standard (HTML, DOMTokenList); `str.split` would also take U+00A0, which is part of a name
    value = value.replace("\t", " ").replace("\n", " ").replace("\f", " ").replace("\r", " ")
    return " ".join([token for token in value.split(" ") if token])


@cython.exceptval(check=False)
def _are_joined(markup: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether a slice is written with one space between its tokens, and no other white space."""
    kind: cython.int = PyUnicode_KIND(markup)
    data: cython.p_void = PyUnicode_DATA(markup)
    # true at the start, so that a leading space counts as one too many
    is_apart: cython.bint = True
    for i in range(start, stop):
        c: cython.uint = PyUnicode_READ(kind, data, i)
        if c > 0x20:
            is_apart = False
        elif c == 0x20 and not is_apart:
            is_apart = True
        elif c == 0x20 or c == 0x09 or c == 0x0A or c == 0x0C or c == 0x0D:
            return False
        else:
            is_apart = False
    # a space at the end is none between tokens
    return start == stop or not is_apart


@cython.exceptval(check=False)
def _has_more_than_spaces(markup: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    for i in range(start, stop):
        c = markup[i]
        if c != " " and c != "\t" and c != "\n" and c != "\f" and c != "\r":
            return True
    return False


@cython.inline
@cython.exceptval(check=False)
def _lower(c: cython.uint) -> cython.uint:
    """An ASCII capital in lower case, other characters as they are."""
    return c + 32 if 65 <= c <= 90 else c


class Values:
    """The distinct values of the attributes of one name, numbered in the order in which they first stand.

    place: [n], where among the attributes each first stands.
    """

    n: cython.int
    place: cython.p_int


class Attributes:
    """The attributes of all elements: slices of the markup, of which strings are made when they are asked for.

    names: the distinct names. token_lists: names of attributes whose value is a list of tokens.
    """

    page: Page  # whose memory the pointers are in
    markup: str
    names = cython.declare(list, visibility="readonly")
    number_of: dict
    is_token_list: list
    n_rows: cython.Py_ssize_t
    name: cython.p_int
    row: cython.p_int
    start: cython.p_int
    stop: cython.p_int
    first: cython.p_int
    by_name: cython.p_int
    start_of_name: cython.p_int
    values: list  # of each name, `Values` once they were asked for
    value: cython.p_int  # of each attribute, the number of its value among those of its name, where these are known
    skip: cython.int[256]

    def __init__(self, page: Page, token_lists: frozenset) -> None:
        """page: of whose markup values are slices."""
        row: cython.int = 0
        names: list = page.attribute_names
        self.page, self.markup, self.names, self.n_rows = page, page.markup, names, page.n_elements
        self.name, self.row = page.attribute_name, page.attribute_row
        self.start, self.stop = page.attribute_start, page.attribute_stop
        self.number_of = {name: number for number, name in enumerate(names)}
        self.is_token_list = [name in token_lists for name in names]
        self.first = page.take_ints(page.n_elements + 1)
        self.by_name = page.take_ints(page.n_attributes)
        self.value = page.take_ints(page.n_attributes)
        self.values = [None] * len(names)
        # two more than names: counts are entered two places on and summed, then each is moved up by one as its
        # attributes are placed, and ends where the next name starts: `start_of_name[k]:start_of_name[k + 1]` is name k
        # without a second array
        self.start_of_name = page.take_ints(len(names) + 2, True)
        # where the attributes of each row start; and a counting sort by name
        for i in range(page.n_attributes):
            # rows without attributes start where the next attribute is, so their slice is empty
            while row <= self.row[i]:
                self.first[row] = i
                row += 1
            self.start_of_name[self.name[i] + 2] += 1
        while row <= page.n_elements:
            self.first[row] = page.n_attributes
            row += 1
        for i in range(2, len(names) + 2):
            self.start_of_name[i] += self.start_of_name[i - 1]
        for i in range(page.n_attributes):
            self.by_name[self.start_of_name[self.name[i] + 1]] = i
            self.start_of_name[self.name[i] + 1] += 1

    def __len__(self) -> int:
        return self.n_rows

    def _read(self, at: cython.int) -> str:
        start: cython.Py_ssize_t = self.start[at]
        stop: cython.Py_ssize_t = self.stop[at]
        value: str = unescape(self.markup, start, stop)
        if self.is_token_list[self.name[at]] and not _are_joined(self.markup, start, stop):
            return _join_tokens(value)
        return value

    def read_row(self, row: cython.int) -> dict:
        """The attributes of an element, in document order."""
        found: dict = {}
        for at in range(self.first[row], self.first[row + 1]):
            found[self.names[self.name[at]]] = self._read(at)
        return found

    def list_rows(self, name: str) -> list:
        """The rows that have an attribute, in document order."""
        number: cython.int = self.number_of.get(name, -1)
        if number < 0:
            return []
        within = range(self.start_of_name[number], self.start_of_name[number + 1])
        return [self.row[self.by_name[i]] for i in within]

    def list_values(self, name: str) -> list:
        """The values of an attribute, in document order."""
        number: cython.int = self.number_of.get(name, -1)
        if number < 0:
            return []
        within = range(self.start_of_name[number], self.start_of_name[number + 1])
        return [self._read(self.by_name[i]) for i in within]

    def list_holding(self, name: str, part: str) -> list:
        """(row, value) of the attributes of a name whose value has a part, of ASCII characters, in either case."""
        number: cython.int = self.number_of.get(name, -1)
        if number < 0:
            return []
        sought: bytes = part.encode("ascii")
        # few addresses hold `#`, few styles `none`: of the others no string is made
        for i in range(256):  # as Horspool (1980) does: by the last character compared, how far on the next place is
            self.skip[i] = len(sought)
        for i in range(len(sought) - 1):
            self.skip[sought[i]] = len(sought) - 1 - i
        rows: list = []  # places among the attributes
        first: cython.Py_ssize_t = self.start_of_name[number]
        stop: cython.Py_ssize_t = self.start_of_name[number + 1]
        if len(sought) == 1:  # found in less time than it takes to tell which values are the same
            rows = [self.by_name[j] for j in range(first, stop) if self._holds(self.by_name[j], sought)]
        else:
            values: Values = self.number_values(number)
            # each distinct value is tested once: templates repeat their classes and styles
            having: cython.p_uchar = self.page.take_flags(values.n)
            n_having: cython.Py_ssize_t = 0
            for k in range(values.n):
                having[k] = self._holds(values.place[k], sought)
                n_having += having[k]
            if n_having:
                rows = [self.by_name[j] for j in range(first, stop) if having[self.value[self.by_name[j]]]]
        return [(self.row[at], self._read(at)) for at in rows]

    @cython.exceptval(check=False)
    def _holds(self, at: cython.int, sought: bytes) -> cython.bint:
        """Whether the value at a place among the attributes has the sought characters (lower case), in either case."""
        kind: cython.int = PyUnicode_KIND(self.markup)
        data: cython.p_void = PyUnicode_DATA(self.markup)
        part: cython.p_uchar = sought
        n: cython.Py_ssize_t = len(sought)
        # the place in the markup at which the last sought character would stand
        last: cython.Py_ssize_t = self.start[at] + n - 1
        if n == 1 and (part[0] | 32) < 97:  # no letter
            return PyUnicode_FindChar(self.markup, part[0], self.start[at], self.stop[at], 1) >= 0
        while last < self.stop[at]:
            k: cython.Py_ssize_t = 0
            while k < n and _lower(PyUnicode_READ(kind, data, last - k)) == part[n - 1 - k]:
                k += 1
            if k == n:
                return True
            c = _lower(PyUnicode_READ(kind, data, last))
            # beyond Latin-1 nothing is sought, so the next place to look at is wholly behind it
            last += self.skip[c] if c < 256 else n
        return False

    def _place_by_row(self, number: cython.int) -> cython.p_int:
        """int [n_rows]: where among the attributes that of a name stands, -1 where it is absent; its values have
        numbers then."""
        found: cython.p_int = self.page.take_ints(self.n_rows)
        memset(found, 0xFF, cython.sizeof(cython.int) * self.n_rows)
        if number >= 0:
            self.number_values(number)
            i: cython.Py_ssize_t
            for i in range(self.start_of_name[number], self.start_of_name[number + 1]):
                # a parser keeps the first of two attributes of one name, so each row is set once
                found[self.row[self.by_name[i]]] = self.by_name[i]
        return found

    @cython.cfunc
    def number_values(self, number: cython.int) -> Values:
        """The distinct values of the attributes of a name, numbered once a page: a template repeats its classes, so
        what is asked of them is asked of a third."""
        if number < 0:
            # an attribute that no element has: no values, and no lookup
            return Values()
        known: Values = self.values[number]
        if known is None:
            known = self.values[number] = self._number_values(number)
        return known

    def _number_values(self, number: cython.int) -> Values:
        first: cython.Py_ssize_t = self.start_of_name[number]
        stop: cython.Py_ssize_t = self.start_of_name[number + 1]
        size: cython.Py_ssize_t = cython.sizeof(cython.int)
        mask: cython.Py_ssize_t = 256
        while mask < 2 * (stop - first):
            mask *= 2
        # linear probing: the number at each place, -1 for none
        table: cython.p_int = self.page.take_ints(mask)
        memset(table, 0xFF, size * mask)
        mask -= 1
        made: Values = Values()
        made.place = self.page.take_ints(stop - first)
        for i in range(first, stop):
            at = self.by_name[i]
            # the table is not kept: values are asked for all at once, and numbers are what remains
            place = self._hash(at) & mask
            while table[place] >= 0 and not self._have_same(at, made.place[table[place]]):
                place = (place + 1) & mask
            if table[place] < 0:
                table[place] = made.n
                made.place[made.n] = at
                made.n += 1
            self.value[at] = table[place]
        return made

    @cython.exceptval(check=False)
    def _find_place(self, row: cython.Py_ssize_t, number: cython.int) -> cython.int:
        """The place among the attributes of an attribute of a row, -1 if it is absent."""
        if number >= 0:
            # one after the other: an element has a handful
            for at in range(self.first[row], self.first[row + 1]):
                if self.name[at] == number:
                    return at
        return -1

    @cython.exceptval(check=False)
    def _hash(self, at: cython.int) -> cython.Py_ssize_t:
        """A hash of the value at a place among the attributes."""
        width: cython.int = PyUnicode_KIND(self.markup)  # bytes of a character
        data: cython.p_char = cython.cast(cython.p_char, PyUnicode_DATA(self.markup))
        word: cython.ulonglong = 0
        word_after: cython.ulonglong = 0
        other: cython.ulonglong = GOLDEN
        # bytes and not characters: a value is compared with others of the same string, so all have one width
        data += width * self.start[at]
        size: cython.Py_ssize_t = width * (self.stop[at] - self.start[at])
        hashed: cython.ulonglong = size
        while size > 0:  # all of them, for URLs may differ in any; by two products, neither of which waits
            if size >= 16:
                memcpy(cython.address(word), data, 8)
                memcpy(cython.address(word_after), data + 8, 8)
            else:
                word = word_after = 0
                # the last bytes: no more than there are, for the markup may end here
                memcpy(cython.address(word), data, size if size < 8 else 8)
                if size > 8:
                    memcpy(cython.address(word_after), data + 8, size - 8)
            hashed = (hashed ^ word) * GOLDEN
            hashed ^= hashed >> 32
            other = (other ^ word_after) * GOLDEN
            other ^= other >> 29
            data += 16
            size -= 16
        hashed = (hashed ^ other) * GOLDEN
        hashed ^= hashed >> 32
        # positive: it is an index once the caller has cut it to its table
        return (hashed ^ (hashed >> 17)) & 0x7FFFFFFF

    @cython.exceptval(check=False)
    def _have_same(self, at: cython.int, there: cython.int) -> cython.bint:
        """Whether the values at two places among the attributes, -1 for none, are written alike."""
        if at < 0 or there < 0:
            return at == there
        width: cython.int = PyUnicode_KIND(self.markup)  # bytes of a character
        data: cython.p_char = cython.cast(cython.p_char, PyUnicode_DATA(self.markup))
        start: cython.Py_ssize_t = self.start[at]
        other_start: cython.Py_ssize_t = self.start[there]
        size: cython.Py_ssize_t = self.stop[at] - start
        if size != self.stop[there] - other_start:
            return False
        return memcmp(data + width * start, data + width * other_start, width * size) == 0

    def list_distinct(self, rows: cython.const[cython.longlong][::1], name: str) -> Any:
        """The distinct values of an attribute in some rows that have it, in the order in which they first occur, and
        int64 [n_rows], the place of each row's among them."""
        key: cython.int = self.number_of.get(name, -1)
        values: Values = self.number_values(key)
        made = np.empty(rows.shape[0], dtype=np.int64)
        number: cython.longlong[::1] = made
        distinct: list = []
        # one more: rows without the attribute share the place after the last value
        known: cython.p_int = self.page.take_ints(values.n + 1)  # value -> its place in `distinct`
        memset(known, 0xFF, cython.sizeof(cython.int) * (values.n + 1))
        for i in range(rows.shape[0]):
            at = self._find_place(rows[i], key)
            of = self.value[at] if at >= 0 else values.n
            if known[of] < 0:
                known[of] = len(distinct)
                distinct.append(self._read(at) if at >= 0 else "")
            number[i] = known[of]
        return distinct, made

    def list_words(self, name: str) -> set:
        """The words of all values of an attribute."""
        values: Values = self.number_values(self.number_of.get(name, -1))
        places: cython.p_int = values.place
        written: list = [unescape(self.markup, self.start[places[k]], self.stop[places[k]]) for k in range(values.n)]
        return set(" ".join(written).split())

    def mark_filled(self, name: str, filled: cython.p_uchar) -> cython.bint:
        """Mark the elements that have an attribute with more than white space. filled: [n_elements]."""
        number: cython.int = self.number_of.get(name, -1)
        i: cython.Py_ssize_t
        for i in range(self.start_of_name[number], self.start_of_name[number + 1]) if number >= 0 else ():
            at = self.by_name[i]
            if _has_more_than_spaces(self.markup, self.start[at], self.stop[at]):
                filled[self.row[at]] = True

    def read_rows(self, rows: list, name: str) -> list:
        """An attribute of each of some rows, '' where it is absent."""
        number: cython.int = self.number_of.get(name, -1)
        return [self._find(row, number) or "" for row in rows]

    def read_one(self, row: cython.int, name: str) -> str | None:
        """An attribute of a row; None if it is absent."""
        return self._find(row, self.number_of.get(name, -1))

    def has_same(self, row: cython.int, other: cython.int, name: str) -> cython.bint:
        """Whether two rows have the same value of an attribute, or both none."""
        number: cython.int = self.number_of.get(name, -1)
        return self._have_same(self._find_place(row, number), self._find_place(other, number))

    def _find(self, row: cython.int, number: cython.int) -> Any:
        at: cython.int = self._find_place(row, number)
        return self._read(at) if at >= 0 else None
