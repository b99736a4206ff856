"""The reference engine: html5lib, pure Python, the WHATWG algorithm as of 2013. Markup in, `Walk` out."""

from __future__ import annotations

import warnings
from typing import Any

import html5lib

from webclean.parse.columns import NO_ATTRIBUTES, Walk, is_read
from webclean.parse.tags import RAW_TEXT


def walk_markup(markup: str) -> Walk:
    """Parse into an ElementTree and walk it in document order without recursion."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        root = html5lib.parse(markup, treebuilder="etree", namespaceHTMLElements=False, scripting=True)
    walk = Walk()
    todo: list[tuple[Any, int] | tuple[str, int]] = [(root, -1)]
    while todo:
        item, above = todo.pop()
        if isinstance(item, str):
            walk.text.append(item)
            walk.text_owner.append(above)
            walk.text_next.append(len(walk.names))
        elif isinstance(item.tag, str):
            todo.extend(_enter_element(walk, item, above))
    return walk


def _enter_element(walk: Walk, element: Any, above: int) -> list[tuple[Any, int]]:
    """Append the element's row; its text and children, last first, for the walk's stack."""
    row = len(walk.names)
    name = element.tag.rpartition("}")[2]
    walk.names.append(name)
    walk.parent.append(above)
    walk.attrs.append(dict(element.attrib) or NO_ATTRIBUTES)
    if name in RAW_TEXT:
        text = element.text or ""
        if name == "noscript":
            walk.noscript[row] = text
        elif is_read(name, walk.attrs[row]):
            walk.raw[row] = text
        return []
    todo: list[tuple[Any, int]] = []
    for child in reversed(element):
        if child.tail:
            todo.append((child.tail, row))
        todo.append((child, row))
    if element.text:
        todo.append((element.text, row))
    return todo
