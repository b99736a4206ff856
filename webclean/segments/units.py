"""Repeated units of a page: elements, or runs of siblings, each of which is one entry of a list.

    <ul> <li>..</li> <li>..</li> </ul>                          each li is a unit
    <dl> <dt>..</dt><dd>..</dd> <dt>..</dt><dd>..</dd> </dl>    each run dt, dd is a unit

From the root down, for each element: the tags of its children are searched for a repetition
(`segments.tag_sequence`), or their tags and classes if that fails. The units must look like entries: mostly links,
starting with a link, or with a heading or a link on a line of its own. If the units are lists themselves, such as the
columns of a portal, their units are taken instead. No selector and no class name is known in advance: classes only
distinguish siblings.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.text_blocks import measure_stripped
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.names import NameTable, find_names
from webclean.model import Document, Floats
from webclean.parse import find_texts, read_attribute
from webclean.parse.columns import number_names
from webclean.parse.limits import check_time
from webclean.parse.tags import HEADING, INVISIBLE, tag_mask
from webclean.rules.segments_schema import Records
from webclean.segments.tag_sequence import find_repetition
from webclean.segments.url_structure import generalise_url, is_page_url

_Number = TypeVar("_Number", np.int64, np.float64)
_CELL = tag_mask("td th")
_ROW = tag_mask("tr")
_LIST = tag_mask("ul ol")
_IMAGE = tag_mask("img picture")
_LABEL = tag_mask("label")


@dataclass(frozen=True, slots=True)
class Unit:
    """One entry: consecutive siblings with their subtrees, rows `first` to `end` (exclusive)."""

    first: int
    end: int


class UnitSearch:
    """Finds the units of one page.

    text_chars: float64 [n_texts], displayed characters. chars, link_chars, headings, links, alone: prefix sums over
    rows, so that the value of a unit is `sums[end] - sums[first]`; views, because a few single entries are read.
    alone counts links that are all of their line: of the text of a block element outside the blocks inside it. end:
    `Document.end`. class_of: for each element with text, the number of its tag and classes in `class_names`.
    """

    def __init__(self, document: Document, rules: Records, names: NameTable | None = None) -> None:
        """names: of the page's elements, where they are known."""
        self.document, self.rules = document, rules
        n, owner = len(document), document.text_owner
        chars = measure_stripped(document.text).astype(np.float64)
        chars[~document.displayed[owner]] = 0
        self.text_chars = chars
        running = _add_up(n, owner, chars)
        total = running[document.end] - running[:-1]
        links = np.flatnonzero(document.link == np.arange(n))
        n_links = _add_up(n, links)
        line = np.bincount(document.block[owner], chars, minlength=n)
        alone = links[(total[links] > 0) & (total[links] >= line[document.block[links]])]
        self.chars = _view(running)
        linked = _add_up(n, owner, chars * (document.link[owner] >= 0))
        self.link_chars = _view(linked)
        self.headings = _view(_add_up(n, np.flatnonzero(HEADING[document.tag])))
        self.links = _view(n_links)
        self.alone = _view(_add_up(n, alone))
        self.end = _view(document.end)
        shown = np.flatnonzero((total > 0) & ~INVISIBLE[document.tag] & (document.parent >= 0))
        if names is None:
            is_shown = np.zeros(n, dtype=bool)
            is_shown[shown] = True
            numbers, _, classes, _ = number_names(document, is_shown, ("class",))
            self.class_names, self.class_of = ["", *numbers], _view(classes)
        else:
            self.class_names, self.class_of = names.list_classes(), _view(names.classes)
        above = document.parent[shown]
        order = np.argsort(above, kind="stable")
        self._shown, self._above = shown[order].tolist(), above[order].tolist()
        # each entry has a child with link text, and there are at least `min_units` entries
        has_link = linked[document.end[shown]] > linked[shown]
        of_parts = above[has_link]
        in_lists = document.parent[of_parts[_LIST[document.tag[of_parts]]]]
        many = np.bincount(of_parts, minlength=n) >= rules.min_units
        many |= np.bincount(in_lists[in_lists >= 0], minlength=n) >= rules.min_units
        many &= n_links[document.end] - n_links[:-1] >= rules.min_units
        self._parents = np.flatnonzero(many).tolist()

    @cached_property
    def units(self) -> list[Unit]:
        """The units of the page, in document order."""
        return self.find(0, len(self.document))

    def find(self, first: int, end: int) -> list[Unit]:
        """The units among rows `first` to `end` (exclusive), in document order."""
        found: list[Unit] = []
        taken: list[tuple[int, int]] = []
        for at in self._parents[bisect_left(self._parents, first) : bisect_left(self._parents, end)]:
            check_time()
            before = bisect_right(taken, (at, len(self.end))) - 1
            if before >= 0 and at < taken[before][1]:
                continue
            children = self._list_children(at)
            units = (
                self._find_among(children, at)
                or self._find_in_lists(children, at)
                or self._accept(self._list_alike(children), at)
            )
            units = [*self._find_lead(at, first, taken), *units] if units else units
            for unit in units:
                insort(taken, (unit.first, unit.end))
            found += self._refine_all(units)
        return sorted(found, key=lambda unit: unit.first)

    def _find_lead(self, at: int, first: int, taken: list[tuple[int, int]]) -> list[Unit]:
        """The lead story before a list: the part before the list's element, where that is an image and text
        with one link, to an address that was generated; a title of the list leads to a section."""
        siblings = self._list_children(int(self.document.parent[at])) if self.document.parent[at] >= first else []
        place = bisect_left(siblings, at) - 1
        if place < 0 or siblings[place : place + 2][-1:] != [at]:
            return []
        lead = Unit(siblings[place], self.end[siblings[place]])
        before = bisect_right(taken, (lead.end, 0)) - 1
        if before >= 0 and taken[before][1] > lead.first:
            return []
        rows = self._list_links(lead)
        has_image = bool(_IMAGE[self.document.tag[lead.first : lead.end]].any())
        if not rows or not (has_image and self.link_chars[lead.end] > self.link_chars[lead.first]):
            return []
        targets = {(read_attribute(self.document, row, "href") or "").strip() for row in rows}
        is_story = len(targets) == 1 and all(map(is_page_url, targets)) and all(map(generalise_url, targets))
        return [lead] if is_story and self.chars[lead.end] - self.chars[lead.first] >= self.rules.headline_chars else []

    def _list_children(self, row: int) -> list[int]:
        """The children with text of an element."""
        children: list[int] = self._shown[bisect_left(self._above, row) : bisect_right(self._above, row)]
        return children

    def _find_in_lists(self, children: list[int], parent: int) -> list[Unit]:
        """The items of sibling lists that have too few each to be one."""
        lists = [child for child in children if _LIST[self.document.tag[child]]]
        if len(lists) < 2 or any(len(self._list_children(row)) >= self.rules.min_units for row in lists):
            return []
        items = [item for row in lists for item in self._list_children(row)]
        return self._repeat(items, [self.document.names[item] for item in items], parent)

    def _find_among(self, children: list[int], parent: int) -> list[Unit]:
        """Units among siblings: by tag, or by tag and class where tags give none or classes distinguish rows better."""
        names = self.document.names
        by_tag: list[Hashable] = [names[child] for child in children]
        n_tags = len(set(by_tag))
        if n_tags == len(by_tag):
            return []
        units = self._repeat(children, by_tag, parent)
        by_class: list[Hashable] = [(names[child], self.class_of[child]) for child in children]
        if len(set(by_class)) == n_tags or (units and self.end[units[0].first] < units[0].end):
            return units
        runs = self._repeat(children, by_class, parent)
        return runs if not units or self._are_unlike_rows(runs) else units

    def _are_unlike_rows(self, runs: list[Unit]) -> bool:
        """Whether the units are runs of table rows with different tags, such as a title row and a row of details."""
        first = Counter(frozenset(self.document.names[run.first : self.end[run.first]]) for run in runs)
        rest = Counter(frozenset(self.document.names[self.end[run.first] : run.end]) for run in runs)
        if not runs or frozenset() in rest or not _ROW[self.document.tag[runs[0].first]]:
            return False
        (one, n_first), (other, n_rest) = first.most_common(1)[0], rest.most_common(1)[0]
        return one != other and min(n_first, n_rest) >= self.rules.entries * len(runs)

    def _repeat(self, children: list[int], sequence: list[Hashable], parent: int) -> list[Unit]:
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
        return not self._share_class(units) or any(
            HEADING[self.document.tag[self._find_first_block(unit)]] for unit in headed
        )

    def _share_class(self, units: list[Unit]) -> bool:
        """Whether nearly all units have the same first class."""
        names = (self.class_names[self.class_of[unit.first]] for unit in units)
        classes = Counter(name.partition(" ")[2].partition(" ")[0] for name in names)
        name, n_units = classes.most_common(1)[0]
        return bool(name) and n_units >= self.rules.cells_alike * len(units)

    def _find_first_block(self, unit: Unit) -> int:
        """Row of the block element that contains the unit's first displayed text."""
        document = self.document
        for node in find_texts(document, unit.first, unit.end):
            if document.text[node].strip() and document.displayed[document.text_owner[node]]:
                return int(document.block[document.text_owner[node]])
        return unit.first

    def _are_cells(self, units: list[Unit]) -> bool:
        """Whether units are different cells of a row, so parts of one entry. Cells of a grid contain the same tags."""
        if not _CELL[self.document.tag[units[0].first]]:
            return False
        inside = [frozenset(self.document.names[unit.first + 1 : unit.end]) for unit in units]
        return Counter(inside).most_common(1)[0][1] < self.rules.cells_alike * len(units)

    def _are_choices(self, units: list[Unit]) -> bool:
        """Whether units are labels of form controls, as the variants of a product and the facets of a search are."""
        rows = [unit.first for unit in units]
        rows += [row + 1 for row in rows if self.end[row] > row + 1 and self.end[row + 1] == self.end[row]]
        return int(_LABEL[self.document.tag[rows]].sum()) >= self.rules.entries * len(units)

    def _is_entry(self, unit: Unit) -> bool:
        """Whether a unit has link text and is mostly links, starts with one, or has a heading or a lone link."""
        first, end = unit.first, unit.end
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
            if document.text[node].strip():
                return bool(document.link[document.text_owner[node]] >= 0)
        return False

    def _refine(self, unit: Unit) -> list[Unit]:
        """The units inside a unit if it is a list itself, else the unit."""
        first, end = unit.first, unit.end
        if self.links[end] - self.links[first] < self.rules.min_units:
            return [unit]
        found = self.find(first, end)
        if self._is_covered(unit, found):
            return found
        if self.end[first] < end:
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
        kinds = [(self.document.names[row], self.class_of[row]) for row in rows]
        kind = Counter(kinds).most_common(1)[0][0]
        return [Unit(row, self.end[row]) for row, own in zip(rows, kinds, strict=True) if own == kind]

    def _list_links(self, unit: Unit) -> list[int]:
        """Rows of the links in a unit."""
        own = np.arange(unit.first, unit.end)
        rows: list[int] = own[self.document.link[unit.first : unit.end] == own].tolist()
        return rows

    def _list_headlines(self, unit: Unit, *, among_lists: bool) -> list[Unit]:
        """The links of a unit that is a line of several headlines: of generated URLs of one family or, where most other
        units are lists, of one folder. Else the unit."""
        first, end = unit.first, unit.end
        plain = self.chars[end] - self.chars[first] - (self.link_chars[end] - self.link_chars[first])
        limit = 1 - (self.rules.nested_coverage if among_lists else self.rules.headline_share)
        if self.links[end] - self.links[first] < 2 or plain > limit * (self.chars[end] - self.chars[first]):
            return [unit]
        if self.headings[end] > self.headings[first]:
            return [unit]
        rows = self._list_links(unit)
        targets = [(read_attribute(self.document, row, "href") or "").strip() for row in rows]
        families = {target.rpartition("/")[0] if among_lists else generalise_url(target) for target in targets}
        is_one = len(families) == 1 and "" not in families and len(set(targets)) == len(targets)
        shortest = min(self.chars[self.end[row]] - self.chars[row] for row in rows)
        if (
            not is_one
            or not all(map(is_page_url, targets))
            or shortest < (1 if among_lists else self.rules.headline_chars)
        ):
            return [unit]
        return [Unit(row, self.end[row]) for row in rows]

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
            is_run = self.end[unit.first] < unit.end
            whole = [unit] if are_parts or (is_run and not are_lists) else made
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

    def _name_parts(self, units: list[Unit]) -> tuple[Hashable, ...]:
        return tuple([self.class_of[unit.first] for unit in units])


@cached_per_page
def find_units(page: PageColumns, rules: Records) -> UnitSearch:
    """The search for the units of a page."""
    return UnitSearch(page.document, rules, find_names(page))


def _add_up(n_rows: int, rows: NDArray[np.signedinteger], values: Floats | None = None) -> Floats:
    """float64 [n_rows + 1]: prefix sums of `values` (1 without them) placed at `rows`."""
    placed = np.bincount(rows, values, minlength=n_rows)
    return np.concatenate(([0.0], np.cumsum(placed)))


def _view(column: NDArray[_Number]) -> Sequence[Any]:
    """The same numbers, of which single ones are read faster than from an array, without making all of them."""
    return np.ascontiguousarray(column).data
