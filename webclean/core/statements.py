"""What fields ask of single elements, a few dozen times a page: text, place, what meta elements say; and the line that
shows the title.

Enters: a `Page` with blocks, its attributes, the flags of tags. Leaves: strings, rows, dictionaries by row. Keep: what
one field asks, another asks again, so texts are kept (`texts`); lists of rows rise, for they are searched by halves.
Tested by `tests/core/test_statements.py` and `tests/fields`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import cython

from webclean.core.attributes import Attributes
from webclean.core.page import Page

STATEMENT_FLAGS = {
    "apart": 1,  # a block element or line break, which sets words apart
    "heading": 2,
    "landmark": 4,  # nav, footer or aside
    "button": 8,
    "meta": 16,
    "listed": 32,  # its rows are listed
    "link": 64,  # a `link`
    "anchor": 128,  # an `a`
}
"""What a tag means here; a tag has the sum of its flags."""


class Statements:
    """The elements of a page as fields read them.

    rows_of: code of a tag -> the rows of its elements, of the tags that are listed. heading_block: row of a heading ->
    the last text block that is its own. texts: row -> text, of those that were read. starts, ends: of the outermost
    landmarks, in document order.
    """

    page: Page
    attributes: Attributes
    flags: cython.const[cython.uchar][::1]
    rows_of = cython.declare(dict, visibility="readonly")
    metas: list
    buttons: list
    heading_block: dict
    texts: dict
    starts: list
    ends: list

    def __init__(self, page: Page, attributes: Attributes, flags: Any) -> None:
        """flags: uint8 [n_codes], the `STATEMENT_FLAGS` of each tag."""
        after: cython.Py_ssize_t = 0
        self.page, self.attributes, self.flags = page, attributes, flags
        self.rows_of, self.heading_block, self.texts = {}, {}, {}
        self.metas, self.buttons, self.starts, self.ends = [], [], [], []
        for row in range(page.n_elements):
            code: cython.Py_ssize_t = page.tag[row]
            flag = self.flags[code]
            if flag & STATEMENT_LISTED:
                self.rows_of.setdefault(code, []).append(row)
            if flag & STATEMENT_META:
                self.metas.append(row)
            if flag & STATEMENT_BUTTON:
                self.buttons.append(row)
            # the outermost alone: they do not overlap, so one search by halves tells whether a row is in one
            if flag & STATEMENT_LANDMARK and row >= after:
                after = page.end[row]
                self.starts.append(row)
                self.ends.append(after)
        for i in range(page.n_blocks):
            if self.flags[page.tag[page.row[i]]] & STATEMENT_HEADING:
                # the last block of it: `_read_heading` finds by the one before whether it is the only one
                self.heading_block[page.row[i]] = i

    def is_in_landmark(self, row: cython.Py_ssize_t) -> bool:
        """Whether an element is inside a landmark, or is one."""
        at = bisect_right(self.starts, row) - 1
        return at >= 0 and row < self.ends[at]

    def read_metas(self, contents: tuple, keys: tuple, most: cython.Py_ssize_t, apart: Any = None) -> dict:
        """Value of each key attribute of the first meta elements, lower case -> contents in document order.

        contents: attributes that may hold the content, the first that is there counts. most: meta elements with one.
        apart: bool [n_elements], those that do not count; None for none.
        """
        found: dict = {}
        n: cython.Py_ssize_t = 0
        content_numbers = [self.attributes.number_of.get(name, -1) for name in contents]
        key_numbers = [self.attributes.number_of.get(name, -1) for name in keys]
        for row in self.metas:
            if apart is not None and apart[row]:
                continue
            stated: object = None
            has_content: cython.bint = False
            for number in content_numbers:
                given = self.attributes._find(row, number)
                has_content |= given is not None
                stated = stated or given
            # counted with those that say nothing here: the limit is for pages with 100,000 of them
            n += has_content
            if n > most:
                break
            for number in key_numbers if stated else ():
                key: str = self.attributes._find(row, number)
                if key:
                    held: list = found.setdefault(key.strip().lower(), [])
                    # an element that says one thing by two keys, `name` and `property` alike, says it once
                    if not held or held[len(held) - 1] is not stated:
                        held.append(stated)
        return found

    def read_relations(self, wanted: frozenset) -> dict:
        """Row -> tokens of `rel`, lower case, of the elements `link` and then `a` that have one of the wanted."""
        heads: dict = {}
        anchors: dict = {}
        row: cython.Py_ssize_t
        for row, value in zip(self.attributes.list_rows("rel"), self.attributes.list_values("rel")):  # noqa: B905
            flag = self.flags[self.page.tag[row]]
            tokens = tuple(value.lower().split())
            if flag & (STATEMENT_LINK | STATEMENT_ANCHOR) and not wanted.isdisjoint(tokens):
                (heads if flag & STATEMENT_LINK else anchors)[row] = tokens
        # `link` first: what the head states counts more than a link in the text
        heads.update(anchors)
        return heads

    def list_inline(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> list:
        """(row, class) of the elements `first:last` that have a class and are inside a text block: they have no name of
        their own."""
        found: list = []
        number: cython.int = self.attributes.number_of.get("class", -1)
        for row in range(first, min(last, self.page.n_elements)):
            if not self.page.class_name[row] and not self.flags[self.page.tag[row]] & STATEMENT_APART:
                value = self.attributes._find(row, number)
                if value:
                    found.append((row, value))
        return found

    def read_text(self, row: cython.Py_ssize_t) -> str:
        """Text of an element with white space normalised, without that of buttons inside: line breaks and block
        boundaries separate words."""
        known = self.texts.get(row)
        if known is None:
            known = self._read_heading(row) or self._join_texts(row)
            self.texts[row] = known
        return known

    def _read_heading(self, row: cython.Py_ssize_t) -> str:
        """The text block of a heading, if it is the whole heading and contains no button; else ''."""
        page: Page = self.page
        i: cython.Py_ssize_t = self.heading_block.get(row, -1)
        # the block before begins in the heading too: it has a line break, or a block element inside
        if i < 0 or (i and page.text_next[page.first[i - 1]] > row):
            return ""
        if i + 1 < page.n_blocks and page.text_next[page.first[i + 1]] <= page.end[row]:
            return ""
        return "" if self._has_button(row) else page.block_texts[i]

    def _has_button(self, row: cython.Py_ssize_t) -> cython.bint:
        """Whether there is a button inside an element, other than itself."""
        at = bisect_right(self.buttons, row)
        return at < len(self.buttons) and self.buttons[at] < self.page.end[row]

    def _is_pressed(self, owner: cython.Py_ssize_t, row: cython.Py_ssize_t) -> cython.bint:
        """Whether an element is a button, or in one, below another element."""
        while owner > row:
            if self.flags[self.page.tag[owner]] & STATEMENT_BUTTON:
                return True
            owner = self.page.parent[owner]
        return False

    def _join_texts(self, row: cython.Py_ssize_t) -> str:
        page: Page = self.page
        end: cython.Py_ssize_t = page.end[row]
        has_button: cython.bint = self._has_button(row)
        before: cython.Py_ssize_t = row + 1
        block: cython.Py_ssize_t = -1
        parts: list = []
        for node in range(self.page.count_texts(row), self.page.count_texts(end)):
            owner = page.text_owner[node]
            # texts between two rows may stand behind the element, in one around it
            if not row <= owner < end or (has_button and self._is_pressed(owner, row)):
                continue
            # a block element ended between the two: its end is no row, so only the block of the texts tells
            is_apart: cython.bint = page.block[owner] != block
            while before < page.text_next[node] and not is_apart:
                is_apart = self.flags[page.tag[before]] & STATEMENT_APART != 0
                before += 1
            if parts and is_apart:
                parts.append(" ")
            parts.append(page.texts[node])
            before, block = page.text_next[node], page.block[owner]
        return " ".join("".join(parts).split())

    def shows_text(self, row: cython.Py_ssize_t) -> bool:
        """Whether an element contains text of a text block."""
        end: cython.Py_ssize_t = self.page.end[row]
        for node in range(self.page.count_texts(row), self.page.count_texts(end)):
            if self.page.block_of[node] >= 0 and row <= self.page.text_owner[node] < end:
                return True
        return False


def find_contained(
    page: Page,
    title: str,
    is_heading: cython.const[cython.uchar][::1],
    least_chars: cython.int,
    least_words: cython.double,
    least_share: cython.double,
) -> int:
    """The longest heading, else the longest line that is no link, of those that the title contains: the first of
    equals, -1 without.

    A heading before a longer line: the title may be the first sentence too.

    Args:
        title: in lower case, with one space between its words.
        is_heading: bool [n_codes].
        least_chars, least_words: of which a line has either.
        least_share: of the characters of the title; what is much shorter is the name of a section or of the site.
    """
    n: cython.Py_ssize_t = len(title.replace(" ", ""))
    best: cython.Py_ssize_t = -1
    best_heads: cython.bint = False
    for at in range(page.n_blocks):
        n_chars = page.n_chars[at]
        # a copy for another device is hidden, and stands before the one that is shown
        if n_chars > n or n_chars < least_share * n or not page.visible[at]:
            continue
        heads = is_heading[page.tag[page.row[at]]]
        # no better than what was found: its text is not compared
        if best >= 0 and (heads < best_heads or (heads == best_heads and n_chars <= page.n_chars[best])):
            continue
        if n_chars < least_chars and page.words[at] < least_words:
            continue
        # a link with the words of the title leads to the page from a list of others
        if not heads and 2 * page.n_link_chars[at] > n_chars:
            continue
        if cython.cast(str, page.block_texts[at]).lower() in title:
            best, best_heads = at, heads
    return best
