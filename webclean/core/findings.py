"""Blocks that would be kept, their elements and texts -> what findings about a page as a whole go by
(`decide.corrections`): blocks with the same path, lists of facts.

Enters: a page with blocks and their words, what would be kept so far, limits. Leaves: numbers of groups, first block
and end of each list. Keep: nothing here drops a block or knows a type of page; sums run in the order of the blocks.
Tested by `tests/decide`, `tests/core/test_regions.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import (
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_READ_CHAR,
)

from webclean.core.lexicon import PRIME, hash_path, number_groups
from webclean.core.page import Page

_LABEL_COLON = cython.declare(cython.Py_UCS4, 0x3A)
_LABEL_WIDE_COLON = cython.declare(cython.Py_UCS4, 0xFF1A)
_UNDERSCORE = cython.declare(cython.Py_UCS4, 0x5F)


def number_paths(
    page: Page,
    names: cython.const[cython.longlong][::1],
    n_levels: cython.int,
    inside: cython.const[cython.longlong][:],
) -> Any:
    """int64 [n_blocks]: equal for blocks of which the names of the element and of those above it are equal.

    names, n_levels: number of the name of each element, and elements of the path. inside: [n_blocks], blocks of which
    this differs are never equal.
    """
    made = np.empty(page.n_blocks, dtype=np.uint64)
    key: cython.ulonglong[::1] = made
    for i in range(page.n_blocks):
        path = hash_path(page.parent, cython.address(names[0]), n_levels, page.row[i])
        key[i] = path ^ cython.cast(cython.ulonglong, inside[i] + 1) * PRIME
    return number_groups(made)


def find_around(page: Page, rows: cython.const[cython.longlong][:], tags: cython.const[cython.uchar][:]) -> Any:
    """int64 [n_rows]: the innermost element with one of some tags around each row, itself included; -1 for none."""
    made = np.empty(rows.shape[0], dtype=np.int64)
    around: cython.longlong[::1] = made
    for i in range(rows.shape[0]):
        around[i] = _find_around(page, rows[i], tags)
    return made


@cython.exceptval(check=False)
def _find_around(page: Page, row: cython.longlong, tags: cython.const[cython.uchar][:]) -> cython.longlong:
    """The innermost element with one of some tags around a row, itself included; -1 for none."""
    while row >= 0 and not tags[page.tag[row]]:
        row = page.parent[row]
    return row


def find_facts(
    page: Page, most_chars: cython.longlong, label_chars: cython.Py_ssize_t, least: int, most_links: float
) -> list:
    """First block and end of each list of facts: blocks of one depth that follow each other, each a label, a colon and
    a value.

    Args:
        page: with blocks and their words.
        most_chars, label_chars: characters of a fact, and of its label, at most.
        least: facts of a list. most_links: share of their words in links.
    """
    found: list = []
    n: cython.Py_ssize_t = page.n_blocks
    first = depth = -1
    # a list ends at the first block that is no fact of the same depth; one past the last block is none
    for i in range(n + 1):
        own = -1
        # a label with a long text after it is a paragraph that begins with a name
        if i < n and page.n_text_chars[i] <= most_chars and _is_fact(page.block_texts[i], label_chars):
            own = page.depth[page.row[i]]
        # the same depth: label and value of a list stand in elements alike, a sentence with a colon beside it does not
        if own == depth:
            continue
        if depth >= 0 and i - first >= least and _has_few_links(page, first, i, most_links):
            found.append((first, i))
        first, depth = i, own
    return found


def find_pairs(
    page: Page, most_chars: cython.longlong, label_chars: cython.longlong, least: int, most_links: float
) -> list:
    """First block and end of each list of pairs: elements of one tag in one element, each with a label and a value, a
    block each, and nothing else. Arguments as those of `find_facts`.

        <div> Fabric <div> cotton </div> </div>
        <div> Fit <div> regular </div> </div>        first block and end: those of four blocks
    """
    found: list = []
    n: cython.Py_ssize_t = page.n_blocks
    first = holder = -1
    last: cython.Py_ssize_t = -1  # element of the pair before
    i: cython.Py_ssize_t = 0
    while i < n:
        at = _find_pair(page, i, most_chars, label_chars)
        is_next = at >= 0 and last >= 0 and page.parent[at] == holder and page.tag[at] == page.tag[last]
        if last >= 0 and not is_next:
            if i - first >= 2 * least and _has_few_links(page, first, i, most_links):
                found.append((first, i))
            last = -1
        if at >= 0:
            if last < 0:
                first, holder = i, page.parent[at]
            last = at
        i += 2 if at >= 0 else 1
    if last >= 0 and n - first >= 2 * least and _has_few_links(page, first, n, most_links):
        found.append((first, n))
    return found


@cython.exceptval(check=False)
def _find_pair(
    page: Page, i: cython.Py_ssize_t, most_chars: cython.longlong, label_chars: cython.longlong
) -> cython.Py_ssize_t:
    """The element that holds a block, which is a label, and the next one, its value, and no other; -1 if none does."""
    if i + 1 >= page.n_blocks or page.n_text_chars[i] > label_chars or page.n_text_chars[i + 1] > most_chars:
        return -1
    if not _begins_word(PyUnicode_READ_CHAR(page.block_texts[i], 0)):
        return -1
    # up from the value, which may stand in the element of its label, to the first that holds both
    at: cython.Py_ssize_t = page.row[i + 1]
    while at > page.row[i] or page.end[at] <= page.row[i]:
        at = page.parent[at]
    if at <= 0 or (i > 0 and page.row[i - 1] >= at):
        return -1
    return -1 if i + 2 < page.n_blocks and page.row[i + 2] < page.end[at] else at


@cython.exceptval(check=False)
def _has_few_links(page: Page, first: cython.Py_ssize_t, last: cython.Py_ssize_t, most: cython.double) -> cython.bint:
    words = linked = 0.0
    for i in range(first, last):
        words += page.words[i]
        linked += page.link_words[i]
    return linked <= most * words


@cython.exceptval(check=False)
def _is_fact(text: str, label_chars: cython.Py_ssize_t) -> cython.bint:
    """Whether a text is a label that begins with a letter, a colon and a value.

    After the colon of ASCII a letter or white space must follow, for times (10:30) and the schemes of URLs (http://)
    are no labels; the wide one is written without a space.
    """
    kind: cython.int = PyUnicode_KIND(text)
    data: cython.p_void = PyUnicode_DATA(text)
    n: cython.Py_ssize_t = PyUnicode_GET_LENGTH(text)
    at: cython.Py_ssize_t = 0
    c: cython.Py_UCS4 = 0
    if not n or not _begins_word(PyUnicode_READ(kind, data, 0)):
        return False
    while at < n and at <= label_chars:
        c = PyUnicode_READ(kind, data, at)
        if c == _LABEL_COLON or c == _LABEL_WIDE_COLON:
            break
        at += 1
    if at == n or at > label_chars:
        return False
    is_wide: cython.bint = c == _LABEL_WIDE_COLON
    at += 1
    has_space = False
    while at < n and cython.cast(cython.Py_UCS4, PyUnicode_READ(kind, data, at)).isspace():
        has_space = True
        at += 1
    return at < n and (is_wide or has_space or _begins_word(PyUnicode_READ(kind, data, at)))


@cython.exceptval(check=False)
@cython.inline
def _begins_word(c: cython.Py_UCS4) -> cython.bint:
    """Whether a character may be in a word and is no decimal digit of any script."""
    return (c.isalnum() or c == _UNDERSCORE) and not c.isdecimal()
