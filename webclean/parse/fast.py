"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `Walk` out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from operator import methodcaller
from typing import Any, Final

import turbohtml
from turbohtml import Element, Text

from webclean.parse.columns import TOKEN_LISTS, Walk, is_read, join_tokens
from webclean.parse.limits import BATCH, Budget
from webclean.parse.tags import RAW_TEXT

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
    elements: list[Any] = []
    raw: list[int] = []
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
                elements.append(node)
                if name in RAW_TEXT:
                    raw.append(n)
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
    _read_raw(walk, elements, raw)
    walk.read_values = partial(_read_values, elements)
    return walk


def _read_values(elements: list[Element], name: str, rows: Sequence[int]) -> Iterator[str]:
    """One attribute of elements that have it."""
    values: Iterator[str] = map(methodcaller("attr", name, ""), map(elements.__getitem__, rows))
    return map(join_tokens, values) if name in TOKEN_LISTS else values


def _read_raw(walk: Walk, elements: list[Element], rows: list[int]) -> None:
    """Keep the text of raw-text elements where a later stage may read it."""
    for row in rows:
        if walk.names[row] == "noscript":
            walk.noscript[row] = elements[row].text
        elif is_read(walk.names[row], walk.attrs[row]):
            walk.raw[row] = elements[row].text
