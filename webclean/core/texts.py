"""Texts -> whether they have control characters or digits; and single characters: signs, control characters, where a
sign stands next.

Enters: strings; a pointer to the characters of one, by its width. Leaves: a number for each, or the numbers of some.
Keep: a text is read as far as it takes to tell, and no string is made of it; `Chars` is fused, so each function is
compiled three times, and what is added here must be right for one, two and four bytes. Tested by
`tests/features/test_words.py`, `tests/parse/test_controls.py`, `tests/core/test_statements.py`,
`tests/core/test_scan.py`.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import (
    PyUnicode_DATA,
    PyUnicode_FindChar,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cython.cimports.libc.string import memcpy

Chars = cython.fused_type(cython.uchar, cython.ushort, cython.uint)
"""A string has 1, 2 or 4 bytes a character."""

LESS = cython.declare(cython.uint, 60)
GREATER = cython.declare(cython.uint, 62)
SLASH = cython.declare(cython.uint, 47)
MARK = cython.declare(cython.uint, 33)
QUESTION = cython.declare(cython.uint, 63)
AMPERSAND = cython.declare(cython.uint, 38)
EQUALS = cython.declare(cython.uint, 61)
SPACE = cython.declare(cython.uint, 32)
HYPHEN = cython.declare(cython.uint, 45)
QUOTE = cython.declare(cython.uint, 34)
NEWLINE = cython.declare(cython.uint, 10)
TAB = cython.declare(cython.uint, 9)
RETURN = cython.declare(cython.uint, 13)
_NEAR = cython.declare(cython.Py_ssize_t, 64)
"""Characters that are looked at here, before a search that is faster but takes longer to begin."""
_LOW_BYTES = cython.declare(cython.ulonglong, 0x0101010101010101)
_LOW_SHORTS = cython.declare(cython.ulonglong, 0x0001000100010001)
_LOW_INTS = cython.declare(cython.ulonglong, 0x0000000100000001)
"""The lowest bit of each character of a word of eight bytes."""


@cython.inline
@cython.exceptval(check=False)
def find_sign(
    data: cython.pointer[Chars], markup: str, start: cython.Py_ssize_t, wanted: cython.uint
) -> cython.Py_ssize_t:
    """The offset of the next such character; the size of the markup for none.

    Two words of eight bytes are compared at once: where the wanted character stands, `x` has a character of 0, whose
    highest bit is set in `x - 1` and in `~x` (Warren, Hacker's Delight, 6-1).
    """
    # `wanted` is ASCII: a larger one would spill into the next byte when it is multiplied below
    i: cython.Py_ssize_t = start
    size: cython.Py_ssize_t = len(markup)
    near: cython.Py_ssize_t = min(start + _NEAR, size)
    at_once: cython.Py_ssize_t
    word: cython.ulonglong = 0
    after: cython.ulonglong = 0
    if Chars is cython.uchar:
        lows, at_once, highs = _LOW_BYTES, 8, _LOW_BYTES << 7
    elif Chars is cython.ushort:
        lows, at_once, highs = _LOW_SHORTS, 4, _LOW_SHORTS << 15
    else:
        lows, at_once, highs = _LOW_INTS, 2, _LOW_INTS << 31
    wanted_once: cython.ulonglong = lows * wanted
    last: cython.Py_ssize_t = near - 2 * at_once
    while i <= last:
        # copied, for `data + i` is no multiple of eight, and a word read from there is undefined in C
        memcpy(cython.address(word), data + i, 8)
        memcpy(cython.address(after), data + i + at_once, 8)
        word ^= wanted_once
        after ^= wanted_once
        # a borrow may mark characters above the true one too, never a word without one: the place itself is found below
        if ((word - lows) & ~word | (after - lows) & ~after) & highs:
            # which of the two words holds it is decided once, not at each step
            i += 0 if (word - lows) & ~word & highs else at_once
            break
        i += 2 * at_once
    while i < near and data[i] != wanted:
        i += 1
    # far away: in a long address, a template. The search of CPython is worth its call then
    if i == near and i < size:
        i = PyUnicode_FindChar(markup, wanted, i, size, 1)
    return i if i >= 0 else size


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_control(c: Chars) -> Chars:
    """Whether `parse.controls` takes a character out."""
    # `&` and no `and`: without branches, for it is asked of each character of a text
    found: Chars = (c < 0x20) & (c != 0x09) & (c != 0x0A) & (c != 0x0D)
    found |= (c >= 0x7F) & (c <= 0x9F)
    if Chars is not cython.uchar:
        # they turn what follows too ("Trojan Source"); the marks U+200E and U+200F stay, for Arabic needs them
        found |= (c >= 0x202A) & (c <= 0x202E)
        found |= (c >= 0x2066) & (c <= 0x2069)
    return found


CASE = cython.declare(cython.uint, 32)


def find_controls(texts: list[str]) -> list:
    """The numbers of the texts that have one of the characters that `parse.controls` takes out."""
    found: list = []
    for number in range(len(texts)):
        text: str = texts[number]
        for letter in text:
            if is_control[cython.uint](cython.cast(cython.uint, letter)):
                found.append(number)
                break
    return found


def list_numbered(texts: list[str], first: cython.Py_ssize_t, last: cython.Py_ssize_t, most: cython.Py_ssize_t) -> list:
    """The numbers of the texts `first:last` that have a decimal digit, of any script, among their first characters.

    most: characters of each that are looked at.
    """
    found: list = []
    for number in range(first, min(last, len(texts))):
        text: str = texts[number]
        if _has_number(text, min(most, PyUnicode_GET_LENGTH(text))):
            found.append(number)
    return found


@cython.exceptval(check=False)
def _has_number(text: str, n: cython.Py_ssize_t) -> cython.bint:
    """Whether one of the first characters is a decimal digit."""
    kind: cython.int = PyUnicode_KIND(text)
    data: cython.p_void = PyUnicode_DATA(text)
    for i in range(n):
        c: cython.Py_UCS4 = PyUnicode_READ(kind, data, i)
        # digits of Arabic and Devanagari write dates and prices too
        if 48 <= c <= 57 or (c >= 128 and c.isdecimal()):
            return True
    return False
