"""A tree of clean elements -> a small HTML document."""

from __future__ import annotations

from html import escape
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.head import Head, write_meta_elements
from webclean.outputs.flow.markup import render_blocks

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
