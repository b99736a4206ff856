"""Handler of multi-block pages (patent A6, fig. 4).

S401 cuts the page into semantic blocks. S402 judges each by its ratio of text to link text. S403 cleans the texts as
content is cleaned (S303, S304). S404 drops the other blocks. S405 joins the texts in reading order.

Reading: a semantic block of a proper size is a valid one, of more than `statistics.min_chars` characters. The copyright
notice (a block of which it is more than half) is no text, as in S301. `text_by_links` and `drop_others` switch S402
and S404.
"""

from __future__ import annotations

import numpy as np

from webclean.matching.expressions import compile_pattern
from webclean.methods.patent.marks import Marks
from webclean.methods.patent.structured_page import StructuredPage
from webclean.model import Reason, Segmentation


def mark_multi_block(page: StructuredPage, segments: Segmentation) -> Marks:
    """The decisions about the text blocks."""
    settings = page.settings.multi_block
    marks = Marks(page, Reason("patent", "S404", "in no semantic block"))
    owner = segments.owner[page.columns.row]
    for number, rows in enumerate(segments.roots):
        inside = (owner == number) & page.columns.blocks.visible
        is_text, why = judge_text(page, inside)
        if is_text:
            marks.set(inside, True, Reason("patent", "S402", f"b{number} is a text: {why}"))
            for row in rows if segments.why[number] else ():
                marks.clean_inside(page, row)
        else:
            step = "S404" if settings.drop_others else "S402"
            marks.set(inside, not settings.drop_others, Reason("patent", step, f"b{number} is no text: {why}"))
    return marks


def judge_text(page: StructuredPage, inside: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[bool, str]:
    """S402: whether a semantic block is a text, and why. inside: bool [n_blocks], its text blocks."""
    blocks = page.columns.blocks
    n_chars, n_link_chars = int(blocks.n_chars[inside].sum()), int(blocks.n_link_chars[inside].sum())
    why = f"{n_chars} characters, {n_link_chars} of them links"
    if n_chars <= page.rules.statistics.min_chars:
        return False, why
    is_notice = compile_pattern(page.settings.copyright).search
    if 2 * sum(int(blocks.n_chars[i]) for i in np.flatnonzero(inside) if is_notice(blocks.text[i])) > n_chars:
        return False, "the copyright notice"
    by_links = page.settings.multi_block.text_by_links
    return not by_links or n_chars >= page.settings.link_block_ratio * n_link_chars, why
