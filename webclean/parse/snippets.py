"""Functions on pieces of markup that need a parser but no `Document`; they use turbohtml whatever the engine."""

from __future__ import annotations

from typing import Any, Final

import turbohtml
from turbohtml import Element, Text


def read_text(markup: str) -> str:
    return turbohtml.parse(markup).text


def count_attributes(markup: str) -> int:
    """Number of attributes of the tag at the start of the markup."""
    token = next(iter(turbohtml.tokenize(markup)), None)
    return len(token.attrs or ()) if token is not None else 0


def list_outermost(markup: str) -> list[tuple[str, str]]:
    """Top-level elements and texts as (name, text): ("div", "") for an element, ("", "text") for a text."""
    found = []
    for node in turbohtml.parse_fragment(markup).children:
        if isinstance(node, Element):
            found.append((node.tag, ""))
        elif isinstance(node, Text):
            found.append(("", node.data))
    return found


def list_attributes(markup: str, name: str) -> list[dict[str, str]]:
    """The attributes of each element of one name in a piece of markup."""
    found = turbohtml.parse_fragment(markup).find_all(name)
    return [
        {key: " ".join(value) if isinstance(value, list) else value or "" for key, value in element.attrs.items()}
        for element in found
    ]


_NESTED: Final = 30
"""Levels of items inside each other: real pages have up to five."""


def read_microdata_rdfa(markup: str) -> dict[str, list[dict[str, Any]]]:
    """Syntax -> the items of a page in the form of JSON-LD: `@type` and properties, both without their vocabulary."""
    page = turbohtml.parse(markup)
    found: dict[str, Any]
    try:
        found = {"microdata": page.microdata(), "rdfa": page.rdfa()}
    except (RecursionError, ValueError):  # items within each other without end
        return {}
    return {syntax: [_describe_item(item, 0) for item in items] for syntax, items in found.items()}


def _describe_item(item: Any, depth: int) -> dict[str, Any]:
    types = item.type if isinstance(item.type, list) else (item.type or "").split()
    described: dict[str, Any] = {"@type": list(map(_drop_vocabulary, types))}
    for name, values in item.properties.items():
        shown = [
            " ".join(value.split()) if isinstance(value, str) else _describe_item(value, depth + 1)
            for value in values
            if isinstance(value, str) or depth < _NESTED
        ]
        described.setdefault(_drop_vocabulary(name), []).extend(shown)
    return described


def _drop_vocabulary(name: str) -> str:
    return name.rstrip("/#").replace("#", "/").rpartition("/")[2]
