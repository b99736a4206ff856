"""Handler of multi-block pages (patent A6, fig. 4)."""

from __future__ import annotations

from webclean.blocks.features import PageColumns
from webclean.decide import BlockDecisions, decide_blocks
from webclean.rules import RuleSet


def handle_multi_block(columns: PageColumns, rules: RuleSet) -> BlockDecisions:
    """Keep the blocks that the score card keeps."""
    return decide_blocks(columns, rules.score_card)
