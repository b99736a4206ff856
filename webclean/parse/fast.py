"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `Walk` out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

import turbohtml
from turbohtml import Element, Text

from webclean.parse.columns import Walk, is_read
from webclean.parse.limits import BATCH, Budget
from webclean.parse.tags import FALLBACK, RAW_TEXT

_PASSED_OVER: Final = -2
"""Stands for the row of what has none: raw-text elements' own content, and what is below it."""


def walk_markup(markup: str, budget: Budget) -> Walk:
    """Parse and walk once. Text of raw-text elements is skipped: it is most of a page's bytes.

    Texts are let go of at once: a list of all nodes costs a quarter more.
    """
    tree = turbohtml.parse(markup, scripting=True, positions=False, allow_declarative_shadow_roots=False)
    walk = Walk()
    names, parent, attrs = walk.names, walk.parent, walk.attrs
    text, owner, after = walk.text, walk.text_owner, walk.text_next
    raw: dict[int, Element] = {}
    rows: dict[Any, int] = {tree: -1}
    last: Any = tree
    above, n = -1, 0
    nodes: Iterator[Any] = iter(tree.descendants)
    for first in nodes:
        for node in chain((first,), islice(nodes, BATCH)):
            kind = type(node)
            if kind is Element:
                if node.parent is not last:
                    last = node.parent
                    above = rows.get(last, _PASSED_OVER)
                if above == _PASSED_OVER:
                    continue
                name = node.tag
                names.append(name)
                parent.append(above)
                attrs.append(node.attrs)
                if name in RAW_TEXT:
                    raw[n] = node
                else:
                    rows[node] = above = n
                    last = node
                n += 1
            elif kind is Text:
                if node.parent is not last:
                    last = node.parent
                    above = rows.get(last, _PASSED_OVER)
                if above != _PASSED_OVER:
                    text.append(node.data)
                    owner.append(above)
                    after.append(n)
        if n > budget.limits.max_elements or budget.is_late():
            break
    _read_raw(walk, raw)
    return walk


def _read_raw(walk: Walk, elements: dict[int, Element]) -> None:
    """Keep the text of raw-text elements where a later stage may read it. elements: by row."""
    for row, element in elements.items():
        if walk.names[row] in FALLBACK:
            walk.fallback[row] = element.text
        elif is_read(walk.names[row], walk.attrs[row]):
            walk.raw[row] = element.text
