"""A page of markup with the blocks to keep chosen by hand, and semantic blocks made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Block, Document, Mask, Role, TextBlocks
from webclean.parse import parse_page


def keep_blocks(markup: str, drop: Iterable[str] = (), url: str | None = None) -> tuple[Document, TextBlocks, Mask]:
    """Keep every text block but those whose text holds one of `drop`."""
    document = parse_page(markup, url=url)
    blocks = find_text_blocks(document)
    kept = np.array([not any(word in text for word in drop) for text in blocks.text], dtype=bool)
    return document, blocks, kept


EMPTY: Final = {
    **dict.fromkeys(("texts", "headings", "fragments"), ""),
    **dict.fromkeys(("xpaths", "links", "records", "reasons"), ()),
    "importance": 0.0,
}
"""What is told of the blocks, a list each -> what is not said."""


def make_blocks(*blocks: dict[str, Any]) -> list[Block]:
    """Each block by `role`, `kept`, `parent` and the names of its parts; what is not said is empty."""
    parts = SimpleNamespace(**{name: [block.get(name, none) for block in blocks] for name, none in EMPTY.items()})
    return [
        Block(f"b{n}", block.get("role", Role.CONTENT), block.get("kept", True), block.get("parent"), n, parts)
        for n, block in enumerate(blocks)
    ]
