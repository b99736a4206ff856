"""The patent's own method for content pages (CN101251855A, A5, steps S301 to S304); nothing in it is learnt.

S301 takes the largest text block, or the second-largest if the largest is a copyright notice. S302 moves up to the
parent while that gains enough text. S303 removes noise among the children of the element with the largest fan-out: link
blocks, and at head and tail also short children, unless a run of equal structure tags in them makes them coherent text.
S304 removes captions (optional).

Reading: the characters of S302 are those of the subtree without hidden text. The fan-out of an element is its number of
children with text. The noise at head and tail ends at the first child that is neither short nor a link block.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from webclean.blocks.statistics import BlockStatistics, compute_statistics
from webclean.features import PageColumns
from webclean.matching.match import compile_pattern
from webclean.methods.counts import keep_blocks_under
from webclean.model import Document, Mask, Rows
from webclean.parse.tags import CODE
from webclean.rules import RuleSet
from webclean.rules.methods_schema import PatentMethod


def select_by_patent(columns: PageColumns, rules: RuleSet) -> Mask:
    """bool [n_blocks]: the text blocks of the content block, cleaned."""
    method = rules.methods.patent
    statistics = compute_statistics(columns.document, columns.blocks, rules.statistics)
    start = take_largest_block(columns, statistics, method)
    if start < 0:
        return np.zeros(len(columns.blocks), dtype=bool)
    block = expand_block(columns.document, statistics, start, method)
    kept = keep_blocks_under(columns, np.array([block])) & columns.blocks.visible
    kept &= ~keep_blocks_under(columns, find_noise(columns.document, statistics, block, method))
    return kept if method.keep_captions else kept & ~mark_captions(columns, method)


def take_largest_block(columns: PageColumns, statistics: BlockStatistics, method: PatentMethod) -> int:
    """S301: row of the block to start from, or -1."""
    is_notice = compile_pattern(method.copyright).search
    for row in (statistics.largest, statistics.second):
        if row >= 0 and not is_notice(_text_under(columns, row)):
            return row
    paragraphs = columns.document.tag == CODE["p"]
    running = np.concatenate(([0], np.cumsum(paragraphs)))
    with_p = [row for row in statistics.row if running[columns.document.end[row]] > running[row]]
    return int(max(with_p, key=lambda row: statistics.n_chars[row], default=statistics.largest))


def expand_block(document: Document, statistics: BlockStatistics, row: int, method: PatentMethod) -> int:
    """S302: move up while gain(n) = text of n / text of its parent is low and few links are gained; the row reached."""
    chars, link_chars, parent = statistics.n_chars, statistics.n_link_chars, document.parent
    while document.tag[row] != CODE["body"] and parent[row] > 0:
        above = int(parent[row])
        gained, gained_links = chars[above] - chars[row], link_chars[above] - link_chars[row]
        if gained == 0:
            row = above
            continue
        gain = chars[row] / chars[above]
        if gain >= method.gain_below or gained / max(1, gained_links) <= method.gained_ratio_above:
            break
        row = above
    return row


def find_noise(document: Document, statistics: BlockStatistics, block: int, method: PatentMethod) -> Rows:
    """S303, int32 [n]: rows of the children that are removed."""
    children = find_largest_fan_out(document, statistics, block)
    chars, link_chars = statistics.n_chars[children], statistics.n_link_chars[children]
    coherent = np.array([has_tag_run(document, int(row), method.run_length) for row in children], dtype=bool)
    links = (chars < method.link_block_ratio * link_chars) & ~coherent
    edge = links | ((chars < method.edge_chars) & ~coherent)
    head = np.logical_and.accumulate(edge)
    tail = np.logical_and.accumulate(edge[::-1])[::-1]
    noise = links | head | tail
    return np.asarray(children[noise & ~noise.all()], dtype=np.int32)


def find_largest_fan_out(document: Document, statistics: BlockStatistics, block: int) -> Rows:
    """int32 [n]: children with text of the element that has the most of them."""
    rows = np.arange(block + 1, int(document.end[block]), dtype=np.int32)
    rows = rows[(statistics.n_chars[rows] > 0) & (document.block[rows] == rows)]
    if not len(rows):
        return np.zeros(0, dtype=np.int32)
    above = document.parent[rows]
    return np.asarray(rows[above == np.bincount(above).argmax()], dtype=np.int32)


def has_tag_run(document: Document, row: int, length: int) -> bool:
    """Whether `length` consecutive children have the same structure tag, or the element is itself a `p`."""
    if document.tag[row] == CODE["p"]:
        return True
    below = np.arange(row + 1, int(document.end[row]))
    children = below[(document.parent[below] == row) & (document.block[below] == below)]
    return any(len(list(run)) >= length for _, run in groupby(document.tag[children].tolist()))


def mark_captions(columns: PageColumns, method: PatentMethod) -> Mask:
    """S304, bool [n_blocks]: the text block after each image, if short and inside the parent of the image's block."""
    document, blocks = columns.document, columns.blocks
    captions = np.zeros(len(blocks), dtype=bool)
    for image in np.flatnonzero(document.tag == CODE["img"]).tolist():
        following = int(np.searchsorted(blocks.row, image))
        holder = int(document.parent[document.block[image]])
        if following < len(blocks) and blocks.row[following] < document.end[max(holder, 0)]:
            captions[following] = blocks.n_chars[following] <= method.caption_chars
    return captions


def _text_under(columns: PageColumns, row: int) -> str:
    document, blocks = columns.document, columns.blocks
    inside = np.flatnonzero((blocks.row >= row) & (blocks.row < document.end[row]))
    return " ".join(blocks.text[i] for i in inside)
