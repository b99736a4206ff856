"""A page as its site sees it: the bag of its block paths, its vote for the content block, its texts and their places.

Source D (Wang, Chen & Dai, 2018). Block nodes are `div` and `table`; the path of a block is its tags with sibling
positions from the root (`/html/body/div[3]/div[2]`). For a block b, with text and links counted over its subtree:

    p_text  = text_b / (1 + text_page)
    p_link  = links_b / (1 + links_page)
    p_textl = text without link text / (1 + text)
    H(b)    = p_text * (1 - p_link) * p_textl / (1 + size(b) * alpha)

Readings: the printed formula is garbled; p_link enters as 1 - p_link, so that more links mean less. size(b) is the
share of the page's text blocks inside b (a plain count would punish long articles). text is what automatic cleaning
keeps: counted over all text, the largest wrapper of a page with long comments wins. The page votes with H for the
feature <id, class, path> of its best block.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.paths import name_paths
from webclean.blocks.structure import sum_subtrees
from webclean.model import Document, Floats, Mask, Rows, TextBlocks
from webclean.parse import read_attribute
from webclean.parse.tags import tag_mask
from webclean.parse.xpath import build_xpath

_BLOCK_NODES: Final = tag_mask("div table")
_64_BITS: Final = 0xFFFFFFFFFFFFFFFF
_FACTOR: Final = 6364136223846793005
_STEP: Final = 0x9E3779B97F4A7C15


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
    for a page without text. texts, places: of each visible text block; the place is its path of names. n_words:
    int32 [n_blocks]; kept: bool [n_blocks], by automatic cleaning.
    """

    name: str
    paths: NDArray[np.uint64]
    best: BlockFeature | None = None
    weight: float = 0.0
    texts: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    n_words: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    kept: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))


def profile_page(document: Document, blocks: TextBlocks, kept: Mask, name: str, alpha: float) -> PageProfile:
    """Reduce a cleaned page to its profile."""
    rows = np.flatnonzero(_BLOCK_NODES[document.tag]).astype(np.int32)
    shown = np.flatnonzero(blocks.visible)
    weights = weigh_blocks(document, blocks, kept, rows, alpha)
    winner = int(weights.argmax()) if len(rows) else 0
    found = bool(len(rows)) and bool(weights[winner] > 0)
    return PageProfile(
        name=name,
        paths=np.unique(hash_paths(document)[rows]),
        best=describe_block(document, int(rows[winner])) if found else None,
        weight=float(weights[winner]) if found else 0.0,
        texts=tuple(blocks.text[block] for block in shown.tolist()),
        places=tuple(name_paths(document, blocks.row[shown])),
        n_words=blocks.n_words[shown],
        kept=kept[shown],
    )


def hash_paths(document: Document) -> NDArray[np.uint64]:
    """uint64 [n_elements]: one number for the path of each element, the same on every page and in every run."""
    hashes: list[int] = []
    seen: list[dict[str, int]] = []
    for name, above in zip(document.names, document.parent.tolist(), strict=True):
        position, before = 1, 0
        if above >= 0:
            before = hashes[above]
            position = seen[above][name] = seen[above].get(name, 0) + 1
        mixed = (before * _FACTOR + _hash_name(name) + position * _STEP) & _64_BITS
        hashes.append(mixed ^ (mixed >> 29))
        seen.append({})
    return np.array(hashes, dtype=np.uint64)


@lru_cache(maxsize=4096)
def _hash_name(name: str) -> int:
    return zlib.crc32(name.encode(errors="replace")) * _FACTOR


def weigh_blocks(document: Document, blocks: TextBlocks, kept: Mask, rows: Rows, alpha: float) -> Floats:
    """float64 [n]: H of each block node."""
    if not len(rows) or not len(blocks):
        return np.zeros(len(rows))
    text = sum_subtrees(document, blocks.row, blocks.n_chars * kept)
    plain = text - sum_subtrees(document, blocks.row, blocks.n_link_chars * kept)
    is_link = document.link == np.arange(len(document))
    links = sum_subtrees(document, np.flatnonzero(is_link).astype(np.int32), np.ones(int(is_link.sum())))
    n_blocks = sum_subtrees(document, blocks.row, np.ones(len(blocks)))
    p_text = text[rows] / (1 + text[0])
    p_link = links[rows] / (1 + links[0])
    p_plain = plain[rows] / (1 + text[rows])
    return np.asarray(p_text * (1 - p_link) * p_plain / (1 + alpha * n_blocks[rows] / n_blocks[0]), dtype=np.float64)


def describe_block(document: Document, row: int) -> BlockFeature:
    """id, classes and path of a block."""
    classes = (read_attribute(document, row, "class") or "").split()
    return BlockFeature(read_attribute(document, row, "id") or "", tuple(classes), build_xpath(document, row))
