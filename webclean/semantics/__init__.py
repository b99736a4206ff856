"""Structure blocks -> semantic blocks (patent A4, step 104)."""

from __future__ import annotations

import numpy as np

from webclean.blocks.features import PageColumns
from webclean.decide import BlockDecisions
from webclean.model import Block, Role
from webclean.parse.xpath import build_xpath
from webclean.rules import RuleSet


def build_semantic_blocks(columns: PageColumns, decisions: BlockDecisions, rules: RuleSet) -> tuple[Block, ...]:
    """The semantic blocks of a page, in reading order."""
    blocks = columns.blocks
    made = []
    for number, row in enumerate(np.unique(blocks.row).tolist()):
        members = np.flatnonzero(blocks.row == row)
        kept = bool(decisions.kept[members].any())
        made.append(
            Block(
                id=f"b{number}",
                role=Role.CONTENT if kept else Role.OTHER,
                kept=kept,
                text="\n".join(blocks.text[i] for i in members),
                xpaths=(build_xpath(columns.document, row),),
                links=(),
                importance=0.0,
                reasons=(),
            )
        )
    return tuple(made)
