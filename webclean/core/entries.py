"""One entry of a list -> its pieces: runs of displayed text inside one block element and one link.

<li>8 <b>new</b> <a href=/a>boats</a><p>of oak</p></li>        8 new | boats | of oak

Enters: the rows of an entry. Leaves: its pieces, with what the columns tell of each. Keep: a piece is within one block
element and one link, for a title, an author and a date are each one of these. Tested by
`tests/segments/test_records.py`.
"""

from __future__ import annotations

from typing import Any

import cython

from webclean.core.page import Page


def list_pieces(
    page: Page,
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    is_heading: cython.const[cython.uchar][::1],
    most_around: cython.Py_ssize_t,
) -> tuple[list[Any], list[int]]:
    """The pieces of an entry in order, and the text nodes that begin with a number.

    Args:
        page: with texts.
        first, end: rows of the entry.
        is_heading: by tag.
        most_around: elements around a text, itself included, whose names may say what it is.

    Returns:
        Of each piece: its text, the element of its first text node, the link around it or -1, whether its block element
        is a heading, its element and those around it inside the entry, whether it has a digit, and, for links, whether
        it is half of its line, and as much as what is no link in its line. Then the text nodes.
    """
    numbers: list = []
    pieces: list = _read_pieces(page, first, end, numbers)
    chars: dict = {}  # of each line
    plain_chars: dict = {}  # those outside links
    line: cython.Py_ssize_t
    # of all pieces before any is described: of a line, later ones count too
    for text, owner in pieces:
        line = page.block[owner]
        chars[line] = chars.get(line, 0) + len(text)
        if page.link[owner] < 0:
            plain_chars[line] = plain_chars.get(line, 0) + len(text)
    return [
        _describe_piece(page, text, owner, first, is_heading, most_around, chars, plain_chars) for text, owner in pieces
    ], numbers


@cython.cfunc
def _read_pieces(page: Page, first: cython.Py_ssize_t, end: cython.Py_ssize_t, numbers: list) -> list:
    """Text and first element of each piece; the text nodes that begin with a number join `numbers`."""
    found: list = []
    parts: list = []
    line: cython.Py_ssize_t = -1
    link: cython.Py_ssize_t = -1
    owner: cython.Py_ssize_t
    text: str
    begin: cython.Py_ssize_t = page.count_texts(first)
    stop: cython.Py_ssize_t = page.count_texts(end)
    # texts before the end of the entry's rows may be of elements around it
    while stop > begin and not first <= page.text_owner[stop - 1] < end:
        stop -= 1
    for node in range(begin, stop):
        owner = page.text_owner[node]
        text = page.texts[node]
        if not page.displayed[owner]:
            continue
        # not of the entry itself: a number there begins its own text
        if owner != first and _begins_with_number(text):
            numbers.append(node)
        text = " ".join(text.split())
        if not text:
            continue
        if not parts or page.block[owner] != line or page.link[owner] != link:
            line, link = page.block[owner], page.link[owner]
            parts = [text]
            found.append((parts, owner))
        else:
            parts.append(text)
    return [(" ".join(parts), owner) for parts, owner in found]


@cython.cfunc
def _describe_piece(
    page: Page,
    text: str,
    owner: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    is_heading: cython.const[cython.uchar][::1],
    most_around: cython.Py_ssize_t,
    chars: dict,
    plain_chars: dict,
) -> tuple:
    line: cython.Py_ssize_t = page.block[owner]
    link: cython.Py_ssize_t = page.link[owner]
    n: cython.Py_ssize_t = len(text)
    around: list = []
    row: cython.Py_ssize_t = owner
    while row > first and len(around) < most_around:
        around.append(row)
        row = page.parent[row]
    is_alone: cython.bint = link >= 0 and 2 * n >= cython.cast(cython.Py_ssize_t, chars[line])
    is_own: cython.bint = link >= 0 and n >= cython.cast(cython.Py_ssize_t, plain_chars.get(line, 0))
    return text, owner, link, is_heading[page.tag[line]] != 0, tuple(around), _has_decimal(text), is_alone, is_own


@cython.cfunc
def _begins_with_number(text: str) -> cython.bint:
    """Whether a digit is the first character but spaces and brackets."""
    c: cython.Py_UCS4
    for c in text:
        if c not in " ()":
            return c.isdecimal()
    return False


@cython.cfunc
def _has_decimal(text: str) -> cython.bint:
    c: cython.Py_UCS4
    for c in text:
        if c.isdecimal():
            return True
    return False
