"""A page as its site sees it: the bag of its block paths, its vote for the content block, its texts.

Source D (Wang, Chen & Dai, 2018). Block nodes are `div` and `table`; the path of a block is its tags with sibling
positions from the root (`/html/body/div[3]/div[2]`). For a block b, with text and links counted over its subtree:

    p_text  = text_b / (1 + text_page)
    p_link  = links_b / (1 + links_page)
    p_textl = text without link text / (1 + text)
    H(b)    = p_text * (1 - p_link) * p_textl / (1 + size(b) * alpha)

Reading: the printed formula is garbled; p_link enters as 1 - p_link, so that more links mean less, and size(b) is the
share of the page's text blocks inside b (a plain count would punish long articles). The page votes with H for the
feature <id, class, path> of its best block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.structure import sum_subtrees
from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, Floats, Rows, TextBlocks
from webclean.parse import read_attribute
from webclean.parse.tags import tag_mask
from webclean.parse.xpath import build_xpath

_BLOCK_NODES: Final = tag_mask("div table")


@dataclass(frozen=True, slots=True)
class BlockFeature:
    """The names under which a block can be found again."""

    id: str
    classes: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class PageProfile:
    """What is kept of one page while a site is learnt.

    paths: uint64 [n], sorted hashes of the block paths. best: the block the page votes for, with its weight H; None
    for a page without text. texts: the distinct texts of its text blocks.
    """

    name: str
    paths: NDArray[np.uint64]
    best: BlockFeature | None
    weight: float
    texts: frozenset[str]


def profile_page(document: Document, name: str, alpha: float) -> PageProfile:
    """Reduce a parsed page to its profile."""
    blocks = find_text_blocks(document)
    rows = np.flatnonzero(_BLOCK_NODES[document.tag]).astype(np.int32)
    paths = np.unique(hash_paths(document)[rows])
    weights = weigh_blocks(document, blocks, rows, alpha)
    if not len(rows) or weights.max() <= 0:
        return PageProfile(name, paths, None, 0.0, frozenset(blocks.text))
    winner = int(weights.argmax())
    feature = describe_block(document, int(rows[winner]))
    return PageProfile(name, paths, feature, float(weights[winner]), frozenset(blocks.text))


def hash_paths(document: Document) -> NDArray[np.uint64]:
    """uint64 [n_elements]: one number for the path of each element, the same on every page and in every run."""
    hashes: list[int] = []
    seen: list[dict[int, int]] = []
    for code, above in zip(document.tag.tolist(), document.parent.tolist(), strict=True):
        position = 1
        if above >= 0:
            position = seen[above][code] = seen[above].get(code, 0) + 1
        hashes.append(hash((hashes[above] if above >= 0 else 0, code, position)) & 0xFFFFFFFFFFFFFFFF)
        seen.append({})
    return np.array(hashes, dtype=np.uint64)


def weigh_blocks(document: Document, blocks: TextBlocks, rows: Rows, alpha: float) -> Floats:
    """float64 [n]: H of each block node."""
    text = sum_subtrees(document, blocks.row, blocks.n_chars)
    plain = text - sum_subtrees(document, blocks.row, blocks.n_link_chars)
    is_link = document.link == np.arange(len(document))
    links = sum_subtrees(document, np.flatnonzero(is_link).astype(np.int32), np.ones(int(is_link.sum())))
    n_blocks = sum_subtrees(document, blocks.row, np.ones(len(blocks)))
    if not len(rows) or not len(blocks):
        return np.zeros(len(rows))
    p_text = text[rows] / (1 + text[0])
    p_link = links[rows] / (1 + links[0])
    p_plain = plain[rows] / (1 + text[rows])
    return np.asarray(p_text * (1 - p_link) * p_plain / (1 + alpha * n_blocks[rows] / n_blocks[0]), dtype=np.float64)


def describe_block(document: Document, row: int) -> BlockFeature:
    """id, classes and path of a block."""
    classes = (read_attribute(document, row, "class") or "").split()
    return BlockFeature(read_attribute(document, row, "id") or "", tuple(classes), build_xpath(document, row))
