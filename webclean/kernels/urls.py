# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The addresses of blocks: families of generated ones, and words that mark them.

Each function gives what its twin in `segments.url_structure` gives.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.unicode import PyUnicode_1BYTE_DATA

_SLASH = cython.declare(cython.uchar, 47)
_HASH = cython.declare(cython.uchar, 35)
_QUESTION = cython.declare(cython.uchar, 63)
_PERCENT = cython.declare(cython.uchar, 37)
_STAR = cython.declare(cython.uchar, 42)
_EQUALS = cython.declare(cython.uchar, 61)
_AND = cython.declare(cython.uchar, 38)
_COLON = cython.declare(cython.uchar, 58)
_PLUS = cython.declare(cython.uchar, 43)
_MINUS = cython.declare(cython.uchar, 45)
_DOT = cython.declare(cython.uchar, 46)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_letter(c: cython.uchar) -> cython.bint:
    """Whether it is a small letter."""
    return 97 <= c <= 122


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_digit(c: cython.uchar) -> cython.bint:
    return 48 <= c <= 57


@cython.final
@cython.cclass
class _Address:
    """An address of printable ASCII characters in lower case, and what is made of it."""

    n: cython.Py_ssize_t
    room: cython.Py_ssize_t
    n_made: cython.Py_ssize_t
    text: cython.pointer[cython.uchar]
    made: cython.pointer[cython.uchar]

    def __dealloc__(self) -> None:
        PyMem_Free(self.text)

    @cython.cfunc
    def read(self, url: str) -> cython.bint:
        """Take an address; false for one with other characters."""
        n: cython.Py_ssize_t = len(url)
        i: cython.Py_ssize_t
        if not url.isascii():
            return False
        if n >= self.room:
            PyMem_Free(self.text)
            self.room = 0
            self.text = cython.cast(cython.pointer[cython.uchar], PyMem_Malloc(4 * n + 256))
            if not self.text:
                raise MemoryError
            self.room = n + 64
            self.made = self.text + self.room  # twice as long: an equals sign may become two signs
        data: cython.pointer[cython.uchar] = cython.cast(cython.pointer[cython.uchar], PyUnicode_1BYTE_DATA(url))
        for i in range(n):
            if not 32 < data[i] < 127:
                return False
            self.text[i] = data[i] + 32 if 65 <= data[i] <= 90 else data[i]
        self.n = n
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add(self, c: cython.uchar) -> cython.void:
        self.made[self.n_made] = c
        self.n_made += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, c: cython.uchar, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where a character first stands, `end` if nowhere."""
        while first < end and self.text[first] != c:
            first += 1
        return first

    @cython.cfunc
    def generalise(self, slug_words: cython.Py_ssize_t) -> str:
        end: cython.Py_ssize_t = self.find(_HASH, 0, self.n)
        question: cython.Py_ssize_t = self.find(_QUESTION, 0, end)
        path_end: cython.Py_ssize_t = question
        i: cython.Py_ssize_t
        while path_end > 0 and self.text[path_end - 1] == _SLASH:
            path_end -= 1
        tail: cython.Py_ssize_t = path_end
        while tail > 0 and self.text[tail - 1] != _SLASH:
            tail -= 1
        self.n_made = 0
        for i in range(tail - 1):
            if not _is_digit(self.text[i]):
                self.add(self.text[i])
            elif i == 0 or not _is_digit(self.text[i - 1]):
                self.add(_STAR)
        self.add(_SLASH)
        if question + 1 < end:
            if not self.add_query(tail, path_end, question + 1, end):
                return ""
        elif not self.add_name(tail, path_end, slug_words):
            return ""
        return self.made[: self.n_made].decode("ascii")

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_query(
        self,
        tail: cython.Py_ssize_t,
        path_end: cython.Py_ssize_t,
        query: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Add the last part of the path and the keys of the query; false where that has neither values nor numbers."""
        i: cython.Py_ssize_t
        varies: cython.bint = False
        for i in range(tail, path_end):
            self.add(self.text[i])
        self.add(_QUESTION)
        i = query
        while i < end:
            varies = varies or self.text[i] == _EQUALS or _is_digit(self.text[i])
            self.add(self.text[i])
            if self.text[i] == _EQUALS:
                self.add(_STAR)
                i = self.find(_AND, i, end)
            else:
                i += 1
        return varies

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_name(
        self, tail: cython.Py_ssize_t, path_end: cython.Py_ssize_t, slug_words: cython.Py_ssize_t
    ) -> cython.bint:
        """Add what stands for the last part of the path; false where that looks written by hand."""
        name_end: cython.Py_ssize_t = path_end
        n_words: cython.Py_ssize_t = 0
        is_generated: cython.bint = False
        i: cython.Py_ssize_t
        while name_end > tail and _is_letter(self.text[name_end - 1]):
            name_end -= 1
        if name_end > tail and self.text[name_end - 1] == _DOT and 2 <= path_end - name_end <= 5:
            name_end -= 1
        else:
            name_end = path_end
        for i in range(tail, name_end):
            is_generated = is_generated or _is_digit(self.text[i]) or self.text[i] == _PERCENT
            if _is_letter(self.text[i]) and (i == tail or not _is_letter(self.text[i - 1])):
                n_words += 1
        self.add(_STAR)
        for i in range(name_end, path_end):
            self.add(self.text[i])
        return is_generated or n_words >= slug_words

    @cython.cfunc
    @cython.exceptval(check=False)
    def skip_scheme(self) -> cython.Py_ssize_t:
        """Where the address begins after its scheme."""
        i: cython.Py_ssize_t = 0
        if self.n and _is_letter(self.text[0]):
            while i < self.n and (
                _is_letter(self.text[i])
                or _is_digit(self.text[i])
                or self.text[i] == _PLUS
                or self.text[i] == _DOT
                or self.text[i] == _MINUS
            ):
                i += 1
            i = i + 1 if i < self.n and self.text[i] == _COLON else 0
        if i + 1 < self.n and self.text[i] == _SLASH and self.text[i + 1] == _SLASH:
            i += 2
        return i

    @cython.cfunc
    def list_markers(self, weights: dict, longest: cython.Py_ssize_t) -> list:
        """The words with a weight, of so many letters at most."""
        found: list = []
        end: cython.Py_ssize_t
        i: cython.Py_ssize_t = self.skip_scheme()
        while i < self.n:
            end = i
            while end < self.n and _is_letter(self.text[end]):
                end += 1
            if 0 < end - i <= longest:
                word: str = self.text[i:end].decode("ascii")
                if word in weights:
                    found.append(word)
            i = end + 1
        return found


def measure_urls(
    targets: list[list[str]],
    weights: dict[str, float],
    asked: tuple[Any, Any, Any],
    doubtful: frozenset[str],
    most_urls: cython.Py_ssize_t,
    slug_words: cython.Py_ssize_t,
) -> Any:
    """float64 [3, n]: different addresses of each block, and the regularity and weight of markers of these.

    Args:
        targets: of each block.
        weights: marker -> its weight.
        asked: tell whether an address leads to a page; and, of one beyond ASCII, its family and its markers.
        doubtful: first characters of addresses that may lead to none.
        most_urls: of a block that are read.
        slug_words: a name of so many words was generated.
    """
    made = np.zeros((3, len(targets)))
    table: cython.double[:, ::1] = made
    address: _Address = _Address()
    longest: cython.Py_ssize_t = max(map(len, weights), default=0)
    leads_to_page, generalise, find_markers = asked
    different: dict
    n_alike: dict
    carried: list
    markers: list
    family: str
    most: cython.Py_ssize_t
    number: cython.Py_ssize_t
    for number in range(len(targets)):
        different = {}
        for url in targets[number]:
            if url and (url[0] not in doubtful or leads_to_page(url)):
                different[url] = None
                if len(different) == most_urls:
                    break
        n_alike, carried, most = {}, [], 0
        for url in different:
            if address.read(url):
                family, markers = address.generalise(slug_words), address.list_markers(weights, longest)
            else:
                family, markers = generalise(url), find_markers(url, weights)
            if family:
                n_alike[family] = n_alike.get(family, 0) + 1
                most = max(most, n_alike[family])
            carried.append(max([weights[word] for word in markers], key=abs) if markers else 0.0)
        if different:
            table[0, number] = len(different)
            table[1, number] = most if most > 1 else 0
            table[1, number] /= len(different)
            table[2, number] = sum(carried) / len(different)
    return made
