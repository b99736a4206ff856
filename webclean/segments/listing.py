"""The units of a semantic block -> whether it is an index (patent A7), and what the list says of each entry.

An index is a list of entries of other pages. A unit leads on if its title is a link to another page: a link in a
heading or on a line of its own that is not an author's name. This is computed from prefix sums and link columns,
without assembling any text.

What is known of an entry by the others: that they are a menu, and, where they are rows of a table, what the header of
each column says:

    <tr> <th colspan="2">Topic</th> <td>Replies/Views</td> </tr>          often in a table of its own, before the list
    <tr> <td>*</td> <td><a>..</a></td> <td><a>22</a> <em>1171</em></td> </tr>

The header is the nearest row before the entries that spans as many columns. It may name several numbers of a cell.

Stories that stand alone are entries, too: a linked headline with its teaser, where too little repeats to be a list. The
lead story above a list, two teasers side by side and a headline above related links are such. A headline is a heading
that is a link, or in one. Its entry is the largest element around it that holds no other headline, no entry and no
heading of its rank or a higher one; where siblings are flat, all from the headline to the next of these:

    <div> <h2><a>..</a></h2> <p>..</p> <ul> <li>..</li> <li>..</li> <li>..</li> </ul> </div>    h2, p is the entry
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.features.block_features import find_links
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Record, Role, Rows
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import CELL, CODE, HEADING
from webclean.parse.url import find_address, split_url
from webclean.rules.segments_schema import Records
from webclean.segments.segment_columns import SegmentColumns, measure_segments
from webclean.segments.units import EntryColumns, Unit, UnitSearch, list_around, list_inside
from webclean.segments.urls import is_generated, is_page_url, links_to_person

_MOST_OF_UNIT: Final = 0.9  # of its characters: less may be one half of an entry
MOSTLY: Final = 0.8  # of the characters of a menu are in links
_MOST_DIGITS: Final = 6  # of a page number; a longer link is read as words without looking


@dataclass(frozen=True, eq=False)
class Listing:
    """The repeated units of one semantic block. bounds: int64 [n_units, 2], their rows. n_chars: of all of them."""

    bounds: Rows
    n_chars: float

    def __len__(self) -> int:
        return len(self.bounds)

    @cached_property
    def units(self) -> list[Unit]:
        return list(map(Unit._make, self.bounds.tolist()))


ReadUnits = list[tuple[Unit, Record]]
"""Entries of a block with what was read of each."""


class LinkLines:
    """The links of a page with text, of which there are n, in document order.

    rows: int64 [n], the element. chars: float64 [n], its characters. is_lone: bool [n], whether it is at least half of
    its line. is_headed: bool [n], whether it is in a heading, or around one.
    """

    def __init__(self, search: UnitSearch, people: frozenset[str]) -> None:
        document, headings = search.document, search.summed.sums[2]
        self.search, self.people = search, people
        link, block, n = document.link, document.block, len(document)
        owner, chars = document.text_owner[linked := link[document.text_owner] >= 0], search.text_chars[linked]
        is_here = block[owner] == block[link[owner]]
        of_line = np.bincount(block[document.text_owner], search.text_chars, minlength=n)
        of_link = np.bincount(link[owner], chars, minlength=n)
        of_both = np.bincount(link[owner[is_here]], chars[is_here], minlength=n)
        self.rows = rows = (of_link > 0).nonzero()[0]
        self.chars = of_link[rows]
        # a link that contains block elements is all of their lines
        self.is_lone = ((of_link > of_both) | (2 * of_both >= of_line[block]))[rows]
        self.is_headed = HEADING[document.tag[block[rows]]] | (headings[document.end[rows]] > headings[rows])

    def list_leading(self, bounds: Rows, author_rows: Set[int]) -> Iterator[int]:
        """The units whose title is a link to another page, by their places in `bounds`, each read when it is asked for.

        bounds: int64 [n_units, 2], rows of units, rising. author_rows: elements that name an author.
        """
        sums, (first, end), last = self.search.summed.sums[0:3:2], bounds.T, -1
        n_chars, n_headings = sums[:, end] - sums[:, first]
        unit = first.searchsorted(self.rows, side="right") - 1
        places = ((unit >= 0) & (self.rows < end[unit])).nonzero()[0] if len(bounds) else unit[:0]
        # an entry with a heading is called so: its other links lead to its author, its comments, its section
        is_long = self.is_lone[places] | (2 * self.chars[places] >= n_chars[unit[places]])
        is_title = np.where(n_headings[unit[places]] > 0, self.is_headed[places], is_long)
        for at in places[is_title].tolist():
            number = unit.item(at)
            if number != last and self._leads_on(at, Unit(*bounds[number].tolist()), author_rows):
                last = number
                yield number

    def _leads_on(self, number: int, unit: Unit, author_rows: Set[int]) -> bool:
        """Whether a link of a unit leads to a page that is nobody's own, and says more than a number, as of a page."""
        document, row = self.search.document, self.rows.item(number)
        target = (read_attribute(document, row, "href") or "").strip()
        if not is_page_url(target) or links_to_person(target, self.people):
            return False
        if not author_rows.isdisjoint(list_around(document, row, unit)):
            return False
        nodes = find_texts(document, row, self.search.end[row]) if self.chars[number] <= _MOST_DIGITS else ()
        return not nodes or not "".join(document.text[node] for node in nodes).strip().isdecimal()


def share_units(document: Document, owner: Rows, search: UnitSearch, n: int) -> list[Listing]:
    """For each of n semantic blocks the page's units that are its: those whose text begins in it, or is nearly all
    there, as below the line of a post that says when. owner: as in `Segmentation`."""
    bounds, sums = search.bounds, search.summed.sums[0]
    if not len(bounds):
        return [Listing(bounds, 0.0)] * n
    block = core.place_units(document.page, bounds, search.text_chars, owner, _MOST_OF_UNIT)
    order = block.argsort(kind="stable")[(block < 0).sum() :]
    bounds, block = bounds[order], block[order]
    n_chars = np.bincount(block, sums[bounds[:, 1]] - sums[bounds[:, 0]], minlength=n).tolist()
    places = block.searchsorted(np.arange(n + 1)).tolist()
    return [Listing(bounds[first:end], chars) for (first, end), chars in zip(pairwise(places), n_chars, strict=True)]


def reads_as_index(listing: Listing, n_chars: float, link_density: float, rules: Records) -> bool:
    """Whether a block consists of links or short teasers. n_chars, link_density: of the block."""
    n = len(listing)
    if n < rules.index_units:
        return False
    # links alone are an index however few or short its entries are
    if link_density >= rules.index_link_density:
        return True
    # texts between links are a list only where teasers are most of the block, and short
    is_list = n >= rules.teaser_units and listing.n_chars >= rules.teaser_coverage * n_chars
    return is_list and listing.n_chars <= rules.teaser_chars * n


_STATING: Final = ("class", "role", "aria-selected", "aria-current")


_LOGO_BYTES: Final = 12
"""UTF-8 bytes of the mean name in a row of logos."""


def find_pictures(columns: EntryColumns, search: UnitSearch) -> list[Unit]:
    """The entries that are a linked picture and nothing else, so that its alternative text alone names them: three and
    more of one parent that lead to different pages. Each is the largest element around its link that holds no other.

        <div> <p><a href=/film/1><img alt="The ferry is back"></a></p> <p>..</p> <p>..</p> </div>
    """
    document, chars, rules = columns.document, search.chars, columns.rules
    rows = [row for row in columns.list_links(Unit(0, len(document))) if chars[search.end[row]] == chars[row]]
    rows = [row for row in rows if is_page_url(columns.read_target(row)) and columns.find_alt(row)]
    beside: dict[int, dict[int, int]] = {}
    for row in rows if len(rows) >= rules.records.min_units else ():
        first, above = row, document.parent.item(row)
        # up, as long as neither a text nor another picture is around it
        while above > 0 and chars[end := search.end[above]] == chars[above] and len(list_inside(rows, above, end)) < 2:
            first, above = above, document.parent.item(above)
        beside.setdefault(above, {})[first] = row
    found: list[Unit] = []
    for units in beside.values():
        names = {columns.find_alt(row).casefold(): columns.resolve(row) for row in units.values()}
        hosts = {split_url(url).netloc for url in names.values()} - {"", split_url(find_address(document)).netloc}
        size = sum(len(name.encode()) for name in names) / len(names)
        # `Facebook`, `Visa`: names of others are logos, headlines are longer
        if size > (rules.titles.name_bytes if hosts else _LOGO_BYTES):
            is_list = min(len(names), len(set(names.values()))) >= rules.records.min_units
            found += [Unit(first, search.end[first]) for first in units] if is_list else []
    return found


def find_tabs(columns: EntryColumns, units: Iterable[Unit]) -> set[Unit]:
    """The units that are tabs, months or filters beside each other: links as short as a name, of which one is selected,
    or whose element is named for tabs."""
    document, tabs = columns.document, columns.rules.records.tabs
    beside: dict[int, list[Unit]] = {}
    for unit in units:
        beside.setdefault(document.parent.item(unit.first), []).append(unit)

    def says(kind: Literal["names", "states"], rows: Iterable[int]) -> bool:
        expression = compile_pattern(tabs[kind])
        values = (read_attribute(document, row, key) for row in rows for key in _STATING)
        return any(expression.search(value) for value in values if value)

    found: set[Unit] = set()
    for parent, own in beside.items():
        pieces = [columns.list_pieces(unit)[0] for unit in own]
        are_links = all(len(one) == 1 and one[0].link >= 0 for one in pieces)
        if len(own) < 2 or not are_links or not all(columns.rules.titles.is_name(one[0].text) for one in pieces):
            continue
        around = {max(row, 0) for row in (parent, document.parent.item(parent) if parent >= 0 else 0)}
        n_selected = sum(says("states", [unit.first, *columns.list_links(unit)]) for unit in own)
        if n_selected == 1 or says("names", [*around, own[0].first]):
            found.update(own)
    return found


def find_menus(read: Sequence[ReadUnits], listings: Sequence[Listing], rules: Records) -> set[int]:
    """The numbers of the lists of short names alone, such as facets and sections, on a page where other lists say more
    of their entries and are longer. read, listings: what was read of each block, and its units.
    """
    rich_chars, names = 0.0, []
    for number, (found, listing) in enumerate(zip(read, listings, strict=True)):
        # what says more than a name and how many there are of it
        n_rich = sum(
            bool(one.summary or one.image or one.author)
            or any(field is not None and field not in one.title for field in (one.date, one.price))
            for _, one in found
        )
        size = sum(len(record.title.encode()) for _, record in found)
        if n_rich >= max(rules.index_units, rules.entries * len(found)):
            rich_chars += listing.n_chars
        elif n_rich == 0 and len(found) >= rules.index_units and size <= rules.name_bytes * len(found):
            names.append((number, listing.n_chars))
    return {number for number, n_chars in names if n_chars <= rich_chars}


_ROWS_BEFORE: Final = 3  # where the header is looked for: a caption or a row of links to pages may be between
_MOST_CHARS: Final = 200  # of a header; what is longer is a text in a table made for layout


def find_header_menus(columns: SegmentColumns, roles: Sequence[Role]) -> dict[int, str]:
    """The blocks of the role header that are menus -> why: a list of links, whatever the markup calls it.

    A line such as `Login | Contact` is no list and stays a part of the header. A list of many more links is one to
    choose from, such as of countries (`records.header_links`). roles: of the blocks.
    """
    document, (fewest, most) = columns.page.document, columns.rules.records.header_links
    n_items = columns.count_segments(columns.segments.owner[document.tag == CODE["li"]])
    is_menu = (n_items >= fewest) & (n_items <= most) & (columns.n_link_chars >= MOSTLY * columns.n_chars)
    numbers = [number for number in is_menu.nonzero()[0].tolist() if roles[number] is Role.HEADER]
    return {number: f"a list of {n_items[number]:.0f} links in a header" for number in numbers}


def find_copied_menus(columns: SegmentColumns, roles: Sequence[Role]) -> list[int]:
    """The blocks of links of which most are in a menu or header too: the same for small screens, or at the foot of the
    page. Inside `main`, or with pictures, they are to choose from. roles: of the blocks."""
    links, owner = find_links(columns.page), columns.segments.owner
    is_menu = np.array([role in (Role.NAVIGATION, Role.HEADER) for role in roles], dtype=bool)
    wanted = (owner[links.row] >= 0) & (links.number >= 0)
    block, number = owner[links.row[wanted]], links.number[wanted]
    is_known = np.zeros(len(links.number) + 1, dtype=bool)
    is_known[number[is_menu[block]]] = True
    n, n_known = map(columns.count_segments, (block, block[is_known[number]]))
    rules, size = columns.rules.records, columns.n_link_chars
    is_copy = (n >= rules.index_units) & (n_known >= MOSTLY * n)
    # a menu may show headlines, which are longer
    is_copy &= (size >= MOSTLY * columns.n_chars) & (size <= rules.name_bytes * n)
    for name in ("in_main", "image_density"):
        is_copy &= measure_segments(columns, name) == 0
    return [at for at in is_copy.nonzero()[0].tolist() if str(roles[at]) in rules.index_from]


def read_header(document: Document, units: Sequence[Unit]) -> dict[int, str]:
    """First column of a cell -> its text in the header of a list; empty for lists that are no table or have none."""
    row = find_row(document, units[0]) if units else -1
    width = place_cells(document, row)[1]
    rows = (document.tag[:row] == CODE["tr"]).nonzero()[0][-_ROWS_BEFORE:].tolist() if width > 1 else []
    for above in reversed(rows):
        cells, n_columns = place_cells(document, above)
        # a cell over all columns is the title of the table; a row of other columns belongs to another one
        if len(cells) > 1 and n_columns == width and document.end[above] <= row:
            texts = (find_texts(document, cell, int(document.end[cell])) for cell in cells)
            said = (" ".join(document.text[node] for node in nodes) for nodes in texts)
            return {
                column: " ".join(text.split())[:_MOST_CHARS] for column, text in zip(cells.values(), said, strict=True)
            }
    return {}


def place_cells(document: Document, row: int) -> tuple[dict[int, int], int]:
    """The cells of a table row, each with its first column, and the columns of all; none where row is -1."""
    cells, width, at = {}, 0, row + 1
    while row >= 0 and at < document.end[row]:
        if CELL[document.tag[at]]:
            span = read_attribute(document, at, "colspan") or ""
            cells[at] = width
            width += int(span) if span.isdecimal() and len(span) < 3 else 1
        at = int(document.end[at])
    return cells, width


def find_row(document: Document, unit: Unit) -> int:
    """The first table row of a unit that is one or a group of them, -1 without one."""
    rows = (document.tag[unit.first : unit.end] == CODE["tr"]).nonzero()[0]
    row = unit.first + int(rows[0]) if len(rows) else -1
    # a row further inside is that of a table in the entry
    return row if row == unit.first or (row >= 0 and document.tag[unit.first] == CODE["tbody"]) else -1


class StorySearch:
    """Finds the stories of one page beside its lists.

    targets: rows of the displayed headings in blocks that lead to a page which is nobody's own -> where. read: for each
    block, the entries of its lists that are records, without those that are several stories. headings: rows of the
    displayed headings in blocks that are in none of these, rising. Blocks are those of roles that may have stories.
    """

    def __init__(
        self,
        columns: SegmentColumns,
        roles: Sequence[Role],
        chars: Sequence[float],
        read: Sequence[ReadUnits],
        names: Sequence[int],
    ) -> None:
        """roles, read: of each block, its role and what was read of its lists. chars: of `UnitSearch`. names: blocks
        that are names of lists."""
        self.columns, self.document, self._roles, self._chars = columns, columns.page.document, roles, chars
        self.owner = columns.segments.owner
        # the last one is that of rows in no block, whose owner is -1
        may_have = np.array([str(role) in columns.rules.records.story_roles for role in roles] + [False])
        may_have[names] = False
        rows = (HEADING[self.document.tag] & self.document.displayed & may_have[self.owner]).nonzero()[0]
        self.targets = self._read_targets(rows.tolist())
        # a rubric beside headlines, such as `News`, leads to the same section each time
        counts, most = Counter(self.targets.values()), columns.rules.records.section_headings
        rubrics = [row for row, url in self.targets.items() if counts[url] >= most and not is_generated(url)]
        for row in rubrics:
            del self.targets[row]
        # a rubric parts no stories either
        rows = np.setdiff1d(rows, rubrics)
        self.read = read
        self._entries = sorted(unit.first for found in self.read for unit, _ in found)
        # of an entry over several blocks, readers see the part with its record
        covered = np.zeros(len(self.document), dtype=bool)
        for number, found in enumerate(read) if self.targets else ():
            for unit, _ in found:
                covered[unit.first : unit.end] |= self.owner[unit.first : unit.end] == number
        self.headings: list[int] = rows[~covered[rows]].tolist() if self.targets else []

    def find(self) -> list[list[Unit]]:
        """The stories of each block; of one without records only where they are most of its text: else they are the
        headlines of a text."""
        rules = self.columns.rules.records
        found: list[list[Unit]] = [[] for _ in self.read]
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

    def _read_targets(self, rows: Sequence[int]) -> dict[int, str]:
        """`targets` of these headings."""
        document, people, found = self.document, self.columns.rules.people, {}
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
        while end < stop and self._is_own(row, end):
            other = int(self.owner[end])
            # a heading may be a block of its own: its teaser is in the next, unless that is an advertisement, say
            if other >= 0 and self._roles[other] is not self._roles[number]:
                break
            end = int(document.end[end])
        return Unit(top, end)

    def _is_own(self, row: int, other: int) -> bool:
        """Whether an element holds no entry, no other headline than that in `row`, and no heading of its rank or a
        higher one."""
        rank, end = self.document.tag[row], int(self.document.end[other])
        if list_inside(self._entries, other, end):
            return False
        inside = list_inside(self.headings, other, end)
        return all(at == row or (self.document.tag[at] > rank and at not in self.targets) for at in inside)


def leave_copies(read: ReadUnits) -> ReadUnits:
    """The entries of a block in the order of the page, each once, as the copy that says most: a slider shows its first
    and last slides twice."""
    once: dict[object, tuple[Unit, Record]] = {}
    for unit, one in sorted(read, key=itemgetter(0)):
        # an entry without title or link may be a post, so it is no copy of another
        key: object = (one.title, one.url) if one.title and one.url else unit
        if key not in once or count_record(one) > count_record(once[key][1]):
            once[key] = unit, one
    return sorted(once.values(), key=itemgetter(0))


def count_record(record: Record) -> int:
    """Characters of a record."""
    values = (record.title, record.url, record.summary, record.date, record.image, record.price, record.author)
    return sum(map(len, filter(None, values)))
