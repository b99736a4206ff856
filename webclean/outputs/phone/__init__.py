"""The content of a page -> self-contained HTML documents for a small screen, without scripts or external styles.

    sources ─ lay_out ─> nodes ─ split_top ─> title, by-line
                                          └─> rest ─ gather, unwrap, adapt, mark headings, split ─> parts

What is shown, and how, depends on the kind of page: a text in order, with a list of its headings; a thread post by
post, each with author and time; a product with its pictures and price first; an index page as one card for each
semantic block, the most important first (patent A8: phones show a page by block), with the entries of the block. A long
page is divided at its semantic blocks into parts that link to each other.
"""

from __future__ import annotations

from dataclasses import replace

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import read_text
from webclean.outputs.phone.adapt import adapt_nodes, gather_images, unwrap_prose
from webclean.outputs.phone.document import (
    UNSIGNED,
    Layout,
    Look,
    PhoneDocument,
    PhoneOptions,
    PhonePage,
    PhoneSource,
    level_headings,
    list_contents,
    mark_headings,
    write_document,
)
from webclean.outputs.phone.layouts import lay_out, reads_as_index
from webclean.outputs.phone.page_header import set_product, split_top
from webclean.outputs.phone.pieces import split_parts

__all__ = [
    "UNSIGNED",
    "Layout",
    "Look",
    "PhoneOptions",
    "PhonePage",
    "PhoneSource",
    "render_phone",
    "render_phone_parts",
]


def render_phone(page: PhonePage) -> str:
    """The whole page as one document."""
    return write_document(page, _prepare(page))


def render_phone_parts(page: PhonePage) -> tuple[str, ...]:
    """The page as one document for each of its parts; one if it is not long."""
    whole = _prepare(page)
    # after the headings are marked: their numbers go on from part to part, and lists of contents lead to them
    parts = split_parts(whole.nodes, page.options.part_bytes or page.rules.part_bytes)
    places: dict[str, int] = {}
    for number, nodes in enumerate(parts, start=1):
        for node in (inner for outer in nodes for inner in outer.walk()):
            anchors = (node.attributes.get("id"), f"note-{node.attributes['label']}" if node.name == "note" else None)
            places |= {anchor: number for anchor in anchors if anchor is not None}
    return tuple(
        write_document(page, replace(whole, nodes=nodes, number=number, n_parts=len(parts), places=places))
        for number, nodes in enumerate(parts, start=1)
    )


def _prepare(page: PhonePage) -> PhoneDocument:
    """The whole page as one part: at its top title, by-line, price and pictures."""
    as_index = reads_as_index(page)
    is_unsigned = as_index or page.layout in UNSIGNED
    known = replace(page.head, author="", date="") if is_unsigned else page.head
    title, meta, rest = split_top(known, lay_out(page, as_index=as_index), page.rules)
    first, rest = set_product(rest, page) if page.layout is Layout.PRODUCT else ([], rest)
    nodes = adapt_nodes(unwrap_prose(gather_images(rest, page.labels.photos)), page.options)
    level_headings(nodes)
    top = adapt_nodes([*meta, *first], page.options)
    if title is not None:
        made = adapt_nodes([Node("span", {}, title.children)], page.options)  # a paragraph of signs alone is left out
        top.insert(0, Node("h1", dict(title.attributes), list(made[0].children) if made else [read_text(title)]))
    return PhoneDocument(top, list_contents(mark_headings(nodes), page.rules), nodes)
