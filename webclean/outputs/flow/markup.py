"""Clean elements -> lines of HTML, with exactly the elements and attributes of the tree."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from webclean.outputs.flow.nodes import INLINE, LEAVES, Node


def render_blocks(node: Node) -> Iterator[str]:
    """The children of a node as lines of HTML; adjacent inline children are on one line."""
    line: list[str] = []
    for child in node.children:
        if isinstance(child, str) or child.name in INLINE:
            line.append(render_inline(child))
            continue
        if line:
            yield "".join(line)
            line = []
        yield from _render_block(child)
    if line:
        yield "".join(line)


def _render_block(node: Node) -> Iterator[str]:
    if node.name == "pre":
        language = node.attributes.get("language")
        code = f'<code class="language-{escape(language)}">' if language else "<code>"
        yield f"<pre>{code}{escape(str(node.children[0]), quote=False)}</code></pre>"
        return
    start, end = f"<{node.name}{_render_attributes(node)}>", f"</{node.name}>"
    lines = list(render_blocks(node))
    if node.name in LEAVES or len(lines) <= 1:
        yield f"{start}{''.join(lines)}{end}"
    else:
        yield start
        yield from lines
        yield end


def render_inline(child: Node | str) -> str:
    """Text or an inline element as HTML."""
    if isinstance(child, str):
        return escape(child, quote=False)
    start = f"<{child.name}{_render_attributes(child)}>"
    if child.name in ("br", "img"):
        return start
    return f"{start}{''.join(render_inline(part) for part in child.children)}</{child.name}>"


def _render_attributes(node: Node) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
