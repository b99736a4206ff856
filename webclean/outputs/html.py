"""A tree of clean elements -> a small HTML document, or lines of HTML, with exactly the elements of the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from webclean.outputs.flow.mathml import convert_tex
from webclean.outputs.flow.nodes import LEAVES, Head, Node, write_meta_elements

POLICY: Final = "default-src 'none'; img-src http: https: data:; base-uri 'none'; form-action 'none'"
"""Content Security Policy (level 3) of the document: it may load images and nothing else."""


def render_html(flow: Node, head: Head | None = None, *, metadata: bool = False, fragment: bool = False) -> str:
    """A complete document; with `fragment`, only the content of its body. metadata: with `meta` elements."""
    head = head or Head()
    body = "\n".join(render_blocks(flow))
    direction = flow.attributes.get("dir")
    if fragment:
        return f'<div dir="{direction}">\n{body}\n</div>' if direction else body
    lang = f' lang="{escape(head.language)}"' if head.language else ""
    lang += f' dir="{direction}"' if direction else ""
    return f"""<!doctype html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(head.title, quote=False)}</title>
{write_meta_elements(head) if metadata else ""}</head>
<body>
<article>
{body}
</article>
</body>
</html>
"""


_OF_TREE: Final = frozenset(("task", "label", "closed", "block", "callout", "titled", "back"))
"""Attributes that are none of HTML. closed: what it holds is shown when the reader opens it. block: of which semantic
block it is. callout, titled: of a quotation that is one, its kind, and that it begins with its title. back: of a
footnote, the address of its first reference."""


def render_blocks(node: Node) -> Iterator[str]:
    """The children of a node as lines of HTML; adjacent inline children are on one line."""
    for part in node.split_lines():
        if isinstance(part, list):
            yield "".join(map(render_inline, part))
        else:
            yield from _render_block(part)


def _render_block(node: Node) -> Iterator[str]:
    if node.name == "pre":
        language = node.attributes.get("language")
        direction = ' dir="ltr"' if "dir" in node.attributes else ""
        code = f'<code class="language-{escape(language)}">' if language else "<code>"
        yield f"<pre{direction}>{code}{escape(str(node.children[0]), quote=False)}</code></pre>"
        return
    if node.name == "hr":
        yield "<hr>"
        return
    start, end = _render_tags(node)
    # a line break inside a leaf would be white space of its text
    lines = ["".join(map(render_inline, node.children))] if node.name in LEAVES else list(render_blocks(node))
    if "back" in node.attributes and lines:
        lines[-1] = _add_back_link(lines[-1], node.attributes["back"])
    if len(lines) <= 1:
        yield f"{start}{''.join(lines)}{end}"
    else:
        yield start
        yield from lines
        yield end


def _add_back_link(line: str, address: str) -> str:
    """The last line of a footnote with a link to its reference, within its paragraph."""
    text = line.removesuffix("</p>")
    return f'{text} <a href="{escape(address)}" role="doc-backlink">↩</a>{line[len(text) :]}'


def _render_tags(node: Node) -> tuple[str, str]:
    """Start and end tag of a block element."""
    attributes = {name: value for name, value in node.attributes.items() if name not in _OF_TREE}
    name = node.name
    if name == "note":
        # HTML has no element for a footnote; the id is what its references lead to
        name, attributes["id"] = "div", f"note-{node.attributes['label']}"
    if name == "details" and "closed" not in node.attributes:
        # what was kept is to be read: a closed one hides it, on paper for good
        attributes["open"] = ""
    start = f"<{name}{_render_attributes(attributes)}>"
    if "task" in node.attributes:
        checked = " checked" if node.attributes["task"] == "done" else ""
        start += f'<input type="checkbox" disabled{checked}> '
    return start, f"</{name}>"


def render_inline(child: Node | str) -> str:
    """Text or an inline element as HTML."""
    if isinstance(child, str):
        return escape(child, quote=False)
    if child.name == "math":
        return _render_formula(child)
    inner = "".join(render_inline(part) for part in child.children)
    if child.name == "noteref":
        name = f' id="{escape(child.attributes["id"])}"' if "id" in child.attributes else ""
        return f'<sup><a href="#note-{escape(child.attributes["label"])}"{name}>{inner}</a></sup>'
    start = f"<{child.name}{_render_attributes(child.attributes)}>"
    return start if child.name in ("br", "img") else f"{start}{inner}</{child.name}>"


def _render_formula(node: Node) -> str:
    """A formula as MathML, which browsers show without scripts: that of the page, or made from its TeX."""
    tex, is_display = node.attributes["tex"], "display" in node.attributes
    children = list(node.find_nodes())
    if not children:
        made = convert_tex(tex, is_display=is_display)
        # TeX of a page that draws it by script: without one a reader would see backslashes
        children = list(made.find_nodes()) if made else []
    if not children:
        return f'<code class="language-tex">{escape(tex, quote=False)}</code>'
    display = ' display="block"' if is_display else ""
    inner = "".join(_render_mathml(child) for child in children)
    return f'<math{display} alttext="{escape(" ".join(tex.split()))}">{inner}</math>'


def _render_mathml(node: Node) -> str:
    inner = "".join(
        escape(child, quote=False) if isinstance(child, str) else _render_mathml(child) for child in node.children
    )
    return f"<{node.name}{_render_attributes(node.attributes)}>{inner}</{node.name}>"


def _render_attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
