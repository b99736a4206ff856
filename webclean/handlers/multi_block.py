"""Handler of multi-block pages (patent A6, fig. 4): several texts, none of which stands out.

1. The cards say what each text block is worth: this cleans every text as the handler of content pages does (A5).
2. The page is cut into semantic blocks of a proper size.
3. Each is judged text or not: by the share of its words that the cards keep. The patent judges by text over link text;
   that is among what the cards weigh, and to drop blocks by it alone loses .006 to .011 of word F1.
4. The scraps kept of blocks that are no text are dropped, and the texts are joined in reading order.
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
