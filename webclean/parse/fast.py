"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `Walk` out."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final

import turbohtml
from turbohtml import Element, Text

from webclean.parse.columns import Walk, is_read
from webclean.parse.limits import BATCH, Budget
from webclean.parse.tags import RAW_TEXT

_QUOTED_HIDDEN: Final = re.compile(r"(<[iI][nN][pP][uU][tT]\b[^<>]*?\s[tT][yY][pP][eE]\s*=\s*)([\"'])((?i:hidden))\2")
_TABLE: Final = re.compile("<[tT][aA][bB][lL][eE]")
_COL_END: Final = re.compile(r"</col(?=[\s/>])[^<>]*>", re.IGNORECASE)


def walk_markup(markup: str, budget: Budget) -> Walk:
    """Parse and walk once. Text of raw-text elements is skipped: it is most of a page's bytes."""
    tree = turbohtml.parse(_avoid_faults(markup), scripting=True, positions=False, allow_declarative_shadow_roots=False)
    walk = Walk(counts_attributes=len(markup) > 2 * budget.limits.max_attributes)
    rows: dict[object, int] = {tree: -1}
    raw_rows: dict[object, int] = {}
    nodes = iter(tree.descendants)
    while batch := list(islice(nodes, BATCH)):
        _walk_batch(batch, walk, rows, raw_rows)
        if walk.is_over(budget):
            break
    rows.update(raw_rows)
    walk.find_rows = lambda name: [rows[node] for node in tree.select(f"[{name}]") if node in rows]
    return walk


def _walk_batch(batch: list[Any], walk: Walk, rows: dict[object, int], raw_rows: dict[object, int]) -> None:
    """Append a row for each element and text node. Nodes below an element of `raw_rows` are passed over."""
    names, parent, attrs = walk.names, walk.parent, walk.attrs
    text, owner, after = walk.text, walk.text_owner, walk.text_next
    find_row = rows.get
    for node in batch:
        kind = type(node)
        above = find_row(node.parent)
        if above is None:
            continue
        if kind is Text:
            text.append(node.data)
            owner.append(above)
            after.append(len(names))
        elif kind is Element:
            row = len(names)
            name = node.tag
            names.append(name)
            parent.append(above)
            attrs.append(node.attrs)
            if name not in RAW_TEXT:
                rows[node] = row
                continue
            raw_rows[node] = row
            if name == "noscript":
                walk.noscript[row] = node.text
            elif is_read(name, attrs[row]):
                walk.raw[row] = node.text


def _avoid_faults(markup: str) -> str:
    """Write the same markup so that two faults of turbohtml (seen in 1.15.4) do not show.

    A quoted `type="hidden"` in a table is taken for a visible input when the page has a character above U+00FF; an
    ignored `</col>` ends the colgroup that it stands in. Both need a table.
    """
    if not _TABLE.search(markup):
        return markup
    if not markup.isascii():
        markup = _QUOTED_HIDDEN.sub(r"\1\3 ", markup)
    return _COL_END.sub("", markup)
