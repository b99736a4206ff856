"""Pieces of a unit -> how often its entry was answered, read, commented, voted for or reviewed.

    <span class="comment-bubble"><a>23</a></span>     the name of the element says what is counted: comments 23
    <p>12 replies · 1.4k views</p>                    the words beside the numbers: replies 12, views 1400

A number beside any other word counts something else; one without words is named by its elements, its link, or what
their attributes tell who points at them; else, in a table, by the header of its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from webclean.matching.expressions import compile_pattern
from webclean.model import Count, Document
from webclean.parse import read_attribute
from webclean.segments.list_header import place_cells
from webclean.segments.pieces import Piece, list_text_nodes
from webclean.segments.units import Unit

_NUMBER: Final = re.compile(
    r"(?<![\w#$€£¥.,:/-])(\d{1,3}(?:[,.\u202f\u00a0 ]\d{3})+|\d+(?:\.\d+)?)(?:\s?(k\b|m\b|万|萬|千))?(?![\d%:/])",
    re.IGNORECASE,
)
_FACTORS: Final = {"k": 1e3, "m": 1e6, "万": 1e4, "萬": 1e4, "千": 1e3}
_HOST: Final = re.compile(r"^[a-z+]+://[^/]*")
_MOST_CHARS: Final = 80
_LEVELS: Final = 3
"""Elements, from that of the text upwards, whose names may say what is counted."""
Labels = list[tuple[str, Any]]
"""(what is counted, search for its words)."""

_BESIDE_CHARS: Final = 10
_SENTENCE: Final = re.compile(r"[,.;!?，。；]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAYING: Final = ("class", "id", "title", "aria-label", "itemprop")


def find_counts(
    document: Document, unit: Unit, pieces: Iterable[Piece], rules: Mapping[str, str], header: Mapping[int, str]
) -> tuple[Count, ...]:
    """What is counted and how much, in the order of the entry; of what is counted twice the first.

    Args:
        document: the page.
        unit: the entry.
        pieces: its texts.
        rules: what is counted -> an expression for its words.
        header: column -> its text in the header of the list.
    """
    labels: Labels = [(name, compile_pattern(words).search) for name, words in rules.items()]
    found: dict[str, int] = {}
    numbered = [piece for piece in pieces if len(piece.text) <= _MOST_CHARS and any(map(str.isdigit, piece.text))]
    for piece in numbered:
        for name, value in _read_piece(document, unit, piece, labels):
            found.setdefault(name, value)
    for name, value in _read_nodes(document, unit, labels):
        found.setdefault(name, value)
    for name, value in _read_columns(document, unit, numbered, labels, header) if header else ():
        found.setdefault(name, value)
    return tuple(Count(name, value) for name, value in found.items())


def _read_nodes(document: Document, unit: Unit, labels: Labels) -> Iterable[tuple[str, int]]:
    """The numbers inside of longer texts, each alone in an element that names it: `9.3 <i class="votes">(3.2M)</i>`."""
    for node in list_text_nodes(document, unit):
        owner = int(document.text_owner[node])
        number = _NUMBER.fullmatch(document.text[node].strip(" ()"))
        if number is not None and owner != unit.first and document.displayed[owner]:
            names = [read_attribute(document, owner, key) or "" for key in _SAYING]
            said = _split_words(" ".join(names))
            # of `rating--vote-count` the last word
            found = [(match.start(), name) for name, search in labels if (match := search(said))]
            name = max(found)[1] if found else None
            if name is not None and (value := _read_value(number)) is not None:
                yield name, value


def _read_columns(
    document: Document, unit: Unit, pieces: Iterable[Piece], labels: Labels, header: Mapping[int, str]
) -> Iterable[tuple[str, int]]:
    """The numbers of each cell with what the header of its column counts, in the order in which the header says it."""
    cells = place_cells(document, unit)
    numbers: dict[int, list[int | None]] = {}
    for piece in pieces:
        row = piece.owner
        while row > unit.first and row not in cells:
            row = int(document.parent[row])
        found = _NUMBER.fullmatch(piece.text)
        if row in cells and found is not None:
            numbers.setdefault(cells[row], []).append(_read_value(found))
    for column, values in numbers.items():
        said = [(match.start(), name) for name, search in labels if (match := search(header.get(column, "")))]
        if len(said) == len(values):
            yield from (
                (name, value) for (_, name), value in zip(sorted(said), values, strict=True) if value is not None
            )


def _read_piece(document: Document, unit: Unit, piece: Piece, labels: Labels) -> Iterable[tuple[str, int]]:
    """The numbers of a text with what they count; the words stand behind the numbers, unless some precede the first."""
    numbers = list(_NUMBER.finditer(piece.text))
    if not numbers:
        return
    bounds = [0, *(place for number in numbers for place in number.span()), len(piece.text)]
    between = [piece.text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    is_labelled = any(_LETTER.search(text) for text in between)
    is_before = _find_label(between[0], labels, at_end=True) is not None
    for place, number in enumerate(numbers):
        value = _read_value(number)
        if is_labelled:
            name = _find_label(between[place if is_before else place + 1], labels, at_end=is_before)
        else:
            name = _find_label(_list_names(document, unit, piece), labels)
        if name is not None and value is not None:
            yield name, value


def _read_value(number: re.Match[str]) -> int | None:
    """The number, None for a fraction."""
    digits, unit = number[1], (number[2] or "").lower()
    if unit:
        return round(float(digits.replace(",", "")) * _FACTORS[unit]) if digits.count(".") < 2 else None
    whole = re.sub(r"[,.\s](?=\d{3}(?!\d))", "", digits)
    return int(whole) if whole.isdecimal() and len(whole) < 16 else None


def _find_label(text: str, labels: Labels, *, at_end: bool | None = None) -> str | None:
    """What a text says is counted. at_end: whether it must be said at its end or, if false, at its beginning, with a
    word between at most; anywhere, if None."""
    for name, search in labels:
        found = search(text)
        if found is None:
            continue
        beside = "" if at_end is None else text[found.end() :] if at_end else text[: found.start()]
        if len(beside) <= _BESIDE_CHARS and not _SENTENCE.search(beside):
            return name
    return None


def _list_names(document: Document, unit: Unit, piece: Piece) -> str:
    """What the elements of a number and its link say of it."""
    target = (read_attribute(document, piece.link, "href") or "") if piece.link >= 0 else ""
    told = [_HOST.sub("", target).rpartition("/")[2]]
    row = piece.owner
    for _ in range(_LEVELS):
        if row <= unit.first:
            break
        told += [value for name in _SAYING if (value := read_attribute(document, row, name))]
        row = int(document.parent[row])
    return _split_words(" ".join(told))


def _split_words(names: str) -> str:
    """Names of elements as words."""
    return names.replace("_", " ").replace("-", " ")
