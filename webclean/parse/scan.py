"""The serialised tree of an engine -> its columns."""

from __future__ import annotations

from html import unescape
from typing import Final

from webclean import core
from webclean.parse.columns import AttributeTable, ParsedPage, is_read
from webclean.parse.limits import Budget
from webclean.parse.tags import CODE, FALLBACK, FLAGS

_READ: Final = frozenset(("script", "style"))


def scan_tree(markup: str, budget: Budget) -> ParsedPage | None:
    """The columns of a serialised tree; None where the scan does not know what it means, or it is over a limit."""
    limits = budget.limits
    found = core.scan_markup(markup, FLAGS, CODE, limits.max_elements, limits.max_depth)
    if found is None:
        return None
    page, contents = found
    if page.n_attributes > limits.max_attributes or budget.is_late():
        return None
    table = AttributeTable(page)
    raw: dict[int, str] = {}
    fallback: dict[int, str] = {}
    for row, start, stop, is_escaped in contents:
        name = page.names[row]
        if name in FALLBACK or (name in _READ and is_read(name, table[row])):
            content = markup[start:stop]
            if is_escaped and "<" in content:
                return None  # elements inside a style sheet or script of a picture
            kept = fallback if name in FALLBACK else raw
            kept[row] = unescape(content) if is_escaped else content
    return ParsedPage(page, table, raw, fallback)
