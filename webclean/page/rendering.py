"""The kept content as a tree of clean elements, and the formats that are written from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from webclean.model import Block, Mask, Rows
from webclean.outputs.flow import Node, RenderOptions, build_flow
from webclean.outputs.flow.head import Head, write_front_matter
from webclean.outputs.html import render_html
from webclean.outputs.markdown import render_markdown
from webclean.outputs.text import render_text
from webclean.page.analysis import Analysis

Renderer = Callable[[Node, Callable[[], Head], RenderOptions], str]
"""Writes a format; the head, whose fields must be looked for, is asked for where the format shows it."""


def _with_front_matter(text: str, head: Callable[[], Head], options: RenderOptions) -> str:
    return f"{write_front_matter(head())}\n\n{text}" if options.metadata else text


FORMATS: Final[dict[str, Renderer]] = {
    "text": lambda flow, head, options: _with_front_matter(render_text(flow), head, options),
    "markdown": lambda flow, head, options: _with_front_matter(render_markdown(flow), head, options),
    "html": lambda flow, head, options: render_html(flow, head(), metadata=options.metadata, fragment=options.fragment),
}
"""Format -> what writes the tree of clean elements in it."""

MAX_TREES: Final = 100
"""Ranked blocks of which a tree each is built; those less important are one, for a tree takes time."""


def build_ranked_flow(
    analysis: Analysis, kept: Mask, blocks: Sequence[Block], segment_of: Rows, options: RenderOptions
) -> Node:
    """The kept text blocks, semantic block by semantic block in the order of `blocks`, which is all of the page's.

    segment_of: int [n_blocks], the number of the semantic block that a text block is in.
    """
    columns = analysis.columns
    has_kept = np.bincount(segment_of[kept], minlength=len(blocks)) > 0
    numbers = [block.number for block in blocks if has_kept[block.number]]
    groups = [[number] for number in numbers[:MAX_TREES]] + [numbers[MAX_TREES:]]
    parts = (
        build_flow(columns.document, columns.blocks, np.asarray(kept & np.isin(segment_of, group), dtype=bool), options)
        for group in groups
        if group
    )
    shown = [part for part in parts if part.children]
    attributes = shown[0].attributes if shown else {}
    return Node("", attributes, [child for part in shown for child in part.children])
