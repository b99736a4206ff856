"""An entry -> who wrote it: what an element named for authors contains, a by-line, or a link to somebody's page."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from webclean.matching.expressions import compile_pattern
from webclean.rules.segments_schema import Segments
from webclean.segments.entry import Entry, has_letters
from webclean.segments.pieces import MAX_DEPTH, Piece, is_named

_NAME_WORDS: Final = 5


def find_author(entry: Entry) -> Piece | None:
    """The piece that names the author, or the part of a by-line that does."""
    byline = compile_pattern(entry.rules.patterns["byline"]).search
    whole = [piece for piece in entry.pieces if (found := byline(piece.text)) is None or found.end() < len(piece.text)]
    short = [piece for piece in whole if len(piece.text) <= entry.rules.records.author_chars]
    for depth in (MAX_DEPTH // 2, MAX_DEPTH):
        for piece in short:
            if is_named(entry.document, piece.owner, entry.unit, entry.named.authors, depth):
                return piece
    for piece in whole:
        if name := _read_signature(piece, entry.rules):
            return replace(piece, text=name)
    for piece in short:
        if not piece.heading and byline(piece.text) is not None:
            return piece
    return _find_person(entry, short) or (_find_owner(entry, short) if entry.named.has_owners else None)


def strip_byline(text: str, rules: Segments) -> str:
    """A name without what says that it is one."""
    found = compile_pattern(rules.patterns["byline"]).search(text)
    return text[found.end() :].strip() or text if found and found.start() == 0 else text


def _read_signature(piece: Piece, rules: Segments) -> str:
    """The name in a line that begins with a by-line and goes on with a date or place, '' without one."""
    found = compile_pattern(rules.patterns["byline"]).search(piece.text)
    if found is None or piece.heading or found.start() > 0:
        return ""
    rest = piece.text[found.end() :]
    end = compile_pattern(rules.records.byline_end).search(rest)
    name = rest[: end.start()].strip() if end is not None else ""
    is_name = 0 < len(name) <= rules.records.author_chars and len(name.split()) <= _NAME_WORDS
    return name if is_name and not name[0].islower() else ""


def _find_owner(entry: Entry, pieces: list[Piece]) -> Piece | None:
    """The first link to the folder of the page that a heading of the entry, or a longer text, leads to."""
    linked = [piece for piece in entry.pieces if piece.link >= 0]
    for piece in pieces:
        named = [
            other for other in linked if other.heading or (len(other.text) > len(piece.text) and not piece.heading)
        ]
        if piece.link >= 0 and has_letters(piece) and any(entry.is_folder_of(piece, other) for other in named):
            return piece
    return None


def _find_person(entry: Entry, pieces: list[Piece]) -> Piece | None:
    """The first link to somebody's page, where the entry has another link with words."""
    worded = [piece for piece in pieces if piece.link >= 0 and has_letters(piece)]
    people = [piece for piece in worded if not piece.heading and entry.leads_to_person(piece)]
    return people[0] if people and len(people) < len(worded) else None
