"""A tree of clean elements -> a small HTML document, or lines of HTML, with exactly the elements of the tree."""

from __future__ import annotations

from html import escape
from typing import Final, cast

from webclean import core
from webclean.outputs.flow.mathml import convert_tex
from webclean.outputs.flow.nodes import INLINE, LEAVES, Head, Node, write_meta_elements

POLICY: Final = "default-src 'none'; img-src http: https: data:; base-uri 'none'; form-action 'none'"
"""Content Security Policy (level 3) of the document: it may load images and nothing else."""


def render_html(flow: Node, head: Head | None = None, *, metadata: bool = False, fragment: bool = False) -> str:
    """A complete document; with `fragment`, only the content of its body. metadata: with `meta` elements."""
    head = head or Head()
    body = "\n".join(render_blocks(flow.children))
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


_OF_TREE: Final = frozenset(("task", "label", "closed", "block", "callout", "titled", "back", "reply"))
"""Attributes that are none of HTML. closed: what it holds is shown when the reader opens it. block: of which semantic
block it is. callout, titled: of a quotation that is one, its kind, and that it begins with its title. back: of a
footnote, the address of its first reference. reply: of a quotation that is a comment."""


def render_blocks(children: list[Node | str]) -> list[str]:
    """Nodes as lines of HTML; adjacent inline nodes and texts are on one line."""
    return cast("list[str]", core.render_markup(children, LEAVES, INLINE, _OF_TREE, _render_formula))


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
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    return f"<{node.name}{attributes}>{inner}</{node.name}>"
