"""An entry -> its title and its link, or that it has no title, as posts and comments have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from webclean.segments.entry import Entry, has_letters
from webclean.segments.link_targets import leads_away
from webclean.segments.pieces import Piece
from webclean.segments.url_structure import is_page_url, links_to_person


def list_title_pieces(entry: Entry, author: Piece | None) -> list[Piece]:
    """The texts among which the title is: not the author, nor a heading in an element named for the author, nor, where
    nobody is named, dates that are links; all, if nothing is left."""
    pieces = [
        piece
        for piece in entry.pieces
        if not (author is not None and _names_again(entry, piece, author))
        and not (piece.heading and entry.is_of_author(piece))
    ]
    if author is None:
        pieces = [piece for piece in pieces if piece not in entry.alone or not entry.is_date(piece)]
    return pieces or entry.pieces


def _names_again(entry: Entry, piece: Piece, author: Piece) -> bool:
    """Whether a text is the author's name; a thing may be called as its owner is, but is linked otherwise."""
    return piece.text == author.text and not entry.is_folder_of(author, piece)


def find_title(entry: Entry, pieces: list[Piece]) -> Piece:
    """The longest heading, or of those that are links the longest of the highest rank; else the longest text in an
    element named for titles, best one that is a link; else the longest of the links to the most frequent target; else
    the first text.

    A link inside a longer line is part of a sentence, and no title; nor are numbers and, where there is another, links
    to people and texts that are too long. Of a heading with a link to the thing and one to the folder it is in, as
    `owner / thing`, the former.
    """
    headings = [piece for piece in pieces if piece.heading]
    headings = [piece for piece in headings if not any(entry.is_folder_of(piece, other) for other in headings)]
    if headings:
        linked = [piece for piece in headings if entry.leads_to_page(piece) and piece in entry.outside_sentences]
        rank = {piece: -int(entry.document.tag[entry.document.block[piece.owner]]) for piece in headings}
        return max(linked or headings, key=lambda piece: (rank[piece] if linked else 0, len(piece.text)))
    worded = [piece for piece in pieces if has_letters(piece)] or pieces
    linked = [piece for piece in worded if piece in entry.outside_sentences and entry.leads_to_page(piece)]
    linked = [piece for piece in linked if not entry.leads_to_person(piece)] or linked
    named = [piece for piece in worded if entry.is_of_title(piece)]
    most = entry.rules.records.title_chars
    if brief := [piece for piece in linked if len(piece.text) <= most]:
        linked = brief
        if any(len(piece.text) > most for piece in named):  # an element with a description is none of a title
            named = []
    if named:
        return max(named, key=lambda piece: (piece in linked, len(piece.text)))
    targets = Counter(filter(is_page_url, map(entry.read_target, entry.list_links())))
    return max(
        linked,
        key=lambda piece: (targets[entry.read_target(piece.link)], piece in entry.alone, len(piece.text)),
        default=pieces[0],
    )


def find_link(entry: Entry, title: Piece) -> int | None:
    """The link of an entry: of its title; else, of those to other pages than somebody's, outside sentences if possible,
    that of the longest text, else one around an image."""
    if entry.leads_to_page(title):
        return title.link
    links = [piece for piece in entry.pieces if entry.leads_to_page(piece)]
    links = [piece for piece in links if not entry.leads_to_person(piece)] or links
    links = [piece for piece in links if piece in entry.outside_sentences] or links
    if links:
        return max(links, key=lambda piece: len(piece.text)).link
    return next((row for row in entry.list_links() if is_page_url(entry.read_target(row))), None)


def is_no_title(entry: Entry, piece: Piece, author: Piece, link: int | None) -> bool:
    """Whether the supposed title of an entry with an author is the author again, a date, or text without a link.

    Where the date links to the page itself, the entry is a post. Text without a link is a title in an element named for
    titles, where the entry's link leads to another page; the ranks of those who post are in such elements too.
    """
    if piece.text == author.text and entry.leads_to_person(piece):
        return True
    if piece.heading:
        return False
    if _dates_itself(entry, entry.pieces):
        return True
    if piece.link >= 0:
        return entry.is_date(piece)
    url = entry.resolve(link) if link is not None and entry.is_of_title(piece) else ""
    return not leads_away(url, entry.page) or links_to_person(url, entry.rules.people)


def _dates_itself(entry: Entry, pieces: Iterable[Piece]) -> bool:
    """Whether the date of a unit is a link to the page itself or below its address, as that of a post is."""
    return any(
        entry.leads_to_page(piece) and entry.is_date(piece) and not leads_away(entry.resolve(piece.link), entry.page)
        for piece in pieces
    )
