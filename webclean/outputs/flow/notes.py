"""Document -> footnotes: the links to them, the texts they link to, and the links back, which are of no use in a text.

    text<sup><a href="#fn1">1</a></sup>  ...  <li id="fn1">The note. <a href="#ref1">↩</a></li>

A link is one to a footnote if it leads to a later place of the page, shows only a number or sign, and is raised, in
brackets or named so by its role (DPUB-ARIA 1.1).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import count
from typing import Final
from urllib.parse import unquote

import msgspec

from webclean.model import Document, Mask
from webclean.parse import find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_holding
from webclean.parse.tags import BLOCK, CODE

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
        if not sign or target < document.end[row] or not filled[row]:
            continue
        above = _find_raised(document, row)
        is_named = (read_attribute(document, row, "role") or "") == "doc-noteref"
        if above < 0 and not is_named and not _read_words(document, row).startswith(("[", "(")):
            continue
        home = target if BLOCK[document.tag[target]] else int(document.block[target])
        if not filled[home] or home <= row:
            continue
        if home not in texts:
            if not _is_short(document, home):
                continue
            free = (str(number) for number in count(len(texts) + 1) if str(number) not in used)
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
            if target >= home:
                continue
            near = bisect_left(from_rows, target - _MAX_BACK)
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
    end, n_chars = int(document.end[row]), 0
    for at in find_texts(document, row, end):
        if row <= document.text_owner[at] < end:
            n_chars += len(document.text[at])
            if n_chars > _MAX_MARKUP:
                return False
    return 0 < len(_read_words(document, row)) < _MAX_CHARACTERS


def _read_words(document: Document, row: int) -> str:
    end = int(document.end[row])
    texts = (document.text[at] for at in find_texts(document, row, end) if row <= document.text_owner[at] < end)
    return " ".join("".join(texts).split())
