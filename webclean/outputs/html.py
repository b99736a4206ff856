"""A tree of clean elements -> a small HTML document, or lines of HTML, with exactly the elements of the tree."""

from __future__ import annotations

from html import escape
from typing import Final

from webclean.outputs.flow import LEAVES, Head, Node
from webclean.outputs.flow.mathml import convert_tex

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
    known = (one for one in head.list_known() if metadata and one[0] != "title")
    metas = "".join(f'<meta name="{name}" content="{escape(value)}">\n' for name, value in known)
    return f"""<!doctype html>
<html{lang}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(head.title, quote=False)}</title>
{metas}</head>
<body>
<article>
{body}
</article>
</body>
</html>
"""


_OF_TREE: Final = frozenset(("task", "label", "closed", "callout", "titled", "back", "reply"))
"""Attributes that are none of HTML. closed: what it holds is shown when the reader opens it. callout, titled: of a
quotation that is one, its kind, and that it begins with its title. back: of a footnote, the address of its first
reference. reply: of a quotation that is a comment."""


def render_blocks(children: list[Node | str]) -> list[str]:
    """Nodes as lines of HTML; adjacent inline nodes and texts are on one line.

    Nothing is written without escapes but names of elements and attributes, which are the tree's own.
    """
    lines: list[str] = []
    for part in Node("", {}, children).split_lines():
        if isinstance(part, list):
            lines.append("".join(map(_render_in_line, part)))
        else:
            _add_element(part, lines)
    return lines


def _add_element(node: Node, lines: list[str]) -> None:
    name, attributes = node.name, node.attributes
    if name == "hr":
        lines.append("<hr>")
        return
    if name == "pre":
        language = f' class="language-{escape(attributes["language"])}"' if attributes.get("language") else ""
        inner = [f"<code{language}>{escape(str(node.children[0]), quote=False)}</code>"]
    elif name in LEAVES:  # a line break inside a leaf would be white space of its text
        inner = ["".join(map(_render_in_line, node.children))]
    else:
        inner = render_blocks(node.children)
    if "back" in attributes and inner:
        # the last line of a footnote has a link to its reference, within its paragraph
        text = inner[-1].removesuffix("</p>")
        way_back = f' <a href="{escape(attributes["back"])}" role="doc-backlink">↩</a>'
        inner[-1] = f"{text}{way_back}{inner[-1][len(text) :]}"
    start, end = _render_start_tag(name, attributes), "</div>" if name == "note" else f"</{name}>"
    # one line inside: on the line of its tags, as people write it
    lines += [start, *inner, end] if len(inner) > 1 else [f"{start}{''.join(inner)}{end}"]


def _render_start_tag(name: str, attributes: dict[str, str]) -> str:
    """The start tag of a block element."""
    if not attributes and name != "details":
        return f"<{name}>"
    written = {key: value for key, value in attributes.items() if key not in _OF_TREE}
    if name == "pre":
        written = {"dir": "ltr"} if "dir" in attributes else {}
    elif name == "note":
        # HTML has no element for a footnote; the id is what its references lead to
        name, written["id"] = "div", f"note-{attributes['label']}"
    elif name == "details" and "closed" not in attributes:
        # kept text must be readable: a closed panel hides it, on paper for good
        written["open"] = ""
    start = f"<{name}{_render_attributes(written)}>"
    if "task" in attributes:
        start += f'<input type="checkbox" disabled{" checked" if attributes["task"] == "done" else ""}> '
    return start


def _render_in_line(child: Node | str) -> str:
    """Text or an inline element as HTML."""
    if isinstance(child, str):
        return escape(child, quote=False)
    name, attributes = child.name, child.attributes
    if name == "math":
        return _render_formula(child)
    inner = "".join(map(_render_in_line, child.children))
    if name == "noteref":
        anchor = f' id="{escape(attributes["id"])}"' if "id" in attributes else ""
        return f'<sup><a href="#note-{escape(attributes["label"])}"{anchor}>{inner}</a></sup>'
    start = f"<{name}{_render_attributes(attributes)}>"
    return start if name in ("br", "img") else f"{start}{inner}</{name}>"


def _render_attributes(attributes: dict[str, str]) -> str:
    return "".join([f' {name}="{escape(value)}"' for name, value in attributes.items()])


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
