"""Semantic blocks and sections -> the title that a reader would give each, '' rather than a wrong one.

Blocks:

    <div><b>Local news</b> <ul> <li>..</li> <li>..</li> </ul></div>      the short line before the first entry
    <h2>Local news</h2> <ul> <li><h3>..</h3></li> <li>..</li> </ul>      the heading that stands alone before the block

A heading inside an entry is the entry's. Outside lists, the first heading of the block is its title.

Sections:

<section> <h2>Sport</h2> <div>..</div> </section>          the heading that leads it, if no other of its rank follows
<div> <h3>Topics</h3>.. <h3>Links</h3>.. </div>            it does: each names a part, and neither names the whole
<div> <b>Local news</b> <ul>..</ul> </div>                 a line in bold or a label before the rest
<h2>Local news</h2> <div> <ul>..</ul> </div>               the heading that stands alone before it
<nav aria-label="Breadcrumb">                              what the element is called
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import filterfalse, takewhile
from typing import Final, NamedTuple

from webclean.blocks.text_blocks import find_lines
from webclean.caching import cached_property
from webclean.features.page_words import find_names
from webclean.matching.expressions import compile_pattern
from webclean.model import Mask, Rows
from webclean.parse import climb, read_attribute
from webclean.parse.controls import clean_line
from webclean.parse.tags import CODE, tag_mask
from webclean.segments.listing import Listing
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.units import LIST_OF_ITEMS, kept_by_argument
from webclean.segments.urls import generalise_url, is_host

LABEL: Final = tag_mask("dt th caption legend summary")
BOLD: Final = tag_mask("b strong")
_LINKED: Final = 0.5
"""Share of link text from which lines are a list of links."""
_NUMBER: Final = re.compile(r"\d{3}")
"""In the query of a page of its own; sections have words there, or small numbers."""


class Span(NamedTuple):
    """A section by its outermost elements, and the rows from the first of them to the end of the last."""

    rows: tuple[int, ...]
    first: int
    end: int

    def holds(self, row: int) -> bool:
        """Whether an element is in it."""
        return self.first <= row < self.end


class TitleSearch:
    """Finds the titles of the blocks and sections of one page; each is read when it is asked for.

    columns: the page with its blocks. listings: the entries of each block. is_noise: whether the card takes each block
    for noise, such as a menu: that has no title outside. units: int64 [n_units, 2], the rows of the entries of all
    lists.
    """

    def __init__(
        self, columns: SegmentColumns, listings: Sequence[Listing], is_noise: Sequence[bool], units: Rows
    ) -> None:
        self.columns, self._listings, self._is_noise, self._units = columns, listings, is_noise, units
        self._is_heading, self._rules = columns.page.is_heading, columns.rules.titles
        self._announces_advertising = compile_pattern(columns.rules.titles.refused).search
        self._leads_on = compile_pattern(columns.rules.titles.leading).search
        self._is_end = compile_pattern(columns.rules.titles.ends).fullmatch
        self._is_control = compile_pattern(columns.rules.patterns["controls"]).search

    @kept_by_argument  # asked up to four times of a heading
    def is_entry(self, place: int) -> bool:
        """Whether a line is a link to a page whose URL was generated: a lead story, say. Those of sections are not."""
        return bool(self._list_families(place)) and not self._names_section(place)

    @kept_by_argument
    def _list_families(self, place: int) -> set[str]:
        """The families of the generated URLs to which the links of a line lead."""
        document, blocks = self.columns.page.document, self.columns.page.blocks
        nodes = range(blocks.first.item(place), blocks.last.item(place))
        own = (node for node in nodes if blocks.block_of[node] == place and not self._leads_on(document.text[node]))
        owners = (document.text_owner.item(node) for node in own)
        links = {document.link.item(owner) for owner in owners}
        targets = [(read_attribute(document, row, "href") or "").strip() for row in links if row >= 0]
        numbered = [url for url in targets if "?" not in url or _NUMBER.search(url)]
        return {generalise_url(url) for url in numbered if not is_host(url)} - {""}

    def _names_section(self, place: int) -> bool:
        """Whether a line is a name beside the first link after it, which is longer and of another family of addresses:
        `/section/12` is the desk of `/2024/05/12/the-ferry-is-back`."""
        blocks, rules = self.columns.page.blocks, self._rules
        if not rules.is_name(blocks.text[place]):
            return False
        after = range(place + 1, min(place + 1 + rules.lines, len(blocks)))
        linked = next((at for at in after if blocks.n_link_chars[at] and not self.leads_on(at)), None)
        if linked is None or len(blocks.text[linked].encode()) < 2 * len(blocks.text[place].encode()):
            return False
        return self._list_families(linked).isdisjoint(self._list_families(place))

    @cached_property
    def _short(self) -> Mask:
        """bool [n_text_blocks]: lines as short as a label."""
        rules, blocks = self._rules, self.columns.page.blocks
        # `U.S.` is no sentence
        is_line = (blocks.n_sentences == 0) | (blocks.n_words <= 2)
        short: Mask = (blocks.n_words <= rules.words) & (blocks.n_chars <= rules.chars) & is_line
        return short

    def leads_on(self, place: int) -> bool:
        """Whether a line is short and leads on or away, as `see all` and `hide` do."""
        return bool(self._short[place]) and self._leads_on(self.columns.page.blocks.text[place]) is not None

    @kept_by_argument
    def is_label(self, place: int) -> bool:
        """Whether a line is short, has words, does not lead on and is not several links. A letter stands for a face."""
        text, n_chars = self.columns.page.blocks.text[place], self.columns.page.blocks.n_chars[place]
        # mostly letters: prices, counts and page numbers are short lines, too
        is_name = self._short[place] and 2 * sum(map(str.isalpha, text)) >= n_chars and not self._leads_on(text)
        return bool(is_name) and not (n_chars == 1 and text.isascii()) and not self._offers_choice(place)

    def _offers_choice(self, place: int) -> bool:
        """Whether a line is links beside each other and nothing else, as a row of tabs is: it names nothing."""
        blocks, document = self.columns.page.blocks, self.columns.page.document
        if blocks.n_link_chars[place] < blocks.n_chars[place]:
            return False
        nodes = range(blocks.first.item(place), blocks.last.item(place))
        owners = (document.text_owner.item(node) for node in nodes if blocks.block_of[node] == place)
        links = {document.link.item(owner) for owner in owners} - {-1}
        return len({(read_attribute(document, row, "href") or "").strip() for row in links}) > 1

    def is_refused(self, place: int) -> bool:
        """Whether a line is a date, announces advertising or is a control."""
        text = self.columns.page.blocks.text[place]
        if self._announces_advertising(text) or self._is_control(text):
            return True
        # `12 May 2024` above a list says when it was made
        found = self.columns.page.prices_dates.date_texts.search(text)
        return found is not None and 2 * len(found.group(0)) >= len(text)

    def read(self, place: int) -> str:
        """The text of a line as a title, without the link to more or the icon at its end."""
        blocks, document = self.columns.page.blocks, self.columns.page.document
        text, first, last = blocks.text[place], blocks.first.item(place), blocks.last.item(place)
        # signs alone close what was opened before a link: `Messages (View all)`
        own = (node for node in range(first, last) if blocks.block_of[node] == place)
        nodes = [node for node in own if any(map(str.isalnum, document.text[node]))]
        while len(nodes) > 1:
            end, links = " ".join(document.text[nodes[-1]].split()), document.link[document.text_owner[nodes]].tolist()
            # `More` is a part of a title unless it is a link of its own
            is_link = links[-1] >= 0 and links[-1] not in links[:-1] and self._leads_on(end)
            if not (is_link or self._is_end(end)) or end not in text:
                break
            text = text[: text.rindex(end)].rstrip(" (|·»›>-–—:：")
            nodes.pop()
        return text or blocks.text[place]

    def _choose(self, places: Iterable[int]) -> int | None:
        """The first line that is not refused."""
        return next(filterfalse(self.is_refused, places), None)

    def find(self, number: int) -> str:
        """The title of a block, '' if it has none."""
        found = self.find_line(number)
        return "" if found is None else self.read(found)

    @kept_by_argument  # asked for the role of a list, for its text, and again when titles are shown
    def find_line(self, number: int) -> int | None:
        """The line that is the title of a block."""
        own = self.columns.list_text_blocks(number)
        found = self._find_inside(number) if own else None
        if found is None and own and not self._is_noise[number]:
            # several headings are links to pages of their own, as those of stories are
            several = sum(map(self.is_entry, self._list_headings(own))) >= self._rules.entries
            n_units = len(self._listings[number])
            # a heading before a list or several stories is theirs; running text has its own, or is an article whose
            # head is a block of its own
            found = self._find_before(number) if n_units or several else None
            if found is None and n_units < self._rules.entries and not several:
                found = self._find_around(number)
        return found

    def _list_headings(self, places: Iterable[int], *, highest: bool = False) -> list[int]:
        """The lines that are headings, or those of the highest rank."""
        headings = [place for place in places if self._is_heading[place]]
        tags = self._tags[headings].tolist() if highest else []
        return [place for place, tag in zip(headings, tags, strict=True) if tag == min(tags)] if highest else headings

    @cached_property
    def _tags(self) -> Rows:
        """int [n_text_blocks]: the tag of each line; the lower that of a heading, the higher its rank."""
        return self.columns.page.document.tag[self.columns.page.blocks.row]

    def _find_heading(self, number: int) -> int | None:
        """The heading of a block that is no list: before several stories, if they have one, or the label there; of a
        single story the first of the highest rank, since a lower one before it says what it is about; else the first.
        """
        own = self.columns.list_text_blocks(number)
        headings = self._list_headings(own)
        stories = [place for place in headings if self.is_entry(place)]
        # the headline of one of two stories says nothing of the other
        if len(stories) >= self._rules.entries:
            return self._find_before_entries([place for place in own if place < stories[0]])
        # `Topics` above links of which too few are alike to be a list
        if not headings and self.is_label(own[0]) and self._heads_links(own[0], own[1:]):
            return self._choose(own[:1])
        return self._choose(self._list_headings(headings, highest=bool(stories)))

    def _find_inside(self, number: int) -> int | None:
        """The title that stands in a block: of a list before its first entry, of other blocks one of the headings."""
        own, listing = self.columns.list_text_blocks(number), self._listings[number]
        if len(listing) < self._rules.entries:
            return self._find_heading(number)
        rows, first = self.columns.page.blocks.row, listing.bounds[0, 0]
        before = list(takewhile(lambda place: rows[place] < first, own))
        second = listing.bounds[1, 0]
        # a line without a link in the element of the first entry itself, as no line of the second is: the title of a
        # list may be in its first cell
        if not before and not self.columns.page.blocks.n_link_chars[own[0]] and rows[own[0]] == first:
            before = [] if second in rows else own[:1]
        return self._find_before_entries(before)

    def _find_before_entries(self, before: Sequence[int]) -> int | None:
        """The first heading of the lines before the first entry or, where none is, the first of few lines."""
        named = [place for place in before if not self.is_entry(place)]
        headed = self._choose(place for place in named if self._is_heading[place])
        labels = [place for place in named if self.is_label(place)]
        # a label is one only as the first of few lines: further down it is the end of a text before the list
        if headed is None and 0 < len(before) <= self._rules.lines and labels[:1] == list(before[:1]):
            return self._choose(labels[:1])
        return headed

    def _find_before(self, number: int) -> int | None:
        """The heading next before a block, or the first of the few short lines there, where no other text is in their
        blocks and they are near in the tree."""
        columns, lines = self.columns, self._list_lines_before(number)
        said = [line for line in lines if self._is_heading[line] or self.is_label(line)]
        if not said or len(said) > self._rules.lines or any(self.is_entry(line) for line in said):
            return None
        # a block that says more than these lines is what they are the title of
        around = {int(columns.segment_of[line]) for line in lines} - {-1}
        if any(set(columns.list_text_blocks(other)) - set(lines) for other in around):
            return None
        return self._choose(reversed(said))

    def _find_around(self, number: int) -> int | None:
        """The heading before a block in the largest element around it of which it is nearly all: an article whose head
        is a block of its own."""
        columns, own = self.columns, self.columns.list_text_blocks(number)
        document, blocks = columns.page.document, columns.page.blocks
        most, around = blocks.n_chars[own].sum() / columns.rules.sections.close, own[:0]
        row = int(document.parent[columns.segments.roots[number][0]])
        # up, as long as next to nothing but the block is in the element
        while row > 0:
            first, end = find_lines(document, blocks, row).tolist()
            if blocks.n_chars[first:end].sum() > most:
                break
            around, row = list(range(first, own[0])), int(document.parent[row])
        return self._choose(self._list_headings(around, highest=True))

    def _list_lines_before(self, number: int) -> list[int]:
        """The short lines right before a block, the nearest first, up to a heading; `see all` among them."""
        columns, rules = self.columns, self._rules
        document, rows = columns.page.document, columns.page.blocks.row
        # the heading of the column beside it may be next in the source, but is far away in the tree
        near = int(document.parent[columns.segments.roots[number][0]])
        for _ in range(rules.levels):
            near = max(0, int(document.parent[near]))
        # directly in the body any short line stands before something, so lines are no labels there
        are_labels_wanted = near != 0 and document.tag[near] != CODE["body"]
        lines: list[int] = []
        place = self.columns.list_text_blocks(number)[0] - 1
        while place >= 0 and near <= rows[place] < document.end[near]:
            # an entry of the list before
            if columns.segment_of[place] >= 0 and len(self._listings[columns.segment_of[place]]):
                break
            is_passed = self.leads_on(place) or (are_labels_wanted and self.is_label(place))
            if not (self._is_heading[place] or is_passed):
                break
            lines.append(place)
            # twice as many, since lines that lead on (`see all`) are no titles and count for none
            if self._is_heading[place] or len(lines) > 2 * rules.lines:
                break
            place -= 1
        return lines

    def _heads_links(self, place: int, rest: Sequence[int]) -> bool:
        """Whether a line is no link while most lines after it are links."""
        blocks = self.columns.page.blocks
        linked, whole = blocks.n_link_chars[rest].sum(), blocks.n_chars[rest].sum()
        return bool(len(rest) and not blocks.n_link_chars[place] and linked >= _LINKED * whole)

    def find_of_section(
        self, span: Span, is_noise: bool, around: Span | None, inside: Span | None, alone: int | None, entry: str
    ) -> str:
        """The title of a section.

        Args:
            span: of the section.
            is_noise: it is a menu, say, which only a heading of its own names.
            around, inside: of the section around it, and of the first one in it.
            alone: the block that is all of it, if one is.
            entry: the title of the entry that is all of it, if one is.
        """
        # the search in a block knows the entries of its list
        if alone is not None and (title := self.find(alone)):
            return title
        lines, (first, end) = self.columns.list_lines(span.first, span.end), self._units.T
        # `Choose a topic` of a menu that opens at a click is nothing that is read first
        places = [place for place in lines if self.columns.page.blocks.visible[place]] or lines
        # where there is one entry of a list at most, a link can be the title
        entries = None if is_noise else self._units[(first >= span.first) & (end <= span.end)]
        found = self._find_leading(places, entries)
        # a label before the headline, such as the desk or a place, says what the entry is about
        if entry and (found is None or not self._is_heading[found]):
            return entry
        if found is not None and inside is not None:
            # in a section inside that is less than half of the whole: then it is the title of that
            lines, n_chars = self.columns.list_lines(inside.first, inside.end), self.columns.page.blocks.n_chars
            found = None if found in lines and 2 * n_chars[lines].sum() < n_chars[places].sum() else found
        if found is None and places:
            found = self._find_above_list(span, places) if is_noise else self._find_beside(span, places[0], around)
        if found is not None:
            return self.read(found)
        # last: it is written for those who do not see the page, who are told more than others read
        called = read_attribute(self.columns.page.document, span.rows[0], "aria-label") if len(span.rows) == 1 else ""
        return clean_line(called)[: self._rules.chars]

    def _find_leading(self, places: Sequence[int], entries: Rows | None) -> int | None:
        """The heading or label among the first lines that speaks for all that follows, as the headline of the first of
        several entries does not. entries: of the section; None where no label can."""
        for at, place in enumerate(places[: self._rules.lines]):
            if self._is_heading[place]:
                is_one_of_many = entries is not None and len(entries) > 1 and self.is_entry(place)
                # where another heading has its rank, or a higher one, this one is a part's alone
                rivals = (at for at in self._list_headings(places) if at != place)
                if at + 1 < len(places) and self._is_heading[places[at + 1]] and not self.is_entry(place):
                    rivals = (other for other in rivals if self._tags[other] < self._tags[place])
                leads = not self.is_refused(place) and all(self._tags[at] > self._tags[place] for at in rivals)
                return place if leads and not is_one_of_many else None
            if entries is None or not self.is_label(place):
                return None
            if not at and len(places) > 1 and self._names_rest(place, places, entries):
                return place
        return None

    def _names_rest(self, place: int, places: Sequence[int], entries: Rows) -> bool:
        """Whether the first line, which is short, is a label of the lines after it: it stands out, it is the linked
        name of an entry, or it is no link and links follow. What the first of several entries says is its own."""
        blocks, row = self.columns.page.blocks, self.columns.page.blocks.row[place]
        # such as the credit of the first picture
        is_in_first = len(entries) > 1 and ((entries[:, 0] <= row) & (row < entries[:, 1])).any()
        if self.is_refused(place) or is_in_first:
            return False
        if blocks.n_link_chars[place] and len(entries) <= 1:
            return True
        document, line = self.columns.page.document, int(row)
        end = document.end[line]
        # a line in bold or a label stands out
        is_bold = line + 1 < end and BOLD[document.tag[line + 1]] and document.end[line + 1] == end
        is_told_apart = bool(is_bold or LABEL[document.tag[line]])
        is_told_apart = is_told_apart or (len(entries) != 1 and self._heads_links(place, places[1:]))
        return is_told_apart and not self.is_entry(place)

    def _find_above_list(self, span: Span, places: Sequence[int]) -> int | None:
        """The line that opens a part of a menu: alone before the inner list of an item, which the part is, or that of
        the item itself.

            <li> <a href=/about>About us</a> <ul> <li><a>History</a></li> <li><a>People</a></li> </ul> </li>
        """
        document, rows = self.columns.page.document, self.columns.page.blocks.row
        lists = (LIST_OF_ITEMS[document.tag[span.first : span.end]]).nonzero()[0] + span.first
        if not len(lists) or len(span.rows) > 1:
            return None
        # the part may be a list with what wraps it
        item = next((row for row in climb(document, span.first, 0) if document.tag[row] == CODE["li"]), span.first)
        before = [place for place in range(places[0] + 1) if item <= rows[place] < lists[0]]
        # in an item several lists may follow, as in the columns of a large menu
        is_whole = bool(before) and (document.tag[item] == CODE["li"] or self._stands_alone(before[0], places, lists))
        is_one = len(before) == 1 or (is_whole and 0 < len(before) <= self._rules.lines)
        return self._choose(before[:1]) if is_one and is_whole and self.is_label(before[0]) else None

    def _stands_alone(self, place: int, places: Sequence[int], lists: Rows) -> bool:
        """Whether next to nothing but lists follows a line in its block: a label or a link to more for each, none of
        which looks as the line does, or it would name a part of them."""
        rows, end = self.columns.page.blocks.row, self.columns.page.document.end
        outside = [at for at in places if at != place and not ((lists <= rows[at]) & (rows[at] < end[lists])).any()]
        classes = find_names(self.columns.page).classes[rows[[place, *outside]]].tolist()
        is_one = self.columns.segment_of[place] == self.columns.segment_of[places[-1]]
        return bool(is_one) and len(outside) <= len(lists) and classes[0] not in classes[1:]

    def _find_beside(self, span: Span, first: int, around: Span | None) -> int | None:
        """The heading that stands alone next before a section, beside it or beside the element around it."""
        document, before = self.columns.page.document, first - 1
        if before < 0 or not self._is_heading[before] or self.is_refused(before):
            return None
        row, parent = int(self.columns.page.blocks.row[before]), int(document.parent[span.first])
        near = {parent, int(document.parent[parent]) if parent >= 0 else -1}
        is_inside = around is None or around.first <= row < around.end
        return before if is_inside and int(document.parent[row]) in near else None
