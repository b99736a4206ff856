"""The footnotes of a page: the references to them, their texts, and what is left out beside both.

Three ways to write them are known, and names of classes only support what position and links say:

    text<sup><a href="#fn1">1</a></sup>  ...  <li id="fn1">The note. <a href="#ref1">↩</a></li>      a link
    text<sup>1</sup>  ...  <h2>Notes</h2> <p><sup>1</sup> The note.</p>                              the same sign
    text<label>1</label><span class="sidenote">The note.</span> goes on                              in its place

A link is a reference if it leads to a later place of the page, shows only a number or sign, and is raised, in brackets,
named so by its role (DPUB-ARIA 1.1) or a class, or if the note leads back to it. A raised sign without a link is one
if a text begins with the same sign where notes stand: after a rule or a heading such as `Notes`, in an `aside`, or in
what a class calls so.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Set
from itertools import count, islice, pairwise, takewhile
from typing import Final
from urllib.parse import unquote

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.tools import Conventions, find_named, has_text, list_children, list_texts, read_words
from webclean.parse import climb, count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_holding, list_values, mark_slices
from webclean.parse.controls import clean_line
from webclean.parse.tags import BLOCK, CODE, HEADING, tag_mask

# longer signs are words: `more` leads to a text, and is no footnote
_SIGN: Final = re.compile(r"[\[(]?\s*(\d{1,4}|[a-z]|[*†‡§¶#]{1,4}|[ivx]{1,5})\s*[\])]?[.:]?")
_RAISED_SIGN: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?")
_FIRST_SIGN: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?[.:]?\s*(?=\S)")
_MAX_CHARACTERS: Final = 4000
"""A longer text is no footnote."""
_MAX_MARKUP: Final = 10 * _MAX_CHARACTERS
"""The same with all white space between the words, which is counted first because it is quicker."""
_MAX_BACK: Final = 12
"""The place that a link back leads to is at most so many elements from the link to the note."""
_MARKER: Final = tag_mask("sup strong b a span label button")
_MOST_NODES: Final = 8
"""A link that shows a sign has at most so many text nodes, and at most the square of it in characters."""
_LEVELS: Final = 4
"""Elements around a note whose names may say that notes stand there."""


def find_notes(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, conventions: Conventions) -> Notes:
    """The footnotes of the kept text. filled: bool [n_elements], elements that contain kept text."""
    found = Notes(document, filled, conventions)
    found.follow_links()
    found.read_attributes()
    found.open_asides()
    if count_tags(document)[CODE["sup"]] or found.named:
        found.match_signs(blocks, kept)
    if found.texts or found.made:
        found.leave_copies()
        found.leave_headings(blocks, kept)
    return found


def find_dropped_notes(document: Document, blocks: TextBlocks, kept: Mask, conventions: Conventions) -> Mask:
    """bool [n_blocks]: the dropped blocks of notes to which kept links refer. A kept reference gets its note."""
    found = np.zeros(len(kept), dtype=bool)
    if kept.all():
        return found
    notes = Notes(document, core.find_filled(document.page, np.ones_like(kept)), conventions)
    notes.follow_links()
    if not notes.links:
        return found
    shown = core.find_filled(document.page, kept)
    asked = {label for row, label in notes.links.items() if shown[row]}
    homes = np.array([home for home, label in notes.texts.items() if label in asked], dtype=np.int64)
    inside = mark_slices(homes, document.end[homes], len(document))
    return np.asarray(inside[blocks.row] & ~kept, dtype=bool)


class Notes:
    """The footnotes of a page, by rows, and the search for them.

    links: reference to a footnote -> its label. ends: reference with its note inside -> the row where the note begins,
    which is no part of the reference. texts: element with the text of a note -> its label. made: label -> the text of a
    note that an attribute holds. inline: notes that stand within a text. back: elements that are left out: links back
    with the signs around them, signs of notes, further copies of notes. raised: `sup` elements that hold references.
    """

    def __init__(self, document: Document, filled: Mask, conventions: Conventions) -> None:
        self.document, self.filled, self.conventions = document, filled, conventions
        self.links: dict[int, str] = {}
        self.ends: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.made: dict[str, str] = {}
        self.inline: set[int] = set()
        self.back: set[int] = set()
        self.raised: frozenset[int] = frozenset()
        self._used: set[str] = set()
        self._numbers: dict[int, str] = {}  # of items of lists

    @cached_property
    def _masks(self) -> tuple[Mask, Mask]:
        """bool [n_elements]: rows in notes and references; rows in notes."""
        return np.zeros(len(self.document), dtype=bool), np.zeros(len(self.document), dtype=bool)

    def follow_links(self) -> None:
        """References that are links within the page."""
        # addresses that name a place of a page; the sign alone, as menus have, names none
        links, filled = list_holding(self.document, "href", "#"), self.filled
        # few pages have a link within the page whose text is a sign: on others the search ends here
        inner = [(row, href) for row, href in links if href.partition("#")[2] and filled[row]]
        asking = [found for found in _list_asking(self.document, self.conventions) if self.filled[found[0]]]
        if not _show_sign(self.document, [row for row, _ in (*inner, *asking)]):
            return
        jumps = _find_jumps(self.document, inner, dict(asking), self.named)
        from_rows = sorted(jumps)
        raised: set[int] = set()
        for row, target in jumps.items():
            sign = _SIGN.fullmatch(read_words(self.document, row))
            # a note stands after its reference: links up the page lead to its top, or back from a note
            if not sign or target < self.document.end[row] or not self.filled[row]:
                continue
            home, first = self._find_home(target)
            if first <= row or not self.filled[home]:
                continue
            # the `sup` that holds the link, at most two levels up, or is in it
            beside = (*islice(climb(self.document, row), 3), *range(row + 1, int(self.document.end[row])))
            above = next((at for at in beside if self.document.names[at] == "sup"), -1)
            # raised or in brackets, or its role, its class or the element around it says that it refers to a note
            is_named = not self.named.isdisjoint((row, int(self.document.parent[row])))
            is_named = is_named or read_attribute(self.document, row, "role") == "doc-noteref"
            is_sure = is_named or above >= 0 or self.document.tag[row] != CODE["a"] or sign[0].startswith(("[", "("))
            begin = _FIRST_SIGN.match(read_words(self.document, home)) if not is_sure else None
            is_told = begin is not None and begin[1] == sign[1] and not begin[0].isalnum()
            # else it must stand behind a text of its block, and lead to a place that begins with its sign
            if not is_sure and not (is_told and has_text(self.document, int(self.document.block[row]), row)):
                # or a link in the note must lead back to about its place
                near = range(row - _MAX_BACK, int(self.document.end[row]) + 1)
                end = bisect_left(from_rows, int(self.document.end[home]))
                if not any(jumps[at] in near for at in from_rows[bisect_left(from_rows, first) : end]):
                    continue
            # a sign that leads to a chapter is part of a table of contents; a list of all sources is no note
            if home not in self.texts:
                is_headed = HEADING[self.document.tag[home : self.document.end[home]]].any()
                if is_headed or not _is_short(self.document, home):
                    continue
            self._refer(row, self._label(home, sign[1]))
            raised.update((above,) if above >= 0 else ())
            self.back.update((first,) if first != home else ())
        self.raised = frozenset(raised)
        self.back.update(_find_links_back(self.document, jumps, self.links, self.texts))

    def _find_home(self, target: int) -> tuple[int, int]:
        """The element with the text of a note that a link leads to, and where the note begins. `<a name=fn1>` stands
        inside the note: its block is the note; of one that is a sign alone, such as a heading `(1)`, the text is what
        follows."""
        document = self.document
        home = target if BLOCK[document.tag[target]] else int(document.block[target])
        following = int(document.end[home])
        if following < len(document) and _show_sign(document, [home]) and self.filled[following]:
            is_text = BLOCK[document.tag[following]] and not HEADING[document.tag[following]]
            if is_text and document.parent[following] == document.parent[home]:
                return following, home
        return home, home

    def _label(self, home: int, sign: str) -> str:
        """The label of a note. Labels must differ: pages number their notes from 1 in each section, or mark all with
        `*`."""
        if home not in self.texts:
            self.texts[home] = self._choose_label(sign)
            for mask in self._masks:
                mask[home : self.document.end[home]] = True
        return self.texts[home]

    def _choose_label(self, sign: str) -> str:
        free = (number for number in map(str, count(len(self._used) + 1)) if number not in self._used)
        label = sign if sign.isdecimal() and sign not in self._used else next(free)
        self._used.add(label)
        return label

    def _refer(self, row: int, label: str) -> None:
        self.links[row] = label
        self._masks[0][row : self.document.end[row]] = True

    @cached_property
    def named(self) -> set[int]:
        """Kept elements whose class or id has a name of notes: of notes, of references to them, or of lists of them."""
        return {row for row in find_named(self.document, self.conventions)["notes"] if self.filled[row]}

    def read_attributes(self) -> None:
        """Notes that an attribute of their reference holds, which a script shows."""
        for key in self.conventions.names.note_texts:
            for row in find_attribute(self.document, key):
                sign = _SIGN.fullmatch(read_words(self.document, row)) if self.filled[row] else None
                text = clean_line(read_attribute(self.document, row, key))
                # a single word is a name or number by which a script knows the note
                if sign and " " in text and len(text) < _MAX_CHARACTERS and not self._masks[0][row]:
                    label = self._choose_label(sign[1])
                    self.made[label] = text
                    self._refer(row, label)

    def leave_copies(self) -> None:
        """Leave out the copy at the end: what is named as a note and says the same as a note beside the text."""
        said = {read_words(self.document, row) for row in self.inline}
        said = {text[found.end() :] if (found := _FIRST_SIGN.match(text)) else text for text in said}
        for row in sorted(self.named) if said else ():
            words = read_words(self.document, row)
            found = _FIRST_SIGN.match(words)
            if found and words[found.end() :] in said and not self._masks[0][row] and BLOCK[self.document.tag[row]]:
                self.back.add(row)
                self._masks[1][row : self.document.end[row]] = True

    def open_asides(self) -> None:
        """Notes inside their reference, or right behind it."""
        document = self.document
        # what a button opens (HTML, `popover`; WAI-ARIA, `tooltip`) may stand within the text, behind the button
        tips = (row for row, _ in list_holding(document, "role", "tooltip"))
        popovers = [row for row in (*find_attribute(document, "popover"), *tips) if self.filled[row]]
        asked = {value for _, value in _list_asking(document, self.conventions)} if popovers else set()
        opened = {row for row in popovers if read_attribute(document, row, "id") in asked}
        for row in sorted(self.named | opened):
            words = read_words(document, row) if row not in self.texts and not BLOCK[document.tag[row]] else ""
            if not words or _SIGN.fullmatch(words) or self._masks[0][row]:
                continue
            above, before = int(document.parent[row]), self._find_before(row)
            around = _SIGN.fullmatch(read_words(document, above).removesuffix(words).strip())
            sign = self._read_sign(before) if before >= 0 and before not in self.links else None
            within = self._find_within(row)
            if sign is not None:
                self._refer(before, self._label(row, sign))
            elif above in self.named and around:
                self._refer(above, self._label(row, around[1]))
                self.ends[above] = row
            elif within >= 0:
                self._refer(row + 1, self._label(within, self._read_sign(row + 1) or ""))
            else:
                continue
            home = row if row in self.texts else within
            self.inline.add(home)
            self._leave_sign(home)

    def _find_within(self, row: int) -> int:
        """The note in an element that holds a sign, the note, and nothing else; -1 for none.

        <span class="note"> <sup>1</sup> <span> <sup>1</sup> The note. </span> </span>      LaTeXML
        """
        document = self.document
        end = int(document.end[row])
        note = int(document.end[row + 1]) if row + 1 < end else end
        if note >= end or document.end[note] != end or not self.filled[note] or not self._read_sign(row + 1):
            return -1
        nodes = [node for node in find_texts(document, row, end) if document.text_owner[node] == row]
        return -1 if any(document.text[node].strip() for node in nodes) else note

    def _find_before(self, row: int) -> int:
        """The element before another one, if no text stands between them; -1 for none. Fields of forms do not count."""
        document, above = self.document, int(self.document.parent[row])
        siblings = takewhile(row.__gt__, list_children(document, above))
        found = max((at for at in siblings if document.names[at] != "input"), default=-1)
        between = find_texts(document, int(document.end[found]), row) if found >= 0 else ()
        is_apart = any(document.text[node].strip() for node in between if document.text_owner[node] == above)
        return -1 if is_apart else found

    def _read_sign(self, row: int) -> str | None:
        """The sign that a reference shows; None if the element is no reference: neither a label nor a raised sign nor
        named as one by a class. A label is empty if a style sheet numbers the notes (Tufte CSS)."""
        name, words = self.document.names[row], read_words(self.document, row)
        if name == "label" and not words:
            return ""
        found = _SIGN.fullmatch(words)
        return found[1] if found and (name in ("label", "sup", "button") or row in self.named) else None

    def _leave_sign(self, home: int) -> None:
        """Leave out the sign that a note begins with, if an element marks it. LaTeXML writes the sign twice."""
        document, sign = self.document, ""
        for node in find_texts(document, home, int(document.end[home])):
            words = document.text[node].strip()
            if words and sign and words != sign:
                return
            row, marker, sign = int(document.text_owner[node]), -1, sign or words
            while words and row > home and _SIGN.fullmatch(read_words(document, row)):
                marker, row = row, int(document.parent[row])
            if words and (marker < 0 or BLOCK[document.tag[marker]]):
                return
            self.back.update((marker,) if words else ())

    def match_signs(self, blocks: TextBlocks, kept: Mask) -> None:
        """References that are raised signs without a link; their notes begin with the same sign where notes stand."""
        document = self.document
        signs: dict[str, list[int]] = {}
        for row in self._list_raised():
            signs.setdefault(read_words(document, row).strip("[]()"), []).append(row)
        if not signs:
            return
        last = max(max(rows) for rows in signs.values())
        is_heading, is_rule = HEADING[document.tag] & self.filled, document.tag == CODE["hr"]
        parting = [mask.nonzero()[0].tolist() for mask in (is_heading, is_rule)]
        for home, sign in self._list_starts(blocks, kept, signs):
            asked = [row for row in signs.get(sign, ()) if row < home and row not in self.links]
            if home in self.texts or not asked or not self._stands_among_notes(home, max(asked), last, parting):
                continue
            label = self._label(home, sign)
            for row in asked:
                self._refer(row, label)
            self._leave_sign(home)

    def _list_raised(self) -> list[int]:
        """Rows of raised signs, also by their class, that are not in a link and not at the start of their block."""
        document = self.document
        raised = (row for row in self.named if _MARKER[document.tag[row]])
        rows = {*(document.tag == CODE["sup"]).nonzero()[0].tolist(), *raised}
        found = []
        for row in sorted(rows):
            if not self.filled[row] or document.link[row] >= 0 or row in self.links or row in self.raised:
                continue
            home = int(document.block[row])
            if not _RAISED_SIGN.fullmatch(read_words(document, row)) or self._masks[0][row]:
                continue
            if has_text(document, home, row):
                found.append(row)
        return found

    def _list_starts(self, blocks: TextBlocks, kept: Mask, signs: dict[str, list[int]]) -> Iterator[tuple[int, str]]:
        """Elements whose text begins with a sign: in an element of its own, in brackets, or as the number of a list
        item."""
        document = self.document
        for at in kept.nonzero()[0].tolist():
            row, text = int(blocks.row[at]), blocks.text[at]
            # the item of a numbered list that begins with the text
            item = row if document.names[row] == "li" else int(document.parent[row])
            is_item = item >= 0 and document.names[item] == "li" and document.names[document.parent[item]] == "ol"
            if is_item and row - item <= 1 and (number := self._read_number(item)) in signs:
                yield item, number
                continue
            found = _FIRST_SIGN.match(text)
            if found is None or found[1] not in signs or found.end() == len(text):
                continue
            owner = int(document.text_owner[blocks.first[at]])
            is_marked = owner != row and _MARKER[document.tag[owner]]
            if is_marked or text[0] in "[(" or not found[1].isdecimal():
                yield row, found[1]

    def _read_number(self, item: int) -> str:
        """The number that an item of a numbered list shows."""
        document, above = self.document, int(self.document.parent[item])
        if item not in self._numbers:
            start = read_attribute(document, above, "start") or "1"
            items = [at for at in list_children(document, above) if document.names[at] == "li"]
            first = int(start) if start.isdecimal() and len(start) < 4 else 1
            self._numbers.update(zip(items, map(str, count(first)), strict=False))
        return self._numbers[item]

    def _stands_among_notes(self, home: int, asked: int, last: int, parting: list[list[int]]) -> bool:
        """Whether notes stand where an element is. asked: its last reference. last: the last reference of the page.
        parting: rows of headings, and of rules."""
        document = self.document
        near = islice(climb(document, home, 0), _LEVELS)
        if any(row in self.named or document.names[row] == "aside" or row in self.texts for row in near):
            return True
        headings, rules = (rows[bisect_right(rows, asked) : bisect_left(rows, home)] for rows in parting)
        if headings:
            return self.conventions.patterns["note_headings"].fullmatch(read_words(document, headings[-1])) is not None
        return bool(rules) and rules[-1] > last

    def leave_headings(self, blocks: TextBlocks, kept: Mask) -> None:
        """Leave out a heading such as `Notes` before nothing but notes, which are set at the end in any case."""
        titled, rows = self.conventions.patterns["note_headings"].fullmatch, blocks.row[kept].tolist()
        for row, after in pairwise(rows):
            if HEADING[self.document.tag[row]] and (self._masks[1][after] or after in self.back):
                self.back.update((row,) if titled(read_words(self.document, row)) else ())


def _list_asking(document: Document, conventions: Conventions) -> list[tuple[int, str]]:
    """Elements other than links with an attribute that names a place of the page: (row, id of the place)."""
    return [
        (row, value)
        for key in conventions.names.note_references
        if (rows := find_attribute(document, key))
        for row, value in zip(rows, list_values(document, key), strict=True)
        if document.link[row] != row
    ]


def _show_sign(document: Document, rows: list[int]) -> bool:
    """Whether there is a link among these rows whose whole text is a sign."""
    texts = core.read_short(document.page, rows, _MOST_NODES, _MOST_NODES**2)
    return any(_SIGN.fullmatch(text.strip()) for text in texts)


def _find_jumps(
    document: Document, links: list[tuple[int, str]], asking: dict[int, str], named: set[int]
) -> dict[int, int]:
    """Row of a link within the page -> the row that it leads to. A link that a class names a note leads within the page
    even if its address is that of another page, since pages are copied. links: (row, target). asking: row -> id of the
    place. named: rows that a class names notes."""
    own = (document.url or "").partition("#")[0]
    jumps = dict(asking)
    for row, target in links:
        page, _, fragment = target.partition("#")
        if document.tag[row] == CODE["a"] and fragment and (page in ("", own) or row in named):
            jumps[row] = fragment
    places: dict[str, int] = {}
    # ids first: they win over names of links (HTML, find a potential indicated element)
    for name in ("id", "name"):
        for row in find_attribute(document, name):
            if name == "id" or document.tag[row] == CODE["a"]:
                places.setdefault(read_attribute(document, row, name) or "", row)
    targets = {row: places.get(name, places.get(unquote(name), -1)) for row, name in jumps.items()}
    return {row: target for row, target in targets.items() if target >= 0}


def _find_links_back(
    document: Document, jumps: dict[int, int], links: dict[int, str], texts: dict[int, str]
) -> set[int]:
    """Elements to leave out: links from a note to the place of its link, with signs such as `^` around them."""
    found: set[int] = set()
    rows, from_rows = sorted(jumps), sorted(links)
    for home in texts:
        back = []
        for row in rows[bisect_right(rows, home) : bisect_left(rows, int(document.end[home]))]:
            target = jumps[row]
            # links back lead up the page
            if target >= home:
                continue
            near = bisect_left(from_rows, target - _MAX_BACK)
            # the place may be the paragraph of the link, whatever its length
            last = max(target + _MAX_BACK, int(document.end[target]))
            if near < len(from_rows) and from_rows[near] <= last:
                back.append(row)
        # a note that is asked for twice has two: `^ a b`
        inside = {at for row in back for at in range(row, int(document.end[row]))}
        says_more: dict[int, bool] = {}
        for row in back:
            found.add(_climb_signs(document, row, home, inside, says_more))
    return found


def _climb_signs(document: Document, row: int, home: int, links: Set[int], says_more: dict[int, bool]) -> int:
    """The outermost inline element around a link back that holds nothing else but signs and links back. links: rows of
    links back, and of all elements in them. says_more: element -> whether it has other text, kept for further calls."""
    while True:
        above = int(document.parent[row])
        if above <= home or BLOCK[document.tag[above]]:
            return row
        if above not in says_more:
            end = int(document.end[above])
            owners = ((document.text_owner.item(at), document.text[at]) for at in find_texts(document, above, end))
            says_more[above] = any(
                above <= owner < end and owner not in links and any(map(str.isalnum, text)) for owner, text in owners
            )
        if says_more[above]:
            return row
        row = above


def _is_short(document: Document, row: int) -> bool:
    """Whether an element has text, but no more than a footnote has."""
    n_chars = 0
    for text in list_texts(document, row):
        n_chars += len(text)
        if n_chars > _MAX_MARKUP:  # thousands of links may lead to the whole page
            return False
    return 0 < len(read_words(document, row)) < _MAX_CHARACTERS
