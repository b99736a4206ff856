"""Columns, cards -> a score for each text block, the cut, and which blocks are kept.

1. First pass: a card scores each block by its features. Pages with few meaningful class names are scored by the plain
   card, which does not use names; in between, both cards count in proportion. As far as the page is likely to be an
   article, the article card has a share as well.
2. Second pass: a card scores each block by the first-pass points of the blocks around it (`decide.passes`).
3. Findings about the page as a whole correct the points (`decide.corrections`).
4. The cut keeps the number of blocks with the best expected F score (`decide.cut`).
5. Rules that keep or drop blocks have the last word (`decide.rule_matches`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from webclean import core
from webclean.decide.corrections import correct_points
from webclean.decide.cut import cut_by_expected_f
from webclean.decide.passes import SURROUNDINGS_FEATURES, find_blocks
from webclean.decide.rule_matches import (
    amend_decisions,
    correct_by_rules,
    decide_by_mask,
    favours_content,
    resolve_decisions,
    sum_rule_points,
)
from webclean.features import BLOCK_FEATURES, PageColumns
from webclean.features.cards import BlockCard, compile_card, plan_card
from webclean.features.registry import give
from webclean.features.text import count_known_names
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Floats
from webclean.rules.card_schema import Card
from webclean.rules.decide_schema import ArticlePages, Calibrated
from webclean.rules.schema import RuleSet

__all__ = [
    "ARTICLE",
    "amend_decisions",
    "combine_passes",
    "compute_second_share",
    "decide_blocks",
    "decide_by_mask",
    "estimate_confidence",
    "interpolate_article_share",
    "list_first_cards",
]


ARTICLE: Final = "article"
"""The subtype that the article card is for."""


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
    matches = [match for match in matches if not match.is_absent]
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


def compute_plain_share(columns: PageColumns, rules: RuleSet) -> float:
    """The share of the plain card in what the article card leaves, 0 to 1: the fewer known class names, the higher."""
    if not len(columns.blocks) or not rules.plain_card.lines:
        return 0.0
    # old pages and those of generated class names (`css-1q2w3e`) name nothing that is known
    n_known, pages = count_known_names(columns), rules.plain_pages
    reach = max(1e-9, pages.none_from - pages.all_below)
    return min(1.0, max(0.0, (pages.none_from - n_known) / reach))


def compute_article_share(rules: RuleSet, weights: Mapping[str, float]) -> float:
    """The share of the article card in the first pass (0..1): as far as the page is likely to be an article."""
    likely, pages = weights.get(ARTICLE, 0.0), rules.article_pages
    # most pages are not: numpy would take longer over this number than over a column
    if likely <= pages.likely_from or not rules.article_card.lines:
        return 0.0
    return float(interpolate_article_share(likely, pages))


def interpolate_article_share(likely: Floats | float, pages: ArticlePages) -> Floats:
    """float64 [n_pages]: the share of the article card; likely: float64 [n_pages], how likely a page is an article."""
    # from nothing at `likely_from` up to the whole share: a step would turn pages round that are just beside it
    over = (likely - pages.likely_from) / max(1e-9, 1 - pages.likely_from)
    return np.asarray(pages.share * np.maximum(0.0, over))


def sum_first_pass(
    columns: PageColumns, rules: RuleSet, weights: Mapping[str, float], article: float, plain: float
) -> Floats:
    """float64 [n_blocks]: points of the first pass, the cards mixed by their shares."""
    cards = []
    for _, card, share in list_first_cards(rules, article, plain):
        # most pages are scored by one card or two: features of the others are not computed
        if share > 0:
            planned = plan_card(card, BLOCK_FEATURES)
            give(columns, planned.needs)
            cards.append((planned.plan, share, _weigh_types(planned, weights)))
    points: Floats = core.score_alone(columns.features, tuple(cards))
    return points


def _weigh_types(card: BlockCard, weights: Mapping[str, float]) -> tuple[float, ...]:
    """How much the lines count that a card adds for each type."""
    return tuple([weights.get(name, 0.0) for name in card.types])


def list_first_cards(rules: RuleSet, article: float, plain: float) -> tuple[tuple[str, Card, float], ...]:
    """The cards of the first pass: the stage that `explain` names, the card, its share."""
    return (
        ("first pass", rules.score_card, (1 - article) * (1 - plain)),
        ("article card", rules.article_card, article),
        ("plain pages", rules.plain_card, (1 - article) * plain),
    )


def combine_passes(
    columns: PageColumns,
    first: Floats,
    rules: RuleSet,
    weights: Mapping[str, float],
    article: float,
    plain: float,
    given: Floats | float = 0.0,
) -> Floats:
    """float64 [n_blocks]: weighted mean of the points of both passes; on a plain page only those of the first count.

    given: float64 [n_blocks], the points of rules, which the second pass sees around each block.
    """
    # the second card was learnt on the first pass of pages with names: on plain pages its points mean less
    second = compute_second_share(rules, article, plain)
    if not second:
        return first
    card = plan_card(rules.second_card, SURROUNDINGS_FEATURES)
    blocks, weighed = find_blocks(columns), _weigh_types(card, weights)
    points: Floats = core.score_around(blocks, first, first + given, card.plan, weighed, second)
    return points


def compute_second_share(rules: RuleSet, article: float, plain: float) -> float:
    """The share of the second pass in the score (0..1); 0 where its card has no lines."""
    has_lines = compile_card(rules.second_card, SURROUNDINGS_FEATURES).names
    return (1 - (1 - article) * plain) * rules.passes.second if has_lines else 0.0
