"""Semantic blocks made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from webclean.model import Block, Role

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
