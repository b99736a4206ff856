"""Semantic blocks made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from webclean.model import Block, Link, Reason, Record, Role


@dataclass
class Parts:
    """What is told of the blocks, a list each."""

    texts: Sequence[str] = field(default_factory=list)
    headings: Sequence[str] = field(default_factory=list)
    xpaths: Sequence[tuple[str, ...]] = field(default_factory=list)
    links: Sequence[tuple[Link, ...]] = field(default_factory=list)
    records: Sequence[tuple[Record, ...]] = field(default_factory=list)
    importance: Sequence[float] = field(default_factory=list)
    reasons: Sequence[tuple[Reason, ...]] = field(default_factory=list)
    fragments: Sequence[str] = field(default_factory=list)


EMPTY = {
    "texts": "",
    "headings": "",
    "xpaths": (),
    "links": (),
    "records": (),
    "importance": 0.0,
    "reasons": (),
    "fragments": "",
}


def make_blocks(*blocks: dict[str, Any]) -> list[Block]:
    """Each block by `role`, `kept`, `parent` and the names of its parts; what is not said is empty."""
    parts = Parts(**{one.name: [block.get(one.name, EMPTY[one.name]) for block in blocks] for one in fields(Parts)})
    return [
        Block(f"b{n}", block.get("role", Role.CONTENT), block.get("kept", True), block.get("parent"), n, parts)
        for n, block in enumerate(blocks)
    ]
