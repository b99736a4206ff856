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
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import Any, Final

import msgspec

from webclean.matching.expressions import compile_pattern, compile_set
from webclean.model import Count, Document, Record
from webclean.parse.columns import find_texts, read_attribute
from webclean.parse.url import find_base, join_url
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.segments.entry import (
    Entry,
    Named,
    find_link,
    find_own_address,
    find_title,
    has_letters,
    is_no_title,
    list_authors,
    list_title_pieces,
    strip_byline,
)
from webclean.segments.listing import find_row, place_cells
from webclean.segments.units import EntryColumns, Piece, Unit, list_around
from webclean.segments.urls import leads_nowhere

_NUMBER: Final = re.compile(
    r"(?<![\w#$€£¥.,:/-])(\d{1,3}(?:[,.\u202f\u00a0 ]\d{3})+|\d+(?:\.\d+)?)(?:\s?(k\b|m\b|万|萬|千))?(?![\d%:/])",
    re.IGNORECASE,
)
_FACTORS: Final = {"k": 1e3, "m": 1e6, "万": 1e4, "萬": 1e4, "千": 1e3}
_HOST: Final = re.compile(r"^[a-z+]+://[^/]*")
_MOST_CHARS: Final = 80
_LEVELS: Final = 3
"""Levels, from the element of the text upwards, on which a name may say what is counted."""


class Labels:
    """The words that say what is counted. One automaton finds the few texts that have any."""

    def __init__(self, words: Mapping[str, str]) -> None:
        """words: what is counted -> an expression for its words."""
        self._names, self._match = list(words), compile_set(tuple(words.values())).Match
        self._searches = [compile_pattern(expression).search for expression in words.values()]

    def search(self, text: str) -> Iterator[tuple[str, Any]]:
        """What a text says is counted, in the order of the rules, and the place of these words."""
        for number in sorted(self._match(text) or ()) if text else ():
            yield self._names[number], self._searches[number](text)

    def find_all(self, text: str) -> list[tuple[int, str]]:
        """(place, what is counted) for each label in a text."""
        return [(found.start(), name) for name, found in self.search(text)]


compile_labels: Final = cached_per_rule_set(Labels)

_BESIDE_CHARS: Final = 10
_SENTENCE: Final = re.compile(r"[,.;!?，。；]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAYING: Final = ("class", "id", "title", "aria-label", "itemprop")
_APART: Final = re.compile("[-_]")  # between the words of a name


def find_counts(entry: Entry, title: Piece | None) -> tuple[Count, ...]:
    """What is counted and how much, in the order of the entry; of what is counted twice the first. title: which counts
    nothing."""
    found: dict[str, int] = {}
    for name, value in _list_counts(entry, title):
        if name is not None and value is not None:
            found.setdefault(name, value)
    return tuple(Count(name, value) for name, value in found.items())


_Told = Iterable[tuple[str | None, int | None]]
"""What is counted and how much, None where that is not known."""


def _list_counts(entry: Entry, title: Piece | None) -> _Told:
    """What the texts of an entry count, then the names of its elements, which tell less, then what stands above it."""
    document, unit, labels = entry.document, entry.unit, compile_labels(entry.rules.records.counts)
    pieces = [piece for piece in entry.pieces if piece is not title and piece.has_digit]
    # a longer text is a story, in which `200 people` are no count of the entry
    pieces = [piece for piece in pieces if len(piece.text) <= _MOST_CHARS]
    for piece in pieces:
        yield from _read_piece(document, unit, piece, labels)
    # inside of longer texts a number is alone in an element that names it: `9.3 <i class="votes">(3.2M)</i>`
    for node in entry.numbers:
        number = _NUMBER.fullmatch(document.text[node].strip(" ()"))
        if number is not None:
            names = [read_attribute(document, document.text_owner.item(node), key) or "" for key in _SAYING]
            # the last word of a name counts: `rating--vote-count` is a count
            if found := labels.find_all(_APART.sub(" ", " ".join(names))):
                yield max(found)[1], _read_value(number)
    cells = place_cells(document, find_row(document, unit))[0] if entry.named.header else {}
    numbers: dict[int, list[int | None]] = {}
    for piece in pieces if cells else ():
        row = piece.owner
        while row > unit.first and row not in cells:
            row = int(document.parent[row])
        number = _NUMBER.fullmatch(piece.text)
        if row in cells and number is not None:
            numbers.setdefault(cells[row], []).append(_read_value(number))
    for column, values in numbers.items():
        said = labels.find_all(entry.named.header.get(column, ""))
        # `Replies/Views` above `22 1171`: as many numbers as words, or nothing tells which is which
        if len(said) == len(values):
            yield from zip((name for _, name in sorted(said)), values, strict=True)


def _read_piece(document: Document, unit: Unit, piece: Piece, labels: Labels) -> _Told:
    """The numbers of a text with what they count; the words stand behind the numbers, unless some precede the first."""
    numbers = list(_NUMBER.finditer(piece.text))
    if not numbers:
        return ()
    bounds = [0, *(place for number in numbers for place in number.span()), len(piece.text)]
    between = [piece.text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    if any(_LETTER.search(text) for text in between):
        is_before = _find_label(between[0], labels, at_end=True) is not None
        beside = between if is_before else between[1:]
        names = [_find_label(text, labels, at_end=is_before) for text in beside[: len(numbers)]]
    else:
        names = [_find_label(_list_names(document, unit, piece), labels)] * len(numbers)
    return zip(names, map(_read_value, numbers), strict=True)


def _read_value(number: re.Match[str]) -> int | None:
    """The number, None for a fraction."""
    digits, unit = number[1], (number[2] or "").lower()
    if unit:
        return round(float(digits.replace(",", "")) * _FACTORS[unit]) if digits.count(".") < 2 else None
    whole = re.sub(r"[,.\s](?=\d{3}(?!\d))", "", digits)
    # longer digits are an id
    return int(whole) if whole.isdecimal() and len(whole) < 16 else None


def _find_label(text: str, labels: Labels, *, at_end: bool | None = None) -> str | None:
    """What a text says is counted. at_end: whether it must be said at its end or, if false, at its beginning, with a
    word between at most; anywhere, if None."""
    for name, found in labels.search(text):
        # `12 new comments` may have a word between, `12 people. Comments` is another sentence
        beside = "" if at_end is None else text[found.end() :] if at_end else text[: found.start()]
        if len(beside) <= _BESIDE_CHARS and not _SENTENCE.search(beside):
            return name
    return None


def _list_names(document: Document, unit: Unit, piece: Piece) -> str:
    """The names of the elements around a number and of its link."""
    target = (read_attribute(document, piece.link, "href") or "") if piece.link >= 0 else ""
    told = [_HOST.sub("", target).rpartition("/")[2]]
    row = piece.owner
    for _ in range(_LEVELS):
        # the unit's own names describe the whole entry
        if row <= unit.first:
            break
        told += [value for name in _SAYING if (value := read_attribute(document, row, name))]
        row = int(document.parent[row])
    return _APART.sub(" ", " ".join(told))


_WORD: Final = re.compile(r"\w+")
_BUTTON_WORDS: Final = 4
_CLOSING: Final = frozenset(",.;:!?)]}»”，。；：！？）")
_AGE_CHARS: Final = 12
_SEPARATING: Final = " ,;:·•|"  # between a title in a link and what follows it
_STRIKING: Final = frozenset(("del", "s", "strike"))
_WORDS_BEFORE: Final = 3
_SENTENCE_WORDS: Final = 12  # `Veröffentlicht am 5. März 2026 von Ada Quill in Politik` has nine
_LINE_WORDS: Final = 4  # beside a date
_LABEL_CHARS: Final = 60  # no date or price is half of a longer text


def read_record(columns: EntryColumns, unit: Unit, named: Named) -> Record | None:
    """Read the record of a unit.

    None where the unit has no text, only digits and signs (numbers of pages, arrows,
    bullets), only a name or date, or only a link that leads to no other page: to the page itself or a selection of it,
    as facets of a search do, to a script, or to a service that is told the page's address, as buttons for sharing are.

    Posts and comments have no title. What stands in its place is the author, the date or, in a heading inside an
    element named for the author, the author's rank. The summary leaves out texts that are all of a link to another page
    than the title's, such as tags and categories.

    Args:
        columns: the page.
        unit: an entry of a list.
        named: the elements named for authors and titles.
    """
    entry, rules = Entry(columns, unit, named), columns.rules
    if not entry.pieces:
        return None
    author = next(list_authors(entry), None)
    first = find_title(entry, list_title_pieces(entry, author))
    title: Piece | None = first
    link = find_link(entry, first)
    # the supposed title is a person's name: this is an entry of a list of people, or a post
    if author is None and not first.heading and entry.leads_to_person(first):
        author, title, link = first, None, None
    elif author is not None and is_no_title(entry, first, author, link):
        title, link = None, find_own_address(entry)
    elif author is not None and author.text == first.text and not entry.is_folder_of(author, first):
        author = None  # an element named for writers is around all of the entry
    image = next(iter(columns.list_images(unit)), None)
    # `Title: Of cranes`
    label = compile_pattern(rules.records.title_label) if title and "title_label" in title.says else None
    record = Record(
        title="" if title is None else title.text if label is None else str(label.sub("", title.text)),
        url=None if link is None else columns.resolve(link),
        summary=" ".join(_list_prose(entry, title, author, link)).lstrip(_SEPARATING),
        date=_find_date(entry, title),
        image=None if image is None else join_url(find_base(entry.document), image),
        price=_find_price(entry, first),
        author=None if author is None else strip_byline(author.text, entry),
        counts=find_counts(entry, title),
        is_advertisement=columns.is_advertised(unit.first) or any("advertised" in one.says for one in entry.pieces),
    )
    return record if _is_entry(entry, record, first) else None


def read_picture(columns: EntryColumns, unit: Unit) -> Record:
    """The record of a linked picture that only its alternative text names."""
    (link, *_), image = columns.list_links(unit), next(iter(columns.list_images(unit)), None)
    base = find_base(columns.document)
    return Record(columns.find_alt(link), columns.resolve(link), image=None if image is None else join_url(base, image))


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
    # `next`, `more`: a step of a pager
    if "leading" in first.says:
        return False
    return record.author is not None or record.url is not None or first.link < 0


def _list_prose(entry: Entry, title: Piece | None, author: Piece | None, link: int | None) -> list[str]:
    """The longer texts of an entry but its title, author and links to other pages."""
    resolve = entry.columns.resolve
    own = None if title is None or link is None else resolve(link)
    rest = [piece for piece in entry.pieces if piece not in (title, author) and piece.link != (link or -2)]
    rest = _join_sentences(entry, [piece for piece in rest if not piece.is_alone or resolve(piece.link) == own])
    rest = [piece for piece in rest if _is_prose(piece, entry)]
    words = set(_WORD.findall(title.text.casefold())) if title is not None and rest else set()
    return [piece.text for piece in rest if not (words and _repeats(piece.text.casefold(), words))]


def _join_sentences(entry: Entry, pieces: list[Piece]) -> list[Piece]:
    """The texts, of which those of a line with links in it are one; not where most of the line is in links, as numbers
    of pages are."""
    blocks = [entry.document.block.item(piece.owner) for piece in pieces]
    if len(set(blocks)) == len(blocks):
        return pieces
    place = {id(piece): at for at, piece in enumerate(entry.pieces)}
    lines = [pieces[:1]]
    for (above, before), (block, piece) in pairwise(zip(blocks, pieces, strict=True)):
        if above == block and place[id(piece)] == place[id(before)] + 1:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    made: list[Piece] = []
    for line in lines:
        # `Read more` at the end says nothing
        while len(line) > 1 and line[-1].link >= 0 and entry.is_label(line[-1]):
            line.pop()
        n_linked = sum(len(piece.text) for piece in line if piece.link >= 0)
        if len(line) == 1 or 2 * n_linked > sum(len(piece.text) for piece in line):
            made += line
            continue
        text = line[0].text
        for piece in line[1:]:
            text += piece.text if piece.text[:1] in _CLOSING else f" {piece.text}"
        says = tuple(name for piece in line for name in piece.says)
        has_digit = any(piece.has_digit for piece in line)
        made.append(msgspec.structs.replace(line[0], text=text, says=says, has_digit=has_digit))
    return made


def _repeats(text: str, title: set[str]) -> bool:
    """Whether a text says all words of a title and hardly more, as the name of a button does (`Save: ...`). text: case
    folded."""
    # most texts lack the first word that is looked for, which costs less than to list theirs
    if not all(word in text for word in title):
        return False
    words = set(_WORD.findall(text))
    return title <= words and len(words - title) <= _BUTTON_WORDS


def _find_date(entry: Entry, title: Piece | None) -> str | None:
    """The first of: the stamp of a `time` element or custom element named so, a date outside the title, one in it."""
    # machines wrote it: neither a language nor an order of day and month to be told
    if stamp := next(entry.columns.list_times(entry.unit), None):
        return stamp
    if not any(piece.has_digit for piece in entry.pieces):
        return None
    dated, is_other = [], False
    for piece in entry.pieces:
        was_label, is_other = is_other, "other_date" in piece.says
        if not (piece.heading or is_other or was_label):
            dated.append(piece)
        # `Expires:` alone speaks of the next text; with its date in it, of itself
        is_other = is_other and not piece.has_digit
    outside = [piece for piece in dated if piece is not title]
    # a title may hold a date that the entry is about
    for piece in (*outside, *dated):
        if "date" in piece.says and piece.has_digit:
            found = entry.finder.date_texts.search(piece.text)
            if "byline" in piece.says or not _is_in_sentence(piece.text, *found.span()):
                return str(found.group(0)).strip()
    short = [piece for piece in outside if piece.has_digit and len(piece.text) <= _AGE_CHARS]
    # `18d`; else a time of day that is said to be one of a date
    ages = (piece.text for piece in short if "age" in piece.says)
    times = (piece.text for piece in short if "time_of_day" in piece.says and _is_dated(entry, piece))
    return next(chain(ages, times), None)


def _is_dated(entry: Entry, piece: Piece) -> bool:
    """Whether the class or id of the element of a text, or of the one around it, says that it is a date."""
    says = compile_pattern(entry.rules.records.date_names).search
    rows = {piece.owner, int(entry.document.parent[piece.owner])} - {entry.unit.first}
    names = (read_attribute(entry.document, row, key) for row in rows if row >= 0 for key in ("class", "id"))
    return any(says(name) for name in names if name)


def _find_price(entry: Entry, title: Piece) -> str | None:
    """The first amount of money that is what the entry costs: no letter follows it at once, and no word for a larger
    one; it is not struck out, saved, an instalment or the price of a unit; a headline does not speak of it."""
    rules = entry.rules.records
    is_more = compile_pattern(rules.no_price).match
    is_other_before = compile_pattern(rules.other_price["before"]).search
    is_other_behind = compile_pattern(rules.other_price["behind"]).search
    priced = [piece for piece in entry.pieces if "price" in piece.says and piece.has_digit]
    struck = _list_struck(entry) if priced else []
    for piece in priced:
        text = piece.text
        for other in struck:
            text = text.replace(other, "", 1)
        begin = 0
        for found in entry.finder.prices.finditer(text):
            before, behind = text[begin : found.start()], text[found.end() :]
            begin = found.end()
            # `$50k` and `$457 million` are no prices
            if is_more(behind) or is_other_before(before) or is_other_behind(behind):
                continue
            if piece is not title and _is_in_sentence(text, *found.span()):
                break
            # `Why a $7 loaf has split the village`; a link around a whole entry ends with the price
            amount = str(found.group(0))
            is_headline = piece.heading or (piece is title and any(map(str.isalpha, behind)))
            if 2 * len(amount) >= len(piece.text) or not is_headline:
                return amount.strip()
    return None


def _is_in_sentence(text: str, start: int, end: int) -> bool:
    """Whether what stands from `start` to `end` is said in running text, as in `users who made more than $500 by it`:
    behind several words, with many around it, and one in lower case beside it."""
    before, behind = text[:start].split(), text[end:].split()
    if len(before) < _WORDS_BEFORE or len(before) + len(behind) < _SENTENCE_WORDS:
        return False
    beside = [before[-1], *behind[:1]]
    return any(word.islower() and word.rstrip(".,").isalpha() for word in beside)


def _list_struck(entry: Entry) -> list[str]:
    """The texts of an entry in elements that strike them out, or are named for another price than the one paid; beside
    a price that is named as paid that is the usual one too, unless it is the same."""
    document, found, usual, paid = entry.document, [], [], set[str]()
    for i in find_texts(document, *entry.unit):
        row = int(document.text_owner[i])
        inside = list_around(document, row, entry.unit)
        names = " ".join(read_attribute(document, row, "class") or "" for row in inside[:2])
        text = " ".join(document.text[i].split())
        is_other, is_usual, is_paid = entry.columns.judge_price(names)
        if is_other or any(document.names[row] in _STRIKING for row in inside):
            found.append(text)
        elif is_paid:
            paid.add(text)
        elif is_usual:
            usual.append(text)
    found += [text for text in usual if text not in paid] if paid else ()
    return [text for text in found if any(map(str.isdecimal, text))]


def _is_prose(piece: Piece, entry: Entry) -> bool:
    """Whether a text is long enough for a summary, and not only a date, price or label."""
    if len(piece.text.encode()) < entry.rules.records.summary_bytes or "button" in piece.says:
        return False
    if "price" in piece.says and piece.has_digit:
        left = entry.finder.prices.sub("", piece.text)
        n_prices = len(entry.finder.prices.findall(piece.text))
        if 2 * sum(map(str.isalpha, left)) < entry.rules.records.summary_bytes * (n_prices + n_prices % 2):
            return False
    if len(piece.text) > _LABEL_CHARS or not piece.has_digit:
        return True
    if "other_date" in piece.says:
        return False
    patterns = {"date": entry.finder.date_texts, "price": entry.finder.prices}
    found = [pattern.search(piece.text)[0] for name, pattern in patterns.items() if name in piece.says]
    if "date" in piece.says:
        # `Ada Quill – 3/7/2026 |` says who, where or in what part; so few words, with spaces between, tell no story
        left = piece.text.replace(found[0], " ")
        if len(_WORD.findall(left)) <= _LINE_WORDS and len(left.encode()) <= 2 * len(left):
            return False
    return all(2 * len(text) < len(piece.text) for text in found)
