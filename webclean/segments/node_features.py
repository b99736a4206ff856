"""Features of the nodes of a cut tree: the named numbers that the card of splits refers to.

A feature is a function that takes a `NodeColumns` and returns one value for each node that has parts. Four of them are
the signals of the patent (A4): `url_alike`, `shape_alike`, `looks_differ` and `first_part`, the information gain of the
largest part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from webclean.model import Floats
from webclean.parse.tags import CODE, HEADING
from webclean.registry import FeatureRegistry
from webclean.segments.feature_tables import measure, measure_all
from webclean.segments.node_columns import NodeColumns
from webclean.segments.node_tables import NODE_TABLES

Compute = Callable[[NodeColumns], Floats]

NODE_FEATURES: Final = FeatureRegistry[NodeColumns, Floats]("node of the cut tree", "splits")
feature: Final = NODE_FEATURES.feature
"""Registers a function as a feature of nodes: `@feature(unit, meaning)`."""


def measure_nodes(columns: NodeColumns, name: str) -> Floats:
    """float64 [n]: one feature, computed once a page."""
    return measure(columns, name, NODE_FEATURES, NODE_TABLES)


def measure_table(columns: NodeColumns, names: tuple[str, ...]) -> tuple[Floats, ...]:
    """float64 [n] each: several features."""
    return measure_all(columns, names, NODE_FEATURES, NODE_TABLES)


@feature("share", "characters of the node / characters of the page")
def text_share(columns: NodeColumns) -> Floats:
    return columns.share


@feature("characters", "characters of the node, without white space")
def n_chars(columns: NodeColumns) -> Floats:
    return columns.share * page_chars(columns)


@feature("characters", "characters of the page, without white space")
def page_chars(columns: NodeColumns) -> Floats:
    return np.full(len(columns), float(columns.page.blocks.n_chars.sum()))


@feature("text blocks", "leaf text blocks of the page")
def page_blocks(columns: NodeColumns) -> Floats:
    return np.full(len(columns), float(len(columns.page.blocks)))


@feature("levels", "of nodes below the highest node of the page")
def page_height(columns: NodeColumns) -> Floats:
    return np.full(len(columns), float(columns.tree.height[0]))


@feature("share", "characters of the node / characters of the node around it; 1 for the page")
def share_of_whole(columns: NodeColumns) -> Floats:
    return columns.by_parts["share_of_whole"]


@feature("levels", "of nodes below the node")
def height(columns: NodeColumns) -> Floats:
    return columns.by_parts["height"]


@feature("levels", "of nodes around the node")
def depth(columns: NodeColumns) -> Floats:
    return columns.by_parts["depth"]


@feature("share", "characters of the page before the node / characters of the page")
def position(columns: NodeColumns) -> Floats:
    return columns.text_sums["chars_before"] / max(1.0, float(columns.page.blocks.n_chars.sum()))


@feature("share", "characters directly inside the node / characters of the node")
def own_share(columns: NodeColumns) -> Floats:
    return columns.by_parts["own_share"]


@feature("parts", "of the node")
def n_parts(columns: NodeColumns) -> Floats:
    return columns.n_parts.astype(np.float64)


@feature("parts", "of the node around it; 0 for the page")
def n_siblings(columns: NodeColumns) -> Floats:
    return np.where(columns.above >= 0, columns.n_parts[columns.above], 0).astype(np.float64)


@feature("share", "characters of the largest part / characters of the node: its information gain (patent A4)")
def first_part(columns: NodeColumns) -> Floats:
    return columns.by_parts["first_part"]


@feature("share", "characters of the second largest part / characters of the node")
def second_part(columns: NodeColumns) -> Floats:
    return columns.by_parts["second_part"]


@feature("parts", "with over a hundredth of the page's characters")
def large_parts(columns: NodeColumns) -> Floats:
    return columns.by_parts["large_parts"]


@feature("parts", "with at most a hundredth of the page's characters")
def small_parts(columns: NodeColumns) -> Floats:
    return columns.n_parts - large_parts(columns)


@feature("characters", "characters of the node / parts of the node")
def chars_per_part(columns: NodeColumns) -> Floats:
    return n_chars(columns) / np.maximum(1, columns.n_parts)


@feature("share", "parts without parts of their own / parts of the node")
def leaf_parts(columns: NodeColumns) -> Floats:
    return columns.by_parts["leaf_parts"]


@feature("share", "parts of the most frequent tag and classes / parts of the node")
def alike_parts(columns: NodeColumns) -> Floats:
    keys = columns.whole * (1 << 32) + columns.part_kinds
    distinct, n = np.unique(keys, return_counts=True)
    most = np.zeros(len(columns))
    np.maximum.at(most, distinct >> 32, n)
    return most / np.maximum(1, columns.n_parts)


@feature("entries", "parts that are entries of a repeated list")
def n_entries(columns: NodeColumns) -> Floats:
    return columns.entries[0]


@feature("entries", "parts that are entries of a repeated list, if these are links or short teasers")
def n_teasers(columns: NodeColumns) -> Floats:
    n, chars = columns.entries
    return np.where(chars <= columns.rules.records.teaser_chars * n, n, 0.0)


@feature("characters", "characters of an entry of a repeated list, mean of those that are parts")
def entry_chars(columns: NodeColumns) -> Floats:
    n, chars = columns.entries
    return chars / np.maximum(1, n)


@feature("share", "boundaries between neighbouring parts of the same nested tags / all: tag sequence (patent A4)")
def shape_alike(columns: NodeColumns) -> Floats:
    shapes = columns.shapes[columns.parts]
    return columns.share_boundaries(np.concatenate(([False], shapes[1:] == shapes[:-1])))


@feature("share", "links of the node in the directory of the link before them / links: URL structure (patent A4)")
def url_alike(columns: NodeColumns) -> Floats:
    rows, folders = columns.links
    same = np.concatenate(([False], folders[1:] == folders[:-1])) if len(rows) else np.zeros(0, dtype=bool)
    running = np.concatenate(([0], np.cumsum(same)))
    first, last = np.searchsorted(rows, columns.row), np.searchsorted(rows, columns.end)
    inside = running[last] - running[np.minimum(first + 1, last)]
    return np.asarray(inside / np.maximum(1, last - first - 1), dtype=np.float64)


@feature("share", "boundaries between neighbouring parts whose nearest links share a directory / all")
def url_bonds(columns: NodeColumns) -> Floats:
    rows, folders = columns.links
    if not len(rows):
        return np.zeros(len(columns))
    at = columns.rows_of_all[columns.parts]
    here = np.searchsorted(rows, at)
    has_link = here < np.searchsorted(rows, columns.page.document.end[at])
    before = np.maximum(here - 1, 0)
    same = has_link & (here > 0) & (rows[before] >= columns.row[columns.whole])
    same &= folders[np.minimum(here, len(rows) - 1)] == folders[before]
    return columns.share_boundaries(same)


@feature("share", "boundaries between neighbouring parts with other colours, backgrounds or styles / all (patent A4)")
def looks_differ(columns: NodeColumns) -> Floats:
    looks = columns.part_looks
    return columns.share_boundaries(np.concatenate(([False], looks[1:] != looks[:-1])))


@feature("share", "link characters / characters of the node")
def link_density(columns: NodeColumns) -> Floats:
    return columns.text_sums["link_chars"] / np.maximum(1, columns.text_sums["chars"])


@feature("links", "`a` elements with an href that lead to pages")
def n_links(columns: NodeColumns) -> Floats:
    rows = columns.links[0]
    return (np.searchsorted(rows, columns.end) - np.searchsorted(rows, columns.row)).astype(np.float64)


@feature("links", "links of the node / parts of the node")
def links_per_part(columns: NodeColumns) -> Floats:
    return n_links(columns) / np.maximum(1, columns.n_parts)


@feature("text blocks", "leaf text blocks of the node")
def n_text_blocks(columns: NodeColumns) -> Floats:
    return columns.text_sums["blocks"]


@feature("words", "words / text blocks of the node")
def words_per_text_block(columns: NodeColumns) -> Floats:
    return columns.text_sums["words"] / np.maximum(1, columns.text_sums["blocks"])


@feature("headings", "h1 to h6 in the node")
def n_headings(columns: NodeColumns) -> Floats:
    return columns.tag_counts["headings"]


@feature("parts", "of the node that start with a heading")
def headed_parts(columns: NodeColumns) -> Floats:
    return columns.by_parts["headed_parts"]


@feature("parts", "of the node that are headings")
def heading_parts(columns: NodeColumns) -> Floats:
    return columns.sum_parts(HEADING[columns.page.document.tag[columns.rows_of_all[columns.parts]]])


@feature("0 or 1", "the node starts with a heading")
def starts_with_heading(columns: NodeColumns) -> Floats:
    return columns.by_parts["starts_with_heading"]


@feature("images", "images, pictures, videos and frames in the node")
def n_images(columns: NodeColumns) -> Floats:
    return columns.tag_counts["images"]


@feature("controls", "form controls in the node")
def n_controls(columns: NodeColumns) -> Floats:
    return columns.tag_counts["controls"]


@feature("rules", "`hr` elements in the node")
def n_rules(columns: NodeColumns) -> Floats:
    return columns.tag_counts["rules"]


@feature("0 or 1", "an element of the node's chain is a list")
def is_list(columns: NodeColumns) -> Floats:
    return columns.by_parts["is_list"]


@NODE_FEATURES.family("tag.", "0 or 1", "an element of the node's chain has this tag")
def _measure_tag(name: str) -> Compute:
    """By the name of a tag."""

    return lambda columns: columns.has_tag[CODE.get(name, 0)].astype(np.float64)


@NODE_FEATURES.family("token.", "0 to 1", "1: a class or id of the node is of the group; 0.5: of a node around it")
def _measure_tokens(group: str) -> Compute:
    """By a group of `segments.tokens`."""

    return lambda columns: columns.token_shares[group]
