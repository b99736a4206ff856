"""A page as a notebook shows it: what it is, and its semantic blocks in the colours of their roles."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from webclean.model import Block
from webclean.outputs.colours import COLOURS

_SHOWN_CHARS: Final = 280
_SHOWN_BLOCKS: Final = 60


def render_notebook(heading: str, blocks: Sequence[Block]) -> str:
    """An HTML fragment without scripts: the heading, then a row for each block, dropped ones pale; long texts are cut.

    heading: plain text.
    """
    rows = "".join(map(_render_block, blocks[:_SHOWN_BLOCKS]))
    more = len(blocks) - _SHOWN_BLOCKS
    rest = f"<p>and {more} more blocks</p>" if more > 0 else ""
    return f"<div><p><b>{escape(heading)}</b></p>{rows}{rest}</div>"


def _render_block(block: Block) -> str:
    text = block.text
    shown = text[:_SHOWN_CHARS] + ("…" if len(text) > _SHOWN_CHARS else "")
    colour = COLOURS.get(str(block.role), COLOURS["other"])
    fate = f"kept, importance {block.importance:g}" if block.kept else "dropped"
    return (
        f'<div style="border-left:4px solid {colour};margin:3px 0;padding:1px 8px;opacity:{1 if block.kept else 0.45}">'
        f'<small style="color:{colour}">{escape(f"{block.id} {block.role}, {fate}")}</small>'
        f'<div style="white-space:pre-line">{escape(shown)}</div></div>'
    )
