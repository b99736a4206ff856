"""Semantic blocks -> text for people: a tree for the terminal, or Markdown with headings and lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from webclean.model import Block, Record

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|])")
_BAR: Final = 10


def render_tree(blocks: Sequence[Block], width: int = 100) -> str:
    """One line for each block: kept or not, role, importance, length, number of links and entries, first words."""
    lines = []
    for block in blocks:
        depth = measure_depth(blocks, block)
        bar = "#" * round(_BAR * block.importance)
        counts = f"{len(block.text):6d} ch {len(block.links):4d} li {len(block.records):3d} re"
        head = f"{block.id:>4s} {'+' if block.kept else '-'} {'  ' * depth}{block.role:13s} {bar:{_BAR}s} {counts}  "
        label = " ".join((block.heading or block.text).split())
        room = max(10, width - len(head))
        lines.append(head + (label if len(label) <= room else label[: room - 1] + "…"))
    return "\n".join(lines)


def measure_depth(blocks: Sequence[Block], block: Block) -> int:
    """Number of blocks that contain a block."""
    depth = 0
    by_number = {other.number: other for other in blocks}
    while block.parent is not None:
        block, depth = by_number[block.parent], depth + 1
    return depth


def render_block_markdown(blocks: Sequence[Block], *, kept_only: bool = True) -> str:
    """Markdown: the heading of each block, its entries as list items, its other text as paragraphs."""
    parts = []
    for block in blocks:
        if block.kept or not kept_only:
            title = block.heading or str(block.role)
            body = _list_records(block.records) if block.records else _list_lines(block)
            if body:
                parts.append(f"## {escape(title)}\n\n{body}")
    return "\n\n".join(parts) + "\n" if parts else ""


def escape(text: str) -> str:
    """Text with the characters escaped that Markdown would read as syntax."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _list_records(records: Sequence[Record]) -> str:
    items = []
    for record in records:
        title = (
            f"[{escape(record.title)}](<{record.url}>)"
            if record.title and record.url and ">" not in record.url
            else None
        )
        extra = [escape(text) for text in (record.author, record.date, record.price) if text]
        items.append("- " + " · ".join(filter(None, [title or escape(record.title), *extra])))
        if record.summary:
            items.append(f"  {escape(record.summary)}")
    return "\n".join(items)


def _list_lines(block: Block) -> str:
    lines = block.text.split("\n")
    if lines and lines[0] == block.heading:
        lines = lines[1:]
    return "\n\n".join(escape(line) for line in lines if line.strip())
