"""What `decide` leaves: the score of each text block, the cut, what is kept, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from webclean.blocks.match import RuleMatch
from webclean.decide.resolve import resolve_decisions
from webclean.model import Floats, Mask, Reason


@dataclass(frozen=True, slots=True, eq=False)
class BlockDecisions:
    """Decisions of one page.

    score: float64 [n_blocks], points after the last pass; kept: bool [n_blocks]; cut: the score from which blocks are
    kept where no rule says otherwise. first: points of the first pass. expected: the F score expected of what is kept.
    kept_by, dropped_by: rule ids of the blocks that a rule decided, by block. type_weights: subtype -> share of its
    adjustments that was applied. plain: share of the plain card in the score. steps: why a later step of the page
    type's handler turned the decision on a block round, by block.
    """

    score: Floats
    kept: Mask
    cut: float
    first: Floats | None = None
    expected: float = 1.0
    kept_by: Mapping[int, str] | None = None
    dropped_by: Mapping[int, str] | None = None
    type_weights: Mapping[str, float] | None = None
    plain: float = 0.0
    steps: Mapping[int, Reason] | None = None


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
