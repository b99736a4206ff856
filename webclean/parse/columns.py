"""Nodes that an engine parsed -> `Document`; and what is read from a `Document`: attributes, raw text, hidden images.

Enters: `ParsedNodes`, lists with one entry for each element or text node, in document order.
Leaves: a `Document`, which has the derived columns as well (subtree end, depth, enclosing link and block).

Trees are stored as arrays in document order (preorder): a node precedes its children, and they precede its next
sibling, so a subtree is a slice and no computation needs a Python loop over nodes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, Rows, Source
from webclean.parse.controls import drop_controls_of_all, escape_controls
from webclean.parse.limits import Budget
from webclean.parse.tags import CODE, FLAGS, N_CODES

Attributes = Mapping[str, Any]
"""Attribute name -> value in the engine's own form; read it with `read_attribute`."""

_COLUMNS: Final = ("tag", "parent", "end", "depth", "link", "block", "displayed", "text_owner", "text_next")
"""Of `Document`, which has those of its page under the same names."""


TOKEN_LISTS: Final = frozenset(
    ("class", "rel", "rev", "headers", "accesskey", "dropzone", "sizes", "sandbox", "archive", "accept-charset")
)
"""Attributes whose value is a list of tokens; it is read with one space between them."""


class AttributeTable:
    """The attributes of all elements of a page (`core.Page`), by row; strings are made when they are asked for.

    found: `core.Attributes`. rows: cache of `find_attribute`.
    """

    def __init__(self, page: Any) -> None:
        self.found = core.Attributes(page, TOKEN_LISTS)
        self._made: dict[int, Mapping[str, str]] = {}
        self.rows: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at: int) -> Mapping[str, str]:
        made = self._made.get(at)
        if made is None:
            if not 0 <= at < len(self):  # the core does not check the row
                raise IndexError(at)
            made = self._made[at] = self.found.read_row(at)
        return made

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return map(self.__getitem__, range(len(self)))


@dataclass(slots=True)
class ParsedNodes:
    """The result of an engine: lists with one entry for each element or text node, in document order."""

    names: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    attrs: list[Attributes] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    text_owner: list[int] = field(default_factory=list)
    text_next: list[int] = field(default_factory=list)
    raw: dict[int, str] = field(default_factory=dict)
    fallback: dict[int, str] = field(default_factory=dict)


class ParsedPage(msgspec.Struct, frozen=True, eq=False):
    """The result of an engine that gives the columns at once; within the limits of elements, attributes and depth.

    page: `core.Page`. attrs: of that page. raw, fallback: as in `Document`.
    """

    page: Any
    attrs: AttributeTable
    raw: Mapping[int, str]
    fallback: Mapping[int, str]


def is_read(name: str, attrs: Attributes) -> bool:
    """Whether later stages may read the text of this raw-text element: JSON (also JSON-LD), formulas (`math/tex`),
    style sheets, markup for scripts (`text/template`, `text/html`)."""
    kind = attrs.get("type") or ""
    return name in ("style", "template") or (
        name == "script" and ("json" in kind or kind.startswith("math/") or "templ" in kind or "html" in kind)
    )


def read_attribute(document: Document, row: int, name: str) -> str | None:
    """An attribute of a row as a string: None if it is absent, '' if it has no value, tokens joined by a space."""
    # no `cast`, which is a call: this function is called some thousand times a page
    value: str | None = document.attrs.found.read_one(row, name)
    return value


def read_attributes(document: Document, rows: Iterable[int], name: str) -> list[str]:
    """An attribute of each of some rows, '' where it is absent."""
    return cast("list[str]", document.attrs.found.read_rows(list(rows), name))


def find_attribute(document: Document, name: str) -> list[int]:
    """Rows that have an attribute, in document order."""
    attrs: AttributeTable = document.attrs
    rows = attrs.rows.get(name)
    if rows is None:
        rows = attrs.rows[name] = attrs.found.list_rows(name)
    return rows


def list_values(document: Document, name: str) -> list[str]:
    """The values of an attribute, one for each row of `find_attribute`."""
    return cast("list[str]", document.attrs.found.list_values(name))


def list_distinct(document: Document, rows: Rows, name: str) -> tuple[list[str], Rows]:
    """The distinct values of an attribute in some rows that have it, in the order in which they first occur, and
    int64 [n_rows], the place of each row's among them. Values that are written differently may be equal."""
    return cast("tuple[list[str], Rows]", document.attrs.found.list_distinct(rows, name))


@cached_per_page
def list_classes(document: Document) -> Set[str]:
    """All classes of a page: most that rules ask for are not among them."""
    return list_words(document, "class")


def list_words(document: Document, name: str) -> Set[str]:
    """The words of all values of an attribute."""
    return cast("Set[str]", document.attrs.found.list_words(name))


def list_holding(document: Document, name: str, part: str) -> list[tuple[int, str]]:
    """(row, value) of the attributes of a name whose value has a part.

    part: in lower case, of ASCII characters that markup does not escape; it is found in either case.
    """
    return cast("list[tuple[int, str]]", document.attrs.found.list_holding(name, part))


def read_raw(document: Document, name: str) -> list[str]:
    """The texts of the raw-text elements of one name, in document order: `script` (JSON-LD only) or `style`."""
    return list(_read_raw(document, name, r"ld\+json" if name == "script" else "").values())


def read_formula_scripts(document: Document) -> dict[int, str]:
    """Row -> text of the `script` elements that hold a formula, in document order."""
    return _read_raw(document, "script", r"\Amath/")


def read_data_scripts(document: Document) -> dict[int, str]:
    """Row -> text of the `script` elements that hold JSON, in document order."""
    return _read_raw(document, "script", "json")


def read_templates(document: Document) -> dict[int, str]:
    """Row -> markup of the `template` elements and of the `script` elements that hold markup, in document order."""
    return _read_raw(document, "template", "") | _read_raw(document, "script", "templ|html")


def _read_raw(document: Document, name: str, kind: str) -> dict[int, str]:
    """Row -> text of the raw-text elements of one name in whose `type` an expression is found."""
    return {
        row: value
        for row, value in document.raw.items()
        if document.names[row] == name and re.search(kind, read_attribute(document, row, "type") or "")
    }


@cached_per_page
def count_tags(document: Document) -> list[int]:
    """By tag code: how many elements have the tag. Asked first, for most tags are on few pages."""
    counts: list[int] = np.bincount(document.tag, minlength=N_CODES).tolist()
    return counts


@cached_per_page
def list_undefined(document: Document) -> dict[str, list[int]]:
    """Name -> rows, of the elements that HTML does not define."""
    found: dict[str, list[int]] = {}
    for row in (document.tag == 0).nonzero()[0].tolist() if count_tags(document)[0] else ():
        found.setdefault(document.names[row], []).append(row)
    return found


def climb(document: Document, row: int, top: int = -1) -> Iterator[int]:
    """The row and the elements around it, the nearest first. top: the first of these that is left out."""
    parent = document.parent
    while row > top:
        yield row
        row = parent.item(row)


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
    # here once for all stages: escape sequences would reach the terminal of whoever prints a text
    page.texts = drop_controls_of_all(page.texts, page.controls)
    return Document(
        page=page,
        names=page.names,
        text=page.texts,
        attrs=found.attrs,
        **{name: page.view(name) for name in _COLUMNS},
        raw=found.raw,
        fallback=found.fallback,
        source=source,
        engine=engine,
        # a caller's, or that which a crawl or the page itself gives: it is written into results as other URLs are
        url=None if url is None else escape_controls(url),
        truncated=tuple(budget.truncated),
        # a text that is no HTML was put into a `pre` here, so its rows are nowhere in the tree of its own bytes
        anchor="" if source.kind == "html" else "/html/body",
    )


def _take_nodes(walk: ParsedNodes, source: Source, budget: Budget) -> ParsedPage:
    """The page of the nodes that an engine gives one by one, cut at the limits."""
    limits, n = budget.limits, len(walk.names)
    if n > limits.max_elements:
        budget.exceed("max_elements", n)
        # cut and measured on: the attributes of what is left may be too many as well
        n = limits.max_elements
    # An attribute takes at least two characters, so short markup need not be counted.
    if len(source.markup) > 2 * limits.max_attributes:
        n_attributes = np.cumsum(np.fromiter(map(len, walk.attrs), dtype=np.int64, count=len(walk.attrs)))[:n]
        if n and n_attributes[-1] > limits.max_attributes:
            budget.exceed("max_attributes", int(n_attributes[-1]))
            n = int(np.searchsorted(n_attributes, limits.max_attributes, side="right"))
    # the texts go with the elements before which the page is cut
    n_texts = bisect_right(walk.text_next, n) if n < len(walk.names) else len(walk.text)
    nodes = walk.names[:n], _flatten_below(walk.parent[:n], budget), walk.attrs[:n]
    texts = walk.text[:n_texts], walk.text_owner[:n_texts], walk.text_next[:n_texts]
    raw, fallback = ({row: value for row, value in kept.items() if row < n} for kept in (walk.raw, walk.fallback))
    page = core.take_nodes((*nodes, *texts), FLAGS, CODE)
    return ParsedPage(page, AttributeTable(page), raw, fallback)


def _flatten_below(parent: list[int], budget: Budget) -> list[int]:
    """Attach elements below the largest depth to their ancestor at that depth. Only nesting is lost, no element."""
    # stages that recurse, and XPaths, cost by the depth: of 100,000 nested `div` none may fail
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
        # rows come in document order, so the last one at that depth is the ancestor there
        last = row if depth[row] == most - 1 else last
        made.append(last if depth[row] >= most else above)
    return made


_FEW: Final = 12
"""Slices that are marked faster one by one than by sums."""


def find_nearest(parent: Rows, wanted: Mask) -> Rows:
    """int64 [n]: the nearest of a node and its ancestors that is wanted; -1 if there is none.

    Pointer jumping: each node points at itself if it is wanted, else at its parent. Then each node takes over the
    pointer of the node that it points at, which doubles the distance, until nothing changes: log2(depth) steps.
    """
    nearest = np.where(wanted, np.arange(len(parent)), parent)
    while True:
        further = np.where(nearest >= 0, nearest[nearest], -1)
        if not np.count_nonzero(further != nearest):
            return nearest
        nearest = further


def mark_slices(starts: Rows, ends: Rows, n: int) -> Mask:
    """bool [n]: rows inside at least one of the slices `starts[i]:ends[i]`, which may overlap."""
    # two sums over all rows cost more than a few slices of them
    if len(starts) < _FEW:
        marked = np.zeros(n, dtype=bool)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            marked[start:end] = True
        return marked
    opened = np.bincount(starts, minlength=n + 1) - np.bincount(ends, minlength=n + 1)
    return np.asarray(opened[:n].cumsum() > 0)


def sum_before(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """int64 or float64 [n + 1]: the sum of the values before each place, and of all; that of a slice of them is a
    difference of two."""
    found = np.zeros(len(values) + 1, dtype=np.float64 if values.dtype.kind == "f" else np.int64)
    np.cumsum(values, out=found[1:])
    return found


def mark_subtrees(document: Document, roots: Mask) -> Mask:
    """bool [n_elements]: whether the row or an ancestor is a root. roots: bool [n_elements]."""
    rows = roots.nonzero()[0]
    return mark_slices(rows, document.end[rows], len(document))


MAX_PIXEL: Final = 3
"""An image with a declared width or height of at most so many pixels is a tracking pixel."""

# no percentages: `width=1%` may be wide
_SIZE: Final = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px\s*)?$", re.ASCII)
_HIDDEN: Final = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:max-)?(?:width|height)\s*:\s*[0-3](?:\.\d*)?(?:px)?\s*"
    r"(?:;|!|$))",
    re.IGNORECASE,
)
Read = Callable[[str], str | None]
"""Name of an attribute -> its value, None if it is absent."""


def is_unseen(read: Read) -> bool:
    """Whether the attributes of an image hide it: it is a few pixels wide or high, or not displayed."""
    return is_hidden(read) or any(
        (found := _SIZE.match(read(name) or "")) and int(found[1]) <= MAX_PIXEL for name in ("width", "height")
    )


def is_hidden(read: Read) -> bool:
    """Whether the attributes of an element hide it and what is in it."""
    return read("hidden") is not None or bool(_HIDDEN.search(read("style") or ""))


def find_hiding(document: Document, row: int) -> int:
    """The nearest of an image and the elements around it whose attributes hide it, -1 for an image that is seen."""
    # asked of thousands of elements around images, of which few have any of these attributes
    styled, around = _find_styled(document)
    if row in styled and is_unseen(partial(read_attribute, document, row)):
        return row
    read_parent = document.parent.item
    row, climbed = read_parent(row), []
    # images have many ancestors, and share most of them
    while row not in around:
        climbed.append(row)
        if row in styled and is_hidden(partial(read_attribute, document, row)):
            around[row] = row
        else:
            row = read_parent(row)
    found = around[row]
    around.update(dict.fromkeys(climbed, found))
    return found


@cached_per_page
def _find_styled(document: Document) -> tuple[frozenset[int], dict[int, int]]:
    """Rows of the elements with an attribute that may hide them, which most have not; of elements around images, the
    nearest of each and those around it that hides it, -1 for none."""
    names = ("hidden", "style", "width", "height")
    return frozenset(row for name in names for row in find_attribute(document, name)), {-1: -1}
