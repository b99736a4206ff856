"""Stories that stand alone -> entries: a linked headline with its teaser, where too little repeats to be a list.

The lead story above a list, two teasers side by side and a headline above related links are entries as those of lists
are. A headline is a heading that is a link, or in one. Its entry is the largest element around it that holds no other
headline, no entry and no heading of its rank or a higher one; where siblings are flat, all from the headline to the
next of these:

    <div> <h2><a>..</a></h2> <p>..</p> <ul> <li>..</li> <li>..</li> <li>..</li> </ul> </div>    h2, p is the entry
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import numpy as np

from webclean.caching import cached_property
from webclean.matching.expressions import compile_pattern
from webclean.model import Mask, Record, Role
from webclean.parse import read_attribute
from webclean.parse.tags import HEADING
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.units import Unit, list_inside
from webclean.segments.urls import generalise_url, is_generated, is_page_url, links_to_person

Records = list[tuple[Unit, Record]]
"""Entries of a block with what was read of each."""


class StorySearch:
    """Finds the stories of one page beside its lists.

    targets: rows of the displayed headings in blocks that lead to a page which is nobody's own -> where. read: for each
    block, the entries of its lists that are records, without those that are several stories. headings: rows of the
    displayed headings in blocks that are in none of these, rising. Blocks are those of roles that may have stories.
    """

    def __init__(
        self, columns: SegmentColumns, roles: Sequence[Role], chars: Sequence[float], read: Sequence[Records]
    ) -> None:
        """roles, read: of each block, its role and what was read of its lists. chars: of `UnitSearch`."""
        self.columns, self.document, self._roles, self._chars = columns, columns.page.document, roles, chars
        self.owner = columns.segments.owner
        # the last one is that of rows in no block, whose owner is -1
        may_have = np.array([str(role) in columns.rules.records.story_roles for role in roles] + [False])
        rows = np.flatnonzero(HEADING[self.document.tag] & self.document.displayed & may_have[self.owner])
        self.targets = self._read_targets(rows.tolist())
        # what stands beside headlines, such as `News`, leads to its section each time
        counts, most = Counter(self.targets.values()), columns.rules.records.icon_units
        rubrics = [row for row, url in self.targets.items() if counts[url] >= most and not is_generated(url)]
        for row in rubrics:
            del self.targets[row]
        # a rubric parts no stories either
        rows = np.setdiff1d(rows, rubrics)
        self._linked = list(self.targets)
        # no story begins and no entry is mixed without a headline that leads on, which half of all pages lack
        self.read = [self._leave_mixed(found) for found in read] if self.targets else [*read]
        self._entries = sorted(unit.first for found in self.read for unit, _ in found)
        self.headings: list[int] = rows[~self._cover()[rows]].tolist() if self.targets else []

    def _cover(self) -> Mask:
        """bool [n_elements]: in an entry that is a record of the block around it: of one over several blocks, readers
        see the part with its record."""
        covered = np.zeros(len(self.document), dtype=bool)
        for number, found in enumerate(self.read):
            for unit, _ in found:
                covered[unit.first : unit.end] |= self.owner[unit.first : unit.end] == number
        return covered

    @cached_property
    def _families(self) -> set[str]:
        """The families of the addresses of all entries."""
        return {generalise_url(record.url or "") for found in self.read for _, record in found} - {""}

    def find(self) -> list[list[Unit]]:
        """The stories of each block; of one without records only where they are most of its text: else they are the
        headlines of a text."""
        rules, found = self.columns.rules.records, [list[Unit]() for _ in self.read]
        for row in filter(self.targets.__contains__, self.headings):
            number = int(self.owner[row])
            unit = self._grow(row, number)
            # longer: the headline of the text itself, which links to its own address
            if self._count(unit) <= rules.teaser_chars:
                found[number].append(unit)
        least = rules.coverage * self.columns.n_chars
        return [
            units if read or sum(map(self._count, units)) >= fewest else []
            for units, read, fewest in zip(found, self.read, least.tolist(), strict=True)
        ]

    def leave_titles(self, stories: Records) -> Records:
        """What was read of stories, without links to a next page and titles of lists, which lead on, too: entries
        follow them, they say nothing else, and their address is not made as those of entries are."""
        leading = compile_pattern(self.columns.rules.titles.leading).search
        kept = [found for found in stories if not leading(found[1].title)]
        return [(unit, record) for unit, record in kept if _says_more(record) or not self._is_title(unit, record)]

    def _is_title(self, unit: Unit, record: Record) -> bool:
        url = record.url or ""
        # `/politics/` is a section, `/politics/the-new-budget` an entry like those below it
        if not is_generated(url) or generalise_url(url) in self._families:
            return not is_generated(url)
        around = max(int(self.document.parent[unit.first]), 0)
        stop = [int(self.document.end[around]), *self.headings[bisect_left(self.headings, unit.end) :][:1]]
        return len(list_inside(self._entries, unit.end, min(stop))) > 0

    def _read_targets(self, rows: Sequence[int]) -> dict[int, str]:
        """`targets` of these headings."""
        document, people, found = self.document, self.columns.rules.people, dict[int, str]()
        authors = self.columns.author_rows
        for row in rows:
            end = int(document.end[row])
            links = document.link[row:end]
            links = links[links >= 0]  # of a heading in a link this one comes first
            if not len(links) or 2 * self._count(Unit(int(links[0]), int(document.end[links[0]]))) < self._count(
                Unit(row, end)
            ):
                continue  # a link beside what the heading says
            target = (read_attribute(document, int(links[0]), "href") or "").strip()
            if is_page_url(target) and not links_to_person(target, people) and row not in authors:
                found[row] = target
        return found

    def _leave_mixed(self, read: Records) -> Records:
        """The entries of a block without those of two headlines of one rank to two pages, unless most are so: of goods,
        say, that lead to their maker, too."""
        mixed = [self._is_mixed(unit) for unit, _ in read]
        if 2 * sum(mixed) > len(read) >= self.columns.rules.records.min_units:
            return read
        return [found for found, is_mixed in zip(read, mixed, strict=True) if not is_mixed]

    def _is_mixed(self, unit: Unit) -> bool:
        """Whether two headlines of one rank, or of one family of addresses, lead to different pages. A comment with
        answers inside it is longer than its headlines make teasers."""
        first: dict[str, str] = {}
        headlines = list_inside(self._linked, *unit)
        # no teasers but a text that holds headings
        if self._count(unit) > len(headlines) * self.columns.rules.records.teaser_chars:
            return False
        for row in headlines:
            url = self.targets[row]
            if any(first.setdefault(key, url) != url for key in (self.document.names[row], generalise_url(url)) if key):
                return True
        return False

    def _count(self, unit: Unit) -> float:
        """Characters of a unit."""
        return self._chars[unit.end] - self._chars[unit.first]

    def _grow(self, row: int, number: int) -> Unit:
        """The entry of a headline in a block."""
        document, roots = self.document, self.columns.segments.roots[number]
        top = row
        # not beyond the block: its neighbours may be of another role
        while top not in roots and self._is_own(row, above := int(document.parent[top])):
            top = above
        end = int(document.end[top])
        stop = int(document.end[max(document.parent[top], 0)])
        # a heading may be a block of its own: its teaser is in the next, unless that is an advertisement, say
        while end < stop and self._has_role(end, self._roles[number]) and self._is_own(row, end):
            end = int(document.end[end])
        return Unit(top, end)

    def _has_role(self, row: int, role: Role) -> bool:
        number = int(self.owner[row])
        return number < 0 or self._roles[number] is role

    def _is_own(self, row: int, other: int) -> bool:
        """Whether an element holds no entry, no other headline than that in `row`, and no heading of its rank or a
        higher one."""
        rank, end = self.document.tag[row], int(self.document.end[other])
        if list_inside(self._entries, other, end):
            return False
        inside = list_inside(self.headings, other, end)
        return all(at == row or (self.document.tag[at] > rank and at not in self.targets) for at in inside)


def _says_more(record: Record) -> bool:
    return bool(record.summary or record.date or record.image)
