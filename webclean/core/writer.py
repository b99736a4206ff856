"""The text of a block, written character by character into memory that is used again for the next.

Enters: characters, and where white space stood. Leaves: a string. Keep: `start` is told the most that will be written,
and nothing checks the room after it; all that is written has the width of the text. Tested with `text_blocks`.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cython.cimports.cpython.unicode import PyUnicode_DecodeLatin1, PyUnicode_FromKindAndData
from cython.cimports.libc.string import memcpy

_SPACE_CODE = cython.declare(cython.uint, 32)
GREEK_QUESTION = cython.declare(cython.uint, 0x37E)  # U+037E looks like a semicolon, and the table says nothing of it


@cython.final
@cython.cclass
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

    @cython.cfunc
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

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def put(self, c: cython.uint) -> cython.void:
        # not at the start of a text; and white space at its end is pending for ever
        if self.is_pending and self.n:
            self.set_next(_SPACE_CODE)
        self.is_pending = False
        self.set_next(c)

    @cython.cfunc
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

    @cython.cfunc
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
        letters: cython.pointer[cython.ushort]
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
