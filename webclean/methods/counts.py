"""Counts that the density methods share: sums over the subtree of every element."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webclean.blocks.structure import sum_subtrees
from webclean.blocks.text_blocks import PUNCTUATION, count_characters
from webclean.features import PageColumns
from webclean.model import Floats, Mask, Rows
from webclean.parse.tags import CODE


@dataclass(frozen=True, slots=True, eq=False)
class SubtreeCounts:
    """Each float64 [n_elements], summed over the subtree of the element.

    chars, link_chars: characters without white space, all and inside links. punctuation: punctuation marks.
    tags, link_tags: elements below the element, all and those that are links or inside one. paragraphs: `p` elements.
    body: row of the body element, or 0.
    """

    chars: Floats
    link_chars: Floats
    punctuation: Floats
    tags: Floats
    link_tags: Floats
    paragraphs: Floats
    body: int


def count_subtrees(columns: PageColumns) -> SubtreeCounts:
    """Count displayed text and displayed elements below every element."""
    document, block_of = columns.document, columns.blocks.block_of
    nodes = np.flatnonzero(block_of >= 0)
    owner = document.text_owner[nodes]
    texts = [document.text[node] for node in nodes.tolist()]
    chars = np.array([len("".join(text.split())) for text in texts], dtype=np.int64)
    marks = count_characters(texts, PUNCTUATION)
    linked = document.link[owner] >= 0
    rows = np.arange(len(document), dtype=np.int32)
    body = np.flatnonzero(document.tag == CODE["body"])

    def below(wanted: Mask) -> Floats:
        return sum_subtrees(document, rows, wanted.astype(np.float64)) - wanted

    return SubtreeCounts(
        chars=sum_subtrees(document, owner, chars),
        link_chars=sum_subtrees(document, owner, chars * linked),
        punctuation=sum_subtrees(document, owner, marks),
        tags=below(document.displayed),
        link_tags=below((document.link >= 0) & document.displayed),
        paragraphs=below(document.tag == CODE["p"]),
        body=int(body[0]) if len(body) else 0,
    )


def at_least_one(values: Floats) -> Floats:
    """Replace 0 by 1, as the density papers do in denominators."""
    return np.where(values == 0, 1.0, values)


def sum_children(parent: Rows, values: Floats) -> Floats:
    """float64 [n_elements]: the sum of the values of an element's direct children."""
    if not len(parent):
        return values
    # row 0 is the root, which has no parent
    return np.bincount(parent[1:], values[1:], minlength=len(parent)).astype(np.float64)


def find_subtree_maximum(parent: Rows, values: Floats) -> Rows:
    """int32 [n_elements]: the row with the largest value in each subtree; the first in document order wins ties."""
    best, where = values.tolist(), list(range(len(values)))
    above = parent.tolist()
    # children before their parents: each passes its maximum up once
    for row in range(len(best) - 1, 0, -1):
        up = above[row]
        if best[row] > best[up] or (best[row] == best[up] and where[up] != up):
            best[up], where[up] = best[row], where[row]
    return np.array(where, dtype=np.int32)


def keep_blocks_under(columns: PageColumns, rows: Rows) -> Mask:
    """bool [n_blocks]: text blocks with a text node in the subtree of one of the rows."""
    document, blocks = columns.document, columns.blocks
    depth = np.zeros(len(document) + 1, dtype=np.int64)
    # brackets of subtrees: a running sum over 0 is inside of one, however they nest
    np.add.at(depth, rows, 1)
    np.add.at(depth, document.end[rows], -1)
    nodes = np.flatnonzero(blocks.block_of >= 0)
    inside = (np.cumsum(depth)[:-1] > 0)[document.text_owner[nodes]]
    return np.bincount(blocks.block_of[nodes], inside, minlength=len(blocks)) > 0
