"""The search for the repeated units of a page.

From the root down, for each element: the tags of its children are searched for a repetition
(`segments.tag_sequence`), or their tags and classes if that fails. The units must look like entries: mostly links,
starting with a link, or with a heading or a link on a line of its own. If the units are lists themselves, such as the
columns of a portal, their units are taken instead. No selector and no class name is known in advance: classes only
distinguish siblings.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from operator import attrgetter
from typing import Final, TypeVar

import numpy as np

from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.kernels import UNITS
from webclean.model import Rows
from webclean.parse import find_texts
from webclean.parse.limits import check_time
from webclean.parse.tags import HEADING
from webclean.rules.segments_schema import Records
from webclean.segments.tag_sequence import find_repetition
from webclean.segments.units import CELL, IMAGE, KINDS, LABEL, LIST_OF_ITEMS, ROW, Unit, UnitColumns, list_units

_Key = TypeVar("_Key", bound=Hashable)
_SETTINGS: Final = attrgetter(
    *("min_units", "agreement", "entries", "coverage", "nested_coverage"),
    *("headline_share", "headline_chars", "link_share", "cells_alike"),
)
"""What the kernel takes of the rules, in its order."""


class UnitSearch(UnitColumns):
    """Finds the units of one page."""

    @cached_property
    def units(self) -> list[Unit]:
        """The units of the page, in document order."""
        return list_units(self.bounds)

    @cached_property
    def bounds(self) -> Rows:
        """int64 [n_units, 2]: the rows of `units`."""
        return self.find(0, len(self.document))

    def find(self, first: int, end: int) -> Rows:
        """int64 [n_units, 2]: the units among rows `first` to `end` (exclusive), in document order."""
        if not UNITS:
            return np.array(PlainSearch(self).find(first, end), dtype=np.int64).reshape(-1, 2)
        if not self.summed.searched:
            return np.empty((0, 2), dtype=np.int64)
        document = self.document
        search = UNITS.UnitSearch(
            (document.parent, document.end, document.tag, document.link, document.block, self.tags, self.classes),
            (document.text, document.text_owner, document.text_next, self.text_length),
            self.summed,
            KINDS,
            _SETTINGS(self.rules),
            (check_time, self.share_class, self.are_headlines, self.is_story),
        )
        found: Rows = search.find_all(first, end)
        return found


@cached_per_page
def find_units(page: PageColumns, rules: Records) -> UnitSearch:
    """The search for the units of a page."""
    return UnitSearch(page.document, rules, find_names(page))


class PlainSearch:
    """The search step by step: the twin of the kernel."""

    def __init__(self, columns: UnitColumns) -> None:
        self.columns, self.document, self.rules = columns, columns.document, columns.rules
        self.chars, self.link_chars, self.end = columns.chars, columns.link_chars, columns.end
        self.headings, self.links, self.alone = columns.headings, columns.links, columns.alone
        self.tags, self.classes = columns.tags.tolist(), columns.classes.tolist()

    def find(self, first: int, end: int) -> list[Unit]:
        """The units among rows `first` to `end` (exclusive), in document order."""
        found: list[Unit] = []
        taken: list[Unit] = []
        searched = self.columns.summed.searched
        for at in searched[bisect_left(searched, first) : bisect_left(searched, end)]:
            before = bisect_right(taken, (at, len(self.end))) - 1
            if before >= 0 and at < taken[before].end:
                continue
            check_time()
            children = self._list_children(at)
            units = (
                self._find_among(children, at)
                or self._find_in_lists(children, at)
                or self._accept(self._list_alike(children), at)
            )
            units = [*self._find_lead(at, first, taken), *units] if units else units
            for unit in units:
                insort(taken, unit)
            found += self._refine_all(units)
        return sorted(found, key=lambda unit: unit.first)

    def _find_lead(self, at: int, first: int, taken: list[Unit]) -> list[Unit]:
        """The lead story before a list: the part before the list's element, where that is an image and text
        with one link, to an address that was generated."""
        siblings = self._list_children(int(self.document.parent[at])) if self.document.parent[at] >= first else []
        place = bisect_left(siblings, at) - 1
        if place < 0 or siblings[place : place + 2][-1:] != [at]:
            return []
        lead = self._make_unit(siblings[place])
        before = bisect_right(taken, (lead.end, 0)) - 1
        if before >= 0 and taken[before].end > lead.first:
            return []
        is_long = self.chars[lead.end] - self.chars[lead.first] >= self.rules.headline_chars
        has_image = bool(IMAGE[self.document.tag[lead.first : lead.end]].any())
        has_link = self.link_chars[lead.end] > self.link_chars[lead.first]
        return [lead] if is_long and has_image and has_link and self.columns.is_story(self._list_links(lead)) else []

    def _make_unit(self, row: int) -> Unit:
        return Unit(row, self.end[row])

    def _list_children(self, row: int) -> list[int]:
        """The children with text of an element."""
        first = self.columns.summed.first_child
        children: list[int] = self.columns.summed.children[first[row] : first[row + 1]].tolist()
        return children

    def _find_in_lists(self, children: list[int], parent: int) -> list[Unit]:
        """The items of sibling lists that have too few each to be one."""
        lists = [child for child in children if LIST_OF_ITEMS[self.document.tag[child]]]
        if len(lists) < 2 or any(len(self._list_children(row)) >= self.rules.min_units for row in lists):
            return []
        items = [item for row in lists for item in self._list_children(row)]
        return self._repeat(items, [self.tags[item] for item in items], parent)

    def _find_among(self, children: list[int], parent: int) -> list[Unit]:
        """Units among siblings: by tag, or by tag and class where tags give none or classes distinguish rows better."""
        by_tag = [self.tags[child] for child in children]
        n_tags = len(set(by_tag))
        if n_tags == len(by_tag):
            return []
        units = self._repeat(children, by_tag, parent)
        by_class = self._list_names(children)
        if len(set(by_class)) == n_tags or (units and self._is_run(units[0])):
            return units
        runs = self._repeat(children, by_class, parent)
        return runs if not units or self._are_unlike_rows(runs) else units

    def _list_names(self, rows: list[int]) -> list[Hashable]:
        """Tag and classes of rows."""
        return [(self.tags[row], self.classes[row]) for row in rows]

    def _is_run(self, unit: Unit) -> bool:
        """Whether a unit is a run of siblings, such as a heading and its links."""
        return bool(self.end[unit.first] < unit.end)

    def _are_unlike_rows(self, runs: list[Unit]) -> bool:
        """Whether the units are runs of table rows with different tags, such as a title row and a row of details."""
        if not runs or not ROW[self.document.tag[runs[0].first]] or not all(map(self._is_run, runs)):
            return False
        upper, n_upper = _find_most(self._name_inside(run.first, self.end[run.first]) for run in runs)
        lower, n_lower = _find_most(self._name_inside(self.end[run.first], run.end) for run in runs)
        return upper != lower and min(n_upper, n_lower) >= self.rules.entries * len(runs)

    def _name_inside(self, first: int, end: int) -> frozenset[int]:
        """The different tags of rows."""
        return frozenset(self.tags[first:end])

    def _repeat(self, children: list[int], sequence: Sequence[Hashable], parent: int) -> list[Unit]:
        found = find_repetition(sequence, agreement=self.rules.agreement)
        return self._accept(
            [Unit(children[first], self.end[children[last - 1]]) for first, last in found.spans], parent
        )

    def _accept(self, units: list[Unit], parent: int) -> list[Unit]:
        """Of repeated parts of an element those with a link, if they are the entries of a list."""
        n_entries = sum(map(self._is_entry, units))
        if n_entries < max(self.rules.min_units, self.rules.entries * len(units)):
            return []
        # where most units look like entries, so is every one with a link
        entries = [unit for unit in units if self.link_chars[unit.end] > self.link_chars[unit.first]]
        if self._are_sections(entries) or self._are_cells(entries) or self._are_choices(entries):
            return []
        covered = sum(self.chars[unit.end] - self.chars[unit.first] for unit in entries)
        whole = self.chars[self.end[parent]] - self.chars[parent]
        return entries if covered >= self.rules.coverage * whole else []

    def _are_sections(self, units: list[Unit]) -> bool:
        """Whether units are sections of a page or text: some, not most of them, have headings.

        Units of one class whose headings are not at their start are posts, which are no sections.
        """
        headed = [unit for unit in units if self.headings[unit.end] > self.headings[unit.first]]
        if not headed or len(headed) >= self.rules.entries * len(units):
            return False
        return not self.columns.share_class([unit.first for unit in units]) or any(
            HEADING[self.document.tag[self._find_first_block(unit)]] for unit in headed
        )

    def _find_first_block(self, unit: Unit) -> int:
        """Row of the block element that contains the unit's first displayed text."""
        document = self.document
        for node in find_texts(document, unit.first, unit.end):
            if self.columns.text_chars[node]:
                return int(document.block[document.text_owner[node]])
        return unit.first

    def _are_cells(self, units: list[Unit]) -> bool:
        """Whether units are different cells of a row, so parts of one entry. Cells of a grid contain the same tags."""
        if not CELL[self.document.tag[units[0].first]]:
            return False
        _, n_alike = _find_most(self._name_inside(unit.first + 1, unit.end) for unit in units)
        return n_alike < self.rules.cells_alike * len(units)

    def _are_choices(self, units: list[Unit]) -> bool:
        """Whether units are labels of form controls, as the variants of a product and the facets of a search are."""
        rows = [unit.first for unit in units]
        rows += [row + 1 for row in rows if self.end[row] > row + 1 and self.end[row + 1] == self.end[row]]
        return int(LABEL[self.document.tag[rows]].sum()) >= self.rules.entries * len(units)

    def _is_entry(self, unit: Unit) -> bool:
        """Whether a unit has link text and is mostly links, starts with one, or has a heading or a lone link."""
        first, end = unit
        linked = self.link_chars[end] - self.link_chars[first]
        return linked > 0 and (
            linked >= self.rules.link_share * (self.chars[end] - self.chars[first])
            or self.headings[end] > self.headings[first]
            or self.alone[end] > self.alone[first]
            or self._starts_with_link(first)
        )

    def _starts_with_link(self, row: int) -> bool:
        document = self.document
        for node in find_texts(document, row, self.end[row]):
            if self.columns.text_length[node]:
                return bool(document.link[document.text_owner[node]] >= 0)
        return False

    def _refine(self, unit: Unit) -> list[Unit]:
        """The units inside a unit if it is a list itself, else the unit."""
        first, end = unit
        if self.links[end] - self.links[first] < self.rules.min_units:
            return [unit]
        found = self.find(first, end)
        if self._is_covered(unit, found):
            return found
        if self._is_run(unit):
            found = self._find_in_run(unit)
            if self._is_covered(unit, found):
                return found
        return [unit]

    def _is_covered(self, unit: Unit, inner: list[Unit]) -> bool:
        """Whether the units inside a unit are many and have most of its text."""
        covered = sum(self.chars[part.end] - self.chars[part.first] for part in inner)
        whole = self.chars[unit.end] - self.chars[unit.first]
        return len(inner) >= self.rules.min_units and covered >= self.rules.nested_coverage * whole

    def _find_in_run(self, unit: Unit) -> list[Unit]:
        """Of a run of siblings, such as a heading and its links, those of the most frequent tag and class."""
        siblings = self._list_children(int(self.document.parent[unit.first]))
        run = siblings[bisect_left(siblings, unit.first) : bisect_left(siblings, unit.end)]
        return [made for made in self._list_alike(run) if self._is_entry(made)]

    def _list_alike(self, rows: list[int]) -> list[Unit]:
        """Of siblings those of the most frequent tag and class."""
        kinds = self._list_names(rows)
        kind, _ = _find_most(kinds)
        return [self._make_unit(row) for row, own in zip(rows, kinds, strict=True) if own == kind]

    def _list_links(self, unit: Unit) -> list[int]:
        """Rows of the links in a unit."""
        own = np.arange(unit.first, unit.end)
        rows: list[int] = own[self.document.link[unit.first : unit.end] == own].tolist()
        return rows

    def _list_headlines(self, unit: Unit, *, among_lists: bool) -> list[Unit]:
        """The links of a unit that is a line of several headlines, else the unit."""
        first, end = unit
        plain = self.chars[end] - self.chars[first] - (self.link_chars[end] - self.link_chars[first])
        limit = 1 - (self.rules.nested_coverage if among_lists else self.rules.headline_share)
        if self.links[end] - self.links[first] < 2 or plain > limit * (self.chars[end] - self.chars[first]):
            return [unit]
        if self.headings[end] > self.headings[first]:
            return [unit]
        rows = self._list_links(unit)
        shortest = min(self.chars[self.end[row]] - self.chars[row] for row in rows)
        if shortest < (1 if among_lists else self.rules.headline_chars):
            return [unit]
        return list(map(self._make_unit, rows)) if self.columns.are_headlines(rows, among_lists) else [unit]

    def _refine_all(self, units: list[Unit]) -> list[Unit]:
        """Replace units that are lists themselves by their units.

        A unit stays whole if its inner units are the same different parts in most units, such as author, text and
        buttons of a post. Runs of siblings, such as a heading and its links, are only replaced if most are lists.
        """
        inner = self._leave_buttons(units, [self._refine(unit) for unit in units])
        are_lists = 2 * sum(len(made) > 1 for made in inner) > len(units)
        parts = [self._name_parts(made) for made in inner]
        n_units = Counter(parts)
        found: list[Unit] = []
        for unit, made, names in zip(units, inner, parts, strict=True):
            are_parts = len(made) > 1 and len(set(names)) == len(names) and 2 * n_units[names] > len(units) > 1
            whole = [unit] if are_parts or (self._is_run(unit) and not are_lists) else made
            found += self._list_headlines(unit, among_lists=are_lists) if whole == [unit] else whole
        return found

    def _leave_buttons(self, units: list[Unit], inner: list[list[Unit]]) -> list[list[Unit]]:
        """What is inside of each unit without what most of them have by the same words, such as tabs and buttons; the
        unit itself, where too little is left."""
        lists = [made for made in inner if len(made) > 1]
        if len(lists) < self.rules.min_units:
            return inner
        said = [[self._read_words(part) for part in made] if len(made) > 1 else [] for made in inner]
        n_units = Counter(words for own in said for words in set(own))
        left = []
        for unit, made, own in zip(units, inner, said, strict=True):
            rest = [part for part, words in zip(made, own, strict=False) if 2 * n_units[words] <= len(lists)]
            is_list = len(own) == len(rest) or self._is_covered(unit, rest)
            left.append((rest or made) if is_list else [unit])
        return left

    def _read_words(self, unit: Unit) -> str:
        """The text of a unit without its white space."""
        document = self.document
        texts = [document.text[node] for node in find_texts(document, unit.first, unit.end)]
        return " ".join(" ".join(texts).split())

    def _name_parts(self, units: list[Unit]) -> tuple[int, ...]:
        return tuple([self.classes[unit.first] for unit in units])


def _find_most(keys: Iterable[_Key]) -> tuple[_Key, int]:
    """The most frequent key, the first of equals, and how often it occurs."""
    return Counter(keys).most_common(1)[0]
