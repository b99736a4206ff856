"""The one place where what the cards say and what rules say are brought together.

Order: the cut decides; a `drop` rule takes out what it matches; a `keep` rule takes in what it matches, whatever
dropped it. Rules with `points` have moved the score before the cut: points lower a score, they do not delete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webclean.matching.match import RuleMatch
from webclean.model import Floats, Mask


@dataclass(frozen=True, slots=True, eq=False)
class Resolution:
    """kept: bool [n_blocks]; kept_by, dropped_by: block -> id of the first rule that said so."""

    kept: Mask
    kept_by: dict[int, str]
    dropped_by: dict[int, str]


def add_rule_points(points: Floats, matches: Sequence[RuleMatch]) -> Floats:
    """float64 [n_blocks]: the points with those of the rules that give some."""
    total = points
    for match in matches:
        if match.rule.effect.points:
            total = total + match.rule.effect.points * match.blocks
    return total


def speaks_for(match: RuleMatch) -> bool:
    """Whether a rule speaks for some block: then a short text is no reason to doubt that it is the main content."""
    effect = match.rule.effect
    return (effect.decide == "keep" or (effect.points or 0.0) > 0) and bool(match.blocks.any())


def resolve_decisions(kept: Mask, matches: Sequence[RuleMatch]) -> Resolution:
    """Keep beats drop, and both beat the cut."""
    said: dict[str, dict[int, str]] = {"keep": {}, "drop": {}}
    for match in matches:
        word = match.rule.effect.decide
        if word:
            for block in np.flatnonzero(match.blocks).tolist():
                said[word].setdefault(block, match.id)
    final = kept.copy()
    final[list(said["drop"])] = False
    final[list(said["keep"])] = True
    dropped = {block: name for block, name in said["drop"].items() if block not in said["keep"]}
    return Resolution(final, said["keep"], dropped)
