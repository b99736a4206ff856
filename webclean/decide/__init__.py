"""Columns, cards -> a score for each text block, the cut, and which blocks are kept.

1. Cards score each block by its features, then by the points of the blocks around it (`decide.score`).
2. Findings about the page as a whole correct the points (`decide.corrections`, `decide.regions`).
3. The cut keeps the number of blocks with the best expected F score (`decide.score`).
4. Rules that keep or drop blocks have the last word (`decide.rule_matches`).

`decide.handlers` has what else is done on pages of a type, `decide.explain` why a block was kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.decide.corrections import correct_points
from webclean.decide.rule_matches import (
    amend_decisions,
    correct_by_rules,
    decide_by_mask,
    favours_content,
    resolve_decisions,
    sum_rule_points,
)
from webclean.decide.score import (
    combine_passes,
    compute_article_share,
    compute_plain_share,
    cut_by_expected_f,
    sum_first_pass,
)
from webclean.features import PageColumns
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions
from webclean.rules.decide_schema import Calibrated
from webclean.rules.schema import RuleSet

__all__ = ["amend_decisions", "decide_blocks", "decide_by_mask", "estimate_confidence"]


def decide_blocks(
    columns: PageColumns,
    rules: RuleSet,
    type_weights: Mapping[str, float] | None = None,
    matches: Sequence[RuleMatch] = (),
) -> BlockDecisions:
    """Run both passes, the corrections, the cut and the rules: the whole decision about one page.

    type_weights: subtype -> probability, 0 to 1. matches: the rules that apply to the page.
    """
    weights = type_weights or {}
    # both before any points: they say which cards the features are measured for
    plain, article = compute_plain_share(columns, rules), compute_article_share(rules, weights)
    first = sum_first_pass(columns, rules, weights, article, plain)
    by_rules = correct_by_rules(len(first), matches)
    # what rules give counts in the second pass too: a block beside one that a rule is against is less likely content
    given = sum_rule_points(by_rules)
    points = combine_passes(columns, first, rules, weights, article, plain, given) + given
    n_words = columns.blocks.n_words
    kept = cut_by_expected_f(points, n_words, rules.cut)
    # after both passes: a correction is about the page as a whole, which no neighbour should hear of twice
    points, corrections = correct_points(columns, points, kept, rules, weights)
    # a site whose rules say what its content is may have pages of a few words
    is_sure = any(map(favours_content, matches))
    if corrections or is_sure:
        # otherwise a page of which only a dozen words would be kept keeps nothing
        kept = cut_by_expected_f(points, n_words, rules.cut, least_words=0.0 if is_sure else None)
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
        article_share=article,
        plain_share=plain,
        corrections=(*by_rules, *corrections),
    )


def estimate_confidence(
    decisions: BlockDecisions, type_weights: Mapping[str, float], n_words: int, rules: RuleSet
) -> float:
    """The F1, 0 to 1, that labelled pages of these types with this expected F score reached on average.

    type_weights: subtype -> probability, 0 to 1. n_words: of the text; few are not trusted.
    """
    curves, few = rules.confidence, rules.empty.few_words
    known = {kind: weight for kind, weight in type_weights.items() if kind in curves.types}
    weighed = [(curves.types[kind], weight) for kind, weight in known.items()]
    # what is left of the probability is of types without a curve of their own
    weighed.append((curves.points, max(0.0, 1 - sum(known.values()))))
    reached = sum(weight * interpolate_reached(points, decisions.expected) for points, weight in weighed)
    return float(reached * (min(1.0, n_words / few) ** 2 if few else 1.0))


def interpolate_reached(points: Sequence[Calibrated], expected: float) -> float:
    """The F score that pages of a curve reached where the cut expected some."""
    return float(np.interp(expected, [point.expected for point in points], [point.reached for point in points]))
