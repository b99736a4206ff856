"""Semantic blocks -> rows for a search index. Each block is a row, so a search finds blocks, not pages (patent A8)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from webclean.model import Block


def list_index_rows(blocks: Sequence[Block], url: str | None) -> list[dict[str, Any]]:
    """One row for each block that has text.

    `id` depends only on the URL of the page and the position of the block. If a page is indexed again, its new rows
    therefore replace the old ones.
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
    """Id of a block: the first 16 hexadecimal digits of the SHA-256 of the page's URL and the block's XPaths."""
    place = "\n".join((url or "", *block.xpaths))
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find_heading_path(blocks: Sequence[Block], number: int) -> list[str]:
    """The headings of the blocks that contain a block, outermost first, then its own heading."""
    path: list[str] = []
    at: int | None = number
    while at is not None:
        if blocks[at].heading:
            path.append(blocks[at].heading)
        at = blocks[at].parent
    return path[::-1]
