"""Repeated units -> records: title, URL, summary, date, image, price, author (patent A7, information extraction).

The title is the unit's heading or its longest link; the other fields are recognised by patterns and by the
element or class that contains them (`time`, `author`). Posts and comments give who, when and what in the same fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from webclean.features.prices_dates import PriceDateFinder
from webclean.matching.match import compile_pattern
from webclean.model import Document, Record
from webclean.parse import find_texts, read_attribute
from webclean.parse.base import find_base
from webclean.parse.controls import escape_controls
from webclean.parse.pixels import is_unseen_image
from webclean.parse.tags import CODE, HEADING
from webclean.parse.url import join_url
from webclean.rules.segments_schema import Segments
from webclean.segments.units import Unit
from webclean.segments.url_structure import is_page_url, links_to_person

_DIGIT: Final = re.compile(r"\d")
_MAX_DEPTH: Final = 4  # elements above a name that may say it is one
_LABEL_CHARS: Final = 60  # no date or price is half of a longer text


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text of a unit, inside one block element and one link.

    owner: element of its first text node. link: row of the link around it, or -1. heading: whether the block element is
    a heading.
    """

    text: str
    owner: int
    link: int
    heading: bool


def read_record(
    document: Document, unit: Unit, rules: Segments, finder: PriceDateFinder, author_rows: Container[int]
) -> Record | None:
    """Read the record of a unit.

    None where the unit has no text, or only a link to the page itself without further text, as facets of a search have,
    or only digits and signs: numbers of pages, arrows, bullets.

    Posts and comments have no title. What stands in its place is the author, the date or, in a heading inside an
    element named for the author, the author's rank. The summary leaves out texts that are all of a link to another page
    than the title's, such as tags and categories.

    Args:
        document: the page.
        unit: an entry of a list.
        rules: settings.
        finder: finds prices and dates.
        author_rows: elements whose names say that they contain an author.
    """
    pieces = list_pieces(document, unit)
    if not pieces:
        return None
    author = _find_author(document, unit, pieces, rules, author_rows)
    others = [
        piece
        for piece in pieces
        if (author is None or piece.text != author.text)
        and not (piece.heading and is_named(document, piece.owner, unit, author_rows))
    ]
    alone = _find_links_alone(document, pieces)
    if author is None:
        others = [piece for piece in others if piece not in alone or not _is_date(piece, finder)]
    first = _find_title(document, unit, others or pieces, alone)
    title: Piece | None = first
    link = _find_link(pieces, first)
    if author is None and _is_person(document, first, rules):
        author, title, link = first, None, None
    elif author is not None and _is_no_title(document, first, author, rules, finder):
        title = None
    date = _find_date(document, unit, pieces, rules, finder)
    price = _find_match(pieces, finder.price_texts)
    rest = [piece for piece in pieces if piece is not title and piece is not author and piece.link != (link or -2)]
    url = None if link is None else _resolve_link(document, link)
    own = None if title is None else url
    rest = [piece for piece in rest if piece not in alone or _resolve_link(document, piece.link) == own]
    described = [piece.text for piece in rest if _is_prose(piece, rules, finder)]
    if author is None and not described and url is not None and url == document.url:
        return None
    image = _find_image(document, unit, rules)
    if not any((described, author, date, price, image)) and not any(map(str.isalpha, first.text)):
        return None
    return Record(
        title="" if title is None else title.text,
        url=url,
        summary=" ".join(described),
        date=date,
        image=image,
        price=price,
        author=None if author is None else _strip_byline(author.text, rules),
    )


def _resolve_link(document: Document, row: int) -> str:
    """The address of a link, absolute when the page's URL is known."""
    target = (read_attribute(document, row, "href") or "").strip()
    return join_url(find_base(document), target) or escape_controls(target)


def list_pieces(document: Document, unit: Unit) -> list[Piece]:
    """The displayed text of a unit in order, divided where the block element or the link changes."""
    made: list[Piece] = []
    key: tuple[int, int] | None = None
    for node in list_text_nodes(document, unit):
        text = " ".join(document.text[node].split())
        owner = int(document.text_owner[node])
        if not text or not document.displayed[owner]:
            continue
        now = (int(document.block[owner]), int(document.link[owner]))
        if key == now:
            made[-1] = Piece(f"{made[-1].text} {text}", made[-1].owner, now[1], made[-1].heading)
        else:
            made.append(Piece(text, owner, now[1], bool(HEADING[document.tag[now[0]]])))
        key = now
    return made


def list_text_nodes(document: Document, unit: Unit) -> range:
    """Numbers of the text nodes inside a unit, those between its elements included."""
    nodes = find_texts(document, unit.first, unit.end)
    begin, stop = nodes.start, nodes.stop
    while stop > begin and not unit.first <= document.text_owner[stop - 1] < unit.end:
        stop -= 1
    return range(begin, stop)


def _find_title(document: Document, unit: Unit, pieces: list[Piece], alone: frozenset[Piece]) -> Piece:
    """The longest heading; else the longest of the links to the most frequent target; else the first text.

    A link inside a longer line is part of a sentence, and no title.
    """
    headings = [piece for piece in pieces if piece.heading]
    if headings:
        return max(headings, key=lambda piece: len(piece.text))
    target = {row: (read_attribute(document, row, "href") or "").strip() for row in _list_links(document, unit)}
    named = Counter(filter(is_page_url, target.values()))
    linked = [piece for piece in pieces if target.get(piece.link, "") in named and piece in alone]
    return max(linked, key=lambda piece: (named[target[piece.link]], len(piece.text)), default=pieces[0])


def _find_links_alone(document: Document, pieces: list[Piece]) -> frozenset[Piece]:
    """The link texts that are at least half of their line."""
    lines: Counter[int] = Counter()
    for piece in pieces:
        lines[int(document.block[piece.owner])] += len(piece.text)
    linked = (piece for piece in pieces if piece.link >= 0)
    return frozenset(piece for piece in linked if 2 * len(piece.text) >= lines[int(document.block[piece.owner])])


def _list_links(document: Document, unit: Unit) -> list[int]:
    own = np.arange(unit.first, unit.end)
    return [int(row) for row in own[document.link[unit.first : unit.end] == own]]


def _find_link(pieces: list[Piece], title: Piece) -> int | None:
    if title.link >= 0:
        return title.link
    links = [piece for piece in pieces if piece.link >= 0]
    return max(links, key=lambda piece: len(piece.text)).link if links else None


def _is_person(document: Document, piece: Piece, rules: Segments) -> bool:
    """Whether a text that is not a heading links to a personal page."""
    return not piece.heading and _links_to_person(document, piece, rules)


def _links_to_person(document: Document, piece: Piece, rules: Segments) -> bool:
    if piece.link < 0 or len(piece.text) > rules.records.author_chars:
        return False
    return links_to_person((read_attribute(document, piece.link, "href") or "").strip(), rules.people)


def _is_no_title(document: Document, piece: Piece, author: Piece, rules: Segments, finder: PriceDateFinder) -> bool:
    """Whether the supposed title of a unit with an author is the author again, a date, or text without a link."""
    if piece.text == author.text and _links_to_person(document, piece, rules):
        return True
    return not piece.heading and (piece.link < 0 or _is_date(piece, finder))


def _is_date(piece: Piece, finder: PriceDateFinder) -> bool:
    """Whether at least half of a text is a date."""
    found = finder.date_texts.search(piece.text)
    return found is not None and 2 * len(found.group(0)) >= len(piece.text)


def _find_author(
    document: Document, unit: Unit, pieces: list[Piece], rules: Segments, author_rows: Container[int]
) -> Piece | None:
    byline = compile_pattern(rules.patterns["byline"])
    named = [piece for piece in pieces if (found := byline.search(piece.text)) is None or found.end() < len(piece.text)]
    short = [piece for piece in named if len(piece.text) <= rules.records.author_chars]
    for depth in (_MAX_DEPTH // 2, _MAX_DEPTH):
        for piece in short:
            if is_named(document, piece.owner, unit, author_rows, depth):
                return piece
    return next((piece for piece in short if not piece.heading and byline.search(piece.text) is not None), None)


def _strip_byline(text: str, rules: Segments) -> str:
    found = compile_pattern(rules.patterns["byline"]).search(text)
    return text[found.end() :].strip() or text if found and found.start() == 0 else text


def _find_date(
    document: Document, unit: Unit, pieces: list[Piece], rules: Segments, finder: PriceDateFinder
) -> str | None:
    for row in range(unit.first, unit.end):
        if document.tag[row] == CODE["time"] and (stamp := read_attribute(document, row, "datetime")):
            return stamp.strip()
    other = compile_pattern(rules.records.other_date).search
    dated, is_other = [], False
    for piece in pieces:
        was_label, is_other = is_other, other(piece.text) is not None
        if not (piece.heading or is_other or was_label):
            dated.append(piece)
        is_other = is_other and not _DIGIT.search(piece.text)
    return _find_match(dated, finder.date_texts)


def _find_match(pieces: list[Piece], pattern: Any) -> str | None:
    for piece in pieces:
        found = pattern.search(piece.text) if _DIGIT.search(piece.text) else None
        if found is not None:
            return str(found.group(0)).strip()
    return None


def _is_prose(piece: Piece, rules: Segments, finder: PriceDateFinder) -> bool:
    """Whether a text is long enough for a summary, and not only a date, price or label."""
    if len(piece.text.encode()) < rules.records.summary_bytes:
        return False
    if len(piece.text) > _LABEL_CHARS or not _DIGIT.search(piece.text):
        return True
    return all(
        (found := pattern.search(piece.text)) is None or len(found.group(0)) < len(piece.text) / 2
        for pattern in (finder.date_texts, finder.price_texts)
    ) and not compile_pattern(rules.records.other_date).search(piece.text)


def _find_image(document: Document, unit: Unit, rules: Segments) -> str | None:
    for row in range(unit.first, unit.end):
        if document.tag[row] == CODE["img"] and not is_unseen_image(document, row, unit.first - 1):
            for name in rules.records.image_attributes:
                source = (read_attribute(document, row, name) or "").strip()
                if source and not source.startswith("data:"):
                    return join_url(find_base(document), source)
    return None


def is_named(document: Document, row: int, unit: Unit, named: Container[int], depth: int = _MAX_DEPTH) -> bool:
    """Whether an element, or one up to `depth` levels above it inside the unit, is in `named`.

    The unit's own element does not count: its names describe the whole entry.
    """
    for _ in range(depth + 1):
        if row <= unit.first:
            return False
        if row in named:
            return True
        row = int(document.parent[row])
    return False
