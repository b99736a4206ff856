"""The markup that a parser wrote of its tree -> the tree as columns, without an object for any node.

What a parser serialises (HTML 13.3) is far simpler than what it reads: each element that is not void has its end tag,
all attributes have a quoted value, and `<` and `"` are escaped wherever they could be mistaken. One scan therefore
finds the tree again. Its end tags are compared with its start tags; where they disagree, or where something occurs
that this scan does not know, the result is None and the caller visits the nodes of the tree instead.

    <body><p id="a">Hi <b>you</b></p></body>        rows: body, p, b; texts: "Hi " of row 1, "you" of row 2
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_FindChar, PyUnicode_KIND
from cython.cimports.libc.string import memset

from webclean.core.attributes import unescape
from webclean.core.page import Page

Chars = cython.fused_type(cython.uchar, cython.ushort, cython.uint)
"""A string has 1, 2 or 4 bytes a character."""

VOID = cython.declare(cython.int, 1)
RAW = cython.declare(cython.int, 2)
SKIPPED = cython.declare(cython.int, 4)
FOREIGN = cython.declare(cython.int, 8)
POINT = cython.declare(cython.int, 16)
UNKNOWN = cython.declare(cython.int, 32)
BLOCK = cython.declare(cython.int, 64)
INVISIBLE = cython.declare(cython.int, 128)
ANCHOR = cython.declare(cython.int, 256)
PADDED = cython.declare(cython.int, 512)

SCAN_FLAGS = {
    "void": VOID,
    "raw": RAW,
    "skipped": SKIPPED,
    "foreign": FOREIGN,
    "point": POINT,
    "unknown": UNKNOWN,
    "block": BLOCK,
    "invisible": INVISIBLE,
    "anchor": ANCHOR,
    "padded": PADDED,
}
"""What a name of an element means; an element has the sum of its flags.

void: no content and no end tag. raw: its content is written without escapes. skipped: its content gets no rows.
foreign: `svg` and `math`; the names inside belong to another namespace, where none is void or raw. point: inside a
foreign element of this name the names are those of HTML again. unknown: what it contains cannot be told from the markup
alone. block, invisible: as the columns have it. anchor: an `href` makes it a link. padded: a line break
at the start of its content is written twice.
"""

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
_MOST_NAMES = cython.declare(cython.int, 2048)
"""Distinct names of elements and attributes, half the places of the table of names; a power of two."""
_NEAR = cython.declare(cython.Py_ssize_t, 16)
"""Characters that are looked at one by one, before a search that is faster but takes longer to begin."""
_PER_ROW = cython.declare(cython.Py_ssize_t, 64)
_PER_ATTRIBUTE = cython.declare(cython.Py_ssize_t, 48)
"""Characters of a page for each element or text, and for each attribute, for which there is room at first."""
_PAGE_BYTES = cython.declare(cython.Py_ssize_t, 800)
"""Of all columns of a page together, for each element that it may have: about what a page of text takes."""
_OF_ELEMENTS = ("tag", "parent", "end", "depth", "link", "block", "displayed")
_OF_TEXTS = ("text_owner", "text_next")
_OF_ATTRIBUTES = ("attribute_name", "attribute_row", "attribute_start", "attribute_stop")
_BLANKS = cython.declare(cython.int, 256)
_LONGEST_BLANK = cython.declare(cython.int, 64)
"""Texts of white space that are remembered, and characters of the longest of them."""


@cython.final
@cython.cclass
class _Names:
    """Numbers the distinct names in a markup: a hash table with linear probing.

    number: of the name at each place of the table, -1 for none. start, length: of each name, where it first stands in
    the markup. listed: the names.
    """

    number: cython.int[4096]
    start: cython.int[2048]
    length: cython.int[2048]
    listed: list
    n: cython.int

    def __init__(self) -> None:
        memset(self.number, 0xFF, cython.sizeof(self.number))
        self.listed = []
        self.n = 0


@cython.cfunc
def _find_name(
    names: _Names,
    data: cython.pointer[Chars],
    markup: str,
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    hashed: cython.uint,
) -> cython.int:
    """The number of the name in a slice of the markup; -1 where there are too many. hashed: of its characters."""
    mask: cython.uint = 2 * _MOST_NAMES - 1
    place: cython.uint = (hashed ^ (hashed >> 15)) & mask
    n: cython.Py_ssize_t = stop - start
    while names.number[place] >= 0:
        number = names.number[place]
        if names.length[number] == n:
            i = 0
            other = names.start[number]
            while i < n and data[start + i] == data[other + i]:
                i += 1
            if i == n:
                return number
        place = (place + 1) & mask
    if names.n >= _MOST_NAMES:
        return -1
    names.number[place] = names.n
    names.start[names.n] = start
    names.length[names.n] = n
    names.listed.append(markup[start:stop])
    names.n += 1
    return names.n - 1


@cython.final
@cython.cclass
class _Scan:
    """The state of a scan: where it is, what is open, and the page so far."""

    page: Page
    markup: str
    size: cython.Py_ssize_t
    at: cython.Py_ssize_t
    flags_of: dict
    codes: dict
    max_rows: cython.Py_ssize_t
    max_depth: cython.Py_ssize_t
    tags: _Names
    keys: _Names
    flags: cython.int[::1]
    code: cython.int[::1]
    stack: cython.int[:, ::1]  # of the open elements: number of the name, whether foreign
    top: cython.Py_ssize_t
    above: cython.Py_ssize_t  # row of the innermost open element that has a row
    skipped_from: cython.Py_ssize_t  # height of the stack at which a skipped element is open, 0 for none
    skipped_at: cython.Py_ssize_t
    row_room: cython.Py_ssize_t
    text_room: cython.Py_ssize_t
    attribute_room: cython.Py_ssize_t
    n: cython.Py_ssize_t
    n_texts: cython.Py_ssize_t
    n_attributes: cython.Py_ssize_t
    names: list
    texts: list
    raw: list
    blank_at: cython.int[::1]  # number of the last text with a hash that is white space alone

    def __init__(self, markup: str, flags_of: dict, codes: dict, max_rows: int, max_depth: int) -> None:
        size: cython.Py_ssize_t = len(markup)
        self.flags_of, self.codes, self.max_rows, self.max_depth = flags_of, codes, max_rows, max_depth
        self.page = Page(_PAGE_BYTES * (size // _PER_ROW))
        self.markup, self.size = markup, size
        self.tags, self.keys = _Names(), _Names()
        self.flags = np.empty(_MOST_NAMES, dtype=np.intc)
        self.code = np.empty(_MOST_NAMES, dtype=np.intc)
        self.stack = np.empty((2, min(size // 3, max_depth) + 2), dtype=np.intc)
        self.stack[0, 0] = -1
        self.stack[1, 0] = 0
        self.above = -1
        self.names, self.texts, self.raw = [], [], []
        self.blank_at = np.full(_BLANKS, -1, dtype=np.intc)
        # room for what a page of this size mostly has; where it has more, twice as much is made
        self.make_row_room(size // _PER_ROW + 64)
        self.make_text_room(size // _PER_ROW + 64)
        self.make_attribute_room(size // _PER_ATTRIBUTE + 64)

    @cython.cfunc
    def make_row_room(self, n: cython.Py_ssize_t) -> cython.bint:
        page: Page = self.page
        page.tag = cython.cast(cython.p_longlong, page.widen("tag", self.n, n))
        page.parent = cython.cast(cython.p_longlong, page.widen("parent", self.n, n))
        page.end = cython.cast(cython.p_longlong, page.widen("end", self.n, n))
        page.depth = cython.cast(cython.p_longlong, page.widen("depth", self.n, n))
        page.link = cython.cast(cython.p_longlong, page.widen("link", self.n, n))
        page.block = cython.cast(cython.p_longlong, page.widen("block", self.n, n))
        page.displayed = cython.cast(cython.p_uchar, page.widen("displayed", self.n, n))
        self.row_room = n
        return True

    @cython.cfunc
    def make_text_room(self, n: cython.Py_ssize_t) -> cython.bint:
        page: Page = self.page
        page.text_owner = cython.cast(cython.p_longlong, page.widen("text_owner", self.n_texts, n))
        page.text_next = cython.cast(cython.p_longlong, page.widen("text_next", self.n_texts, n))
        self.text_room = n
        return True

    @cython.cfunc
    def make_attribute_room(self, n: cython.Py_ssize_t) -> cython.bint:
        page: Page = self.page
        page.attribute_name = cython.cast(cython.p_int, page.widen("attribute_name", self.n_attributes, n))
        page.attribute_row = cython.cast(cython.p_int, page.widen("attribute_row", self.n_attributes, n))
        page.attribute_start = cython.cast(cython.p_int, page.widen("attribute_start", self.n_attributes, n))
        page.attribute_stop = cython.cast(cython.p_int, page.widen("attribute_stop", self.n_attributes, n))
        self.attribute_room = n
        return True

    @cython.cfunc
    def add_text(self, text: str) -> cython.bint:
        if self.n_texts == self.text_room:
            self.make_text_room(2 * self.text_room)
        self.texts.append(text)
        self.page.text_owner[self.n_texts] = self.above
        self.page.text_next[self.n_texts] = self.n
        self.n_texts += 1
        return True

    @cython.cfunc
    def add_row(self, name: cython.int, flag: cython.int, has_href: cython.bint) -> cython.bint:
        n: cython.Py_ssize_t = self.n
        above: cython.Py_ssize_t = self.above
        if n == self.row_room:
            self.make_row_room(2 * self.row_room)
        page: Page = self.page
        page.tag[n] = self.code[name]
        page.parent[n] = above
        page.end[n] = n + 1
        page.depth[n] = self.top
        if has_href and flag & ANCHOR:
            page.link[n] = n
        else:
            page.link[n] = page.link[above] if above >= 0 else -1
        page.block[n] = n if flag & BLOCK or n == 0 else page.block[above]
        page.displayed[n] = not flag & INVISIBLE and (above < 0 or page.displayed[above])
        self.names.append(self.tags.listed[name])
        self.n += 1
        return True

    @cython.cfunc
    def add_attribute(self, key: cython.int, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        """An attribute of the row that comes next. key: number of its name."""
        at: cython.Py_ssize_t = self.n_attributes
        if at == self.attribute_room:
            self.make_attribute_room(2 * self.attribute_room)
        self.page.attribute_name[at] = key
        self.page.attribute_row[at] = self.n
        self.page.attribute_start[at] = start
        self.page.attribute_stop[at] = stop
        self.n_attributes += 1
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def close_row(self) -> cython.void:
        self.page.end[self.above] = self.n
        self.above = self.page.parent[self.above]

    @cython.cfunc
    def finish(self, attribute_names: list) -> Page:
        """The page, with all its columns as long as they are."""
        page: Page = self.page
        for name in _OF_ELEMENTS:
            page.shorten(name, self.n)
        for name in _OF_TEXTS:
            page.shorten(name, self.n_texts)
        for name in _OF_ATTRIBUTES:
            page.shorten(name, self.n_attributes)
        page.markup, page.names, page.texts, page.attribute_names = (
            self.markup,
            self.names,
            self.texts,
            attribute_names,
        )
        page.n_elements, page.n_texts, page.n_attributes = self.n, self.n_texts, self.n_attributes
        return page


def scan_markup(markup: str, flags_of: dict[str, int], codes: dict[str, int], max_rows: int, max_depth: int) -> Any:
    """The columns of a serialised tree, or None.

    Args:
        markup: as the parser serialised it.
        flags_of: name of an element -> its flags, 0 unless given.
        codes: name of an element -> its code, 0 unless given.
        max_rows, max_depth: the result is None where the tree has more.

    Returns:
        page: `Page`, with the columns of elements, texts and attributes; raw: (row, start, end, 1 if it is escaped) of
        the content of each skipped element, in the markup.
    """
    data: cython.p_void = PyUnicode_DATA(markup)
    kind: cython.int = PyUnicode_KIND(markup)
    if kind == 1:
        return _scan[cython.uchar](
            cython.cast(cython.pointer[cython.uchar], data), markup, flags_of, codes, max_rows, max_depth
        )
    if kind == 2:
        return _scan[cython.ushort](
            cython.cast(cython.pointer[cython.ushort], data), markup, flags_of, codes, max_rows, max_depth
        )
    return _scan[cython.uint](
        cython.cast(cython.pointer[cython.uint], data), markup, flags_of, codes, max_rows, max_depth
    )


@cython.cfunc
def _scan(
    data: cython.pointer[Chars], markup: str, flags_of: dict, codes: dict, max_rows: cython.int, max_depth: cython.int
) -> object:
    size: cython.Py_ssize_t = len(markup)
    found: _Scan = _Scan(markup, flags_of, codes, max_rows, max_depth)
    is_known: cython.bint = True
    while is_known and found.at < size:
        if data[found.at] != LESS:
            is_known = _read_text(found, data)
            continue
        c = data[found.at + 1] if found.at + 1 < size else 0
        if c == SLASH:
            is_known = _read_end_tag(found, data)
        elif c == MARK or c == QUESTION:
            is_known = _pass_declaration(found, data)
        else:
            is_known = _read_start_tag(found, data)
    if not is_known or found.top or found.skipped_from:
        return None
    return found.finish(found.keys.listed), found.raw


def take_nodes(
    nodes: tuple[list[str], list[int], list[Any], list[str], list[int], list[int]],
    flags_of: dict[str, int],
    codes: dict[str, int],
) -> Page:
    """The page of a tree that an engine gives node by node.

    Attributes become slices of one string, with the escapes of a serialised tree, so that all pages are read alike.

    Args:
        nodes: for each element its name, the row of its parent (-1 for none) and its attributes, a mapping of names to
            a string, a list of strings or None; for each text the text, the row that it is a child of, and the number
            of elements that start before it. In document order.
        flags_of, codes: as of `scan_markup`.
    """
    names, parents, attributes, texts, owners, after = nodes
    parts: list = []
    keys: dict = {}
    numbers: dict = {}
    listed: list = []
    found: _Scan = _Scan("", flags_of, codes, len(names), len(names))
    at: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 0
    number: cython.int
    above: cython.Py_ssize_t
    has_href: cython.bint
    found.make_row_room(len(names) + 1)
    found.make_text_room(len(texts) + 1)
    found.code = np.array([codes.get(name, 0) for name in dict.fromkeys(names)] or [0], dtype=np.intc)
    for row in range(len(names)):
        above = parents[row]
        while found.above >= 0 and found.above != above:
            found.close_row()
            found.top -= 1
        has_href = False
        for key, value in attributes[row].items():
            written = " ".join(value) if type(value) is list else value or ""
            if "&" in written:
                written = written.replace("&", "&amp;")
            parts.append(written)
            found.add_attribute(keys.setdefault(key, len(keys)), start, start + len(written))
            start += len(written)
            has_href |= key == "href"
        number = numbers.setdefault(names[row], len(numbers))
        if number == len(listed):
            listed.append(names[row])
            found.tags.listed.append(names[row])
        found.add_row(number, flags_of.get(names[row], 0), has_href)
        found.above = row
        found.top += 1
    while found.above >= 0:
        found.close_row()
    for at in range(len(texts)):
        found.page.text_owner[at] = owners[at]
        found.page.text_next[at] = after[at]
    found.n_texts, found.texts, found.markup = len(texts), texts, "".join(parts)
    return found.finish([*keys])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_sign(
    data: cython.pointer[Chars], markup: str, start: cython.Py_ssize_t, wanted: cython.uint
) -> cython.Py_ssize_t:
    """The offset of the next such character; the size of the markup for none."""
    i: cython.Py_ssize_t = start
    size: cython.Py_ssize_t = len(markup)
    near: cython.Py_ssize_t = min(start + _NEAR, size)
    while i < near and data[i] != wanted:
        i += 1
    if i == near and i < size:
        i = PyUnicode_FindChar(markup, wanted, i, size, 1)
    return i if i >= 0 else size


@cython.cfunc
def _read_text(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """Text up to the next tag. False for text outside the root."""
    start: cython.Py_ssize_t = found.at
    i: cython.Py_ssize_t = find_sign(data, found.markup, start, LESS)
    found.at = i
    if found.skipped_from:
        return True
    if found.above < 0:
        return False
    if data[start] <= SPACE and i - start <= _LONGEST_BLANK and _is_blank(data, start, i):
        return found.add_text(_share_blank(found, data, start, i))
    is_escaped: cython.bint = PyUnicode_FindChar(found.markup, AMPERSAND, start, i, 1) >= 0
    return found.add_text(unescape(found.markup, start, i) if is_escaped else found.markup[start:i])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_blank(data: cython.pointer[Chars], start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether a slice has only spaces and signs before them in the code."""
    for i in range(start, stop):
        if data[i] > SPACE:
            return False
    return True


@cython.cfunc
def _share_blank(found: _Scan, data: cython.pointer[Chars], start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> str:
    """White space as a string: most of it is a line break and an indentation that stood before, of which the string is
    taken."""
    hashed: cython.uint = stop - start
    for i in range(start, stop):
        hashed = hashed * 31 + data[i]
    place: cython.uint = hashed % cython.cast(cython.uint, _BLANKS)
    known: cython.int = found.blank_at[place]
    text: str
    if known >= 0:
        text = found.texts[known]
        of_text = cython.cast(cython.p_uchar, PyUnicode_DATA(text))
        i = start if len(text) == stop - start else stop + 1
        while i < stop and data[i] == of_text[i - start]:
            i += 1
        if i == stop:
            return text
    found.blank_at[place] = found.n_texts
    return found.markup[start:stop]


@cython.cfunc
def _read_end_tag(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """An end tag. False where it does not end the innermost open element."""
    start: cython.Py_ssize_t = found.at + 2
    name: cython.int = found.stack[0, found.top]
    if found.top == 0:
        return False
    first: cython.Py_ssize_t = found.tags.start[name]  # where the name stands in the markup
    length: cython.Py_ssize_t = found.tags.length[name]
    stop: cython.Py_ssize_t = start + length
    if stop >= found.size or data[stop] != GREATER:
        return False
    for i in range(length):
        if data[start + i] != data[first + i]:
            return False
    if found.skipped_from == found.top:
        found.raw.append((found.above, found.skipped_at, found.at, 1))
        found.skipped_from = 0
    if not found.skipped_from:
        found.close_row()
    found.top -= 1
    found.at = stop + 1
    return True


@cython.cfunc
def _pass_declaration(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """Pass over a comment, doctype or processing instruction. False where it has no end."""
    i: cython.Py_ssize_t = found.at
    if i + 3 < found.size and data[i + 2] == HYPHEN and data[i + 3] == HYPHEN:
        end = found.markup.find("-->", i + 4)
        found.at = end + 3
    else:
        end = found.markup.find(">", i)
        found.at = end + 1
    return end >= 0


@cython.cfunc
def _read_start_tag(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """A start tag, and the whole content of an element whose text is not escaped."""
    name: cython.int = _read_name(found, data)
    if name < 0 or found.n >= found.max_rows or found.top >= found.max_depth:
        return False
    flag: cython.int = found.flags[name]
    is_foreign: cython.bint = found.stack[1, found.top]
    if is_foreign and found.flags[found.stack[0, found.top]] & POINT:
        is_foreign = False
    if flag & FOREIGN:
        is_foreign = True
    has_href: cython.int = _read_attributes(found, data)
    if flag & UNKNOWN or has_href < 0:
        return False
    if not found.skipped_from:
        found.add_row(name, flag, has_href)
    if flag & VOID and not is_foreign:
        return True
    if flag & RAW and not is_foreign:
        return _read_raw(found, name, flag)
    found.top += 1
    found.stack[0, found.top] = name
    found.stack[1, found.top] = is_foreign
    if not found.skipped_from:
        found.above = found.n - 1
        if flag & SKIPPED:
            found.skipped_from = found.top
            found.skipped_at = found.at
    if flag & PADDED and not is_foreign and found.at < found.size and data[found.at] == NEWLINE:
        found.at += 1
    return True


@cython.cfunc
def _read_name(found: _Scan, data: cython.pointer[Chars]) -> cython.int:
    """The number of the name of a start tag; -1 where there are too many names or the tag does not end."""
    start: cython.Py_ssize_t = found.at + 1
    stop: cython.Py_ssize_t = start
    hashed: cython.uint = 0
    n_known: cython.int = found.tags.n
    while stop < found.size and data[stop] != GREATER and data[stop] != SPACE:
        hashed = hashed * 31 + data[stop]
        stop += 1
    if stop >= found.size:
        return -1
    found.at = stop
    name: cython.int = _find_name(found.tags, data, found.markup, start, stop, hashed)
    if name == n_known:
        found.flags[name] = found.flags_of.get(found.tags.listed[name], 0)
        found.code[name] = found.codes.get(found.tags.listed[name], 0)
    return name


@cython.cfunc
def _read_attributes(found: _Scan, data: cython.pointer[Chars]) -> cython.int:
    """The attributes of a start tag and its end. 1 if one is `href`, 0 if none is, -1 if the tag is not understood.

    The first character of a name may be `=`.
    """
    size: cython.Py_ssize_t = found.size
    i: cython.Py_ssize_t = found.at
    has_href: cython.bint = False
    while i + 2 < size and data[i] == SPACE:
        start = i + 1
        hashed = data[start]
        stop = start + 1
        while stop < size and data[stop] != EQUALS:
            hashed = hashed * 31 + data[stop]
            stop += 1
        if stop + 1 >= size or data[stop + 1] != QUOTE:
            return -1
        i = find_sign(data, found.markup, stop + 2, QUOTE)
        if not found.skipped_from:
            key = _find_name(found.keys, data, found.markup, start, stop, hashed)
            if key < 0:
                return -1
            has_href = has_href or (stop - start == 4 and found.keys.listed[key] == "href")
            found.add_attribute(key, stop + 2, i)
        i += 1
    found.at = i + 1
    return has_href if i < size and data[i] == GREATER else -1


@cython.cfunc
def _read_raw(found: _Scan, name: cython.int, flag: cython.int) -> cython.bint:
    """The content of an element that is written without escapes, and its end tag."""
    listed: str = found.tags.listed[name]
    start: cython.Py_ssize_t = found.at
    stop: cython.Py_ssize_t = _find_raw_end(found.markup, start, listed)
    if stop < 0:
        return False
    if not found.skipped_from:
        found.above = found.n - 1
        if flag & SKIPPED:
            found.raw.append((found.above, start, stop, 0))
        elif stop > start:
            found.add_text(found.markup[start:stop])
        found.close_row()
    found.at = stop + len(listed) + 3
    return True


@cython.cfunc
def _find_raw_end(markup: str, start: cython.Py_ssize_t, name: str) -> cython.Py_ssize_t:
    """Where the end tag of a raw element starts; -1 for none, or for a script that hides one in a comment."""
    end: cython.Py_ssize_t = markup.find(f"</{name}>", start)
    if end >= 0 and name == "script":
        comment: cython.Py_ssize_t = markup.find("<!--", start, end)
        if comment >= 0 and "<script" in markup[comment:end].lower():
            return -1
    return end
