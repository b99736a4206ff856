"""The search for the repeated units of a page: the entries of its lists.

What a unit is stands in `segments.units`. From the root down each element that may hold a list is asked three things,
in turn: do its children repeat (`core/repetition.py`), do the items of its small lists, are most children alike. What
repeats must look like entries (`accept`); where a unit is itself a list, the units inside take its place (`refine`).

Enters: sums and children (`core/lists.py`), classes and tags of elements, the rules' limits; questions to Python.
Leaves: first row and end of each unit, rising. Keep: `rows`, `keys` and `counts` are one room for what is looked at
now, so what calls `list_children` or `find` again must read them before; `number` is -1 everywhere between two calls of
`number_rows`. Tested by `tests/segments/test_units.py`, `tests/segments/test_listing.py`,
`tests/segments/made_lists.py`.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
from cython.cimports.cpython.unicode import Py_UNICODE_ISSPACE, PyUnicode_READ_CHAR

from webclean.core.groups import PRIME
from webclean.core.lexicon import GOLDEN
from webclean.core.lists import ALONE, CHARS, HEADINGS, IS_HEADING, IS_LIST, LINKED, LINKS
from webclean.core.nodes import count_smaller
from webclean.core.repetition import TagSequence, allocate

_IS_CELL = cython.declare(cython.Py_ssize_t, 3)
_IS_ROW = cython.declare(cython.Py_ssize_t, 4)
_IS_IMAGE = cython.declare(cython.Py_ssize_t, 5)
_IS_LABEL = cython.declare(cython.Py_ssize_t, 6)


@cython.freelist(32)
@cython.final
@cython.cclass
class _Units:
    """Units: first row and end of each."""

    n: cython.Py_ssize_t
    n_room: cython.Py_ssize_t
    rows: cython.p_longlong

    def __dealloc__(self) -> None:
        PyMem_Free(self.rows)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def first(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return self.rows[2 * i]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return self.rows[2 * i + 1]

    @cython.cfunc
    def insert(self, at: cython.Py_ssize_t, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        if self.n == self.n_room:
            size: cython.size_t = 4 * (self.n + 4) * cython.sizeof(cython.longlong)
            rows: cython.p_longlong = cython.cast(cython.p_longlong, PyMem_Realloc(self.rows, size))
            if not rows:
                raise MemoryError
            self.rows, self.n_room = rows, 2 * (self.n + 4)
        # what is inserted mostly comes last, since the page is searched in document order
        for i in range(2 * self.n - 1, 2 * at - 1, -1):
            self.rows[i + 2] = self.rows[i]
        self.rows[2 * at], self.rows[2 * at + 1] = first, end
        self.n += 1
        return True

    @cython.cfunc
    def add(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        return self.insert(self.n, first, end)

    @cython.cfunc
    def add_all(self, units: _Units) -> cython.bint:
        for i in range(units.n):
            self.insert(self.n, units.first(i), units.end(i))
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_before(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many of the units, which are rising, begin before a row."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.n
        while low < high:
            middle = (low + high) // 2
            if self.first(middle) < row:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    def sort(self) -> cython.bint:
        """Make them rising by their first rows."""
        # nearly always they rise already: no objects are made then
        i: cython.Py_ssize_t = 1
        while i < self.n and self.first(i - 1) <= self.first(i):
            i += 1
        if i < self.n:
            pairs: list = sorted([(self.first(i), self.end(i)) for i in range(self.n)], key=itemgetter(0))
            for i in range(self.n):
                self.rows[2 * i], self.rows[2 * i + 1] = pairs[i]
        return True


# one object for all that find nothing: nobody adds to what `find`, `accept` or `refine` gave
_NOTHING = cython.declare(_Units, _Units())


@cython.final
@cython.cclass
class UnitSearch:
    """The search in one page."""

    n: cython.Py_ssize_t
    parent: cython.const[cython.longlong][:]
    end: cython.const[cython.longlong][:]
    tag: cython.const[cython.longlong][:]
    link: cython.const[cython.longlong][:]
    block: cython.const[cython.longlong][:]
    kind: cython.const[cython.longlong][:]
    classes: cython.const[cython.longlong][:]
    text: list
    owner: cython.const[cython.longlong][:]
    starts: cython.const[cython.longlong][:]
    length: cython.const[cython.longlong][:]
    text_chars: cython.const[cython.double][::1]
    total: cython.const[cython.double][:, ::1]
    child: cython.const[cython.longlong][::1]
    first_child: cython.const[cython.longlong][::1]
    searched: list
    is_tag: cython.const[cython.uchar][:, ::1]
    min_units: cython.Py_ssize_t
    agreement: cython.double
    entries: cython.double
    coverage: cython.double
    nested_coverage: cython.double
    headline_share: cython.double
    headline_chars: cython.double
    link_share: cython.double
    cells_alike: cython.double
    check_time: Any
    share_class: Any
    are_headlines: Any
    is_story: Any
    sequence: TagSequence
    room: cython.p_longlong
    rows: cython.p_longlong  # [n], those that are looked at together
    keys: cython.p_longlong  # [n], their numbers by tag, or by tag and class
    counts: cython.p_longlong  # [n], how often each of these numbers occurs
    number: cython.p_longlong  # of a tag or class among them, -1 for none: of classes, then of tags
    hashed: cython.ulonglong[::1]  # of the words of each text
    shift: cython.ulonglong[::1]  # what the hash of those before is multiplied with, 0 where neither is known
    n_classes: cython.Py_ssize_t
    least_kind: cython.longlong

    def __init__(self, rows: tuple, texts: tuple, sums: Any, is_tag: Any, rules: tuple, asked: tuple) -> None:
        """The columns of `segments.units.UnitSearch`, its rules, and what it tells when it is asked."""
        self.parent, self.end, self.tag, self.link, self.block, self.kind, self.classes = rows
        self.text, self.owner, self.starts, self.length = texts
        self.text_chars, self.total, self.child, self.first_child, self.searched = sums
        self.is_tag = is_tag
        self.min_units, self.agreement, self.entries, self.coverage, self.nested_coverage = rules[:5]
        self.headline_share, self.headline_chars, self.link_share, self.cells_alike = rules[5:]
        self.check_time, self.share_class, self.are_headlines, self.is_story = asked
        self.sequence = TagSequence()
        most_kind: cython.longlong = 0
        self.n = self.end.shape[0]
        for row in range(self.n):
            self.n_classes = max(self.n_classes, self.classes[row] + 1)
            self.least_kind = min(self.least_kind, self.kind[row])
            most_kind = max(most_kind, self.kind[row])
        n_kinds: cython.Py_ssize_t = self.n_classes + most_kind - self.least_kind + 1
        self.hashed = np.empty(self.starts.shape[0], dtype=np.uint64)
        self.shift = np.zeros(self.starts.shape[0], dtype=np.uint64)
        self.room = allocate(3 * self.n + n_kinds)
        self.rows = self.room
        self.keys = self.rows + self.n
        self.counts = self.keys + self.n
        self.number = self.counts + self.n
        for row in range(n_kinds):
            self.number[row] = -1

    def __dealloc__(self) -> None:
        PyMem_Free(self.room)

    def find_all(self, first: int, end: int) -> Any:
        """int64 [n_units, 2]: the units among rows `first` to `end` (exclusive)."""
        units: _Units = self.find(first, end)
        made = np.empty((units.n, 2), dtype=np.int64)
        found: cython.longlong[:, ::1] = made
        for i in range(units.n):
            found[i, 0], found[i, 1] = units.first(i), units.end(i)
        return made

    @cython.cfunc
    def find(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> _Units:
        found: _Units = _Units()
        taken: _Units = _Units()
        units: _Units
        at: cython.Py_ssize_t
        for place in range(self.place_searched(first), len(self.searched)):
            at = self.searched[place]
            if at >= end:
                break
            before = taken.count_before(at + 1) - 1
            # what is inside a unit already is asked by `refine`, as a list of its own
            if before >= 0 and at < taken.end(before):
                continue
            if place % 8 == 0:  # a call into Python costs as much as looking at several small elements
                self.check_time()
            n = self.list_children(at)
            units = self.find_among(n, at)
            if not units.n:
                units = self.find_in_lists(at)
            if not units.n:
                # entries that other things part, such as advertisements of many kinds, repeat in no order
                n = self.list_children(at)
                units = self.accept(self.list_alike(n), at)
            if units.n:
                lead = self.find_lead(at, first, taken)
                if lead >= 0:
                    # before `refine_all`, which may replace it by headlines of its own
                    units.insert(0, lead, self.end[lead])
                before = taken.count_before(units.first(0))
                for i in range(units.n):
                    taken.insert(before + i, units.first(i), units.end(i))
                found.add_all(self.refine_all(units))
        found.sort()
        return found

    @cython.cfunc
    def place_searched(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place in `searched` of the first element from a row on."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = len(self.searched)
        at: cython.Py_ssize_t
        while low < high:
            middle = (low + high) // 2
            at = self.searched[middle]
            if at < row:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add_up(self, kind: cython.Py_ssize_t, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.double:
        return self.total[kind, end] - self.total[kind, first]

    @cython.cfunc
    @cython.exceptval(check=False)
    def list_children(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Look at the children of an element: how many there are."""
        first: cython.Py_ssize_t = self.first_child[row]
        i: cython.Py_ssize_t
        for i in range(self.first_child[row + 1] - first):
            self.rows[i] = self.child[first + i]
        return self.first_child[row + 1] - first

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_child(self, parent: cython.Py_ssize_t, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place in `child` of the first child of an element from a row on."""
        low: cython.Py_ssize_t = self.first_child[parent]
        return low + count_smaller(self.child[low : self.first_child[parent + 1]], row)

    @cython.cfunc
    def find_lead(self, at: cython.Py_ssize_t, first: cython.Py_ssize_t, taken: _Units) -> cython.Py_ssize_t:
        """The element before a list that is its first story, set apart from the others; -1 for none.

        Portals set it larger, with a picture, beside the list: it needs both, or it is the list's heading.
        """
        up: cython.Py_ssize_t = self.parent[at]
        if up < first:
            return -1
        place: cython.Py_ssize_t = self.place_child(up, at)
        # no sibling with text before it, or the element itself has none
        if place == self.first_child[up] or place == self.first_child[up + 1] or self.child[place] != at:
            return -1
        begin: cython.Py_ssize_t = self.child[place - 1]
        end: cython.Py_ssize_t = self.end[begin]
        before: cython.Py_ssize_t = taken.count_before(end) - 1
        # it is part of a list already
        if before >= 0 and taken.end(before) > begin:
            return -1
        if self.add_up(CHARS, begin, end) < self.headline_chars or self.add_up(LINKED, begin, end) <= 0:
            return -1
        for row in range(begin, end):
            if self.is_tag[_IS_IMAGE, self.tag[row]]:
                return begin if self.is_story(self.list_links(begin, end)) else -1
        return -1

    @cython.cfunc
    def find_in_lists(self, parent: cython.Py_ssize_t) -> _Units:
        """The items of lists that are each too short to be one: portals set their links in columns of two."""
        place: cython.Py_ssize_t
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        n_lists: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = 0
        for place in range(self.first_child[parent], self.first_child[parent + 1]):
            row = self.child[place]
            if self.is_tag[IS_LIST, self.tag[row]]:
                # long enough to be a list by itself, which the search comes to: these are not columns of one list
                if self.first_child[row + 1] - self.first_child[row] >= self.min_units:
                    return _NOTHING
                n_lists += 1
                for at in range(self.first_child[row], self.first_child[row + 1]):
                    self.rows[n] = self.child[at]
                    n += 1
        return self.repeat(n, self.number_rows(n, False), parent) if n_lists >= 2 else _NOTHING

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def name_row(self, row: cython.Py_ssize_t, by_class: cython.bint) -> cython.Py_ssize_t:
        """The place in `number` of the tag of a row, or of its tag and classes: these are numbered together, 0 tells
        nothing."""
        if by_class and self.classes[row]:
            return self.classes[row]
        return self.n_classes + self.kind[row] - self.least_kind

    @cython.cfunc
    @cython.exceptval(check=False)
    def number_rows(self, n: cython.Py_ssize_t, by_class: cython.bint) -> cython.Py_ssize_t:
        """Number the rows that are looked at, in the order in which their names first occur; how many there are."""
        n_names: cython.Py_ssize_t = 0
        for i in range(n):
            name = self.name_row(self.rows[i], by_class)
            if self.number[name] < 0:
                self.number[name] = n_names
                self.counts[n_names] = 0
                n_names += 1
            self.keys[i] = self.number[name]
            self.counts[self.keys[i]] += 1
        for i in range(n):
            self.number[self.name_row(self.rows[i], by_class)] = -1
        return n_names

    @cython.cfunc
    def find_among(self, n: cython.Py_ssize_t, parent: cython.Py_ssize_t) -> _Units:
        n_tags: cython.Py_ssize_t = self.number_rows(n, False)
        if n_tags == n:
            return _NOTHING  # each tag once: nothing repeats, nor would it with classes
        units: _Units = self.repeat(n, n_tags, parent)
        # a unit of several siblings is more than tags alone give by chance
        if units.n and self.is_run(units, 0):
            return units
        # by tags each row is a unit: classes may tell that two rows are one entry, a title's and a status line's
        n_names: cython.Py_ssize_t = self.number_rows(n, True)
        # classes tell no more than tags do
        if n_names == n_tags:
            return units
        runs: _Units = self.repeat(n, n_names, parent)
        return runs if not units.n or self.are_unlike_rows(runs) else units

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_run(self, units: _Units, i: cython.Py_ssize_t) -> cython.bint:
        """Whether a unit is several siblings."""
        return self.end[units.first(i)] < units.end(i)

    @cython.cfunc
    def are_unlike_rows(self, runs: _Units) -> cython.bint:
        """Whether each run begins with a table row, and the rows below it hold other tags than the first ones do.

        Boards set a topic as two rows of other cells. Rows of equal cells are striped: odd and even ones.
        """
        upper: list = []
        lower: list = []
        for i in range(runs.n):
            if not self.is_run(runs, i) or (i == 0 and not self.is_tag[_IS_ROW, self.tag[runs.first(i)]]):
                return False
            upper.append(self.name_inside(runs.first(i), self.end[runs.first(i)]))
            lower.append(self.name_inside(self.end[runs.first(i)], runs.end(i)))
        if not runs.n:
            return False
        one, n_upper = _find_most(upper)
        other, n_lower = _find_most(lower)
        return one != other and min(n_upper, n_lower) >= self.entries * runs.n

    @cython.cfunc
    def name_inside(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> object:
        """The different tags of rows."""
        return frozenset([self.kind[row] for row in range(first, end)])

    @cython.cfunc
    def repeat(self, n: cython.Py_ssize_t, n_names: cython.Py_ssize_t, parent: cython.Py_ssize_t) -> _Units:
        """The units among the rows that are looked at, by their numbers."""
        units: _Units = _Units()
        if n_names == 1 and n > 1:
            for i in range(n):
                units.add(self.rows[i], self.end[self.rows[i]])
        elif n_names > 1:
            tags: cython.p_longlong = self.sequence.start_with(n, n_names)
            for i in range(n):
                tags[i] = self.keys[i]
            self.sequence.find(self.agreement, self.sequence.find_anchor())
            if self.sequence.n_spans < 2:
                return self.accept(_NOTHING, parent)
            for i in range(self.sequence.n_spans):
                last: cython.Py_ssize_t = self.rows[self.sequence.spans[2 * i + 1] - 1]
                units.add(self.rows[self.sequence.spans[2 * i]], self.end[last])
        return self.accept(units, parent)

    @cython.cfunc
    def accept(self, units: _Units, parent: cython.Py_ssize_t) -> _Units:
        """The units with links, where enough of all look like entries and they hold enough of their parent's text;
        else nothing."""
        n_entries: cython.Py_ssize_t = 0
        covered: cython.double = 0
        entries: _Units = _Units()
        for i in range(units.n):
            n_entries += self.is_entry(units.first(i), units.end(i))
            if self.add_up(LINKED, units.first(i), units.end(i)) > 0:
                entries.add(units.first(i), units.end(i))
                covered += self.add_up(CHARS, units.first(i), units.end(i))
        if n_entries < max(cython.cast(cython.double, self.min_units), self.entries * units.n):
            return _NOTHING
        # the links of a text repeat as well, and hold little of it
        if covered < self.coverage * self.add_up(CHARS, parent, self.end[parent]):
            return _NOTHING
        if self.are_sections(entries) or self.are_cells(entries) or self.are_choices(entries):
            return _NOTHING
        return entries

    @cython.cfunc
    def are_sections(self, units: _Units) -> cython.bint:
        """Whether units are parts of a page or a text: some have a heading, and most do not. Entries have one each, or
        none. Units of one class are entries of which a few stand out, unless a heading begins one of them."""
        n_headed: cython.Py_ssize_t = 0
        for i in range(units.n):
            n_headed += self.add_up(HEADINGS, units.first(i), units.end(i)) > 0
        if not n_headed or n_headed >= self.entries * units.n:
            return False
        if not self.share_class([units.first(i) for i in range(units.n)]):
            return True
        for i in range(units.n):
            if self.add_up(HEADINGS, units.first(i), units.end(i)) > 0:
                row = self.find_first_block(units.first(i), units.end(i))
                if self.is_tag[IS_HEADING, self.tag[row]]:
                    return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_text(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The first text that begins inside of a row or later."""
        return count_smaller(self.starts, row + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_first_block(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The block element of the first displayed text of some rows."""
        node: cython.Py_ssize_t = self.find_text(first)
        while node < self.starts.shape[0] and self.starts[node] <= end:
            if self.text_chars[node] > 0:
                return self.block[self.owner[node]]
            node += 1
        return first

    @cython.cfunc
    def are_cells(self, units: _Units) -> cython.bint:
        """Whether units are the cells of one row of data, which differ inside; those of a gallery hold the same."""
        if not self.is_tag[_IS_CELL, self.tag[units.first(0)]]:
            return False
        inside: list = [self.name_inside(units.first(i) + 1, units.end(i)) for i in range(units.n)]
        return _find_most(inside)[1] < self.cells_alike * units.n

    @cython.cfunc
    @cython.exceptval(check=False)
    def are_choices(self, units: _Units) -> cython.bint:
        """Whether units are labels of form controls: filters repeat, too, and have links."""
        n_labels: cython.Py_ssize_t = 0
        for i in range(units.n):
            row = units.first(i)
            n_labels += self.is_tag[_IS_LABEL, self.tag[row]]
            # `<li><label>`: the label is all that the item holds
            if self.end[row] > row + 1 and self.end[row + 1] == self.end[row]:
                n_labels += self.is_tag[_IS_LABEL, self.tag[row + 1]]
        return n_labels >= self.entries * units.n

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_entry(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether a unit is mostly links, has a heading or a link on a line of its own, or begins with a link."""
        linked: cython.double = self.add_up(LINKED, first, end)
        if linked <= 0:
            return False
        if linked >= self.link_share * self.add_up(CHARS, first, end):
            return True
        if self.add_up(HEADINGS, first, end) > 0 or self.add_up(ALONE, first, end) > 0:
            return True
        node: cython.Py_ssize_t = self.find_text(first)
        while node < self.starts.shape[0] and self.starts[node] <= self.end[first]:
            if self.length[node]:
                return self.link[self.owner[node]] >= 0
            node += 1
        return False

    @cython.cfunc
    def refine(self, units: _Units, i: cython.Py_ssize_t) -> _Units:
        """The units inside a unit that is a list, else nothing."""
        if self.add_up(LINKS, units.first(i), units.end(i)) < self.min_units:
            return _NOTHING  # each entry has a link, so there is no list: most units end here
        found: _Units = self.find(units.first(i), units.end(i))
        # the search is within elements, and a run is none
        if not self.is_covered(units, i, found) and self.is_run(units, i):
            found = self.find_in_run(units.first(i), units.end(i))
        return found if self.is_covered(units, i, found) else _NOTHING

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_covered(self, units: _Units, i: cython.Py_ssize_t, inner: _Units) -> cython.bint:
        """Whether inner units are enough, and enough of the text, for the unit to be a list."""
        covered: cython.double = 0
        for k in range(inner.n):
            covered += self.add_up(CHARS, inner.first(k), inner.end(k))
        whole: cython.double = self.add_up(CHARS, units.first(i), units.end(i))
        return inner.n >= self.min_units and covered >= self.nested_coverage * whole

    @cython.cfunc
    def find_in_run(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> _Units:
        """The entries among the siblings of a run: a heading and its links, say, which no element holds."""
        up: cython.Py_ssize_t = self.parent[first]
        place: cython.Py_ssize_t = self.place_child(up, first)
        n: cython.Py_ssize_t = self.place_child(up, end) - place
        for i in range(n):
            self.rows[i] = self.child[place + i]
        found: _Units = _Units()
        alike: _Units = self.list_alike(n)
        for i in range(alike.n):
            if self.is_entry(alike.first(i), alike.end(i)):
                found.add(alike.first(i), alike.end(i))
        return found

    @cython.cfunc
    def list_alike(self, n: cython.Py_ssize_t) -> _Units:
        """Of the rows that are looked at those of the most frequent tag and class, the first of equals."""
        n_names: cython.Py_ssize_t = self.number_rows(n, True)
        best: cython.Py_ssize_t = 0
        for i in range(1, n_names):
            if self.counts[i] > self.counts[best]:
                best = i
        found: _Units = _Units()
        for i in range(n):
            if self.keys[i] == best:
                found.add(self.rows[i], self.end[self.rows[i]])
        return found

    @cython.cfunc
    def list_links(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        return [row for row in range(first, end) if self.link[row] == row]

    @cython.cfunc
    def list_headlines(self, units: _Units, i: cython.Py_ssize_t, among_lists: cython.bint) -> _Units:
        """The links of a unit that is a line of several headlines, else nothing."""
        first: cython.Py_ssize_t = units.first(i)
        end: cython.Py_ssize_t = units.end(i)
        row: cython.Py_ssize_t
        whole: cython.double = self.add_up(CHARS, first, end)
        # beside units that are lists a line of links is one more of them; alone it may be a menu or a breadcrumb
        limit: cython.double = 1 - (self.nested_coverage if among_lists else self.headline_share)
        if self.add_up(LINKS, first, end) < 2 or whole - self.add_up(LINKED, first, end) > limit * whole:
            return _NOTHING
        if self.add_up(HEADINGS, first, end) > 0:
            return _NOTHING
        rows: list = self.list_links(first, end)
        found: _Units = _Units()
        for row in rows:
            if self.add_up(CHARS, row, self.end[row]) < (1 if among_lists else self.headline_chars):
                return _NOTHING
            found.add(row, self.end[row])
        return found if self.are_headlines(rows, among_lists) else _NOTHING

    @cython.cfunc
    def refine_all(self, units: _Units) -> _Units:
        """The units, those that are lists replaced by their own, lines of headlines by these."""
        inner: list = []
        made: _Units
        names: tuple
        n_lists: cython.Py_ssize_t = 0
        for i in range(units.n):
            made = self.refine(units, i)
            n_lists += made.n > 0
            inner.append(made)
        # of fewer lists none says what stands below each post
        if n_lists >= self.min_units:
            inner = self.leave_buttons(units, inner, n_lists)
        parts: list = [self.name_parts(made) for made in inner if made.n] if n_lists else []
        are_lists: cython.bint = 2 * len(parts) > units.n
        n_units: dict = _count(parts)
        found: _Units = _Units()
        for i in range(units.n):
            made = inner[i]
            if made.n:
                names = self.name_parts(made)
                # the same different parts in most units: title, author and date of an entry, not entries of a list
                if len(set(names)) == len(names) and 2 * n_units[names] > units.n > 1:
                    made = _NOTHING
            if not made.n or (not are_lists and self.is_run(units, i)):
                made = self.list_headlines(units, i, are_lists)
            if made.n:
                found.add_all(made)
            else:
                found.add(units.first(i), units.end(i))
        return found

    @cython.cfunc
    def leave_buttons(self, units: _Units, inner: list, n_lists: cython.Py_ssize_t) -> list:
        """The inner units without those whose words stand in most of the units: `reply`, `share` and `report` below
        each post are links that repeat, too."""
        made: _Units
        rest: _Units
        own: list
        said: list = [self.hash_words(made) for made in inner]
        n_units: dict = _count([words for own in said for words in set(own)])
        left: list = []
        for i in range(units.n):
            made, own, rest = inner[i], said[i], _Units()
            for k in range(made.n):
                if 2 * n_units[own[k]] <= n_lists:
                    rest.add(made.first(k), made.end(k))
            left.append(rest if made.n == rest.n or self.is_covered(units, i, rest) else _NOTHING)
        return left

    @cython.cfunc
    def hash_words(self, units: _Units) -> list:
        """Of each unit a hash of the words of its text, of 64 bits."""
        found: list = []
        for i in range(units.n):
            hashed, node = 0, self.find_text(units.first(i))
            while node < self.starts.shape[0] and self.starts[node] <= units.end(i):
                if not self.shift[node]:
                    self.hash_text(node)
                hashed = hashed * self.shift[node] + self.hashed[node]
                node += 1
            found.append(hashed)
        return found

    @cython.cfunc
    def hash_text(self, node: cython.Py_ssize_t) -> cython.bint:
        """Hash the words of a text: w1 * b**(n - 1) + ... + wn, to which b**n belongs, so that texts which follow each
        other have the hash of all their words."""
        text: str = self.text[node]
        word: cython.ulonglong = 0
        hashed: cython.ulonglong = 0
        shift: cython.ulonglong = 1
        for i in range(len(text)):
            c: cython.Py_UCS4 = PyUnicode_READ_CHAR(text, i)
            if not Py_UNICODE_ISSPACE(c):
                word = (word + cython.cast(cython.ulonglong, c)) * PRIME
                # so that letters in another order are another word
                word ^= word >> 29
            elif word:
                hashed, shift, word = hashed * GOLDEN + word, shift * GOLDEN, 0
        if word:
            hashed, shift = hashed * GOLDEN + word, shift * GOLDEN
        self.hashed[node], self.shift[node] = hashed, shift
        return True

    @cython.cfunc
    def name_parts(self, units: _Units) -> tuple:
        return tuple([self.classes[units.first(i)] for i in range(units.n)])


@cython.cfunc
def _count(keys: list) -> dict:
    """How often each key occurs, in the order in which they first do."""
    found: dict = {}
    for key in keys:
        found[key] = found.get(key, 0) + 1
    return found


@cython.cfunc
def _find_most(keys: list) -> tuple:
    """The most frequent key, the first of equals, and how often it occurs."""
    most: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    found: object = None
    for key, count in _count(keys).items():
        if count > most:
            found, most = key, count
    return found, most
