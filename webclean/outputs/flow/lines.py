"""Text with significant line breaks: blocks with `br`, and preformatted text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webclean.model import Document, Mask, TextBlocks
from webclean.parse import find_texts
from webclean.parse.tags import CODE

_BLOCKS_IN_CODE = frozenset(("div", "p", "li", "tr", "table", "ol", "ul", "dd", "dt", "section"))


def find_line_breaks(document: Document, blocks: TextBlocks, chosen: NDArray[np.int64]) -> list[bool]:
    """For each of the chosen blocks, whether it contains a `br`."""
    breaks = np.flatnonzero(document.tag == CODE["br"])
    start = document.text_next[blocks.first[chosen]]
    end = document.text_next[blocks.last[chosen] - 1]
    found: list[bool] = (np.searchsorted(breaks, end) > np.searchsorted(breaks, start)).tolist()
    return found


def render_broken_lines(document: Document, blocks: TextBlocks, block: int) -> str:
    """A block's text with a line break for each `br`, white space normalised within lines."""
    pieces: list[str] = []
    first, last = int(blocks.first[block]), int(blocks.last[block])
    after = int(document.text_next[first])
    for node in range(first, last):
        start, after = after, int(document.text_next[node])
        if "br" in document.names[start:after]:
            pieces.append("\n")
        elif node > first and blocks.gap[node]:
            pieces.append(" ")
        if blocks.block_of[node] == block:
            pieces.append(document.text[node].replace("\n", " "))
        else:
            pieces.append(" ")
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def render_preformatted(document: Document, blocks: TextBlocks, kept: Mask, row: int) -> str:
    """The kept text under a preformatted element, with its lines and indentation unchanged."""
    pieces: list[str] = []
    start = row + 1
    for node in find_text_nodes(document, row):
        block, after = int(blocks.block_of[node]), int(document.text_next[node])
        if block >= 0 and not kept[block]:
            start = after
            continue
        if block < 0 and not document.text[node].isspace():
            continue
        between = document.names[start:after]
        start = after
        if "br" in between:
            pieces.append("\n" * between.count("br"))
        elif pieces and not pieces[-1].endswith("\n") and not _BLOCKS_IN_CODE.isdisjoint(between):
            pieces.append("\n")
        pieces.append(document.text[node])
    lines = (line.rstrip() for line in "".join(pieces).split("\n"))
    return "\n".join(lines).strip("\n")


def find_text_nodes(document: Document, row: int) -> Iterator[int]:
    """The text nodes of a subtree, in document order."""
    end = int(document.end[row])
    return (node for node in find_texts(document, row, end) if row <= document.text_owner[node] < end)
