"""The tables of features of semantic blocks: a function for each, with the names of its rows, which `segments.features`
defines."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean import core
from webclean.model import Floats
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.segments.feature_tables import FeatureTables
from webclean.segments.segment_columns import SegmentColumns

SEGMENT_TABLES: Final = FeatureTables()
table: Final = SEGMENT_TABLES.table


@SEGMENT_TABLES.family("token.")
def _list_tokens(columns: SegmentColumns, words: list[str]) -> list[Floats]:
    return list(map(columns.token_shares.__getitem__, words))


CONTROL: Final = tag_mask("input select textarea button")
IMAGE: Final = tag_mask("img svg picture video iframe object canvas")
CELL: Final = tag_mask("td th")
DIALOG_SHARE: Final = 0.5
"""Elements with more of the page's text are the page, whatever their names say."""
LANDMARKS: Final = {  # HTML element -> the ARIA role that says the same (HTML-AAM 1.0)
    "nav": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "aside": "complementary",
    "main": "main",
    "article": "article",
}
DIALOG_ROLES: Final = ("dialog", "alertdialog")

_KINDS: Final = np.array([IMAGE, CONTROL, HEADING, tag_mask("h1"), CELL]).view(np.uint8)
_NAMES: Final = (*LANDMARKS, "dialog")
_BITS: Final = np.zeros(len(HEADING), dtype=np.uint16)
_BITS[[CODE[name] for name in _NAMES]] = 1 << np.arange(len(_NAMES))
"""uint16 [n_codes]: a bit for each landmark, and for dialogs the last one, by tag."""
_BIT_OF_ROLE: Final = {role: _BITS[CODE[name]] for name, role in LANDMARKS.items()} | dict.fromkeys(
    DIALOG_ROLES, _BITS[CODE["dialog"]]
)


@table(
    "text_share",
    "n_chars",
    "link_density",
    "n_links",
    "anchor_chars",
    "words_per_text_block",
    "n_text_blocks",
    "n_sentences",
    "position",
    "rank",
    "image_density",
    "n_controls",
    "before_h1",
    "chars_before",
    "chars_after",
    "n_headings",
    "n_h1",
    "cell_density",
    "points_over_cut",
    "hidden",
    "hidden_aside",
)
def _describe_contents(columns: SegmentColumns) -> Floats:
    document, blocks = columns.page.document, columns.page.blocks
    counts = blocks.n_chars, blocks.n_words, blocks.n_link_chars, blocks.n_sentences
    found: Floats = core.describe_contents(
        columns.segments.owner,
        columns.segments.roots,
        (document.tag, document.link),
        _KINDS,
        (blocks.row, *(np.asarray(count, dtype=np.float64) for count in counts)),
        (blocks.visible.view(np.uint8), columns.score, columns.cut),
    )
    return found


@table(*(f"in_{name}" for name in LANDMARKS), "in_dialog")
def _describe_surroundings(columns: SegmentColumns) -> Floats:
    document, blocks = columns.page.document, columns.page.blocks
    by_role = [(rows, _BIT_OF_ROLE[role]) for role, rows in columns.aria_rows.items() if role in _BIT_OF_ROLE]
    found: Floats = core.describe_block_surroundings(
        columns.segments.owner,
        len(columns.segments),
        (document.parent, document.end),
        (document.tag, _BITS, columns.name_bits, columns.rules.group_bits["dialog"], by_role),
        (blocks.row, np.asarray(blocks.n_chars, dtype=np.float64)),
        len(_NAMES),
        DIALOG_SHARE,
    )
    return found
