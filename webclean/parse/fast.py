"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `Walk` out."""

from __future__ import annotations

from itertools import islice
from typing import Any

import turbohtml
from turbohtml import Element, Text

from webclean.parse.columns import Walk, is_read
from webclean.parse.limits import BATCH, Budget
from webclean.parse.tags import RAW_TEXT


def walk_markup(markup: str, budget: Budget) -> Walk:
    """Parse and walk once. Text of raw-text elements is skipped: it is most of a page's bytes."""
    tree = turbohtml.parse(markup, scripting=True, positions=False, allow_declarative_shadow_roots=False)
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
