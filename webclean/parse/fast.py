"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `Walk` out."""

from __future__ import annotations

from typing import Any

import turbohtml
from turbohtml import DocumentFragment, Element, Text

from webclean.parse.columns import NO_ATTRIBUTES, Walk, is_read
from webclean.parse.tags import RAW_TEXT


def walk_markup(markup: str) -> Walk:
    """Parse and walk once. Text of raw-text elements is skipped: it is most of a page's bytes."""
    tree = turbohtml.parse(markup, scripting=True, positions=False)
    walk = Walk()
    names, parent, attrs = walk.names, walk.parent, walk.attrs
    text, owner, after = walk.text, walk.text_owner, walk.text_next
    row_of: dict[object, int] = {tree: -1}
    skipped: set[object] = set()
    node: Any
    for node in tree.descendants:
        kind = type(node)
        if kind is Element:
            above = node.parent
            if above in skipped:
                skipped.add(node)
                continue
            row_of[node] = row = len(names)
            name = node.tag
            names.append(name)
            parent.append(row_of[above])
            found = node.attrs
            attrs.append(found or NO_ATTRIBUTES)
            if name in RAW_TEXT:
                skipped.add(node)
                if name == "noscript":
                    walk.noscript[row] = node.text
                elif is_read(name, found):
                    walk.raw[row] = node.text
        elif kind is Text:
            above = node.parent
            if above not in skipped and above is not tree:
                text.append(node.data)
                owner.append(row_of[above])
                after.append(len(names))
        elif kind is DocumentFragment:
            skipped.add(node)
    return walk
