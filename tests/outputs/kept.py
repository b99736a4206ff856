"""A page of markup with the blocks to keep chosen by hand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, Mask, TextBlocks
from webclean.parse import parse_page


def keep_blocks(markup: str, drop: Iterable[str] = (), url: str | None = None) -> tuple[Document, TextBlocks, Mask]:
    """Keep every text block but those whose text holds one of `drop`."""
    document = parse_page(markup, url=url)
    blocks = find_text_blocks(document)
    kept = np.array([not any(word in text for word in drop) for text in blocks.text], dtype=bool)
    return document, blocks, kept
