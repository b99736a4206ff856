"""What learning needs of a page: its block paths, its texts and their places.

Source D (Wang, Chen & Dai, 2018). Block nodes are `div` and `table`; the path of a block is its tags with sibling
positions from the root (`/html/body/div[3]/div[2]`).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.paths import name_paths
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.parse.tags import tag_mask

_BLOCK_NODES: Final = tag_mask("div table")
_64_BITS: Final = 0xFFFFFFFFFFFFFFFF
_FACTOR: Final = 6364136223846793005
_STEP: Final = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, eq=False)
class PageProfile:
    """What learning needs of one page.

    paths: uint64 [n], sorted hashes of the block paths. rows: int32 [n], the block nodes. texts, places: of each text
    block; the place is its path of names. n_words: int32 [n_blocks]; kept: bool [n_blocks], by automatic cleaning.
    """

    name: str
    paths: NDArray[np.uint64]
    texts: Sequence[str] = ()
    places: Sequence[str] = ()
    n_words: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    kept: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    listed: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    is_index: bool = False
    rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    document: Document | None = None
    blocks: TextBlocks | None = None


def profile_page(
    document: Document, blocks: TextBlocks, kept: Mask, name: str, *, listed: Mask | None = None, is_index: bool = False
) -> PageProfile:
    """Reduce a cleaned page to its profile. listed: bool [n_blocks]; None: no block is in a list."""
    rows = np.flatnonzero(_BLOCK_NODES[document.tag]).astype(np.int32)
    return PageProfile(
        name=name,
        paths=np.unique(number_paths(document)[rows]),
        texts=blocks.text,
        places=name_paths(document, blocks.row),
        n_words=blocks.n_words,
        kept=kept,
        listed=np.zeros(len(blocks), dtype=bool) if listed is None else listed,
        is_index=is_index,
        rows=rows,
        document=document,
        blocks=blocks,
    )


def number_paths(document: Document) -> NDArray[np.uint64]:
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
