"""Columns and cards -> a score for each text block, the cut, and what is kept.

First card over the features, second card over what the first gave the surroundings, the cut by expected F score,
then the rules that say keep or drop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.blocks.features import PageColumns, measure
from webclean.blocks.match import RuleMatch
from webclean.decide.card import get_compiled
from webclean.decide.cut import cut_by_expected_f
from webclean.decide.decisions import BlockDecisions, decide_by_mask
from webclean.decide.passes import measure_surroundings
from webclean.decide.resolve import add_rule_points, resolve_decisions
from webclean.model import Floats
from webclean.rules.schema import RuleSet
from webclean.rules.score_card_schema import ScoreCard

__all__ = ["BlockDecisions", "decide_blocks", "decide_by_mask", "score_features", "score_surroundings"]


def decide_blocks(
    columns: PageColumns,
    rules: RuleSet,
    type_weights: Mapping[str, float] | None = None,
    matches: Sequence[RuleMatch] = (),
) -> BlockDecisions:
    """Score every text block twice, cut, and let the matched rules have their say.

    type_weights: subtype -> how far the page is of it (0..1), for the cards' adjustments.
    """
    weights = type_weights or {}
    first = score_features(columns, rules.score_card, weights)
    points = add_rule_points(score_surroundings(columns, first, rules.second_card, weights), matches)
    words = np.maximum(0.01, columns.blocks.n_words)
    kept = cut_by_expected_f(points, words, rules.cut)
    resolved = resolve_decisions(kept.mask, matches)
    return BlockDecisions(
        score=points,
        kept=resolved.kept,
        cut=kept.cut,
        first=first,
        expected=kept.expected,
        kept_by=resolved.kept_by,
        dropped_by=resolved.dropped_by,
        type_weights=weights,
    )


def score_features(columns: PageColumns, card: ScoreCard, weights: Mapping[str, float]) -> Floats:
    """float64 [n_blocks]: points of the first pass."""
    compiled = get_compiled(card)
    table = [measure(columns, name) for name in compiled.names]
    return compiled.score(np.stack(table, axis=1) if table else np.zeros((len(columns.blocks), 0)), weights)


def score_surroundings(columns: PageColumns, first: Floats, card: ScoreCard, weights: Mapping[str, float]) -> Floats:
    """float64 [n_blocks]: points of the second pass; those of the first where the second card has no lines."""
    compiled = get_compiled(card)
    if not compiled.names:
        return first
    return compiled.score(measure_surroundings(columns, first, compiled.names), weights)
