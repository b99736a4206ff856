"""Preformatted text, without what a highlighter adds to it: line numbers and buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from webclean.model import Document, Mask, TextBlocks
from webclean.parse import find_texts, read_attribute

_ELEMENTS_BELOW: Final = 4
_BLOCKS_IN_CODE: Final = frozenset(("div", "p", "li", "tr", "table", "ol", "ul", "dd", "dt", "section"))


def render_preformatted(
    document: Document, blocks: TextBlocks, kept: Mask, row: int, line_number: re.Pattern[str]
) -> str:
    """The kept text under a preformatted element, with its lines and indentation unchanged. line_number: a class."""
    pieces: list[str] = []
    start, has_buttons = row + 1, "button" in document.names[row : document.end[row]]
    nodes = list(find_text_nodes(document, row))
    places = zip(nodes, blocks.block_of[nodes].tolist(), document.text_next[nodes].tolist(), strict=True)
    for node, block, after in places:
        text = document.text[node]
        if block >= 0 and not kept[block]:
            start = after
            continue
        if block < 0 and not text.isspace():
            continue
        if (has_buttons or text.strip().isdecimal()) and _is_added(document, node, row, line_number):
            continue
        between = document.names[start:after]
        start = after
        if between:
            if "br" in between:
                pieces.append("\n" * between.count("br"))
            elif pieces and not pieces[-1].endswith("\n") and not _BLOCKS_IN_CODE.isdisjoint(between):
                pieces.append("\n")
        pieces.append(text)
    lines = (line.rstrip() for line in "".join(pieces).split("\n"))
    return "\n".join(lines).strip("\n")


def _is_added(document: Document, node: int, row: int, line_number: re.Pattern[str]) -> bool:
    """Whether a text is that of a button, or a line number, in the preformatted element of a row."""
    is_number = document.text[node].strip().isdecimal()
    here = int(document.text_owner[node])
    while here > row:
        if document.names[here] == "button":
            return True
        if is_number and line_number.search(read_attribute(document, here, "class") or ""):
            return True
        here = int(document.parent[here])
    return False


def holds_line_numbers(document: Document, row: int, text: str, line_number: re.Pattern[str]) -> bool:
    """Whether a preformatted text is only the line numbers of another: 1, 2, 3, ... and named so by a class nearby."""
    lines = text.split()
    if not all(map(str.isdecimal, lines)) or lines != [str(int(lines[0]) + at) for at in range(len(lines))]:
        return False
    near = [*range(row, min(int(document.end[row]), row + _ELEMENTS_BELOW))]
    here = int(document.parent[row])
    while here >= 0 and len(near) < 2 * _ELEMENTS_BELOW:
        near.append(here)
        here = int(document.parent[here])
    return any(line_number.search(read_attribute(document, at, "class") or "") for at in near)


def find_text_nodes(document: Document, row: int) -> Iterator[int]:
    """The text nodes of a subtree, in document order."""
    end = int(document.end[row])
    nodes = find_texts(document, row, end)
    owners = document.text_owner[nodes.start : nodes.stop].tolist()
    return (node for node, owner in zip(nodes, owners, strict=True) if row <= owner < end)
