"""Kept blocks -> plain text, in reading order, each block on its own lines."""

from __future__ import annotations

from webclean.model import Mask, TextBlocks


def render_text(blocks: TextBlocks, kept: Mask) -> str:
    """One line for each kept block."""
    return "\n".join(text for text, keep in zip(blocks.text, kept.tolist(), strict=True) if keep)
