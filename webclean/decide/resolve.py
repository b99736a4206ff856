"""The one place where decisions by score and rules are combined.

In this order: the cut decides; `drop` rules drop the blocks that they match; `keep` rules keep the blocks that they
match, whatever dropped them. Rules with `points` act earlier: they correct the points of the first pass, which the
second pass and what is found on the page as a whole see, so a block that they are against may still be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from webclean.matching.conditions import RuleMatch
from webclean.model import Correction, Floats, Mask


class Resolution(msgspec.Struct, frozen=True, eq=False, gc=False):
    """kept: bool [n_blocks]. kept_by, dropped_by: block -> id of the first rule that kept or dropped it."""

    kept: Mask
    kept_by: dict[int, str]
    dropped_by: dict[int, str]


RULES: Final = "rules"
"""The name of the correction by rules."""


def correct_by_rules(n_blocks: int, matches: Sequence[RuleMatch]) -> tuple[Correction, ...]:
    """The points of the rules that match some block, if there are any; the strongest rule is the evidence."""
    giving = [match for match in matches if match.matches_any() and match.rule.effect.points]
    if not giving or not n_blocks:
        return ()
    table = np.array([(match.rule.effect.points or 0.0) * match.blocks for match in giving])
    texts = tuple(f"{match.id}: {match.rule.because}" for match in giving)
    return (Correction(RULES, table.sum(axis=0), np.abs(table).argmax(axis=0), texts),)


def sum_rule_points(corrections: Sequence[Correction]) -> Floats | float:
    """float64 [n_blocks]: what rules add among `corrections`; 0 where there is none."""
    return sum((correction.points for correction in corrections if correction.name == RULES), 0.0)


def favours_content(match: RuleMatch) -> bool:
    """Whether a rule keeps some block or gives it positive points. Then a page with little text need not be doubted."""
    if not match.matches_any():
        return False
    effect = match.rule.effect
    return effect.decide == "keep" or (effect.points or 0.0) > 0


def resolve_decisions(kept: Mask, matches: Sequence[RuleMatch]) -> Resolution:
    """Combine the cut and the rules: keep beats drop, and both beat the cut. kept: bool [n_blocks], by the cut."""
    decided: dict[str, dict[int, str]] = {"drop": {}, "keep": {}}
    for match in matches:
        word = None if match.is_absent else match.rule.effect.decide
        if word:
            for block in match.blocks.nonzero()[0].tolist():
                decided[word].setdefault(block, match.id)
    final = kept.copy()
    for decision, blocks in decided.items():
        if blocks:
            final[list(blocks)] = decision == "keep"
    dropped = {block: name for block, name in decided["drop"].items() if block not in decided["keep"]}
    return Resolution(final, decided["keep"], dropped)
