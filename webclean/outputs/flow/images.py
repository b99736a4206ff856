"""Document and kept blocks -> which images and media belong to the kept text."""

from __future__ import annotations

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.parse.pixels import is_unseen_image


def find_kept_objects(document: Document, blocks: TextBlocks, kept: Mask, rows: list[int]) -> list[int]:
    """Those of some rows without text, such as images, that belong to kept text.

    Take the smallest block element around the image that has text. The image is kept if at least half of that text is
    kept, and so is the text block just before or just after the image in that element. Images that nobody sees are not.
    """
    found: list[int] = []
    if not len(blocks) or not rows:
        return found
    n_chars = _sum_below(document, blocks, blocks.n_chars)
    n_kept = _sum_below(document, blocks, blocks.n_chars * kept)
    starts = document.text_next[blocks.first]
    for row in rows:
        around = int(document.block[row])
        while n_chars[around] == 0 and document.parent[around] >= 0:
            around = int(document.block[document.parent[around]])
        if 2 * n_kept[around] < n_chars[around] or n_kept[around] == 0 or is_unseen_image(document, row, around):
            continue
        after = int(np.searchsorted(starts, row, side="right"))
        is_beside = any(
            kept[block] and around <= blocks.row[block] < document.end[around]
            for block in (after - 1, after)
            if 0 <= block < len(blocks)
        )
        if is_beside:
            found.append(row)
    return found


def _sum_below(document: Document, blocks: TextBlocks, values: np.ndarray[tuple[int], np.dtype[np.int32]]) -> list[int]:
    placed = np.bincount(blocks.row, values, minlength=len(document))
    running = np.concatenate(([0.0], np.cumsum(placed)))
    found: list[int] = (running[document.end] - running[:-1]).astype(np.int64).tolist()
    return found
