"""Kept blocks -> plain text, in reading order, each block on its own lines."""

from __future__ import annotations

from webclean.blocks.features import PageColumns
from webclean.model import Mask


def render_text(columns: PageColumns, kept: Mask) -> str:
    """One line for each kept block."""
    return "\n".join(text for text, keep in zip(columns.blocks.text, kept.tolist(), strict=True) if keep)
