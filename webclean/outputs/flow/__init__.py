"""Document and kept blocks -> a small tree of clean elements from which all formats are rendered.

The tree has only a few kinds of elements and attributes, and its URLs are safe, so the renderers need not sanitise
anything. It contains every kept text node once, in reading order, and no other text; but a formula is there as TeX and
MathML instead of what the page draws of it, a video or embedded page as a link with its title, a footnote that is the
value of an attribute as one, and links back from footnotes, copies of them, links to edit a section and labels of code
are left out. A container has leaves (paragraphs, headings, code) or containers as children; a leaf has text
and inline elements. Elements used only for layout are left out; a container of which some text blocks are dropped has
only the kept ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

import numpy as np

from webclean import core
from webclean.model import Document, Mask, Post, TextBlocks
from webclean.outputs.flow.builder import build_tree, find_data_tables, find_structures, plan_visit
from webclean.outputs.flow.nodes import Node, TreeOptions, bound_tree, simplify_containers
from webclean.outputs.flow.notes import find_dropped_notes, gather_notes
from webclean.outputs.flow.quotations import add_heads, find_heads, mark_titles
from webclean.outputs.flow.tools import find_conventions
from webclean.outputs.flow.urls import find_kept_objects, find_media
from webclean.parse import count_tags
from webclean.parse.columns import list_holding, mark_slices
from webclean.parse.limits import check_time
from webclean.parse.tags import CODE

__all__ = ["Node", "TreeOptions", "build_flow", "drop_tables"]


def build_flow(
    document: Document,
    blocks: TextBlocks,
    kept: Mask,
    options: TreeOptions | None = None,
    refused: Collection[int] = (),
    posts: Sequence[Post] = (),
) -> Node:
    """The tree of clean elements of the kept text blocks; the name of its root is empty. With marks, footnotes are
    there to which kept links refer, kept or not. refused: the numbers of blocks that are not wanted in any case. posts:
    those of a thread as rules name them, in document order: with marks, each begins with who wrote it and when."""
    options = options or TreeOptions()
    posts = posts if options.marks else ()
    # a line without a name says less than what the page has there
    signed = [post for post in posts if post.author]
    if options.marks:
        notes = find_dropped_notes(document, blocks, kept, find_conventions(options.tools))
        notes[list(refused)] = False
        kept = kept | notes
    if signed:
        kept = kept & ~find_heads(document, blocks, signed)
    # before anything is looked up: footnotes, formulas and images go with the text that they are in
    if not options.tables:
        kept = drop_tables(document, blocks, kept)
    filled = find_filled(document, kept)
    check_time()
    found = find_structures(document, blocks, kept, filled, options, posts)
    check_time()
    objects = find_objects(document, blocks, kept, options)
    plan = plan_visit(document, kept, options, found, filled, objects)
    root = build_tree(document, kept, options, found, plan)
    if found.notes.links:
        gather_notes(root, document, found.notes)
    if signed:
        add_heads(root, document, signed)
    simplify_containers(root)
    if found.callouts.kinds:
        mark_titles(root, found.callouts)
    # a tree that was cut may end in empty containers
    if not bound_tree(root):
        simplify_containers(root)
    return root


def drop_tables(document: Document, blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_blocks]: the kept blocks without those in data tables."""
    tables = find_data_tables(document, blocks, kept, find_filled(document, kept)).nonzero()[0]
    inside = mark_slices(tables, document.end[tables], len(document))
    return np.asarray(kept & ~inside[blocks.row], dtype=bool)


def find_filled(document: Document, kept: Mask) -> Mask:
    """bool [n_elements]: elements that contain kept text, at any depth."""
    return cast("Mask", core.find_filled(document.page, kept))


def find_objects(document: Document, blocks: TextBlocks, kept: Mask, options: TreeOptions) -> list[int]:
    """Rows of images, media, rules and check boxes that belong to kept text, in document order."""
    n_tags = count_tags(document)
    wanted: set[int] = set()
    if options.images:
        images = (document.tag == CODE["img"]) & document.displayed
        wanted.update(images.nonzero()[0].tolist())
        # images that a script loads late stand in a `noscript` too
        wanted.update(row for row, markup in document.fallback.items() if "<img" in markup)
    if options.links:
        wanted.update(find_media(document))
    found = find_kept_objects(document, kept, sorted(wanted))
    if n_tags[CODE["hr"]]:
        rows = ((document.tag == CODE["hr"]) & document.displayed).nonzero()[0]
        # just after and just before kept text; a rule before the first block has a neighbour, which is not kept
        around = np.concatenate(([False], kept, [False]))
        at = np.searchsorted(document.text_next[blocks.first], rows, side="right")
        found += rows[around[at] & around[at + 1]].tolist()
    names = document.names
    for row, kind in list_holding(document, "type", "checkbox"):
        # of a task list; other boxes are controls of a form
        if names[row] == "input" and kind.lower() == "checkbox" and names[document.block[row]] in ("li", "p"):
            found.append(row)
    return sorted(found)
