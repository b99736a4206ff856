"""The importance of semantic blocks, and the lead: the story that an editor has put first.

A headline is a heading that is a link, holds one, or has one beside it; a line that is a link where no headings are, or
where its element is named for the lead. Of those that stand in no menu, the lead is the
one for which most speaks: what an editor does to show that a story comes first.

    <div class="top-story"> <a><img width=1200></a> <h1><a>..</a></h1> <p>..</p> </div>    names, picture, rank, summary
    <div class="row"> <h3><a>..</a></h3> <h3><a>..</a></h3> <h3><a>..</a></h3> </div>      nothing but their place
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from webclean.blocks.text_blocks import find_lines
from webclean.features.page_words import count_matches, find_names
from webclean.matching.expressions import compile_pattern
from webclean.model import Floats, Mask, Role, Rows
from webclean.parse import climb, find_texts, read_attribute, read_attributes, sum_before
from webclean.parse.tags import CODE, HEADING
from webclean.rules.segments_schema import Importance
from webclean.segments.segment_columns import SegmentColumns, measure_segments
from webclean.segments.units import kept_by_argument, list_inside, match_whole
from webclean.segments.urls import UrlStructure, is_generated, is_host

_MOST_TRIED: Final = 80
"""Headlines that are compared, from the top: what comes after them leads nothing, and a vast page has thousands."""
_FEWEST: Final = 3  # headlines of a page of stories
_MOST_OF_RANK: Final = 2
"""At most so many headings of one rank tell a lead: three and more are a list."""
_MOST_TEXT: Final = 0.5
"""A block with this share of the page's text is the subject of the page, not one of several stories."""
_MOST_NAMED: Final = 0.25
"""Share of the page's text up to which the name of an element is said of a story in it, and not of the page."""
_LEVELS: Final = 6  # elements above a headline whose names are read
_ICON_PIXELS: Final = 60
_MOST_LINKS: Final = 4  # of a story
_FEWEST_CHARS: Final = 4  # of a headline, which a Chinese one has
_BELOW_ALL: Final = 10**6  # a rank
_NAMED: Final = "named as the lead"
_RANK: Final = "of the highest rank"
_UNSEEN: Final = "named as hidden"
_SUMMARY: Final = "a summary"
_PICTURE: Final = "a picture"


class Lead(NamedTuple):
    """blocks: of the lead. row: its heading. why: what speaks for it, in words. is_told: whether its name,
    rank or summary does, so that it is kept whatever its block looks like."""

    blocks: list[int]
    row: int
    why: str
    is_told: bool


class LeadSearch:
    """Compares the headlines of one page.

    rows: of the headlines, rising. rank: of headings their rank, of other lines one below all. until: characters of the
    text blocks before each element; ahead: but those of menus. line_of: headline that is compared -> its first block.
    """

    def __init__(self, columns: SegmentColumns, may_lead: Mask, units: Rows) -> None:
        """may_lead: bool [n], not of blocks such as menus. units: int64 [n_units, 2], the entries of lists."""
        document, blocks = columns.page.document, columns.page.blocks
        self.columns, self.document, self.rules = columns, document, columns.rules
        n_chars = np.bincount(blocks.row, blocks.n_chars, minlength=len(document))
        # views: single entries are read
        self.until = sum_before(n_chars).data
        self.ahead = sum_before(n_chars * np.append(may_lead, False)[columns.segments.owner]).data
        self._links, self._images = (
            found.nonzero()[0].tolist()
            for found in (document.link == np.arange(len(document)), document.tag == CODE["img"])
        )
        self.linked = document.link >= 0
        inside = [row for row in self._links if columns.segments.owner[row] >= 0]
        self.linked[document.block[inside]] = True  # a link around a heading, or one in it
        self._bit = self.rules.group_bits["lead"]
        self._names, self._tokens = find_names(columns.page), frozenset(self.rules.tokens["lead"].split())
        self._says_top, self._says_unseen = (
            compile_pattern(self.rules.markup[name]).search for name in ("top", "unseen")
        )
        self._leads_on = compile_pattern(match_whole(self.rules.records.leads)).search
        self.rank = np.where(HEADING[document.tag], document.tag, _BELOW_ALL).data
        self.rows = self._list_headlines(may_lead, units)
        tried = self.rows[:_MOST_TRIED]
        self.line_of = dict(zip(tried, find_lines(document, blocks, tried)[0].tolist(), strict=True))

    def _list_headlines(self, may_lead: Mask, units: Rows) -> list[int]:
        """Rows, rising: headings with words; lines that are links, if named for the lead or there are no headings."""
        blocks, owner, parent = self.columns.page.blocks, self.columns.segments.owner, self.document.parent
        rows = (HEADING[self.document.tag] & self.document.displayed).nonzero()[0]
        rows = rows[(owner[rows] >= 0) & may_lead[owner[rows]]]
        rows = rows[[self._count(row) >= _FEWEST_CHARS for row in rows.tolist()]]
        is_line = (blocks.n_link_chars == blocks.n_chars) & ~self.columns.page.is_heading
        places = (is_line & blocks.visible & (blocks.n_chars >= _FEWEST_CHARS)).nonzero()[0]
        places = places[(owner[blocks.row[places]] >= 0) & may_lead[owner[blocks.row[places]]]]
        lines = blocks.row[places]
        # headings as short as names are those of lists
        if len(list(islice((row for row in rows.tolist() if not self._is_short(row)), _FEWEST))) == _FEWEST:
            bits = self.columns.name_bits
            around = bits[lines] | bits[parent[lines]] | bits[np.maximum(0, parent[parent[lines]])]
            may_be = (around & self._bit) > 0
        else:  # an entry of a list stands in a row with others
            may_be = units[:, 0].searchsorted(lines, side="right") == units[:, 1].searchsorted(lines, side="right")
        # `1 2 3 4` below a slider is no headline
        lines = lines[
            [place for place in may_be.nonzero()[0].tolist() if any(map(str.isalpha, blocks.text[places[place]]))]
        ]
        return sorted({*rows.tolist(), *lines.tolist()})

    def find(self, kept: Mask | None = None) -> Lead | None:
        """The lead of a page of stories, None for other pages. kept: bool [n], the blocks that may hold it."""
        text_share, owner = measure_segments(self.columns, "text_share"), self.columns.segments.owner
        n_headlines = np.bincount(owner[self.rows], minlength=len(text_share))
        if len(self.rows) < _FEWEST or (text_share[n_headlines < _FEWEST] > _MOST_TEXT).any():
            return None
        found: list[tuple[dict[str, float], int]] = []
        for row in self.line_of:
            if (kept is None or kept[owner[row]]) and (said := self._weigh(row, len(found))):
                found.append((said, row))
        if len(found) < _FEWEST and not any(said[_NAMED] for said, _ in found):
            return None
        self._weigh_ranks(found)
        # in a tie the first candidate of the page wins
        said, row = max(found, key=lambda one: sum(one[0].values()))
        is_told = any(said[name] > 0 for name in (_NAMED, _RANK, _SUMMARY))
        # where lines compete, one that stands out by its place and rank alone is the first of a list or heads it
        are_headings = max(map(self.rank.__getitem__, self.rows)) < _BELOW_ALL
        stands_out = said[_NAMED] > 0 or (said[_PICTURE] > 0 and is_told) or are_headings
        why = ", ".join(name for name, points in said.items() if points > 0)
        # where more speaks against the best one than for it, none leads
        leads = stands_out and sum(said.values()) > 0 and not self._are_goods(found)
        return Lead(self._list_blocks(row), row, why, is_told) if leads else None

    def _are_goods(self, found: Sequence[tuple[dict[str, float], int]]) -> bool:
        """Whether a short line with a price follows most headlines before the next one: no editor puts goods first."""
        page, blocks = self.columns.page, self.columns.page.blocks
        is_price = (count_matches(page, page.prices_dates.prices) > 0) & (blocks.n_words <= self.rules.titles.words)
        before = np.searchsorted(self.rows, blocks.row[is_price & ~page.is_heading], side="right")
        priced = {self.rows[at - 1] for at in before.tolist() if at}
        return 2 * sum(row in priced for _, row in found) >= max(1, len(found))

    def _weigh_ranks(self, found: Sequence[tuple[dict[str, float], int]]) -> None:
        """Add what speaks for linked headings of the highest rank, if few stories have it. A story that stands twice in
        the markup, once for each width of the screen, is one."""
        shown = [(said, row) for said, row in found if self.linked[row] and not said[_UNSEEN]]
        stories = {(self.rank[row], self._read(row)) for _, row in shown if self.rank[row] < _BELOW_ALL}
        top = min(map(itemgetter(0), stories), default=-1)
        if sum(rank == top for rank, _ in stories) <= _MOST_OF_RANK < len(stories):
            for said, row in shown:
                said[_RANK] = 1.5 * (self.rank[row] == top)

    def _list_blocks(self, row: int) -> list[int]:
        """The blocks of a headline: its own, and, if that holds the headline alone, those after it up to the next
        headline."""
        segments, names = self.columns.segments, ("n_headings", "n_text_blocks")
        n_headings, n_lines = (measure_segments(self.columns, name) for name in names)
        own = int(segments.owner[row])
        end = self.document.end[self.document.parent[segments.roots[own][0]]]
        after = range(own + 1, len(segments) if n_lines[own] == 1 else 0)
        below = takewhile(lambda number: not n_headings[number] and segments.roots[number][0] < end, after)
        return [own, *below]

    def _weigh(self, row: int, n_before: int) -> dict[str, float] | None:
        """Reason -> points for a headline; None for the title of a list, the name of a site or of the page."""
        document, most = self.document, self.until[-1] * _MOST_NAMED
        above = islice(climb(document, document.parent.item(row), 0), _LEVELS)
        around = list(takewhile(lambda at: self._count(at) <= most, above))
        end = document.end.item(entry := self._find_entry(row, around))
        is_linked, is_short, link = bool(self.linked[row]), self._is_short(row), document.link.item(row)
        inside = list_inside(self._links, row, document.end.item(row)) if link < 0 else ()
        link, links = next(iter(inside), link), list_inside(self._links, entry, end)
        if not is_linked and not (0 < len(links) <= (1 if is_short else _MOST_LINKS) and any(map(self._is_way, links))):
            return None
        target = (read_attribute(document, link, "href") or "").strip() if is_linked and link >= 0 else ""
        # the front page, or that of another site, which is its name and no story
        if target and (is_host(target) or compile_pattern(self.rules.markup["home"]).search(target)):
            return None
        # `Science` names headlines of lower ranks, or links to the section of that name
        if is_short and (len(list_inside(self.rows, entry, end)) > 1 or (target and not is_generated(target))):
            return None
        images = list_inside(self._images, entry, end)
        widths = [width.removesuffix("px") for width in read_attributes(document, images, "width")]
        # a name, or what leads to a story without saying which, as long as it is no heading
        says_nothing = self.rank[row] == _BELOW_ALL and bool(is_short or self._leads_on(self._read(row)))
        # names are looked up last, for half of the headlines are none
        is_named, classes = self._is_told(row, entry, around), map(self._names.classes.item, (row, *around))
        before = self.ahead[row] / max(1, self.ahead[-1])
        return {
            _NAMED: (2.0 if self.rank[row] < _BELOW_ALL else 1.0) * is_named,
            _RANK: 0.0,
            # larger than an icon, as far as its markup says
            _PICTURE: 0.8 * any(not width.isdecimal() or int(width[:6]) > _ICON_PIXELS for width in widths),
            _SUMMARY: 0.5 * (self._count(entry) - self._count(row) >= self.rules.records.summary_bytes),
            "at the top": 1.5 / (1 + n_before) - 3.0 * before,
            _UNSEEN: -1.0 * any(map(self._is_unseen, classes)),
            "": -0.7 * is_short - 0.5 * (not is_linked) - 3.0 * says_nothing,
        }

    def _find_entry(self, row: int, around: Sequence[int]) -> int:
        """The largest element around a headline that holds no other of its rank."""
        entry = row
        for at in around:
            inside = list_inside(self.rows, at, self.document.end.item(at))
            if any(other != row and self.rank[other] <= self.rank[row] for other in inside):
                break
            entry = at
        return entry

    def _is_told(self, row: int, entry: int, around: Sequence[int]) -> bool:
        """Whether a headline, an element around it or the label before it is named for the lead."""
        blocks, before = self.columns.page.blocks, self.line_of[row] - 1
        label = blocks.text[before] if blocks.row[before] >= entry else ""
        is_labelled = self.rules.titles.is_name(label) and not self._tokens.isdisjoint(label.lower().split())
        # the label of an entry repeats its headline, which may say `focus` too
        said, name = self._read(row), self._names.index.item
        named = (at for at in (row, *around) if self.columns.name_bits.item(at) & self._bit or self._is_top(name(at)))
        return is_labelled or any(said not in self._names.names[name(at)] for at in named)

    def _is_way(self, link: int) -> bool:
        """Whether a link leads to the story of its entry: a picture or `read more` does, a word of a text does not."""
        text, owner = self.document.text, self.document.text_owner
        nodes = find_texts(self.document, link, self.document.end.item(link))
        said = "".join(text[node] for node in nodes if owner[node] >= link).strip()
        return not said or self._leads_on(said) is not None

    @kept_by_argument  # most headlines have the same names around them
    def _is_top(self, name: int) -> bool:
        return self._says_top(self._names.names[name]) is not None

    @kept_by_argument
    def _is_unseen(self, name: int) -> bool:
        """Whether a class says that an element is not shown; `overflow-hidden` and `hidden md:block` do not."""
        return self._says_unseen(self._names.names[name]) is not None

    @kept_by_argument  # asked up to four times of a headline
    def _read(self, row: int) -> str:
        """The text of an element."""
        lines = self.columns.list_lines(row, self.document.end.item(row))
        return " ".join(map(self.columns.page.blocks.text.__getitem__, lines))

    def _count(self, row: int) -> float:
        """Characters of an element."""
        return self.until[self.document.end.item(row)] - self.until[row]

    def _is_short(self, row: int) -> bool:
        """Whether a headline is as short as the name of a desk."""
        return self.rules.titles.is_name(self._read(row))


def weigh_places(columns: SegmentColumns, roles: Sequence[Role], weights: Importance) -> dict[str, Floats]:
    """What size, place and role give to the importance of each block: name -> float64 [n]."""
    return {
        # the square root, or one long block would leave the others no importance
        "size": weights.size * np.sqrt(measure_segments(columns, "text_share")),
        "position": weights.position * (1 - measure_segments(columns, "position")),
        "role": np.array([weights.roles.get(str(role), 0.0) for role in roles], dtype=np.float64),
    }


def weigh_urls(urls: Sequence[UrlStructure], weights: Importance) -> dict[str, Floats]:
    """What URLs add to the importance of each block, less for blocks with few URLs: name -> float64 [n]."""
    measured = [(own.n_urls, own.regularity, own.marker_weight) for own in urls]
    n_urls, regularity, marker_weight = np.array(measured, dtype=np.float64).reshape(-1, 3).T
    # two links share a pattern by chance, so few links have little weight
    trust = np.minimum(1.0, n_urls / weights.full_urls)
    return {
        "url regularity": weights.regularity * trust * regularity,
        "url markers": weights.markers * trust * marker_weight,
    }
