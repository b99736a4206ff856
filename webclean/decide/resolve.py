"""The one place where decisions by score and rules are combined.

In this order: the cut decides; `drop` rules drop the blocks that they match; `keep` rules keep the blocks that they
match, whatever dropped them. Rules with `points` act earlier: they change the score, so a block that they are against
may still be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webclean.matching.match import RuleMatch
from webclean.model import Floats, Mask


@dataclass(frozen=True, slots=True, eq=False)
class Resolution:
    """kept: bool [n_blocks]. kept_by, dropped_by: block -> id of the first rule that kept or dropped it."""

    kept: Mask
    kept_by: dict[int, str]
    dropped_by: dict[int, str]


def add_rule_points(points: Floats, matches: Sequence[RuleMatch]) -> Floats:
    """float64 [n_blocks]: `points` plus those of the rules that match the block."""
    total = points
    for match in matches:
        if match.rule.effect.points:
            total = total + match.rule.effect.points * match.blocks
    return total


def favours_content(match: RuleMatch) -> bool:
    """Whether a rule keeps some block or gives it positive points. Then a page with little text need not be doubted."""
    effect = match.rule.effect
    return (effect.decide == "keep" or (effect.points or 0.0) > 0) and bool(match.blocks.any())


def resolve_decisions(kept: Mask, matches: Sequence[RuleMatch]) -> Resolution:
    """Combine the cut and the rules: keep beats drop, and both beat the cut. kept: bool [n_blocks], by the cut."""
    decided: dict[str, dict[int, str]] = {"keep": {}, "drop": {}}
    for match in matches:
        word = match.rule.effect.decide
        if word:
            for block in np.flatnonzero(match.blocks).tolist():
                decided[word].setdefault(block, match.id)
    final = kept.copy()
    final[list(decided["drop"])] = False
    final[list(decided["keep"])] = True
    dropped = {block: name for block, name in decided["drop"].items() if block not in decided["keep"]}
    return Resolution(final, decided["keep"], dropped)
