"""Nodes that an engine parsed -> `Document`; and functions that read attributes and raw text of a `Document`.

Enters: `ParsedNodes`, lists with one entry for each element or text node, in document order.
Leaves: a `Document`, which has the derived columns as well (subtree end, depth, enclosing link and block).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows, Source
from webclean.parse.attributes import AttributeRows, AttributeTable
from webclean.parse.controls import drop_controls_of_all
from webclean.parse.limits import Budget
from webclean.parse.preorder import find_depths, find_nearest, mark_slices
from webclean.parse.tags import BLOCK, CODE, INVISIBLE, N_CODES, Numbers

Attributes = Mapping[str, Any]
"""Attribute name -> value in the engine's own form; read it with `read_attribute`."""

_CODES: Final = Numbers(CODE)
NO_ATTRIBUTES: Final[Attributes] = MappingProxyType({})


@dataclass(slots=True)
class ParsedNodes:
    """The result of an engine: lists with one entry for each element or text node, in document order."""

    names: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    attrs: list[Attributes] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    text_owner: list[int] = field(default_factory=list)
    text_next: list[int] = field(default_factory=list)
    raw: dict[int, Any] = field(default_factory=dict)
    fallback: dict[int, str] = field(default_factory=dict)


class ParsedColumns(msgspec.Struct, frozen=True, eq=False):
    """The result of an engine that gives the columns at once; within the limits of elements, attributes and depth.

    rows: int64 [6, n_elements]: tag, parent, end, depth, link and block, as in `Document`. displayed: bool
    [n_elements]. places: int64 [2, n_texts]: owner and next of each text.
    """

    rows: NDArray[np.int64]
    displayed: Mask
    names: list[str]
    text: list[str]
    places: NDArray[np.int64]
    attributes: AttributeTable
    raw: Mapping[int, str]
    fallback: Mapping[int, str]

    def list_nodes(self) -> ParsedNodes:
        """The same as lists, which other engines give."""
        owner, after = self.places.tolist()
        lists = self.names, self.rows[1].tolist(), list(self.attributes), self.text, owner, after
        return ParsedNodes(*lists, dict(self.raw), dict(self.fallback))


def is_read(name: str, attrs: Attributes) -> bool:
    """Whether later stages may read the text of this raw-text element: JSON (also JSON-LD), formulas (`math/tex`),
    style sheets."""
    kind = attrs.get("type") or ""
    return name == "style" or (name == "script" and ("json" in kind or kind.startswith("math/")))


def read_attribute(document: Document, row: int, name: str) -> str | None:
    """An attribute of a row as a string: None if it is absent, '' if it has no value, tokens joined by a space."""
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.read(row, name)
    value = attrs[row].get(name)
    return " ".join(value) if type(value) is list else value


def read_attributes(document: Document, rows: Iterable[int], name: str) -> list[str]:
    """An attribute of each of some rows, '' where it is absent."""
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.read_rows(rows, name)
    values = [attrs[row].get(name) for row in rows]
    return [" ".join(value) if type(value) is list else value or "" for value in values]


def list_distinct(document: Document, rows: Rows, name: str) -> tuple[list[str], Rows]:
    """The distinct values of an attribute in some rows that have it, in the order in which they first occur, and
    int64 [n_rows], the place of each row's among them. Values that are written differently may be equal."""
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.list_distinct(rows, name)
    number: dict[str, int] = {}
    places = [number.setdefault(value, len(number)) for value in read_attributes(document, rows.tolist(), name)]
    return list(number), np.array(places, dtype=np.intp)


def list_values(document: Document, name: str) -> list[str]:
    """The values of an attribute, one for each row of `find_attribute`."""
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.list_values(name)
    return read_attributes(document, find_attribute(document, name), name)


def list_holding(document: Document, name: str, part: str) -> list[tuple[int, str]]:
    """(row, value) of the attributes of a name whose value has a part.

    part: in lower case, of ASCII characters that markup does not escape; it is found in either case.
    """
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.list_holding(name, part)
    values = zip(find_attribute(document, name), list_values(document, name), strict=True)
    return [(row, value) for row, value in values if part in value.lower()]


Numbering = tuple[dict[str, int], Rows, Rows, int]
"""Name -> its number from 1 on; int64 [n_elements], the number of each row's full name, 0 for none; the same for names
of tag and first attribute alone; how many of these there are. They have the first numbers."""


def number_names(document: Document, wanted: Mask, keys: tuple[str, ...]) -> Numbering:
    """Number the distinct names of elements: the tag, then the values of some attributes, with spaces between.

    Args:
        document: the page.
        wanted: bool [n_elements].
        keys: names of the attributes.
    """
    return _number(document, document.names, wanted, keys)


def number_values(document: Document, wanted: Mask, name: str) -> tuple[list[str], list[int]]:
    """The distinct values of an attribute, and for each row the number of its value among them, 0 for ''.

    wanted: bool [n_elements]; other rows count as if they had no value.
    """
    numbers, _, short, _ = _number(document, [""] * len(document), wanted, (name,))
    place = np.array([0, *range(1, len(numbers) + 1)])
    place[numbers.get("", 0)] = 0
    return ["", *(value[1:] for value in numbers)], place[short].tolist()


def _number(document: Document, tags: list[str], wanted: Mask, keys: tuple[str, ...]) -> Numbering:
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.number_names(tags, wanted, keys)
    return number_plainly(document, tags, wanted, keys)


def number_plainly(document: Document, tags: list[str], wanted: Mask, keys: tuple[str, ...]) -> Numbering:
    """The same as `number_names`, with `tags` as the names of tags: the twin of the kernel."""
    listed, rows = tags.copy(), np.flatnonzero(wanted).tolist()
    _append_values(document, keys[0], wanted, listed)
    number: dict[str, int] = {}
    short = np.zeros(len(document), dtype=np.intp)
    for row in rows:
        short[row] = number.setdefault(listed[row], len(number) + 1)
    n_short, index = len(number), short.copy()
    named = dict.fromkeys(row for key in keys[1:] for row in _append_values(document, key, wanted, listed))
    for row in named:
        index[row] = number.setdefault(listed[row], len(number) + 1)
    return number, index, short, n_short


def _append_values(document: Document, name: str, wanted: Mask, listed: list[str]) -> list[int]:
    """Append an attribute, after a space, to the entries of the wanted rows in `listed`, in place. Returns the wanted
    rows that have it."""
    rows = [row for row in find_attribute(document, name) if wanted[row]]
    for row, value in zip(rows, read_attributes(document, rows, name), strict=True):
        if value:
            listed[row] = f"{listed[row]} {value}"
    return rows


def mark_filled(document: Document, name: str) -> NDArray[np.uint8]:
    """uint8 [n_elements]: 1 where a row has an attribute that is not empty."""
    attrs = document.attrs
    if isinstance(attrs, AttributeTable):
        return attrs.mark_filled(name)
    filled = np.zeros(len(document), dtype=np.uint8)
    rows = find_attribute(document, name)
    filled[list(rows)] = list(map(bool, read_attributes(document, rows, name)))
    return filled


def read_attribute_column(document: Document, name: str) -> list[str]:
    """An attribute of every row, '' where it is absent. The list is cached per page: do not modify it."""
    found = document.attribute_columns.get(name)
    if found is None:
        found = document.attribute_columns[name] = [""] * len(document)
        for row, value in zip(find_attribute(document, name), list_values(document, name), strict=True):
            found[row] = value
    return found


def read_raw(document: Document, name: str) -> list[str]:
    """The texts of the raw-text elements of one name, in document order: `script` (JSON-LD only) or `style`.

    An engine may leave these texts in its tree until they are read here, because style sheets are long and rarely
    needed. The list is cached per page: do not modify it.
    """
    known = document.raw_texts.get(name)
    if known is None:
        kept = [
            value
            for row, value in document.raw.items()
            if document.names[row] == name and (name != "script" or "ld+json" in _read_type(document, row))
        ]
        known = document.raw_texts[name] = [value if type(value) is str else value.text for value in kept]
    return known


def read_formula_scripts(document: Document) -> dict[int, str]:
    """Row -> text of the `script` elements that hold a formula, in document order."""
    found = {row: value for row, value in document.raw.items() if _is_math(document, row)}
    return {row: value if type(value) is str else value.text for row, value in found.items()}


def read_data_scripts(document: Document) -> dict[int, str]:
    """Row -> text of the `script` elements that hold JSON, in document order."""
    found = {
        row: value
        for row, value in document.raw.items()
        if document.names[row] == "script" and "json" in _read_type(document, row)
    }
    return {row: value if type(value) is str else value.text for row, value in found.items()}


def _is_math(document: Document, row: int) -> bool:
    return document.names[row] == "script" and _read_type(document, row).startswith("math/")


def _read_type(document: Document, row: int) -> str:
    return read_attribute(document, row, "type") or ""


def find_attribute(document: Document, name: str) -> Sequence[int]:
    """Rows that have an attribute, in document order."""
    return document.attribute_rows.get(name) or ()


@cached_per_page
def count_tags(document: Document) -> list[int]:
    """By tag code: how many elements have the tag. Asked first, for most tags are on few pages."""
    counts: list[int] = np.bincount(document.tag, minlength=N_CODES).tolist()
    return counts


def find_texts(document: Document, first: int, end: int) -> range:
    """The text nodes between the start of row `first` and the start of row `end`.

    Uses `bisect`, because numpy's searchsorted copies the whole column at each call if the integer types differ.
    """
    return range(bisect_left(document.text_next, first + 1), bisect_right(document.text_next, end))


def build_document(
    walk: ParsedNodes | ParsedColumns, source: Source, engine: str, url: str | None, budget: Budget
) -> Document:
    """Build the document from what an engine parsed, cut at the limits, with the derived columns."""
    if isinstance(walk, ParsedColumns):
        return _take_columns(walk, source, engine, url, budget)
    names, attrs = walk.names, walk.attrs
    tag = np.frombuffer(bytes(map(_CODES.__getitem__, names)), dtype=np.uint8).astype(np.intp)
    lists = (walk.parent, _find_ends(walk.parent), walk.text_owner, walk.text_next)
    parent, end, text_owner, text_next = (np.array(column, dtype=np.intp) for column in lists)
    text = drop_controls_of_all(walk.text)
    n = _count_rows_allowed(walk, source, budget)
    if n < len(names):
        n_texts = int(np.searchsorted(text_next, n, side="right"))
        names, attrs, text = names[:n], attrs[:n], text[:n_texts]
        tag, parent, end = tag[:n], parent[:n], np.minimum(end[:n], n)
        text_owner, text_next = text_owner[:n_texts], text_next[:n_texts]
    depth = find_depths(end)
    if depth.max(initial=0) > budget.limits.max_depth:
        budget.exceed("max_depth", int(depth.max()))
        parent, end, depth = _flatten_below(parent, end, depth, budget.limits.max_depth)
    is_block = BLOCK[tag]
    is_block[:1] = True
    attribute_rows = _index_attributes(attrs)
    is_link = np.zeros(n, dtype=bool)
    is_link[attribute_rows.get("href", [])] = True
    is_link &= tag == CODE["a"]
    invisible = np.flatnonzero(INVISIBLE[tag])
    return Document(
        names=names,
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        link=find_nearest(parent, is_link),
        block=find_nearest(parent, is_block),
        displayed=~mark_slices(invisible, end[invisible], n),
        attrs=attrs,
        text=text,
        text_owner=text_owner,
        text_next=text_next,
        raw={row: value for row, value in walk.raw.items() if row < n},
        fallback={row: value for row, value in walk.fallback.items() if row < n},
        source=source,
        engine=engine,
        url=url,
        truncated=tuple(budget.truncated),
        attribute_rows=attribute_rows,
        anchor="" if source.kind == "html" else "/html/body",
    )


def _take_columns(found: ParsedColumns, source: Source, engine: str, url: str | None, budget: Budget) -> Document:
    tag, parent, end, depth, link, block = found.rows
    return Document(
        names=found.names,
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        link=link,
        block=block,
        displayed=found.displayed,
        attrs=found.attributes,
        text=drop_controls_of_all(found.text),
        text_owner=found.places[0],
        text_next=found.places[1],
        raw=found.raw,
        fallback=found.fallback,
        source=source,
        engine=engine,
        url=url,
        truncated=tuple(budget.truncated),
        attribute_rows=AttributeRows(found.attributes),
        anchor="" if source.kind == "html" else "/html/body",
    )


def _index_attributes(columns: Sequence[Attributes]) -> dict[str, list[int]]:
    """Attribute name -> rows that have it. Building this takes as long as three searches through a tree."""
    index: dict[str, list[int]] = defaultdict(list)
    for row, attrs in enumerate(columns):
        for name in attrs:
            index[name].append(row)
    return dict(index)


def _count_rows_allowed(walk: ParsedNodes, source: Source, budget: Budget) -> int:
    """Number of elements, from the first, that are within the limits."""
    limits, n = budget.limits, len(walk.names)
    if n > limits.max_elements:
        budget.exceed("max_elements", n)
        n = limits.max_elements
    # An attribute takes at least two characters, so short markup need not be counted.
    if len(source.markup) > 2 * limits.max_attributes:
        n_attributes = np.cumsum(np.fromiter(map(len, walk.attrs), dtype=np.int64, count=len(walk.attrs)))[:n]
        if n and n_attributes[-1] > limits.max_attributes:
            budget.exceed("max_attributes", int(n_attributes[-1]))
            n = int(np.searchsorted(n_attributes, limits.max_attributes, side="right"))
    return n


def _find_ends(parent: list[int]) -> list[int]:
    """For each row, one past the last row of its subtree."""
    end = list(range(1, len(parent) + 1))
    for row in range(len(parent) - 1, 0, -1):
        above = parent[row]
        if end[row] > end[above]:  # noqa: PLR1730  runs once an element: a call of max costs more than the rest
            end[above] = end[row]
    return end


def _flatten_below(parent: Rows, end: Rows, depth: Rows, maximum: int) -> tuple[Rows, Rows, Rows]:
    """Attach elements below the maximum depth to their ancestor at that depth. Only nesting is lost, no element."""
    row = np.arange(len(parent))
    last_above = np.maximum.accumulate(np.where(depth == maximum - 1, row, -1))
    is_deep = depth >= maximum
    return np.where(is_deep, last_above, parent), np.where(is_deep, row + 1, end), np.minimum(depth, maximum)
