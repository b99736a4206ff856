"""Columns, decisions -> semantic blocks: parts of a page, such as its menu, with their roles (patent A4, step 104).

A rule that matches most of a block's words sets its role, or keeps or drops it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import compress
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from webclean.blocks.text_blocks import find_lines
from webclean.caching import Limit, limited
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import Block, BlockDecisions, Floats, Mask, Reason, Record, Role, read_columns
from webclean.parse import find_texts
from webclean.parse.limits import check_time
from webclean.parse.xpath import build_xpaths
from webclean.rules import RuleSet
from webclean.rules.segments_schema import IndexPages, Keep
from webclean.segments.listing import ReadUnits
from webclean.segments.segment_columns import SegmentColumns, collect_links, measure_segments
from webclean.segments.semantic_page import HEADING_LINES, SemanticPage, segment_page
from webclean.segments.text_fragments import collect_fragments
from webclean.segments.units import Unit

_N_SUMMANDS: Final = 2  # of the importance, of which there are six, that are told
_SAID: Final = 2  # times that a title may stand in a short list: some entries are shown for two widths of a screen
_MOST: Final = 0.5  # of the words of a block, from which what a rule says of them is said of the block


@dataclass(frozen=True, slots=True)
class Override:
    """What rules set for one block, None if nothing. Keep beats drop; a later role replaces an earlier one."""

    role: Role | None = None
    kept: bool | None = None
    reasons: tuple[Reason, ...] = ()


_NO_RULE: Final = Override()
_SHOWN: Final = Reason("role", "text", "its text is kept, so it is none of the roles that nothing is kept of")


def find_overrides(columns: SegmentColumns, matches: Sequence[RuleMatch]) -> dict[int, Override]:
    """Block number -> what rules set for it; blocks that no rule is about are left out."""
    found: dict[int, Override] = {}
    effects = [(match, match.rule.effect) for match in matches]
    deciding = [(match, effect) for match, effect in effects if effect.role or effect.decide]
    if not deciding:
        return found
    words = np.maximum(1, columns.page.blocks.n_words)  # `* * *` is a text block too, though it has none
    total = np.maximum(1, columns.sum_text_blocks(words))
    for match, effect in deciding:
        reason = Reason("rule", match.id, match.rule.because or "the rule says so", source=match.rule.origin)
        share = columns.sum_text_blocks(words * match.blocks) / total
        for number in (share > _MOST).nonzero()[0].tolist():
            before = found.get(number, _NO_RULE)
            kept = before.kept if effect.decide is None else before.kept or effect.decide == "keep"
            found[number] = Override(effect.role or before.role, kept, (reason, *before.reasons))
    return found


@dataclass(frozen=True, eq=False)
class BlockDetails:
    """The details of all semantic blocks of a page, each computed for all at once when the first `Block` needs it."""

    page: SemanticPage
    rules: Keep
    keep: Floats
    kept: Sequence[bool]
    overrides: dict[int, Override]
    decisions: BlockDecisions
    limit: Limit = nullcontext

    def __reduce__(self) -> tuple[Any, ...]:
        """Blocks are pickled and copied with the values of all details."""
        return SimpleNamespace, (), read_columns(self, Block)

    texts = limited(lambda details: details.page.columns.collect_texts())
    headings = limited(attrgetter("page.headings"))
    links = limited(lambda details: collect_links(details.page.columns))
    fragments = limited(lambda details: collect_fragments(details.page.columns))

    @limited
    def records(self) -> Sequence[tuple[Record, ...]]:
        return [tuple([record for _, record in found]) for found in list_entries(self.page, self.decisions)]

    @limited
    def xpaths(self) -> Sequence[tuple[str, ...]]:
        columns = self.page.columns
        return [tuple(dict.fromkeys(build_xpaths(columns.page.document, rows))) for rows in columns.segments.roots]

    @limited
    def importance(self) -> Sequence[float]:
        # a method that judges blocks ranks them too; one that gives no numbers leaves that to the rules
        return (self.decisions.blocks and self.decisions.blocks.importance) or self.page.rank(self.kept)

    @limited
    def reasons(self) -> Sequence[tuple[Reason, ...]]:
        """For each block: rules that apply, its role, what it is worth, its importance, and why it was not split.

        What the method that cut the page says of the block comes before its role, and replaces worth and importance.
        """
        check_time()
        page, segments, splits = self.page, self.page.columns.segments, self.page.columns.splits
        judged = self.decisions.blocks
        return [
            (
                *self.overrides.get(number, _NO_RULE).reasons,
                *((judged.reasons[number],) if judged else ()),
                *page.role_reasons[number],
                *(() if judged else self._explain_worth(number)),
                Reason("cut", segments.why[number]),
                *(splits.explain(segments.roots[number][0]) if splits else ()),
            )
            for number in range(len(page))
        ]

    def _explain_worth(self, number: int) -> Iterator[Reason]:
        page = self.page
        is_hidden = not self.rules.hidden and bool(measure_segments(page.columns, "hidden_aside")[number])
        why = "the markup hides it" if is_hidden else f"kept from {self.rules.cut}"
        yield Reason("keep", "hidden" if is_hidden else "worth", why, round(float(self.keep[number]), 3))
        if (lead := page.find_lead(self.kept)) and number in lead.blocks:
            yield Reason("importance", "lead", f"holds the lead of the page: {lead.why}")
        urls = page.urls[number]
        details = {
            "url regularity": f"{urls.regularity:.0%} of {urls.n_urls} URLs look like {urls.shape}",
            "url markers": ", ".join(f"{token} ({n})" for token, n in urls.markers[:3]),
        }
        points = {name: float(values[number]) for name, values in page.summands.items()}
        for name in sorted(points, key=lambda name: -abs(points[name]))[:_N_SUMMANDS]:
            yield Reason("importance", name, details.get(name, ""), round(points[name], 3))


def build_semantic_blocks(
    columns: PageColumns,
    decisions: BlockDecisions,
    rules: RuleSet,
    matches: Sequence[RuleMatch] = (),
    limit: Limit = nullcontext,
) -> tuple[Block, ...]:
    """The semantic blocks of a page, in reading order. matches: the rules that apply."""
    page = segment_page(columns, rules, decisions)
    check_time()
    share = page.columns.share_kept(decisions.kept)
    keep = score_keeping(page, share, rules.segments.keep, by_parts=decisions.by_parts)
    overrides = find_overrides(page.columns, matches)
    kept = keep_blocks(decisions, keep, overrides, rules.segments.keep.cut)
    if not decisions.blocks:
        kept, by_text = follow_text(page, share > 0, kept, rules.segments.keep, by_parts=decisions.by_parts)
        for number, role in by_text.items():
            said = overrides.get(number, _NO_RULE)
            # a rule beats the card: somebody looked at the page
            overrides[number] = replace(said, role=said.role or role, reasons=(*said.reasons, _SHOWN))
    details = BlockDetails(page, rules.segments.keep, keep, kept, overrides, decisions, limit)
    rows = zip(page.roles, kept, page.columns.segments.parent, strict=True)
    return tuple(
        [
            Block(
                f"b{number}",
                overrides.get(number, _NO_RULE).role or role,
                is_kept,
                None if parent < 0 else parent,
                number,
                details,
            )
            for number, (role, is_kept, parent) in enumerate(rows)
        ]
    )


def follow_text(
    page: SemanticPage, shown: Mask, kept: Sequence[bool], rules: Keep, *, by_parts: bool
) -> tuple[list[bool], dict[int, Role]]:
    """Which blocks are kept once their texts are decided, and the roles that follow from that.

    A block is kept where any of its texts is. One with none is kept for what it holds beside them: without text of its
    own, or with a role of `beside` on a page that is not read part by part. A block with kept text that has a role of
    `exclude` has its next best one; so has a heading below h1, alone but for links to more, of any role of noise: it
    names a part of the page, such as a desk whose name the card takes for the header of the page.

    shown: bool [n], the blocks with kept text. by_parts: the page is read part by part.
    """
    roles, has_text = page.roles, page.columns.n_chars > 0
    beside = () if by_parts else rules.beside
    may_stay = [not holds or role in beside for holds, role in zip(has_text.tolist(), roles, strict=True)]
    final = (shown | (np.array(kept, dtype=bool) & np.array(may_stay, dtype=bool))).tolist()
    noise = [number for number in shown.nonzero()[0].tolist() if roles[number] in rules.noise]
    if not noise:
        return final, {}
    n_lines, n_headings, n_h1 = (
        measure_segments(page.columns, name) for name in ("n_text_blocks", "n_headings", "n_h1")
    )
    # an h1 may be the logo of a header
    names = (n_headings == 1) & (n_h1 == 0) & (n_lines <= HEADING_LINES)
    refused = {number: rules.noise if names[number] else rules.exclude for number in noise}
    best = np.argsort(-page.scores.points, axis=0, kind="stable")
    ranked = ((number, map(page.scores.roles.__getitem__, best[:, number].tolist())) for number in refused)
    turned = {number: next(role for role in own if role not in refused[number]) for number, own in ranked}
    return final, {number: role for number, role in turned.items() if roles[number] in refused[number]}


def keep_blocks(decisions: BlockDecisions, keep: Floats, overrides: dict[int, Override], cut: float) -> list[bool]:
    """Which semantic blocks are kept: by the method that judged them, or by their worth; rules have the last word."""
    by_worth = list(decisions.blocks.kept) if decisions.blocks else (keep >= cut).tolist()
    ruled = [overrides.get(number, _NO_RULE).kept for number in range(len(keep))]
    return [by if said is None else said for by, said in zip(by_worth, ruled, strict=True)]


def list_entries(page: SemanticPage, decisions: BlockDecisions) -> list[ReadUnits]:
    """The entries of each block. On a page that is read part by part, a block with kept text has none of which the text
    lacks the title, although the page shows it: it is an entry of what is dropped, such as a menu below a headline."""
    if not decisions.by_parts:
        return page.entries
    blocks, kept, of = page.columns.page.blocks, decisions.kept, page.columns.segment_of
    has_text = np.bincount(of, kept, minlength=len(page)) > 0
    shown = list(compress(blocks.text, kept.tolist()))
    lines, said = set(shown), " ".join(shown)

    def is_lost(unit: Unit, title: str) -> bool:
        check_time()
        # most titles are a line, and a search in the whole text for each of thousands takes long
        if title in lines or title in said:
            return False
        first, end = find_lines(page.columns.page.document, blocks, *unit).tolist()
        # with the line that an entry in a line begins or stands in; a picture alone is named by no line
        return title in " ".join(blocks.text[max(0, first - 1) : end + 1])

    return [
        [(unit, one) for unit, one in found if not (holds and is_lost(unit, one.title))]
        for found, holds in zip(page.entries, has_text.tolist(), strict=True)
    ]


def judge_parts(
    columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, matches: Sequence[RuleMatch]
) -> tuple[SemanticPage, list[bool]]:
    """The semantic blocks of a page of several parts, and which of them are kept."""
    page = segment_page(columns, rules, decisions)
    keep = score_keeping(page, page.columns.share_kept(decisions.kept), rules.segments.keep, by_parts=True)
    return page, keep_blocks(decisions, keep, find_overrides(page.columns, matches), rules.segments.keep.cut)


def list_title_blocks(page: SemanticPage, rules: IndexPages, numbers: Sequence[int]) -> dict[int, list[int]]:
    """Number of a semantic block -> the text blocks that are titles of its entries: of each entry the longest heading,
    else the first text that is at least half link and half as long as the longest of these; of a block without entries
    its longest heading, and the others of its rank if it is a link; of a list of entries side by side in lines, these
    lines, if other text of the block is kept. numbers: of the blocks that are asked about, of which those with titles
    are given.

    Records say more, and are read of all outputs but the text, for which they cost too much.
    """
    columns, blocks, score = page.columns.page, page.columns.page.blocks, page.columns.score
    weight = blocks.n_chars + columns.is_heading * (1 + blocks.n_chars.max(initial=0))
    is_linked = 2 * blocks.n_link_chars >= blocks.n_chars
    of_entries = (weight * (is_linked | columns.is_heading)).tolist()
    of_headings, are_headings = (weight * columns.is_heading).tolist(), columns.is_heading.tolist()
    found, roles = {}, page.roles_of_lists
    asked = [at for at in numbers if str(roles[at]) in rules.lists and page.columns.list_text_blocks(at)]
    units = [page.listings[number].bounds for number in asked]
    # of all lists at once, for a search costs as much for one entry as for all
    lines = find_lines(columns.document, blocks, *np.concatenate([*units, np.empty((0, 2))]).T).T.tolist()
    n_units = np.cumsum([0, *map(len, units)]).tolist()
    for number, rows, place in zip(asked, units, n_units, strict=False):
        own, inside = page.columns.list_text_blocks(number), lines[place : place + len(rows)]
        if inside and not any(first < end for first, end in inside):
            # links in a line of a text, such as its categories, are no list
            if roles[number] is Role.INDEX and (score[own] >= page.columns.cut).any():
                found[number] = _list_holding(columns, page.listings[number].units, own)
            continue
        bounds = [(bisect_left(own, first), bisect_left(own, end)) for first, end in inside] or [(0, len(own))]
        points = list(map((of_entries if len(rows) else of_headings).__getitem__, own))
        texts = list(map(blocks.text.__getitem__, own))
        # a text that most entries have, such as a button or a rating, is no title
        times, most = Counter(texts), max(_SAID, len(bounds) // 2)
        points = [0 if times[text] > most else value for value, text in zip(points, texts, strict=True)]
        best = [max(range(first, end), key=points.__getitem__) for first, end in bounds if first < end]
        is_heading = list(map(are_headings.__getitem__, own))
        starts = [first for first, end in bounds if first < end]
        # a link around a whole entry has the title first, and then what it is about
        best = [
            at if is_heading[at] else next(place for place in range(first, at + 1) if 2 * points[place] >= points[at])
            for first, at in zip(starts, best, strict=True)
        ]
        if len(rows) and all(end - first <= 1 for first, end in bounds):
            # a line of a title, an author and a publisher is the title of its entry
            points = [1] * len(own)
        if not len(rows) and points[best[0]] and is_linked[own[best[0]]]:
            # two stories are no list
            rank = columns.tag[own[best[0]]]
            best = [at for at, line in enumerate(own) if points[at] and is_linked[line] and columns.tag[line] == rank]
        # a slider may show a title twice: only the copy with the most points is kept here
        once = {texts[at]: own[at] for at in sorted(best, key=lambda at: score[own[at]]) if points[at]}
        if once:
            found[number] = sorted(once.values())
    _add_lead(page, numbers, found)
    return found


def _add_lead(page: SemanticPage, numbers: Sequence[int], found: dict[int, list[int]]) -> None:
    """Add the headline of the lead, where it is in one of some semantic blocks, to the titles that were found."""
    blocks = page.columns.page.blocks
    # the headline of the lead is dropped nowhere else either, but `Shop now` names no story
    said = {blocks.text[title] for titles in found.values() for title in titles}
    heads, is_name = page.headlines, page.columns.rules.titles.is_name
    of_rows = page.columns.segments.owner[[*heads]].tolist()
    left = {
        row: line
        for (row, line), number in zip(heads.items(), of_rows, strict=True)
        if number in numbers and (text := blocks.text[line]) not in said and not is_name(text)
    }
    # most pages have none left, and the search for the lead costs more than all else here
    lead = page.lead if left else None
    if lead and lead.is_told and lead.row in left:
        found[lead.blocks[0]] = sorted((*found.get(lead.blocks[0], ()), left[lead.row]))


def _list_holding(columns: PageColumns, units: Sequence[Unit], among: Sequence[int]) -> list[int]:
    """Those of some text blocks that hold text of units."""
    document, block_of = columns.document, columns.blocks.block_of
    nodes = (node for unit in units for node in find_texts(document, *unit) if document.text_owner[node] >= unit.first)
    return sorted(set(map(block_of.item, nodes)).intersection(among))


def score_keeping(page: SemanticPage, share: Floats, rules: Keep, *, by_parts: bool) -> Floats:
    """float64 [n]: probability that each block is not noise, adjusted by the share of its words that are kept.

    share: float64 [n], 0 to 1, of the words of each block that are kept. by_parts: the page is read part by part.
    Lists that only their entries speak for are kept if they are important, beside the most important block of the page:
    menus and lists of services at the foot of a page have entries too. A heading alone is kept with what it names.
    """
    # less one half: a block of which as much is kept as dropped is judged by its role alone
    base = 1 + rules.text_weight * (share - 0.5)
    noise = page.scores.share_of(rules.noise)
    noise[[*page.menus]] = 1.0
    # a page of several parts is about its lists, whatever the cards say of their texts
    of_lists = np.maximum(base, 1.0) if by_parts else base
    # on a page that is hidden as a whole until its scripts run, `hidden_aside` is 0, so its blocks stay
    shown = 1.0 if rules.hidden else 1 - measure_segments(page.columns, "hidden_aside")
    worth, by_entries = base * shown - noise, of_lists * shown - rules.index_noise * noise
    # lists are noise by the card, as menus are; those that lead to pages of their own get another chance
    indexes = np.array([*page.indexes], dtype=np.int64)
    least = rules.index_importance if by_parts else rules.beside_importance
    # on most pages it decides nothing
    if least and ((worth[indexes] < rules.cut) & (by_entries[indexes] >= rules.cut)).any():
        indexes = indexes[page.prominence[indexes] >= least * page.prominence.max(initial=0.0)]
    worth[indexes] = by_entries[indexes]
    # from the end: of several headings alone above each other the last has the worth of the text first
    for number, named in reversed(page.named.items()):
        worth[number] = worth[named]
    # the search for the lead costs more than all else here: asked where a headline would go
    goes = (worth < rules.cut) & (measure_segments(page.columns, "n_headings") > 0)
    if goes.any() and (goes & page.may_lead).any() and page.lead is not None and page.lead.is_told:
        worth[page.lead.blocks] = np.maximum(worth[page.lead.blocks], rules.cut)
    return worth
