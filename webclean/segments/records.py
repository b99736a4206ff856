"""Entries of lists -> records, with what they count.

Repeated units -> records: title, URL, summary, date, image, price, author, counts (patent A7).

The title is the unit's heading, a text in an element named for titles, or its main link; the other fields are
recognised by patterns and by the element or class that contains them (`time`, `author`). Posts and comments give who,
when and what in the same fields.

Pieces of a unit -> how often its entry was answered, read, commented, voted for or reviewed.

    <span class="comment-bubble"><a>23</a></span>     the name of the element says what is counted: comments 23
    <p>12 replies · 1.4k views</p>                    the words beside the numbers: replies 12, views 1400

A number beside any other word counts something else; one without words is named by its elements, its link, or what
their attributes tell who points at them; else, in a table, by the header of its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from webclean.features.prices_dates import PriceDateFinder
from webclean.matching.expressions import compile_pattern
from webclean.model import Count, Document, Record
from webclean.parse import read_attribute
from webclean.parse.controls import clean_line
from webclean.parse.tags import CODE
from webclean.parse.url import find_base, join_url
from webclean.rules.segments_schema import Segments
from webclean.segments.entry import (
    Entry,
    Named,
    Piece,
    find_author,
    find_link,
    find_title,
    has_letters,
    is_no_title,
    list_text_nodes,
    list_title_pieces,
    strip_byline,
)
from webclean.segments.listing import list_images, place_cells
from webclean.segments.units import Unit
from webclean.segments.urls import leads_nowhere

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


_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"\w+")
_BUTTON_WORDS: Final = 4
_CUSTOM: Final = 0  # code of tags that HTML does not define
_AGE_CHARS: Final = 12
_LABEL_CHARS: Final = 60  # no date or price is half of a longer text


def read_record(
    document: Document, unit: Unit, rules: Segments, finder: PriceDateFinder, named: Named
) -> Record | None:
    """Read the record of a unit.

    None where the unit has no text, only digits and signs (numbers of pages, arrows, bullets), only a name or date, or
    only a link that leads to no other page: to the page itself or a selection of it, as facets of a search do, to a
    script, or to a service that is told the page's address, as buttons for sharing are.

    Posts and comments have no title. What stands in its place is the author, the date or, in a heading inside an
    element named for the author, the author's rank. The summary leaves out texts that are all of a link to another page
    than the title's, such as tags and categories.

    Args:
        document: the page.
        unit: an entry of a list.
        rules: settings.
        finder: finds prices and dates.
        named: the elements named for authors and titles, and shared images.
    """
    entry = Entry(document, unit, rules, finder, named)
    if not entry.pieces:
        return None
    author = find_author(entry)
    first = find_title(entry, list_title_pieces(entry, author))
    title: Piece | None = first
    link = find_link(entry, first)
    if author is None and not first.heading and entry.leads_to_person(first):
        author, title, link = first, None, None
    elif author is not None and is_no_title(entry, first, author, link):
        title = None
    rest = (piece for piece in entry.pieces if piece is not title)
    record = Record(
        title="" if title is None else compile_pattern(rules.records.title_label).sub("", title.text),
        url=None if link is None else entry.resolve(link),
        summary=" ".join(_list_prose(entry, title, author, link)),
        date=_find_date(entry, title),
        image=_find_image(entry),
        price=_find_price(entry.pieces, finder),
        author=None if author is None else strip_byline(author.text, rules),
        counts=find_counts(document, unit, rest, rules.records.counts, named.header),
        is_advertisement=_is_advertisement(entry),
    )
    return record if _is_entry(entry, record, first) else None


def _is_entry(entry: Entry, record: Record, first: Piece) -> bool:
    """Whether a unit says more than a menu, pager or filter does.

    A text of its own, a date or an image says more in any case; a price and counts where the link leads on. Else there
    must be a title with letters that is no date and no `next`, and a link to a page, unless nothing is a link.
    """
    has_date = record.date is not None and record.date not in record.title
    if record.summary or has_date or (record.image and record.title):
        return True
    if record.url is not None and leads_nowhere(record.url, entry.page):
        return False
    if record.price or record.counts:
        return True
    if not record.title or not has_letters(first) or entry.is_date(first):
        return False
    if compile_pattern(entry.rules.titles.leading).search(first.text):
        return False
    return record.author is not None or record.url is not None or first.link < 0


def _is_advertisement(entry: Entry) -> bool:
    """Whether a text of the unit, or the names of its element, say that it is advertising."""
    says, names = (compile_pattern(entry.rules.records.advertised[key]).search for key in ("text", "names"))
    if any(says(piece.text) for piece in entry.pieces):
        return True
    values = (read_attribute(entry.document, entry.unit.first, key) for key in ("class", "id"))
    return any(names(value) for value in values if value)


def _list_prose(entry: Entry, title: Piece | None, author: Piece | None, link: int | None) -> list[str]:
    """The longer texts of an entry but its title, author and links to other pages."""
    own = None if title is None or link is None else entry.resolve(link)
    rest = [piece for piece in entry.pieces if piece not in (title, author) and piece.link != (link or -2)]
    rest = [piece for piece in rest if piece not in entry.alone or entry.resolve(piece.link) == own]
    words = set(_WORD.findall(title.text.casefold())) if title is not None else set()
    return [
        piece.text
        for piece in rest
        if _is_prose(piece, entry.rules, entry.finder) and not (words and _repeats(piece.text, words))
    ]


def _repeats(text: str, title: set[str]) -> bool:
    """Whether a text says all words of a title and hardly more, as the name of a button does (`Save: ...`)."""
    words = set(_WORD.findall(text.casefold()))
    return title <= words and len(words - title) <= _BUTTON_WORDS


def _find_date(entry: Entry, title: Piece | None) -> str | None:
    """The first of: the stamp of a `time` element or custom element named so, a date outside the title, one in it."""
    document = entry.document
    for row in range(entry.unit.first, entry.unit.end):
        if _is_time(document, row) and (stamp := clean_line(read_attribute(document, row, "datetime"))):
            return stamp
    other = compile_pattern(entry.rules.records.other_date).search
    dated, is_other = [], False
    for piece in entry.pieces:
        was_label, is_other = is_other, other(piece.text) is not None
        if not (piece.heading or is_other or was_label):
            dated.append(piece)
        is_other = is_other and not _DIGIT.search(piece.text)
    outside = [piece for piece in dated if piece is not title]
    texts = entry.finder.date_texts
    return _find_match(outside, texts) or _find_match(dated, texts) or _find_age(entry, outside)


def _is_time(document: Document, row: int) -> bool:
    return document.tag[row] == CODE["time"] or (
        document.tag[row] == _CUSTOM and "time" in document.names[row].split("-")
    )


def _find_age(entry: Entry, pieces: list[Piece]) -> str | None:
    """A text that is an age, such as `18d`; else one that is a time of day in an element named for dates."""
    rules = entry.rules.records
    is_age, is_time = compile_pattern(rules.age).fullmatch, compile_pattern(rules.time_of_day).fullmatch
    short = [piece for piece in pieces if _DIGIT.search(piece.text) and len(piece.text) <= _AGE_CHARS]
    ages = (piece.text for piece in short if is_age(piece.text))
    return next(ages, None) or next(
        (piece.text for piece in short if is_time(piece.text) and _is_dated(entry, piece)), None
    )


def _is_dated(entry: Entry, piece: Piece) -> bool:
    """Whether the class or id of the element of a text, or of the one around it, says that it is a date."""
    says = compile_pattern(entry.rules.records.date_names).search
    rows = {piece.owner, int(entry.document.parent[piece.owner])} - {entry.unit.first}
    names = (read_attribute(entry.document, row, key) for row in rows if row >= 0 for key in ("class", "id"))
    return any(says(name) for name in names if name)


def _find_price(pieces: list[Piece], finder: PriceDateFinder) -> str | None:
    """The first amount of money that no letter follows at once, as one does in `$50k`."""
    for piece in pieces:
        found = finder.price_texts.search(piece.text) if _DIGIT.search(piece.text) else None
        if found is not None and not piece.text[found.end() : found.end() + 1].isalpha():
            return str(found.group(0)).strip()
    return None


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


def _find_image(entry: Entry) -> str | None:
    for source in list_images(entry.document, entry.unit, entry.rules):
        if source not in entry.named.icons:
            return join_url(find_base(entry.document), source)
    return None
