"""A tree of clean elements -> plain text in reading order, each block on its own lines.

Paragraphs are separated by a blank line, list items and table rows by a line break, cells by a tab. Preformatted text
keeps its lines and indentation, `br` ends a line, and each item of an unordered list starts with `- `. Formulas are TeX
between dollar signs, readings of ruby stand in brackets. Nothing else is added to the text of the page, and images,
videos and rules are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from webclean.outputs.flow.nodes import INLINE, LEAVES, Node, read_text

_CELLS: Final = frozenset(("td", "th"))
_LISTS: Final = frozenset(("ul", "ol", "dl"))


def render_text(flow: Node) -> str:
    """The text of a tree."""
    return "\n\n".join(text for text in _render_children(flow) if text)


def _render_children(node: Node) -> Iterator[str]:
    """The text of each block in a node; adjacent inline children are one block."""
    line: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str) or child.name in INLINE:
            line.append(child)
            continue
        if line:
            yield _read_line(Node("p", {}, line))
            line = []
        yield _render_block(child)
    if line:
        yield _read_line(Node("p", {}, line))


def _render_block(node: Node) -> str:
    if node.name == "pre":
        return str(node.children[0])
    if node.name in LEAVES:
        return _read_line(node)
    if node.name in _LISTS:
        return _render_list(node)
    if node.name == "table":
        return _render_table(node)
    return "\n\n".join(text for text in _render_children(node) if text)


def _read_line(node: Node) -> str:
    if len(node.children) == 1 and type(node.children[0]) is str:
        return node.children[0]
    text = read_text(node)
    if "\n" not in text:
        return " ".join(text.split())
    return "\n".join(filter(None, [" ".join(line.split()) for line in text.split("\n")]))


def _render_list(node: Node, depth: int = 0) -> str:
    """Items on lines of their own; a blank line around those of several blocks."""
    bullet = f"{'  ' * depth}- " if node.name == "ul" else ""
    written: list[str] = []
    was_long = False
    for item in node.find_nodes():
        is_text = len(item.children) == 1 and type(item.children[0]) is str
        text = str(item.children[0]) if is_text else _render_item(item, depth)
        if not text:
            continue
        is_long = not is_text and sum(child.name not in _LISTS for child in _list_blocks(item)) > 1
        if written:
            written.append("\n\n" if is_long or was_long else "\n")
        written.append(bullet + text if item.name == "li" else text)
        was_long = is_long
    return "".join(written)


def _list_blocks(item: Node) -> Iterator[Node]:
    """The blocks in an item; adjacent inline children are one."""
    is_open = False
    for child in item.children:
        is_inline = isinstance(child, str) or child.name in INLINE
        if is_inline and not is_open:
            yield Node("p")
        elif isinstance(child, Node) and not is_inline:
            yield child
        is_open = is_inline


def _render_item(item: Node, depth: int) -> str:
    """The blocks of an item: lists within it on the next line, paragraphs after a blank line."""
    written, before = "", ""
    blocks = list(_list_blocks(item))
    texts = _render_item_blocks(item, depth)
    for block, text in zip(blocks, texts, strict=True):
        if text:
            is_close = block.name in _LISTS or before in _LISTS or block.is_line
            written += ("\n" if is_close else "\n\n") if written else ""
            written += text
            before = block.name
    return written


def _render_item_blocks(item: Node, depth: int) -> Iterator[str]:
    line: list[Node | str] = []
    for child in item.children:
        if isinstance(child, str) or child.name in INLINE:
            line.append(child)
            continue
        if line:
            yield _read_line(Node("p", {}, line))
            line = []
        yield _render_list(child, depth + 1) if child.name in _LISTS else _render_block(child)
    if line:
        yield _read_line(Node("p", {}, line))


def _render_table(node: Node) -> str:
    """The caption, then a line for each row with tabs between its cells."""
    lines = []
    for child in node.find_nodes():
        if child.name == "tr":
            cells = (_render_cell(cell) for cell in child.find_nodes() if cell.name in _CELLS)
            lines.append("\t".join(cells).rstrip("\t"))
        else:
            lines.append(render_text(child))
    return "\n".join(line for line in lines if line)


def _render_cell(cell: Node) -> str:
    """The text of a cell on one line."""
    is_text = len(cell.children) == 1 and type(cell.children[0]) is str
    return " ".join((str(cell.children[0]) if is_text else render_text(cell)).split())
