"""The text nodes of a page -> its text blocks, with their counts and their texts; each node is read once.

A text is written character by character into memory that is used again for the next.

Enters: a `Page` with elements, texts and attributes, the table of characters, the flags of tags. Leaves: the columns of
blocks, `block_of` and `gap` of texts, and `block_texts`. Keep: the counts are those of the text that is written;
`TextWriter.start` is told the most that will be written, and nothing checks the room after it. Tested by
`tests/core/test_text_blocks.py`, `tests/blocks/test_text_blocks.py` and the golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cython.cimports.cpython.unicode import (
    PyUnicode_DATA,
    PyUnicode_DecodeLatin1,
    PyUnicode_FromKindAndData,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cython.cimports.libc.string import memcpy, memset

from webclean.core.attributes import Attributes
from webclean.core.page import Page
from webclean.core.text_nodes import TextNodes, choose_nodes, drop_hidden_parts, drop_permalinks, group_nodes

_OF_BLOCKS = (
    "row", "first", "last", "n_chars", "n_link_chars", "n_words", "n_link_words", "n_punctuation", "n_sentences"
)  # fmt: skip
_SIGNS_PER_WORD = cython.declare(cython.int, 4)
"""Of scripts that set no spaces between words but write syllables (Thai, Lao, Burmese): about so long is a word."""
_SPACE_CODE = cython.declare(cython.uint, 32)
GREEK_QUESTION = cython.declare(cython.uint, 0x37E)  # U+037E looks like a semicolon, and the table says nothing of it
_SEMICOLON = cython.declare(cython.uint, 0x3B)


class TextWriter:
    """The text of one block, written character by character; white space is written before the next other character."""

    buffer: cython.p_uchar
    room: cython.Py_ssize_t
    n: cython.Py_ssize_t
    width: cython.int
    is_pending: cython.bint

    def __cinit__(self) -> None:
        # 16 kB: nearly all blocks of a page fit, so memory is taken once a page
        self.room = 1 << 14
        self.buffer = cython.cast(cython.p_uchar, PyMem_Malloc(self.room))
        if not self.buffer:
            raise MemoryError

    def __dealloc__(self) -> None:
        PyMem_Free(self.buffer)

    def start(self, size: cython.Py_ssize_t, width: cython.int) -> cython.bint:
        """Begin a text of at most `size` characters of 1, 2 or 4 bytes."""
        self.n = 0
        self.width = width
        self.is_pending = False
        if size * width > self.room:
            # twice: on a page of growing paragraphs it is not asked for at each one
            self.room = 2 * size * width
            self.buffer = cython.cast(cython.p_uchar, PyMem_Realloc(self.buffer, self.room))
        return self.buffer != cython.NULL

    @cython.inline
    @cython.exceptval(check=False)
    def put(self, c: cython.uint) -> cython.void:
        # never at the start of a text; white space at its end stays pending and is never written
        if self.is_pending and self.n:
            self.set_next(_SPACE_CODE)
        self.is_pending = False
        self.set_next(c)

    @cython.inline
    @cython.exceptval(check=False)
    def set_next(self, c: cython.uint) -> cython.void:
        if self.width == 1:
            self.buffer[self.n] = c
        elif self.width == 2:
            cython.cast(cython.pointer[cython.ushort], self.buffer)[self.n] = c
        else:
            cython.cast(cython.pointer[cython.uint], self.buffer)[self.n] = c
        self.n += 1

    @cython.inline
    @cython.exceptval(check=False)
    def copy_letters(
        self,
        table: cython.const[cython.uchar][::1],
        kind: cython.int,
        data: cython.p_void,
        first: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Write the letters from `first` on, of which the table says nothing, after white space where some is due; how
        many there are. kind: bytes of each character; 0 letters where the text that is written has another width, for
        they are copied byte by byte."""
        i: cython.Py_ssize_t = first
        if kind != self.width:
            return 0
        # kind 4 has no run of its own: a block with an emoji is written character by character
        if kind == 1:
            while i < size and not table[cython.cast(cython.p_uchar, data)[i]]:
                i += 1
        elif kind == 2:
            letters = cython.cast(cython.pointer[cython.ushort], data)
            while i < size and not table[letters[i]] and letters[i] != GREEK_QUESTION:
                i += 1
        if i > first:
            if self.is_pending and self.n:
                self.set_next(_SPACE_CODE)
            self.is_pending = False
            memcpy(self.buffer + self.n * kind, cython.cast(cython.p_uchar, data) + first * kind, (i - first) * kind)
            self.n += i - first
        return i - first

    @cython.cfunc
    def take(self) -> str:
        if self.width == 1:
            return PyUnicode_DecodeLatin1(cython.cast(cython.p_char, self.buffer), self.n, cython.NULL)
        # finds the widest character: one in `width` may have been white space, which was not written, and equal strings
        # of CPython must have the same width
        return PyUnicode_FromKindAndData(self.width, self.buffer, self.n)


_NAMING = ("class", "id", "datetime", "itemprop", "data-testid", "data-test-id")
"""Attributes that say that an element is a thing of its own, and not only how its letters look."""


def divide_text(
    page: Page, attributes: Attributes, hiding: list, silent: list, floating: list, table: Any, flags: Any
) -> None:
    """Add the text blocks of a page: the columns of blocks, `block_of` and `gap` of texts, and `block_texts`.

    Args:
        attributes: of the page; elements with a class, an id or the like that is not empty are separate items.
        hiding: rows of the elements whose own markup hides them.
        silent: rows of the elements that are hidden from screen readers.
        floating: rows of the elements whose own markup sets them apart from the line.
        table: uint8 [0x110000], kind of each code point.
        flags: uint8 [n_codes], sum of the flags of each tag.
    """
    found: TextNodes = TextNodes()
    n: cython.Py_ssize_t = page.n_texts
    found.page, found.texts, found.table, found.flags = page, page.texts, table, flags
    found.is_named = page.take_flags(page.n_elements, True)
    for name in _NAMING:
        attributes.mark_filled(name, found.is_named)
    for row in floating:
        found.is_named[cython.cast(cython.Py_ssize_t, row)] = True
    found.tag, found.parent, found.end, found.link, found.block = page.tag, page.parent, page.end, page.link, page.block
    found.owner = page.text_owner
    found.node = page.take_rows(n)
    found.first_kind = page.take_ints(n)
    found.last_kind = page.take_ints(n)
    found.n_breaks = page.take_rows(n)
    found.weight = page.take_rows(n)
    # in this order: a permalink must be gone before blocks are measured, and it is known by the nodes around it
    choose_nodes(found)
    drop_permalinks(found)
    if hiding or silent:
        drop_hidden_parts(found, hiding, silent)
    _measure_blocks(found)
    _mark_visible(page, hiding)


def _mark_visible(page: Page, hiding: list) -> cython.void:
    """Add `visible`: neither all texts of a block nor an element around it are hidden."""
    page.add("visible", page.n_blocks)
    memset(page.visible, 1, page.n_blocks)
    if not hiding:
        return
    is_hidden: cython.p_uchar = page.take_flags(page.n_elements, True)
    row: cython.Py_ssize_t
    for row in hiding:
        is_hidden[row] = 1
    for i in range(page.n_elements):
        # parents first: one pass hands the flag down
        if page.parent[i] >= 0:
            is_hidden[i] |= is_hidden[page.parent[i]]
    for i in range(page.n_blocks):
        page.visible[i] = False
        for node in range(page.first[i], page.last[i]):
            if page.block_of[node] == i and not is_hidden[page.text_owner[node]]:
                page.visible[i] = True
                break


def _measure_blocks(found: TextNodes) -> cython.bint:
    """Group the nodes into blocks, and read each."""
    page: Page = found.page
    n: cython.Py_ssize_t = found.n
    page.add("block_of", page.n_texts)
    page.add("gap", page.n_texts)
    glued: cython.p_uchar = page.take_flags(n + 1, True)  # nothing between it and the one before
    # room for a block a node; shortened once their number is known
    for name in _OF_BLOCKS:
        page.add(name, n)
    group_nodes(found, glued)
    text: list = []
    writer: TextWriter = TextWriter()
    k = 0
    while k < n:
        b: cython.Py_ssize_t = page.block_of[found.node[k]]
        last = k + 1
        while last < n and page.block_of[found.node[last]] == b:
            last += 1
        text.append(_read_block(found, writer, k, last, glued, b))
        k = last
    for name in _OF_BLOCKS:
        page.shorten(name, len(text))
    page.n_blocks, page.block_texts = len(text), text


def _read_block(
    found: TextNodes,
    writer: TextWriter,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    glued: cython.p_uchar,
    b: cython.Py_ssize_t,
) -> str:
    """Count and write the nodes `first:last`, which are one block."""
    size: cython.Py_ssize_t = 0
    width: cython.int = 1
    before: cython.uint = 0
    page: Page = found.page
    page.n_chars[b] = page.n_link_chars[b] = page.n_words[b] = page.n_link_words[b] = 0
    page.n_punctuation[b] = page.n_sentences[b] = 0
    for k in range(first, last):
        # one more for each: the space before it. White space inside is written as one, so a text never becomes longer
        size += PyUnicode_GET_LENGTH(found.texts[found.node[k]]) + 1
        kind: cython.int = PyUnicode_KIND(found.texts[found.node[k]])
        width = kind if kind > width else width
    # as wide as its widest node: one quotation mark beyond Latin-1 makes all of the text wide
    if not writer.start(size, width):
        raise MemoryError
    for k in range(first, last):
        if not glued[k]:
            writer.is_pending = True
            before = 0
        # the kind of character after the node decides whether a full stop at its end ends a sentence
        after = found.first_kind[k + 1] if k + 1 < last and glued[k + 1] else TEXT_SPACE
        before = _read_node(found, writer, k, b, before, after)
    return writer.take()


def _read_node(
    found: TextNodes,
    writer: TextWriter,
    k: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    before: cython.uint,
    after: cython.int,
) -> cython.uint:
    """Count and write one node of a block; its last character. before: the one before; after: kind of the next."""
    i: cython.Py_ssize_t = 0
    n_chars: cython.int = 0
    n_words: cython.int = 0
    n_signs: cython.int = 0
    is_inside: cython.bint = False
    table: cython.const[cython.uchar][::1] = found.table
    text: str = found.texts[found.node[k]]
    size: cython.Py_ssize_t = PyUnicode_GET_LENGTH(text)
    kind: cython.int = PyUnicode_KIND(text)
    data = PyUnicode_DATA(text)
    starts: cython.bint
    while i < size:
        # the most frequent case: the letters of a word are copied at once
        run = writer.copy_letters(table, kind, data, i, size)
        if run:
            i += run
            n_chars += cython.cast(cython.int, run)
            n_words += not is_inside
            is_inside = True
            n_signs = 0
            before = PyUnicode_READ(kind, data, i - 1)
            if i == size:
                break
        c: cython.uint = PyUnicode_READ(kind, data, i)
        i += 1
        bits = table[c]
        if bits & TEXT_SPACE:
            writer.is_pending = True
            is_inside = False
            n_signs = 0
            before = c
            continue
        writer.put(c)
        n_chars += 1
        starts = bits & TEXT_UNSPACED or not is_inside or (bits & TEXT_SYLLABIC and n_signs % _SIGNS_PER_WORD == 0)
        n_signs = n_signs + 1 if bits & TEXT_SYLLABIC else 0
        # punctuation does not end a word, `it's` and `3.5` are one; a sign of an unspaced script is one by itself
        is_inside = not bits & TEXT_UNSPACED
        n_words += starts
        found.page.n_punctuation[b] += bits & TEXT_PUNCTUATION != 0
        # few characters are: what follows is looked up for these alone
        if bits & (TEXT_STOP | TEXT_FULL_STOP | TEXT_LONE_STOP) or c == _SEMICOLON or c == GREEK_QUESTION:
            follows = table[PyUnicode_READ(kind, data, i)] if i < size else after
            found.page.n_sentences[b] += _ends_sentence(c, bits, before, follows)
        before = c
    _add_counts(found.page, b, n_chars, n_words, found.link[found.owner[found.node[k]]] >= 0)
    return before


def _add_counts(
    page: Page, b: cython.Py_ssize_t, n_chars: cython.int, n_words: cython.int, is_linked: cython.bint
) -> cython.void:
    """What a node adds to its block."""
    page.n_chars[b] += n_chars
    page.n_words[b] += n_words
    if is_linked:
        page.n_link_chars[b] += n_chars
        page.n_link_words[b] += n_words


@cython.inline
@cython.exceptval(check=False)
def _ends_sentence(c: cython.uint, bits: cython.int, before: cython.uint, follows: cython.int) -> cython.bint:
    """Whether a stop ends a sentence, by its kind and that of the next character: `3.5` and `...` end none but once."""
    if (c == _SEMICOLON or c == GREEK_QUESTION) and _is_greek(before):  # with which Greek asks
        bits |= TEXT_STOP
    if bits & TEXT_STOP and follows & (TEXT_SPACE | TEXT_CLOSING):
        return True
    return bits & TEXT_LONE_STOP or (bits & TEXT_FULL_STOP and not follows & TEXT_FULL_STOP)


@cython.exceptval(check=False)
@cython.inline
def _is_greek(c: cython.uint) -> cython.bint:
    return 0x370 <= c <= 0x3FF or 0x1F00 <= c <= 0x1FFF
