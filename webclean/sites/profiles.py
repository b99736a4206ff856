"""What learning needs of each cleaned page of a site.

A page is reduced to its block paths, its texts with their places, and the text blocks that belong to a list of links to
other pages or to what several people say in turn. Block nodes are `div` and `table` (source D, Wang, Chen & Dai, 2018),
and (ours) `td`, `article`, `section` and `main`; the path of a block is its tags with sibling positions from the root
(`/html/body/div[3]/div[2]`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import find_lines
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.features.page_words import find_named
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.page import Analysis
from webclean.parse.columns import mark_slices
from webclean.parse.tags import HEADING, tag_mask
from webclean.parse.xpath import build_xpath, name_paths
from webclean.rules.segments_schema import Segments
from webclean.segments.listing import LinkLines
from webclean.segments.segment_columns import NAMING
from webclean.segments.units import find_units

_LABEL: Final = HEADING | tag_mask("th dt label")
"""Tags of what names the text after it, and nobody."""
_NAMED: Final = re.compile(r"[^\W\d_].*[^:：]\Z", re.DOTALL)
"""A text with a letter that is no label: the number of a footnote names nobody."""
_NAME_SHARE: Final = 1 / 3
"""Of the words that somebody says, the most of a name: Chinese and Japanese words are characters."""
_REMARK_BLOCKS: Final = 12
"""The most text blocks of a remark: name, date, title, some paragraphs, and votes about it."""
_BLOCK_NODES: Final = tag_mask("div table td article section main")


@dataclass(frozen=True, slots=True, eq=False)
class PageProfile:
    """What learning needs of one page.

    paths: the block paths, sorted, each once. rows: int32 [n], the block nodes. texts, places: of each text
    block; the place is its path of names. n_words: int32 [n_blocks]; kept: bool [n_blocks], by automatic cleaning.
    listed, remarks: bool [n_blocks] (`mark_lists`, `mark_remarks`). beside: bool [n_blocks], before a sibling.
    """

    name: str
    paths: tuple[str, ...]
    texts: Sequence[str] = ()
    places: Sequence[str] = ()
    n_words: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    kept: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    listed: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    remarks: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    beside: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    document: Document | None = None
    blocks: TextBlocks | None = None
    headline: int = -1


def profile_page(name: str, analysis: Analysis) -> PageProfile:
    """The profile of a cleaned page."""
    columns, document, blocks = analysis.columns, analysis.columns.document, analysis.columns.blocks
    rows = np.flatnonzero(_BLOCK_NODES[document.tag]).astype(np.int32)
    places, parent = name_paths(document, blocks.row), document.parent[blocks.row]
    return PageProfile(
        name=name,
        paths=tuple(sorted({build_xpath(document, row) for row in rows.tolist()})),
        texts=blocks.text,
        places=places,
        n_words=blocks.n_words,
        kept=analysis.decisions.kept,
        listed=mark_lists(columns, analysis.rules.segments),
        remarks=mark_remarks(document, blocks, places, analysis.rules.sites.places.fact_words),
        beside=np.append(parent[1:] == parent[:-1], False)[: len(blocks)],
        rows=rows,
        document=document,
        blocks=blocks,
        headline=find_headline(columns),
    )


def mark_lists(columns: PageColumns, rules: Segments) -> Mask:
    """bool [n_blocks]: text blocks that belong to a list of links to other pages.

    Such a list, of related products or of other stories, is no content of the page and no furniture either: its entries
    change from page to page. It is known by its form: repeated units (`segments.units`), each with a link as its
    title, none longer than a teaser.
    """
    document, search = columns.document, find_units(columns, rules.records)
    lines, authors = LinkLines(search, rules.people), find_named(document, rules.tokens["author"], NAMING)
    first, end = search.bounds.T
    short = search.bounds[search.summed.sums[0][end] - search.summed.sums[0][first] <= rules.records.teaser_chars]
    first, end = short[list(lines.list_leading(short, authors))].T
    return mark_slices(first, end, len(document))[columns.row]


def mark_remarks(document: Document, blocks: TextBlocks, places: Sequence[str], fact_words: float) -> Mask:
    """bool [n_blocks]: text blocks of what several people say in turn, such as reviews.

    They are told by their form, whatever they are called: neighbours whose texts stand at the same places, each with a
    sentence and a short text beside it that may name who said it.

        <div> <i>Ann Lee</i> <p>Holds water, and the lid fits.</p> </div>
        <div> <i>Tom Ray</i> <p>Smaller than it looks on the picture.</p> </div>
    """
    marked, end = np.zeros(len(blocks), dtype=bool), document.end
    after = np.minimum(end, len(document) - 1)  # the element after each one, a sibling where both have one parent
    first, last = find_lines(document, blocks, np.arange(len(document)))
    is_unit = (last - first >= 2) & (last - first <= _REMARK_BLOCKS)
    is_twin = (document.parent[after] == document.parent) & (document.tag[after] == document.tag) & (after == end)
    names = ~_LABEL[document.tag[blocks.row]] & [bool(_NAMED.search(text)) for text in blocks.text]
    n_words = blocks.n_words

    def has_name(unit: slice) -> bool:
        longest = n_words[unit].max()
        return bool(longest > fact_words and (names[unit] & (n_words[unit] <= _NAME_SHARE * longest)).any())

    for row in (is_unit & is_unit[after] & is_twin).nonzero()[0].tolist():
        pair = [slice(first.item(at), last.item(at)) for at in (row, after.item(row))]
        if set(places[pair[0]]) == set(places[pair[1]]) and all(map(has_name, pair)):
            marked[pair[0]] = marked[pair[1]] = True
    return marked
