"""Which features the learnt cards leave out; rules may use all of them."""

from __future__ import annotations

from typing import Final

from webclean.learn.material import EVIDENCE_FEATURES

SILENT: Final = frozenset(
    (
        "beginning",
        "inside_aside",
        "inside_quote",
        "link_density_before",
        "n_h1_4",
        "n_known_names",
        "n_prices",
        "rights_mark",
        "same_page_share_2",
        "script_share_2",
        "under_heading",
        "words_after",
    )
)
"""They add nothing to the first card once the others are there."""

NAMED: Final = frozenset(
    (
        *SILENT,
        *EVIDENCE_FEATURES,
        "alike_images",
        "article_share",
        "depth",
        "description_share",
        "element_kind",
        "first_text_style",
        "heading_level",
        "hidden_state",
        "in_structured_data",
        "index_from_end",
        "index_from_start",
        "inside_article",
        "inside_boilerplate_landmark",
        "inside_footer",
        "inside_form",
        "inside_header",
        "inside_main",
        "inside_nav",
        "levels_above_headline",
        "n_alike",
        "n_alike_outer",
        "n_fields_2",
        "n_images_2",
        "n_items_around",
        "n_links_2",
        "n_same_path",
        "outer_heading_evidence",
        "page_articles",
        "page_blocks",
        "page_boilerplate_share",
        "page_paragraph_share",
        "page_words",
        "relative_depth",
        "same_directory_share_2",
        "section_blocks",
        "section_length",
    )
)
"""Not for the plain card: names, landmarks, and what depends on how a page is built or how long it is."""
