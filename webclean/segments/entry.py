"""`Entry`: a unit with its pieces and what its readers ask of them (title, author, date, ...)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from webclean.caching import cached_property
from webclean.features.prices_dates import PriceDateFinder
from webclean.model import Document
from webclean.parse import read_attribute
from webclean.parse.base import find_base
from webclean.parse.controls import escape_controls
from webclean.parse.url import join_url
from webclean.rules.segments_schema import Segments
from webclean.segments.link_targets import strip_query
from webclean.segments.pieces import (
    MAX_DEPTH,
    Piece,
    find_links_alone,
    find_links_outside_sentences,
    is_named,
    list_pieces,
)
from webclean.segments.units import Unit
from webclean.segments.url_structure import is_page_url, links_to_person

HOST_SLASHES: Final = 2  # of `https://host`, no folder
_BESIDE_DATE_BYTES: Final = 20  # UTF-8: `Last updated on`, `发布时间：`


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of the elements and images of a page beyond one unit.

    authors, titles: rows of elements whose names say that they contain an author, a title. icons: addresses of images
    that several units of a list have, so that they say nothing of one. header: column of a table -> its header.
    has_owners: whether the folder that an entry's page is in is somebody's, since it differs from entry to entry.
    """

    authors: Container[int]
    titles: Container[int] = frozenset()
    icons: Container[str] = frozenset()
    header: Mapping[int, str] = field(default_factory=dict)
    has_owners: bool = False


@dataclass(frozen=True, eq=False)
class Entry:
    """A unit of a page, read with the rules. finder: finds prices and dates."""

    document: Document
    unit: Unit
    rules: Segments
    finder: PriceDateFinder
    named: Named

    @cached_property
    def pieces(self) -> list[Piece]:
        return list_pieces(self.document, self.unit)

    @cached_property
    def alone(self) -> frozenset[Piece]:
        """The link texts that are at least half of their line."""
        return find_links_alone(self.document, self.pieces)

    @cached_property
    def outside_sentences(self) -> frozenset[Piece]:
        """The link texts that are at least as long as what is no link in their line."""
        return find_links_outside_sentences(self.document, self.pieces)

    @property
    def page(self) -> str:
        """The URL of the page, '' if it is not known."""
        return self.document.url or ""

    def list_links(self) -> list[int]:
        """Rows of the links of the unit, with or without text."""
        first, end = self.unit.first, self.unit.end
        return [row for row, link in enumerate(self.document.link[first:end].tolist(), first) if row == link]

    def read_target(self, row: int) -> str:
        """The target of a link as written; '' for -1, no link."""
        return (read_attribute(self.document, row, "href") or "").strip() if row >= 0 else ""

    def resolve(self, row: int) -> str:
        """The address of a link, absolute when the page's URL is known."""
        target = self.read_target(row)
        return join_url(find_base(self.document), target) or escape_controls(target)

    def leads_to_page(self, piece: Piece) -> bool:
        """Whether a text is a link to a page, not to a script, say."""
        return is_page_url(self.read_target(piece.link))

    def leads_to_person(self, piece: Piece) -> bool:
        """Whether a text as short as a name links to somebody's page."""
        if piece.link < 0 or len(piece.text) > self.rules.records.author_chars:
            return False
        return links_to_person(self.read_target(piece.link), self.rules.people)

    def is_folder_of(self, piece: Piece, other: Piece) -> bool:
        """Whether a text links to the folder of the page that another one links to: `/owner` and `/owner/thing`."""
        if piece.link < 0 or other.link < 0 or piece.link == other.link:
            return False
        folder, name = strip_query(self.resolve(piece.link)), strip_query(self.resolve(other.link)).rpartition("/")[0]
        return folder == name and folder.count("/") > HOST_SLASHES

    def is_date(self, piece: Piece) -> bool:
        """Whether at least half of a text is a date, and the rest no more than a label."""
        found = self.finder.date_texts.search(piece.text)
        if found is None or 2 * len(found.group(0)) < len(piece.text):
            return False
        return len(piece.text.encode()) - len(found.group(0).encode()) <= _BESIDE_DATE_BYTES

    def is_of_author(self, piece: Piece) -> bool:
        return is_named(self.document, piece.owner, self.unit, self.named.authors)

    def is_of_title(self, piece: Piece) -> bool:
        """Whether a text is in an element named for titles, and no label of another text."""
        is_label = piece.text.endswith((":", "："))
        return not is_label and is_named(self.document, piece.owner, self.unit, self.named.titles, MAX_DEPTH // 2)


def has_letters(piece: Piece) -> bool:
    return any(map(str.isalpha, piece.text))
