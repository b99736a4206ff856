"""Which features the kernels compute together: for each table a function and the names of its rows.

The definitions are the functions with these names in the other files of this room; `tests/kernels` holds that both give
the same values. Without kernels nothing is registered here, and `measure` asks the definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from webclean import core
from webclean.features.container import FIELD
from webclean.features.landmarks import (
    BIT,
    EMPHASIS,
    NO_HEADLINE,
    count_articles,
    find_kinds_around,
    find_shown_headline,
)
from webclean.features.lexicon import round_sums
from webclean.features.links import OTHER_SITE, SAME_SITE, find_directory, find_links
from webclean.features.names import find_names
from webclean.features.neighbours import FAR, NO_DENSITY, NO_RANK, RANK
from webclean.features.page_columns import PageColumns
from webclean.features.registry import TABLES, FeatureTable, measure
from webclean.features.repetition import find_repeats
from webclean.features.text import find_same_text
from webclean.features.tokens import NO_LEVELS, STRONG, score_distinct_names
from webclean.features.trees import count_below
from webclean.model import Floats
from webclean.parse.tags import HEADING

_Compute = Callable[[PageColumns], Floats]


_LANDMARKS: Final = np.array(
    [BIT[kind] for kind in ("footer", "nav", "header", "boilerplate", "input", "main", "article", "control")]
)


def _register(*names: str) -> Callable[[_Compute], _Compute]:
    def register(compute: _Compute) -> _Compute:
        TABLES.update(dict.fromkeys(names, FeatureTable(names, compute)))
        return compute

    return register


@_register(
    "to_next_sentence",
    "from_last_sentence",
    "sentence_words_left",
    "from_heading",
    "heading_level",
    "section_link_density",
    "position",
)
def _describe_order(columns: PageColumns) -> Floats:
    found: Floats = core.describe_order(
        columns.words,
        columns.link_words,
        columns.is_prose.view(np.uint8),
        columns.is_heading.view(np.uint8),
        RANK[columns.tag],
        NO_RANK,
        FAR,
    )
    return found


@_register("name_points", "near_name_points", "nearest_negative_points", "levels_to_negative_name", "n_negative_names")
def _describe_names(columns: PageColumns) -> Floats:
    document = columns.document
    found: Floats = core.describe_names(
        document.parent,
        document.end,
        document.depth,
        columns.row,
        find_names(columns).index,
        score_distinct_names(columns, columns.word_points),
        STRONG,
        NO_LEVELS,
    )
    found[:2] = round_sums(found[:2])
    return found


@_register("words_per_block_2", "words_per_block_3", "link_density_2", "highest_link_density")
def _describe_containers(columns: PageColumns) -> Floats:
    found: Floats = core.describe_containers(
        columns.levels,
        columns.n_words_below,
        columns.n_link_words_below,
        columns.n_blocks_below,
        columns.n_page_words / 2,
    )
    return found


@_register(
    "parent_prose_share",
    "siblings_prose_share",
    "main_text_container_share",
    "levels_above_main_text",
    "levels_below_main_text",
    "before_main_text",
    "after_main_text",
    "path_in_main_text",
    "path_prose_share",
)
def _describe_main_text(columns: PageColumns) -> Floats:
    document = columns.document
    found: Floats = core.describe_main_text(
        document.parent,
        document.end,
        document.depth,
        columns.row,
        columns.words,
        columns.is_prose.view(np.uint8),
        find_repeats(columns).path,
        columns.n_words_below,
        columns.n_sentence_words_below,
        columns.n_page_words,
    )
    return found


@_register(
    "inside_footer",
    "inside_nav",
    "inside_header",
    "inside_boilerplate_landmark",
    "inside_form",
    "inside_main",
    "inside_article",
    "first_text_style",
    "relative_depth",
)
def _describe_landmarks(columns: PageColumns) -> Floats:
    document = columns.document
    found: Floats = core.describe_landmarks(
        document.depth,
        columns.row,
        document.text_owner[columns.blocks.first],
        document.tag,
        find_kinds_around(columns),
        _LANDMARKS,
        EMPHASIS.view(np.uint8),
        columns.is_heading.view(np.uint8),
        columns.words,
        count_articles(columns),
    )
    return found


@_register(
    "after_headline",
    "headline_container_share",
    "inside_densest",
    "before_main_path",
    "after_main_path",
    "n_fields_2",
    "n_same_text",
    "said_before",
    "page_largest_block",
)
def _describe_places(columns: PageColumns) -> Floats:
    document = columns.document
    found: Floats = core.describe_places(
        (document.parent, document.end, document.tag, columns.n_words_below),
        (columns.row, columns.levels[2], columns.words, columns.link_words, columns.is_prose),
        find_repeats(columns).path,
        find_same_text(columns),
        FIELD,
        columns.n_page_words,
        find_shown_headline(columns),
        *NO_HEADLINE,
    )
    return found


@_register("n_links_0", "other_site_share", "path_length_1", "other_site_share_2", "same_directory_share_2")
def _describe_links(columns: PageColumns) -> Floats:
    links = find_links(columns)
    found: Floats = core.describe_links(
        columns.document.end,
        columns.levels,
        links.row,
        links.kind,
        links.length,
        links.is_own,
        SAME_SITE,
        OTHER_SITE,
        bool(find_directory(columns.document.url)),
    )
    return found


@_register("n_same_path", "sibling_spread", "sibling_link_density", "sibling_link_density_outer")
def _describe_repeats(columns: PageColumns) -> Floats:
    repeats = find_repeats(columns)
    found: Floats = core.describe_repeats(
        repeats.item,
        repeats.outer,
        repeats.path,
        repeats.group,
        repeats.spread,
        columns.n_words_below,
        columns.n_link_words_below,
    )
    return found


@_register(
    "sentences_within_5",
    "sentences_within_15",
    "words_within_2",
    "words_within_10",
    "links_within_3",
    "links_within_12",
    "words_before",
    "link_density_after",
    "section_words_per_block",
)
def _describe_windows(columns: PageColumns) -> Floats:
    found: Floats = core.describe_windows(
        columns.words,
        columns.link_words,
        columns.is_prose.view(np.uint8),
        columns.is_heading.view(np.uint8),
        measure(columns, "link_density"),
        NO_DENSITY,
    )
    return found


@_register(
    "words_per_block_1",
    "link_density_1",
    "link_density_3",
    "link_density_5",
    "container_share_1",
    "container_share_2",
    "container_share_4",
    "gain_1",
    "gain_2",
    "sentence_words_1",
    "sentence_words_3",
)
def _describe_wider_containers(columns: PageColumns) -> Floats:
    found: Floats = core.describe_wider_containers(
        columns.levels,
        columns.n_words_below,
        columns.n_link_words_below,
        columns.n_blocks_below,
        columns.n_sentence_words_below,
        columns.n_page_words,
    )
    return found


@_register("densest_container_share", "levels_from_densest", "largest_container_share")
def _describe_densest(columns: PageColumns) -> Floats:
    document = columns.document
    found: Floats = core.describe_densest(
        (document.parent, document.end, document.depth),
        columns.row,
        columns.words,
        columns.link_words,
        columns.is_prose.view(np.uint8),
        columns.n_words_below,
        columns.n_page_words,
    )
    return found


@_register(
    "same_path_share",
    "same_path_words",
    "same_path_link_density",
    "sibling_words",
    "sibling_share",
    "sibling_blocks",
    "sibling_headings",
    "sibling_words_outer",
    "sibling_share_outer",
)
def _describe_siblings(columns: PageColumns) -> Floats:
    repeats = find_repeats(columns)
    found: Floats = core.describe_siblings(
        (repeats.item, repeats.outer, repeats.path, repeats.group, repeats.size, repeats.words),
        columns.words,
        columns.link_words,
        columns.n_blocks_below,
        count_below(columns.document, HEADING),
        columns.n_page_words,
    )
    return found
