"""Handler of multi-block pages (patent A6, fig. 4): several texts, none of which stands out.

The cards decide about each text block; what sets these pages apart are the points that the cards add for their type.
The patent judges semantic blocks as a whole. Beside the cards that gains nothing on labelled pages of this type,
whichever way: dropping what the cards keep in blocks that are hardly kept, keeping all of blocks that are mostly kept,
or judging blocks by text over link text (`docs/segments.md` has the figures). As the patent has it, it is a handler of
the method `patent` (`webclean.patent.multi_block`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webclean.decide import decide_blocks
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules import RuleSet


def handle_multi_block(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep what the cards keep."""
    return decide_blocks(columns, rules, types, matches)
