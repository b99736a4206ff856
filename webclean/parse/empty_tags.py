"""Markup that an XML serialiser wrote -> the end tags that HTML wants: `<i class="x"/>` becomes `<i class="x"></i>`.

HTML has no tags for empty elements: its parser reads `<i/>` as `<i>`, and all that follows stands in it (HTML standard,
13.2.6.4.7). A page of lxml's `etree.tostring`, or of a tool that writes XHTML, loses its order by this. It is known by
its void elements: such a tool ends each of them with a slash, and people who write HTML by hand forget some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from webclean import core
from webclean.parse.tags import CODE, FORMATTING, VOID

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


def number_tags(markup: str, attribute: str) -> tuple[str, str]:
    """The markup as it is meant, with its empty elements closed, and as HTML reads it, which passes over the slash; in
    both each start tag has its number in an attribute, so that the elements of the two trees can be paired. Formatting
    elements have none: of those that are alike, a parser reopens three at most (HTML standard, 13.2.4.3)."""
    meant, read, at = list[str](), list[str](), 0
    for number, (tag, name, is_empty) in enumerate(_list_tags(markup)):
        begin, end = tag
        numbered = "" if FORMATTING[CODE.get(name.lower(), 0)] else f' {attribute}="{number}"'
        start = f"{markup[at:begin]}<{name}{numbered}"
        rest = markup[begin + 1 + len(name) : end]
        meant += [start, f"{rest[:-2]}></{name}>" if is_empty else rest]
        read += [start, f"{rest[:-2]}>" if is_empty else rest]
        at = end
    return "".join((*meant, markup[at:])), "".join((*read, markup[at:]))


def _list_empty(markup: str) -> list[tuple[int, str]]:
    """End and name of the tags of empty elements, whoever wrote the markup."""
    return [(end, name) for (_, end), name, is_empty in _list_tags(markup) if is_empty]


def _list_tags(markup: str) -> Iterator[tuple[tuple[int, int], str, bool]]:
    """(begin and end, name, whether it is that of an empty element that has an end tag in HTML) of each start tag;
    comments and the content of scripts and style sheets are passed over."""
    at = 0
    while tag := _TAG.search(markup, at):
        at = tag.end()
        name = (tag[1] or "").lower()
        if tag[0] == _COMMENT:
            at = markup.find("-->", at)
        else:
            is_closed = tag[0].endswith("/>")
            yield tag.span(), tag[1], is_closed and name not in VOID
            if name in _RAW and not is_closed:
                at = markup.find(f"</{tag[1]}", at)
        if at < 0:
            break
