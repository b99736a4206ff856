"""A page's vote for its content block (source D).

For a block node b, with text and links counted over its subtree:

    p_text  = text_b / (1 + text_page)              text without link text
    p_link  = links_b / (1 + links_page)            number of links
    p_textl = text_b / (1 + text with links_b)
    H(b)    = p_text * (1 - p_link) * p_textl / (1 + size(b) * alpha)

Our readings: the printed formula is garbled; p_link enters as 1 - p_link, so that more links mean a lower weight.
size(b) is the share of the page's text blocks inside b (their number would put long articles at a disadvantage). Text
is that of the template's core (`SiteRepeats.find_core`): what varies, at places that the template has on every page,
outside lists of links. Counted over all text, the wrapper around article, promotions and comments would win. The page
votes with H for the features <id, class, path> of its best block, together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webclean.blocks.subtrees import sum_subtrees
from webclean.model import Document, Floats, Mask, Rows, TextBlocks
from webclean.parse import read_attribute
from webclean.parse.xpath import build_xpath


@dataclass(frozen=True, slots=True)
class Ballot:
    """The features (id, classes, path) by which a page's best block can be found on other pages, and its weight H."""

    id: str
    classes: tuple[str, ...]
    path: str
    weight: float


def vote_for_block(document: Document, blocks: TextBlocks, core: Mask, rows: Rows, alpha: float) -> Ballot | None:
    """The best of the block nodes `rows`; None for a page without text."""
    weights = score_vote(document, blocks, core, rows, alpha)
    if not len(rows) or weights.max() <= 0:
        return None
    winner = int(weights.argmax())
    row = int(rows[winner])
    classes = (read_attribute(document, row, "class") or "").split()
    name = read_attribute(document, row, "id") or ""
    return Ballot(name, tuple(classes), build_xpath(document, row), float(weights[winner]))


def score_vote(document: Document, blocks: TextBlocks, core: Mask, rows: Rows, alpha: float) -> Floats:
    """float64 [n]: H of each block node."""
    if not len(rows) or not len(blocks):
        return np.zeros(len(rows))
    text = sum_subtrees(document, blocks.row, blocks.n_chars * core)
    plain = text - sum_subtrees(document, blocks.row, blocks.n_link_chars * core)
    is_link = document.link == np.arange(len(document))
    links = sum_subtrees(document, np.flatnonzero(is_link).astype(np.int32), np.ones(int(is_link.sum())))
    n_blocks = sum_subtrees(document, blocks.row, np.ones(len(blocks)))
    p_text = plain[rows] / (1 + plain[0])
    p_link = links[rows] / (1 + links[0])
    p_textl = plain[rows] / (1 + text[rows])
    return np.asarray(p_text * (1 - p_link) * p_textl / (1 + alpha * n_blocks[rows] / n_blocks[0]), dtype=np.float64)
