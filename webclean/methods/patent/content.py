"""The handler of content pages (patent A5, fig. 3), and what other handlers use of it: marks and the noise inside.

S301 takes the largest text block; if it is the copyright notice, the second-largest, or the largest block with `p`
nodes. S302 moves up to the parent structure block while gain(n) = text of n / text of its parent is below .65 and the
text gained is more than half the link text gained. The visual signal takes in what looks like the block around it
(`extend_block`). S303 and S304 clean inside (`find_noise`, `mark_captions`). S305, the title: `find_visual_title`; the
time: the date field. S306, the text: the outputs.

    body   900        gain 500 / 900 is below .65; gained are 100 characters of text and 300 of links: 1/3, not taken
      ul   400        300 of them links
      div  500        gain 300 / 500 is below .65; gained are 200 of text and no links: taken
        p  200
        div 300       S301

Reading: the text gained is without links. With them, its ratio to the link text would never be below 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from webclean.matching.expressions import compile_pattern
from webclean.methods.patent.blocks import StructuredPage
from webclean.model import Document, FieldValue, Mask, Reason, Rows
from webclean.parse.tags import CODE, HEADING


def extend_block(page: StructuredPage, block: int) -> dict[int, str]:
    """The elements before and after a block that belong to it (patent A4, the visual signal): row of each -> why.

    block: its row. A block with little text takes in nothing. From one with enough, its siblings with text are taken
    in, outwards. Backwards: a heading of the block is taken and ends it; a change of looks ends it. Forwards: a heading
    or a change of looks ends it. Reading: a list of links ends it in both directions, since only text belongs to text.

        h2  Weather        not reached
        p   Rain.          not taken: the heading below ends it
        h1  Bridge         taken, and ends it
        div the largest block
        p   More.          taken
        h2  Related        ends it
        p   Trams.         not reached
    """
    if page.count_chars(block) < page.settings.blocks.prominent_chars:
        return {}
    siblings = list_text_siblings(page, block)
    before = [row for row in reversed(siblings) if row < block]
    after = [row for row in siblings if row > block]
    return dict([*_extend_backwards(page, block, before), *_extend_forwards(page, block, after)])


def list_text_siblings(page: StructuredPage, block: int) -> list[int]:
    """Rows of the block elements with text beside an element, in document order."""
    document = page.document
    parent = int(document.parent[block])
    if parent < 0:
        return []
    rows = np.arange(parent + 1, int(document.end[parent]))
    beside = (document.parent[rows] == parent) & (document.block[rows] == rows) & (rows != block)
    return [int(row) for row in rows[beside & (page.tree.chars_below[rows] > 0)]]


def _extend_backwards(page: StructuredPage, block: int, units: Iterable[int]) -> Iterator[tuple[int, str]]:
    for unit in units:
        if page.is_link_block(unit):
            return
        if page.is_heading_of(unit, block):
            yield unit, "the heading of the block after it"
            return
        if _looks_otherwise(page, unit, block):
            return
        yield unit, "looks like the block after it"


def _extend_forwards(page: StructuredPage, block: int, units: Iterable[int]) -> Iterator[tuple[int, str]]:
    for unit in units:
        stops = page.is_link_block(unit) or page.starts_with_heading(unit) or _looks_otherwise(page, unit, block)
        if stops:
            return
        yield unit, "looks like the block before it"


def _looks_otherwise(page: StructuredPage, unit: int, block: int) -> bool:
    return bool(page.looks.find_main(unit).list_changes(page.looks.find_main(block)))


def find_noise(page: StructuredPage, block: int) -> dict[int, Reason]:
    """S303, for every handler that keeps texts: row of each child of a block that is noise -> why.

    The children of the element with the largest fan-out are tested: link blocks are noise, and at head and tail also
    short children, unless a run of equal structure tags makes them coherent text.

        div                 the largest fan-out: five children with text
          p  2008-01-08     noise: short, at the head
          p  long text
          ul four links     noise: less than two characters of text for each of link text
          p  long text
          p  (Editor: Li)   noise: short, at the tail

    Reading: the fan-out of an element is its number of children with text. The noise at head and tail ends at the first
    child that is neither short nor a link block; a heading is never short. A link block is known by its text, links
    included.
    """
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
        int(children[at]): Reason(
            "patent", "S303", _describe_noise(int(chars[at]), int(link_chars[at]), bool(links[at]))
        )
        # if all children are noise, none is: something of the block must stay
        for at in np.flatnonzero(noise & ~noise.all()).tolist()
    }


def _describe_noise(chars: int, link_chars: int, is_links: bool) -> str:
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


class Marks:
    """The decisions about the text blocks of one page, which later steps of a handler replace.

    kept: bool [n_blocks]. reasons: block -> the last step that decided about it.
    """

    def __init__(self, page: StructuredPage, reason: Reason) -> None:
        """All blocks start as dropped, for one reason."""
        n = len(page.columns.blocks)
        self.kept: Mask = np.zeros(n, dtype=bool)
        self.reasons: dict[int, Reason] = dict.fromkeys(range(n), reason)

    def set(self, blocks: Mask, kept: bool, reason: Reason) -> None:
        """Decide about blocks. blocks: bool [n_blocks]."""
        self.kept[blocks] = kept
        self.reasons.update(dict.fromkeys(np.flatnonzero(blocks).tolist(), reason))

    def clean_inside(self, page: StructuredPage, block: int) -> None:
        """S303 and S304: drop the noise inside an element, and captions if the rules say so."""
        inside = page.mark_under(block)
        for row, reason in find_noise(page, block).items():
            self.set(page.mark_under(row) & self.kept, False, reason)
        if not page.settings.keep_captions:
            captions = mark_captions(page) & inside & self.kept
            self.set(captions, False, Reason("patent", "S304", "the caption of an image"))


def find_visual_title(page: StructuredPage, content: int) -> FieldValue | None:
    """S305, the title by visual evidence: larger, bold, or on another background than the text; None if nothing is.

    content: row of the content block. Candidates are the short texts just before the content and at its start. The one
    that differs most from the look of the content wins: by size, then weight, then background; of equals the nearest
    one before the text.
    """
    settings, blocks = page.settings.title, page.columns.blocks
    text = page.looks.find_main(content)
    start = int(np.searchsorted(blocks.row, content))
    best: tuple[tuple[float, bool, bool], str] | None = None
    for at in range(max(0, start - settings.blocks_before), min(len(blocks), start + settings.blocks_inside)):
        n_chars = int(blocks.n_chars[at])
        # a single character is an icon or a drop cap
        if not blocks.visible[at] or not 1 < n_chars <= settings.max_chars or 2 * blocks.n_link_chars[at] > n_chars:
            continue
        look = page.looks.find_main(int(blocks.row[at]))
        size = max(1.0, round(look.size / max(1.0, text.size), 2))
        strength = (size, look.bold > text.bold, look.background != text.background)
        if strength > (1.0, False, False) and (best is None or strength >= best[0]):
            best = strength, blocks.text[at]
    if best is None:
        return None
    (ratio, bold, background), value = best
    signs = [f"{ratio:g} times as large"] * (ratio > 1) + ["bold"] * bold + ["another background"] * background
    return FieldValue(value, f"patent S305: {', '.join(signs)}", 0.5)


def mark_content(page: StructuredPage) -> tuple[Marks, int]:
    """The decisions about the text blocks, and the row of the content block, or -1."""
    start = take_largest_block(page)
    if start < 0:
        return Marks(page, Reason("patent", "S301", "the page has no text block")), -1
    marks = Marks(page, Reason("patent", "S302", "outside the content block"))
    block = expand_block(page, start)
    extended = extend_block(page, block) if page.settings.extend else {}
    for row, why in extended.items():
        marks.set(page.mark_under(row), True, Reason("patent", "A4", why))
    marks.set(page.mark_under(block), True, Reason("patent", "S302", "taken in: the parent gains enough text"))
    n_chars = page.count_chars(start)
    marks.set(page.mark_under(start), True, Reason("patent", "S301", f"the largest text block, {n_chars} characters"))
    marks.clean_inside(page, block)
    return marks, block


def take_largest_block(page: StructuredPage) -> int:
    """S301: row of the block to start from, or -1."""
    statistics = page.statistics
    is_notice = compile_pattern(page.settings.copyright)
    for row in (statistics.largest, statistics.second):
        # a short page has no longer text than its copyright notice
        if row >= 0 and not statistics.is_notice(page.columns.blocks, row, is_notice):
            return row
    with_p = np.unique(statistics.owner[page.document.tag == CODE["p"]])
    own = with_p[with_p >= 0].tolist()
    return max(own, key=lambda row: int(statistics.n_chars[row]), default=statistics.largest)


def expand_block(page: StructuredPage, start: int) -> int:
    """S302: the row reached from a structure block by moving up."""
    tree, settings = page.tree, page.settings
    block = int(tree.block_of[start])
    while tree.parent[block] >= 0:
        above = int(tree.parent[block])
        gained = int(tree.n_chars[above] - tree.n_chars[block])
        gained_links = int(tree.n_link_chars[above] - tree.n_link_chars[block])
        # an element that only wraps the block gains nothing: passed without a test
        if gained:
            gain = tree.n_chars[block] / tree.n_chars[above]
            ratio = (gained - gained_links) / max(1, gained_links)
            if gain >= settings.gain_below or ratio <= settings.gained_ratio_above:
                break
        block = above
    return int(tree.row[block])
