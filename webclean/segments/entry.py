"""One entry of a list -> its title and link, or that it has none, as posts and comments; and who wrote it.

The author is what an element named for authors contains, a by-line, or a link to somebody's page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import msgspec

from webclean.matching.expressions import compile_pattern
from webclean.parse.url import find_address
from webclean.rules.segments_schema import Segments
from webclean.segments.units import MAX_DEPTH, EntryColumns, Piece, Unit
from webclean.segments.urls import is_page_url, leads_away, links_to_person, strip_query

_IMAGE_FILE: Final = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg)(?:\?[^#]*)?$", re.IGNORECASE)
_HOST_SLASHES: Final = 2  # of `https://host`, no folder
# bytes of UTF-8, so that one limit fits `Last updated on` and `发布时间：`, which has a third of the characters
_BESIDE_DATE_BYTES: Final = 20
COUNT_BEHIND: Final = re.compile(r"(?<=\w)\s?[(（]\d[\d.,]*[)）]$")
_NAME_WORDS: Final = 5  # `by Ana Maria de la Cruz`; more is the beginning of a sentence, as in `by the time they left`


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of the elements and images of a page beyond one unit.

    authors, titles: rows of elements whose names say that they contain an author, a title. header: column of a table ->
    its header.
    """

    authors: AbstractSet[int]
    titles: AbstractSet[int] = frozenset()
    header: Mapping[int, str] = field(default_factory=dict)


class Entry:
    """A unit of a page, read with the rules.

    pieces: its texts. numbers: text nodes that begin with a number. page: the URL of the page, '' if it is not known.
    """

    def __init__(self, columns: EntryColumns, unit: Unit, named: Named) -> None:
        self.columns, self.unit, self.named = columns, unit, named
        self.document, self.rules, self.finder = columns.document, columns.rules, columns.finder
        self.pieces, self.numbers = columns.list_pieces(unit)
        self.page = find_address(columns.document)

    def is_label(self, piece: Piece) -> bool:
        """Whether a text is the name of a button or a rating."""
        return "button" in piece.says or "address" in piece.says

    def leads_to_page(self, piece: Piece) -> bool:
        """Whether a text is a link to a page, not to a script, say."""
        return piece.link >= 0 and is_page_url(self.columns.read_target(piece.link))

    def leads_to_person(self, piece: Piece) -> bool:
        """Whether a text as short as a name links to somebody's page."""
        # the address alone does not tell: a headline may lead into somebody's blog
        if piece.link < 0 or len(piece.text) > self.rules.records.author_chars:
            return False
        return self.columns.leads_to_person(piece.link)

    def is_folder_of(self, piece: Piece, other: Piece) -> bool:
        """Whether a text links to the folder of the page that another one links to: `/owner` and `/owner/thing`."""
        if piece.link < 0 or other.link < 0 or piece.link == other.link:
            return False
        resolve = self.columns.resolve
        folder, name = strip_query(resolve(piece.link)), strip_query(resolve(other.link)).rpartition("/")[0]
        return folder == name and folder.count("/") > _HOST_SLASHES

    def is_date(self, piece: Piece) -> bool:
        """Whether at least half of a text is a date, and the rest no more than a label; or the rest is a shorter word,
        such as the day of the week, and a time of day."""
        found = self.finder.date_texts.search(piece.text) if "date" in piece.says else None
        if found is None:
            return False
        rest = piece.text[: found.start()] + piece.text[found.end() :]
        n_letters = [sum(map(str.isalpha, word)) for word in rest.split()]
        is_word = sum(map(bool, n_letters)) <= 1 and sum(n_letters) < len(found.group(0))
        if len(found.group(0)) < len(rest) and not is_word:
            return False
        # bytes are compared: a Chinese label says in five characters what takes an English one fifteen
        return len(rest.encode()) <= _BESIDE_DATE_BYTES

    def is_of_author(self, piece: Piece, depth: int = MAX_DEPTH) -> bool:
        """Whether the element of a text, or one up to `depth` levels above it, is named for an author."""
        return not self.named.authors.isdisjoint(piece.around[: depth + 1])

    def is_of_title(self, piece: Piece) -> bool:
        """Whether a text is in an element named for titles, and no label of another text."""
        around = piece.around[: MAX_DEPTH // 2 + 1]
        return not self.named.titles.isdisjoint(around) and not piece.text.endswith((":", "："))


def has_letters(piece: Piece) -> bool:
    return any(map(str.isalpha, piece.text))


def list_authors(entry: Entry) -> Iterator[Piece]:
    """The pieces, or parts of a by-line, that may name the author, from what tells most."""
    signed = [piece for piece in entry.pieces if "byline" in piece.says]
    found = map(compile_pattern(entry.rules.patterns["byline"]).search, [piece.text for piece in signed])
    # a line that only begins a by-line
    labels = [piece for piece, begin in zip(signed, found, strict=True) if begin and begin.end() == len(piece.text)]
    whole = [piece for piece in entry.pieces if piece not in labels] if labels else entry.pieces
    short = [
        piece
        for piece in whole
        # what is named for an author may hold `26`, `0 comments` and a date besides, which are nobody's name
        if len(piece.text) <= entry.rules.records.author_chars
        and has_letters(piece)
        and not (piece.text[0].isdecimal() and " " in piece.text)
        and (not entry.is_date(piece) or entry.leads_to_person(piece))
    ]
    # near names first: farther out, `author-box` may hold the date and the number of posts, too
    for depth in (MAX_DEPTH // 2, MAX_DEPTH) if entry.named.authors else ():
        named = [piece for piece in short if entry.is_of_author(piece, depth)]
        # where the cell of topic and writer is named for the writer, the topic comes first
        if named:
            yield next(filter(entry.leads_to_person, named), named[0])
    # nobody named the element: `by` and a link, `by Ana Costa, Lisbon`, a by-line that is no heading, a person's link
    for label, piece in pairwise(entry.pieces):
        if label in labels and piece in short and piece.link >= 0 and not piece.heading:
            yield piece
    for piece in signed:
        if name := _read_signature(piece, entry.rules):
            yield msgspec.structs.replace(piece, text=name)
    yield from (piece for piece in signed if not piece.heading and piece in short)
    worded = [piece for piece in entry.pieces if piece.link >= 0 and has_letters(piece)]
    people = [piece for piece in worded if piece in short and not piece.heading and entry.leads_to_person(piece)]
    # where all links lead to people, they are the entries: a list of members
    if people and len(people) < len(worded):
        yield people[0]


def strip_byline(text: str, entry: Entry) -> str:
    """A name without what says that it is one, and without how much its owner wrote: `by Ada (157)`."""
    found = compile_pattern(entry.rules.patterns["byline"]).search(text)
    return COUNT_BEHIND.sub("", text[found.end() :].strip() or text if found and found.start() == 0 else text)


def _read_signature(piece: Piece, rules: Segments) -> str:
    """The name in a line that begins with a by-line and goes on with a date or place, '' without one. piece: in whose
    text a by-line is found."""
    found = compile_pattern(rules.patterns["byline"]).search(piece.text)
    if found is None or piece.heading or found.start() > 0:
        return ""
    rest = piece.text[found.end() :]
    end = compile_pattern(rules.records.byline_end).search(rest)
    name = rest[: end.start()].strip() if end is not None else ""
    is_name = 0 < len(name) <= rules.records.author_chars and len(name.split()) <= _NAME_WORDS
    # `by the way` is no signature
    return name if is_name and not name[0].islower() else ""


def list_title_pieces(entry: Entry, author: Piece | None) -> list[Piece]:
    """The texts among which the title is: not the author, nor a heading in an element named for the author, nor, where
    nobody is named, dates that are links; all, if nothing is left."""
    pieces = [
        piece
        for piece in entry.pieces
        # a thing may be called as its owner is, but is linked otherwise
        if not (author is not None and piece.text == author.text and not entry.is_folder_of(author, piece))
        and not (piece.heading and entry.is_of_author(piece))
    ]
    if author is None:
        pieces = [piece for piece in pieces if not piece.is_alone or not entry.is_date(piece)]
    told = [piece for piece in pieces if not (entry.is_label(piece) or _is_scrap(entry, piece))]
    return told or pieces or entry.pieces


def _is_scrap(entry: Entry, piece: Piece) -> bool:
    """Whether a text is a single letter, as the first of a text may be, an age or a price with a word or two."""
    if (len(piece.text) == 1 and piece.text.isascii()) or "age" in piece.says:
        return True
    found = entry.finder.prices.search(piece.text) if "price" in piece.says and piece.has_digit else None
    return found is not None and 2 * len(found.group(0)) >= len(piece.text)


def find_title(entry: Entry, pieces: list[Piece]) -> Piece:
    """The longest heading, or of those that are links the longest of the highest rank; else the longest text in an
    element named for titles, best one that is a link; else the longest of the links to the most frequent target; else
    the first text.

    A link inside a longer line is part of a sentence, and no title; nor are numbers and, where there is another, links
    to people and texts that are too long. Of a heading with a link to the thing and one to the folder it is in, as
    `owner / thing`, the former.
    """
    headings, is_name = [piece for piece in pieces if piece.heading], entry.rules.titles.is_name
    if len(headings) > 1:
        headings = [piece for piece in headings if not any(entry.is_folder_of(piece, other) for other in headings)]
    if headings and (headline := _find_under_label(entry, pieces, headings)):
        return headline
    if headings[1:] and headings[0] is pieces[0] and is_name(headings[0].text) and not is_name(headings[1].text):
        headings = headings[1:]  # `Science` above the headline, of whatever rank
    if headings:
        linked = [piece for piece in headings if entry.leads_to_page(piece) and piece.is_own]
        tags = entry.document.tag[entry.document.block[[piece.owner for piece in linked]]].tolist()
        highest = [piece for piece, tag in zip(linked, tags, strict=True) if tag == min(tags)]
        return max(highest or headings, key=lambda piece: len(piece.text))
    worded = [piece for piece in pieces if has_letters(piece)] or pieces  # `1.`, `42` are ranks and counts
    linked = [piece for piece in worded if piece.is_own and entry.leads_to_page(piece)]
    linked = [piece for piece in linked if not entry.leads_to_person(piece)] or linked
    named = [piece for piece in worded if entry.is_of_title(piece)]
    most = entry.rules.records.title_chars
    if brief := [piece for piece in linked if len(piece.text) <= most]:
        linked = brief
        if any(len(piece.text) > most for piece in named):  # an element with a description is none of a title
            named = []
    if named:
        return max(named, key=lambda piece: (piece in linked, len(piece.text)))
    # no element says which it is: the page that most links lead to, by image, name and `more`, is the entry's
    if len(linked) < 2:
        return linked[0] if linked else pieces[0]
    read = entry.columns.read_target
    targets = Counter(filter(is_page_url, map(read, entry.columns.list_links(entry.unit))))
    return max(linked, key=lambda piece: (targets[read(piece.link)], piece.is_alone, len(piece.text)))


def _find_under_label(entry: Entry, pieces: list[Piece], headings: list[Piece]) -> Piece | None:
    """The headline of a box whose only heading is a label, such as the desk or `Editor's choice`; None for others.

    A label is short, and is no link to the page of the entry: the headline is the one link that is longer, alone in its
    line, and leads elsewhere. `Read more` and `by Ada` are none.

        <h2><a href=/opinion>Opinion</a></h2> <a href=/s/1><img></a> <p><a href=/s/1>The ferry is back</a></p>
    """
    label, rules, is_name = headings[0], entry.rules.titles, entry.rules.titles.is_name
    if len(headings) > 1 or not is_name(label.text):
        return None
    read = entry.columns.read_target
    others = [
        piece
        for piece in pieces
        if piece is not label and piece.is_alone and entry.leads_to_page(piece) and not entry.leads_to_person(piece)
    ]
    targets = {read(piece.link) for piece in others if len(piece.text.encode()) > rules.name_bytes}
    own = read(label.link) if label.link >= 0 else None
    if len(targets) != 1 or own in targets:
        return None
    return max((piece for piece in others if read(piece.link) in targets), key=lambda piece: len(piece.text))


def find_link(entry: Entry, title: Piece) -> int | None:
    """The link of an entry: of its title; else one that is named as the title is; else one without words of its own,
    around an image if possible; else one that says no more than that it leads there, or its date. None is better than
    another link of the entry, such as that of its author, its comments or a sentence."""
    if entry.leads_to_page(title):
        return title.link
    # the title is no link: another may be the entry's, but a wrong one is worse than none
    rows = [row for row in entry.columns.list_links(entry.unit) if is_page_url(entry.columns.read_target(row))]
    rows = [row for row in rows if not entry.columns.leads_to_person(row)]
    if not rows:
        return None
    named = [piece.link for piece in entry.pieces if piece.link in rows and f" {title.text}" in piece.text]
    worded = {piece.link for piece in entry.pieces}
    silent = [row for row in rows if row not in worded and not _IMAGE_FILE.search(entry.columns.read_target(row))]
    end = entry.document.end.item
    shown = [row for row in silent if entry.columns.list_images(Unit(row, end(row)))] or silent
    # if several links lead to different pages, none is the link of the entry
    if len({strip_query(entry.columns.resolve(row)) for row in shown}) > 1:
        shown = []
    alone = [piece for piece in entry.pieces if piece.is_own and piece.link in rows]
    leading = [piece.link for piece in alone if "address" in piece.says]
    dates = [piece.link for piece in alone if entry.is_date(piece)]
    return next(iter((*named, *shown, *leading, *dates)), None)


def find_own_address(entry: Entry) -> int | None:
    """The link of a post to itself: its date or number if that is a link, else one to the page or below its address."""
    links = [piece for piece in entry.pieces if entry.leads_to_page(piece) and not entry.leads_to_person(piece)]
    dates = [piece for piece in links if entry.is_date(piece)]
    own = [piece for piece in links if not leads_away(entry.columns.resolve(piece.link), entry.page)]
    numbers = [piece for piece in own if not has_letters(piece)]
    return next((piece.link for piece in (*dates, *numbers, *own) if entry.page or piece in dates), None)


def is_no_title(entry: Entry, piece: Piece, author: Piece, link: int | None) -> bool:
    """Whether the supposed title of an entry with an author is the author again, a date, or text without a link.

    Where the date links to the page itself, the entry is a post. Text without a link is a title in an element named for
    titles, where a link of the entry leads to another page; the ranks of those who post are in such elements too.
    """
    if piece.text == author.text and entry.leads_to_person(piece):
        return True
    if piece.heading:
        return False
    if piece.link < 0 and not entry.is_of_title(piece):
        return True
    if piece.link >= 0:
        return entry.is_date(piece) or entry.leads_to_person(piece)
    others = (link, *(other.link for other in entry.pieces if entry.leads_to_page(other)))
    urls = (entry.columns.resolve(row) for row in others if row is not None)
    return not any(leads_away(url, entry.page) and not links_to_person(url, entry.rules.people) for url in urls)
