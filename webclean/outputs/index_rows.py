"""Blocks -> rows for a search index: one block a row, retrieved by block (patent A8)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from webclean.model import Block


def list_index_rows(blocks: Sequence[Block], url: str | None) -> list[dict[str, Any]]:
    """One row a block with text. `id` depends on the page's URL and the block's place alone, so that a page that is
    collected again replaces its rows.
    """
    return [
        {
            "id": name_block(block, url),
            "page": url,
            "block": block.id,
            "role": str(block.role),
            "kept": block.kept,
            "importance": block.importance,
            "heading_path": find_heading_path(blocks, number),
            "text": block.text,
            "links": [{"url": link.url, "text": link.text} for link in block.links],
        }
        for number, block in enumerate(blocks)
        if block.text
    ]


def name_block(block: Block, url: str | None) -> str:
    """Sixteen hexadecimal digits: SHA-256 of the page's URL and the block's XPaths."""
    place = "\n".join((url or "", *block.xpaths))
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find_heading_path(blocks: Sequence[Block], number: int) -> list[str]:
    """The headings of the blocks around a block, the outermost first, and its own."""
    path: list[str] = []
    at: int | None = number
    while at is not None:
        if blocks[at].heading:
            path.append(blocks[at].heading)
        at = blocks[at].parent
    return path[::-1]
