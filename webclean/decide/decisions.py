"""What `decide` leaves: the score of each text block, the cut, what is kept, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from webclean.decide.resolve import resolve_decisions
from webclean.matching.match import RuleMatch
from webclean.model import BlockDecisions, Mask, Reason


def amend_decisions(
    decisions: BlockDecisions, kept: Mask, reasons: Mapping[int, Reason], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Decisions with other blocks kept, which carry the reasons given for them. Rules have the last word."""
    final = resolve_decisions(kept, matches).kept
    turned = {block: reasons[block] for block in np.flatnonzero(final != decisions.kept).tolist() if block in reasons}
    return replace(decisions, kept=final, steps={**(decisions.steps or {}), **turned})


def decide_by_mask(kept: Mask, matches: Sequence[RuleMatch] = ()) -> BlockDecisions:
    """Decisions of a method that selects without scores: 1 for what it keeps, 0 for the rest.

    Rules that say keep or drop have the last word here too; points mean nothing without scores.
    """
    resolved = resolve_decisions(kept, matches)
    return BlockDecisions(
        kept.astype(np.float64), resolved.kept, 0.5, kept_by=resolved.kept_by, dropped_by=resolved.dropped_by
    )
