"""The page: one object that owns all columns of a page, cut from one run of memory that is kept between pages.

Stages of the core are given the page, read its columns and add their own; Python sees a column as a numpy array when it
asks for it by name (`page.view("parent")`). No stage counts positions: a column is known by its name alone, and
`COLUMNS` says of each what it is.

A chunk of memory is a numpy array of bytes. Columns and views refer to it, so it is used for another page only when
nothing else does:

    shelf (of the module)      page                          views
    [chunk, chunk, ...]   ->   chunk: |parent|end|depth|...  parent = chunk[0:8 n].view(int64)

Keep: memory is as it was left by another page, so whoever takes it fills it; a pointer is good as long as its page
lives, and no longer: an object that keeps one keeps the page too; a column that is widened moves. Tested by
`tests/core/test_pages.py` and `tests/test_page.py` (a page is freed when nothing refers to it).

Beside it what keeps the results of a function of parts of rule sets (`webclean.rules.rule_schema`): each page asks for
some twenty plans, which as Python costs more than looking one up.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.ref import Py_REFCNT
from cython.cimports.libc.string import memcpy, memset

ALIGNED = cython.declare(cython.Py_ssize_t, 64)
"""Bytes at whose multiples columns start: a line of the processor's cache."""
LEAST_CHUNK = cython.declare(cython.Py_ssize_t, 1 << 20)
"""Bytes of the smallest chunk: most pages of up to 100 kB need no other."""
LARGEST_KEPT = cython.declare(cython.Py_ssize_t, 1 << 25)
"""Bytes of the largest chunk that is kept: a huge page must not hold its memory for ever."""
MOST_KEPT = cython.declare(cython.Py_ssize_t, 8)
"""Chunks that are kept at most. A page has one or two, and users may hold several pages."""

TYPES = {"int64": 8, "int32": 4, "float64": 8, "uint64": 8, "uint8": 1, "bool": 1}
"""Type of a column -> bytes of an entry."""
_DTYPES: dict = {name: np.dtype(name) for name in TYPES}

COLUMNS = {
    # columns of elements, in document order
    "tag": ("int64", "elements", "code of the tag (`parse.tags`)"),
    "parent": ("int64", "elements", "row of the parent, -1 for the root"),
    "end": ("int64", "elements", "one past the last row of the subtree"),
    "depth": ("int64", "elements", "ancestors"),
    "link": ("int64", "elements", "the nearest `a` with an href, itself included, or -1"),
    "block": ("int64", "elements", "the nearest block element, itself included"),
    "displayed": ("bool", "elements", "not under an element that is never shown"),
    "n_words_below": ("float64", "elements", "words in the subtree"),
    "n_link_words_below": ("float64", "elements", "words inside links in the subtree"),
    "n_prose_words_below": ("float64", "elements", "words of running text in the subtree"),
    "n_blocks_below": ("float64", "elements", "text blocks in the subtree"),
    "name": ("int64", "elements", "number of the name in `element_names`, 0 for elements without words"),
    "class_name": ("int64", "elements", "the same of the name of tag and class alone"),
    "alike": ("int64", "elements", "equal where `class_name` differs in its numbers alone"),
    "group": ("int64", "elements", "the group of siblings alike that the element is in, or -1"),
    # columns of groups of alike siblings; the last entry is for no group
    "group_size": ("float64", "groups", "elements"),
    "group_words": ("float64", "groups", "their words"),
    "group_spread": ("float64", "groups", "standard deviation / mean of their words"),
    # columns of text nodes, in document order
    "text_owner": ("int64", "texts", "the row that the text is a child of"),
    "text_next": ("int64", "texts", "elements that start before the text"),
    "block_of": ("int64", "texts", "the text block that the text belongs to, or -1"),
    "gap": ("bool", "texts", "apart from the text before it although no white space stands between"),
    # columns of attributes, in document order
    "attribute_name": ("int32", "attributes", "number of the name in `attribute_names`"),
    "attribute_row": ("int32", "attributes", "row of the element"),
    "attribute_start": ("int32", "attributes", "where the value starts in `markup`"),
    "attribute_stop": ("int32", "attributes", "where it stops"),
    # columns of text blocks, in reading order
    "row": ("int64", "blocks", "the nearest block element"),
    "first": ("int64", "blocks", "the first text node"),
    "last": ("int64", "blocks", "one past the last text node"),
    "n_chars": ("int32", "blocks", "characters without white space"),
    "n_link_chars": ("int32", "blocks", "those inside links"),
    "n_words": ("int32", "blocks", "words; a CJK character is one"),
    "n_link_words": ("int32", "blocks", "those inside links"),
    "n_punctuation": ("int32", "blocks", "punctuation marks"),
    "n_sentences": ("int32", "blocks", "sentence ends"),
    "visible": ("bool", "blocks", "not in an element that its own markup hides"),
    "n_text_chars": ("int64", "blocks", "characters, white space included"),
    "is_prose": ("bool", "blocks", "running text: longer than a label, with a sentence end and little link text"),
    "words": ("float64", "blocks", "words, comparable across scripts, at least 1"),
    "link_words": ("float64", "blocks", "words inside links, scaled as `words` are"),
    "prose_words": ("float64", "blocks", "`words` of running text, 0 for other blocks"),
    "item": ("int64", "blocks", "the innermost element around that is in a group, or -1"),
    "outer": ("int64", "blocks", "the outermost one"),
    "path": ("int64", "blocks", "equal where the elements around are alike in name, four levels"),
    "levels": ("int64", "6 x blocks", "the block elements 0 to 5 levels up; above the root, the root again"),
}
"""Name of a column -> type, what it has an entry for, meaning. A stage that adds a column adds its line, of which
`build_features.py` makes an attribute of `Page`: a pointer, good from `Page.add` on."""
_NUMBERS: dict = {name: number for number, name in enumerate(COLUMNS)}
TREE_COLUMNS = ("tag", "parent", "end", "depth", "link", "block", "displayed", "text_owner", "text_next",
    "attribute_name", "attribute_row", "attribute_start", "attribute_stop")  # fmt: skip
"""Those of a tree, of which a page is made."""

_shelf: list = []
_apart = cython.declare(cython.bint, False)


def keep_columns_apart() -> None:
    """From now on each column is memory of its own, which is used once: so a checker sees reads beside it."""
    # in one run of memory the byte after a column is that of another, and a checker sees nothing wrong with it
    global _apart  # noqa: PLW0603
    _apart = True


def _take_chunk(n_bytes: cython.Py_ssize_t) -> object:
    """A chunk of at least so many bytes that nothing else refers to: from the shelf, or new."""
    if _apart:
        # one byte at least: the address of the first is asked for
        return np.empty(n_bytes if n_bytes else 1, dtype=np.uint8)
    n_bytes = n_bytes if n_bytes > LEAST_CHUNK else LEAST_CHUNK
    for i in range(len(_shelf)):
        chunk: Any = _shelf[i]
        # the shelf and this variable refer to it; a view or a page would be a third
        if Py_REFCNT(chunk) == 2 and len(chunk) >= n_bytes:
            return chunk
    chunk = np.empty(n_bytes, dtype=np.uint8)
    if n_bytes <= LARGEST_KEPT:
        if len(_shelf) >= MOST_KEPT:
            # the oldest; a page that still uses it keeps it alive, and it is freed with that page
            del _shelf[0]
        _shelf.append(chunk)
    return chunk


class Page:
    """All columns of a page.

    markup: what attributes are slices of. names: the tag names of the elements; texts: the text nodes; controls: the
    numbers of those that were parsed with control characters; block_texts: the texts of the blocks; attribute_names:
    the distinct names of attributes; element_names: the names of elements, '' and those of tag and class alone first.
    """

    markup = cython.declare(str, visibility="readonly")
    names = cython.declare(list, visibility="readonly")
    texts = cython.declare(list, visibility="public")
    controls = cython.declare(list, visibility="readonly")
    block_texts = cython.declare(list, visibility="readonly")
    attribute_names = cython.declare(list, visibility="readonly")
    element_names = cython.declare(list, visibility="readonly")
    n_elements = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_texts = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_attributes = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_blocks = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_class_names = cython.declare(cython.Py_ssize_t, visibility="readonly")

    _chunks: list
    _chunk: object  # the one that is being cut
    _data: cython.p_char
    _used: cython.Py_ssize_t
    _size: cython.Py_ssize_t
    _places: dict  # name -> (chunk, first byte, rows or 0 for a single one, entries)
    _views: dict

    def __init__(self, n_bytes: cython.Py_ssize_t = 0) -> None:
        """n_bytes: that its columns will need, as far as can be told."""
        self._places, self._views, self._chunks = {}, {}, []
        self.markup, self.names, self.texts, self.block_texts, self.attribute_names = "", [], [], [], []
        self.controls = []
        self._open_chunk(n_bytes)

    def _open_chunk(self, n_bytes: cython.Py_ssize_t) -> cython.bint:
        chunk: object = _take_chunk(n_bytes)
        # a memory view of numpy's bytes gives their address; the chunk is kept in `_chunks`, so that the address stays
        # good
        bytes_of: cython.uchar[::1] = chunk
        self._chunks.append(chunk)
        self._chunk = chunk
        self._size = bytes_of.shape[0]
        self._data = cython.cast(cython.p_char, cython.address(bytes_of[0]))
        self._used = 0

    def take(self, n_bytes: cython.Py_ssize_t, zero: cython.bint = False) -> cython.p_void:
        """Memory without a name, for a stage's own use as long as the page lives: as it was left, or all 0."""
        start: cython.Py_ssize_t = self._used
        # the rest of the chunk stays unused: only few pages, large ones, come to this
        if _apart or start + n_bytes > self._size:
            self._open_chunk(n_bytes if _apart else n_bytes + ALIGNED)
            start = 0
        # rounded up, lest two columns share a line of the cache
        self._used = (start + n_bytes + ALIGNED - 1) // ALIGNED * ALIGNED
        if zero:
            memset(self._data + start, 0, n_bytes)
        return self._data + start

    def take_floats(self, n: cython.Py_ssize_t, zero: cython.bint = False) -> cython.p_double:
        """Memory for n float64; zero: all 0."""
        return cython.cast(cython.p_double, self.take(n * cython.sizeof(cython.double), zero))

    def take_rows(self, n: cython.Py_ssize_t, zero: cython.bint = False) -> cython.p_longlong:
        """The same for int64."""
        return cython.cast(cython.p_longlong, self.take(n * cython.sizeof(cython.longlong), zero))

    def take_ints(self, n: cython.Py_ssize_t, zero: cython.bint = False) -> cython.p_int:
        """The same for int32."""
        return cython.cast(cython.p_int, self.take(n * cython.sizeof(cython.int), zero))

    def take_flags(self, n: cython.Py_ssize_t, zero: cython.bint = False) -> cython.p_uchar:
        """The same for uint8."""
        return cython.cast(cython.p_uchar, self.take(n * cython.sizeof(cython.uchar), zero))

    def add(self, name: str, n: cython.Py_ssize_t, n_rows: cython.Py_ssize_t = 0) -> cython.p_void:
        """Add a column of n entries, or of n_rows rows of n, as its memory was left; returns its attribute."""
        size: cython.Py_ssize_t = TYPES[COLUMNS[name][0]]
        number: cython.Py_ssize_t = _NUMBERS[name]
        found: cython.p_void = self.take(size * n * (n_rows if n_rows else 1))
        start: cython.Py_ssize_t = cython.cast(cython.p_char, found) - self._data
        self._places[name] = self._chunk, start, n_rows, n
        # a view of the column as it was before would show old memory
        self._views.pop(name, None)
        # the attributes are pointers that stand one after the other in the object, in the order of `COLUMNS`
        cython.cast(cython.pp_void, cython.address(self.tag))[number] = found
        return found

    def widen(self, name: str, n: cython.Py_ssize_t, wider: cython.Py_ssize_t) -> cython.p_void:
        """The memory of a column with room for more entries, the first n as they were."""
        # asked before `add`, which gives the name to the new memory
        before: cython.p_void = self._find(name) if n else cython.NULL
        found: cython.p_void = self.add(name, wider)
        if n:
            memcpy(found, before, n * cython.cast(cython.Py_ssize_t, TYPES[COLUMNS[name][0]]))
        return found

    def shorten(self, name: str, n: cython.Py_ssize_t) -> cython.bint:
        """Say that a column has n entries, for which there was more room."""
        chunk, start, n_rows, _ = self._places[name]
        self._places[name] = chunk, start, n_rows, n

    def view(self, name: str) -> Any:
        """A column as a numpy array, which is the column itself: who writes in it changes it. Raises `KeyError`."""
        found = self._views.get(name)
        if found is None:
            chunk, start, n_rows, n = self._places[name]
            # refers to the chunk and not to the page: an array may outlive its page, and `_take_chunk` sees that it
            # does
            found = np.frombuffer(chunk, _DTYPES[COLUMNS[name][0]], n * (n_rows or 1), start)
            if n_rows:
                found = found.reshape(n_rows, n)
            self._views[name] = found
        return found

    @cython.exceptval(check=False)
    def count_texts(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many text nodes stand before the start of an element."""
        return count_smaller(self.text_next, self.n_texts, row + 1)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def _find(self, name: str) -> cython.p_void:
        chunk, start, _, _ = self._places[name]
        bytes_of: cython.uchar[::1] = chunk
        at: cython.Py_ssize_t = start
        return cython.address(bytes_of[at])


@cython.exceptval(check=False)
def count_smaller(
    rising: cython.pointer[cython.const[cython.longlong]], n: cython.Py_ssize_t, value: cython.longlong
) -> cython.Py_ssize_t:
    """How many of n rising numbers are smaller."""
    low: cython.Py_ssize_t = 0
    while low < n:
        middle = (low + n) >> 1
        if rising[middle] < value:
            low = middle + 1
        else:
            n = middle
    return low


def keep_of_rules(make: Any, most: int) -> Any:
    """The same function, with its last `most` results kept; arguments are told by identity."""
    kept: dict = {}

    @cython.binding(True)  # so that it can have the name of what it stands for
    def read(*given: Any, **named: Any) -> Any:
        every: tuple = (*given, *named.values()) if named else given
        # most are of one part, whose number is a key by itself
        key: Any = id(every[0]) if len(every) == 1 else tuple([id(part) for part in every])
        known: Any = kept.get(key)
        if known is None:
            made = make(*given, **named)
            if len(kept) >= most:
                kept.clear()
            # the arguments are kept alive: the identity of a freed one may be reused by another
            known = kept[key] = (every, made)
        return known[1]

    return read
