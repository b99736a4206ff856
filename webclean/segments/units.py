"""Repeated units of a page: the elements (or runs of siblings) that stand for one entry of a list each.

From the root down, the tag sequence of an element's children is searched for a repetition (`segments.tags`). A unit
must look like an entry: a link that stands apart from other text, or a heading with a link. Where the units of a list
are lists themselves (columns of a portal), their own units are taken. No selectors, no names of classes: a class only
tells siblings apart.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Floats
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import HEADING, INVISIBLE, tag_mask
from webclean.rules.segments_schema import Records
from webclean.segments.tags import find_repetition

_CELL = tag_mask("td th")
_ROW = tag_mask("tr")


@dataclass(frozen=True, slots=True)
class Unit:
    """One entry: a run of sibling elements, rows `first` to `end` (exclusive), with all that is inside."""

    first: int
    end: int


class UnitSearch:
    """One page's search.

    text_chars: float64 [n_texts], characters that a reader sees. All other measures are running sums over rows, so that
    one of a run of siblings is a difference of two; lists, because the search asks for single ones. alone: links that
    have a line for themselves.
    """

    def __init__(self, document: Document, rules: Records) -> None:
        self.document = document
        self.rules = rules
        n, owner = len(document), document.text_owner
        chars = np.fromiter(map(len, map(str.strip, document.text)), dtype=np.float64, count=len(document.text))
        chars[~document.displayed[owner]] = 0
        self.text_chars = chars
        running = _add_up(n, owner, chars)
        total = running[document.end] - running[:-1]
        links = np.flatnonzero(document.link == np.arange(n))
        n_links = _add_up(n, links)
        alone = links[(total[links] > 0) & (total[links] >= total[document.block[links]])]
        self.chars = running.tolist()
        self.link_chars = _add_up(n, owner, chars * (document.link[owner] >= 0)).tolist()
        self.headings = _add_up(n, np.flatnonzero(HEADING[document.tag])).tolist()
        self.links = n_links.tolist()
        self.alone = _add_up(n, alone).tolist()
        self.end = document.end.tolist()
        shown = np.flatnonzero((total > 0) & ~INVISIBLE[document.tag] & (document.parent >= 0))
        above = document.parent[shown]
        order = np.argsort(above, kind="stable")
        self._shown, self._above = shown[order].tolist(), above[order].tolist()
        many = (np.bincount(above, minlength=n) >= rules.min_units) & (
            n_links[document.end] - n_links[:-1] >= rules.min_units
        )
        self._parents = np.flatnonzero(many).tolist()

    def find(self, first: int, end: int) -> list[Unit]:
        """The units among rows `first` to `end` (exclusive), in document order."""
        found: list[Unit] = []
        taken: list[tuple[int, int]] = []
        for at in self._parents[bisect_left(self._parents, first) : bisect_left(self._parents, end)]:
            before = bisect_right(taken, (at, len(self.end))) - 1
            if before >= 0 and at < taken[before][1]:
                continue
            children = self._shown[bisect_left(self._above, at) : bisect_right(self._above, at)]
            units = self._find_among(children, at)
            for unit in units:
                insort(taken, (unit.first, unit.end))
            found += self._refine_all(units)
        return sorted(found, key=lambda unit: unit.first)

    def _find_among(self, children: list[int], parent: int) -> list[Unit]:
        """Units among siblings: by tag and class, or else by tag."""
        names = self.document.names
        by_tag: list[Hashable] = [names[child] for child in children]
        n_tags = len(set(by_tag))
        if n_tags == len(by_tag):
            return []
        units = self._repeat(children, by_tag, parent)
        by_class: list[Hashable] = [(names[child], read_attribute(self.document, child, "class")) for child in children]
        if len(set(by_class)) == n_tags or (units and self.end[units[0].first] < units[0].end):
            return units
        runs = self._repeat(children, by_class, parent)
        return runs if not units or self._are_unlike_rows(runs) else units

    def _are_unlike_rows(self, runs: list[Unit]) -> bool:
        """Whether each unit is a run of table rows that are not built alike, such as a title and a line of facts."""
        first = Counter(frozenset(self.document.names[run.first : self.end[run.first]]) for run in runs)
        rest = Counter(frozenset(self.document.names[self.end[run.first] : run.end]) for run in runs)
        if not runs or frozenset() in rest or not _ROW[self.document.tag[runs[0].first]]:
            return False
        (one, n_first), (other, n_rest) = first.most_common(1)[0], rest.most_common(1)[0]
        return one != other and min(n_first, n_rest) >= self.rules.entries * len(runs)

    def _repeat(self, children: list[int], sequence: list[Hashable], parent: int) -> list[Unit]:
        found = find_repetition(sequence, agreement=self.rules.agreement)
        units = [Unit(children[first], self.end[children[last - 1]]) for first, last in found.spans]
        entries = [unit for unit in units if self._is_entry(unit)]
        if len(entries) < max(self.rules.min_units, self.rules.entries * len(units)):
            return []
        if self._are_sections(entries) or self._are_cells(entries):
            return []
        covered = sum(self.chars[unit.end] - self.chars[unit.first] for unit in entries)
        whole = self.chars[self.end[parent]] - self.chars[parent]
        return entries if covered >= self.rules.coverage * whole else []

    def _are_sections(self, units: list[Unit]) -> bool:
        """Whether units are parts of a page or text, some of which have headings. Those of posts stand inside them."""
        headed = [unit for unit in units if self.headings[unit.end] > self.headings[unit.first]]
        if not headed or len(headed) >= self.rules.entries * len(units):
            return False
        return not self._share_class(units) or any(
            HEADING[self.document.tag[self._find_first_block(unit)]] for unit in headed
        )

    def _share_class(self, units: list[Unit]) -> bool:
        """Whether the first class of nearly all units is one and the same."""
        classes = Counter((read_attribute(self.document, unit.first, "class") or "").split(" ")[0] for unit in units)
        name, n_units = classes.most_common(1)[0]
        return bool(name) and n_units >= self.rules.cells_alike * len(units)

    def _find_first_block(self, unit: Unit) -> int:
        """The block element of the unit's first text."""
        document = self.document
        for node in find_texts(document, unit.first, unit.end):
            if document.text[node].strip() and document.displayed[document.text_owner[node]]:
                return int(document.block[document.text_owner[node]])
        return unit.first

    def _are_cells(self, units: list[Unit]) -> bool:
        """Whether units are the unlike cells of a row: parts of an entry. The cells of a grid hold the same tags."""
        if not _CELL[self.document.tag[units[0].first]]:
            return False
        inside = [frozenset(self.document.names[unit.first + 1 : unit.end]) for unit in units]
        return max(map(inside.count, inside)) < self.rules.cells_alike * len(units)

    def _is_entry(self, unit: Unit) -> bool:
        """Whether a unit has a heading or a link on a line of its own, starts with a link, or is mostly links."""
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
        """The units inside a unit that is a list itself, else the unit."""
        first, end = unit.first, unit.end
        if self.links[end] - self.links[first] < self.rules.min_units:
            return [unit]
        inner = self.find(first, end)
        covered = sum(self.chars[part.end] - self.chars[part.first] for part in inner)
        whole = self.chars[end] - self.chars[first]
        is_list = len(inner) >= self.rules.min_units and covered >= self.rules.nested_coverage * whole
        return inner if is_list else [unit]

    def _refine_all(self, units: list[Unit]) -> list[Unit]:
        """The units inside those of a list.

        What has the same unlike parts in each (writer, text, buttons) is whole. Runs of siblings (a heading and its
        links) are lists only where most of them are.
        """
        inner = [self._refine(unit) for unit in units]
        are_lists = 2 * sum(len(made) > 1 for made in inner) > len(units)
        parts = [self._name_parts(made) for made in inner]
        n_units = Counter(parts)
        found: list[Unit] = []
        for unit, made, names in zip(units, inner, parts, strict=True):
            are_parts = len(made) > 1 and len(set(names)) == len(names) and 2 * n_units[names] > len(units) > 1
            is_run = self.end[unit.first] < unit.end
            found += [unit] if are_parts or (is_run and not are_lists) else made
        return found

    def _name_parts(self, units: list[Unit]) -> tuple[Hashable, ...]:
        return tuple(read_attribute(self.document, unit.first, "class") for unit in units)


def _add_up(n_rows: int, rows: NDArray[np.signedinteger], values: Floats | None = None) -> Floats:
    """float64 [n_rows + 1]: sum of the values (or the count) placed at the rows before each."""
    placed = np.bincount(rows, values, minlength=n_rows)
    return np.concatenate(([0.0], np.cumsum(placed)))
