"""Document and kept blocks -> a small tree of clean elements that Markdown, HTML and the phone page are written from.

The tree holds few elements, with few attributes and safe URLs: what is written from it needs no further sanitising.
Every kept text node is in it once, in reading order, and no other text. Containers hold leaves (paragraphs, headings,
code) and containers; leaves hold text and inline elements. Elements that only place things are left out, and a
container of which only some text blocks are kept holds just those.
"""

from __future__ import annotations

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.builder import Builder
from webclean.outputs.flow.images import find_kept_images
from webclean.outputs.flow.nodes import Node, RenderOptions
from webclean.outputs.flow.sanitise import find_base
from webclean.outputs.flow.tables import find_data_tables
from webclean.outputs.flow.tidy import tidy_containers
from webclean.parse.tags import CODE

__all__ = ["Node", "RenderOptions", "build_flow", "drop_tables", "find_base"]


def build_flow(document: Document, blocks: TextBlocks, kept: Mask, options: RenderOptions | None = None) -> Node:
    """The tree of what is kept; its root is nameless."""
    options = options or RenderOptions()
    if not options.tables:
        kept = drop_tables(document, blocks, kept)
    filled = find_filled(document, blocks, kept)
    images = find_kept_images(document, blocks, kept) if options.images else np.zeros(len(document), dtype=bool)
    builder = Builder(document, blocks, kept, options, find_data_tables(document, blocks, kept, filled))
    _visit(builder, filled, images)
    tidy_containers(builder.root)
    return builder.root


def drop_tables(document: Document, blocks: TextBlocks, kept: Mask) -> Mask:
    """What is kept without the text of data tables."""
    tables = find_data_tables(document, blocks, kept, find_filled(document, blocks, kept))
    depth = np.zeros(len(document) + 1, dtype=np.int32)
    np.add.at(depth, np.flatnonzero(tables), 1)
    np.add.at(depth, document.end[tables], -1)
    return np.asarray(kept & ~(np.cumsum(depth)[:-1] > 0)[blocks.row], dtype=bool)


def find_kept_nodes(blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_texts]: text nodes of kept blocks."""
    return np.asarray((blocks.block_of >= 0) & np.append(kept, False)[blocks.block_of], dtype=bool)


def find_filled(document: Document, blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_elements]: kept text somewhere inside."""
    owners = document.text_owner[find_kept_nodes(blocks, kept)]
    placed = np.bincount(owners, minlength=len(document))
    running = np.concatenate(([0], np.cumsum(placed)))
    return np.asarray(running[document.end] > running[:-1], dtype=bool)


def _visit(builder: Builder, filled: Mask, images: Mask) -> None:
    """Show the builder what matters, in document order: filled elements, images, line breaks, cells, text."""
    document, blocks = builder.document, builder.blocks
    cells = (document.tag == CODE["td"]) | (document.tag == CODE["th"])
    rows = np.flatnonzero(filled | images | (document.tag == CODE["br"]) | (cells & filled[document.parent]))
    is_kept = find_kept_nodes(blocks, builder.kept)
    nodes = np.flatnonzero(is_kept | (blocks.block_of < 0)).tolist()
    after, kept_nodes = document.text_next.tolist(), is_kept.tolist()
    at = 0
    for row in [*rows.tolist(), len(document)]:
        while at < len(nodes) and after[nodes[at]] <= row:
            node = nodes[at]
            if kept_nodes[node]:
                builder.add_text(node)
            else:
                builder.add_space()
            at += 1
        if row < len(document):
            builder.enter(row)
