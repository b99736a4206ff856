"""A tree of clean elements -> Markdown (CommonMark 0.31 with the tables and strikethrough of GitHub's dialect).

What is written reads back as the same text: characters that mean something where they stand are escaped.
"""

from __future__ import annotations

from webclean.outputs.markdown.blocks import render_markdown

__all__ = ["render_markdown"]
