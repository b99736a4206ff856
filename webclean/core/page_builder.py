"""The columns of a tree that grow as its elements, attributes and texts are read, in document order.

Enters: the names, attributes and texts of a tree, one after the other: from a markup (`scan`) or node by node
(`take_nodes`). Leaves: a `Page` with the columns of elements, texts and attributes.

Keep: rows, texts and attributes come in document order, for all later stages search in them by halves; each pointer of
the page is read anew after room was made, which moves its column; `names` holds one string object for each distinct
name, which `attributes` compares by address. Tested by `tests/core/test_scan.py`, which compares both ways in.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.libc.string import memset

from webclean.core.page import COLUMNS, TREE_COLUMNS, Page
from webclean.core.texts import Chars, find_controls

SCAN_FLAGS = {
    "void": 1,  # no content and no end tag
    "raw": 2,  # its content is written without escapes
    "skipped": 4,  # its content gets no rows
    "foreign": 8,  # `svg` and `math`: names inside belong to another namespace, where none is void or raw
    "point": 16,  # inside a foreign element of this name the names are those of HTML again
    "unknown": 32,  # what it contains cannot be told from the markup alone
    "block": 64,  # as the column of that name has it
    "invisible": 128,  # never shown
    "anchor": 256,  # an `href` makes it a link
    "padded": 512,  # a line break at the start of its content is written twice
}
"""What the name of an element means; an element has the sum of its flags. The compiled code calls them `SCAN_VOID`
and so on, as it does those of each table `..._FLAGS` (`build_features.py`)."""

_MOST_NAMES = cython.declare(cython.int, 2048)
"""Distinct names of elements and attributes, half the places of the table of names; a power of two. A page of people
has a hundred; one that has more than these was made to be slow, and is read node by node."""
_PER_ROW = cython.declare(cython.Py_ssize_t, 64)
_PER_ATTRIBUTE = cython.declare(cython.Py_ssize_t, 48)
"""Characters of a page for each element or text, and for each attribute, for which there is room at first."""
_PAGE_BYTES = cython.declare(cython.Py_ssize_t, 800)
"""Of all columns of a page together, for each element that it may have: about what a page of text takes."""
_OF_ELEMENTS, _OF_TEXTS, _OF_ATTRIBUTES = (
    [name for name in TREE_COLUMNS if COLUMNS[name][1] == rows] for rows in ("elements", "texts", "attributes")
)
BLANKS = cython.declare(cython.int, 256)
LONGEST_BLANK = cython.declare(cython.int, 64)
"""Texts of white space that are remembered, and characters of the longest of them. Half the texts of a page are a line
break and an indentation, of which it has a dozen different ones: each is one string."""


class Names:
    """Numbers the distinct names in a markup: a hash table with linear probing.

    number: of the name at each place of the table, -1 for none. start, length: of each name, where it first stands in
    the markup. listed: the names.
    """

    # twice `_MOST_NAMES`: half of the places stay free, so probing ends; a number below 2,048 fits a short
    number: cython.short[4096]
    start: cython.p_int  # memory of their own, which nobody fills first: a page has a hundred of 2,048 names
    length: cython.p_int
    listed: list
    n: cython.int

    def __cinit__(self) -> None:
        self.start = cython.cast(cython.p_int, PyMem_Malloc(2 * _MOST_NAMES * cython.sizeof(cython.int)))
        if not self.start:
            raise MemoryError
        self.length = self.start + _MOST_NAMES

    def __dealloc__(self) -> None:
        PyMem_Free(self.start)

    def __init__(self) -> None:
        # all bits set is -1 in each place
        memset(self.number, 0xFF, cython.sizeof(self.number))
        self.listed = []
        self.n = 0


def find_name(
    names: Names,
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
            # lengths first: hashes of names that differ may be the same
            i = 0
            other = names.start[number]
            while i < n and data[start + i] == data[other + i]:
                i += 1
            if i == n:
                return number
        place = (place + 1) & mask
    # asked after probing, so that a page with as many names as there is room for is still read
    if names.n >= _MOST_NAMES:
        return -1
    names.number[place] = names.n
    names.start[names.n] = start
    names.length[names.n] = n
    names.listed.append(markup[start:stop])
    names.n += 1
    return names.n - 1


class PageBuilder:
    """The page so far, what is open, and where in the markup its scan is."""

    page: Page
    markup: str
    size: cython.Py_ssize_t
    at: cython.Py_ssize_t
    flags_of: dict
    codes: dict
    max_rows: cython.Py_ssize_t
    max_depth: cython.Py_ssize_t
    tags: Names
    keys: Names
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
    href: cython.int  # number of this name among those of attributes, -1 before it is met
    first_key: cython.p_int  # of each tag, the number of the attribute that stood first in it last; -1 for none
    next_key: cython.p_int  # of each attribute, the same of the one that stood behind it
    names: list
    texts: list
    controls: list  # numbers of the texts that have a control character
    raw: list
    blank_at: cython.int[::1]  # number of the last text with a hash that is white space alone

    def __init__(self, markup: str, flags_of: dict, codes: dict, max_rows: int, max_depth: int) -> None:
        size: cython.Py_ssize_t = len(markup)
        self.flags_of, self.codes, self.max_rows, self.max_depth = flags_of, codes, max_rows, max_depth
        self.page = Page(_PAGE_BYTES * (size // _PER_ROW))
        self.first_key = self.page.take_ints(2 * _MOST_NAMES)
        self.next_key = self.first_key + _MOST_NAMES
        self.markup, self.size = markup, size
        self.tags, self.keys = Names(), Names()
        self.flags = np.empty(_MOST_NAMES, dtype=np.intc)
        self.code = np.empty(_MOST_NAMES, dtype=np.intc)
        # no start tag has less than two characters, so a markup opens no more than that; one more place for below the
        # root, and one for the tag at which `_read_start_tag` finds the limit
        self.stack = np.empty((2, min(size // 2, max_depth) + 2), dtype=np.intc)
        # below the root: no name, and HTML
        self.stack[0, 0] = -1
        self.stack[1, 0] = 0
        self.above = -1
        self.names, self.texts, self.controls, self.raw = [], [], [], []
        self.href = -1
        self.blank_at = np.full(BLANKS, -1, dtype=np.intc)
        # room for what a page of this size mostly has; where it has more, twice as much is made
        # 64 more: a page of one line has elements too, and doubling needs something to double
        self.row_room = self.make_room(_OF_ELEMENTS, 0, size // _PER_ROW + 64)
        self.text_room = self.make_room(_OF_TEXTS, 0, size // _PER_ROW + 64)
        self.attribute_room = self.make_room(_OF_ATTRIBUTES, 0, size // _PER_ATTRIBUTE + 64)

    def make_room(self, columns: list, n: cython.Py_ssize_t, room: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Widen columns that have n entries; for how many there is room then."""
        for name in columns:
            self.page.widen(name, n, room)
        return room

    def add_text(self, text: str) -> cython.bint:
        # doubled, so that each entry is moved once on average; the old memory stays in the page's chunk until the page
        # goes
        if self.n_texts == self.text_room:
            self.text_room = self.make_room(_OF_TEXTS, self.n_texts, 2 * self.text_room)
        self.texts.append(text)
        self.page.text_owner[self.n_texts] = self.above
        # with its owner this gives the place of a text among its siblings: in `<p>a<b>c</b>d</p>` 1 for a and 2 for d
        self.page.text_next[self.n_texts] = self.n
        self.n_texts += 1
        return True

    def add_row(self, name: cython.int, flag: cython.int, has_href: cython.bint) -> cython.bint:
        n: cython.Py_ssize_t = self.n
        above: cython.Py_ssize_t = self.above
        if n == self.row_room:
            self.row_room = self.make_room(_OF_ELEMENTS, n, 2 * self.row_room)
        page: Page = self.page
        page.tag[n] = self.code[name]
        page.parent[n] = above
        # this stays for void elements; `close_row` sets it for all others
        page.end[n] = n + 1
        page.depth[n] = self.top
        # a link without an address is a name for a place (`<a name=top>`), and what is in it is in the link around it
        if has_href and flag & SCAN_ANCHOR:
            page.link[n] = n
        else:
            page.link[n] = page.link[above] if above >= 0 else -1
        # a root is one whatever its name is, so that each element has one; and nothing is above it to be asked
        page.block[n] = n if flag & SCAN_BLOCK or above < 0 else page.block[above]
        # parents come first, so what holds of a parent is known: one look replaces a climb
        page.displayed[n] = not flag & SCAN_INVISIBLE and (above < 0 or page.displayed[above])
        self.names.append(self.tags.listed[name])
        self.n += 1

    def add_attribute(self, key: cython.int, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        """An attribute of the row that comes next. key: number of its name."""
        at: cython.Py_ssize_t = self.n_attributes
        if at == self.attribute_room:
            self.attribute_room = self.make_room(_OF_ATTRIBUTES, at, 2 * self.attribute_room)
        self.page.attribute_name[at] = key
        self.page.attribute_row[at] = self.n
        self.page.attribute_start[at] = start
        self.page.attribute_stop[at] = stop
        self.n_attributes += 1

    @cython.exceptval(check=False)
    def close_row(self) -> cython.void:
        # the subtree of a row is the slice `row:end`, since rows are in document order
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
        page.markup, page.names, page.attribute_names = self.markup, self.names, attribute_names
        page.texts, page.controls = self.texts, self.controls
        page.n_elements, page.n_texts, page.n_attributes = self.n, self.n_texts, self.n_attributes
        return page


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
    written: list = []
    keys: dict = {}
    numbers: dict = {}
    # no markup, so no room is made by its size: the numbers are known, and exact
    found: PageBuilder = PageBuilder("", flags_of, codes, len(names), len(names))
    at: cython.Py_ssize_t = 0
    found.row_room = found.make_room(_OF_ELEMENTS, 0, len(names) + 1)
    found.text_room = found.make_room(_OF_TEXTS, 0, len(texts) + 1)
    # by the number that `numbers` gives below: both count distinct names as they first occur
    found.code = np.array([codes.get(name, 0) for name in dict.fromkeys(names)] or [0], dtype=np.intc)
    for row in range(len(names)):
        above: cython.Py_ssize_t = parents[row]
        # rows come in document order: all that is open below the parent has ended
        while found.above >= 0 and found.above != above:
            found.close_row()
            found.top -= 1
        at = _take_attributes(found, attributes[row], keys, written, at)
        number: cython.int = numbers.setdefault(names[row], len(numbers))
        # `add_row` takes the name from here: one string object for all elements of a name, whatever the engine made
        if number == len(found.tags.listed):
            found.tags.listed.append(names[row])
        found.add_row(number, flags_of.get(names[row], 0), "href" in attributes[row])
        found.above = row
        found.top += 1
    while found.above >= 0:
        found.close_row()
    for at in range(len(texts)):
        # texts are not added one by one: an engine gives who owns them, and `above` has left the tree by now
        found.page.text_owner[at] = owners[at]
        found.page.text_next[at] = after[at]
    found.n_texts, found.texts, found.markup = len(texts), texts, "".join(written)
    found.controls = find_controls(texts)
    return found.finish([*keys])


def _take_attributes(
    found: PageBuilder, attributes: Any, keys: dict, written: list, start: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Add the attributes of an element, and their values to `written`; where the next value starts."""
    for key, value in attributes.items():
        # an engine may give lists (`class`) and None; escaped, for whoever reads a slice takes escapes back
        text = " ".join(value) if type(value) is list else value or ""
        if "&" in text:
            text = text.replace("&", "&amp;")
        written.append(text)
        found.add_attribute(keys.setdefault(key, len(keys)), start, start + len(text))
        start += len(text)
    return start
