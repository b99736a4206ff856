"""What is looked up in a page before its tree of clean elements is built: data tables, formulas, footnotes, elements
that stand for others, and the direction in which the kept text runs (right to left for Arabic, Hebrew and the like).

Footnotes are the links to them, the texts they link to, and the links back, which are of no use in a text:

    text<sup><a href="#fn1">1</a></sup>  ...  <li id="fn1">The note. <a href="#ref1">↩</a></li>

A link is one to a footnote if it leads to a later place of the page, shows only a number or sign, and is raised, in
brackets or named so by its role (DPUB-ARIA 1.1).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import compress, count
from typing import Final
from urllib.parse import unquote

import msgspec
import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.delimiters import Delimiters
from webclean.outputs.flow.formulas import Formula, find_formulas, find_kept_formulas, list_texts
from webclean.outputs.flow.nodes import HEADINGS, TreeOptions
from webclean.outputs.flow.tools import Conventions, find_conventions
from webclean.parse import count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_distinct, list_holding, list_values
from webclean.parse.tags import BLOCK, CODE, HEADING, LIST_ITEM, tag_mask

_ROLES: Final = {
    "list": "ul", "listitem": "li", "table": "table", "row": "tr", "cell": "td", "columnheader": "th",
    "rowheader": "th", "note": "blockquote", "figure": "figure", "term": "dt", "definition": "dd",
}  # fmt: skip
"""Role (WAI-ARIA 1.2) -> the element that it stands for."""
_GENERIC: Final = frozenset(("div", "span", "section", "aside", "p", "a"))
_MAY_BE_CALLOUT: Final = tag_mask("div aside section")


class Found(msgspec.Struct, frozen=True, eq=False):
    """Rows and what they are.

    tables: bool [n_elements], data tables. formulas: first row of each kept formula. names: elements that stand for
    another one, by role or class. direction: of the kept text, `ltr` or `rtl`; directions: what elements declare.
    special: elements that are not what their names say: formulas, parts of footnotes, what stands for others.
    conventions: the names that tools give the parts of what they write.
    """

    tables: Mask
    formulas: dict[int, Formula]
    delimiters: Delimiters
    notes: Notes
    names: dict[int, str]
    special: set[int]
    direction: str
    directions: dict[int, str]
    conventions: Conventions


def find_structures(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, options: TreeOptions) -> Found:
    """filled: bool [n_elements], elements that contain kept text."""
    conventions = find_conventions(options.tools)
    formulas = find_kept_formulas(find_formulas(document, filled, conventions), document, blocks, kept)
    starts = {formula.first: formula for formula in formulas}
    notes = find_notes(document, filled)
    names = _find_names(document, filled, frozenset(conventions.names.callouts))
    directions = list_directions(document) if options.marks else {}  # plain text says nothing of directions
    return Found(
        tables=find_data_tables(document, blocks, kept, filled),
        formulas=starts,
        delimiters=Delimiters(document, conventions),
        notes=notes,
        names=names,
        special={*starts, *notes.back, *notes.links, *notes.texts, *names},
        direction=find_direction(document, blocks, kept, directions) if options.marks else "ltr",
        directions=directions,
        conventions=conventions,
    )


def _find_names(document: Document, filled: Mask, callouts: frozenset[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    rows = (filled & _MAY_BE_CALLOUT[document.tag]).nonzero()[0]
    values, place = list_distinct(document, rows, "class")  # some hundred elements share some dozen values
    # `note`, `warning`, `admonition`: documentation sets these off by classes alone
    named = [number for number, value in enumerate(values) if not callouts.isdisjoint(value.split())]
    if named:
        found |= dict.fromkeys(rows[np.isin(place, named)].tolist(), "blockquote")
    for row, value in zip(find_attribute(document, "role"), list_values(document, "role"), strict=True):
        role = value.strip().lower()
        if role == "heading":
            # level 2 where none is given (WAI-ARIA 1.2)
            level = (read_attribute(document, row, "aria-level") or "2").strip()
            found[row] = f"h{level}" if f"h{level}" in HEADINGS else "h2"
        # an element with a meaning of its own keeps it, for roles are often set wrong
        elif role in _ROLES and document.names[row] in _GENERIC:
            found[row] = _ROLES[role]
    return found


DIRECTIONS: Final = frozenset(("ltr", "rtl"))
# Hebrew, Arabic, Syriac, Thaana, N'Ko, and the presentation forms of the first two
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 4000
"""So many characters of the kept text are looked at."""


def find_direction(document: Document, blocks: TextBlocks, kept: Mask, declared: dict[int, str]) -> str:
    """`rtl` or `ltr`: what `html` or `body` declares, otherwise the direction of most letters. declared: by
    `list_directions`."""
    for row, value in declared.items():
        if document.names[row] in ("html", "body"):
            return value
    # of the kept text: a page in Arabic may have a menu in English
    text = "".join(compress(blocks.text, kept.tolist()))[:_SAMPLE]
    # no letter of ASCII runs from right to left
    if text.isascii():
        return "ltr"
    n_right = len(_RIGHT_TO_LEFT.findall(text))
    return "rtl" if n_right and 2 * n_right > len(_LETTER.findall(text)) else "ltr"


def list_directions(document: Document) -> dict[int, str]:
    """Row -> the direction that it declares."""
    values = zip(find_attribute(document, "dir"), list_values(document, "dir"), strict=True)
    return {row: value for row, text in values if (value := text.strip().lower()) in DIRECTIONS}


def find_data_tables(document: Document, blocks: TextBlocks, kept: Mask, filled: Mask) -> Mask:
    """bool [n_elements]: the data tables. filled: bool [n_elements], elements that contain kept text.

    Only filled rows and cells count. A data table has at least two rows, a row with at least two cells, no heading and
    no other table inside, and no `role` of presentation. Fewer than half of its rows have a cell with several
    paragraphs: such cells are typical of forum posts and page columns.
    """
    found = np.zeros(len(document), dtype=bool)
    if not count_tags(document)[CODE["table"]]:
        return found
    tables = (document.tag == CODE["table"]) & filled
    # sums from the start: how many there are in a table is a difference of two
    disturbing = np.concatenate(([0], np.cumsum(tables | (HEADING[document.tag] & filled))))
    rows = blocks.row[kept]
    paragraphs = np.bincount(rows[~LIST_ITEM[document.tag[rows]]], minlength=len(document))
    n_paragraphs = np.concatenate(([0], np.cumsum(paragraphs)))
    for row in tables.nonzero()[0].tolist():
        end = int(document.end[row])
        # a table or heading inside: it lays out the page
        if disturbing[end] > disturbing[row + 1]:
            continue
        if (read_attribute(document, row, "role") or "").strip().lower() in ("presentation", "none"):
            continue
        tags = document.tag[row:end]
        cells = row + (((tags == CODE["td"]) | (tags == CODE["th"])) & filled[row:end]).nonzero()[0]
        lines = document.parent[cells].tolist()
        n_cells = Counter(lines).values()
        if len(n_cells) > 1 and max(n_cells) > 1:
            is_long = n_paragraphs[document.end[cells]] - n_paragraphs[cells] > 1
            found[row] = 2 * len(set(compress(lines, is_long.tolist()))) < len(n_cells)
    return found


# longer signs are words: `more` leads to a text, and is no footnote
_SIGN: Final = re.compile(r"[\[(]?\s*(\d{1,4}|[a-z]|[*†‡§¶#]{1,4}|[ivx]{1,5})\s*[\])]?")
_MAX_CHARACTERS: Final = 4000
"""A longer text is no footnote."""
_MAX_MARKUP: Final = 10 * _MAX_CHARACTERS
"""The same with all white space between the words, which is counted first because it is quicker."""
_MAX_BACK: Final = 12
"""The place that a link back leads to is at most so many elements from the link to the note."""


class Notes(msgspec.Struct, frozen=True):
    """Rows. links: link to a footnote -> its label. texts: element with its text -> its label. back: links back, with
    the signs around them. raised: `sup` elements that hold links to footnotes."""

    links: dict[int, str] = {}
    texts: dict[int, str] = {}
    back: frozenset[int] = frozenset()
    raised: frozenset[int] = frozenset()


def find_notes(document: Document, filled: Mask) -> Notes:
    """The footnotes of the kept text. filled: bool [n_elements], elements that contain kept text."""
    # few pages have any link within: the rest of the search is for those whose text is a sign
    named = _find_jumps(document, filled)
    if not any(_SIGN.fullmatch(_read_words(document, row)) for row in named):
        return Notes()
    jumps = _resolve(document, named)
    links: dict[int, str] = {}
    texts: dict[int, str] = {}
    raised: set[int] = set()
    used: set[str] = set()
    for row, target in jumps.items():
        sign = _SIGN.fullmatch(_read_words(document, row))
        # a place before the link is none of a note: links up the page lead to its top, or back from a note
        if not sign or target < document.end[row] or not filled[row]:
            continue
        above = _find_raised(document, row)
        is_named = (read_attribute(document, row, "role") or "") == "doc-noteref"
        if above < 0 and not is_named and not _read_words(document, row).startswith(("[", "(")):
            continue
        # `<a name=fn1>` stands inside the note: its paragraph is the note
        home = target if BLOCK[document.tag[target]] else int(document.block[target])
        if not filled[home] or home <= row:
            continue
        if home not in texts:
            # a sign that leads to a chapter is a link of a table of contents
            if not _is_short(document, home):
                continue
            free = (str(number) for number in count(len(texts) + 1) if str(number) not in used)
            # labels must differ: pages number their notes from 1 in each section, or mark all with `*`
            texts[home] = sign[1] if sign[1].isdecimal() and sign[1] not in used else next(free)
            used.add(texts[home])
        links[row] = texts[home]
        raised.update((above,) if above >= 0 else ())
    return Notes(links, texts, frozenset(_find_links_back(document, jumps, links, texts)), frozenset(raised))


def _find_jumps(document: Document, filled: Mask) -> dict[int, str]:
    """Row of a link within the page -> the name of the place it leads to."""
    own = (document.url or "").partition("#")[0]
    found = {}
    for row, target in list_holding(document, "href", "#"):
        if filled[row] and document.tag[row] == CODE["a"]:
            page, _, fragment = target.partition("#")
            if fragment and page in ("", own):
                found[row] = fragment
    return found


def _resolve(document: Document, jumps: dict[int, str]) -> dict[int, int]:
    """Row of a link -> the row it leads to."""
    places: dict[str, int] = {}
    # ids first: they win over names of links (HTML, find a potential indicated element)
    for name in ("id", "name"):
        for row in find_attribute(document, name):
            if name == "id" or document.tag[row] == CODE["a"]:
                places.setdefault(read_attribute(document, row, name) or "", row)
    targets = {row: places.get(name, places.get(unquote(name), -1)) for row, name in jumps.items()}
    return {row: target for row, target in targets.items() if target >= 0}


def _find_raised(document: Document, row: int) -> int:
    """The `sup` that holds a link, at most two levels up, or is in it; -1 if there is none."""
    for above in (row, int(document.parent[row]), int(document.parent[document.parent[row]])):
        if document.names[above] == "sup":
            return above
    inside = range(row + 1, int(document.end[row]))
    return next((at for at in inside if document.names[at] == "sup"), -1)


def _find_links_back(
    document: Document, jumps: dict[int, int], links: dict[int, str], texts: dict[int, str]
) -> set[int]:
    """Elements to leave out: links from a note to the place of its link, with signs such as `^` around them."""
    found = set()
    rows, from_rows = sorted(jumps), sorted(links)
    for home in texts:
        for row in rows[bisect_right(rows, home) : bisect_left(rows, int(document.end[home]))]:
            target = jumps[row]
            # links back lead up the page
            if target >= home:
                continue
            near = bisect_left(from_rows, target - _MAX_BACK)
            # the place may be the paragraph of the link, whatever its length
            last = max(target + _MAX_BACK, int(document.end[target]))
            if near < len(from_rows) and from_rows[near] <= last:
                found.add(_climb_signs(document, row, home))
    return found


def _climb_signs(document: Document, row: int, home: int) -> int:
    """The outermost inline element around a link whose other text is only signs."""
    while True:
        above = int(document.parent[row])
        if above <= home or BLOCK[document.tag[above]]:
            return row
        start, end = int(document.end[row]), int(document.end[above])
        for at in find_texts(document, above, end):
            owner = int(document.text_owner[at])
            if above <= owner < end and not row <= owner < start and any(map(str.isalnum, document.text[at])):
                return row
        row = above


def _is_short(document: Document, row: int) -> bool:
    """Whether an element has text, but no more than a footnote has."""
    n_chars = 0
    for text in list_texts(document, row):
        n_chars += len(text)
        if n_chars > _MAX_MARKUP:  # thousands of links may lead to the whole page
            return False
    return 0 < len(_read_words(document, row)) < _MAX_CHARACTERS


def _read_words(document: Document, row: int) -> str:
    return " ".join("".join(list_texts(document, row)).split())
