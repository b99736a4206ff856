"""A tree of clean elements -> Markdown (CommonMark 0.31 with the tables and strikethrough of GitHub's dialect).

A Markdown parser reads the same text back, because characters that would be syntax at their place are escaped.
"""

from __future__ import annotations

from webclean.outputs.markdown.blocks import render_markdown

__all__ = ["render_markdown"]
