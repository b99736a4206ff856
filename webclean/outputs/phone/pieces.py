"""A tree of clean elements -> pieces of it by what their text belongs to: a semantic block, an entry of a list.

    ul [li A, li B, li C]   with B, C of one entry   ->   (A) ul [li A], (B C) ul [li B, li C]

An element whose text belongs to several is divided, at any depth, into one of its kind for each run of its children.

A long page is divided into parts of about the same length. A part ends, once it has most of its bytes, before the next
semantic block, post, card or heading; where none comes before it is far too long, at its full length before any
paragraph. Cards and lists that are longer than a part are divided between their items.

                           soft      full        hard
    |------------------------|---------|-----------|
    h2 p p p p p p p p p p p p p  h2 p p p p p p p p p p
                                ^ ends here

Its texts are read beside what is known of the page: whether a line says a date or a name, and how dates are written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeVar

from webclean.caching import cached_property
from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS, INLINE, LEAVES, fold, read_text

Place = int
"""What a piece belongs to: the number of a block or entry, -1 for none."""
Piece = tuple[Place, Node]
_Child = TypeVar("_Child")
_Key = TypeVar("_Key")


def divide(
    nodes: Iterable[Node], find_place: Callable[[int], Place], whole: frozenset[str] = frozenset()
) -> list[Piece]:
    """The nodes in order, each of one place. find_place: row of a leaf -> its place. whole: names of elements that are
    not divided, but belong to the place of their first text."""
    found: list[Piece] = []
    for node in nodes:
        found += _fill(_divide(node, find_place, whole), found[-1][0] if found else -1)
    return found


def _divide(node: Node, find_place: Callable[[int], Place], whole: frozenset[str]) -> list[tuple[Place | None, Node]]:
    """The pieces of a node; the place of one without a row, such as an empty cell, is None."""
    if node.name in LEAVES or node.name in INLINE or node.name == "hr":
        return [(find_place(node.row) if node.row >= 0 else None, node)]
    pieces: list[tuple[Place | None, Node | str]] = []
    for child in node.children:
        if isinstance(child, str) or (child.name in INLINE and child.row < 0):
            pieces.append((find_place(node.row) if node.row >= 0 else None, child))
        else:
            pieces += _divide(child, find_place, whole)
    places = {place for place, _ in pieces if place is not None}
    # an empty cell or a rule is of no place, and goes with what is around it
    if len(places) <= 1 or node.name in whole:
        first = next((place for place, _ in pieces if place is not None), None)
        return [(first, node)]
    return [
        (place, node.copy_with([child for _, child in run]))
        for place, run in groupby(_fill(pieces, pieces[0][0]), key=itemgetter(0))
    ]


def list_runs(pieces: Iterable[tuple[_Key, _Child]]) -> Iterator[tuple[_Key, list[_Child]]]:
    """The pieces in order, those of one place that follow each other together."""
    return ((place, [node for _, node in run]) for place, run in groupby(pieces, key=itemgetter(0)))


def _fill(pieces: Sequence[tuple[Place | None, _Child]], before: Place | None) -> list[tuple[Place, _Child]]:
    """Pieces of no place belong to that of the piece before them."""
    filled = []
    place = -1 if before is None else before
    for found, child in pieces:
        place = place if found is None else found
        filled.append((place, child))
    return filled


class Spans:
    """Spans of rows, `(first, end)`, found by a row: the innermost where one lies in another."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._order = sorted(range(len(spans)), key=lambda number: (spans[number][0], -spans[number][1]))
        self._starts = [spans[number][0] for number in self._order]
        self._ends = [spans[number][1] for number in self._order]
        self._around: list[int] = []
        for at, first in enumerate(self._starts):
            outer = at - 1
            while outer >= 0 and self._ends[outer] <= first:
                outer = self._around[outer]
            self._around.append(outer)

    def find(self, row: int) -> Place:
        """Number of the span that holds a row, or -1."""
        at = bisect_right(self._starts, row) - 1
        while at >= 0 and row >= self._ends[at]:
            at = self._around[at]
        return self._order[at] if at >= 0 else -1


def list_leaves(node: Node) -> list[Node]:
    """The nodes with text or images of their own, in order: leaves, and containers that hold text directly."""
    if node.name in LEAVES or node.name in INLINE:
        return [node]
    own = [child for child in node.children if isinstance(child, str) or child.name in INLINE]
    found = [Node("p", {}, own, row=node.row)] if own else []
    for child in node.children if len(own) < len(node.children) else ():
        if not isinstance(child, str) and child.name not in INLINE:
            found += list_leaves(child)
    return found


def list_named(nodes: Iterable[Node | str], names: Container[str], apart: Container[str] = ()) -> list[Node]:
    """The nodes of some names at and below some, in order; not those below nodes named in `apart`."""
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            continue
        if node.name in names:
            found.append(node)
        if node.children and node.name not in apart:
            found += list_named(node.children, names, apart)
    return found


def leave_out_images(children: Iterable[Node | str]) -> list[Node | str]:
    """What a line holds beside images, on one line."""
    kept: list[Node | str] = []
    for child in children:
        if isinstance(child, str) or child.name == "math":
            kept.append(child)
        elif child.name == "br":
            kept.append(" ")
        elif child.name != "img" and (inside := leave_out_images(child.children)):
            kept.append(child.copy_with(inside))
    return kept


def read_phrases(nodes: Iterable[Node]) -> Phrases:
    """What the lines of some nodes, and the links in them, say."""
    leaves = [leaf for node in nodes for leaf in list_leaves(node)]
    links = (read_text(child) for leaf in leaves for child in leaf.find_nodes() if child.name == "a")
    return Phrases(map(read_text, leaves), links)


def measure(node: Node | str) -> int:
    """Bytes of text (UTF-8) in a node."""
    if isinstance(node, str):
        return len(node) if node.isascii() else len(node.encode("utf-8", "surrogatepass"))
    return measure(read_text(node)) if node.name == "math" else sum(map(measure, node.children))


_DIVISIBLE: Final = frozenset(("section", "article", "ul", "ol", "dl", "blockquote", "table", "details", "div"))
_WHOLE: Final = 1.5
"""A page of less than so many parts is one."""
_SOFT: Final = 0.7
"""Share of a part from which it may end at a good place."""
_HARD: Final = 1.3
"""Share of a part that it may have at most, unless one node has more."""


def split_parts(nodes: list[Node], part_bytes: int) -> list[list[Node]]:
    """The nodes of each part."""
    whole = sum(map(measure, nodes))
    # two halves of less than a part each are a worse read than one long part
    if whole < _WHOLE * part_bytes:
        return [nodes]
    # parts of about the same length: the last one is not a line or two
    size = whole / max(2, round(whole / part_bytes))
    pieces = list(_divide_long(nodes, round(size)))
    sizes = [measure(piece) for piece in pieces]
    good = [at > 0 and _is_good_start(piece, pieces[at - 1]) for at, piece in enumerate(pieces)]
    # for each piece, the bytes from it to the next piece that a part may begin with, or to the end
    ahead = [0] * (len(sizes) + 1)
    for at in range(len(sizes) - 1, -1, -1):
        ahead[at] = 0 if good[at] else sizes[at] + ahead[at + 1]
    starts = [0]
    filled = 0
    for at, n_bytes in enumerate(sizes):
        is_soft = filled >= _SOFT * size and good[at]
        is_full = filled + n_bytes > _HARD * size or (filled >= size and filled + ahead[at] > _HARD * size)
        if at > starts[-1] and (is_soft or is_full):
            # a heading at the end of a part would be without its text
            with_heading = pieces[at - 1].name in HEADINGS and at - 1 > starts[-1]
            starts.append(at - 1 if with_heading else at)
            filled = sizes[at - 1] if with_heading else 0
        filled += n_bytes
    return [pieces[start:end] for start, end in zip(starts, [*starts[1:], len(pieces)], strict=True)]


def _is_good_start(node: Node, before: Node) -> bool:
    """Whether a part may begin with a node: a heading, a card or post, or the first of another semantic block."""
    if node.name in HEADINGS:
        return before.name not in HEADINGS
    return node.name in ("section", "article", "details") or node.attributes.get("block") != before.attributes.get(
        "block"
    )


def _divide_long(nodes: list[Node], size: int) -> Iterator[Node]:
    """The nodes, of which those longer than a part are divided between their children."""
    for node in nodes:
        if node.name not in _DIVISIBLE or measure(node) <= size:
            yield node
        else:
            yield from _divide_node(node, size)


def _divide_node(node: Node, size: int) -> Iterator[Node]:
    # numbers of a table say nothing without what is above them
    first, head = node.children[0], list[Node | str]()
    if node.name == "table" and isinstance(first, Node) and all(cell.name == "th" for cell in first.find_nodes()):
        head = [first] if first.children else []
    held: list[Node | str] = []
    n_held = n_done = 0
    children = [Node("p", {}, [child]) if isinstance(child, str) else child for child in node.children]
    pieces = list(_divide_long(children, size))
    for child in pieces:
        n_bytes = measure(child)
        if len(held) > len(head) and n_held + n_bytes > size / 2:
            yield _copy_with(node, held, n_done)
            n_done += len(held)
            held, n_held = list(head), 0
        held.append(child)
        n_held += n_bytes
    yield _copy_with(node, held, n_done)


def _copy_with(node: Node, children: list[Node | str], n_before: int) -> Node:
    """A node of the same kind with some of its children; a later one has no id, and its numbers go on."""
    attributes = dict(node.attributes)
    if n_before:
        # an id is one place of the page, that of its first part
        attributes.pop("id", None)
    if node.name == "ol" and n_before:
        attributes["start"] = str(int(attributes.get("start", "1")) + n_before)
    return Node(node.name, attributes, children, node.is_line, node.row)


# readers want no seconds and no zone
_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d))?")
_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"\w+")
_LONGEST_RUN: Final = 12
"""Words of a title by which it is found."""
_FEW_TITLES: Final = 64
"""That are sought in the text itself. Each search may read all of it, as collecting its runs of words does, which costs
some forty times as much."""
# between the authors of a text, who stand in any order in its by-line
_NAMES: Final = re.compile(r"\s*(?:[,;/&·|]|\band\b)\s*")


def write_date(date: str) -> str:
    """A date as readers write it: that of ISO 8601 without the `T`, seconds and zone; others as they are."""
    found = _ISO.match(date)
    if found is None:
        return date
    day = "-".join(found.groups()[:3])
    return f"{day} {found[4]}" if found[4] else day


def says_date(text: str, date: str) -> bool:
    """Whether a line shows a date: word for word, or the year and day of an ISO 8601 one, in any order."""
    if not date:
        return False
    found = _ISO.match(date)
    if found is None:
        return fold(date) in fold(text)
    numbers = [int(number) for number in _NUMBER.findall(text) if len(number) <= 4]
    year, day = int(found[1]), int(found[3])
    # without the month, which is a word in some language: `6 May 2024`, `06.05.24`, `5/6/24`
    return (year in numbers or year % 100 in numbers) and day in numbers


def says_names(text: str, names: str) -> bool:
    """Whether a line names somebody: all the names, in any order."""
    folded = fold(text)
    parts = [part for part in _NAMES.split(fold(names)) if part]
    return bool(parts) and all(part in folded for part in parts)


AMOUNT: Final = re.compile(r"\d(?:[\d.,' ]*\d)?")
"""An amount of money without its currency, which stands before or behind, as a sign or a word."""
_CENTS: Final = re.compile(r"(?<=\d)[.,]\s?00$")
CURRENCY: Final = 3
"""Letters of the name of a currency (ISO 4217)."""


def is_price(text: str, price: str) -> bool:
    """Whether a line says a price once more and nothing else but a currency: `$1,646.00` for `USD 1646`."""
    found, wanted = AMOUNT.findall(text), AMOUNT.search(price)
    if wanted is None or len(found) != 1 or sum(map(str.isalpha, text)) > CURRENCY:
        return False
    return read_digits(found[0]) == read_digits(wanted[0])


def read_digits(amount: str) -> str:
    """The digits of an amount, however its thousands are set apart, without cents that are none."""
    return "".join(filter(str.isdecimal, _CENTS.sub("", amount)))


def count_words(text: str) -> Counter[str]:
    """Words and numbers of a text, case folded."""
    return Counter(_WORD.findall(text.casefold()))


def has_letters(text: str) -> bool:
    """Whether a text is more than digits, signs and bullets."""
    return any(map(str.isalpha, text))


class Phrases:
    """Finds titles in lines of text by their words. A title of one word, which any sentence may have, must be all that
    a line or a link says; numbers aside. links: the text of each link.

    Most titles are a line of their own, and most others have a word that is nowhere in the text: the words of the text
    are told only for the rest. A few titles are sought in these, a word on each line. Where many are, the runs of so
    many words that the text has are collected once for each length, so that time grows with the text and not with the
    number of titles.
    """

    def __init__(self, lines: Iterable[str], links: Iterable[str] = ()) -> None:
        self._given, self._links = list(lines), links
        self._folded = "\n".join(self._given).casefold()
        self._lines = frozenset(self._folded.split("\n"))
        self._runs: dict[int, frozenset[tuple[str, ...]]] = {}
        self._n_asked = 0

    @cached_property
    def _words(self) -> tuple[list[str], frozenset[str], str]:
        """The words of the lines, each once, and with a line for each."""
        words = _WORD.findall(self._folded)
        return words, frozenset(words), "\n".join(["", *words, ""])

    @cached_property
    def _parts(self) -> list[str]:
        """The lines and the links."""
        return [part.casefold() for part in (*self._given, *self._links)]

    @cached_property
    def _alone(self) -> frozenset[str]:
        """The words that are all that a line or a link says."""
        return frozenset(filter(None, map(_find_only, self._parts)))

    def has(self, title: str) -> bool:
        """Whether the words of a title, or the first of a long one, follow each other in the text."""
        folded = title.casefold()
        words = tuple(_WORD.findall(folded)[:_LONGEST_RUN])
        self._n_asked += 1
        is_few = self._n_asked <= _FEW_TITLES
        # `News` is in any text; as a title it is shown only where it stands alone
        if len(words) <= 1:
            word = "".join(words)
            known = self._alone if not is_few else {_find_only(part) for part in self._parts if word and word in part}
            return word in known
        if folded in self._lines:
            return True
        # most titles have a word that is nowhere in the text: its words are told only for the rest
        if is_few and not all(word in self._folded for word in words):
            return False
        every, known, text = self._words
        if is_few or not known.issuperset(words):
            return is_few and "\n".join(("", *words, "")) in text
        n = len(words)
        if n not in self._runs:
            self._runs[n] = frozenset(zip(*(every[at:] for at in range(n)), strict=False))
        return words in self._runs[n]


def _find_only(line: str) -> str:
    """The only word of a line that is no number, or its only number; empty if it has several."""
    words = _WORD.findall(line)
    named = [word for word in words if not word.isdecimal()] or words
    return named[0] if len(named) == 1 else ""
