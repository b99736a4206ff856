"""Single characters of texts and markup: signs, control characters, and where a sign stands next.

Enters: a pointer to the characters of a Python string, by its width. Keep: `Chars` is fused, so each function is
compiled three times; what is added here must be right for one, two and four bytes. Tested by every page of
`tests/core/test_scan.py` (the widths by "wide characters") and by `tests/parse/test_controls.py`.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_FindChar
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


@cython.cfunc
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
    lows: cython.ulonglong
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
            # in which of the two words is asked once, and not at each step
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
    # `&` and no `and`: without branches a compiler compares many characters at once (`texts._has_control`)
    found: Chars = (c < 0x20) & (c != 0x09) & (c != 0x0A) & (c != 0x0D)
    found |= (c >= 0x7F) & (c <= 0x9F)
    if Chars is not cython.uchar:
        # they turn what follows too ("Trojan Source"); the marks U+200E and U+200F stay, for Arabic needs them
        found |= (c >= 0x202A) & (c <= 0x202E)
        found |= (c >= 0x2066) & (c <= 0x2069)
    return found
