"""Markup that an XML serialiser wrote -> the end tags that HTML wants: `<i class="x"/>` becomes `<i class="x"></i>`.

HTML has no tags for empty elements: its parser reads `<i/>` as `<i>`, and all that follows stands in it (HTML standard,
13.2.6.4.7). A page of lxml's `etree.tostring`, or of a tool that writes XHTML, loses its order by this. It is known by
its void elements: such a tool ends each of them with a slash, and people who write HTML by hand forget some.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean import core
from webclean.parse.tags import VOID

_LEAST: Final = 3
"""Void elements, and others, that must end with a slash."""
_VOID: Final = rf"<(?:{'|'.join(sorted({*VOID, *map(str.upper, VOID)}))})(?=[\s/>])[^<>]*"
_EMPTY: Final = re.compile(rf"<(?!(?:{'|'.join(sorted(VOID))})[\s/>])[a-z][^<>]*/>")
_TAG: Final = re.compile(r"<!--|<([a-zA-Z][^\s/<>]*)[^<>]*>")
_ENDING: Final = '"/>'
"""What such a tool writes at the end of a link, image or `meta`."""
_RAW: Final = frozenset(("script", "style"))
_COMMENT: Final = "<!--"
_VOID_NUMBERS: Final = np.array([int.from_bytes(name.encode(), "little") for name in sorted(VOID)], dtype=np.uint64)
"""The names as the core compares them: characters of eight bytes at most, the first in the lowest byte."""


def find_empty_tags(markup: str) -> list[tuple[int, str]]:
    """End and name of each tag of an empty element that has no end tag in HTML; none in markup that people wrote."""
    are_written = core.are_written_by_tool(markup, _VOID_NUMBERS, _LEAST)
    found = _list_empty(markup) if are_written and _ENDING in markup else []
    return found if len(found) >= _LEAST else []


def close_empty_tags(markup: str) -> str:
    """The markup with an end tag after each of `find_empty_tags`."""
    parts, at = [], 0
    for end, name in find_empty_tags(markup):
        parts += [markup[at : end - 2], f"></{name}>"]
        at = end
    return "".join((*parts, markup[at:])) if parts else markup


def _list_empty(markup: str) -> list[tuple[int, str]]:
    """The same, whoever wrote the markup; comments and the content of scripts and style sheets are passed over."""
    found, at = [], 0
    while tag := _TAG.search(markup, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        if tag[0] == _COMMENT:
            at = markup.find("-->", at)
        elif tag[0].endswith("/>"):
            if name not in VOID:
                found.append((at, tag[1]))
        elif name in _RAW:
            at = markup.find(f"</{tag[1]}", at)
        if at < 0:
            break
    return found
