"""The tables of features of nodes: a function for each, with the names of its rows, which `segments.node_features`
defines."""

from __future__ import annotations

import numpy as np

from webclean import core
from webclean.features.links import find_links
from webclean.features.names import find_names
from webclean.model import Floats
from webclean.parse.tags import CODE, HEADING
from webclean.segments.feature_tables import FeatureTables
from webclean.segments.folders import find_folders
from webclean.segments.node_columns import COUNTED_TAGS, NodeColumns
from webclean.segments.node_parts import MEASURES
from webclean.segments.unit_search import find_units

NODE_TABLES = FeatureTables()
table = NODE_TABLES.table


@NODE_TABLES.family("tag.")
def _mark_tags(columns: NodeColumns, words: list[str]) -> Floats:
    return columns.has_tag[[CODE.get(name, 0) for name in words]].astype(np.float64)


@NODE_TABLES.family("token.")
def _list_tokens(columns: NodeColumns, words: list[str]) -> list[Floats]:
    return list(map(columns.token_shares.__getitem__, words))


@table(*MEASURES[:-1], "text_share")
def _list_measures(columns: NodeColumns) -> Floats:
    return columns.parts_measured.table


@table(
    "n_chars",
    "page_chars",
    "page_blocks",
    "page_height",
    "position",
    "chars_per_part",
    "link_density",
    "n_text_blocks",
    "words_per_text_block",
    "n_headings",
    "n_images",
    "n_controls",
    "n_rules",
)
def _describe_texts(columns: NodeColumns) -> Floats:
    blocks = columns.page.blocks
    counts = (np.asarray(count, dtype=np.float64) for count in (blocks.n_words, blocks.n_chars, blocks.n_link_chars))
    found: Floats = core.describe_node_texts(
        columns.row,
        columns.end,
        (columns.share, columns.n_parts),
        (columns.page.document.tag, blocks.row, *counts),
        COUNTED_TAGS.view(np.uint8),
        columns.tree.height[0],
    )
    return found


@table("n_links", "links_per_part", "url_alike", "url_bonds")
def _describe_links(columns: NodeColumns) -> Floats:
    links = find_links(columns.page)
    found: Floats = core.describe_node_links(
        (columns.row, columns.end, columns.n_parts),
        (columns.rows_of_all, columns.parts, columns.whole, columns.page.document.end),
        (links.row, links.number, find_folders(columns.page)[1]),
    )
    return found


@table("n_parts", "n_siblings", "small_parts", "alike_parts", "heading_parts", "shape_alike")
def _describe_parts(columns: NodeColumns) -> Floats:
    names = find_names(columns.page)
    found: Floats = core.describe_parts(
        (columns.n_parts, columns.above, columns.by_parts["large_parts"]),
        (columns.rows_of_all[columns.parts], columns.shapes[columns.parts]),
        (columns.page.document.tag, names.classes),
        HEADING.view(np.uint8),
        names.n_classes,
    )
    return found


@table("n_entries", "n_teasers", "entry_chars")
def _describe_entries(columns: NodeColumns) -> Floats:
    search = find_units(columns.page, columns.rules.records)
    found: Floats = core.describe_entries(
        np.asarray(columns.tree.inner)[columns.number],
        columns.page.document.parent,
        search.bounds,
        search.summed.sums[0],
        columns.rules.records.teaser_chars,
    )
    return found
