"""The text nodes of a page that are shown, and which of them are one text block.

A run of text nodes is one block until a block element begins or ends between them, or two `br` in a row stand there.
The kind of a character is a set of the bits of `blocks.text_blocks`, which says what a word and the end of a sentence
are.

Enters: a `Page` with elements and texts, the table of characters, the flags of tags. Leaves: `block_of` and `gap` of
texts; `row`, `first` and `last` of blocks. Keep: blocks are in reading order, and the nodes of one follow each other
(`first:last`), on which slices and prefix sums of all later stages rest. Tested by `tests/core/test_text_blocks.py` and
the golden columns.
"""

from __future__ import annotations

import cython
from cython.cimports.cpython.unicode import (
    Py_UNICODE_ISALPHA,
    Py_UNICODE_ISDIGIT,
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_READ_CHAR,
)
from cython.cimports.libc.string import memset

from webclean.core.page import Page

TEXT_FLAGS = {
    "SPACE": 1,
    "UNSPACED": 2,
    "PUNCTUATION": 4,
    "STOP": 8,
    "CLOSING": 16,
    "FULL_STOP": 32,
    "LONE_STOP": 64,
    "SYLLABIC": 128,
}
"""The bits of `blocks.text_blocks`, for the check that they are the same."""

TAG_FLAGS = {
    "block": 1,
    "break": 2,
    "naming": 4,
    "button": 8,
    "spaced": 16,
    "item": 32,
}
"""What a tag means for the division into blocks; a tag has the sum of its flags."""


_HIDDEN = cython.declare(cython.uchar, 1)
_SILENT = cython.declare(cython.uchar, 2)
_LABEL_CHARS = cython.declare(cython.Py_ssize_t, 40)
"""Of a hidden part, at most: a longer one is often what `read more` shows, and a sentence is a note."""
_MOST_COPIED = cython.declare(cython.Py_ssize_t, 1000)
"""Letters and digits that are compared with each text of their block, which a vast block has by the thousand."""


class TextNodes:
    """The displayed text nodes that are not blank, one row each: what is known of them before they are measured."""

    page: Page
    texts: list
    table: cython.const[cython.uchar][::1]
    flags: cython.const[cython.uchar][::1]
    tag: cython.p_longlong
    parent: cython.p_longlong
    end: cython.p_longlong
    link: cython.p_longlong
    block: cython.p_longlong
    owner: cython.p_longlong
    is_named: cython.p_uchar
    node: cython.p_longlong  # number of the text node
    first_kind: cython.p_int  # kind of its first and of its last character
    last_kind: cython.p_int
    n_breaks: cython.p_longlong  # `br` before it
    weight: cython.p_longlong  # `br` before it, and two for each block element
    n: cython.Py_ssize_t

    @cython.exceptval(check=False)
    def are_apart(self, left: cython.Py_ssize_t, right: cython.Py_ssize_t) -> cython.bint:
        """Whether two adjacent inline elements are separate items, as `blocks.text_blocks` defines it."""
        above: cython.Py_ssize_t = self.parent[left]
        # up to the element that holds both. Neither may be inside the other, or no parent of `right` is `above`: the
        # caller asks only where `left` ends before `right` begins
        while self.end[above] <= right:
            left = above
            above = self.parent[above]
        while self.parent[right] != above:
            right = self.parent[right]
        # `<a class=tag>tea</a><a class=tag>milk</a>` are two items, and so are two buttons; `w<b>ord</b>` is one word
        either: cython.int = self.flags[self.tag[left]] | self.flags[self.tag[right]]
        if not (either & TAG_ITEM or self.is_named[left] or self.is_named[right]):
            return False
        # highlighters set each sign of code in an element with a class, and the author spaced the code
        if either & TAG_SPACED:
            return False
        # `pre`, `code` and the like around both: up to the block, for code is mostly one (`<pre><code>`)
        stop: cython.Py_ssize_t = self.block[above]
        while above != stop:
            if self.flags[self.tag[above]] & TAG_SPACED:
                return False
            above = self.parent[above]
        return not self.flags[self.tag[above]] & TAG_SPACED


def choose_nodes(found: TextNodes) -> cython.bint:
    """The displayed nodes that are not blank."""
    page: Page = found.page
    row: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = 0
    n_breaks: cython.longlong = 0
    weight: cython.longlong = 0
    blanks = cython.declare(cython.p_void[32])  # texts of white space alone, by bits of their address
    memset(blanks, 0, cython.sizeof(blanks))
    table: cython.pointer[cython.const[cython.uchar]] = cython.address(found.table[0])
    for i in range(page.n_texts):
        # elements that start before this text: both run in document order, so each is looked at once
        while row < page.text_next[i]:
            flag: cython.int = found.flags[found.tag[row]]
            n_breaks += flag & TAG_BREAK != 0
            # two, so that one block between two nodes separates them as two breaks do: `a<p></p>b` in a `div` are two
            # blocks
            weight += 1 if flag & TAG_BREAK else 2 * (flag & TAG_BLOCK)
            row += 1
        text: str = found.texts[i]
        size = PyUnicode_GET_LENGTH(text)
        # half of all nodes are a line break and an indentation between two tags, and the same string as one before
        place = cython.cast(cython.size_t, cython.cast(cython.p_void, text)) >> 5 & 31
        if blanks[place] == cython.cast(cython.p_void, text) or not page.displayed[found.owner[i]]:
            continue
        data = PyUnicode_DATA(text)
        kind: cython.int = PyUnicode_KIND(text)
        j: cython.Py_ssize_t = 0
        # nearly all white space is Latin; the loop after it finishes those that are not, and finds no more in those
        # that are
        if kind == 1:
            letters: cython.p_uchar = cython.cast(cython.p_uchar, data)
            while j < size and table[letters[j]] & TEXT_SPACE:
                j += 1
        while j < size and table[PyUnicode_READ(kind, data, j)] & TEXT_SPACE:
            j += 1
        if j == size:
            blanks[place] = cython.cast(cython.p_void, text)
            continue
        found.node[n] = i
        found.first_kind[n] = found.table[PyUnicode_READ(kind, data, 0)]
        found.last_kind[n] = found.table[PyUnicode_READ(kind, data, size - 1)]
        found.n_breaks[n] = n_breaks
        found.weight[n] = weight
        n += 1
    found.n = n


def drop_permalinks(found: TextNodes) -> cython.void:
    """Drop the nodes of links without letters and digits, and of buttons, in a heading or caption that has other text:
    `Setup #`, `Setup [Copy link]`."""
    kept: cython.Py_ssize_t = 0
    has_any: cython.bint = False
    # most pages have neither in a heading: nothing is made for them
    for k in range(found.n):
        at: cython.Py_ssize_t = found.owner[found.node[k]]
        is_named = found.flags[found.tag[found.block[at]]] & TAG_NAMING
        if is_named and (found.link[at] >= 0 or _is_in_button(found, at)):
            has_any = True
            break
    if not has_any:
        return
    # by element: whether its text has a letter or digit. A heading that is a sign alone (`<h2><a>§</a></h2>`) keeps it
    of_links: cython.p_uchar = found.page.take_flags(found.page.n_elements, True)
    of_blocks: cython.p_uchar = found.page.take_flags(found.page.n_elements, True)
    for k in range(found.n):
        at = found.owner[found.node[k]]
        link, block = found.link[at], found.block[at]
        if found.flags[found.tag[block]] & TAG_NAMING and _has_words(found.texts[found.node[k]]):
            # a heading that is a button to unfold what is below has no other text
            of_blocks[block] |= not _is_in_button(found, at)
            if link >= 0:
                of_links[link] = 1
    for k in range(found.n):
        at = found.owner[found.node[k]]
        link, block = found.link[at], found.block[at]
        is_named = found.flags[found.tag[block]] & TAG_NAMING and of_blocks[block]
        if is_named and ((link >= 0 and not of_links[link]) or _is_in_button(found, at)):
            continue
        _move_node(found, k, kept)
        kept += 1
    found.n = kept


def drop_hidden_parts(found: TextNodes, hiding: list, silent: list) -> cython.bint:
    """Drop the nodes of hidden parts of a block that shows other text, but for long ones outside of headings; and what
    is hidden from a screen reader (`aria-hidden`) where its block says just that, once or several times, in another
    part.

    <h1> Rates <span hidden>Save this page to read it later</span> </h1>      <p> Tell us. <a hidden>Close</a> </p>
    <b> <i aria-hidden=true>$</i> <i aria-hidden=true>24</i> <i class=sr-only>$24</i> </b>
    """
    page: Page = found.page
    marks: cython.p_uchar = page.take_flags(page.n_elements, True)
    row: cython.Py_ssize_t
    for row in hiding:
        marks[row] |= _HIDDEN
    for row in silent:
        marks[row] |= _SILENT
    for i in range(page.n_elements):
        # parents first: one pass hands the marks down, within a block, for what is hidden as a whole is no part
        if page.parent[i] >= 0 and not found.flags[found.tag[i]] & TAG_BLOCK:
            marks[i] |= marks[page.parent[i]]
    first = kept = 0
    while first < found.n:
        block = found.block[found.owner[found.node[first]]]
        last = first
        of_any: cython.uchar = 0
        while last < found.n and found.block[found.owner[found.node[last]]] == block:
            of_any |= marks[found.owner[found.node[last]]]
            last += 1
        dropped: cython.uchar = 0
        if of_any:
            dropped = _choose_marks(found, marks, first, last)
        for k in range(first, last):
            if not marks[found.owner[found.node[k]]] & dropped:
                _move_node(found, k, kept)
                kept += 1
        first = last
    found.n = kept


def _choose_marks(
    found: TextNodes, marks: cython.p_uchar, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.uchar:
    """The marks of the nodes `first:last` of a block that are dropped."""
    shown: list = []
    silent: str = ""
    n_hidden: cython.Py_ssize_t = 0
    is_sentence: cython.int = 0
    for k in range(first, last):
        mark = marks[found.owner[found.node[k]]]
        if mark & _HIDDEN:
            n_hidden += PyUnicode_GET_LENGTH(found.texts[found.node[k]])
            is_sentence |= found.last_kind[k] & (TEXT_STOP | TEXT_FULL_STOP | TEXT_LONE_STOP)
        if mark == 0 or mark == _SILENT:
            words = "".join(filter(str.isalnum, found.texts[found.node[k]])).lower()
            if mark == 0 and words:
                shown.append(words)
            elif mark == _SILENT and len(silent) <= _MOST_COPIED:
                silent += words
    if not shown:
        return 0
    of_heading = found.flags[found.tag[found.block[found.owner[found.node[first]]]]] & TAG_NAMING
    is_label = n_hidden <= _LABEL_CHARS and not is_sentence
    dropped: cython.uchar = _HIDDEN if of_heading or is_label else 0
    # `replace` leaves nothing of what is said once for each size of screen
    if 0 < len(silent) <= _MOST_COPIED and "" in [silent.replace(words, "") for words in [*shown, "".join(shown)]]:
        dropped |= _SILENT
    return dropped


@cython.inline
@cython.exceptval(check=False)
def _move_node(found: TextNodes, k: cython.Py_ssize_t, to: cython.Py_ssize_t) -> cython.void:
    found.node[to] = found.node[k]
    found.first_kind[to] = found.first_kind[k]
    found.last_kind[to] = found.last_kind[k]
    found.n_breaks[to] = found.n_breaks[k]
    found.weight[to] = found.weight[k]


@cython.inline
@cython.exceptval(check=False)
def _is_in_button(found: TextNodes, at: cython.Py_ssize_t) -> cython.bint:
    stop: cython.Py_ssize_t = found.block[at]
    while at != stop:
        if found.flags[found.tag[at]] & TAG_BUTTON:
            return True
        at = found.parent[at]
    return False


def _has_words(text: str) -> cython.bint:
    for c in text:
        if c.isalnum():
            return True
    return False


@cython.inline
@cython.exceptval(check=False)
def _closes(text: str) -> cython.bint:
    """Whether a text begins with a sign that belongs to what stands before it: `, and`, `.99`, but not `.NET`."""
    c: cython.Py_UCS4 = PyUnicode_READ_CHAR(text, 0)
    # compared by character codes, since all bits of the table are used
    if c == 0x2E or c == 0x3A:  # . :
        return not (len(text) > 1 and Py_UNICODE_ISALPHA(PyUnicode_READ_CHAR(text, 1)))
    if c < 0x80:
        return c == 0x2C or c == 0x3B or c == 0x21 or c == 0x3F or c == 0x29 or c == 0x5D  # , ; ! ? ) ]
    if c >= 0xFF01:  # ， ； ： ！ ？ ）
        return c == 0xFF0C or c == 0xFF1B or c == 0xFF1A or c == 0xFF01 or c == 0xFF1F or c == 0xFF09
    return c == 0x2026 or c == 0x3001 or c == 0x3002  # … 、 。


@cython.inline
@cython.exceptval(check=False)
def _is_expression(before: str, after: str) -> cython.bint:
    """Whether two adjacent texts are of one expression, as makers of documentation write a function's signature in an
    element for each part: `functools.` `cache` `(` `*` `names` `=` `2` `)`."""
    n: cython.Py_ssize_t = len(before)
    last: cython.Py_UCS4 = PyUnicode_READ_CHAR(before, n - 1)
    c: cython.Py_UCS4 = PyUnicode_READ_CHAR(after, 0)
    if last == 0x28 or last == 0x5B or last == 0x40 or last == 0xFF08:  # ( [ @ （
        return True
    # scripts that move letters set each in an element of its own
    if n == 1 and len(after) == 1 and Py_UNICODE_ISALPHA(last) and after.islower():
        return True
    # ( and =, but `4.1` `(` `407` `)` is a rating and its count
    if len(after) == 1 and (c == 0x28 or c == 0x3D) and not Py_UNICODE_ISDIGIT(PyUnicode_READ_CHAR(before, 0)):
        return True
    if n == 1 and last == 0x3D:
        return True
    # a capital begins a sentence, or another item
    if not (0x61 <= c <= 0x7A or c == 0x5F):  # a to z, _
        return False
    if last == 0x2A:  # *
        return n <= 2  # `*` and `**`
    # one name with its dot; after a text of several words it is a full stop
    return last == 0x2E and n > 1 and before.find(" ") < 0


def group_nodes(found: TextNodes, glued: cython.p_uchar) -> cython.void:
    """The block of each node, where blocks begin and end, and which nodes are separated without white space."""
    page: Page = found.page
    block_of: cython.p_longlong = page.block_of
    gap: cython.p_uchar = page.gap
    b = before = -1
    for k in range(page.n_texts):
        # blank, hidden and permalink texts stay without a block
        block_of[k] = -1
        gap[k] = False
    for k in range(found.n):
        at: cython.Py_ssize_t = found.owner[found.node[k]]
        # one `br` ends a line of an address or poem, two set a paragraph: old pages have no other
        if k == 0 or found.block[at] != found.block[before] or found.weight[k] > found.weight[k - 1] + 1:
            b += 1
            page.row[b] = found.block[at]
            page.first[b] = found.node[k]
        else:
            # a node between them that was not taken is white space, or text that is not shown: either way they are
            # apart already
            is_next: cython.bint = found.node[k] == found.node[k - 1] + 1
            # two links are two things to click, whatever their markup says
            is_apart: cython.bint = found.n_breaks[k] > found.n_breaks[k - 1] or (
                found.link[at] != found.link[before] and found.link[at] >= 0 and found.link[before] >= 0
            )
            if (
                not is_apart
                and is_next
                # neither inside the other: `w<b>or</b>d` and `<b>or</b>d` are one text
                and found.end[before] <= at
                and not (found.last_kind[k - 1] | found.first_kind[k]) & TEXT_SPACE
                # `<a>Ann</a>, <a>Bob</a>` and `<span class=euro>3</span><span class=cent>.99</span>` go on
                and not _closes(found.texts[found.node[k]])
                and not _is_expression(found.texts[found.node[k - 1]], found.texts[found.node[k]])
            ):
                is_apart = found.are_apart(before, at)
            # the outputs, which walk over the nodes again, put white space where this says so, and have the same text
            gap[found.node[k]] = is_apart
            glued[k] = is_next and not is_apart
        block_of[found.node[k]] = b
        page.last[b] = found.node[k] + 1
        before = at
