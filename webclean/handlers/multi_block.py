"""Handler of multi-block pages (patent A6, fig. 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.blocks.features import PageColumns
from webclean.blocks.match import RuleMatch
from webclean.decide import BlockDecisions, decide_blocks
from webclean.rules import RuleSet


def handle_multi_block(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep the blocks that the score card keeps."""
    return decide_blocks(columns, rules, types, matches)
