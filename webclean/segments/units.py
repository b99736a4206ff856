"""Repeated units of a page: the elements or runs of siblings that are entries of a list, and their search.

A unit is an element, or a run of siblings, that is one entry of a list:

    <ul> <li>..</li> <li>..</li> </ul>                          each li is a unit
    <dl> <dt>..</dt><dd>..</dd> <dt>..</dt><dd>..</dd> </dl>    each run dt, dd is a unit

From the root down, for each element: the tags of its children are searched for a repetition
(`core/units.py`), or their tags and classes if that fails. The units must look like entries: mostly links,
starting with a link, or with a heading or a link on a line of its own. If the units are lists themselves, such as the
columns of a portal, their units are taken instead. No selector and no class name is known in advance: classes only
distinguish siblings.

An entry is read in pieces: runs of displayed text inside one block element and one link. What else is read of entries,
their links, images and times, is described once a page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import Once, cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.page_columns import PriceDateFinder
from webclean.features.page_words import find_names
from webclean.matching.expressions import compile_pattern, compile_set
from webclean.model import Document, Floats, Rows
from webclean.parse.columns import climb, find_hiding, find_texts, read_attribute
from webclean.parse.controls import clean_line, escape_controls
from webclean.parse.limits import check_time
from webclean.parse.tags import CELL, CODE, HEADING, INVISIBLE, tag_mask
from webclean.parse.url import find_joined
from webclean.rules.segments_schema import Records, Segments
from webclean.segments.urls import generalise_url, is_page_url, links_to_person

_Number = TypeVar("_Number", np.int64, np.float64)

LIST_OF_ITEMS: Final = tag_mask("ul ol")
KINDS: Final = np.array([HEADING, LIST_OF_ITEMS, INVISIBLE, CELL, tag_mask("tr"), tag_mask("label")]).view(np.uint8)
"""uint8 [6, n_codes]: what `core/unit_signals.py` and `core/units.py` ask of a tag, in their order."""


_Own = TypeVar("_Own")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def kept_by_argument(compute: Callable[[_Own, _Key], _Value]) -> Callable[[_Own, _Key], _Value]:
    """A method of one argument, each of whose results its object keeps."""
    name = f"_kept_{compute.__name__}"

    @wraps(compute)
    def read(own: _Own, key: _Key, /) -> _Value:
        kept: dict[_Key, _Value] = own.__dict__.setdefault(name, {})
        if key not in kept:
            kept[key] = compute(own, key)
        return kept[key]

    return read


class Unit(NamedTuple):
    """One entry: consecutive siblings with their subtrees, rows `first` to `end` (exclusive)."""

    first: int
    end: int


def list_inside(rows: Sequence[int], first: int, end: int) -> Sequence[int]:
    """Those of rising rows from `first` to `end` (exclusive)."""
    return rows[bisect_left(rows, first) : bisect_left(rows, end)]


class UnitSums(NamedTuple):
    """Sums over a page of n elements, and who has children with text.

    text_chars: float64 [n_texts], displayed characters. sums: float64 [5, n + 1], prefix sums over rows: characters,
    those in links, headings, links, and links that are all of their line: of the text of a block element outside the
    blocks inside it. children: int64 [n_children], the children with text of all elements, those of the first element
    first. first_child: int64 [n + 1], where in `children` those of each element begin. searched: the elements that may
    have units, rising: with so many children that have link text, or such items of lists.
    """

    text_chars: Floats
    sums: Floats
    children: Rows
    first_child: Rows
    searched: list[int]


class UnitSearch:
    """Finds the units of one page, and has what their readers ask of it.

    names: of the elements. text_chars: as in `UnitSums`. chars, link_chars, headings, links, alone: its sums, so that
    the value of a unit is `chars[end] - chars[first]`; views, because a few single entries are read. end:
    `Document.end`.
    """

    def __init__(self, page: PageColumns, rules: Records) -> None:
        document = page.document
        self.document, self.rules, self.names = document, rules, find_names(page)
        # of each text without the white space at its ends
        self.text_length = np.fromiter(map(len, map(str.strip, document.text)), np.int64, len(document.text))
        self.summed = UnitSums(*core.add_up_rows(document.page, self.text_length, KINDS, rules.min_units))
        self.text_chars = self.summed.text_chars
        self.chars, self.link_chars, self.headings, self.links, self.alone = map(_view, self.summed.sums)
        self.end = _view(document.end)

    @cached_property
    def tags(self) -> Rows:
        """int64 [n_elements]: equal for elements of one name; those that HTML does not define are below zero."""
        document = self.document
        others = (document.tag == 0).nonzero()[0]
        if not len(others):
            return document.tag
        tags = document.tag.copy()
        number: dict[str, int] = {}
        # `x-card` and `x-price` are two names, which one code would make alike
        tags[others] = [-1 - number.setdefault(document.names[row], len(number)) for row in others.tolist()]
        return tags

    def share_class(self, rows: Sequence[int]) -> bool:
        """Whether nearly all rows have the same first class."""
        names, classes = self.names.names, self.names.classes
        # the first class is the kind; others tell the first, the last or every second (`row odd`)
        firsts = Counter(names[classes[row]].partition(" ")[2].partition(" ")[0] for row in rows)
        name, n_rows = firsts.most_common(1)[0]
        return bool(name) and n_rows >= self.rules.cells_alike * len(rows)

    def are_headlines(self, rows: Sequence[int], among_lists: bool) -> bool:
        """Whether links are different headlines: of generated URLs of one family or, among lists, of one folder."""
        targets = [(read_attribute(self.document, row, "href") or "").strip() for row in rows]
        # beside lists, lines of headlines are known by one folder: their names need not look generated
        families = {target.rpartition("/")[0] if among_lists else generalise_url(target) for target in targets}
        # the same address twice is a title and its image, and no list of two
        is_one = len(families) == 1 and "" not in families and len(set(targets)) == len(targets)
        return is_one and all(map(is_page_url, targets))

    @cached_property
    def bounds(self) -> Rows:
        """int64 [n_units, 2]: the rows of the units of the page, in document order."""
        if not self.summed.searched:  # nowhere enough children with links
            return np.empty((0, 2), dtype=np.int64)
        search = core.UnitSearch(
            self.document.page,
            (self.tags, self.names.classes),
            self.text_length,
            self.summed,
            KINDS,
            self.rules,
            # checks of attributes and addresses stay in Python: only few elements need them
            (check_time, self),
        )
        found: Rows = search.find_all(0, len(self.document))
        return found


def _view(column: NDArray[_Number]) -> Sequence[Any]:
    """The same numbers, of which single ones are read faster than from an array, without making all of them."""
    return np.ascontiguousarray(column).data


find_units: Final = cached_per_page(UnitSearch)


MAX_DEPTH: Final = 4
"""Levels above a text on which the name of an element may say what the text is."""
_CUSTOM: Final = 0  # code of tags that HTML does not define
_PARTS: Final = frozenset(pair for digit in "0123456789" for sign in ".," for pair in (digit + sign, sign + digit))
"""Last and first sign of two texts of one number."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A run of text of a unit, inside one block element and one link.

    owner: element of its first text node. link: row of the link around it, or -1. heading: whether the block element is
    a heading. around: its element and those above it inside the unit whose names may say what it is; the unit's own is
    not among them, for its names describe the whole entry. has_digit: whether it has one. is_alone: a link that is at
    least half of its line. is_own: a link as long, at least, as the text of its line that is no link. says: the names
    of the expressions that it matches, see `EntryColumns`.
    """

    text: str
    owner: int
    link: int
    heading: bool
    around: tuple[int, ...]
    has_digit: bool
    is_alone: bool
    is_own: bool
    says: tuple[str, ...]


class EntryColumns:
    """What the entries of a page are read from. finder: finds prices and dates.

    Most texts match none of the expressions by which records are read: those that a text may match are found by one
    automaton for all.
    """

    def __init__(self, document: Document, rules: Segments, finder: PriceDateFinder) -> None:
        self.document, self.rules, self.finder = document, rules, finder
        self._urls = find_joined(document)
        records = rules.records
        searched = {
            "byline": rules.patterns["byline"],
            "date": finder.shown,
            "price": finder.price,
            "other_date": records.other_date,
            "advertised": records.advertised["text"],
            "leading": rules.titles.leading,
            "title_label": records.title_label,
            "button": match_whole(records.buttons),
            "address": match_whole(records.leads),
            "age": f"^(?:{records.age})$",
            "time_of_day": f"^(?:{records.time_of_day})$",
        }
        names, match = tuple(searched), compile_set(tuple(searched.values())).Match
        # `Read more` is read once, as is what one entry says in another
        self._says = Once(lambda text: tuple([names[number] for number in match(text) or ()]))
        # rows of the links, with or without text, of the images, and of what is named for times, also `relative-time`
        self._links: list[int] = (document.link == np.arange(len(document))).nonzero()[0].tolist()
        self._images: list[int] = (document.tag == CODE["img"]).nonzero()[0].tolist()
        custom = (document.tag == _CUSTOM).nonzero()[0].tolist()
        named = [row for row in custom if "time" in document.names[row].split("-")]
        self._times = sorted(named + (document.tag == CODE["time"]).nonzero()[0].tolist())

    @kept_by_argument  # asked for labels of the list first, then for the record
    def list_pieces(self, unit: Unit) -> tuple[list[Piece], list[int]]:
        """The displayed text of a unit in order, divided where the block element or the link changes; the text nodes
        that begin with a number, after brackets.

        <li>8 <b>new</b> <a href=/a>boats</a><p>of oak</p></li>        8 new | boats | of oak
        """
        runs, numbers = self._read_runs(unit)
        n_chars: Counter[int] = Counter()  # of each line
        n_plain: Counter[int] = Counter()  # those outside links
        for line, link, _, text in runs:
            n_chars[line] += len(text)
            n_plain[line] += len(text) if link < 0 else 0
        pieces = [
            Piece(
                text,
                owner,
                link,
                heading=bool(HEADING[self.document.tag[line]]),
                around=list_around(self.document, owner, unit),
                has_digit=any(map(str.isdecimal, text)),
                is_alone=link >= 0 and 2 * len(text) >= n_chars[line],
                is_own=link >= 0 and len(text) >= n_plain[line],
                says=self._says[text],
            )
            for line, link, owner, text in runs
        ]
        return pieces, numbers

    def _read_runs(self, unit: Unit) -> tuple[list[tuple[int, int, int, str]], list[int]]:
        """Block element, link, first element and text of each piece of a unit; the text nodes that begin with a
        number, but those right in the unit, where it begins the unit's own text."""
        document, nodes = self.document, find_texts(self.document, *unit)
        owners = document.text_owner[nodes.start : nodes.stop]
        # a text before the end of the rows may be of an element around the unit
        shown = ((owners >= unit.first) & (owners < unit.end) & document.displayed[owners]).nonzero()[0]
        owners = owners[shown]
        columns = (shown + nodes.start, owners, document.block[owners], document.link[owners])
        runs: list[tuple[int, int, int, list[str]]] = []
        numbers: list[int] = []
        place, said, last = (-1, -1), list[str](), ""
        for node, owner, line, link in zip(*(column.tolist() for column in columns), strict=True):
            text = document.text[node]
            words, above, last = text.split(), last, text[-1:]
            # half of the text nodes are white space between elements
            if not words:
                continue
            if owner != unit.first and text.lstrip(" ()")[:1].isdecimal():
                numbers.append(node)
            if place == (line, link):
                # `99` `.` `95` are one amount, each part in an element of its own
                if above + text[:1] in _PARTS:
                    said[-1] += words.pop(0)
                said += words
            else:
                place, said = (line, link), words
                runs.append((line, link, owner, said))
        return [(line, link, owner, " ".join(words)) for line, link, owner, words in runs], numbers

    @kept_by_argument
    def read_target(self, row: int) -> str:
        """The target of a link as written."""
        return (read_attribute(self.document, row, "href") or "").strip()

    def resolve(self, row: int) -> str:
        """The address of a link, absolute when the page's URL is known."""
        target = self.read_target(row)
        # a target that is no URL stays as written, without control characters
        return self._urls[target] or escape_controls(target)

    @kept_by_argument  # the entries of a list have the same classes
    def judge_price(self, names: str) -> tuple[bool, bool, bool]:
        """Whether the names of elements say that a price in them is another one than the one paid, the usual one, and
        the one paid."""
        patterns = self.rules.records.other_price
        other, usual, paid = (bool(compile_pattern(patterns[key]).search(names)) for key in ("names", "usual", "paid"))
        return other, usual, paid

    @kept_by_argument
    def leads_to_person(self, row: int) -> bool:
        """Whether a link leads to somebody's page."""
        return links_to_person(self.read_target(row), self.rules.people)

    def is_advertised(self, row: int) -> bool:
        """Whether the names of an element say that it is advertising: `sponsored`, `promo-3`."""
        says = compile_pattern(self.rules.records.advertised["names"]).search
        names = (read_attribute(self.document, row, key) for key in ("class", "id"))
        return any(says(name) for name in names if name)

    @kept_by_argument
    def _read_image(self, row: int) -> tuple[str, int]:
        """The address of an image as written, the first that is set; the nearest element that hides it, or -1."""
        values = (read_attribute(self.document, row, name) for name in self.rules.records.image_attributes)
        sources = (value.strip() for value in values if value)
        # data in the address is a placeholder, until a script puts the image there
        source = next((source for source in sources if source and not source.startswith("data:")), "")
        return source, find_hiding(self.document, row) if source else -1

    def list_links(self, unit: Unit) -> Sequence[int]:
        """Rows of the links of a unit, with or without text."""
        return list_inside(self._links, *unit)

    def list_images(self, unit: Unit) -> list[str]:
        """The addresses of the images of a unit that are seen, as written."""
        images = map(self._read_image, list_inside(self._images, *unit))
        # an ancestor that hides the whole entry, such as a closed tab, says nothing about the image in it
        return [source for source, hiding in images if source and hiding < unit.first]

    def find_alt(self, row: int) -> str:
        """The first alternative text of an image in a link, '' without one."""
        document = self.document
        images = (at for at in range(row + 1, document.end.item(row)) if document.tag[at] == CODE["img"])
        return next((alt for at in images if (alt := clean_line(read_attribute(document, at, "alt")))), "")

    def list_times(self, unit: Unit) -> Iterator[str]:
        """The stamps of the elements of a unit that are named for times."""
        rows = list_inside(self._times, *unit)
        stamps = (clean_line(read_attribute(self.document, row, "datetime")) for row in rows)
        return filter(None, stamps)


def match_whole(words: Mapping[str, str]) -> str:
    """An expression for a text that is one of these and no more. words: language -> expression."""
    # not `\W`, which is any letter beyond ASCII here: `更多` would be said by each headline that has the word
    return rf"(?i)^[^\pL\pN]*(?:{'|'.join(words.values())})[^\pL\pN]*$"


def list_around(document: Document, row: int, unit: Unit) -> tuple[int, ...]:
    """An element of a unit and those around it in the unit whose names may say what its text is."""
    return tuple(islice(climb(document, row, unit.first), MAX_DEPTH + 1))
