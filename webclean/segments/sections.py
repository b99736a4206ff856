"""Nodes of the cut tree, groups of siblings -> sections: nested by containment, with their blocks, roles and titles.

The card `sections` says how likely people name a node of the tree; of groups that no element holds, and of landmarks,
the rules say it. Siblings of one tag and class have the mean of their chances, for a template repeats them (tag
repetition, patent A4). Then parts are taken as long as they cover enough that no block and no
other part is close to (`Coverage`).

Groups:

    <div> <h2>Politics</h2> <p>..</p> <p>..</p> <h2>Sport</h2> <p>..</p> </div>     a heading opens what follows it, up
                                                                                    to the next of its rank

All parts of one parent are no group: the parent holds them.
"""

from __future__ import annotations

import heapq
import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from webclean.blocks.text_blocks import find_lines
from webclean.caching import Limit, cached_per_page, cached_property, limited
from webclean.features import PageColumns
from webclean.model import Block, Floats, Mask, Reason, Role, Rows, Section, Segmentation, read_columns
from webclean.parse.columns import sum_before
from webclean.parse.limits import check_time, spend_output
from webclean.parse.tags import CODE, HEADING
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleSet
from webclean.rules.card_schema import Card
from webclean.rules.segments_schema import SectionChoice, Segments
from webclean.segments.lead import Lead
from webclean.segments.nodes import NODE_FEATURES, NodeColumns, explain_node, find_nodes, list_nodes, score_nodes
from webclean.segments.semantic_page import SemanticPage
from webclean.segments.titles import BOLD, LABEL, Span
from webclean.segments.units import kept_by_argument

_KEPT: Final = 1e6  # times that text which is kept counts for the role of a section: other text counts where none is


@cached_per_page
def find_parts(columns: PageColumns, rules: Segments) -> NodeColumns:
    """All nodes of the cut tree of a page that its root reaches, those without parts too."""
    nodes = find_nodes(columns, rules)
    return NodeColumns(nodes.page, nodes.tree, rules, list_nodes(nodes.tree, with_leaves=True))


@dataclass(frozen=True, eq=False)
class ChosenSections:
    """Which parts of a page are sections: of its n nodes, and of the m groups of siblings, numbered after them.

    above: int64 [n + m], the part around each, -1 for the page. chance: float64 [n + m], that people name it, before it
    is averaged over alike siblings; 0 for those that are too small. gain: float64 [n + m], what taking it gained; 0 for
    those that were not taken.
    """

    nodes: NodeColumns
    card: Card
    groups: Sequence[Group]
    above: Rows
    chance: Floats
    gain: Floats

    @cached_property
    def taken(self) -> list[int]:
        """The numbers of the parts that are sections."""
        return (self.gain > 0).nonzero()[0].tolist()

    def list_rows(self, part: int) -> list[int]:
        """The outermost elements of a part."""
        places = self.groups[part - len(self.nodes)].parts if part >= len(self.nodes) else (part,)
        return list(map(self.nodes.row.item, places))

    def explain(self, part: int) -> Iterable[Reason]:
        """Why a part is a section."""
        group = self.groups[part - len(self.nodes)] if part >= len(self.nodes) else None
        signal, why = ("headings", "a heading and what follows it") if group else ("chance", "people name such a part")
        yield Reason("section", signal, why, round(float(self.chance[part]), 3))
        gained = round(float(self.gain[part]), 3)
        yield Reason("section", "gain", "no block and no other section is close to it", gained)
        if group is None:
            yield from explain_node(self.nodes, self.card, part, "section")


def choose_sections(nodes: NodeColumns, card: Card, segments: Segmentation, rules: Segments) -> ChosenSections:
    """Take the parts that are sections.

    nodes: all of the page, those without parts too. segments: its blocks, which are there anyway, so that a section
    close to one tells nothing.
    """
    choice = rules.sections
    share, chance = nodes.share, 1 / (1 + np.exp(-score_nodes(nodes, card)))
    groups = find_groups(nodes, rules)
    chance = np.append(chance, np.full(len(groups), choice.group_chance))
    size = np.append(share, [share[list(group.parts)].sum() for group in groups]) * nodes.page.blocks.n_chars.sum()
    chance *= find_large(size, choice) & ~find_hidden(nodes, groups)
    above = nest_groups(nodes.above, groups)
    blocks = find_blocks(nodes, segments)
    # a share of all chances, so that a page is told in about as many sections however many parts it has
    enough, n = min(choice.least_gain * float(chance[: len(nodes)].sum()), choice.enough), len(nodes)
    # groups are no template's repetition: they stand for themselves
    mean = np.append(nodes.average_alike(chance[:n], chance[:n] > 0), chance[n:])
    # parts are taken one by one for what they add: an outer part leaves little to an inner one of nearly its size
    gain = Coverage(above, size, mean, choice.close).take(blocks, enough)
    return ChosenSections(nodes, card, groups, above, chance, gain)


_RANKS: Final = np.zeros(len(HEADING), dtype=np.int64)
_RANKS[[CODE[f"h{rank}"] for rank in range(1, 7)]] = range(1, 7)
"""int64 [n_codes]: the rank of a heading, by tag."""
_LABEL_RANK: Final = 7
"""Of a line in bold or a label, below h6."""


class Group(NamedTuple):
    """The part that a heading opens: a run of siblings that begins with the heading.

    place: of the node around, in `NodeColumns`. parts: the places of the siblings.
    """

    place: int
    parts: tuple[int, ...]


def find_groups(nodes: NodeColumns, rules: Segments) -> list[Group]:
    """The groups of a page, those of a node around others first; groups of one node are nested or apart. nodes: all of
    the page, those without parts too."""
    share, least = nodes.share, rules.sections.group_share
    place_of = {number: place for place, number in enumerate(nodes.nodes)}
    starts, lines = _rank_parts(nodes, rules)
    found: list[Group] = []
    # in smaller nodes no group is large enough
    for place in (share >= least).nonzero()[0].tolist():
        parts = [place_of[child] for child in nodes.tree.children[nodes.nodes[place]]]
        headed, alone = ([ranks[part] for part in parts] for ranks in (starts, lines))
        for at, rank in enumerate(alone):
            if not rank:
                continue
            # all up to the next part headed by one of its rank or higher
            end = next((other for other in range(at + 1, len(parts)) if 0 < headed[other] <= rank), len(parts))
            # headings alone are a list of contents: none of them opens anything; all parts are what holds them
            if 1 < end - at < len(parts) and not all(alone[at:end]):
                found.append(Group(place, tuple(parts[at:end])))
    return [group for group in found if share[list(group.parts)].sum() >= least]


def _rank_parts(nodes: NodeColumns, rules: Segments) -> tuple[list[int], list[int]]:
    """For each part the rank of the heading that it starts with, 7 for a line in bold or a label, 0 for none; and that
    of the parts that are a heading and no more, a single line or one with a short line beside it, as `see all` is."""
    document, row, end, inner = nodes.page.document, nodes.row, nodes.end, nodes.inner
    sizes = ("n_text_blocks", "n_chars", "words_per_text_block", "n_headings")
    n_lines, n_chars, n_words, n_headings = NODE_FEATURES.measure_all(nodes, sizes)
    headings = np.append(HEADING[document.tag].nonzero()[0], 0)  # the last one is for the parts after all headings
    heading = headings[headings[:-1].searchsorted(row)]
    is_short = n_chars <= rules.titles.chars
    # `<p><b>..</b></p>`: the first element inside, if it ends where the part does
    below = np.minimum(inner + 1, end - 1)
    is_bold = (below > inner) & BOLD[document.tag[below]] & (document.end[below] == end)
    is_label = is_short & (n_lines <= 1) & (n_words <= rules.titles.words) & (is_bold | LABEL[document.tag[inner]])
    has_heading = np.asarray(nodes.tree.has_heading)[nodes.number]
    starts = np.where(has_heading, _RANKS[document.tag[heading]], _LABEL_RANK * is_label)
    is_alone = (n_lines == 1) | (is_short & (n_lines <= rules.titles.lines) & (n_headings == 1))
    return starts.tolist(), (starts * is_alone).tolist()


class Coverage:
    """Greedy coverage: of n parts, in document order, some are taken so that each likely part is close to one of them.

    Two parts are *close* where one is inside the other and holds `close` of its characters (an IoU). While that is over
    one half, of what is inside a part only its largest part can be close to it: what a part covers is a walk up and a
    walk down.

    above: int64 [n], the part around each, -1 for none. size: float64 [n], characters. chance: float64 [n], that people
    name it.
    """

    def __init__(self, above: Rows, size: Floats, chance: Floats, close: float) -> None:
        self.above, self.size, self.chance, self.close = above.tolist(), size.tolist(), chance.tolist(), close
        self.covered = [False] * len(above)
        # the first of equal parts: only one can be close to the whole, and two equal ones are at most half each
        largest = np.lexsort((-size, above))
        ups, firsts = np.unique(above[largest], return_index=True)
        heavy = np.full(len(above), -1)
        heavy[ups[ups >= 0]] = largest[firsts[ups >= 0]]
        self._heavy: list[int] = heavy.tolist()

    @kept_by_argument
    def list_close(self, part: int) -> list[int]:
        """The parts close to one, itself first."""
        found, size, close = [], self.size, self.close
        at = part
        while at >= 0 and size[part] >= close * size[at]:
            found.append(at)
            at = self.above[at]
        at = self._heavy[part]
        while at >= 0 and size[at] >= close * size[part]:
            found.append(at)
            at = self._heavy[at]
        return found

    def measure(self, part: int) -> float:
        """The sum of the chances of the nodes that are close to a part and not covered yet."""
        return sum((self.chance[at] for at in self.list_close(part) if not self.covered[at]), start=0.0)

    def cover(self, parts: Iterable[int]) -> None:
        for part in parts:
            for at in self.list_close(part):
                self.covered[at] = True

    def take(self, blocks: Rows, enough: float) -> Floats:
        """float64 [n]: what taking each part gained, 0 for those that are not taken.

        While a part gains enough, the one that gains most is taken, of equals the first: the chances that it newly
        covers.

        blocks: numbers of the parts that are blocks. enough: the least gain, over 0.
        """
        gained = np.zeros(len(self.above))
        least = max(1e-9, enough)  # with 0 the loop would take parts that gain nothing for ever
        # upper bounds of what a part may gain: taking other parts only lowers them
        bounds = [(-np.inf, part) for part, chance in enumerate(self.chance) if chance > 0]
        # readers have the blocks already: a section close to one would say the same twice
        self.cover(blocks.tolist())
        while bounds:
            bound, part = heapq.heappop(bounds)
            gain = self.measure(part)
            if gain >= -bound:
                gained[part] = gain
                self.cover([part])
            elif gain >= least:  # asked again before it is taken, for others may gain more now
                heapq.heappush(bounds, (-gain, part))
        return gained


def find_large(size: Floats, rules: SectionChoice) -> Mask:
    """bool [n]: the parts that are large enough for a section, of which there may be so many. size: characters, those
    of the page first."""
    is_large: Mask = size >= max(rules.chars, rules.share * size[0] if len(size) else 0)
    if is_large.sum() > rules.most:
        # the largest stay; of equals the first in the page
        is_large[np.argsort(-size, kind="stable")[rules.most :]] = False
    return is_large


def find_hidden(nodes: NodeColumns, groups: Sequence[Group]) -> Mask:
    """bool [n + m]: the parts of which a reader sees nothing, such as the menus that open at a click, on a page of
    which most is seen."""
    blocks, end = nodes.page.blocks, nodes.page.document.end
    until = sum_before(np.bincount(blocks.row, blocks.n_chars * blocks.visible, minlength=len(end)))
    seen = until[nodes.end] - until[nodes.row]
    seen = np.append(seen, [seen[list(group.parts)].sum() for group in groups])
    hidden: Mask = (seen == 0) & (2 * until[-1] > blocks.n_chars.sum())
    return hidden


def nest_groups(above: Rows, groups: Sequence[Group]) -> Rows:
    """int64 [n + m]: the part around each node and each group. above: int64 [n], the node around each node."""
    n = len(above)
    nested = np.append(above, [group.place for group in groups]).astype(np.int64)
    order = sorted(range(len(groups)), key=lambda number: -len(groups[number].parts))
    for number in order:  # those inside others come later: what they find around their first part is the larger group
        parts = list(groups[number].parts)
        nested[n + number] = nested[parts[0]]
        nested[parts] = n + number
    return nested


def find_blocks(nodes: NodeColumns, segments: Segmentation) -> Rows:
    """int64: the places of the nodes that are a block, alone or with the blocks inside it."""
    place = np.full(len(nodes.page.document), -1, dtype=np.int64)
    place[nodes.inner] = place[nodes.row] = np.arange(len(nodes))
    found = place[np.array([rows[0] for rows in segments.roots if len(rows) == 1], dtype=np.int64)]
    return np.unique(found[found >= 0])


@dataclass(frozen=True, eq=False)
class SectionDetails:
    """The sections of a page in reading order, each before those inside it; and their details, each computed for all at
    once when the first `Section` needs it.

    blocks: of the page. parts: the numbers of the sections in `chosen`. spans: their elements. above: the section
    around each, -1 for none. held: for each, the numbers of the blocks that it holds and no section inside it does.
    within: the block that each is a part of, -1 for none. lead: of the page.
    """

    page: SemanticPage
    chosen: ChosenSections
    blocks: tuple[Block, ...]
    limit: Limit
    parts: list[int]
    spans: list[Span]
    above: list[int]
    held: list[list[int]]
    within: list[int]
    lead: Lead | None

    def __reduce__(self) -> tuple[Any, ...]:
        """Sections are pickled and copied with the values of all details."""
        return SimpleNamespace, (), read_columns(self, Section)

    @cached_property
    def roles(self) -> list[Role]:
        """The role of most of the text of each section: of what is kept of it, if anything is, since the menus and the
        dialogs around that may be longer."""
        # blocks of pages that were joined to this one come last, and are in no section
        pairs = zip(self.page.columns.n_chars.tolist(), self.blocks, strict=False)
        sizes = [n_chars * (_KEPT if block.kept else 1.0) for n_chars, block in pairs]
        counts: list[dict[Role, float]] = [{} for _ in self.spans]
        # from the end, so that what is inside has been counted when it is added to what is around
        for number in range(len(self.spans) - 1, -1, -1):
            own, within, above = counts[number], self.within[number], self.above[number]
            for block in self.held[number]:
                own[self.blocks[block].role] = own.get(self.blocks[block].role, 0.0) + sizes[block]
            if within >= 0 and not own:
                own[self.blocks[within].role] = 1.0  # nothing is added to what is around: its block counts there
            elif above >= 0:
                for role, size in own.items():
                    counts[above][role] = counts[above].get(role, 0.0) + size
        return [max(own, key=own.__getitem__, default=Role.OTHER) for own in counts]

    @limited
    def titles(self) -> Sequence[str]:
        noise, found = self.page.columns.rules.keep.noise, []
        read = sorted((unit, record.title) for found in self.page.entries for unit, record in found if record.url)
        # an element with another entry inside is no entry
        told = [one for one, after in pairwise([*read, ((sys.maxsize, 0), "")]) if after[0][0] >= one[0][1]]
        entries = {self._find_lines(*unit): title for unit, title in told}
        for number, (span, above) in enumerate(zip(self.spans, self.above, strict=True)):
            check_time()
            # sections come in reading order, so the first inside one stands right after it
            inner = number + 1 if self.above[number + 1 : number + 2] == [number] else -1
            alone = self.within[number] < 0 and inner < 0 and len(self.held[number]) == 1
            around, inside = (self.spans[at] if at >= 0 else None for at in (above, inner))
            is_noise, only = str(self.roles[number]) in noise, self.held[number][0] if alone else None
            entry = entries.get(self._find_lines(span.first, span.end), "")
            title = self.page.titles.find_of_section(span, is_noise, around, inside, only, entry)
            found.append(title if title or is_noise else self._find_around(span, told))
        return found

    def _find_around(self, span: Span, entries: Sequence[tuple[tuple[int, int], str]]) -> str:
        """The title of the entry of which a section is most, such as a teaser below its headline; '' without one."""
        until, at = self.page.columns.until, bisect_left(entries, ((span.first + 1, 0), ""))
        (first, end), title = entries[at - 1] if at else ((0, 0), "")
        is_most = 2 * (until[span.end] - until[span.first]) > until[end] - until[first]
        return title if span.end <= end and is_most else ""

    def _find_lines(self, first: int, end: int) -> tuple[int, ...]:
        """The first text block of some elements, and the one after their last."""
        page = self.page.columns.page
        return tuple(find_lines(page.document, page.blocks, first, end).tolist())

    @limited
    def texts(self) -> Sequence[str]:
        columns, found = self.page.columns, []
        for span in self.spans:
            lines = columns.list_lines(span.first, span.end)
            text = "\n".join(map(columns.page.blocks.text.__getitem__, lines))
            # a text is in each section around it: a page nested deep would be written out many times
            found.append(text if spend_output(len(text)) else "")
        return found

    @limited
    def xpaths(self) -> Sequence[tuple[str, ...]]:
        document = self.page.columns.page.document
        return [tuple(dict.fromkeys(build_xpaths(document, span.rows))) for span in self.spans]

    @cached_property
    def importance(self) -> Sequence[float]:
        told = [[*held, within] if within >= 0 else held for held, within in zip(self.held, self.within, strict=True)]
        best = [max((self.blocks[block].importance for block in own), default=0.0) for own in told]
        for number, above in reversed(list(enumerate(self.above))):
            if above >= 0:
                best[above] = max(best[above], best[number])
        return best

    @limited
    def reasons(self) -> Sequence[tuple[Reason, ...]]:
        told, lead = [tuple(self.chosen.explain(part)) for part in self.parts], self.lead
        # of those around the lead the one inmost
        inmost = max((n for n, span in enumerate(self.spans) if lead and span.holds(lead.row)), default=None)
        if lead is not None and inmost is not None:
            told[inmost] = (Reason("section", "lead", f"holds the lead of the page: {lead.why}"), *told[inmost])
        return told


def outline_sections(
    page: SemanticPage, chosen: ChosenSections, blocks: tuple[Block, ...], limit: Limit
) -> SectionDetails:
    """Nest the taken parts, and place the blocks in them."""
    segments, end = page.columns.segments, page.columns.page.document.end
    all_spans = {part: _make_span(chosen.list_rows(part), end) for part in chosen.taken}
    block_spans = [_make_span(rows, end) for rows in segments.roots]
    order = sorted(all_spans, key=lambda part: (all_spans[part].first, -all_spans[part].end))
    bounds = {(block.first, block.end) for block in block_spans}
    parts: list[int] = []
    for part, after in pairwise([*order, -1]):
        span = all_spans[part]
        # a section that is one block and holds no other says what the block says
        if (span.first, span.end) not in bounds or (after >= 0 and all_spans[after].first < span.end):
            parts.append(part)
    lead = page.find_lead([block.kept for block in blocks])
    if lead is not None and not any(all_spans[part].holds(lead.row) for part in parts):
        # its block, so that a reader of sections finds it
        added = np.isin(chosen.nodes.row, segments.roots[lead.blocks[0]]).nonzero()[0][:1].tolist()
        all_spans |= {part: _make_span(chosen.list_rows(part), end) for part in added}
        parts = sorted([*parts, *added], key=lambda part: (all_spans[part].first, -all_spans[part].end))
    spans = [all_spans[part] for part in parts]
    above: list[int] = []
    inmost = np.full(len(end), -1, dtype=np.int64)  # of each element
    for number, span in enumerate(spans):  # those around others come first, and are replaced inside these
        above.append(int(inmost[span.first]))
        inmost[span.first : span.end] = number
    held: list[list[int]] = [[] for _ in spans]
    for number, block in enumerate(block_spans):
        at = int(inmost[block.first])
        while at >= 0 and spans[at].end < block.end:  # a run of siblings may end outside
            at = above[at]
        if at >= 0:
            held[at].append(number)
    within = [_find_within(span, segments) for span in spans]
    return SectionDetails(page, chosen, blocks, limit, parts, spans, above, held, within, lead)


def _make_span(rows: Sequence[int], end: Rows) -> Span:
    return Span(tuple(rows), rows[0], int(end[rows[-1]]))


def _find_within(span: Span, segments: Segmentation) -> int:
    """The block that a span is a part of, -1 for one of whole blocks."""
    owners = np.unique(segments.owner[span.first : span.end])
    owner = int(owners[-1]) if len(owners[owners >= 0]) == 1 else -1
    return -1 if owner < 0 or any(row in segments.roots[owner] for row in span.rows) else owner


def build_sections(
    columns: PageColumns, page: SemanticPage, blocks: tuple[Block, ...], rules: RuleSet, limit: Limit = nullcontext
) -> tuple[Section, ...]:
    """The outermost sections of a page, that with the lead first, the others in reading order.

    blocks: those of `page`, as rules and methods judged them.
    """
    nodes = find_parts(columns, rules.segments)
    if not len(nodes):
        return ()
    chosen = choose_sections(nodes, rules.sections, page.columns.segments, rules.segments)
    details = outline_sections(page, chosen, blocks, limit)
    inside: list[list[Section]] = [[] for _ in details.spans]
    outermost: list[Section] = []
    lead, leads = (details.lead.row, details.lead.blocks) if details.lead else (-1, [])

    def order(found: list[Section]) -> tuple[Section, ...]:
        """In reading order, but for the one that holds the lead, which is first."""
        spans = details.spans
        return tuple(sorted(found, key=lambda one: (not spans[one.number].holds(lead), one.number)))

    # from the end, since a section is frozen: those inside it are made first
    for number in range(len(details.spans) - 1, -1, -1):
        within, above = details.within[number], details.above[number]
        held = tuple(blocks[block] for block in sorted(details.held[number], key=lambda block: block not in leads))
        below, role = order(inside[number]), details.roles[number]
        made = Section(f"s{number}", role, held, below, None if within < 0 else within, number, details)
        (inside[above] if above >= 0 else outermost).append(made)
    return order(outermost)
