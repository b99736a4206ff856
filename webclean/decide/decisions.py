"""Changes decisions, and makes them of a mask alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import structs

from webclean.decide.rule_matches import resolve_decisions
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Mask, Reason


def amend_decisions(
    decisions: BlockDecisions, kept: Mask, reasons: Mapping[int, Reason], matches: Sequence[RuleMatch]
) -> BlockDecisions:
    """Change which blocks are kept, as a later step of a handler does. Rules still have the last word.

    Args:
        decisions: those so far.
        kept: bool [n_blocks], the new choice.
        reasons: block -> why the step changed it; recorded for the blocks whose decision changes.
        matches: the rules that apply to the page.
    """
    final = resolve_decisions(kept, matches).kept
    turned = {block: reasons[block] for block in np.flatnonzero(final != decisions.kept).tolist() if block in reasons}
    return structs.replace(decisions, kept=final, steps={**(decisions.steps or {}), **turned})


def decide_by_mask(
    kept: Mask, matches: Sequence[RuleMatch] = (), steps: Mapping[int, Reason] | None = None
) -> BlockDecisions:
    """The decisions of a method that has no scores: score 1 for what it keeps, 0 for the rest.

    Rules that keep or drop have the last word here too; rules that give points have no effect. steps: block -> the step
    of the method that kept or dropped it.
    """
    resolved = resolve_decisions(kept, matches)
    return BlockDecisions(
        kept.astype(np.float64),
        resolved.kept,
        0.5,
        kept_by=resolved.kept_by,
        dropped_by=resolved.dropped_by,
        steps=steps,
    )
