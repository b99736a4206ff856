"""Settings of the columns that nearly all features are made of (`core/blocks.py`)."""

from __future__ import annotations

from typing import Final

from webclean import core
from webclean.model import Document

CHARS_PER_WORD: Final = 1.7
"""In scripts without spaces every character is counted as a word; with this, lengths compare across languages."""
_LABEL_CHARS: Final = 40
"""Characters of the longest label. A constant, because the shipped cards were learnt with this value."""
_PROSE_LINK_SHARE: Final = 0.3
"""A block with at least this share of link text is a list of links, not running text. Constant for the same reason."""


def measure_blocks(document: Document) -> None:
    """Add to the page `words`, `is_prose`, `levels` and the like, and sums of them over subtrees."""
    core.measure_blocks(document.page, CHARS_PER_WORD, _LABEL_CHARS, _PROSE_LINK_SHARE)
