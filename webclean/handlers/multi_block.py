"""Handler of multi-block pages (patent A6, fig. 4): several texts, none of which stands out.

1. The cards decide about each text block, as on content pages (A5).
2. The page is divided into semantic blocks.
3. A semantic block is a text if the cards keep a sufficient share of its words. The patent asks for a high ratio of
   text to link text instead; the cards use that ratio as a feature, and dropping blocks by it alone loses .006 to .011
   of word F1.
4. What the cards keep in blocks that are not texts is dropped; the texts are joined in reading order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.decide import amend_decisions, decide_blocks
from webclean.features import PageColumns
from webclean.matching.match import RuleMatch
from webclean.model import BlockDecisions, Reason
from webclean.rules import RuleSet
from webclean.segments import segment_page


def handle_multi_block(
    columns: PageColumns, rules: RuleSet, types: Mapping[str, float], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Keep what the cards keep inside the semantic blocks that are texts."""
    decided = decide_blocks(columns, rules, types, matches)
    page = segment_page(columns, rules, decided)
    share = page.measure_kept(decided.kept)
    is_text = share >= rules.segments.multi_block_pages.text_share
    numbers = page.columns.segment_of
    scraps = decided.kept & ~is_text[numbers]
    reasons = {
        block: Reason("multi_block", "no_text", f"only {share[numbers[block]]:.0%} of b{numbers[block]} would be kept")
        for block in np.flatnonzero(scraps).tolist()
    }
    return amend_decisions(decided, decided.kept & ~scraps, reasons, matches)
