"""Lists that an engine filled in one walk -> `Document`.

Enters: plain Python lists, one entry an element or text node, in document order.
Leaves: a `Document` with the derived columns (subtree end, depth, enclosing link and block).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice, repeat
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from webclean.model import Document, Mask, Rows, Source
from webclean.parse.limits import Budget
from webclean.parse.tags import BLOCK, CODE, INVISIBLE

Attributes = Mapping[str, Any]
"""Attribute name -> value as the engine holds it; read it with `read_attribute`."""

_PLAIN_NAME: Final = re.compile("[a-z][a-z-]*")
"""Attribute names that mean the same to every engine: HTML's own, without namespace and capitals."""

NO_ATTRIBUTES: Final[Attributes] = MappingProxyType({})


@dataclass(slots=True)
class Walk:
    """What one pass over an engine's tree collects; the engine appends, `build_document` reads.

    find_rows: the engine's own search for the rows with an attribute. counts_attributes: whether the page is long
    enough to go over the limit of attributes.
    """

    names: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    attrs: list[Attributes] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    text_owner: list[int] = field(default_factory=list)
    text_next: list[int] = field(default_factory=list)
    raw: dict[int, str] = field(default_factory=dict)
    noscript: dict[int, str] = field(default_factory=dict)
    find_rows: Callable[[str], list[int]] | None = None
    counts_attributes: bool = True
    n_attributes: int = 0
    n_counted: int = 0

    def is_over(self, budget: Budget) -> bool:
        """Check rows, attributes and time between two batches; true when the walk must stop here."""
        limits = budget.limits
        if self.counts_attributes:
            self.n_attributes += sum(map(len, islice(self.attrs, self.n_counted, None)))
        self.n_counted = len(self.names)
        if self.n_counted > limits.max_elements:
            budget.exceed("max_elements", self.n_counted)
            self.cut(limits.max_elements)
            return True
        if self.n_attributes > limits.max_attributes:
            budget.exceed("max_attributes", self.n_attributes)
            return True
        return budget.is_late()

    def cut(self, n: int) -> None:
        """Keep the first `n` elements and the text before the next one."""
        del self.names[n:], self.parent[n:], self.attrs[n:]
        n_texts = bisect_right(self.text_next, n)
        del self.text[n_texts:], self.text_owner[n_texts:], self.text_next[n_texts:]
        for table in (self.raw, self.noscript):
            for row in [row for row in table if row >= n]:
                del table[row]


def is_read(name: str, attrs: Attributes) -> bool:
    """Whether a later stage may read the text of this raw element: JSON-LD and style sheets."""
    return name == "style" or (name == "script" and "ld+json" in (attrs.get("type") or ""))


def read_attribute(document: Document, row: int, name: str) -> str | None:
    """One attribute as a string: None when absent, '' without a value, tokens joined by a space."""
    value = document.attrs[row].get(name)
    return " ".join(value) if type(value) is list else value


def read_attribute_column(document: Document, name: str) -> list[str]:
    """One attribute of every row, '' where it is absent. Read once a page: not to be changed."""
    found = document.attribute_columns.get(name)
    if found is None:
        found = [""] * len(document)
        for row in find_attribute(document, name):
            found[row] = read_attribute(document, row, name) or ""
        document.attribute_columns[name] = found
    return found


def find_attribute(document: Document, name: str) -> list[int]:
    """Rows that have an attribute, in document order. Much cheaper than to ask each row: an engine has an index."""
    if document.find_rows is not None and _PLAIN_NAME.fullmatch(name):
        n = len(document)
        return [row for row in document.find_rows(name) if row < n]
    return [row for row, attrs in enumerate(document.attrs) if attrs.get(name) is not None]


def find_texts(document: Document, first: int, end: int) -> range:
    """Text nodes after the start of row `first` and before the row `end` starts.

    By bisection in Python: numpy's searchsorted copies the column when the types differ, once for each call.
    """
    return range(bisect_left(document.text_next, first + 1), bisect_right(document.text_next, end))


def build_document(walk: Walk, source: Source, engine: str, url: str | None, budget: Budget) -> Document:
    """Add the derived columns to a walk and freeze it."""
    parent = walk.parent
    n = len(parent)
    depth = _find_depth(parent)
    if n and max(depth) > budget.limits.max_depth:
        budget.exceed("max_depth", max(depth))
        _flatten_below(walk, depth, budget.limits.max_depth)
    end = list(range(1, n + 1))
    for row in range(n - 1, 0, -1):
        above = parent[row]
        if end[row] > end[above]:  # noqa: PLR1730  runs once an element: a call of max costs more than the rest
            end[above] = end[row]
    tag = np.fromiter(map(CODE.get, walk.names, repeat(0)), dtype=np.intp, count=n)
    is_block = BLOCK[tag].tolist()
    block = [0] * n
    for row in range(1, n):
        block[row] = row if is_block[row] else block[parent[row]]
    link = np.full(n, -1, dtype=np.intp)
    for row in np.flatnonzero(tag == CODE["a"]).tolist():
        if "href" in walk.attrs[row]:
            link[row : end[row]] = row
    return Document(
        names=walk.names,
        tag=tag,
        parent=np.array(parent, dtype=np.intp),
        end=np.array(end, dtype=np.intp),
        depth=np.array(depth, dtype=np.intp),
        link=link,
        block=np.array(block, dtype=np.intp),
        displayed=_find_displayed(tag, end),
        attrs=walk.attrs,
        text=walk.text,
        text_owner=np.array(walk.text_owner, dtype=np.intp),
        text_next=np.array(walk.text_next, dtype=np.intp),
        raw=walk.raw,
        noscript=walk.noscript,
        source=source,
        engine=engine,
        url=url,
        truncated=tuple(budget.truncated),
        find_rows=walk.find_rows,
        anchor="" if source.kind == "html" else "/html/body",
    )


def _find_displayed(tag: Rows, end: list[int]) -> Mask:
    """False for the rows of elements that are never shown, and below them."""
    depth = np.zeros(len(tag) + 1, dtype=np.int32)
    roots = np.flatnonzero(INVISIBLE[tag])
    depth[roots] += 1
    np.subtract.at(depth, np.array(end, dtype=np.int32)[roots], 1)
    return np.asarray(np.cumsum(depth)[:-1] == 0)


def _find_depth(parent: list[int]) -> list[int]:
    depth = [0] * len(parent)
    for row in range(1, len(parent)):
        depth[row] = depth[parent[row]] + 1
    return depth


def _flatten_below(walk: Walk, depth: list[int], maximum: int) -> None:
    """Make children of the deepest element allowed out of what lies deeper; nothing is lost but the nesting."""
    parent = walk.parent
    for row in range(1, len(parent)):
        if depth[parent[row]] >= maximum:
            parent[row] = parent[parent[row]]
        depth[row] = depth[parent[row]] + 1
