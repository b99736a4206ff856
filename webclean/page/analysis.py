"""What the stages computed for one page, what a part of its result may take of time and characters, and what renderings
are made of: the kept content as a tree, block by block where blocks are ranked; for the phone page its layout, the kept
content by block and the price of a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.classify import Classification
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.model import Block, BlockDecisions, Decision, FoundPlatform, Limits, Mask, PageType, Rows, Source
from webclean.outputs.flow import Node, TreeOptions, build_flow
from webclean.outputs.phone import Layout, PhoneSource
from webclean.parse.limits import Budget, limit_to
from webclean.rules import RuleSet
from webclean.segments import segment_page


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the stages computed for one page: columns, page type, decisions, and the rules that were used.

    empty: why the text is empty or next to it, a key of `webclean.decide.empty.REASONS`.
    """

    columns: PageColumns
    rules: RuleSet
    classification: Classification
    decisions: BlockDecisions
    warnings: tuple[str, ...] = ()
    matches: tuple[RuleMatch, ...] = ()
    facts: PageFacts = field(default_factory=PageFacts)
    empty: str | None = None
    platforms: tuple[FoundPlatform, ...] = ()

    @property
    def page_type(self) -> Decision:
        return self.classification.page_type

    @property
    def page_subtype(self) -> Decision:
        return self.classification.page_subtype


def count_input(source: Source) -> int:
    """Bytes or characters of a page, of which there are more."""
    # bytes of UTF-16 are twice its characters, and a text page is longer than its input: what helps the reader counts
    return max(source.n_bytes, len(source.markup))


def limit_part(limits: Limits, truncate: bool, cut: list[str], n_input: int) -> AbstractContextManager[None]:
    """A budget of its own for a part of a result: of time, and of characters by those of the page."""
    return limit_to(Budget(limits, truncate, cut, n_input=n_input))


MAX_TREES: Final = 100
"""Ranked blocks of which a tree each is built; those less important are one, for a tree takes time."""


def build_ranked_flow(
    analysis: Analysis, kept: Mask, blocks: Sequence[Block], segment_of: Rows, options: TreeOptions
) -> Node:
    """The kept text blocks, semantic block by semantic block in the order of `blocks`, which is all of the page's.

    segment_of: int [n_blocks], the number of the semantic block that a text block is in.
    """
    columns = analysis.columns
    has_kept = np.bincount(segment_of[kept], minlength=len(blocks)) > 0
    numbers = [block.number for block in blocks if has_kept[block.number]]
    # a page of ten thousand teasers would take minutes; far down, order says little
    groups = [[number] for number in numbers[:MAX_TREES]] + [numbers[MAX_TREES:]]
    parts = (
        build_flow(columns.document, columns.blocks, np.asarray(kept & np.isin(segment_of, group), dtype=bool), options)
        for group in groups
        if group
    )
    shown = [part for part in parts if part.children]
    # the direction is that of the page, which each part states
    attributes = shown[0].attributes if shown else {}
    return Node("", attributes, [child for part in shown for child in part.children])


_LAYOUTS: Final = {"forum": Layout.THREAD, "product": Layout.PRODUCT, "documentation": Layout.DOCUMENTATION}
"""Subtype -> layout of its phone page, where it is no article."""


def choose_layout(page_type: PageType, subtype: str | None) -> Layout:
    """How a page of a type is shown: as cards, as posts, ..., else as an article."""
    return Layout.INDEX if page_type is PageType.INDEX else _LAYOUTS.get(subtype or "", Layout.ARTICLE)


def find_amount(analysis: Analysis) -> str:
    """The first amount of money that a short kept text shows; '' if there is none."""
    columns, rules = analysis.columns, analysis.rules.phone
    # near the top: an amount further down is that of another offer, or of the postage
    for block in np.flatnonzero(analysis.decisions.kept)[: rules.title_nodes].tolist():
        text = columns.blocks.text[block]
        if len(text) <= rules.label_chars and (found := columns.prices_dates.price_texts.search(text)):
            return str(found.group(0)).strip()
    return ""


def list_phone_sources(
    analysis: Analysis, blocks: Sequence[Block], base: str | None, *, images: bool
) -> list[PhoneSource]:
    """The kept content with the semantic blocks it is of. base: the URL that links of the page start from."""
    columns = analysis.columns
    shown = TreeOptions(
        images=images, image_attributes=analysis.rules.fields.images.attributes, tools=analysis.rules.tools
    )
    flow = build_flow(columns.document, columns.blocks, analysis.decisions.kept, shown)
    semantic = segment_page(columns, analysis.rules, analysis.decisions)
    owner = semantic.columns.segments.owner[columns.document.block]
    return [PhoneSource(flow, blocks, owner, semantic.record_spans, base)]
