"""The page cleaner of patent CN101251855A from end to end: the method `patent`. Only its page type is learnt.

A1, parse and repair: `parse`. A2, the structure-block tree: `blocks.structure`. A3, the page type by ID3: `classify`.
A4, semantic blocks: `semantic_blocks`, `extension`. A5 to A7, a handler for each type: `content`, `multi_block`,
`index` and `no_feature`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from webclean.decide import decide_by_mask
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.methods.patent.content import mark_content
from webclean.methods.patent.index import mark_index
from webclean.methods.patent.multi_block import mark_multi_block
from webclean.methods.patent.no_feature import mark_no_feature
from webclean.methods.patent.semantic_blocks import cut_semantic_blocks
from webclean.methods.patent.structured_page import StructuredPage
from webclean.methods.patent.title import find_visual_title
from webclean.model import BlockDecisions, Mask, MethodBlocks, PageType, Reason, Segmentation
from webclean.rules import RuleSet

__all__ = ["decide_by_patent"]


def decide_by_patent(
    columns: PageColumns, rules: RuleSet, page_type: PageType, matches: Sequence[RuleMatch] = ()
) -> BlockDecisions:
    """Which text blocks are kept, by which step; the semantic blocks; the title of a content page.

    Args:
        columns: the page.
        rules: the rules for it.
        page_type: chooses the handler.
        matches: the rules that apply to the page; they have the last word.
    """
    page = StructuredPage(columns, rules)
    segments = cut_semantic_blocks(page)
    title = judged = None
    if page_type is PageType.CONTENT:
        marks, content = mark_content(page)
        title = find_visual_title(page, content) if content >= 0 else None
    elif page_type is PageType.MULTI_BLOCK:
        marks = mark_multi_block(page, segments)
    elif page_type is PageType.INDEX:
        marks, judged = mark_index(page, segments)
    else:
        marks = mark_no_feature(page)
    decided = decide_by_mask(marks.kept, matches, marks.reasons)
    return structs.replace(decided, blocks=judged or judge_blocks(columns, segments, decided.kept), title=title)


def judge_blocks(columns: PageColumns, segments: Segmentation, kept: Mask) -> MethodBlocks:
    """The semantic blocks, shown if at least half of their text is kept. kept: bool [n_text_blocks]."""
    owner, chars = segments.owner[columns.row], columns.blocks.n_chars
    total = np.bincount(owner, chars, minlength=len(segments))
    share = np.bincount(owner, chars * kept, minlength=len(segments)) / np.maximum(1, total)
    reasons = (Reason("patent", "text", f"{part:.0%} of its text is kept") for part in share.tolist())
    return MethodBlocks(segments, tuple((share >= 0.5).tolist()), tuple(reasons))
