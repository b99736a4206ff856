"""Markup -> the tags that `parse.prepare` looks for, by their expressions, which state them.

Enters: the markup of a page, before any parser sees it. Leaves: offsets and numbers. Keep: each tag is looked at once
and none needs the end of another, so time grows with the length whatever the markup; what is found may be too much (a
tag in a comment, in a script), for `parse.prepare` looks again, and must never be too little. Tested by
`tests/parse/test_prepare.py`, `tests/parse/test_limits.py`.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import PyUnicode_FindChar

from webclean.core.texts import AMPERSAND, GREATER, LESS, SLASH, SPACE, Chars, find_sign

# the bit by which small letters of ASCII differ from capitals
_SMALL = cython.declare(cython.uint, 32)
_FORMATTING: list = [b"b", b"i", b"s", b"u", b"big", b"code", b"em", b"font", b"small", b"strike", b"strong", b"tt"]
"""Elements that a parser opens again in later paragraphs (HTML 13.2.4.3), but for `a` and `nobr`, which it closes."""
_ENDED = cython.declare(cython.uint, 31)
"""The bit of all signs that may stand after a name of one letter, and of digits."""
_LOOKED_FOR: list = ["html", "body", "input", "col", "table", "selectedcontent", "template"]
_AFTER = cython.declare(cython.uint[128])
for _name in [*_LOOKED_FOR, *map(bytes.decode, _FORMATTING)]:
    _AFTER[ord(_name[0])] |= 1 << (ord(_name[1]) & 31 if len(_name) > 1 else 31)
"""By the first letter of a tag that is looked for: the letters that may follow, as bits of their last five. Two letters
tell nearly all other tags from these."""


_N_FORMATTING = cython.declare(cython.int, 12)
_LONGEST = cython.declare(cython.Py_ssize_t, 8)
"""Characters of a name that are compared, as one number; names of more are none that is looked for."""
_FORMATTING_NAMES = cython.declare(cython.ulonglong[12])
for _number, _name in enumerate(_FORMATTING):
    _FORMATTING_NAMES[_number] = int.from_bytes(_name, "little")

_N_RAW = cython.declare(cython.int, 4)
"""Elements that hold text alone, which `_name_raw` tells."""
_RAW_BEGINS = cython.declare(cython.uint, 1 << 20 | 1 << 9 | 1 << 19)
"""The first letters of their names (t, i, s), by the last five bits: a page has thousands of other tags."""


def find_tags(data: cython.pointer[Chars], markup: str) -> object:
    """Offsets of html and body tags and of inputs; numbers of col, table, selectedcontent and formatting tags, and of
    all signs that begin a tag; of end tags that begin with `</col`. Offsets of the tags of title, textarea, iframe and
    style that have no end tag of their name below them, and of the last sign that begins a comment, or -1. The numbers
    of template tags and of empty elements whose tag has a brace."""
    size: cython.Py_ssize_t = len(markup)
    roots: list = []
    inputs: list = []
    n_columns = n_tables = n_selected = n_styled = n_tags = n_column_ends = n_templates = n_of_data = 0
    unclosed: list = [[] for _ in range(_N_RAW + 1)]
    last_comment = before = i = -1
    while True:
        i = find_sign(data, markup, i + 1, LESS)
        if i >= size:
            break
        n_tags += 1
        # the page is cut off here: no name, and none below
        if i + 2 >= size:
            continue
        c = data[i + 1]
        n_of_data += c == SLASH and before >= 0 and _has_data_alone(data, markup, before, i)
        before = -1 if c == SLASH else i
        if c == SLASH and (data[i + 2] | _SMALL) == 0x63 and _has(data, size, i + 3, b"ol", False):
            n_column_ends += 1
        first = data[i + 2] if c == SLASH else c
        name = _name_raw(data, size, i + 2 if c == SLASH else i + 1) if _RAW_BEGINS >> (first & 31) & 1 else 0
        # one end ends all before it: text up to it is text, whatever tags stand there
        if name and c == SLASH:
            unclosed[name].clear()
        elif name:
            unclosed[name].append(i)
        elif c == 0x21 and _has(data, size, i + 2, b"--", False):
            last_comment = i
        # nearly all tags leave here
        if not _may_begin(c, data[i + 2]):
            continue
        at = i + 2
        # the second letter is compared, which differs in nearly all of them
        c = data[at] | _SMALL
        if (c == 0x74 and _has(data, size, at, b"tml", True)) or (c == 0x6F and _has(data, size, at, b"ody", True)):
            roots.append(i)
        elif c == 0x6E and _has(data, size, at, b"nput", False):
            inputs.append(i)
        elif c == 0x6F and _has(data, size, at, b"ol", True):
            n_columns += 1
        elif c == 0x61 and _has(data, size, at, b"able", False):
            n_tables += 1
        elif c == 0x65 and _has(data, size, at, b"electedcontent", False):
            n_selected += 1
        elif c == 0x65 and _has(data, size, at, b"emplate", False):
            n_templates += 1
        else:
            number = _find_formatting(data, size, i + 1)
            n_styled += number >= 0 and data[i + 1 + len(_FORMATTING[number])] != GREATER
    # in the order of the markup: they were collected by name
    opened: list = sorted([(start, name) for name in range(1, _N_RAW + 1) for start in unclosed[name]])
    counts: tuple = (n_columns, n_tables, n_selected, n_styled, n_tags, n_column_ends)
    return roots, inputs, *counts, opened, last_comment, n_templates, n_of_data


@cython.exceptval(check=False)
def _has_data_alone(
    data: cython.pointer[Chars], markup: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.bint:
    """Whether an element has nothing inside but white space, and a brace in its tag. start, end: of its two tags."""
    last: cython.Py_ssize_t = end - 1
    while last > start and cython.cast(cython.Py_UCS4, data[last]).isspace():
        last -= 1
    return data[last] == GREATER and PyUnicode_FindChar(markup, 0x7B, start, last, 1) >= 0


@cython.exceptval(check=False)
def _name_raw(data: cython.pointer[Chars], size: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.int:
    """Which of the elements that hold text alone has its name here, 0 for none."""
    # the number of characters that are read without a check
    if at + 4 >= size:
        return 0
    c = data[at] | _SMALL
    after = data[at + 1] | _SMALL
    if c == 0x74 and after == 0x69 and _has(data, size, at + 2, b"tle", True):
        return 1
    if c == 0x74 and after == 0x65 and _has(data, size, at + 2, b"xtarea", True):
        return 2
    if c == 0x69 and after == 0x66 and _has(data, size, at + 2, b"rame", True):
        return 3
    if c == 0x73 and after == 0x74 and _has(data, size, at + 2, b"yle", True):
        return 4
    return 0


@cython.inline
@cython.exceptval(check=False)
def _may_begin(first: cython.uint, second: cython.uint) -> cython.bint:
    """Whether one of the tags that are looked for may begin with two characters."""
    if first > 122 or second > 127:
        # beyond the table: none of the tags if the first is, else it is not known yet (`<b\u00e9>`)
        return first <= 122
    return _AFTER[first | _SMALL] >> (second & 31 if second >= 64 else _ENDED) & 1


@cython.exceptval(check=False)
@cython.inline
def _ends(data: cython.pointer[Chars], size: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.bint:
    """Whether white space or a slash stands here."""
    return at < size and (data[at] == SLASH or cython.cast(cython.Py_UCS4, data[at]).isspace())


@cython.exceptval(check=False)
def _has(
    data: cython.pointer[Chars],
    size: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
    name: bytes,
    is_whole: cython.bint,
) -> cython.bint:
    """Whether a name stands here, in either case. is_whole: only where a name ends after it."""
    n: cython.Py_ssize_t = len(name)
    sought: cython.p_uchar = name
    if at + n > size:
        return False
    for i in range(n):
        # 122 is z: a character beyond ASCII may have the same low bits
        if data[at + i] > 122 or (data[at + i] | _SMALL) != sought[i]:
            return False
    if not is_whole:
        return True
    return at + n < size and (data[at + n] == GREATER or _ends(data, size, at + n))


@cython.exceptval(check=False)
def _find_formatting(data: cython.pointer[Chars], size: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.int:
    """The number of the formatting element whose name stands here, -1 for none."""
    if at + 1 >= size or not _may_begin(data[at], data[at + 1]):
        return -1
    name: cython.ulonglong = 0
    i: cython.Py_ssize_t = 0
    while at + i < size and i < _LONGEST and 97 <= data[at + i] | _SMALL <= 122:
        name |= cython.cast(cython.ulonglong, data[at + i] | _SMALL) << (8 * i)
        i += 1
    if at + i >= size or not (data[at + i] == GREATER or _ends(data, size, at + i)):
        return -1
    for number in range(_N_FORMATTING):
        if _FORMATTING_NAMES[number] == name:
            return number
    return -1


def may_refer_to_break(data: cython.pointer[Chars], markup: str) -> bool:
    """Whether the markup may have a reference to a soft hyphen or a space without width: `&shy;`, `&#x200B;`."""
    size: cython.Py_ssize_t = len(markup)
    i: cython.Py_ssize_t = find_sign(data, markup, 0, AMPERSAND)
    while i < size:
        at: cython.Py_ssize_t = i + 2
        if _has(data, size, i + 1, b"shy", False):
            return True
        if at < size and data[i + 1] == 0x23:
            is_hexadecimal: cython.bint = data[at] | _SMALL == 0x78
            at += is_hexadecimal
            while at < size and data[at] == 0x30:
                at += 1
            hyphen: bytes = b"ad" if is_hexadecimal else b"173"
            space: bytes = b"200b" if is_hexadecimal else b"8203"
            if _has(data, size, at, hyphen, False) or _has(data, size, at, space, False):
                return True
        i = find_sign(data, markup, i + 1, AMPERSAND)
    return False


def are_written_by_tool(
    data: cython.pointer[Chars], markup: str, voids: cython.const[cython.ulonglong][::1], least: cython.int
) -> bool:
    """Whether a tool that ends void elements with a slash wrote the markup, and other elements in that form too.

    Args:
        markup: the page.
        voids: the names of void elements in lower case, each as a number of its characters, the first in the lowest
            byte; at most eight.
        least: tags of void elements, all of which must end with a slash, and the first of them without a space before
            it; and tags of other elements that end with one.
    """
    size: cython.Py_ssize_t = len(markup)
    n_voids = n_empty = 0
    end: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t = find_sign(data, markup, 0, LESS)
    while i < size:
        start = i + 1
        i = find_sign(data, markup, start, LESS)
        is_void = _is_void(data, size, start, voids)
        # of other elements a few are enough to know the form; void ones are looked at to the last, for one without a
        # slash tells a hand
        if not is_void and (n_empty >= least or start >= size or not 97 <= data[start] <= 122):
            continue
        # that of a tag before may be far ahead: searched from each tag, a page of `<a<a<a` would take squares of time
        if end < start:
            end = find_sign(data, markup, start, GREATER)
        # no `>` before the next `<`: a sign in a text, and no tag
        if end >= i:
            continue
        if is_void:
            n_voids += 1
            # people write `<br />` by hand, as XHTML 1.0 (C.2) advised; tools leave no space
            if data[end - 1] != SLASH or (n_voids <= least and data[end - 2] == SPACE):
                return False
        elif data[end - 1] == SLASH:
            n_empty += 1
    return n_voids >= least and n_empty >= least


def has_empty_element(data: cython.pointer[Chars], markup: str, voids: cython.const[cython.ulonglong][::1]) -> bool:
    """Whether an element that HTML does not know as an empty one may be written as one: `<i/>`. voids: as above."""
    size: cython.Py_ssize_t = len(markup)
    end: cython.Py_ssize_t = -1
    i: cython.Py_ssize_t = find_sign(data, markup, 0, LESS)
    while i < size:
        start = i + 1
        i = find_sign(data, markup, start, LESS)
        if start < size and 97 <= data[start] | _SMALL <= 122:
            if end < start:
                end = find_sign(data, markup, start, GREATER)
            if end < i and data[end - 1] == SLASH and not _is_void(data, size, start, voids):
                return True
    return False


@cython.exceptval(check=False)
def _is_void(
    data: cython.pointer[Chars],
    size: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    voids: cython.const[cython.ulonglong][::1],
) -> cython.bint:
    """Whether the name of a void element, in lower case or in upper case, ends at white space, a slash or the tag's
    end."""
    name: cython.ulonglong = 0
    # a tool writes all names in one case: `<Br/>` is of a hand
    small: cython.uint = data[start] & _SMALL if start < size else 0
    i: cython.Py_ssize_t = 0
    while start + i < size and i < 8:
        c = data[start + i]
        if not (65 <= c <= 90 or 97 <= c <= 122) or c & _SMALL != small:
            break
        name |= cython.cast(cython.ulonglong, c | _SMALL) << (8 * i)
        i += 1
    if start + i >= size or not (data[start + i] == GREATER or _ends(data, size, start + i)):
        return False
    for i in range(voids.shape[0]):
        if voids[i] == name:
            return True
    return False
