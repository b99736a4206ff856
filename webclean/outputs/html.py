"""A tree of clean elements -> a small HTML document."""

from __future__ import annotations

from html import escape

from webclean.outputs.flow import Node
from webclean.outputs.flow.markup import render_blocks


def render_html(flow: Node, *, title: str = "", language: str = "", fragment: bool = False) -> str:
    """A complete document; with `fragment`, only the content of its body."""
    body = "\n".join(render_blocks(flow))
    direction = flow.attributes.get("dir")
    if fragment:
        return f'<div dir="{direction}">\n{body}\n</div>' if direction else body
    lang = f' lang="{escape(language)}"' if language else ""
    lang += f' dir="{direction}"' if direction else ""
    return f"""<!doctype html>
<html{lang}>
<head>
<meta charset="utf-8">
<title>{escape(title, quote=False)}</title>
</head>
<body>
<article>
{body}
</article>
</body>
</html>
"""
