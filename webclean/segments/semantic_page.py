"""`SemanticPage`: the semantic blocks of a page and all that is computed of them, lazily and for all blocks at once.

The card `roles` gives points for each role; the one with the most is chosen (patent A7). Roles require the cut, the
card and the search for repeated units. Records, importance and reasons are computed only if used.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import find_lines
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.features.page_words import find_named
from webclean.matching.expressions import compile_pattern
from webclean.model import BlockDecisions, Floats, Mask, Post, Reason, Record, Role, Rows, Segmentation
from webclean.parse.limits import check_time, spend_output
from webclean.parse.url import find_base, join_url
from webclean.rules import RuleSet
from webclean.rules.card_schema import Card
from webclean.rules.segments_schema import Segments
from webclean.segments.entry import COUNT_BEHIND, Named
from webclean.segments.lead import Lead, LeadSearch, weigh_places, weigh_urls
from webclean.segments.listing import (
    MOSTLY,
    LinkLines,
    Listing,
    ReadUnits,
    StorySearch,
    count_record,
    find_copied_menus,
    find_header_menus,
    find_menus,
    find_pictures,
    find_tabs,
    leave_copies,
    read_header,
    reads_as_index,
    share_units,
)
from webclean.segments.nodes import SplitPoints, cut_page, find_nodes, score_nodes, split_by_points
from webclean.segments.records import read_picture, read_record
from webclean.segments.segment_columns import NAMING, SEGMENT_FEATURES, SegmentColumns, list_addresses, measure_segments
from webclean.segments.titles import TitleSearch
from webclean.segments.units import EntryColumns, Unit, UnitSearch, find_units
from webclean.segments.urls import UrlStructure, describe_urls

HEADING_LINES: Final = 3  # of a heading and links to more
_MORE: Final = 2  # times the size of a name is an entry that says more
_LIKELY: Final = 0.15
"""Chance of an index page from which one of its stories may lead the others."""
_BEHIND: Final = 0.001
_N_REASONS: Final = 3  # lines of the card that are told of a role
_BY_SIBLINGS: Final = Reason("role", "siblings", "siblings of the same tag and class have one role")


@dataclass(frozen=True, eq=False)
class RolePoints:
    """roles: of the card. points: float64 [n_roles, n_blocks], means over alike siblings. own, best: int64 [n_blocks],
    index of the best role by the block alone and with its alike siblings."""

    roles: tuple[Role, ...]
    points: Floats
    own: Rows
    best: Rows

    @cached_property  # asked for each block
    def chosen(self) -> list[Role]:
        """The role with the most points, for each block."""
        return list(map(self.roles.__getitem__, self.best.tolist()))

    def share_of(self, roles: Collection[str]) -> Floats:
        """float64 [n_blocks]: probability that the role is one of these (softmax of the points)."""
        # less the highest, or the exponentials of a rich page would overflow
        weight = np.exp(self.points - self.points.max(axis=0, keepdims=True))
        wanted = [number for number, role in enumerate(self.roles) if role in roles]
        return np.asarray(weight[wanted].sum(axis=0) / weight.sum(axis=0), dtype=np.float64)


def score_roles(columns: SegmentColumns, card: Card) -> RolePoints:
    """The points of each block for each role: the mean over its alike siblings, which have the same role."""
    compiled = compile_card(card, SEGMENT_FEATURES)
    points = score_table(compiled, SEGMENT_FEATURES.measure_all(columns, compiled.names), len(columns.segments))
    # in a tie the first role of the card wins, so that the order of a dictionary decides nothing
    own, first = points.argmax(axis=0), columns.alike
    n_alike = np.bincount(first, minlength=len(first))
    if n_alike.max(initial=0) > 1:  # else the points are their own means
        total = np.vstack([np.bincount(first, line, minlength=len(first)) for line in points])
        points = (total / np.maximum(1, n_alike))[:, first]
    return RolePoints(tuple(map(Role, compiled.classes)), points, own, points.argmax(axis=0))


def explain_roles(columns: SegmentColumns, card: Card, scores: RolePoints) -> list[tuple[Reason, ...]]:
    """For each block, the lines that gave the chosen role most points, the largest first; before them, that its alike
    siblings decided, where it would have another role alone."""
    names = compile_card(card, SEGMENT_FEATURES).names
    table = np.array(SEGMENT_FEATURES.measure_all(columns, names)).reshape(len(names), len(columns.segments)).T
    made = []
    for role, values, own, best in zip(scores.chosen, table.tolist(), scores.own, scores.best, strict=True):
        check_time()
        lines = explain_points(card, dict(zip(names, values, strict=True)), SEGMENT_FEATURES, "role", chosen=role)
        told = islice((line for line in lines if (line.points or 0.0) > 0), _N_REASONS)
        made.append((*([_BY_SIBLINGS] if own != best else []), *told))
    return made


@dataclass(frozen=True, eq=False)
class SemanticPage:
    """The semantic blocks of one page. All sequences have one entry for each block. card: scores the roles.
    may_be_front: it may be an index page."""

    columns: SegmentColumns
    card: Card
    may_be_front: bool

    def __len__(self) -> int:
        return len(self.columns.segments)

    @cached_property
    def scores(self) -> RolePoints:
        return score_roles(self.columns, self.card)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """The role of each block: `related` for those of `related`, `index` for those of `indexes`, `navigation` for
        `menus`, else the card's."""
        return self._choose_roles(dict.fromkeys(self.related, Role.RELATED))

    @cached_property
    def roles_of_lists(self) -> tuple[Role, ...]:
        """The same with `index` for all lists: what their titles announce is not read."""
        return self._choose_roles({})

    def _choose_roles(self, announced: Mapping[int, Role]) -> tuple[Role, ...]:
        by_entries = {**dict.fromkeys(self.indexes, Role.INDEX), **announced}
        by_entries |= dict.fromkeys(self.menus, Role.NAVIGATION)
        return tuple([by_entries.get(number, role) for number, role in enumerate(self.scores.chosen)])

    @cached_property
    def named(self) -> dict[int, int]:
        """Blocks that are a heading, alone but for links to more -> the next block, whose title it is: both are kept or
        dropped.

        An h1 stands for itself: it is kept whatever follows.
        """
        columns, page = self.columns, self.columns.page
        counts = [measure_segments(columns, name) for name in ("n_text_blocks", "n_headings", "n_h1")]
        alone = ((counts[0] <= HEADING_LINES) & (counts[1] == 1) & (counts[2] == 0)).nonzero()[0]
        found: dict[int, int] = {}
        for number in alone[alone + 1 < len(self)].tolist():
            first, *rest = columns.list_text_blocks(number)
            if page.is_heading[first] and all(map(self.titles.leads_on, rest)):
                title = self.titles.find(number + 1)
                found |= {number: number + 1} if title and self.titles.read(first) == title else {}
        return found

    @cached_property
    def listings(self) -> list[Listing]:
        """The repeated units of each block."""
        return share_units(self.columns.page.document, self.columns.segments.owner, self.search, len(self))

    @cached_property
    def indexes(self) -> dict[int, Reason]:
        """The blocks that list entries of other pages -> the reason: those that consist of links or teasers, most of
        which lead to other pages. If each entry is a block of its own, as large teasers are, all of these blocks
        together are the list."""
        columns, rules = self.columns, self.columns.rules.records
        found: dict[int, Reason] = {}
        candidates = [([number], one) for number, one in enumerate(self.listings) if number not in self.menus]
        runs: dict[int, list[int]] = {}
        for number, first in enumerate(columns.alike.tolist()):
            runs.setdefault(first, []).append(number)
        for blocks in runs.values():
            if len(blocks) >= rules.index_units:
                rows = np.array([columns.segments.roots[number][0] for number in blocks], dtype=np.int64)
                bounds = np.column_stack([rows, columns.page.document.end[rows]])
                candidates.append((blocks, Listing(bounds, float(columns.n_chars[blocks].sum()))))
        n_chars, n_linked = columns.n_chars.tolist(), columns.n_link_chars.tolist()
        for blocks, listing in candidates:
            if str(self.scores.chosen[blocks[0]]) not in rules.index_from:
                continue
            n_own = sum(map(n_chars.__getitem__, blocks))
            density = sum(map(n_linked.__getitem__, blocks)) / max(1, n_own)
            fewest = max(rules.index_units, math.ceil(rules.entries * len(listing)))
            # sums are compared first, so that entries are read only in blocks that may be an index
            if (
                reads_as_index(listing, n_own, density, rules)
                and len([*islice(self._lines.list_leading(listing.bounds, columns.author_rows), fewest)]) == fewest
            ):
                told = "one of {} entries, each a block" if len(blocks) > 1 else "{} entries of a repeated list"
                reason = Reason("role", "entries", told.format(len(listing)))
                found |= {number: reason for number in blocks if number not in found}
        return found

    @cached_property
    def menus(self) -> dict[int, Reason]:
        """The blocks of menus -> the reason: the links of a header, those of another menu, and those as short as
        names, very many of them in one block or in those of one parent, where another list says more of each entry."""
        told = dict.fromkeys(find_copied_menus(self.columns, self.scores.chosen), "its links are those of a menu")
        told |= find_header_menus(self.columns, self.scores.chosen)
        return self._find_columns() | {at: Reason("role", "menu", because) for at, because in told.items()}

    def _find_columns(self) -> dict[int, Reason]:
        """The blocks of a menu of many columns."""
        columns, rules = self.columns, self.columns.rules.records
        if sum(map(len, self.listings)) < rules.menu_links:
            return {}
        may_be = [str(role) in rules.index_from for role in self.scores.chosen]
        n_entries = np.array(list(map(len, self.listings))) * may_be
        is_list = n_entries >= rules.index_units
        # links and not entries, for the columns of a menu may be of several kinds
        counts = np.bincount(columns.segments.owner[self._lines.rows] + 1, minlength=len(self) + 1)[1:] * is_list
        counts = counts if self.may_be_front else n_entries
        size = columns.n_chars / np.maximum(1, counts)
        is_linked = columns.n_link_chars >= MOSTLY * columns.n_chars
        says_more = is_list & (columns.n_chars > _MORE * rules.menu_bytes * n_entries)
        found = (is_list & is_linked & ~says_more & (size <= rules.menu_bytes)).nonzero()[0].tolist()
        if not found or counts[found].sum() < rules.menu_links or not says_more.any():
            return {}
        texts = ([columns.page.blocks.text[line] for line in columns.list_text_blocks(number)] for number in found)
        n_bytes = [len("".join(own).encode()) for own in texts]
        found = [at for at, n in zip(found, n_bytes, strict=True) if n <= rules.menu_bytes * counts[at]]
        around = columns.page.document.parent[[columns.segments.roots[number][0] for number in found]].tolist()
        n_links: Counter[int] = Counter()
        for number, parent in zip(found, around, strict=True):
            n_links[parent] += int(counts[number])
        return {
            number: Reason(
                "role", "menu", f"one of {n_links[parent]} links as short as names beside a list that says more"
            )
            for number, parent in zip(found, around, strict=True)
            if n_links[parent] >= rules.menu_links
        }

    @cached_property
    def related(self) -> dict[int, Reason]:
        """The blocks of entries whose title announces what is related to the page -> the reason."""
        announces = compile_pattern(self.columns.rules.patterns["related"]).search
        titles = {number: self.titles.find(number) for number in self.indexes}
        first = self.columns.alike.tolist()  # the title of a run of alike blocks stands before its first one
        said = {number: title or titles.get(first[number], "") for number, title in titles.items()}
        return {number: Reason("role", "title", repr(title)) for number, title in said.items() if announces(title)}

    @cached_property
    def headings(self) -> list[str]:
        return [self.titles.find(number) for number in range(len(self))]

    @cached_property
    def entries(self) -> list[ReadUnits]:
        """The units of each block that gave a record."""
        rules = self.columns.rules
        made: list[ReadUnits] = []
        # the roles of the card: those of `roles` ask for the lists that are read here
        for role, listing in zip(self.scores.chosen, self.listings, strict=True):
            units = listing.units if str(role) in rules.records.roles else ()
            made.append(self._read_records(units, is_list=len(units) >= rules.records.min_units))
        names = [number for number, of in self.named.items() if len(self.listings[of]) >= rules.records.min_units]
        stories = StorySearch(self.columns, self.scores.chosen, self.search.chars, made, names)
        for found, units in zip(made, stories.find(), strict=True):
            found.extend(self._read_records(units, is_list=False))
        blocks, segment_of, roles = self.columns.page.blocks, self.columns.segment_of, self.scores.chosen
        for unit in find_pictures(self._entries, self.search):
            record = read_picture(self._entries, unit)
            # a picture has no text: the block before it, else the next one, of those whose records are read
            at = find_lines(self.columns.page.document, blocks, unit.first)[0].item()
            near = [*segment_of[max(0, at - 1) : at].tolist(), *segment_of[at : at + 1].tolist()]
            numbers = [number for number in near if number >= 0 and str(roles[number]) in rules.records.roles]
            if numbers and spend_output(count_record(record)):
                made[numbers[0]].append((unit, record))
        # last: which lists are menus shows beside what the others say of their entries
        menus = find_menus(made, self.listings, rules.records)
        read = ([] if number in menus else self._leave_title(number, found) for number, found in enumerate(made))
        made = list(map(leave_copies, read))
        return self._put_posts(made) if self.columns.page.posts else made

    def _leave_title(self, number: int, read: ReadUnits) -> ReadUnits:
        """The entries of a block without its title, which may be a link to the section that the others are of, and may
        be alone in it."""
        own, blocks = self.columns.list_text_blocks(number), self.columns.page.blocks
        is_alone = len(own) == 1 and self.columns.page.is_heading[own[0]]
        if is_alone:
            title = blocks.text[own[0]] if self.columns.rules.titles.is_name(blocks.text[own[0]]) else ""
        else:
            title = self.titles.find(number) if len(read) > 1 else ""
        return [(unit, one) for unit, one in read if not title or one.title != title or one.summary or one.image]

    def _put_posts(self, made: list[ReadUnits]) -> list[ReadUnits]:
        """Records with those of posts that rules name in place of what was read of them, or around them."""
        owner, posts = self.columns.segments.owner, self.columns.page.posts
        firsts, ends = np.array([(post.first, post.end) for post in posts]).T

        def touches(unit: Unit) -> bool:
            return bool(((firsts < unit.end) & (ends > unit.first)).any())

        made = [[(unit, record) for unit, record in found if not touches(unit)] for found in made]
        for post in posts:
            blocks = owner[post.first : post.end]
            blocks = blocks[blocks >= 0]
            record = self._read_post(post)
            if len(blocks) and spend_output(count_record(record)):
                # a post may be over several blocks: its record is of the one with most of it
                made[np.bincount(blocks).argmax()].append((Unit(post.first, post.end), record))
        return [sorted(found, key=itemgetter(0)) for found in made]

    def _read_post(self, post: Post) -> Record:
        """A record of what a rule found; its counts, image and the like are read as those of any entry."""
        read = read_record(self._entries, Unit(post.first, post.end), self._named) or Record(title="")
        document = self.columns.page.document
        # the place of a post is on this page, whatever `<base>` says of its links
        url = post.url and join_url(document.url if post.url.startswith("#") else find_base(document), post.url)
        summary = read.summary if post.text is None else post.text
        # in posts that no rule names, class names may tell the writer
        author = post.author if post.heads else post.author or read.author
        return replace(
            read, title="", author=author and COUNT_BEHIND.sub("", author), date=post.date, url=url, summary=summary
        )

    def _read_records(self, units: Sequence[Unit], *, is_list: bool) -> ReadUnits:
        """The units that give a record. is_list: there are enough of them to show what they have in common."""
        if not units:
            return []
        known = self._named
        if is_list:
            known = replace(known, header=read_header(self._entries.document, units))
        tabs = find_tabs(self._entries, units)
        told = ((unit, read_record(self._entries, unit, known)) for unit in units if unit not in tabs)
        read = [(unit, record) for unit, record in told if record and spend_output(count_record(record))]
        images = Counter(record.image for _, record in read)
        # a picture that most entries have is an icon, or waits for theirs
        icon, n = images.most_common(1)[0] if images else (None, 0)
        is_icon = icon is not None and n >= self.columns.rules.records.min_units and 2 * n > len(read)
        return [(unit, replace(one, image=None) if is_icon and one.image == icon else one) for unit, one in read]

    @cached_property
    def _named(self) -> Named:
        """What is known of the units of blocks with too few of them to show what repeats: together they may tell it."""
        document, rules = self.columns.page.document, self.columns.rules
        titles = find_named(document, rules.tokens["title"], NAMING, rules.records.other_title)
        return Named(self.columns.author_rows, titles)

    @cached_property
    def _entries(self) -> EntryColumns:
        page = self.columns.page
        return EntryColumns(page.document, self.columns.rules, page.prices_dates)

    @cached_property
    def urls(self) -> list[UrlStructure]:
        """The URL structure of each block."""
        return [describe_urls(found, self.columns.rules.urls.markers) for found in list_addresses(self.columns)]

    @cached_property
    def may_lead(self) -> Mask:
        """bool [n]: the blocks whose role allows them to hold the lead."""
        allowed = {Role.INDEX, *map(Role, self.columns.rules.records.index_from)}
        return np.array([role in allowed for role in self.roles_of_lists], dtype=bool)

    @cached_property
    def _lead_search(self) -> LeadSearch | None:
        return LeadSearch(self.columns, self.may_lead, self.search.bounds) if self.may_be_front else None

    @property
    def headlines(self) -> Mapping[int, int]:
        """The rows of which one may be the lead, rising, and the first text block in each; none on pages that are no
        front."""
        return self._lead_search.line_of if self._lead_search else {}

    @cached_property
    def lead(self) -> Lead | None:
        """The story that an editor has put first, None on pages that are no front."""
        return self._lead_search.find() if self._lead_search else None

    @cached_property
    def summands(self) -> dict[str, Floats]:
        """The summands of the importance of the blocks, by name."""
        weights = self.columns.rules.importance
        return weigh_places(self.columns, self.roles, weights) | weigh_urls(self.urls, weights)

    @cached_property
    def prominence(self) -> Floats:
        """float64 [n], 0 to 1: the importance by size, place and role alone. Which lists are kept depends on no more:
        their addresses, which take long to read, changed one of 573 texts that the cards had not seen."""
        return self._add_up(weigh_places(self.columns, self.roles_of_lists, self.columns.rules.importance))

    def _add_up(self, summands: Mapping[str, Floats]) -> Floats:
        """float64 [n], 0 to 1: their sum."""
        total: Floats = sum(summands.values(), start=np.zeros(len(self)))
        return np.minimum(np.maximum(total, 0.0), 1.0)

    def find_lead(self, kept: Sequence[bool]) -> Lead | None:
        """The lead of what a reader sees. kept: of each block, whether it is a part of that."""
        if self._lead_search is None or self.lead is None or any(map(kept.__getitem__, self.lead.blocks)):
            return self.lead
        return self._lead_search.find(np.array(kept, dtype=bool))

    def rank(self, kept: Sequence[bool]) -> list[float]:
        """The importance of each block, 0 to 1. No block is more important than the lead, which comes first among
        equals, and none that is dropped is as important as the best of those that are kept."""
        values, shown, lead = self._add_up(self.summands), np.array(kept, dtype=bool), self.find_lead(kept)
        if shown.any():
            values[~shown] = np.minimum(values[~shown], values[shown].max() - _BEHIND)
        if lead is not None:
            best = max(float(values.max()), self.columns.rules.importance.lead)
            values = np.minimum(values, best - _BEHIND)
            values[lead.blocks] = best
        rounded: list[float] = np.maximum(values, 0.0).round(3).tolist()
        return rounded

    @cached_property
    def role_reasons(self) -> list[tuple[Reason, ...]]:
        """Why each block has its role."""
        by_entries = self.indexes | self.related | self.menus
        explained = enumerate(explain_roles(self.columns, self.card, self.scores))
        return [(by_entries[number], *rest) if number in by_entries else rest for number, rest in explained]

    @cached_property
    def search(self) -> UnitSearch:
        """The search for the entries of all lists of the page."""
        return find_units(self.columns.page, self.columns.rules.records)

    @cached_property
    def _lines(self) -> LinkLines:
        return LinkLines(self.search, self.columns.rules.people)

    @cached_property
    def titles(self) -> TitleSearch:
        """The search for titles, which reads each when it is asked for."""
        noise = self.columns.rules.keep.noise
        is_noise = [str(role) in noise for role in self.scores.chosen]
        return TitleSearch(self.columns, self.listings, is_noise, self.search.bounds)


def segment_page(columns: PageColumns, rules: RuleSet, decisions: BlockDecisions) -> SemanticPage:
    """Divide a page into semantic blocks, unless the method that decided has done so; cached per page until the rules
    or the scores change."""
    given = decisions.blocks.segments if decisions.blocks else None
    of_types, types = rules.page_type.types, decisions.type_weights or {}
    may_be_front = not types or sum(types[name] for name in types if of_types.get(name) == "index") > _LIKELY
    cards, sure = (rules.splits, rules.roles), (decisions.score, decisions.cut)
    return _divide_page(columns, rules.segments, *cards, *sure, may_be_front, given)


@cached_per_page
def _divide_page(
    columns: PageColumns,
    rules: Segments,
    splits: Card,
    roles: Card,
    score: Floats,
    cut: float,
    may_be_front: bool,
    given: Segmentation | None,
) -> SemanticPage:
    if given is not None:
        # detached: the page keeps what is made here, and with a reference back would never be freed at once
        return SemanticPage(SegmentColumns(columns.detach(), given, rules, score, cut), roles, may_be_front)
    nodes, document = find_nodes(columns, rules), columns.document
    # of alike siblings the mean: all are split, or none
    points = SplitPoints(nodes, splits, nodes.average_alike(score_nodes(nodes, splits))) if nodes.nodes else None
    split = split_by_points(nodes.tree, nodes.nodes, points.points.tolist() if points else ())
    segments = cut_page(document, nodes.tree, split, join=not may_be_front)
    return SemanticPage(SegmentColumns(nodes.page, segments, rules, score, cut, points), roles, may_be_front)
