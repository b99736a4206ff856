"""What the stages computed for one page, what a part of its result may take of time and characters, and what renderings
are made of: the kept content as a tree, block by block where blocks are ranked; for the phone page its layout, the kept
content by block and the price of a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.classify import Classification
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.matching.expressions import compile_pattern
from webclean.model import Block, BlockDecisions, Decision, FoundPlatform, Mask, Rows, Source
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.phone import Layout, PhoneSource
from webclean.parse.tags import CODE
from webclean.rules import RuleSet
from webclean.segments import segment_page


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the stages computed for one page: columns, page type, decisions, and the rules that were used.

    empty: why the text is empty or next to it, a key of `webclean.decide.handlers.REASONS`.
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


def find_phone_source(
    analysis: Analysis, kept: Mask, blocks: Sequence[Block], base: str | None, *, images: bool
) -> PhoneSource:
    """The kept content with the semantic blocks it is of, which are all of the page's."""
    columns, rules = analysis.columns, analysis.rules
    shown = TreeOptions(images=images, image_attributes=rules.fields.images.attributes, tools=rules.tools)
    flow = build_flow(columns.document, columns.blocks, kept, shown)
    semantic = segment_page(columns, rules, analysis.decisions)
    owner = semantic.columns.segments.owner[columns.document.block]
    return PhoneSource(flow, blocks, owner, semantic.record_spans, base)


LAYOUTS: Final = {"forum": Layout.THREAD, "product": Layout.PRODUCT, "documentation": Layout.DOCUMENTATION}
"""Subtype -> layout of its phone page, where it is no article."""


def find_amount(analysis: Analysis) -> str:
    """The first amount of money that a short kept text shows; '' if there is none."""
    columns, rules = analysis.columns, analysis.rules.phone
    free, texts = compile_pattern(analysis.rules.fields.price.free), columns.blocks.text
    # near the top: an amount further down is that of another offer, or of the postage
    shown = np.flatnonzero(analysis.decisions.kept)[: rules.title_nodes].tolist()
    if not shown or any(map(free.fullmatch, texts[: shown[-1]])):
        return ""
    for block in shown:
        # one in a link is of what it leads to
        is_own = len(texts[block]) <= rules.label_chars and not columns.link_words[block]
        if is_own and (found := columns.prices_dates.price_texts.search(texts[block])):
            return str(found.group(0)).strip()
    return ""


_QUOTED_CHARS: Final = 300
"""Of a quotation of what the page says elsewhere, about; the rest of it would be read twice."""


def keep_quotations(analysis: Analysis, kept: Mask) -> Mask:
    """bool [n_blocks]: kept text blocks, and those of the quotations in kept text, so that replies answer something.

    A quotation belongs to the text beside it in the smallest element around both, most of which is kept. What rules
    drop by name is none.
    """
    document, blocks = analysis.columns.document, analysis.columns.blocks
    rows = [row for row in (document.tag == CODE["blockquote"]).nonzero()[0].tolist() if document.displayed[row]]
    if not rows:
        return kept
    found, dropped = kept.copy(), analysis.decisions.dropped_by or {}
    said, end = "", 0
    for row in rows:
        if row < end:  # in another quotation
            continue
        end = int(document.end[row])
        first, last = np.searchsorted(blocks.row, (row, end)).tolist()
        inside = [block for block in range(first, last) if block not in dropped]
        if not inside or kept[first:last].all() or not _is_kept_beside(analysis, kept, row, (first, last)):
            continue
        said = said or " ".join(blocks.text[block] for block in kept.nonzero()[0].tolist())
        n_chars = 0
        for block in inside:
            if n_chars and n_chars + len(blocks.text[block]) > _QUOTED_CHARS and blocks.text[block] in said:
                continue
            found[block] = True
            n_chars += len(blocks.text[block])
    return found


def _is_kept_beside(analysis: Analysis, kept: Mask, row: int, quoted: tuple[int, int]) -> bool:
    """Whether most text beside a quotation is kept: in the smallest element around it that has some."""
    document, blocks = analysis.columns.document, analysis.columns.blocks
    around = int(document.parent[row])
    while around >= 0:
        first, last = np.searchsorted(blocks.row, (around, document.end[around])).tolist()
        if last - first > quoted[1] - quoted[0]:
            chars = [blocks.n_chars[slice(*span)] for span in ((first, last), quoted)]
            said = [own * kept[slice(*span)] for own, span in zip(chars, ((first, last), quoted), strict=True)]
            n_chars, n_kept = (int(whole.sum() - part.sum()) for whole, part in (chars, said))
            return bool(2 * n_kept > n_chars)
        around = int(document.parent[around])
    return False
