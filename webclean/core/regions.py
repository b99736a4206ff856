"""Names and headings of a page -> its regions: runs of blocks that stand under or beside an article; and texts -> the
lists of facts, by their form.

What a region is, is said in `decide.regions`. A plan, made once a rule set, holds the limits of each kind; the kinds
are numbers here, and what tells the kind of a name or a heading is asked of the plan.

Enters: a page with blocks, names and words as hashes, what would be kept. Leaves: regions as tuples, first block and
end of each list. Keep: hashes only say where it is worth asking; the plan, in Python, has the last word about a name or
heading, so that rules are read in one place; nothing here drops a block or knows a type of page. Tested by
`tests/core/test_regions.py`, `tests/decide`.
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

from webclean.core.attributes import Attributes
from webclean.core.lexicon import WordSet
from webclean.core.page import Page, count_smaller

_NO_RANK = cython.declare(cython.longlong, 7)
"""Rank of what is no heading."""
_LEAST_HEADED = cython.declare(cython.double, 3.0)
"""Words that follow a heading, at least: an element with fewer holds the heading alone, and what the heading is about
stands beside it."""


@cython.dataclasses.dataclass(repr=False, eq=False)
class RegionPlan:
    """What the regions of pages are told by.

    number_of: name of a kind -> its number. most_kept to after_text: limits, an entry for each kind. may_be,
    whole_page, rank: an entry for each tag code. words_before: kept words of running text that are enough before a
    region; heading_chars: of the longest heading. in_names: words of which a name that tells a kind has one;
    begin_headings: the first words of headings and openings. find_in_names: names -> (kind, name) or None;
    find_in_heading: text -> kind or None.
    """

    number_of: dict
    most_kept: cython.const[cython.double][::1]
    most_words: cython.const[cython.double][::1]
    link_share: cython.const[cython.double][::1]
    after_text: cython.const[cython.uchar][::1]
    words_before: cython.double
    heading_chars: cython.longlong
    may_be: cython.const[cython.uchar][::1]
    whole_page: cython.const[cython.uchar][::1]
    rank: cython.const[cython.longlong][::1]
    in_names: WordSet
    begin_headings: WordSet
    find_in_names: Any
    find_in_heading: Any

    def find(self, page: Page, kept: cython.const[cython.uchar][:], headline: int, names: tuple, words: tuple) -> list:
        """The regions of a page: those that are named, then those under a heading.

        Args:
            page: with blocks and their words.
            kept: bool [n_blocks], what would be kept without regions.
            headline: its block or -1.
            names: attributes; number of the name of each element; number of the name and key of each word of them.
            words: number of the block and key of each word of the texts, rising by blocks.

        Returns:
            Of each its kind, first block, end, what it was found by (a name, or the number of the block of the
            heading), and the kept words of running text before it.
        """
        search: _Search = _Search(self, page, kept, headline)
        search.find_named(*names)
        search.find_headed(*words)
        return search.found


class _Search:
    """The search for the regions of one page.

    text_before, kept_before: float64 [n_blocks + 1], words of kept running text, and of all that is kept, before each
    block. starts: int64 [n_blocks], the elements that start before each block, rising. first, last: what `find_slice`
    found. told: number of a name -> a row that has it, and what the plan told of its class and id.
    """

    plan: RegionPlan
    page: Page
    headline: cython.Py_ssize_t
    text_before: cython.p_double
    kept_before: cython.p_double
    starts: cython.p_longlong
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    told: dict
    found: list

    def __init__(
        self, plan: RegionPlan, page: Page, kept: cython.const[cython.uchar][:], headline: cython.Py_ssize_t
    ) -> None:
        n: cython.Py_ssize_t = page.n_blocks
        self.plan, self.page, self.headline = plan, page, headline
        self.told, self.found = {}, []
        self.text_before = page.take_floats(n + 1, True)
        self.kept_before = page.take_floats(n + 1, True)
        self.starts = page.take_rows(n + 1)
        for i in range(n):
            self.starts[i] = page.text_next[page.first[i]]
            self.text_before[i + 1] = self.text_before[i] + (page.words[i] if kept[i] and page.is_prose[i] else 0.0)
            self.kept_before[i + 1] = self.kept_before[i] + (page.words[i] if kept[i] else 0.0)

    def find_slice(self, row: cython.longlong) -> cython.bint:
        """The blocks inside an element: `first`, `last`, both 0 for none."""
        page: Page = self.page
        end: cython.longlong = page.end[row]
        low = count_smaller(self.starts, page.n_blocks, row + 1)
        self.first = self.last = 0
        while low < page.n_blocks and self.starts[low] <= end:
            # a text may start inside the element and belong to a block that began before it
            if row <= page.row[low] < end:
                if not self.last:
                    self.first = low
                self.last = low + 1
            low += 1

    def can_be(
        self, kind: cython.Py_ssize_t, first: cython.Py_ssize_t, last: cython.Py_ssize_t, named: cython.bint
    ) -> cython.bint:
        """Whether blocks may be a region: not the headline, not too much of the page, and the text before it."""
        plan: RegionPlan = self.plan
        n: cython.Py_ssize_t = self.page.n_blocks
        # an element that holds the headline holds the article, whatever its class says
        if last <= first or first <= self.headline < last:
            return False
        if self.kept_before[last] - self.kept_before[first] > plan.most_kept[kind] * self.kept_before[n]:
            return False
        if self.sum_words(self.page.words, first, last) > plan.most_words[kind]:
            return False
        # below the headline a name is trusted; a heading needs text before it, for a page may be about its word
        if not plan.after_text[kind] or (named and 0 <= self.headline < first):
            return True
        return self.text_before[first] >= plan.words_before

    def sum_words(self, words: cython.p_double, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.double:
        total: cython.double = 0.0
        for i in range(first, last):
            total += words[i]
        return total

    def find_named(
        self,
        attributes: Attributes,
        index: cython.const[cython.longlong][:],
        name_of: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
    ) -> None:
        """The outermost elements whose class or id identifies a kind and that can be a region.

        index: [n_elements], number of the name of each; name_of, keys: of the words of the names, by rising numbers.
        """
        plan: RegionPlan = self.plan
        page: Page = self.page
        n_names: cython.Py_ssize_t = name_of[name_of.shape[0] - 1] + 1 if name_of.shape[0] else 0
        is_likely: cython.p_uchar = page.take_flags(n_names + 1, True)
        # for each kind, the end of its last region: elements come in document order
        done: list = [0] * len(plan.number_of)
        for i in range(keys.shape[0]):
            if plan.in_names.look_up(keys[i]) >= 0:
                is_likely[name_of[i]] = True
        for row in range(page.n_elements):
            if index[row] >= n_names or not is_likely[index[row]] or not plan.may_be[page.tag[row]]:
                continue
            told = self.ask_names(attributes, row, index[row])
            if told is None:
                continue
            kind: cython.Py_ssize_t = plan.number_of[told[0]]
            # inside a region of its kind, which loses its points once
            if row < cython.cast(cython.Py_ssize_t, done[kind]):
                continue
            self.find_slice(row)
            if self.can_be(kind, self.first, self.last, True):
                done[kind] = page.end[row]
                self.found.append((kind, self.first, self.last, told[1], self.text_before[self.first]))

    @cython.cfunc
    def ask_names(self, attributes: Attributes, row: cython.int, number: cython.longlong) -> object:
        """The kind and the name by which the class or id of a row tell it, or None; asked once for all rows alike.

        number: of the row's whole name, which rows may share whose class and id differ (a role, say, has the word).
        """
        known = self.told.get(number)
        if (
            known is not None
            and attributes.has_same(row, known[0], "class")
            and attributes.has_same(row, known[0], "id")
        ):
            return known[1]
        names = (attributes.read_one(row, "class") or "") + " " + (attributes.read_one(row, "id") or "")
        told = self.plan.find_in_names(names)
        self.told[number] = row, told
        return told

    def find_headed(self, block_of: cython.const[cython.longlong][:], keys: cython.const[cython.ulonglong][:]) -> None:
        """Short texts that announce a kind, each with what belongs to it. block_of, keys: of the words of the texts."""
        plan: RegionPlan = self.plan
        page: Page = self.page
        for i in range(keys.shape[0]):
            block: cython.Py_ssize_t = block_of[i]
            # only a text's first word is asked: most texts begin with none of a heading's, and are done
            if i and block_of[i - 1] == block:  # not the first word of the text
                continue
            is_heading: cython.bint = plan.rank[page.tag[page.row[block]]] < _NO_RANK
            # a link that says "Comments" leads to them and stands elsewhere, such as under the headline
            if not is_heading and 2 * page.n_link_chars[block] >= page.n_chars[block]:
                continue
            if page.n_text_chars[block] > plan.heading_chars or block == self.headline:
                continue
            if plan.begin_headings.look_up(keys[i]) < 0:
                continue
            told = plan.find_in_heading(page.block_texts[block])
            if told is None:
                continue
            kind: cython.Py_ssize_t = plan.number_of[told]
            last = self.find_end(block, is_heading)
            if self.can_be(kind, block, last, is_heading) and self.sum_words(
                page.link_words, block, last
            ) >= plan.link_share[kind] * self.sum_words(page.words, block, last):
                self.found.append((kind, block, last, block, self.text_before[block]))

    def find_end(self, block: cython.Py_ssize_t, is_heading: cython.bint) -> cython.Py_ssize_t:
        """One past the last block that belongs to a heading: of the widest element that begins with it, as far as the
        next heading that is no lower."""
        page: Page = self.page
        row: cython.longlong = page.row[block]
        above: cython.longlong = page.parent[row]
        # a label is ended by any heading
        most: cython.longlong = self.plan.rank[page.tag[row]] if is_heading else _NO_RANK - 1
        self.find_slice(row)
        last = self.last
        while above > 0 and not self.plan.whole_page[page.tag[above]]:
            self.find_slice(above)
            # something stands before the heading, or the whole article is inside: too wide
            if self.first < block or self.first <= self.headline < self.last:
                break
            last = self.last
            above = page.parent[above]
        # a box of its own around the heading: what it is about stands beside the box
        if self.sum_words(page.words, block + 1, last) < _LEAST_HEADED:
            self.find_slice(above if above > 0 else 0)
            last = self.last if self.last > block + 1 else block + 1
        # one region ends where the next heading of its rank begins, also inside one element
        for i in range(block + 1, last):
            if self.plan.rank[page.tag[page.row[i]]] <= most:
                return i
        return last


_LABEL_COLON = cython.declare(cython.Py_UCS4, 0x3A)
_LABEL_WIDE_COLON = cython.declare(cython.Py_UCS4, 0xFF1A)
_UNDERSCORE = cython.declare(cython.Py_UCS4, 0x5F)


def find_around(page: Page, rows: cython.const[cython.longlong][:], tags: cython.const[cython.uchar][:]) -> Any:
    """int64 [n_rows]: the innermost element with one of some tags around each row, itself included; -1 for none."""
    made = np.empty(rows.shape[0], dtype=np.int64)
    around: cython.longlong[::1] = made
    for i in range(rows.shape[0]):
        row = rows[i]
        while row >= 0 and not tags[page.tag[row]]:
            row = page.parent[row]
        around[i] = row
    return made


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
