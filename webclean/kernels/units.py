# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The search for the repeated units of a page.

It gives what its twin `segments.unit_search.PlainSearch` gives, which says what each step is for. A unit is a tuple of
two rows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Any

import cython

from webclean.kernels.lists import find_repetition

_CHARS = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.UnitSums.sums`
_LINKED = cython.declare(cython.Py_ssize_t, 1)
_HEADINGS = cython.declare(cython.Py_ssize_t, 2)
_LINKS = cython.declare(cython.Py_ssize_t, 3)
_ALONE = cython.declare(cython.Py_ssize_t, 4)
_NOTHING = cython.declare(list, [])
_NO_CLASS = cython.declare(cython.longlong, -0x100000000)
_IS_HEADING = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.KINDS`
_IS_LIST = cython.declare(cython.Py_ssize_t, 1)
_IS_CELL = cython.declare(cython.Py_ssize_t, 3)
_IS_ROW = cython.declare(cython.Py_ssize_t, 4)
_IS_IMAGE = cython.declare(cython.Py_ssize_t, 5)
_IS_LABEL = cython.declare(cython.Py_ssize_t, 6)


@cython.final
@cython.cclass
class UnitSearch:
    """The search in one page."""

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

    def __init__(self, rows: tuple, texts: tuple, sums: Any, is_tag: Any, rules: tuple, asked: tuple) -> None:
        """The columns of `UnitColumns`, its rules, and what it tells when it is asked."""
        self.parent, self.end, self.tag, self.link, self.block, self.kind, self.classes = rows
        self.text, self.owner, self.starts, self.length = texts
        self.text_chars, self.total, self.child, self.first_child, self.searched = sums
        self.is_tag = is_tag
        self.min_units, self.agreement, self.entries, self.coverage, self.nested_coverage = rules[:5]
        self.headline_share, self.headline_chars, self.link_share, self.cells_alike = rules[5:]
        self.check_time, self.share_class, self.are_headlines, self.is_story = asked

    @cython.ccall
    def find(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        found: list = []
        taken: list = []
        at: cython.Py_ssize_t
        before: cython.Py_ssize_t
        place: cython.Py_ssize_t
        for place in range(bisect_left(self.searched, first), bisect_left(self.searched, end)):
            at = self.searched[place]
            before = bisect_right(taken, (at, self.end.shape[0])) - 1
            if before >= 0 and at < self.end_of(taken[before]):
                continue
            self.check_time()
            children: list = self.list_children(at)
            units: list = self.find_among(children, at)
            if not units:
                units = self.find_in_lists(children, at)
            if not units:
                units = self.accept(self.list_alike(children), at)
            if units:
                units = self.find_lead(at, first, taken) + units
                before = bisect_right(taken, units[0])
                taken[before:before] = units  # rising, and apart from all others
                found += self.refine_all(units)
        found.sort(key=itemgetter(0))
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add_up(self, kind: cython.Py_ssize_t, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.double:
        return self.total[kind, end] - self.total[kind, first]

    @cython.cfunc
    def end_of(self, unit: tuple) -> cython.Py_ssize_t:
        end: cython.Py_ssize_t = unit[1]
        return end

    @cython.cfunc
    def make_unit(self, row: cython.Py_ssize_t) -> tuple:
        return (row, self.end[row])

    @cython.cfunc
    def list_children(self, row: cython.Py_ssize_t) -> list:
        return [self.child[at] for at in range(self.first_child[row], self.first_child[row + 1])]

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_child(self, parent: cython.Py_ssize_t, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place in `child` of the first child of an element from a row on."""
        low: cython.Py_ssize_t = self.first_child[parent]
        high: cython.Py_ssize_t = self.first_child[parent + 1]
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) // 2
            if self.child[middle] < row:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    def find_lead(self, at: cython.Py_ssize_t, first: cython.Py_ssize_t, taken: list) -> list:
        up: cython.Py_ssize_t = self.parent[at]
        if up < first:
            return []
        place: cython.Py_ssize_t = self.place_child(up, at)
        if place == self.first_child[up] or place == self.first_child[up + 1] or self.child[place] != at:
            return []
        begin: cython.Py_ssize_t = self.child[place - 1]
        end: cython.Py_ssize_t = self.end[begin]
        before: cython.Py_ssize_t = bisect_right(taken, (end, 0)) - 1
        if before >= 0 and self.end_of(taken[before]) > begin:
            return []
        if self.add_up(_CHARS, begin, end) < self.headline_chars or self.add_up(_LINKED, begin, end) <= 0:
            return []
        row: cython.Py_ssize_t
        for row in range(begin, end):
            if self.is_tag[_IS_IMAGE, self.tag[row]]:
                return [(begin, end)] if self.is_story(self.list_links(begin, end)) else []
        return []

    @cython.cfunc
    def find_in_lists(self, children: list, parent: cython.Py_ssize_t) -> list:
        row: cython.Py_ssize_t
        n_lists: cython.Py_ssize_t = 0
        items: list = []
        for row in children:
            if self.is_tag[_IS_LIST, self.tag[row]]:
                if self.first_child[row + 1] - self.first_child[row] >= self.min_units:
                    return []
                n_lists += 1
                items += self.list_children(row)
        if n_lists < 2:
            return []
        tags: list = self.list_tags(items)
        return self.repeat(items, tags, _number(tags), parent)

    @cython.cfunc
    def list_tags(self, rows: list) -> list:
        return [self.kind[row] for row in rows]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def name_row(self, row: cython.Py_ssize_t) -> cython.longlong:
        """A number for tag and classes of a row; classes are numbered with their tag, none of which is 0."""
        return self.classes[row] if self.classes[row] else _NO_CLASS - self.kind[row]

    @cython.cfunc
    def list_names(self, rows: list) -> list:
        return [self.name_row(row) for row in rows]

    @cython.cfunc
    def find_among(self, children: list, parent: cython.Py_ssize_t) -> list:
        by_tag: list = self.list_tags(children)
        n_tags: cython.Py_ssize_t = _number(by_tag)
        if n_tags == len(by_tag):
            return []
        units: list = self.repeat(children, by_tag, n_tags, parent)
        if units and self.is_run(units[0]):
            return units
        by_class: list = self.list_names(children)
        n_names: cython.Py_ssize_t = _number(by_class)
        if n_names == n_tags:
            return units
        runs: list = self.repeat(children, by_class, n_names, parent)
        return runs if not units or self.are_unlike_rows(runs) else units

    @cython.cfunc
    def is_run(self, unit: tuple) -> cython.bint:
        first: cython.Py_ssize_t = unit[0]
        return self.end[first] < self.end_of(unit)

    @cython.cfunc
    def are_unlike_rows(self, runs: list) -> cython.bint:
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        upper: list = []
        lower: list = []
        for first, end in runs:
            if self.end[first] == end or (not upper and not self.is_tag[_IS_ROW, self.tag[first]]):
                return False
            upper.append(self.name_inside(first, self.end[first]))
            lower.append(self.name_inside(self.end[first], end))
        if not runs:
            return False
        one, n_upper = _find_most(upper)
        other, n_lower = _find_most(lower)
        return one != other and min(n_upper, n_lower) >= self.entries * len(runs)

    @cython.cfunc
    def name_inside(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> object:
        """The different tags of rows."""
        return frozenset([self.kind[row] for row in range(first, end)])

    @cython.cfunc
    def repeat(self, children: list, tags: list, n_tags: cython.Py_ssize_t, parent: cython.Py_ssize_t) -> list:
        """tags: numbers below `n_tags`."""
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        if n_tags == 1:
            return self.accept([self.make_unit(row) for row in children] if len(children) > 1 else [], parent)
        units: list = []
        if n_tags:
            for first, last in find_repetition(tags, n_tags, self.agreement, -1)[1]:
                row = children[last - 1]
                units.append((children[first], self.end[row]))
        return self.accept(units if len(units) > 1 else [], parent)

    @cython.cfunc
    def accept(self, units: list, parent: cython.Py_ssize_t) -> list:
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        n_entries: cython.Py_ssize_t = 0
        covered: cython.double = 0
        entries: list = []
        for first, end in units:
            n_entries += self.is_entry(first, end)
            if self.add_up(_LINKED, first, end) > 0:
                entries.append((first, end))
                covered += self.add_up(_CHARS, first, end)
        if n_entries < max(cython.cast(cython.double, self.min_units), self.entries * len(units)):
            return []
        if covered < self.coverage * self.add_up(_CHARS, parent, self.end[parent]):
            return []
        if self.are_sections(entries) or self.are_cells(entries) or self.are_choices(entries):
            return []
        return entries

    @cython.cfunc
    def are_sections(self, units: list) -> cython.bint:
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        headed: list = [(first, end) for first, end in units if self.add_up(_HEADINGS, first, end) > 0]
        if not headed or len(headed) >= self.entries * len(units):
            return False
        if not self.share_class([first for first, _ in units]):
            return True
        for first, end in headed:
            if self.is_tag[_IS_HEADING, self.tag[self.find_first_block(first, end)]]:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_text(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The first text that begins inside of a row or later."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.starts.shape[0]
        middle: cython.Py_ssize_t
        while low < high:
            middle = (low + high) // 2
            if self.starts[middle] <= row:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_first_block(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        node: cython.Py_ssize_t = self.find_text(first)
        while node < self.starts.shape[0] and self.starts[node] <= end:
            if self.text_chars[node] > 0:
                return self.block[self.owner[node]]
            node += 1
        return first

    @cython.cfunc
    def are_cells(self, units: list) -> cython.bint:
        first: cython.Py_ssize_t
        first = units[0][0]
        if not self.is_tag[_IS_CELL, self.tag[first]]:
            return False
        return _find_most([self.name_inside(first + 1, end) for first, end in units])[1] < self.cells_alike * len(units)

    @cython.cfunc
    def are_choices(self, units: list) -> cython.bint:
        row: cython.Py_ssize_t
        n_labels: cython.Py_ssize_t = 0
        for row, _ in units:
            n_labels += self.is_tag[_IS_LABEL, self.tag[row]]
            if self.end[row] > row + 1 and self.end[row + 1] == self.end[row]:
                n_labels += self.is_tag[_IS_LABEL, self.tag[row + 1]]
        return n_labels >= self.entries * len(units)

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_entry(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        linked: cython.double = self.add_up(_LINKED, first, end)
        if linked <= 0:
            return False
        if linked >= self.link_share * self.add_up(_CHARS, first, end):
            return True
        if self.add_up(_HEADINGS, first, end) > 0 or self.add_up(_ALONE, first, end) > 0:
            return True
        node: cython.Py_ssize_t = self.find_text(first)
        while node < self.starts.shape[0] and self.starts[node] <= self.end[first]:
            if self.length[node]:
                return self.link[self.owner[node]] >= 0
            node += 1
        return False

    @cython.cfunc
    def refine(self, unit: tuple) -> list:
        """The units inside a unit that is a list, else an empty list."""
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        first, end = unit
        if self.add_up(_LINKS, first, end) < self.min_units:
            return _NOTHING
        found: list = self.find(first, end)
        if not self.is_covered(unit, found) and self.end[first] < end:
            found = self.find_in_run(first, end)
        return found if self.is_covered(unit, found) else _NOTHING

    @cython.cfunc
    def is_covered(self, unit: tuple, inner: list) -> cython.bint:
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        covered: cython.double = 0
        for first, end in inner:
            covered += self.add_up(_CHARS, first, end)
        first, end = unit
        return len(inner) >= self.min_units and covered >= self.nested_coverage * self.add_up(_CHARS, first, end)

    @cython.cfunc
    def find_in_run(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        up: cython.Py_ssize_t = self.parent[first]
        run: list = [self.child[at] for at in range(self.place_child(up, first), self.place_child(up, end))]
        return [made for made in self.list_alike(run) if self.is_entry(made[0], made[1])]

    @cython.cfunc
    def list_alike(self, rows: list) -> list:
        kinds: list = self.list_names(rows)
        kind = _find_most(kinds)[0]
        return [self.make_unit(row) for row, own in zip(rows, kinds, strict=True) if own == kind]

    @cython.cfunc
    def list_links(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        return [row for row in range(first, end) if self.link[row] == row]

    @cython.cfunc
    def list_headlines(self, unit: tuple, among_lists: cython.bint) -> list:
        """The links of a unit that is a line of several headlines, else an empty list."""
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        row: cython.Py_ssize_t
        first, end = unit
        whole: cython.double = self.add_up(_CHARS, first, end)
        limit: cython.double = 1 - (self.nested_coverage if among_lists else self.headline_share)
        if self.add_up(_LINKS, first, end) < 2 or whole - self.add_up(_LINKED, first, end) > limit * whole:
            return _NOTHING
        if self.add_up(_HEADINGS, first, end) > 0:
            return _NOTHING
        rows: list = self.list_links(first, end)
        for row in rows:
            if self.add_up(_CHARS, row, self.end[row]) < (1 if among_lists else self.headline_chars):
                return _NOTHING
        return [self.make_unit(row) for row in rows] if self.are_headlines(rows, among_lists) else _NOTHING

    @cython.cfunc
    def refine_all(self, units: list) -> list:
        inner: list = self.leave_buttons(units, [self.refine(unit) for unit in units])
        made: list
        names: tuple
        unit: tuple
        i: cython.Py_ssize_t
        parts: list = [self.name_parts(made) for made in inner if made]
        are_lists: cython.bint = 2 * len(parts) > len(units)
        n_units: dict = _count(parts)
        found: list = []
        for i in range(len(units)):
            unit, made = units[i], inner[i]
            if made:
                names = self.name_parts(made)
                if len(set(names)) == len(names) and 2 * n_units[names] > len(units) > 1:
                    made = _NOTHING
            if not made or (not are_lists and self.is_run(unit)):
                made = self.list_headlines(unit, are_lists)
            if made:
                found += made
            else:
                found.append(unit)
        return found

    @cython.cfunc
    def leave_buttons(self, units: list, inner: list) -> list:
        made: list
        own: list
        rest: list
        n_lists: cython.Py_ssize_t = 0
        for made in inner:
            n_lists += len(made) > 0
        if n_lists < self.min_units:
            return inner
        said: list = [[self.read_words(part[0], part[1]) for part in made] for made in inner]
        n_units: dict = _count([words for own in said for words in set(own)])
        left: list = []
        for unit, made, own in zip(units, inner, said, strict=True):
            rest = [part for part, words in zip(made, own, strict=True) if 2 * n_units[words] <= n_lists]
            left.append(rest if len(own) == len(rest) or self.is_covered(unit, rest) else _NOTHING)
        return left

    @cython.cfunc
    def read_words(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
        node: cython.Py_ssize_t = self.find_text(first)
        texts: list = []
        while node < self.starts.shape[0] and self.starts[node] <= end:
            if self.length[node]:
                texts.append(self.text[node])
            node += 1
        return " ".join(" ".join(texts).split())

    @cython.cfunc
    def name_parts(self, units: list) -> tuple:
        return tuple([self.classes[row] for row, _ in units])


@cython.cfunc
def _number(keys: list) -> cython.Py_ssize_t:
    """Replace keys by numbers, in the order in which they first occur; how many there are."""
    known: dict = {}
    i: cython.Py_ssize_t
    for i in range(len(keys)):
        keys[i] = known.setdefault(keys[i], len(known))
    return len(known)


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
