"""The search for the repeated units of a page: the entries of its lists.

What a unit is stands in `segments.units`. From the root down each element that may hold a list is asked three things,
in turn: do its children repeat (`TagSequence`), do the items of its small lists, are most children alike. What repeats
must look like entries (`accept`); where a unit is itself a list, the units inside take its place (`refine`).

Enters: a page, its sums and children (`core/unit_signals.py`), classes and tags of elements, the rules; questions to
Python. Leaves: first row and end of each unit, rising. Keep: `rows`, `keys` and `counts` are one room for what is
looked at now, so what calls `list_children` or `find` again must read them before; `number` is -1 everywhere between
two calls of `number_rows`; nobody adds to a list of units that `find`, `accept` or `refine` gave. Tested by
`tests/segments/test_units.py`, `tests/segments/test_listing.py`, `tests/segments/made_lists.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from operator import itemgetter
from typing import Any

import cython
import numpy as np

from webclean.core.lexicon import GOLDEN
from webclean.core.page import Page, count_smaller
from webclean.core.unit_signals import ALONE, CHARS, HEADINGS, IS_HEADING, IS_LIST, LINKED, LINKS, TagSequence

_IS_CELL = cython.declare(cython.Py_ssize_t, 3)
_IS_ROW = cython.declare(cython.Py_ssize_t, 4)
_IS_LABEL = cython.declare(cython.Py_ssize_t, 5)


class UnitSearch:
    """The search in one page. A list of units is one of (first row, end).

    kind, classes: numbers of the tag, and of tag and classes, of each element. length: of each text. rows: those that
    are looked at together, keys: their numbers by tag, or by tag and class, counts: how often each of these occurs;
    number: of a class or tag among them, classes first. hashed, shift: of the words of each text, 0 where not known.
    """

    page: Page
    kind: cython.const[cython.longlong][:]
    classes: cython.const[cython.longlong][:]
    length: cython.const[cython.longlong][:]
    text_chars: cython.const[cython.double][::1]
    total: cython.const[cython.double][:, ::1]
    child: cython.const[cython.longlong][::1]
    first_child: cython.const[cython.longlong][::1]
    searched: list
    is_tag: cython.const[cython.uchar][:, ::1]
    rules: Any
    check_time: Any
    asked: Any
    sequence: TagSequence
    rows: cython.longlong[::1]
    keys: cython.longlong[::1]
    counts: cython.longlong[::1]
    number: cython.longlong[::1]
    hashed: cython.ulonglong[::1]
    shift: cython.ulonglong[::1]
    n_classes: cython.Py_ssize_t
    least_kind: cython.longlong

    def __init__(self, page: Page, names: tuple, length: Any, sums: Any, is_tag: Any, rules: Any, asked: tuple) -> None:
        """
        Args:
            names: kind and classes. length, sums, is_tag: as `add_up_rows` takes and gives them.
            rules: `Records`. asked: checks the time; the `segments.units.UnitSearch`, which reads addresses.
        """
        self.page, self.length, self.is_tag, self.rules = page, length, is_tag, rules
        self.kind, self.classes = names
        self.text_chars, self.total, self.child, self.first_child, self.searched = sums
        self.check_time, self.asked = asked
        n: cython.Py_ssize_t = page.n_elements
        most_kind: cython.longlong = 0
        for row in range(n):
            self.n_classes = max(self.n_classes, self.classes[row] + 1)
            self.least_kind = min(self.least_kind, self.kind[row])
            most_kind = max(most_kind, self.kind[row])
        room: cython.longlong[:, ::1] = np.empty((3, n), dtype=np.int64)
        self.rows, self.keys, self.counts = room[0], room[1], room[2]
        self.number = np.full(self.n_classes + most_kind - self.least_kind + 1, -1, dtype=np.int64)
        self.hashed, self.shift = np.zeros(page.n_texts, dtype=np.uint64), np.zeros(page.n_texts, dtype=np.uint64)
        self.sequence = TagSequence(n)

    def find_all(self, first: int, end: int) -> Any:
        """int64 [n_units, 2]: the units among rows `first` to `end` (exclusive)."""
        return np.array(self.find(first, end), dtype=np.int64).reshape(-1, 2)

    @cython.cfunc
    def find(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        found: list = []
        taken: list = []  # ends of the units so far, rising, and their first rows
        begun: list = []
        for place in range(bisect_left(self.searched, first), len(self.searched)):
            at: cython.Py_ssize_t = self.searched[place]
            if at >= end:
                break
            before: cython.Py_ssize_t = bisect_left(begun, at + 1) - 1
            # a repetition inside a unit is left to `refine`, as a list of its own
            if before >= 0 and at < taken[before]:
                continue
            if place % 8 == 0:  # a call into Python costs as much as looking at several small elements
                self.check_time()
            units: list = self.find_among(self.list_children(at), at) or self.find_in_lists(at)
            if not units:
                # entries that other things part, such as advertisements of many kinds, repeat in no order
                units = self.accept(self.list_alike(self.list_children(at)), at)
            if units:
                before = bisect_left(begun, units[0][0])
                begun[before:before] = [unit[0] for unit in units]
                taken[before:before] = [unit[1] for unit in units]
                found.extend(self.refine_all(units))
        found.sort(key=itemgetter(0))
        return found

    @cython.exceptval(check=False)
    @cython.inline
    def add_up(self, kind: cython.Py_ssize_t, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.double:
        return self.total[kind, end] - self.total[kind, first]

    def list_children(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Look at the children of an element: how many there are."""
        first = self.first_child[row]
        n: cython.Py_ssize_t = self.first_child[row + 1] - first
        for i in range(n):
            self.rows[i] = self.child[first + i]
        return n

    def place_child(self, parent: cython.Py_ssize_t, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The place in `child` of the first child of an element from a row on."""
        low = self.first_child[parent]
        return low + count_smaller(cython.address(self.child[0]) + low, self.first_child[parent + 1] - low, row)

    @cython.cfunc
    def find_in_lists(self, parent: cython.Py_ssize_t) -> list:
        """The items of lists that are each too short to be one: portals set their links in columns of two."""
        n_lists = n = 0
        for place in range(self.first_child[parent], self.first_child[parent + 1]):
            row = self.child[place]
            if self.is_tag[IS_LIST, self.page.tag[row]]:
                # long enough to be a list by itself, which the search comes to: these are not columns of one list
                if self.first_child[row + 1] - self.first_child[row] >= self.rules.min_units:
                    return []
                n_lists += 1
                for at in range(self.first_child[row], self.first_child[row + 1]):
                    self.rows[n] = self.child[at]
                    n += 1
        return self.repeat(n, self.number_rows(n, False), parent) if n_lists >= 2 else []

    @cython.inline
    def name_row(self, row: cython.Py_ssize_t, by_class: cython.bint) -> cython.Py_ssize_t:
        """The place in `number` of the tag of a row, or of its tag and classes: these are numbered together, 0 tells
        nothing."""
        if by_class and self.classes[row]:
            return self.classes[row]
        return self.n_classes + self.kind[row] - self.least_kind

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
    def find_among(self, n: cython.Py_ssize_t, parent: cython.Py_ssize_t) -> list:
        n_tags = self.number_rows(n, False)
        if n_tags == n:
            return []  # each tag once: nothing repeats, nor would it with classes
        units: list = self.repeat(n, n_tags, parent)
        # a unit of several siblings is more than tags alone give by chance
        if units and self.is_run(units[0]):
            return units
        # by tags each row is a unit: classes may tell that two rows are one entry, a title's and a status line's
        n_names = self.number_rows(n, True)
        # classes tell no more than tags do
        if n_names == n_tags:
            return units
        runs: list = self.repeat(n, n_names, parent)
        return runs if not units or self.are_unlike_rows(runs) else units

    def is_run(self, unit: tuple) -> cython.bint:
        """Whether a unit is several siblings."""
        first: cython.Py_ssize_t = unit[0]
        return self.page.end[first] < unit[1]

    def are_unlike_rows(self, runs: list) -> cython.bint:
        """Whether each run begins with a table row, and the rows below it hold other tags than the first ones do.

        Boards set a topic as two rows of other cells. Rows of equal cells are striped: odd and even ones.
        """
        first: cython.Py_ssize_t
        upper: list = []
        lower: list = []
        for first, end in runs:
            if not self.is_run((first, end)) or (not upper and not self.is_tag[_IS_ROW, self.page.tag[first]]):
                return False
            upper.append(self.name_inside(first, self.page.end[first]))
            lower.append(self.name_inside(self.page.end[first], end))
        if not runs:
            return False
        one, n_upper = Counter(upper).most_common(1)[0]
        other, n_lower = Counter(lower).most_common(1)[0]
        return one != other and min(n_upper, n_lower) >= self.rules.entries * len(runs)

    @cython.cfunc
    def name_inside(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> object:
        """The different tags of rows."""
        return frozenset([self.kind[row] for row in range(first, end)])

    @cython.cfunc
    def repeat(self, n: cython.Py_ssize_t, n_names: cython.Py_ssize_t, parent: cython.Py_ssize_t) -> list:
        """The units among the rows that are looked at, by their numbers."""
        units: list = []
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        if n_names == 1 and n > 1:
            units = [(self.rows[i], self.page.end[self.rows[i]]) for i in range(n)]
        elif n_names > 1:
            spans: list = self.sequence.find(self.keys, n, n_names, self.rules.agreement)
            for first, end in spans if len(spans) > 1 else ():
                units.append((self.rows[first], self.page.end[self.rows[end - 1]]))
        return self.accept(units, parent)

    @cython.cfunc
    def accept(self, units: list, parent: cython.Py_ssize_t) -> list:
        """The units with links, where enough of all look like entries and they hold enough of their parent's text;
        else nothing."""
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        n_entries: cython.Py_ssize_t = 0
        covered: cython.double = 0
        entries: list = []
        for first, end in units:
            n_entries += self.is_entry(first, end)
            if self.add_up(LINKED, first, end) > 0:
                entries.append((first, end))
                covered += self.add_up(CHARS, first, end)
        if n_entries < max(self.rules.min_units, self.rules.entries * len(units)):
            return []
        # the links of a text repeat as well, and hold little of it
        if covered < self.rules.coverage * self.add_up(CHARS, parent, self.page.end[parent]):
            return []
        return [] if self.are_sections(entries) or self.are_cells(entries) or self.are_choices(entries) else entries

    def are_sections(self, units: list) -> cython.bint:
        """Whether units are parts of a page or a text: some have a heading, and most do not. Entries have one each, or
        none. Units of one class are entries of which a few stand out, unless a heading begins one of them."""
        first: cython.Py_ssize_t
        end: cython.Py_ssize_t
        headed: list = []
        for first, end in units:
            if self.add_up(HEADINGS, first, end) > 0:
                headed.append((first, end))
        if not headed or len(headed) >= self.rules.entries * len(units):
            return False
        if not self.asked.share_class([unit[0] for unit in units]):
            return True
        for first, end in headed:
            if self.is_tag[IS_HEADING, self.page.tag[self.find_first_block(first, end)]]:
                return True
        return False

    def find_first_block(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The block element of the first displayed text of some rows."""
        for node in range(self.page.count_texts(first), self.page.count_texts(end)):
            if self.text_chars[node] > 0:
                return self.page.block[self.page.text_owner[node]]
        return first

    def are_cells(self, units: list) -> cython.bint:
        """Whether units are the cells of one row of data, which differ inside; those of a gallery hold the same."""
        row: cython.Py_ssize_t = units[0][0]
        if not self.is_tag[_IS_CELL, self.page.tag[row]]:
            return False
        inside = Counter([self.name_inside(unit[0] + 1, unit[1]) for unit in units])
        return inside.most_common(1)[0][1] < self.rules.cells_alike * len(units)

    def are_choices(self, units: list) -> cython.bint:
        """Whether units are labels of form controls: filters repeat, too, and have links."""
        page: Page = self.page
        row: cython.Py_ssize_t
        n_labels: cython.Py_ssize_t = 0
        for row, _ in units:
            n_labels += self.is_tag[_IS_LABEL, page.tag[row]]
            # `<li><label>`: the label is all that the item holds
            if page.end[row] > row + 1 and page.end[row + 1] == page.end[row]:
                n_labels += self.is_tag[_IS_LABEL, page.tag[row + 1]]
        return n_labels >= self.rules.entries * len(units)

    def is_entry(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether a unit is mostly links, has a heading or a link on a line of its own, or begins with a link."""
        linked = self.add_up(LINKED, first, end)
        if linked <= 0:
            return False
        if self.add_up(HEADINGS, first, end) > 0 or self.add_up(ALONE, first, end) > 0:
            return True
        if linked >= self.rules.link_share * self.add_up(CHARS, first, end):
            return True
        node = self.page.count_texts(first)
        while node < self.page.n_texts and self.page.text_next[node] <= self.page.end[first]:
            if self.length[node]:
                return self.page.link[self.page.text_owner[node]] >= 0
            node += 1
        return False

    @cython.cfunc
    def refine(self, unit: tuple) -> list:
        """The units inside a unit that is a list, else nothing."""
        if self.add_up(LINKS, unit[0], unit[1]) < self.rules.min_units:
            return []  # each entry has a link, so there is no list: most units end here
        found: list = self.find(unit[0], unit[1])
        # the search is within elements, and a run is none
        if not self.is_covered(unit, found) and self.is_run(unit):
            found = self.find_in_run(unit)
        return found if self.is_covered(unit, found) else []

    def is_covered(self, unit: tuple, inner: list) -> cython.bint:
        """Whether inner units are enough, and enough of the text, for the unit to be a list."""
        covered: cython.double = 0
        for first, end in inner:
            covered += self.add_up(CHARS, first, end)
        whole = self.add_up(CHARS, unit[0], unit[1])
        return len(inner) >= self.rules.min_units and covered >= self.rules.nested_coverage * whole

    @cython.cfunc
    def find_in_run(self, unit: tuple) -> list:
        """The entries among the siblings of a run: a heading and its links, say, which no element holds."""
        up = self.page.parent[cython.cast(cython.Py_ssize_t, unit[0])]
        place = self.place_child(up, unit[0])
        n = self.place_child(up, unit[1]) - place
        for i in range(n):
            self.rows[i] = self.child[place + i]
        return [alike for alike in self.list_alike(n) if self.is_entry(alike[0], alike[1])]

    @cython.cfunc
    def list_alike(self, n: cython.Py_ssize_t) -> list:
        """Of the rows that are looked at those of the most frequent tag and class, the first of equals."""
        best: cython.Py_ssize_t = 0
        for i in range(1, self.number_rows(n, True)):
            if self.counts[i] > self.counts[best]:
                best = i
        return [(self.rows[i], self.page.end[self.rows[i]]) for i in range(n) if self.keys[i] == best]

    @cython.cfunc
    def list_links(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> list:
        return [row for row in range(first, end) if self.page.link[row] == row]

    @cython.cfunc
    def list_headlines(self, unit: tuple, among_lists: cython.bint) -> list:
        """The links of a unit that is a line of several headlines, else nothing."""
        first: cython.Py_ssize_t = unit[0]
        end: cython.Py_ssize_t = unit[1]
        row: cython.Py_ssize_t
        whole = self.add_up(CHARS, first, end)
        # beside units that are lists a line of links is one more of them; alone it may be a menu or a breadcrumb
        limit: cython.double = 1 - (self.rules.nested_coverage if among_lists else self.rules.headline_share)
        if self.add_up(LINKS, first, end) < 2 or whole - self.add_up(LINKED, first, end) > limit * whole:
            return []
        if self.add_up(HEADINGS, first, end) > 0:
            return []
        rows: list = self.list_links(first, end)
        for row in rows:
            if self.add_up(CHARS, row, self.page.end[row]) < (1 if among_lists else self.rules.headline_chars):
                return []
        is_line = self.asked.are_headlines(rows, among_lists)
        return [(row, self.page.end[cython.cast(cython.Py_ssize_t, row)]) for row in rows] if is_line else []

    @cython.cfunc
    def refine_all(self, units: list) -> list:
        """The units, those that are lists replaced by their own, lines of headlines by these."""
        made: list
        inner: list = [self.refine(unit) for unit in units]
        n_lists = len([made for made in inner if made])
        # fewer lists are not enough to tell what stands below each post
        if n_lists >= self.rules.min_units:
            inner = self.leave_buttons(units, inner, n_lists)
        named: list = [self.name_parts(made) for made in inner]
        n_units = Counter([names for names in named if names]) if n_lists else {}
        are_lists: cython.bint = 2 * len([names for names in named if names]) > len(units)
        found: list = []
        for unit, made, names in zip(units, inner, named):  # noqa: B905  as many of each
            # the same different parts in most units: title, author and date of an entry, not entries of a list
            if made and len(set(names)) == len(names) and 2 * n_units[names] > len(units) > 1:
                made = []  # noqa: PLW2901
            if not made or (not are_lists and self.is_run(unit)):
                made = self.list_headlines(unit, are_lists)  # noqa: PLW2901
            found.extend(made or [unit])
        return found

    @cython.cfunc
    def leave_buttons(self, units: list, inner: list, n_lists: cython.Py_ssize_t) -> list:
        """The inner units without those whose words stand in most of the units: `reply`, `share` and `report` below
        each post are links that repeat, too."""
        said: list = [[self.hash_words(part[0], part[1]) for part in made] for made in inner]
        n_units = Counter([words for own in said for words in set(own)])
        left: list = []
        for unit, made, own in zip(units, inner, said):  # noqa: B905  as many of each
            rest = [part for part, words in zip(made, own) if 2 * n_units[words] <= n_lists]  # noqa: B905
            left.append(rest if len(made) == len(rest) or self.is_covered(unit, rest) else [])
        return left

    @cython.cfunc
    def hash_words(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> object:
        """A hash of the words of a unit, of 64 bits: w1 * b**(n - 1) + ... + wn, which is made of those of its texts.
        These are hashed once, for a text may be in many units, one inside the other."""
        hashed: cython.ulonglong = 0
        for node in range(self.page.count_texts(first), self.page.count_texts(end)):
            if not self.shift[node]:
                self.shift[node] = 1
                text: str = self.page.texts[node]
                for word in text.split():
                    self.hashed[node] = self.hashed[node] * GOLDEN + cython.cast(cython.ulonglong, hash(word))
                    self.shift[node] *= GOLDEN
            hashed = hashed * self.shift[node] + self.hashed[node]
        return hashed

    @cython.cfunc
    def name_parts(self, units: list) -> tuple:
        return tuple([self.classes[cython.cast(cython.Py_ssize_t, unit[0])] for unit in units])
