"""Columns, cards -> a score for each text block, the cut, and which blocks are kept.

1. Cards score each block by its features, then by the points of the blocks around it.
2. Findings about the page as a whole correct the points (`decide.corrections`, `decide.regions`).
3. The cut keeps the number of blocks with the best expected F score.
4. Rules that keep or drop blocks have the last word (`decide.rule_matches`).

`decide.handlers` has what else is done on pages of a type, `decide.explain` why a block was kept.

**The first pass** scores each block by its features. Pages with few meaningful class names are scored by the plain
card, which does not use names; in between, both cards count in proportion. As far as the page is likely to be an
article, the article card has a share as well.

**The second pass** scores each block by the first-pass points of the blocks around it, for blocks are not independent:
a paragraph among dropped neighbours is seldom content. It is a second classifier that sees the predictions of the first
one for the surroundings (stacked sequential learning, Cohen and Carvalho 2005). Each feature aggregates first-pass
points over one group of blocks: those with the same path, repeated siblings, containers, neighbours, the whole page. A
mean is the mean chance of a word to be content, converted back to points (log-odds) to be comparable with the block's
own. Three blocks with the same path, of 10, 10 and 20 words and 2, 2 and -2 points: their chances are .88, .88 and .12,
so 8.8 + 8.8 + 2.4 = 20 of 40 words are expected to be content, a chance of .5, which is 0 points.

**The cut** keeps the number of blocks with the best expected F score. A score is log-odds, so its sigmoid is the chance
that the block is content. Order the blocks by score; if the first k are kept, the content words expected among them are
their words times their chances, and

    expected F1 of k = 2 * content words among the k / (words of the k + content words of the page)

(Lewis 1995; Jansche 2007; the ratio of expectations stands for the expected ratio). For three blocks of 10 words with
chances .9, .5, .1 the page has 15 content words: k = 1 gives 18/25 = .72, k = 2 28/35 = .80, k = 3 30/45 = .67, so two
are kept. A fixed threshold would not depend on what else the page has.

The scores of a page tend to be wrong together, all too high or all too low. So the expectation is averaged over common
shifts of all scores, normally distributed with the standard deviation `cut.spread` (five Gauss-Hermite nodes).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np

from webclean import core
from webclean.decide.corrections import correct_points
from webclean.decide.rule_matches import correct_by_rules, resolve_decisions, sum_rule_points
from webclean.features import BLOCK_FEATURES, PageColumns
from webclean.features.block_features import provide
from webclean.features.cards import BlockCard, compile_card, plan_card
from webclean.features.page_words import score_names
from webclean.matching.conditions import RuleMatch
from webclean.model import BlockDecisions, Floats, Mask, Rows
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card
from webclean.rules.decide_schema import ArticlePages, Confidence, Cut
from webclean.rules.schema import RuleSet

ARTICLE: Final = "article"
"""The subtype that the article card is for."""


def list_first_cards(rules: RuleSet, article: float, plain: float) -> tuple[tuple[str, Card, float], ...]:
    """The cards of the first pass: the stage that `explain` names, the card, its share."""
    return (
        ("first pass", rules.score_card, (1 - article) * (1 - plain)),
        ("article card", rules.article_card, article),
        ("plain pages", rules.plain_card, (1 - article) * plain),
    )


def compute_plain_share(columns: PageColumns, rules: RuleSet) -> float:
    """The share of the plain card in the rest that the article card leaves, 0 to 1: it rises as fewer class names are
    known."""
    if not len(columns.blocks) or not rules.plain_card.lines:
        return 0.0
    # old pages and those of generated class names (`css-1q2w3e`) name nothing that is known
    n_known, pages = score_names(columns, columns.word_points)[1], rules.plain_pages
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
    # the share rises from 0 at `likely_from`: a step would flip pages close to it
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
            provide(columns, planned.needs)
            cards.append((planned.plan, share, _weigh_types(planned, weights)))
    points: Floats = core.score_alone(columns.features, tuple(cards))
    return points


def _weigh_types(card: BlockCard, weights: Mapping[str, float]) -> tuple[float, ...]:
    """How much the lines count that a card adds for each type."""
    return tuple([weights.get(name, 0.0) for name in card.types])


class FirstPass(NamedTuple):
    """A page and the points of its blocks, float64 [n_blocks]."""

    columns: PageColumns
    points: Floats


SURROUNDINGS_FEATURES: Final = FeatureRegistry[FirstPass, Floats]("surroundings", "second_card")


def measure_surroundings(columns: PageColumns, points: Floats, names: tuple[str, ...]) -> Floats:
    """float64 [n_names, n_blocks]: the named features. points: float64 [n_blocks], of the first pass."""
    # an explanation may ask for no features, and an empty page has no blocks to ask
    if not len(points) or not names:
        return np.zeros((len(names), len(points)))
    numbers = [SURROUNDINGS_FEATURES.numbers[SURROUNDINGS_FEATURES.find(name).name] for name in names]
    found: Floats = core.Around(find_blocks(columns), np.ascontiguousarray(points, dtype=np.float64)).measure(numbers)
    return found


def find_blocks(columns: PageColumns) -> object:
    """`core.Blocks` with the columns that the features of this file read."""
    provide(columns, ("repeats",))
    return columns.features


SURROUNDINGS_FEATURES.add_tables(
    core.AROUND_TABLES,
    lambda name: lambda first: measure_surroundings(first.columns, first.points, (name,))[0],
    core.AROUND_NEEDS,
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


_MOST: Final = 30.0
"""Log-odds that count."""


_LEAST_WORDS: Final = 0.01
"""Words of a block that has none: its chance must have some weight, or the words of the page could be 0."""


class Kept(msgspec.Struct, frozen=True, eq=False, gc=False):
    """mask: bool [n_blocks], kept. cut: the lowest kept score, or just above all scores where nothing is
    kept. expected: the expected F score, 0 to 1.
    """

    mask: Mask
    cut: float
    expected: float


def sigmoid(points: Floats) -> Floats:
    """Points (log-odds) -> probability."""
    # beyond this the chance is 0 or 1 to the last bit, and `exp` of more overflows
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(points, -_MOST), _MOST)))


def cut_by_expected_f(points: Floats, words: Floats | Rows, cut: Cut, least_words: float | None = None) -> Kept:
    """Keep the highest-scoring blocks, as many as give the best expected F score.

    Where those have fewer words than both `cut.least_words` and `cut.least_share` of the page, nothing is kept.

    points: float64 [n_blocks], log-odds. words: [n_blocks]. least_words: instead of that of `cut`.
    """
    if not len(points):
        return Kept(np.zeros(0, dtype=bool), 0.0, 1.0)
    least = cut.least_words if least_words is None else least_words
    plan = core.CutPlan(cut.shift, cut.spread, cut.beta, least, cut.least_share)
    return Kept(*core.keep_best(points, np.maximum(_LEAST_WORDS, words), plan))


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
    # both are found before any points, since they say for which cards features are measured
    plain, article = compute_plain_share(columns, rules), compute_article_share(rules, weights)
    first = sum_first_pass(columns, rules, weights, article, plain)
    by_rules = correct_by_rules(len(first), matches)
    # the second pass sees the points of rules too: a neighbour of a block that a rule is against is less likely content
    given = sum_rule_points(by_rules)
    points = combine_passes(columns, first, rules, weights, article, plain, given) + given
    n_words = columns.blocks.n_words
    kept = cut_by_expected_f(points, n_words, rules.cut)
    # after both passes: a correction is about the page as a whole, which no neighbour should hear of twice
    points, corrections = correct_points(columns, points, kept.mask, kept.cut, rules, weights)
    # a site whose rules say what its content is may have pages of a few words
    is_sure = any(match.rule.effect.decide == "keep" or (match.rule.effect.points or 0.0) > 0 for match in matches)
    if corrections or is_sure:
        # otherwise a page of which only a dozen words would be kept keeps nothing
        kept = cut_by_expected_f(points, n_words, rules.cut, least_words=0.0 if is_sure else None)
    final, kept_by, dropped_by = resolve_decisions(kept.mask, matches)
    return BlockDecisions(
        score=points,
        kept=final,
        cut=kept.cut,
        first=first,
        expected=kept.expected,
        kept_by=kept_by,
        dropped_by=dropped_by,
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
    few = rules.empty.few_words
    reached = average_reached(decisions.expected, type_weights, rules.confidence)
    return reached * (min(1.0, n_words / few) ** 2 if few else 1.0)


def average_reached(expected: float, type_weights: Mapping[str, float], curves: Confidence) -> float:
    """The F score that pages reached where the cut expected some: the mean of the curves of their types."""
    known = {kind: weight for kind, weight in type_weights.items() if kind in curves.types}
    weighed = [(curves.types[kind], weight) for kind, weight in known.items()]
    # the rest of the probability belongs to types without a curve of their own
    weighed.append((curves.points, max(0.0, 1 - sum(known.values()))))
    return sum(
        weight * float(np.interp(expected, [one.expected for one in points], [one.reached for one in points]))
        for points, weight in weighed
    )
