"""The additive card, one engine for all that is decided by points: blocks, page types, roles, fields.

A card is a generalised additive model: each feature has bins with points, and the score of a row is the sum of the
points of the bins that its values fall in, plus a bias. Scores are log-odds.
"""

from __future__ import annotations

from webclean.features.cards.compile import BlockCard, CompiledCard, check_card, compile_card, plan_card
from webclean.features.cards.explain import explain_points
from webclean.features.cards.score import score_one, score_table, softmax

__all__ = [
    "BlockCard",
    "CompiledCard",
    "check_card",
    "compile_card",
    "explain_points",
    "plan_card",
    "score_one",
    "score_table",
    "softmax",
]
