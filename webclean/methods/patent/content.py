"""Handler of content pages (patent A5, fig. 3).

S301 takes the largest text block; if it is the copyright notice, the second-largest, or the largest block with `p`
nodes. S302 moves up to the parent structure block while gain(n) = text of n / text of its parent is below .65 and the
text gained is more than half the link text gained. The visual signal takes in what looks like the block around it
(`patent.extension`). S303 and S304 clean inside (`patent.cleaning`). S305, the title: `patent.title`; the time: the
date field. S306, the text: the outputs.

    body   900        gain 500 / 900 is below .65; gained are 100 characters of text and 300 of links: 1/3, not taken
      ul   400        300 of them links
      div  500        gain 300 / 500 is below .65; gained are 200 of text and no links: taken
        p  200
        div 300       S301

Reading: the text gained is without links. With them, its ratio to the link text would never be below 1.
"""

from __future__ import annotations

import numpy as np

from webclean.matching.expressions import compile_pattern
from webclean.methods.patent.extension import extend_block
from webclean.methods.patent.marks import Marks
from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import Reason
from webclean.parse.tags import CODE


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
    is_notice = compile_pattern(page.settings.copyright).search
    for row in (statistics.largest, statistics.second):
        if row >= 0 and not is_notice(page.read_text(row)):
            return row
    running = np.concatenate(([0], np.cumsum(page.document.tag == CODE["p"])))
    with_p = [row for row in statistics.row.tolist() if running[page.document.end[row]] > running[row]]
    return max(with_p, key=page.count_chars, default=statistics.largest)


def expand_block(page: StructuredPage, start: int) -> int:
    """S302: the row reached from a structure block by moving up."""
    tree, settings = page.tree, page.settings
    block = int(tree.block_of[start])
    while tree.parent[block] >= 0:
        above = int(tree.parent[block])
        gained = int(tree.n_chars[above] - tree.n_chars[block])
        gained_links = int(tree.n_link_chars[above] - tree.n_link_chars[block])
        if gained:
            gain = tree.n_chars[block] / tree.n_chars[above]
            ratio = (gained - gained_links) / max(1, gained_links)
            if gain >= settings.gain_below or ratio <= settings.gained_ratio_above:
                break
        block = above
    return int(tree.row[block])
