"""Noise inside a block (patent A5, S303, S304), for every handler that keeps texts.

S303 tests the children of the element with the largest fan-out: link blocks are noise, and at head and tail also short
children, unless a run of equal structure tags makes them coherent text. S304 finds captions.

    div                 the largest fan-out: five children with text
      p  2008-01-08     noise: short, at the head
      p  long text
      ul four links     noise: less than two characters of text for each of link text
      p  long text
      p  (Editor: Li)   noise: short, at the tail

Reading: the fan-out of an element is its number of children with text. The noise at head and tail ends at the first
child that is neither short nor a link block; a heading is never short. A link block is told by its text, links
included.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import Document, Mask, Reason, Rows
from webclean.parse.tags import CODE, HEADING


def find_noise(page: StructuredPage, block: int) -> dict[int, Reason]:
    """S303: row of each child that is noise -> why."""
    settings = page.settings
    children = find_largest_fan_out(page, block)
    chars, link_chars = page.tree.chars_below[children], page.tree.link_chars_below[children]
    coherent = np.array([has_tag_run(page.document, int(row), settings.run_length) for row in children], dtype=bool)
    links = (chars < settings.link_block_ratio * link_chars) & ~coherent
    edge = links | ((chars < settings.edge_chars) & ~coherent & ~HEADING[page.document.tag[children]])
    head = np.logical_and.accumulate(edge)
    tail = np.logical_and.accumulate(edge[::-1])[::-1]
    noise = links | head | tail
    return {
        int(children[at]): Reason("patent", "S303", _tell_noise(int(chars[at]), int(link_chars[at]), bool(links[at])))
        for at in np.flatnonzero(noise & ~noise.all()).tolist()
    }


def _tell_noise(chars: int, link_chars: int, is_links: bool) -> str:
    if is_links:
        return f"a link block: {link_chars} of {chars} characters are links"
    return f"a short text of {chars} characters at the head or tail"


def find_largest_fan_out(page: StructuredPage, block: int) -> Rows:
    """int64 [n]: children with text of the element that has the most of them."""
    document = page.document
    rows: Rows = np.arange(block + 1, int(document.end[block]))
    rows = rows[(page.tree.chars_below[rows] > 0) & (document.block[rows] == rows)]
    if not len(rows):
        return rows
    above = document.parent[rows]
    children: Rows = rows[above == np.bincount(above).argmax()]
    return children


def has_tag_run(document: Document, row: int, length: int) -> bool:
    """Whether `length` consecutive children have the same structure tag, or the element is itself a `p`."""
    if document.tag[row] == CODE["p"]:
        return True
    below = np.arange(row + 1, int(document.end[row]))
    children = below[(document.parent[below] == row) & (document.block[below] == below)]
    return any(len(list(run)) >= length for _, run in groupby(document.tag[children].tolist()))


def mark_captions(page: StructuredPage) -> Mask:
    """S304, bool [n_blocks]: the text block after each image, if short and inside the parent of the image's block."""
    document, blocks = page.document, page.columns.blocks
    captions = np.zeros(len(blocks), dtype=bool)
    for image in np.flatnonzero(document.tag == CODE["img"]).tolist():
        following = int(np.searchsorted(blocks.row, image))
        holder = int(document.parent[document.block[image]])
        if following < len(blocks) and blocks.row[following] < document.end[max(holder, 0)]:
            captions[following] = blocks.n_chars[following] <= page.settings.caption_chars
    return captions
