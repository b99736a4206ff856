"""Repeated units of a page: the elements (or runs of siblings) that stand for one entry of a list each.

From the root down, the tag sequence of an element's children is searched for a repetition (`semantics.tags`). A unit
must look like an entry: a link that stands apart from other text, or a heading with a link. Where the units of a list
are lists themselves (columns of a portal), their own units are taken. No selectors, no names of classes: a class only
tells siblings apart.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.model import Document
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import HEADING, INVISIBLE, tag_mask
from webclean.rules.semantics_schema import Records
from webclean.semantics.tags import find_repetition

_CELL = tag_mask("td th")


@dataclass(frozen=True, slots=True)
class Unit:
    """One entry: its sibling elements, `rows[0]` to the end of `rows[-1]`."""

    rows: tuple[int, ...]


class UnitSearch:
    """One page's search. Holds the columns it asks again and again as lists."""

    def __init__(self, document: Document, rules: Records) -> None:
        self.document = document
        self.rules = rules
        owner = document.text_owner
        chars = np.fromiter(map(len, map(str.strip, document.text)), dtype=np.float64, count=len(document.text))
        if len(owner):
            chars[~document.displayed[owner]] = 0
        total = sum_subtrees(document, owner, chars)
        linked = sum_subtrees(document, owner, np.where(document.link[owner] >= 0, chars, 0)) if len(owner) else total
        headed = sum_subtrees(
            document, np.flatnonzero(HEADING[document.tag]), np.ones(int(HEADING[document.tag].sum()))
        )
        own = document.link == np.arange(len(document))
        self.n_links = sum_subtrees(document, np.flatnonzero(own), np.ones(int(own.sum()))).tolist()
        rows = np.flatnonzero(own)
        alone = rows[(total[rows] > 0) & (total[rows] >= total[document.block[rows]])]
        self.n_alone = sum_subtrees(document, alone, np.ones(len(alone))).tolist()
        self.chars, self.link_chars, self.headings = total.tolist(), linked.tolist(), headed.tolist()
        self.end = document.end.tolist()
        shown = (total > 0) & ~INVISIBLE[document.tag]
        rows = np.flatnonzero(shown)
        self.children: dict[int, list[int]] = {}
        for row, above in zip(rows.tolist(), document.parent[rows].tolist(), strict=True):
            self.children.setdefault(above, []).append(row)

    def find(self, row: int) -> list[Unit]:
        """The units below an element, in document order."""
        found: list[Unit] = []
        todo = [row]
        while todo:
            at = todo.pop()
            if self.n_links[at] < self.rules.min_units:
                continue
            kids = self.children.get(at, [])
            units = self._find_among(kids, at) if len(kids) >= self.rules.min_units else []
            inside = {kid for unit in units for kid in unit.rows}
            for unit in units:
                found += self._refine(unit)
            todo.extend(kid for kid in reversed(kids) if kid not in inside)
        return sorted(found, key=lambda unit: unit.rows[0])

    def _find_among(self, kids: list[int], parent: int) -> list[Unit]:
        """Units among siblings: by tag and class, or else by tag."""
        names = self.document.names
        by_tag: list[Hashable] = [names[kid] for kid in kids]
        if len(set(by_tag)) == len(by_tag):
            return []
        by_class: list[Hashable] = [(names[kid], read_attribute(self.document, kid, "class") or "") for kid in kids]
        units = self._repeat(kids, by_tag, parent)
        return units or (self._repeat(kids, by_class, parent) if len(set(by_class)) > len(set(by_tag)) else [])

    def _repeat(self, kids: list[int], sequence: list[Hashable], parent: int) -> list[Unit]:
        found = find_repetition(sequence, agreement=self.rules.agreement)
        units = [Unit(tuple(kids[first:last])) for first, last in found.spans]
        entries = [unit for unit in units if self._is_entry(unit)]
        headed = sum(any(self.headings[row] for row in unit.rows) for unit in entries)
        if 0 < headed < self.rules.entries * len(entries) or self._are_cells(entries):
            return []
        covered = sum(self.chars[row] for unit in entries for row in unit.rows)
        enough = len(entries) >= self.rules.min_units and len(entries) >= self.rules.entries * len(units)
        return entries if enough and covered >= self.rules.coverage * self.chars[parent] else []

    def _are_cells(self, units: list[Unit]) -> bool:
        """Whether units are the unlike cells of a row: parts of an entry. The cells of a grid hold the same tags."""
        if not units or not _CELL[self.document.tag[units[0].rows[0]]]:
            return False
        inside = [frozenset(self.document.names[unit.rows[0] + 1 : self.end[unit.rows[-1]]]) for unit in units]
        return max(map(inside.count, inside)) < self.rules.cells_alike * len(units)

    def _is_entry(self, unit: Unit) -> bool:
        """Whether a unit has a heading or a link on a line of its own, starts with a link, or is mostly links."""
        chars = sum(self.chars[row] for row in unit.rows)
        linked = sum(self.link_chars[row] for row in unit.rows)
        if not linked:
            return False
        return (
            linked >= self.rules.link_share * chars
            or any(self.headings[row] for row in unit.rows)
            or any(self.n_alone[row] for row in unit.rows)
            or self._starts_with_link(unit.rows[0])
        )

    def _starts_with_link(self, row: int) -> bool:
        document = self.document
        for node in find_texts(document, row, int(self.end[row])):
            if document.text[node].strip():
                return bool(document.link[document.text_owner[node]] >= 0)
        return False

    def _refine(self, unit: Unit) -> list[Unit]:
        """The units inside a unit that is a list itself, else the unit."""
        if len(unit.rows) > 1 or self.n_links[unit.rows[0]] < self.rules.min_units:
            return [unit]
        inner = self.find(unit.rows[0])
        covered = sum(self.chars[row] for part in inner for row in part.rows)
        is_list = (
            len(inner) >= self.rules.min_units and covered >= self.rules.nested_coverage * self.chars[unit.rows[0]]
        )
        return inner if is_list else [unit]
