# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
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
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.libc.string import memcmp

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

FLAGS = {
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


@cython.cclass
class _Names:
    """Numbers the distinct names in a markup: a hash table of places in the markup, with linear probing."""

    start: cython.int[:]
    length: cython.int[:]
    number: cython.int[:]
    listed: list
    n: cython.int

    def __init__(self) -> None:
        self.start = np.zeros(2 * _MOST_NAMES, dtype=np.intc)
        self.length = np.zeros(2 * _MOST_NAMES, dtype=np.intc)
        self.number = np.full(2 * _MOST_NAMES, -1, dtype=np.intc)
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
    i: cython.Py_ssize_t
    other: cython.Py_ssize_t
    n: cython.Py_ssize_t = stop - start
    while names.number[place] >= 0:
        if names.length[place] == n:
            i = 0
            other = names.start[place]
            while i < n and data[start + i] == data[other + i]:
                i += 1
            if i == n:
                return names.number[place]
        place = (place + 1) & mask
    if names.n >= _MOST_NAMES:
        return -1
    names.start[place] = start
    names.length[place] = n
    names.number[place] = names.n
    names.listed.append(markup[start:stop])
    names.n += 1
    return names.n - 1


@cython.cfunc
def _unescape(markup: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> str:
    """A slice of the markup without the escapes that serialisation writes."""
    found: str = markup[start:stop]
    if "&" in found:
        found = found.replace("&nbsp;", "\xa0").replace("&lt;", "<").replace("&gt;", ">")
        found = found.replace("&quot;", '"').replace("&amp;", "&")
    return found


@cython.cfunc
def _join_tokens(value: str) -> str:
    """A list of tokens with one space between them."""
    if "\t" in value or "\n" in value or "\f" in value or "\r" in value:
        value = value.replace("\t", " ").replace("\n", " ").replace("\f", " ").replace("\r", " ")
    if "  " in value or value.startswith(" ") or value.endswith(" "):
        value = " ".join([token for token in value.split(" ") if token])
    return value


@cython.cfunc
def _has_more_than_spaces(markup: str, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    i: cython.Py_ssize_t
    c: cython.Py_UCS4
    for i in range(start, stop):
        c = markup[i]
        if c != " " and c != "\t" and c != "\n" and c != "\f" and c != "\r":
            return True
    return False


@cython.cclass
class Attributes:
    """The attributes of all elements: slices of the markup, of which strings are made when they are asked for.

    names: the distinct names. token_lists: names of attributes whose value is a list of tokens.
    """

    markup: str
    names = cython.declare(list, visibility="readonly")
    number_of: dict
    is_token_list: list
    columns: cython.int[:, ::1]
    first: cython.int[::1]
    by_name: cython.int[::1]
    start_of_name: cython.int[::1]

    def __init__(
        self, markup: str, names: list, columns: cython.int[:, ::1], n_rows: cython.int, token_lists: frozenset
    ) -> None:
        """columns: int32 [4, n_attributes], number of the name, row, start and end of the value in the markup."""
        i: cython.Py_ssize_t
        row: cython.int = 0
        self.markup = markup
        self.names = names
        self.columns = columns
        self.number_of = {name: number for number, name in enumerate(names)}
        self.is_token_list = [name in token_lists for name in names]
        self.first = np.empty(n_rows + 1, dtype=np.intc)
        self.by_name = np.empty(columns.shape[1], dtype=np.intc)
        self.start_of_name = np.zeros(len(names) + 2, dtype=np.intc)
        # where the attributes of each row start; and a counting sort by name
        for i in range(columns.shape[1]):
            while row <= columns[1, i]:
                self.first[row] = i
                row += 1
            self.start_of_name[columns[0, i] + 2] += 1
        while row <= n_rows:
            self.first[row] = columns.shape[1]
            row += 1
        for i in range(2, self.start_of_name.shape[0]):
            self.start_of_name[i] += self.start_of_name[i - 1]
        for i in range(columns.shape[1]):
            self.by_name[self.start_of_name[columns[0, i] + 1]] = i
            self.start_of_name[columns[0, i] + 1] += 1

    def __len__(self) -> int:
        return self.first.shape[0] - 1

    @cython.cfunc
    def _read(self, at: cython.int) -> str:
        value: str = _unescape(self.markup, self.columns[2, at], self.columns[3, at])
        return _join_tokens(value) if self.is_token_list[self.columns[0, at]] else value

    def read_row(self, row: cython.int) -> dict:
        """The attributes of an element, in document order."""
        found: dict = {}
        at: cython.int
        for at in range(self.first[row], self.first[row + 1]):
            found[self.names[self.columns[0, at]]] = self._read(at)
        return found

    def list_rows(self, name: str) -> list:
        """The rows that have an attribute, in document order."""
        number: cython.int = self.number_of.get(name, -1)
        if number < 0:
            return []
        within = range(self.start_of_name[number], self.start_of_name[number + 1])
        return [self.columns[1, self.by_name[i]] for i in within]

    def list_values(self, name: str) -> list:
        """The values of an attribute, in document order."""
        number: cython.int = self.number_of.get(name, -1)
        if number < 0:
            return []
        within = range(self.start_of_name[number], self.start_of_name[number + 1])
        return [self._read(self.by_name[i]) for i in within]

    def number_names(self, tags: list, wanted: cython.const[cython.uchar][:], keys: tuple) -> Any:
        """Number the distinct names of elements: the tag, then the values of some attributes, with spaces between.

        Rows with the same tag and the same first attribute are found by comparing slices of the markup.

        Args:
            tags: [n_elements], names of tags, equal ones the same object.
            wanted: uint8 [n_elements].
            keys: names of the attributes.

        Returns:
            name -> its number from 1 on, names of tag and first attribute alone before the others, each in the order
            in which they first occur; int64 [n_elements], the number of the name of each wanted row, 0 for the others;
            the same for names of tag and first attribute alone; how many of these there are.
        """
        n: cython.Py_ssize_t = len(tags)
        mask: cython.Py_ssize_t = 1024
        while mask < 2 * n:
            mask *= 2
        mask -= 1
        table_made = np.full(mask + 1, -1, dtype=np.intc)
        table: cython.int[::1] = table_made  # rows, by the hashes of their names
        short_made = np.zeros(n, dtype=np.int64)
        short: cython.longlong[::1] = short_made
        number_of: dict = {}
        listed: list = []
        full: dict = {}
        first: cython.int = self.number_of.get(keys[0], -1)
        row: cython.Py_ssize_t
        i: cython.Py_ssize_t
        place: cython.Py_ssize_t
        at: cython.int
        number: cython.int
        name: str
        value: str
        for row in range(n):
            if not wanted[row]:
                continue
            at = self._find_place(row, first)
            place = self._hash(tags[row], at) & mask
            while table[place] >= 0 and not self._are_alike(tags, row, at, table[place], first):
                place = (place + 1) & mask
            if table[place] < 0:
                table[place] = row
                name = tags[row]
                value = self._read(at) if at >= 0 else ""
                if value:
                    name = name + " " + value
                short[row] = number_of.setdefault(name, len(number_of) + 1)
                if len(number_of) > len(listed):
                    listed.append(name)
            else:
                short[row] = short[table[place]]
        for key in keys[1:]:
            number = self.number_of.get(key, -1)
            for i in range(self.start_of_name[number], self.start_of_name[number + 1]) if number >= 0 else ():
                at = self.by_name[i]
                row = self.columns[1, at]
                if wanted[row]:
                    name = full[row] if row in full else listed[short[row] - 1]
                    value = self._read(at)
                    full[row] = name + " " + value if value else name
        index = short_made.copy()
        for key, name in full.items():
            index[key] = number_of.setdefault(name, len(number_of) + 1)
        return number_of, index, short_made, len(listed)

    @cython.cfunc
    def _find_place(self, row: cython.Py_ssize_t, number: cython.int) -> cython.int:
        """The place in `columns` of an attribute of a row, -1 if it is absent."""
        at: cython.int
        if number >= 0:
            for at in range(self.first[row], self.first[row + 1]):
                if self.columns[0, at] == number:
                    return at
        return -1

    @cython.cfunc
    def _hash(self, tag: object, at: cython.int) -> cython.Py_ssize_t:
        """A hash of a tag and of the value at a place in `columns`, -1 for none."""
        hashed: cython.ulonglong = cython.cast(cython.ulonglong, cython.cast(cython.Py_ssize_t, hash(tag)))
        kind: cython.int = PyUnicode_KIND(self.markup)
        data: cython.p_void = PyUnicode_DATA(self.markup)
        i: cython.Py_ssize_t
        size: cython.Py_ssize_t
        c: cython.uint
        if at >= 0:
            i = self.columns[2, at]
            size = self.columns[3, at] - i
            hashed += size
            while i < self.columns[3, at]:  # at most 16 characters
                c = PyUnicode_READ(kind, data, i)
                hashed = hashed * 31 + c
                i += 1 + (size >> 4)
        return (hashed ^ (hashed >> 17)) & 0x7FFFFFFF

    @cython.cfunc
    def _are_alike(
        self, tags: list, row: cython.Py_ssize_t, at: cython.int, other: cython.Py_ssize_t, number: cython.int
    ) -> cython.bint:
        """Whether two rows have the same tag and the same value of an attribute; at: the place of that of `row`."""
        there: cython.int = self._find_place(other, number)
        if tags[row] is not tags[other] or (at < 0) != (there < 0):
            return False
        if at < 0:
            return True
        width: cython.int = PyUnicode_KIND(self.markup)  # bytes of a character
        data: cython.p_char = cython.cast(cython.p_char, PyUnicode_DATA(self.markup))
        start: cython.Py_ssize_t = self.columns[2, at]
        other_start: cython.Py_ssize_t = self.columns[2, there]
        size: cython.Py_ssize_t = self.columns[3, at] - start
        if size != self.columns[3, there] - other_start:
            return False
        return memcmp(data + width * start, data + width * other_start, width * size) == 0

    def mark_filled(self, name: str) -> Any:
        """uint8 [n_elements]: 1 where an element has an attribute with more than white space."""
        number: cython.int = self.number_of.get(name, -1)
        made = np.zeros(self.first.shape[0] - 1, dtype=np.uint8)
        filled: cython.uchar[::1] = made
        i: cython.Py_ssize_t
        at: cython.int
        if number >= 0:
            for i in range(self.start_of_name[number], self.start_of_name[number + 1]):
                at = self.by_name[i]
                filled[self.columns[1, at]] = _has_more_than_spaces(
                    self.markup, self.columns[2, at], self.columns[3, at]
                )
        return made

    def read_rows(self, rows: list, name: str) -> list:
        """An attribute of each of some rows, '' where it is absent."""
        number: cython.int = self.number_of.get(name, -1)
        return [self._find(row, number) or "" for row in rows]

    def read_one(self, row: cython.int, name: str) -> str | None:
        """An attribute of a row; None if it is absent."""
        return self._find(row, self.number_of.get(name, -1))

    @cython.cfunc
    def _find(self, row: cython.int, number: cython.int) -> object:
        at: cython.int = self._find_place(row, number)
        return self._read(at) if at >= 0 else None


@cython.cclass
class _Scan:
    """The state of a scan: where it is, what is open, and the columns so far."""

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
    rows: cython.longlong[:, ::1]
    shown: cython.uchar[::1]
    places: cython.longlong[:, ::1]
    attributes: cython.int[:, ::1]
    n: cython.Py_ssize_t
    n_texts: cython.Py_ssize_t
    n_attributes: cython.Py_ssize_t
    names: list
    texts: list
    raw: list

    def __init__(self, markup: str, n_tags: int, n_quotes: int) -> None:
        self.markup, self.size = markup, len(markup)
        self.tags, self.keys = _Names(), _Names()
        self.flags = np.zeros(2 * _MOST_NAMES, dtype=np.intc)
        self.code = np.zeros(2 * _MOST_NAMES, dtype=np.intc)
        self.stack = np.zeros((2, n_tags + 2), dtype=np.intc)
        self.stack[0, 0] = -1
        self.above = -1
        self.rows = np.empty((6, n_tags + 1), dtype=np.int64)
        self.shown = np.empty(n_tags + 1, dtype=np.uint8)
        self.places = np.empty((2, n_tags + 1), dtype=np.int64)
        self.attributes = np.empty((4, n_quotes // 2 + 1), dtype=np.intc)
        self.names, self.texts, self.raw = [], [], []

    @cython.cfunc
    def add_text(self, text: str) -> cython.void:
        self.texts.append(text)
        self.places[0, self.n_texts] = self.above
        self.places[1, self.n_texts] = self.n
        self.n_texts += 1

    @cython.cfunc
    def add_row(self, name: cython.int, flag: cython.int, has_href: cython.bint) -> cython.void:
        n: cython.Py_ssize_t = self.n
        above: cython.Py_ssize_t = self.above
        self.rows[0, n] = self.code[name]
        self.rows[1, n] = above
        self.rows[2, n] = n + 1
        self.rows[3, n] = self.top
        if has_href and flag & ANCHOR:
            self.rows[4, n] = n
        else:
            self.rows[4, n] = self.rows[4, above] if above >= 0 else -1
        self.rows[5, n] = n if flag & BLOCK or n == 0 else self.rows[5, above]
        self.shown[n] = not flag & INVISIBLE and (above < 0 or self.shown[above])
        self.names.append(self.tags.listed[name])
        self.n += 1

    @cython.cfunc
    def close_row(self) -> cython.void:
        self.rows[2, self.above] = self.n
        self.above = self.rows[1, self.above]


def scan_markup(markup: str, flags_of: dict[str, int], codes: dict[str, int], max_rows: int, max_depth: int) -> Any:
    """The columns of a serialised tree, or None.

    Args:
        markup: as the parser serialised it.
        flags_of: name of an element -> its flags, 0 unless given.
        codes: name of an element -> its code, 0 unless given.
        max_rows, max_depth: the result is None where the tree has more.

    Returns:
        rows: int64 [6, n_elements], code, parent, end, depth, link and block of each element; link and block are the
        nearest element, itself included, that is one; displayed: bool [n_elements], no element around is invisible;
        names: [n_elements]; text: [n_texts]; places: int64 [2, n_texts], the row that each text is a child of, and the
        number of elements that start before it; attributes: int32 [4, n_attributes], number of the name, row, start
        and end of the value in the markup; attribute_names: of those numbers; raw: (row, start, end, 1 if it is
        escaped) of the content of each skipped element.
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
    found: _Scan = _Scan(markup, _count(data, size, LESS), _count(data, size, QUOTE))
    found.flags_of, found.codes, found.max_rows, found.max_depth = flags_of, codes, max_rows, max_depth
    is_known: cython.bint = True
    c: cython.uint
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
    return (
        np.asarray(found.rows)[:, : found.n],
        np.asarray(found.shown)[: found.n].view(np.bool_),
        found.names,
        found.texts,
        np.asarray(found.places)[:, : found.n_texts],
        np.ascontiguousarray(np.asarray(found.attributes)[:, : found.n_attributes]),
        found.keys.listed,
        found.raw,
    )


@cython.cfunc
def _count(data: cython.pointer[Chars], size: cython.Py_ssize_t, wanted: cython.uint) -> cython.Py_ssize_t:
    """How often a character occurs."""
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t = 0
    for i in range(size):
        n += data[i] == wanted
    return n


@cython.cfunc
def _read_text(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """Text up to the next tag. False for text outside the root."""
    start: cython.Py_ssize_t = found.at
    i: cython.Py_ssize_t = start
    is_escaped: cython.bint = False
    while i < found.size and data[i] != LESS:
        if data[i] == AMPERSAND:
            is_escaped = True
        i += 1
    found.at = i
    if found.skipped_from:
        return True
    if found.above < 0:
        return False
    found.add_text(_unescape(found.markup, start, i) if is_escaped else found.markup[start:i])
    return True


@cython.cfunc
def _read_end_tag(found: _Scan, data: cython.pointer[Chars]) -> cython.bint:
    """An end tag. False where it does not end the innermost open element."""
    start: cython.Py_ssize_t = found.at + 2
    stop: cython.Py_ssize_t = start
    hashed: cython.uint = 0
    while stop < found.size and data[stop] != GREATER:
        hashed = hashed * 31 + data[stop]
        stop += 1
    if stop >= found.size or found.top == 0:
        return False
    if _find_name(found.tags, data, found.markup, start, stop, hashed) != found.stack[0, found.top]:
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
    end: cython.Py_ssize_t
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
    start: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    key: cython.int
    has_href: cython.bint = False
    hashed: cython.uint
    while i + 2 < size and data[i] == SPACE:
        start = i + 1
        hashed = data[start]
        stop = start + 1
        while stop < size and data[stop] != EQUALS:
            hashed = hashed * 31 + data[stop]
            stop += 1
        if stop + 1 >= size or data[stop + 1] != QUOTE:
            return -1
        i = stop + 2
        while i < size and data[i] != QUOTE:
            i += 1
        if not found.skipped_from:
            key = _find_name(found.keys, data, found.markup, start, stop, hashed)
            if key < 0:
                return -1
            has_href = has_href or (stop - start == 4 and found.keys.listed[key] == "href")
            found.attributes[0, found.n_attributes] = key
            found.attributes[1, found.n_attributes] = found.n
            found.attributes[2, found.n_attributes] = stop + 2
            found.attributes[3, found.n_attributes] = i
            found.n_attributes += 1
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
