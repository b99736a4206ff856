"""A tree of clean elements -> plain text in reading order, each block on its own lines.

Paragraphs are separated by a blank line, list items and table rows by a line break, cells by a tab. Preformatted text
keeps its lines and indentation, `br` ends a line, and each item of an unordered list starts with `- `. Formulas are TeX
between dollar signs, readings of ruby stand in brackets. Nothing else is added to the text of the page, and images,
videos and rules are left out.
"""

from __future__ import annotations

from typing import Final, cast

from webclean import core
from webclean.outputs.flow.nodes import INLINE, LEAVES, Node, read_text

_LISTS: Final = frozenset(("ul", "ol", "dl"))


def render_text(flow: Node) -> str:
    """The text of a tree."""
    return cast("str", core.render_plain(flow, INLINE, LEAVES, _LISTS, read_text))
