"""Applies rules to semantic blocks: a rule that matches most of a block's words sets its role, or keeps or drops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.matching.conditions import RuleMatch
from webclean.model import Reason, Role
from webclean.segments.segment_columns import SegmentColumns

_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Override:
    """What rules set for one block, None if nothing. Keep beats drop; a later role replaces an earlier one."""

    role: Role | None = None
    kept: bool | None = None
    reasons: tuple[Reason, ...] = ()


def find_overrides(columns: SegmentColumns, matches: Sequence[RuleMatch]) -> dict[int, Override]:
    """Block number -> what rules set for it; blocks that no rule is about are left out."""
    found: dict[int, Override] = {}
    deciding = [match for match in matches if match.rule.effect.role or match.rule.effect.decide]
    if not deciding:
        return found
    words = np.maximum(1, columns.page.blocks.n_words)
    total = np.maximum(1, columns.sum_text_blocks(words))
    for match in deciding:
        share = columns.sum_text_blocks(words * match.blocks) / total
        for number in np.flatnonzero(share > _MOST).tolist():
            found[number] = _add(found.get(number, Override()), match)
    return found


def _add(before: Override, match: RuleMatch) -> Override:
    rule = match.rule
    effect = rule.effect
    kept = before.kept if effect.decide is None else before.kept or effect.decide == "keep"
    reason = Reason("rule", match.id, rule.because or "the rule says so", source=rule.origin)
    return Override(effect.role or before.role, kept, (reason, *before.reasons))
