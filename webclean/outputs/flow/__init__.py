"""Document and kept blocks -> a small tree of clean elements from which Markdown, HTML and mobile HTML are rendered.

The tree has only a few kinds of elements and attributes, and its URLs are safe, so the renderers need not sanitise
anything. It contains every kept text node once, in reading order, and no other text. A container has leaves
(paragraphs, headings, code) or containers as children; a leaf has text and inline elements. Elements used only for
layout are left out; a container of which some text blocks are dropped has only the kept ones.
"""

from __future__ import annotations

import numpy as np

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.builder import Builder
from webclean.outputs.flow.images import find_kept_images
from webclean.outputs.flow.nodes import Node, RenderOptions
from webclean.outputs.flow.sanitise import find_base
from webclean.outputs.flow.tables import find_data_tables
from webclean.outputs.flow.tidy import simplify_containers
from webclean.parse.tags import CODE

__all__ = ["Node", "RenderOptions", "build_flow", "drop_tables", "find_base"]


def build_flow(document: Document, blocks: TextBlocks, kept: Mask, options: RenderOptions | None = None) -> Node:
    """The tree of clean elements of the kept text blocks; the name of its root is empty."""
    options = options or RenderOptions()
    if not options.tables:
        kept = drop_tables(document, blocks, kept)
    filled = find_filled(document, blocks, kept)
    images = find_kept_images(document, blocks, kept) if options.images else np.zeros(len(document), dtype=bool)
    builder = Builder(document, blocks, kept, options, find_data_tables(document, blocks, kept, filled))
    _visit(builder, filled, images)
    simplify_containers(builder.root)
    return builder.root


def drop_tables(document: Document, blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_blocks]: the kept blocks without those in data tables."""
    tables = find_data_tables(document, blocks, kept, find_filled(document, blocks, kept))
    depth = np.zeros(len(document) + 1, dtype=np.int32)
    np.add.at(depth, np.flatnonzero(tables), 1)
    np.add.at(depth, document.end[tables], -1)
    return np.asarray(kept & ~(np.cumsum(depth)[:-1] > 0)[blocks.row], dtype=bool)


def find_kept_nodes(blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_texts]: text nodes that belong to kept blocks."""
    return np.asarray((blocks.block_of >= 0) & np.append(kept, False)[blocks.block_of], dtype=bool)


def find_filled(document: Document, blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_elements]: elements that contain kept text, at any depth."""
    owners = document.text_owner[find_kept_nodes(blocks, kept)]
    placed = np.bincount(owners, minlength=len(document))
    running = np.concatenate(([0], np.cumsum(placed)))
    return np.asarray(running[document.end] > running[:-1], dtype=bool)


def _visit(builder: Builder, filled: Mask, images: Mask) -> None:
    """Pass to the builder, in document order: elements with kept text, images, line breaks, cells, and text."""
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
