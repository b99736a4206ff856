"""Nodes that an engine parsed -> `Document`; and functions that read attributes and raw text of a `Document`.

Enters: `ParsedNodes`, lists with one entry for each element or text node, in document order.
Leaves: a `Document`, which has the derived columns as well (subtree end, depth, enclosing link and block).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows, Source
from webclean.parse.attributes import AttributeRows, AttributeTable
from webclean.parse.controls import drop_controls_of_all
from webclean.parse.limits import Budget
from webclean.parse.tags import CODE, FLAGS, N_CODES

Attributes = Mapping[str, Any]
"""Attribute name -> value in the engine's own form; read it with `read_attribute`."""

_COLUMNS: Final = ("tag", "parent", "end", "depth", "link", "block", "displayed", "text_owner", "text_next")
"""Of `Document`, which has those of its page under the same names."""
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


class ParsedPage(msgspec.Struct, frozen=True, eq=False):
    """The result of an engine that gives the columns at once; within the limits of elements, attributes and depth.

    page: `core.Page`. attrs: of that page. raw, fallback: as in `Document`.
    """

    page: Any
    attrs: AttributeTable
    raw: Mapping[int, str]
    fallback: Mapping[int, str]

    def list_nodes(self) -> ParsedNodes:
        """The same as lists, which other engines give."""
        page = self.page
        parent, owner, after = (page.view(name).tolist() for name in ("parent", "text_owner", "text_next"))
        return ParsedNodes(
            page.names, parent, list(self.attrs), page.texts, owner, after, dict(self.raw), dict(self.fallback)
        )


def is_read(name: str, attrs: Attributes) -> bool:
    """Whether later stages may read the text of this raw-text element: JSON (also JSON-LD), formulas (`math/tex`),
    style sheets."""
    kind = attrs.get("type") or ""
    return name == "style" or (name == "script" and ("json" in kind or kind.startswith("math/")))


def read_attribute(document: Document, row: int, name: str) -> str | None:
    """An attribute of a row as a string: None if it is absent, '' if it has no value, tokens joined by a space."""
    attrs: AttributeTable = document.attrs
    return attrs.read(row, name)


def read_attributes(document: Document, rows: Iterable[int], name: str) -> list[str]:
    """An attribute of each of some rows, '' where it is absent."""
    attrs: AttributeTable = document.attrs
    return attrs.read_rows(rows, name)


def list_distinct(document: Document, rows: Rows, name: str) -> tuple[list[str], Rows]:
    """The distinct values of an attribute in some rows that have it, in the order in which they first occur, and
    int64 [n_rows], the place of each row's among them. Values that are written differently may be equal."""
    attrs: AttributeTable = document.attrs
    return attrs.list_distinct(rows, name)


def list_values(document: Document, name: str) -> list[str]:
    """The values of an attribute, one for each row of `find_attribute`."""
    attrs: AttributeTable = document.attrs
    return attrs.list_values(name)


def list_holding(document: Document, name: str, part: str) -> list[tuple[int, str]]:
    """(row, value) of the attributes of a name whose value has a part.

    part: in lower case, of ASCII characters that markup does not escape; it is found in either case.
    """
    attrs: AttributeTable = document.attrs
    return attrs.list_holding(name, part)


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
    attrs: AttributeTable = document.attrs
    return attrs.number_names(document.names, wanted, keys)


def number_values(document: Document, wanted: Mask, name: str) -> tuple[list[str], list[int]]:
    """The distinct values of an attribute, and for each row the number of its value among them, 0 for ''.

    wanted: bool [n_elements]; other rows count as if they had no value.
    """
    numbers, _, short, _ = document.attrs.number_names([""] * len(document), wanted, (name,))
    place = np.array([0, *range(1, len(numbers) + 1)])
    place[numbers.get("", 0)] = 0
    return ["", *(value[1:] for value in numbers)], place[short].tolist()


def mark_filled(document: Document, name: str) -> NDArray[np.uint8]:
    """uint8 [n_elements]: 1 where a row has an attribute that is not empty."""
    attrs: AttributeTable = document.attrs
    return attrs.mark_filled(name)


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
    found: ParsedNodes | ParsedPage, source: Source, engine: str, url: str | None, budget: Budget
) -> Document:
    """Build the document from what an engine parsed, cut at the limits."""
    if isinstance(found, ParsedNodes):
        found = _take_nodes(found, source, budget)
    page = found.page
    page.texts = drop_controls_of_all(page.texts)
    return make_document(
        page,
        found.attrs,
        raw=found.raw,
        fallback=found.fallback,
        source=source,
        engine=engine,
        url=url,
        truncated=tuple(budget.truncated),
        anchor="" if source.kind == "html" else "/html/body",
    )


def make_document(page: Any, attrs: AttributeTable, **known: Any) -> Document:
    """A document whose columns and attributes are those of a page (`core.Page`). known: the other fields of
    `Document`."""
    columns = {name: page.view(name) for name in _COLUMNS}
    return Document(
        page=page,
        names=page.names,
        text=page.texts,
        attrs=attrs,
        attribute_rows=AttributeRows(attrs),
        **columns,
        **known,
    )


def change_columns(document: Document, **columns: Rows | Mask) -> Document:
    """A copy of a document with other values in some of its columns, and an empty cache."""
    page = document.page.copy_tree()
    for name, values in columns.items():
        page.view(name)[:] = values
    kept = ("raw", "fallback", "source", "engine", "url", "truncated", "anchor")
    return make_document(page, AttributeTable(page), **{name: getattr(document, name) for name in kept})


def _take_nodes(walk: ParsedNodes, source: Source, budget: Budget) -> ParsedPage:
    """The page of the nodes that an engine gives one by one, cut at the limits."""
    n = _count_rows_allowed(walk, source, budget)
    n_texts = bisect_right(walk.text_next, n) if n < len(walk.names) else len(walk.text)
    parent = _flatten_below(walk.parent[:n], budget)
    nodes = walk.names[:n], parent, walk.attrs[:n]
    texts = walk.text[:n_texts], walk.text_owner[:n_texts], walk.text_next[:n_texts]
    raw = {row: value for row, value in walk.raw.items() if row < n}
    fallback = {row: value for row, value in walk.fallback.items() if row < n}
    page = core.take_nodes((*nodes, *texts), FLAGS, CODE)
    return ParsedPage(page, AttributeTable(page), raw, fallback)


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


def _flatten_below(parent: list[int], budget: Budget) -> list[int]:
    """Attach elements below the largest depth to their ancestor at that depth. Only nesting is lost, no element."""
    most = budget.limits.max_depth
    depth: list[int] = []
    for above in parent:
        depth.append(depth[above] + 1 if above >= 0 else 0)
    deepest = max(depth, default=0)
    if deepest <= most:
        return parent
    budget.exceed("max_depth", deepest)
    made, last = [], -1
    for row, above in enumerate(parent):
        last = row if depth[row] == most - 1 else last
        made.append(last if depth[row] >= most else above)
    return made
