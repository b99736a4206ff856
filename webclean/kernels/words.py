# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Texts -> the hashes of their words, and which of them are in a set of words or begin a phrase of one.

The hash of a word, and what is a word of a text, of a name and of a label, are those of `features.words`; the sets are
those of `features.lexicon`, the phrases those of `features.phrases`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

_LOWER = cython.declare(cython.int, 2)
_UPPER = cython.declare(cython.int, 3)
_CASE = cython.declare(cython.uint, 32)
KINDS = {"LOWER": _LOWER, "UPPER": _UPPER}
"""Kinds of letters of `features.words`, for the check that they are the same; 0 is no letter."""


@cython.final
@cython.cclass
class _Words:
    """The words found so far, in arrays that grow."""

    text: cython.longlong[::1]
    key: cython.ulonglong[::1]
    length: cython.longlong[::1]
    n: cython.Py_ssize_t
    room: cython.Py_ssize_t
    base: cython.ulonglong
    power: cython.ulonglong
    hashed: cython.ulonglong
    size: cython.Py_ssize_t

    def __init__(self, room: int, base: cython.ulonglong) -> None:
        self.room, self.base = room, base
        self.text = np.empty(room, dtype=np.int64)
        self.key = np.empty(room, dtype=np.uint64)
        self.length = np.empty(room, dtype=np.int64)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add(self, c: cython.uint) -> cython.void:
        """Add a character to the word that is being read."""
        if self.size == 0:
            self.power = self.base
            self.hashed = 0
        self.hashed += c * self.power
        self.power *= self.base
        self.size += 1

    @cython.cfunc
    @cython.inline
    def end(self, number: cython.Py_ssize_t) -> cython.bint:
        """End the word that is being read, if there is one; number: of its text. True."""
        if self.size == 0:
            return True
        if self.n == self.room:
            self.grow()
        self.text[self.n] = number
        self.key[self.n] = self.hashed
        self.length[self.n] = self.size
        self.n += 1
        self.size = 0
        return True

    @cython.cfunc
    def grow(self) -> cython.bint:
        more: cython.Py_ssize_t = self.room
        self.text = np.concatenate((self.text, np.empty(more, dtype=np.int64)))
        self.key = np.concatenate((self.key, np.empty(more, dtype=np.uint64)))
        self.length = np.concatenate((self.length, np.empty(more, dtype=np.int64)))
        self.room += more
        return True

    @cython.cfunc
    def take(self) -> object:
        return np.asarray(self.text)[: self.n], np.asarray(self.key)[: self.n], np.asarray(self.length)[: self.n]


def cut_words(texts: list[str], longest: int, kinds: cython.const[cython.uchar][::1], base: cython.ulonglong) -> Any:
    """The runs of letters of each text of at most `longest` characters: number of the text, key, length.

    kinds: uint8 [n + 1], kind of each code point below n, then 0 for the others; base: of the hash.
    """
    found: _Words = _Words(16 * len(texts) + 64, base)
    most: cython.Py_ssize_t = longest
    last: cython.uint = kinds.shape[0] - 1
    number: cython.Py_ssize_t
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t
    c: cython.uint
    kind: cython.int
    data: cython.p_void
    text: str
    for number in range(len(texts)):
        text = texts[number]
        n = PyUnicode_GET_LENGTH(text)
        if n > most:
            continue
        kind = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            if kinds[c if c < last else last]:
                found.add(c)
            else:
                found.end(number)
        found.end(number)
    return found.take()


def cut_lower(texts: list[str], longest: int, kinds: cython.const[cython.uchar][::1], base: cython.ulonglong) -> Any:
    """The same of the texts in lower case, which are made of those beyond ASCII alone."""
    found: _Words = _Words(16 * len(texts) + 64, base)
    most: cython.Py_ssize_t = longest
    last: cython.uint = kinds.shape[0] - 1
    number: cython.Py_ssize_t
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t
    c: cython.uint
    of: cython.int
    kind: cython.int
    data: cython.p_void
    text: str
    for number in range(len(texts)):
        text = texts[number]
        if PyUnicode_GET_LENGTH(text) > most:
            continue
        if not text.isascii():
            text = text.lower()
        n = PyUnicode_GET_LENGTH(text)
        if n > most:
            continue
        kind = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            of = kinds[c if c < last else last]
            if of:
                found.add(c + _CASE if of == _UPPER else c)
            else:
                found.end(number)
        found.end(number)
    return found.take()


def list_beyond_ascii(texts: list[str], wanted: cython.const[cython.uchar][:]) -> list[int]:
    """The numbers of the wanted texts that have characters beyond ASCII. wanted: uint8 [n_texts]."""
    return [at for at in range(len(texts)) if wanted[at] and not cython.cast(str, texts[at]).isascii()]


def number_alike(names: list[str]) -> Any:
    """int64 [n]: a number for each name without the numbers at the ends of its words, equal for equal ones; None where
    no name has such a number. What such a number is `features.names` says.
    """
    n_names: cython.Py_ssize_t = len(names)
    made = np.empty(n_names, dtype=np.int64)
    number: cython.longlong[::1] = made
    numbers: dict = {}
    has_numbers: cython.bint = False
    at: cython.Py_ssize_t
    name: str
    plain: str
    for at in range(n_names):
        name = names[at]
        plain = _drop_numbers(name)
        has_numbers |= plain is not name
        number[at] = numbers.setdefault(plain, len(numbers))
    return made if has_numbers else None


@cython.cfunc
def _drop_numbers(name: str) -> str:
    """The name without the numbers at the ends of its words; itself if it has none."""
    kind: cython.int = PyUnicode_KIND(name)
    data: cython.p_void = PyUnicode_DATA(name)
    n: cython.Py_ssize_t = PyUnicode_GET_LENGTH(name)
    n_letters: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    kept_from: cython.Py_ssize_t = 0
    plain: str = ""
    c: cython.uint
    end = 0
    while end < n:
        start = end
        c = PyUnicode_READ(kind, data, start)
        end += 1
        if 65 <= c <= 90 or 97 <= c <= 122:
            n_letters += 1
            continue
        if n_letters < 3 or not (c == 45 or c == 95 or 48 <= c <= 57):
            n_letters = 0
            continue
        n_letters = 0
        while end < n and 48 <= PyUnicode_READ(kind, data, end) <= 57:
            end += 1
        if not 48 <= PyUnicode_READ(kind, data, end - 1) <= 57:
            continue
        if end == n or cython.cast(cython.Py_UCS4, PyUnicode_READ(kind, data, end)).isspace():
            plain = plain + name[kept_from:start]
            kept_from = end
    return plain + name[kept_from:] if kept_from else name


def cut_names(names: list[str], kinds: cython.const[cython.uchar][::1], base: cython.ulonglong) -> Any:
    """The words of names, in lower case, split also at changes of case: as `cut_words` gives them."""
    found: _Words = _Words(8 * len(names) + 64, base)
    last: cython.uint = kinds.shape[0] - 1
    number: cython.Py_ssize_t
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t
    c: cython.uint
    ahead: cython.uint
    kind: cython.int
    of: cython.int
    before: cython.int
    follows: cython.int
    data: cython.p_void
    name: str
    for number in range(len(names)):
        name = names[number]
        n = PyUnicode_GET_LENGTH(name)
        kind = PyUnicode_KIND(name)
        data = PyUnicode_DATA(name)
        before = 0
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            of = kinds[c if c < last else last]
            if of != before and not (before == _UPPER and of == _LOWER):
                found.end(number)
            elif of == _UPPER and before == _UPPER and i + 1 < n:
                ahead = PyUnicode_READ(kind, data, i + 1)
                follows = kinds[ahead if ahead < last else last]
                if follows == _LOWER:
                    found.end(number)
            if of:
                found.add(c + _CASE if of == _UPPER else c)
            before = of
        found.end(number)
    return found.take()


def cut_labels(
    texts: list[str],
    longest: int,
    kinds: cython.const[cython.uchar][::1],
    alone: cython.const[cython.uchar][::1],
    spellings: cython.const[cython.longlong][::1],
    base: cython.ulonglong,
) -> Any:
    """The words of labels: as `cut_words` gives them, but each character of a script without spaces is a word.

    alone: uint8 [0x110000], whether a character belongs to such a script; spellings: int64, the code point as which
    each one is read, the last entry for those beyond.
    """
    found: _Words = _Words(16 * len(texts) + 64, base)
    most: cython.Py_ssize_t = longest
    last: cython.uint = kinds.shape[0] - 1
    last_spelling: cython.uint = spellings.shape[0] - 1
    number: cython.Py_ssize_t
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t
    c: cython.uint
    kind: cython.int
    data: cython.p_void
    text: str
    for number in range(len(texts)):
        text = texts[number]
        n = PyUnicode_GET_LENGTH(text)
        if n > most:
            continue
        kind = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        for i in range(n):
            c = PyUnicode_READ(kind, data, i)
            if not kinds[c if c < last else last]:
                found.end(number)
            elif alone[c]:
                found.end(number)
                found.add(spellings[c if c < last_spelling else last_spelling])
                found.end(number)
            else:
                found.add(spellings[c if c < last_spelling else last_spelling])
        found.end(number)
    return found.take()


@cython.final
@cython.cclass
class _Pairs:
    """Pairs of a text and a place, each once, by text and then by place; texts are added in rising order."""

    pairs: cython.longlong[:, ::1]
    n: cython.Py_ssize_t
    first: cython.Py_ssize_t  # where the pairs of the last text begin

    def __init__(self, room: int) -> None:
        self.pairs = np.empty((2, room), dtype=np.int64)

    @cython.cfunc
    def add(self, text: cython.longlong, place: cython.longlong) -> cython.bint:
        """Whether the pair is a new one."""
        at: cython.Py_ssize_t = self.n
        if at == 0 or self.pairs[0, at - 1] != text:
            self.first = at
        while at > self.first and self.pairs[1, at - 1] > place:
            at -= 1
        if at > self.first and self.pairs[1, at - 1] == place:
            return False
        i: cython.Py_ssize_t = self.n
        if i == self.pairs.shape[1]:
            self.pairs = np.concatenate((np.asarray(self.pairs), np.empty((2, i + 64), dtype=np.int64)), axis=1)
        while i > at:
            self.pairs[1, i] = self.pairs[1, i - 1]
            i -= 1
        self.pairs[0, self.n] = text
        self.pairs[1, at] = place
        self.n += 1
        return True

    @cython.cfunc
    def take(self) -> object:
        return np.asarray(self.pairs)[0, : self.n], np.asarray(self.pairs)[1, : self.n]


@cython.final
@cython.cclass
class WordSet:
    """A set of keys: sorted, the last one a sentinel, and in buckets by their first bits.

    Most words of a page are not in the set: a bit for each bucket, which stay in the processor's nearest cache, tells
    so.
    """

    key: cython.const[cython.ulonglong][::1]
    first: cython.int[::1]
    is_full: cython.ulonglong[::1]
    shift: cython.int

    def __init__(self, key: Any, first: Any, is_full: Any, shift: int) -> None:
        """key: uint64 [n + 1]; first: int64 [n_buckets + 1], where each bucket begins; is_full: uint8 [n_buckets],
        whether it has any; shift: bits below its number."""
        bucket: cython.Py_ssize_t
        self.key, self.first, self.shift = key, np.asarray(first, dtype=np.intc), shift
        self.is_full = np.zeros(len(is_full) // 64 + 1, dtype=np.uint64)
        for bucket in range(len(is_full)):
            if is_full[bucket]:
                self.is_full[bucket >> 6] |= cython.cast(cython.ulonglong, 1) << (bucket & 63)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def look_up(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """The place of a key, -1 if it is not in the set."""
        bucket: cython.Py_ssize_t = key >> self.shift
        if not self.is_full[bucket >> 6] >> (bucket & 63) & 1:
            return -1
        place: cython.Py_ssize_t = self.first[bucket]
        end: cython.Py_ssize_t = self.first[bucket + 1]
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
        i: cython.Py_ssize_t
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
        i: cython.Py_ssize_t
        place: cython.Py_ssize_t
        for i in range(keys.shape[0]):
            if wanted[texts[i]]:
                place = self.look_up(keys[i])
                if place >= 0:
                    found[n] = place
                    n += 1
        return made[:n]

    def find_each_once(self, texts: cython.const[cython.longlong][:], keys: cython.const[cython.ulonglong][:]) -> Any:
        """Text and place of each known word, each once a text; by text, then by place. texts: rising."""
        pairs: _Pairs = _Pairs(keys.shape[0])
        i: cython.Py_ssize_t
        place: cython.Py_ssize_t
        for i in range(keys.shape[0]):
            place = self.look_up(keys[i])
            if place >= 0:
                pairs.add(texts[i], place)
        return pairs.take()

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
        pairs: _Pairs = _Pairs(64)
        n: cython.Py_ssize_t = keys.shape[0]
        longest: cython.Py_ssize_t = lengths[len(lengths) - 1]
        is_length: list = [length in lengths for length in range(longest + 1)]
        i: cython.Py_ssize_t
        size: cython.Py_ssize_t
        place: cython.Py_ssize_t
        key: cython.ulonglong
        for i in range(n):
            if not wanted[texts[i]] or self.look_up(keys[i]) < 0:
                continue
            key = 0
            for size in range(1, longest + 1):
                if i + size > n or texts[i + size - 1] != texts[i]:
                    break
                key = key * next_word + keys[i + size - 1]
                if is_length[size]:
                    place = whole.look_up(key)
                    if place >= 0:
                        pairs.add(texts[i], place)
        return pairs.take()
