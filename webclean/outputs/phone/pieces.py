"""What a phone page is made of and what its caller chooses; and the pieces of a tree of clean elements, by what their
text belongs to: a semantic block, an entry of a list.

    ul [li A, li B, li C]   with B, C of one entry   ->   (A) ul [li A], (B C) ul [li B, li C]

An element whose text belongs to several is divided, at any depth, into one of its kind for each run of its children.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

import numpy as np

from webclean.caching import cached_property
from webclean.model import Block, Rows
from webclean.outputs.flow import INLINE, LEAVES, Head, Node, read_text
from webclean.outputs.flow.lines import ISO_DATE
from webclean.rules.segments_schema import Phone, PhoneLabels


class Layout(StrEnum):
    """How the content of a page is set: as a text, as posts, as a product, as a manual, or as ranked cards."""

    ARTICLE = "article"
    THREAD = "thread"
    PRODUCT = "product"
    DOCUMENTATION = "documentation"
    INDEX = "index"


UNSIGNED: Final = frozenset((Layout.INDEX, Layout.PRODUCT))
"""What fields call the author of goods is the shop or a reviewer, that of a list the author of an entry: their pages
say neither author nor date at the top."""


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """What a phone page shows, and where its links lead.

    images: whether it has images. link: a link's address -> the address that is written, such as that of a server that
    renders the target for phones as well. image: an image's address -> the one that is written, such as a `data:` URL,
    or None to leave the image out; its alternative text then stays. offline: the page may load nothing, not even
    images, but `data:` URLs.
    """

    images: bool = True
    link: Callable[[str], str] | None = None
    image: Callable[[str], str | None] | None = None
    offline: bool = False


@dataclass(frozen=True, eq=False)
class PhoneSource:
    """The content of one page, or of one page of several that are joined.

    flow: the clean elements of the kept text. blocks: all semantic blocks; `Block.number` is the index in `spans` and
    what `owner` holds. owner: [n_elements], number of the semantic block around an element. spans: for each block, for
    each of its records, the rows of the elements it was read from, `(first, end)`. base: what relative URLs of records
    are relative to. lead: numbers of the blocks that hold the lead of a page of stories.
    """

    flow: Node
    blocks: Sequence[Block] = ()
    owner: Rows | Sequence[int] = ()
    spans: Sequence[Sequence[tuple[int, int]]] = ()
    base: str | None = None
    lead: Sequence[int] = ()

    @cached_property
    def records(self) -> list[tuple[int, int]]:
        """(Block, number in its records) of all records of the page."""
        return [(number, at) for number, spans in enumerate(self.spans) for at in range(len(spans))]

    @cached_property
    def find_record(self) -> Callable[[int], int]:
        """Row -> place in `records` of the entry that it is in, or -1."""
        return index_spans([span for spans in self.spans for span in spans])

    @cached_property
    def of_records(self) -> dict[int, list[Node]]:
        """Place in `records` -> the nodes in its span; what is in none is under -1."""
        return gather_places(divide(self.flow.find_nodes(), self.find_record))

    def find_block(self, row: int) -> int:
        """Number of the semantic block of an element, -1 if it is in none."""
        return int(self.owner[row]) if 0 <= row < len(self.owner) else -1


class Choice(NamedTuple):
    """A choice that a product offers. name: such as `Size`, '' if not known. chosen: one of `values`, or ''."""

    name: str
    values: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True, eq=False)
class PhonePage:
    """All that a phone page is made of. price, former (what it was before), image, choices, gallery (the addresses of
    its pictures): of a product, '' if not known. description: what a page without any text, such as one that its
    scripts draw, says of itself; its image then too. telephone: of a service, and its address, '' if not known.
    is_button: whether a text is the name of a button, or a rating, which an entry does without. is_idle: whether a line
    asks for what a page without scripts cannot do. is_edited: whether a line with a date is of a change. months: their
    names in the language of the page, () if that is not known."""

    head: Head
    layout: Layout
    sources: Sequence[PhoneSource]
    rules: Phone
    price: str = ""
    former: str = ""
    image: str = ""
    description: str = ""
    choices: Sequence[Choice] = ()
    gallery: Sequence[str] = ()
    telephone: tuple[str, str] = ("", "")
    options: PhoneOptions = field(default_factory=PhoneOptions)
    is_button: Callable[[str], object] = lambda _: False
    is_idle: Callable[[str], object] = lambda _: False
    is_edited: Callable[[str], object] = lambda _: False
    months: Sequence[str] = ()

    @property
    def labels(self) -> PhoneLabels:
        """The page's own words, in its language if the rules know it."""
        code = self.head.language.lower().partition("-")[0]
        return self.rules.labels.get(code) or self.rules.labels["en"]

    def write_date(self, date: str) -> str:
        """A date as readers write it: that of ISO 8601 without the `T`, seconds and zone, with the name of its month
        where the language of the page is known; others as they are."""
        found = ISO_DATE.match(date)
        if found is None:
            return date
        year, number, day, time = found.groups(default="")
        pattern, names = self.labels.date, ("", *self.months)
        # a page may state a month that there is none of; some languages only number them
        if int(number) not in range(1, 13) or ("onth}" in pattern and not self.months):
            return f"{year}-{number}-{day} {time}".rstrip()
        month = names[int(number) % len(names)].partition(" ")[0].replace("_", " ")
        parts = {"day": int(day), "month": month, "Month": month.capitalize(), "number": int(number), "year": year}
        return f"{pattern.format(**parts)} {time}".rstrip()


_Child = TypeVar("_Child")
_Key = TypeVar("_Key")


def divide(
    nodes: Iterable[Node], find_place: Callable[[int], int], whole: frozenset[str] = frozenset()
) -> list[tuple[int, Node]]:
    """The nodes in order, each with its one place. find_place: row of a leaf -> its place, -1 for none. whole: names of
    elements that are not divided, but belong to the place of their first text."""
    return _fill([piece for node in nodes for piece in _divide(node, find_place, whole)])


def _divide(node: Node, find_place: Callable[[int], int], whole: frozenset[str]) -> list[tuple[int | None, Node]]:
    """The pieces of a node; the place of one without a row, such as an empty cell, is None."""
    own = find_place(node.row) if node.row >= 0 else None
    if node.name in LEAVES or node.name in INLINE or node.name == "hr":
        return [(own, node)]
    pieces: list[tuple[int | None, Node | str]] = []
    for child in node.children:
        is_own = isinstance(child, str) or (child.name in INLINE and child.row < 0)
        pieces += [(own, child)] if is_own else _divide(child, find_place, whole)  # type: ignore[arg-type]
    places = list(dict.fromkeys(place for place, _ in pieces if place is not None))
    # an empty cell or a rule is of no place, and goes with what is around it
    if len(places) <= 1 or node.name in whole:
        return [(next(iter(places), None), node)]
    return [(place, node.copy_with(children)) for place, children in list_runs(_fill(pieces))]


def list_runs(pieces: Iterable[tuple[_Key, _Child]]) -> Iterator[tuple[_Key, list[_Child]]]:
    """The pieces in order, neighbours of one place together."""
    return ((place, [node for _, node in run]) for place, run in groupby(pieces, key=itemgetter(0)))


def _fill(pieces: Iterable[tuple[int | None, _Child]]) -> list[tuple[int, _Child]]:
    """Pieces without a place get the place of the piece before them."""
    filled, place = [], -1
    for found, child in pieces:
        place = place if found is None else found
        filled.append((place, child))
    return filled


def gather_places(pieces: Iterable[tuple[int, Node]]) -> dict[int, list[Node]]:
    """Place -> the pieces that belong to it, in order."""
    gathered: dict[int, list[Node]] = {}
    for place, node in pieces:
        gathered.setdefault(place, []).append(node)
    return gathered


def index_spans(spans: Sequence[tuple[int, int]]) -> Callable[[int], int]:
    """Row -> number of the span `(first, end)` of rows that holds it, the innermost of several; -1 without one."""
    start = min((first for first, _ in spans), default=0)
    owner = np.full(max((end for _, end in spans), default=0) - start, -1)
    # a range that begins later or ends sooner overrides the one around it
    for number in sorted(range(len(spans)), key=lambda number: (spans[number][0], -spans[number][1])):
        owner[spans[number][0] - start : spans[number][1] - start] = number
    return lambda row: int(owner[row - start]) if 0 <= row - start < len(owner) else -1


def list_leaves(node: Node, leaves: Container[str] = LEAVES) -> list[Node]:
    """The nodes with text or images of their own, in order: leaves, and containers that hold text directly."""
    if node.name in leaves or node.name in INLINE:
        return [node]
    own = [child for child in node.children if isinstance(child, str) or child.name in INLINE]
    found = [Node("p", {}, own, row=node.row)] if own else []
    for child in node.children if len(own) < len(node.children) else ():
        if not isinstance(child, str) and child.name not in INLINE:
            found += list_leaves(child, leaves)
    return found


def list_named(nodes: Iterable[Node | str], names: Container[str], apart: Container[str] = ()) -> list[Node]:
    """The nodes with some names at and below given ones, in order, except below nodes named in `apart`."""
    found, todo = [], [node for node in nodes if isinstance(node, Node)][::-1]
    while todo:
        node = todo.pop()
        if node.name in names:
            found.append(node)
        # most lines hold one text
        if node.name not in apart and (len(node.children) != 1 or type(node.children[0]) is not str):
            todo += [child for child in reversed(node.children) if isinstance(child, Node)]
    return found


def replace_nodes(
    children: Iterable[Node | str], change: Callable[[Node], Sequence[Node | str] | None]
) -> list[Node | str]:
    """Children with what stands for each node among them and below, without those of which nothing is left. change: a
    node -> what stands for it; None for a copy with what stands for its children."""
    made: list[Node | str] = []
    for child in children:
        if isinstance(child, str):
            made.append(child)
        elif (found := change(child)) is not None:
            made += found
        elif inside := replace_nodes(child.children, change):
            made.append(child.copy_with(inside))
    return made


_NO_IMAGE: Final[dict[str, Sequence[str]]] = {"img": (), "br": (" ",)}


def leave_out_images(children: Iterable[Node | str]) -> list[Node | str]:
    """The nodes of a line without its images, on one line."""
    return replace_nodes(children, lambda node: [node] if node.name == "math" else _NO_IMAGE.get(node.name))


def measure(node: Node | str) -> int:
    """Bytes of text (UTF-8) in a node."""
    if isinstance(node, str):
        return len(node) if node.isascii() else len(node.encode("utf-8", "surrogatepass"))
    return measure(read_text(node)) if node.name == "math" else sum(map(measure, node.children))


_WORD: Final = re.compile(r"\w+")
_LONGEST_RUN: Final = 12
"""Words of a title by which it is found."""


def find_titles(nodes: Iterable[Node]) -> Callable[[str], bool]:
    """What tells whether the words of a title, or the first of a long one, follow each other in the text of some nodes.
    A title of one word, which any sentence may have, must be all that a line or a link says; numbers aside."""
    leaves = [leaf for node in nodes for leaf in list_leaves(node)]
    links = [child for leaf in leaves for child in leaf.find_nodes() if child.name == "a"]
    lines = [_WORD.findall(read_text(node).casefold()) for node in (*leaves, *links)]
    text = f" {' '.join(chain.from_iterable(lines[: len(leaves)]))} "
    named = ([word for word in line if not word.isdecimal()] or line for line in lines)  # without their numbers
    alone = frozenset(line[0] for line in named if len(line) == 1)

    def says(title: str) -> bool:
        words = _WORD.findall(title.casefold())[:_LONGEST_RUN]
        # `News` is in any text; as a title it is shown only where it stands alone
        return "".join(words) in alone if len(words) <= 1 else f" {' '.join(words)} " in text

    return says


def join_parts(parts: list[Node], kind: str = "meta") -> list[Node]:
    """The line of some parts, with a dot between them; what is said of a name and a colon follows it without."""
    children: list[Node | str] = []
    is_named = False
    for part in parts:
        children += [" " if is_named else " · ", part] if children else [part]
        is_named = read_text(part).rstrip().endswith((":", "：", "︰"))
    return [Node("p", {"class": kind}, children)] if parts else []
