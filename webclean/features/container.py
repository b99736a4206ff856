"""Features of the elements around a block: how much text and link text they contain (patent S301, S302)."""

from __future__ import annotations

import numpy as np

from webclean.blocks.subtrees import sum_subtrees
from webclean.caching import cached_per_page
from webclean.features.landmarks import share_with
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature, measure
from webclean.features.trees import count_below, find_common, sum_path
from webclean.model import Floats, Mask, Rows
from webclean.parse.tags import tag_mask

FIELD = tag_mask("input select textarea button")


def _words_per_block(columns: PageColumns, level: int) -> Floats:
    return columns.n_words_above[level] / np.maximum(1, columns.n_blocks_below[columns.above[level]])


def _link_density(columns: PageColumns, level: int) -> Floats:
    return columns.n_link_words_below[columns.above[level]] / np.maximum(1, columns.n_words_above[level])


def _gain(columns: PageColumns, level: int) -> Floats:
    return columns.n_words_above[level] / np.maximum(1, columns.n_words_above[level + 1])


@feature("words", "words for each block of the block element one level up", learn=PLAIN_CARD)
def words_per_block_1(columns: PageColumns) -> Floats:
    return _words_per_block(columns, 1)


@feature("words", "words for each block of the block element two levels up")
def words_per_block_2(columns: PageColumns) -> Floats:
    return _words_per_block(columns, 2)


@feature("words", "words for each block of the block element three levels up")
def words_per_block_3(columns: PageColumns) -> Floats:
    return _words_per_block(columns, 3)


@feature("share", "link words / words of the block element one level up", learn=PLAIN_CARD)
def link_density_1(columns: PageColumns) -> Floats:
    return _link_density(columns, 1)


@feature("share", "link words / words of the block element two levels up")
def link_density_2(columns: PageColumns) -> Floats:
    return _link_density(columns, 2)


@feature("share", "link words / words of the block element three levels up", learn=PLAIN_CARD)
def link_density_3(columns: PageColumns) -> Floats:
    return _link_density(columns, 3)


@feature("share", "link words / words of the block element five levels up", learn=PLAIN_CARD)
def link_density_5(columns: PageColumns) -> Floats:
    return _link_density(columns, 5)


@feature("share", "words of the block element one level up / words of the page", learn=PLAIN_CARD)
def container_share_1(columns: PageColumns) -> Floats:
    return columns.n_words_above[1] / columns.n_page_words


@feature("share", "words of the block element two levels up / words of the page", learn=PLAIN_CARD)
def container_share_2(columns: PageColumns) -> Floats:
    return columns.n_words_above[2] / columns.n_page_words


@feature("share", "words of the block element four levels up / words of the page", learn=PLAIN_CARD)
def container_share_4(columns: PageColumns) -> Floats:
    return columns.n_words_above[4] / columns.n_page_words


@feature(
    "share",
    "context information gain (patent A4): words of the block's element / words of the one above",
    learn=PLAIN_CARD,
)
def gain_1(columns: PageColumns) -> Floats:
    return _gain(columns, 0)


@feature("share", "context information gain one level further up", learn=PLAIN_CARD)
def gain_2(columns: PageColumns) -> Floats:
    return _gain(columns, 1)


@feature("words", "words outside links and with sentence ends in the element one level up", learn=PLAIN_CARD)
def sentence_words_1(columns: PageColumns) -> Floats:
    return columns.n_sentence_words_below[columns.above[1]]


@feature("words", "words outside links and with sentence ends in the element three levels up", learn=PLAIN_CARD)
def sentence_words_3(columns: PageColumns) -> Floats:
    return columns.n_sentence_words_below[columns.above[3]]


@cached_per_page
def _find_densest(columns: PageColumns) -> int:
    """The element whose children and grandchildren hold the most running text; that of grandchildren counts half."""
    document = columns.document
    weight = np.where(columns.is_prose, columns.words - columns.link_words, 0.0)
    up = np.maximum(0, document.parent[columns.row])
    up2 = np.maximum(0, document.parent[up])
    score = np.bincount(up, weight, minlength=len(document)) + np.bincount(up2, weight / 2, minlength=len(document))
    return int(np.argmax(score))


@feature("0 or 1", "inside the element with the densest running text: the most in its own paragraphs")
def inside_densest(columns: PageColumns) -> Mask:
    row = _find_densest(columns)
    return np.asarray((columns.row >= row) & (columns.row < columns.document.end[row]))


@feature(
    "share",
    "words in the smallest element around both the block and the densest running text / words of the page",
    learn=PLAIN_CARD,
)
def densest_container_share(columns: PageColumns) -> Floats:
    return share_with(columns, _find_densest(columns))


@feature(
    "share",
    "words in the smallest element around both the block and the largest block / words of the page",
    learn=PLAIN_CARD,
)
def largest_container_share(columns: PageColumns) -> Floats:
    size = columns.words - columns.link_words
    return share_with(columns, int(columns.row[int(np.argmax(size))])) if len(size) else np.zeros(0)


@feature(
    "elements", "levels between the block and the path from the root to the densest running text", learn=PLAIN_CARD
)
def levels_from_densest(columns: PageColumns) -> Rows:
    document = columns.document
    common = find_common(document, _find_densest(columns), columns.row)
    return document.depth[columns.row] - document.depth[common]


@feature(
    "share",
    "sum over the ancestors of the share of the page's running text that each holds, per level",
    learn=PLAIN_CARD,
)
def running_text_around(columns: PageColumns) -> Floats:
    document, below = columns.document, columns.n_sentence_words_below
    shares = sum_path(document, below / max(1.0, below[0]))
    return shares[columns.row] / (1.0 + document.depth[columns.row])


@feature("fields", "inputs and buttons in the block element two levels up", learn=SCORE_CARD)
def n_fields_2(columns: PageColumns) -> Rows:
    return count_below(columns.document, FIELD)[columns.above[2]]


@feature("amounts", "amounts of money in the block element three levels up", learn=PLAIN_CARD)
def n_prices_3(columns: PageColumns) -> Floats:
    return sum_subtrees(columns.document, columns.row, measure(columns, "n_prices"))[columns.above[3]]


@feature(
    "share",
    "highest link density of the block's element and the five around it that hold under half the page",
    learn=SCORE_CARD,
)
def highest_link_density(columns: PageColumns) -> Floats:
    highest = _link_density(columns, 0)
    for level in range(1, len(columns.above)):
        is_part = columns.n_words_above[level] < columns.n_page_words / 2
        highest = np.where(is_part, np.maximum(highest, _link_density(columns, level)), highest)
    return highest
