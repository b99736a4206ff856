"""Texts, names and labels -> the hashes of their words, without a string of any word; the words of short texts and
headings -> their points, see `features.words`.

    Read also: more news        words with points:     also -1, news -.5
                                phrases of concepts:   `read also` of `related`, which gives its points once

The hash of a word, and what is a word of a text, of a name and of a label, are those of `features.words`.

Enters: strings, tables of characters; words of the blocks, their texts, a plan. Leaves: `Words`, arrays of one row for
each word; points of each block, a row for each kind. Keep: the key of a word is that of `features.words` to the last
bit, for cards and lists of words are keyed by it; words stand in the order of the texts; a word or concept counts once
a text, however often it is said. Tested by `tests/features/test_words.py`, `tests/core/test_names.py` and the points of
all fixtures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.libc.math import rint

from webclean.core.lexicon import WordSet
from webclean.core.page import Page
from webclean.core.texts import CASE, Chars

_LOWER = cython.declare(cython.int, 2)
_UPPER = cython.declare(cython.int, 3)
CASES = {"LOWER": _LOWER, "UPPER": _UPPER}
"""Kinds of letters of `features.words`, for the check that they are the same; 0 is no letter."""


class Words:
    """The words of some texts, in arrays that grow. text: number of the text; key: hash of the word; length: its
    characters. kinds: of characters, the last for those beyond."""

    text: cython.longlong[::1]
    key: cython.ulonglong[::1]
    length: cython.longlong[::1]
    n: cython.Py_ssize_t
    room: cython.Py_ssize_t
    base: cython.ulonglong
    kinds: cython.const[cython.uchar][::1]
    last: cython.uint

    def __init__(self, room: int, kinds: Any, base: cython.ulonglong) -> None:
        self.room, self.kinds, self.base = room, kinds, base
        # the entry for all characters beyond the table, so that an index is never outside
        self.last = self.kinds.shape[0] - 1
        self.text = np.empty(room, dtype=np.int64)
        self.key = np.empty(room, dtype=np.uint64)
        self.length = np.empty(room, dtype=np.int64)

    @cython.inline
    def put(self, number: cython.Py_ssize_t, key: cython.ulonglong, size: cython.Py_ssize_t) -> cython.bint:
        """Add a word of the text of a number. True."""
        if self.n == self.room:
            self.grow()
        self.text[self.n] = number
        self.key[self.n] = key
        self.length[self.n] = size
        self.n += 1
        return True

    def grow(self) -> cython.bint:
        # doubled. What points into the arrays is stale after it: nobody keeps such a pointer
        more: cython.Py_ssize_t = self.room
        self.text = np.concatenate((self.text, np.empty(more, dtype=np.int64)))
        self.key = np.concatenate((self.key, np.empty(more, dtype=np.uint64)))
        self.length = np.concatenate((self.length, np.empty(more, dtype=np.int64)))
        self.room += more

    @cython.ccall
    def take(self) -> object:
        """int64, uint64, int64 [n_words]: text, key and length of each word."""
        return np.asarray(self.text)[: self.n], np.asarray(self.key)[: self.n], np.asarray(self.length)[: self.n]


@cython.inline
@cython.exceptval(check=False)
def is_ascii(text: str) -> cython.bint:
    """The same as `str.isascii`, without the call of a method."""
    data: cython.p_uchar = cython.cast(cython.p_uchar, PyUnicode_DATA(text))
    bits: cython.uchar = 0
    if PyUnicode_KIND(text) != 1:
        return False
    for i in range(PyUnicode_GET_LENGTH(text)):
        # without a branch, so that many characters are joined at once
        bits |= data[i]
    return bits < 128


def cut_lower(
    texts: list[str],
    longest: int,
    kinds: cython.const[cython.uchar][::1],
    lower: cython.const[cython.uint][::1],
    base: cython.ulonglong,
) -> Words:
    """The runs of letters of each text in lower case, of at most `longest` characters: number of the text, key, length.

    kinds: uint8 [n + 1], kind of each code point below n, then 0 for the others; base: of the hash.
    lower: uint32 [n], each code point below n in lower case, 0 where that depends on others or is no single one; of a
    text with such a character, or one beyond, a copy in lower case is made.
    """
    found: Words = Words(16 * len(texts) + 64, kinds, base)
    for number in range(len(texts)):
        text: str = texts[number]
        n = PyUnicode_GET_LENGTH(text)
        if n > longest:
            continue
        kind: cython.int = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        if kind == 1:
            is_cut = _cut_small(found, cython.cast(cython.pointer[cython.uchar], data), n, number, lower)
        elif kind == 2:
            is_cut = _cut_small(found, cython.cast(cython.pointer[cython.ushort], data), n, number, lower)
        else:
            # beyond the first plane (emoji, rare ideographs) `lower` has no entries
            is_cut = False
        if not is_cut:
            text = text.lower()
            if PyUnicode_GET_LENGTH(text) <= longest:
                _cut_text(found, text, number)
    return found


def _cut_small(
    found: Words,
    data: cython.pointer[Chars],
    n: cython.Py_ssize_t,
    number: cython.Py_ssize_t,
    lower: cython.const[cython.uint][::1],
) -> cython.bint:
    """Add the words of a text in lower case. False, and no words, where it has a character of which that is unknown."""
    # the word that is read is kept in variables of its own, which stay in registers
    key: cython.ulonglong = 0
    power: cython.ulonglong = found.base
    base: cython.ulonglong = found.base
    size: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t = found.n
    kinds: cython.const[cython.uchar][::1] = found.kinds
    for i in range(n):
        c = data[i]
        # without a bound: `kinds` has four planes, and a character of two bytes is in the first
        if kinds[c]:
            c = lower[c]
            if not c:
                # words so far are taken back: Python will give the text in lower case, and all of it is cut again
                found.n = before
                return False
            key += c * power
            power *= base
            size += 1
        elif size:
            found.put(number, key, size)
            key, power, size = 0, base, 0
    return not size or found.put(number, key, size)


def _cut_text(found: Words, text: str, number: cython.Py_ssize_t) -> cython.bint:
    """Add the words of a text."""
    key: cython.ulonglong = 0
    power: cython.ulonglong = found.base
    base: cython.ulonglong = found.base
    size: cython.Py_ssize_t = 0
    kinds: cython.const[cython.uchar][::1] = found.kinds
    for letter in text:
        c = cython.cast(cython.uint, letter)
        if kinds[c if c < found.last else found.last]:
            key += c * power
            power *= base
            size += 1
        elif size:
            found.put(number, key, size)
            key, power, size = 0, base, 0
    return not size or found.put(number, key, size)


@cython.ccall
def cut_names(names: list, longest: cython.Py_ssize_t, lower: Callable, kinds: object, base: cython.ulonglong) -> Words:
    """The words of names, in lower case, split also at changes of case.

    longest: characters of a name that are read; lower: a name beyond ASCII -> in lower case, as long.
    """
    found: Words = Words(16 * len(names) + 64, kinds, base)
    for number in range(len(names)):
        name: str = names[number]
        # an attribute may hold a megabyte; what a name says stands at its beginning
        if PyUnicode_GET_LENGTH(name) > longest:
            name = name[:longest]
        if not is_ascii(name):
            name = lower(name)
        n = PyUnicode_GET_LENGTH(name)
        kind: cython.int = PyUnicode_KIND(name)
        data = PyUnicode_DATA(name)
        if kind == 1:
            _cut_name(found, cython.cast(cython.pointer[cython.uchar], data), n, number)
        elif kind == 2:
            _cut_name(found, cython.cast(cython.pointer[cython.ushort], data), n, number)
        else:
            _cut_name(found, cython.cast(cython.pointer[cython.uint], data), n, number)
    return found


def _cut_name(
    found: Words, data: cython.pointer[Chars], n: cython.Py_ssize_t, number: cython.Py_ssize_t
) -> cython.bint:
    key: cython.ulonglong = 0
    power: cython.ulonglong = found.base
    base: cython.ulonglong = found.base
    size: cython.Py_ssize_t = 0
    last: cython.uint = found.last
    kinds: cython.const[cython.uchar][::1] = found.kinds
    before: cython.int = 0
    for i in range(n):
        c = data[i]
        of = kinds[c if c < last else last]
        # the most frequent case: no word begins or ends within small letters
        if of == _LOWER and before == _LOWER:
            key += c * power
            power *= base
            size += 1
            continue
        # `postTitle` is two words, `Title` one
        turns = of != before and not (before == _UPPER and of == _LOWER)
        # the `P` of `HTMLParser` begins a word
        if of == _UPPER and before == _UPPER and i + 1 < n:
            ahead = data[i + 1]
            turns = kinds[ahead if ahead < last else last] == _LOWER
        if turns and size:
            found.put(number, key, size)
            key, power, size = 0, base, 0
        if of:
            key += (c + CASE if of == _UPPER else c) * power
            power *= base
            size += 1
        before = of
    return not size or found.put(number, key, size)


@cython.ccall
def cut_labels(
    texts: list, longest: cython.Py_ssize_t, kinds: object, alone: object, spellings: object, base: cython.ulonglong
) -> Words:
    """The words of labels: as `cut_lower` gives them, but each character of a script without spaces is a word.

    alone: uint8 [0x110000], whether a character belongs to such a script; spellings: int64, the code point as which
    each one is read, the last entry for those beyond.
    """
    found: Words = Words(16 * len(texts) + 64, kinds, base)
    kind_of: cython.const[cython.uchar][::1] = kinds
    is_apart: cython.const[cython.uchar][::1] = alone
    spelt: cython.const[cython.longlong][::1] = spellings
    last: cython.uint = kind_of.shape[0] - 1
    last_spelling: cython.uint = spelt.shape[0] - 1
    size: cython.Py_ssize_t
    for number in range(len(texts)):
        text: str = texts[number]
        n = PyUnicode_GET_LENGTH(text)
        if n > longest:
            continue
        kind: cython.int = PyUnicode_KIND(text)
        data = PyUnicode_DATA(text)
        key, power, size = 0, base, 0
        for i in range(n):
            c: cython.uint = PyUnicode_READ(kind, data, i)
            is_alone: cython.bint = is_apart[c] and kind_of[c if c < last else last]
            if size and (is_alone or not kind_of[c if c < last else last]):
                found.put(number, key, size)
                key, power, size = 0, base, 0
            if not kind_of[c if c < last else last]:
                continue
            key += spelt[c if c < last_spelling else last_spelling] * power
            power *= base
            size += 1
            if is_alone:
                found.put(number, key, size)
                key, power, size = 0, base, 0
        if size:
            found.put(number, key, size)
    return found


_FIRST_MARK = cython.declare(cython.uint, 0x307)
_LAST_MARK = cython.declare(cython.uint, 0x670)
"""Of those that may stand on a letter or not (`features.words`)."""


@cython.dataclasses.dataclass(repr=False, eq=False)
class TextPlan:
    """The words and phrases of a rule set and their points.

    known: the words with points. points: float64 [n_kinds, n_words]. first: words that begin a phrase; whole: the
    phrases; lengths: of phrases in words, as bits; longest: the most; next_word: factor of the key before that of the
    next word is added. gives: [n_kinds, n_concepts, n_phrases], whether a phrase gives the points of a concept.
    concept_points: [n_kinds, n_concepts]. unit: sums are rounded to 1 / unit. is_heading: uint8 [n_codes].
    short_chars, label_chars: characters of a text whose words count, and of one whose phrases do. cut, mend: how labels
    are cut into words.
    """

    known: WordSet
    points: cython.const[cython.double][:, ::1]
    first: WordSet
    whole: WordSet
    lengths: cython.ulonglong
    longest: cython.Py_ssize_t
    next_word: cython.ulonglong
    gives: cython.const[cython.uchar][:, :, ::1]
    concept_points: cython.const[cython.double][:, ::1]
    unit: cython.double
    is_heading: cython.const[cython.uchar][::1]
    short_chars: cython.longlong
    label_chars: cython.longlong
    cut: tuple
    mend: Callable


def score_texts(page: Page, words: Words, plan: TextPlan) -> Any:
    """float64 [n_kinds, n_blocks]: points of the words of each short text and heading and of the concepts that the
    phrases of each label name. words: of the blocks.

    A label beyond ASCII is cut anew, each character of a script without spaces apart.
    """
    made = np.zeros((plan.points.shape[0], page.n_blocks), dtype=np.float64)
    points: cython.double[:, ::1] = made
    is_cut: cython.p_uchar = page.take_flags(page.n_blocks + 1, True)
    # 1 + the last text with each word; whether a concept is named, for the call that asks
    seen: cython.int[::1] = np.zeros(plan.points.shape[1] + 1, dtype=np.intc)
    named: cython.uchar[:, ::1] = np.zeros((points.shape[0], plan.concept_points.shape[1] + 1), dtype=np.uint8)
    labels: list = []
    numbers: list = []
    start: cython.Py_ssize_t = 0
    for at in range(page.n_blocks):
        text: str = page.block_texts[at]
        # ASCII has neither marks nor scripts without spaces: the words of the block are those of the label
        if page.n_text_chars[at] <= plan.label_chars and not is_ascii(text):
            text = text.lower()
            if not is_ascii(text):
                is_cut[at] = True
                labels.append(plan.mend(text) if _may_have_marks(text) else text)
                numbers.append(at)
    while start < words.n:
        at = words.text[start]
        end = start + 1
        while end < words.n and words.text[end] == at:
            end += 1
        if page.n_text_chars[at] <= plan.short_chars or plan.is_heading[page.tag[page.row[at]]]:
            _add_words(plan, words, start, end, seen, points, at)
        if page.n_text_chars[at] <= plan.label_chars and not is_cut[at]:
            _add_phrases(plan, words, start, end, named, points, at)
        start = end
    if labels:
        words = cut_labels(labels, *plan.cut)
        start = 0
        while start < words.n:
            end = start + 1
            while end < words.n and words.text[end] == words.text[start]:
                end += 1
            _add_phrases(plan, words, start, end, named, points, numbers[words.text[start]])
            start = end
    return made


@cython.exceptval(check=False)
def _may_have_marks(text: str) -> cython.bint:
    """Whether a label has one of the marks that `plan.mend` takes out, or one between the first and the last."""
    for letter in text:
        if _FIRST_MARK <= cython.cast(cython.uint, letter) <= _LAST_MARK:
            return True
    return False


def _add_words(
    plan: TextPlan,
    words: Words,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    seen: cython.int[::1],
    points: cython.double[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.bint:
    """Add the points of the different words `start:end` to those of a text."""
    for i in range(start, end):
        place = plan.known.look_up(words.key[i])
        if place >= 0 and seen[place] != at + 1:
            seen[place] = at + 1
            for kind in range(points.shape[0]):
                points[kind, at] += plan.points[kind, place]
    for kind in range(points.shape[0]):
        # so that sums do not depend on the order of the words
        points[kind, at] = rint(points[kind, at] * plan.unit) / plan.unit


def _add_phrases(
    plan: TextPlan,
    words: Words,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    named: cython.uchar[:, ::1],
    points: cython.double[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.bint:
    """Add the points of the concepts that the phrases in the words `start:end` name, each concept once."""
    is_any: cython.bint = False
    for i in range(start, end):
        if plan.first.look_up(words.key[i]) < 0:
            continue
        key = 0
        for size in range(1, min(plan.longest, end - i) + 1):
            # the key of each beginning is a step to that of the next: longer phrases cost no more than their last word
            key = key * plan.next_word + words.key[i + size - 1]
            place = plan.whole.look_up(key) if plan.lengths >> size & 1 else -1
            is_any |= place >= 0
            for kind in range(points.shape[0] if place >= 0 else 0):
                for concept in range(plan.concept_points.shape[1]):
                    # a concept may be named by several phrases of one text, and says one thing
                    named[kind, concept] |= plan.gives[kind, concept, place]
    for kind in range(points.shape[0] if is_any else 0):
        total: cython.double = 0.0
        for concept in range(plan.concept_points.shape[1]):
            if named[kind, concept]:
                total += plan.concept_points[kind, concept]
                named[kind, concept] = False
        points[kind, at] = rint((points[kind, at] + total) * plan.unit) / plan.unit
    return 0
