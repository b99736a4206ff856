"""Runs of alike elements that may be the posts of a thread, with what their units show (`webclean.features.posts`).

Runs are looked for in three ways, since boards are made in three:

    section > div.post, section > div.post           path   tags and classes from the root are the same
    li.reply > ul > li.reply                         name   tag and class are the same, at any depth
    tr.head, tr.text, tr.head, tr.text               period siblings that repeat every two to five: a unit goes on to
                                                            the next head

A text belongs to the innermost unit around it, so that a post is counted without the replies inside of it.

Enters: a page with blocks and their words, a number for the name of each element, what elements show. Leaves: the rows
of the units of each run, and shares of the units. Keep: a unit is in document order and each search is linear in the
elements of the page, for nobody knows how many are alike. Tested by `tests/features/test_posts.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.lexicon import GOLDEN, PRIME, number_keys
from webclean.core.page import Page

_MOST_PERIOD = cython.declare(cython.Py_ssize_t, 5)  # siblings of a unit that no element holds
_HEADLINE_SHARE = cython.declare(cython.double, 0.6)  # of the words of a block that stand in its links
_LEAST_BELOW = cython.declare(cython.double, 3.0)  # words in an element: less is the part of a unit
_WORDS = cython.declare(cython.Py_ssize_t, 0)  # rows of the sums
_LINKED = cython.declare(cython.Py_ssize_t, 1)
_RUNNING = cython.declare(cython.Py_ssize_t, 2)
_HEADLINES = cython.declare(cython.Py_ssize_t, 3)
_DATED = cython.declare(cython.Py_ssize_t, 4)
_SIGNED = cython.declare(cython.Py_ssize_t, 5)
_NAMED = cython.declare(cython.Py_ssize_t, 6)
_N_SUMS = cython.declare(cython.Py_ssize_t, 7)
_BARE = cython.declare(cython.Py_ssize_t, 3)  # row of the marks: without a class


def list_short_texts(page: Page, most_chars: cython.Py_ssize_t) -> list:
    """Numbers of the displayed text nodes of so many characters at most, white space at their ends aside."""
    found: list = []
    for at in range(page.n_texts):
        text: str = page.texts[at]
        if page.displayed[page.text_owner[at]] and 0 < len(text.strip()) <= most_chars:
            found.append(at)
    return found


class RunSearch:
    """The search over one page.

    number: of the name of each element, equal for those that are alike. total: prefix sums over the elements, of what
    the rows of `_N_SUMS` name. own: the same of each unit without the units inside of it. open: units around the one
    that is looked at. headlines: the blocks that are linked headlines.
    """

    page: Page
    number: cython.longlong[::1]
    total: cython.double[:, ::1]
    own: cython.double[:, ::1]
    first: cython.longlong[::1]
    end: cython.longlong[::1]
    open: cython.longlong[::1]
    is_part: cython.const[cython.uchar][:]
    bare: cython.const[cython.uchar][:]
    least: cython.Py_ssize_t
    text_words: cython.double
    found: list
    headlines = cython.declare(list, visibility="readonly")

    def __init__(
        self,
        page: Page,
        number: cython.longlong[::1],
        marks: cython.const[cython.uchar][:, ::1],
        is_part: cython.const[cython.uchar][:],
        least: cython.Py_ssize_t,
        text_words: cython.double,
        title_chars: cython.Py_ssize_t,
    ) -> None:
        """marks: [4, n_elements], has a date, names a person, is named as a post, has no class. is_part: of tags, never
        a unit. least: units of a run. text_words: of a unit that says something. title_chars: of a linked headline."""
        self.page, self.number, self.is_part = page, number, is_part
        self.bare = marks[_BARE]
        self.least, self.text_words, self.found, self.headlines = least, text_words, [], []
        n: cython.Py_ssize_t = page.n_elements
        self.total, self.own = np.zeros((_N_SUMS, n + 1)), np.zeros((_N_SUMS, n + 1))
        self.first, self.end, self.open = np.zeros((3, n + 1), dtype=np.int64)
        for i in range(n):
            for kind in range(_DATED, _N_SUMS):
                self.total[kind, i + 1] = self.total[kind, i] + marks[kind - _DATED, i]
        for i in range(page.n_blocks):
            row = page.row[i] + 1
            linked = page.link_words[i]
            self.total[_WORDS, row] += page.words[i]
            self.total[_LINKED, row] += linked
            self.total[_RUNNING, row] += page.prose_words[i]
            is_linked = linked > 0 and linked >= _HEADLINE_SHARE * page.words[i]
            # the name of a writer and the date of a post are links, too
            tells: cython.double = 0.0
            for kind in (_DATED, _SIGNED):
                tells += self.total[kind, page.end[page.row[i]]] - self.total[kind, page.row[i]]
            if is_linked and not tells and page.n_text_chars[i] >= title_chars:
                self.total[_HEADLINES, row] += 1
                self.headlines.append(i)
        for i in range(n):
            for kind in range(_DATED):
                self.total[kind, i + 1] += self.total[kind, i]

    def search(self) -> list:
        """Of each run: the first row and the end of its units, 1 for a unit with text and 2 more for one with a date or
        a person; then the shares of units with a date, a person, the name of a post, a text, a headline; of their words
        those in links; words of running text in all."""
        page: Page = self.page
        n: cython.Py_ssize_t = page.n_elements
        keys = np.zeros(n + 1, dtype=np.uint64)
        groups = np.zeros((2, n + 1), dtype=np.int64)
        key: cython.ulonglong[::1] = keys
        path: cython.longlong[::1] = groups[0]
        for i in range(n):
            above: cython.ulonglong = key[page.parent[i]] if page.parent[i] >= 0 else 0
            key[i] = (above ^ cython.cast(cython.ulonglong, self.number[i] + 1) * GOLDEN) * PRIME
        if n:
            number_keys(cython.address(key[0]), n, cython.address(path[0]), Page(32 * n))
            self.weigh_groups(path, False)
            self.weigh_groups(self.number, True)
            self.find_periods()
        return self.found

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_be_unit(self, row: cython.Py_ssize_t) -> cython.bint:
        below = self.total[_WORDS, self.page.end[row]] - self.total[_WORDS, row]
        return below >= _LEAST_BELOW and not self.is_part[self.page.tag[row]]

    @cython.cfunc
    def weigh_groups(self, group: cython.longlong[::1], is_name: cython.bint) -> cython.bint:
        """Weigh the elements of each number as a run. is_name: of a name alone, by which those without a class are not
        alike."""
        n: cython.Py_ssize_t = self.page.n_elements
        made = np.array([i for i in range(n) if self.may_be_unit(i) and not (is_name and self.bare[i])], dtype=np.int64)
        order: cython.longlong[::1] = made[np.asarray(group)[made].argsort(kind="stable")]
        k: cython.Py_ssize_t = 0
        for i in range(order.shape[0]):
            self.first[k], self.end[k] = order[i], self.page.end[order[i]]
            k += 1
            if i + 1 == order.shape[0] or group[order[i + 1]] != group[order[i]]:
                if k >= self.least:
                    self.weigh(k)
                k = 0

    @cython.cfunc
    def find_periods(self) -> cython.bint:
        """Weigh the siblings that repeat every two to five."""
        page: Page = self.page
        n: cython.Py_ssize_t = page.n_elements
        columns = np.full((2, n + 1), -1, dtype=np.int64)
        following: cython.longlong[::1] = columns[0]  # the next child of the same parent
        last: cython.longlong[::1] = columns[1]
        for i in range(1, n):
            if page.displayed[i] and not self.is_part[page.tag[i]]:
                up: cython.Py_ssize_t = page.parent[i]
                if last[up] >= 0:
                    following[last[up]] = i
                last[up] = i
        is_later: cython.uchar[::1] = np.zeros(n + 1, dtype=np.uint8)
        for i in range(n):
            if following[i] >= 0:
                is_later[following[i]] = 1
        for i in range(1, n):
            if following[i] >= 0 and not is_later[i]:
                self.find_periods_from(i, following)

    @cython.cfunc
    def find_periods_from(self, row: cython.Py_ssize_t, following: cython.longlong[::1]) -> cython.bint:
        """Those of the children of one parent. row: the first of them."""
        places: dict = {}
        rows: list = []
        at: cython.Py_ssize_t = row
        while at >= 0:
            # rows of a table have no names: they are told by those of their first cells, and whether they have another
            is_bare: cython.bint = self.bare[at] and at + 1 < self.page.end[at]
            key: cython.longlong = self.number[at]
            if is_bare:
                key = -1 - 2 * self.number[at + 1] - (self.page.end[at + 1] < self.page.end[at])
            places.setdefault(key, []).append(len(rows))
            rows.append(at)
            at = following[at]
        n: cython.Py_ssize_t = len(rows)
        stop: cython.longlong = self.page.end[cython.cast(cython.Py_ssize_t, rows[n - 1])]
        for here in places.values():
            k: cython.Py_ssize_t = len(here)
            if k < self.least or k == n:
                continue
            step: cython.Py_ssize_t = find_step(here, k)
            if step:
                for j in range(k):
                    begin: cython.Py_ssize_t = here[j]
                    until: cython.Py_ssize_t = here[j + 1] if j + 1 < k else begin + step
                    self.first[j] = rows[begin]
                    self.end[j] = rows[until] if until < n else stop
                self.weigh(k)

    @cython.cfunc
    def weigh(self, k: cython.Py_ssize_t) -> cython.bint:
        """Add the run of the first k units."""
        n_open: cython.Py_ssize_t = 0
        for i in range(k):
            for kind in range(_N_SUMS):
                self.own[kind, i] = self.total[kind, self.end[i]] - self.total[kind, self.first[i]]
            while n_open and self.end[self.open[n_open - 1]] <= self.first[i]:
                n_open -= 1
            if n_open:
                # text inside of both posts belongs to the inner one
                for kind in range(_N_SUMS):
                    around = self.open[n_open - 1]
                    self.own[kind, around] -= self.total[kind, self.end[i]] - self.total[kind, self.first[i]]
            self.open[n_open] = i
            n_open += 1
        words = linked = running = 0.0
        n_dated = n_signed = n_named = n_said = n_headed = 0
        for i in range(k):
            words += self.own[_WORDS, i]
            linked += self.own[_LINKED, i]
            running += self.own[_RUNNING, i]
            n_dated += self.own[_DATED, i] > 0
            n_signed += self.own[_SIGNED, i] > 0
            # the element itself, or the head of a period, has the name
            n_named += self.total[_NAMED, self.first[i] + 1] > self.total[_NAMED, self.first[i]]
            n_said += self.own[_WORDS, i] >= self.text_words and 2 * self.own[_LINKED, i] < self.own[_WORDS, i]
            n_headed += self.own[_HEADLINES, i] > 0
        each: cython.double = 1.0 / k
        # a run without any of these is none of posts: most runs end here
        if n_said and (n_dated or n_signed or n_named):
            share = linked / max(1.0, words)
            units = np.empty((3, k), dtype=np.int64)
            rows: cython.longlong[:, ::1] = units
            for i in range(k):
                rows[0, i] = self.first[i]
                rows[1, i] = self.end[i]
                rows[2, i] = (self.own[_WORDS, i] >= 1) + 2 * (self.own[_DATED, i] > 0 or self.own[_SIGNED, i] > 0)
            self.found.append(
                (units, n_dated * each, n_signed * each, n_named * each, n_said * each, n_headed * each, share, running)
            )


@cython.cfunc
def find_step(places: list, k: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """How many siblings a unit has, by where its heads stand; 0 where most are not equally far apart."""
    n_gaps: cython.int[6]
    for i in range(_MOST_PERIOD + 1):
        n_gaps[i] = 0
    for i in range(1, k):
        gap: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, places[i]) - cython.cast(
            cython.Py_ssize_t, places[i - 1]
        )
        if gap <= _MOST_PERIOD:
            n_gaps[gap] += 1
    for i in range(2, _MOST_PERIOD + 1):
        if n_gaps[i] >= 0.6 * (k - 1):
            return i
    return 0


def find_bodies(page: Page, posts: cython.const[cython.longlong][:, ::1], share: float, is_running: bool) -> Any:
    """int64 [n_posts]: the innermost element of each post that holds so much of its text; -1 where none does.

    posts: int64 [2, n_posts], their rows. is_running: of its running text, not of its words outside of links.
    """
    n: cython.Py_ssize_t = page.n_elements
    total: cython.double[::1] = np.zeros(n + 1)
    for i in range(page.n_blocks):
        total[page.row[i] + 1] += page.prose_words[i] if is_running else page.words[i] - page.link_words[i]
    for i in range(n):
        total[i + 1] += total[i]
    made = np.full(posts.shape[1], -1, dtype=np.int64)
    bodies: cython.longlong[::1] = made
    for i in range(posts.shape[1]):
        first: cython.Py_ssize_t = posts[0, i]
        end: cython.Py_ssize_t = posts[1, i]
        least: cython.double = share * (total[end] - total[first])
        at: cython.Py_ssize_t = first
        while least > 0 and at < end:
            # a reply inside of the post may end it before the element does
            inside: cython.Py_ssize_t = min(page.end[at], end)
            if total[inside] - total[at] >= least:
                bodies[i] = at
                # its children, the first of which is the next row
                at += 1
            else:
                at = inside
    return made
