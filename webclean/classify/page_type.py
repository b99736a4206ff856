"""The type of a page by the additive card, and refinements: labels more specific than the subtypes that are learnt.

A refinement, such as blog, portal, login or error, is a hand-written set of conditions over the same features. It adds
a label to the subtype. Only one with `subtype: true` replaces the subtype, and not if the caller or a rule has given
it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import structs

from webclean import core
from webclean.classify.classification import NUMBERS, PAGE_FEATURES, Verdict, measure_feature, sum_types, view_page
from webclean.classify.patent_tree import ask_tree, explain_path
from webclean.classify.vocabulary import MatchedWords, compile_vocabulary, match_words
from webclean.features import PageColumns
from webclean.features.cards import CompiledCard, compile_card, explain_points
from webclean.matching.expressions import compile_pattern
from webclean.model import PageType, Reason
from webclean.rules import RuleSet
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.card_schema import read_probabilities
from webclean.rules.page_type_schema import Bounds, PageTypeRules, Refinement

_STAGE: Final = "page card"


class CardPlan(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The card of a rule set. compiled: `core.PageTypePlan`."""

    card: CompiledCard
    compiled: Any


class CardResult(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The points of a page by a card.

    totals, probabilities: subtype -> points, probability. chosen: the subtype. sure: probability of its type.
    """

    plan: CardPlan
    whole: Any
    matched: MatchedWords
    totals: dict[str, float]
    probabilities: dict[str, float]
    chosen: str
    sure: float


@cached_per_rule_set
def compile_plan(rules: PageTypeRules) -> CardPlan:
    """Compile the card and the refinements of a rule set. Raises `RuleError` for a name that there is not."""
    card, vocabulary = compile_card(rules.card, PAGE_FEATURES), compile_vocabulary(rules)
    types = list(dict.fromkeys(rules.types.get(name, name) for name in card.classes))
    lines = (
        np.array([NUMBERS[name] for name in card.names], dtype=np.int64),
        card.limits,
        card.first_limit,
        np.ascontiguousarray(card.points[:, :, 0]),
        np.ascontiguousarray(card.slopes[:, 0]),
    )
    compiled = core.PageTypePlan(
        lines,
        np.ascontiguousarray(card.bias[:, 0]),
        np.array(card.word_points, dtype=np.float64).reshape(len(card.words), len(card.classes)),
        # a class of the card is a subtype, or a type itself
        np.array([types.index(rules.types.get(name, name)) for name in card.classes], dtype=np.int64),
        card.source.temperature,
        [
            ([_read_bounds(*bounds) for bounds in one.features.items()], list(map(vocabulary.find, one.words)))
            for one in rules.refinements.values()
        ],
    )
    return CardPlan(card, compiled)


def _read_bounds(name: str, bounds: Bounds) -> tuple[int, float, float]:
    """Number of a feature, the least value and the one that it must be below."""
    # for its error: a misspelt feature would never hold, and nobody would know
    PAGE_FEATURES.find(name, "page_type.refinements")
    least = -math.inf if bounds.above is None else bounds.above
    return NUMBERS[name], least, math.inf if bounds.below is None else bounds.below


def apply_card(columns: PageColumns, rules: PageTypeRules) -> CardResult:
    """Sum the points of a page by the card of the rules."""
    plan, whole = compile_plan(rules), view_page(columns, rules)
    matched = match_words(columns, rules, whole)
    totals, shares, chosen, sure = plan.compiled.judge(whole, matched.flags)
    classes = plan.card.classes
    return CardResult(
        plan,
        whole,
        matched,
        dict(zip(classes, totals, strict=True)),
        dict(zip(classes, shares, strict=True)),
        classes[chosen],
        sure,
    )


def classify_by_card(columns: PageColumns, rules: RuleSet) -> Verdict:
    """The most probable subtype and its type; type `no_feature` where the page has next to no text."""
    result, types = apply_card(columns, rules.page_type), rules.page_type.types
    kind, subtype, sure, seen = _decide_type(columns, rules, result)
    n_words = result.whole.count_words()
    # the card is learnt from pages with text, and says something of any page
    if n_words < rules.page_type.no_feature_words:
        text = f"{n_words} words: neither clear blocks nor long text"
        kind, subtype, sure = PageType.NO_FEATURE, result.chosen, 1.0
        seen = (Reason("page type", "no_feature_words", text),)

    def explain() -> tuple[Reason, ...]:
        return (*seen, *_explain_card(result, types))

    return Verdict(result.whole, result.matched, kind, subtype, sure, result.probabilities, explain)


def _decide_type(
    columns: PageColumns, rules: RuleSet, result: CardResult
) -> tuple[str, str, float, tuple[Reason, ...]]:
    """Type, subtype, probability of the type, and why not the card's: where that is in doubt, the patent's tree is
    asked. It knows nothing of words and addresses, so a page in an unknown language is like any other to it."""
    types, doubt = rules.page_type.types, rules.page_type.doubt
    by_card: str = types[result.chosen]
    if result.sure >= doubt.below:
        return by_card, result.chosen, result.sure, ()
    leaf, path = ask_tree(columns, rules)
    answer = str(leaf.answer)
    sure = sum_types(result.probabilities, types).get(answer, 0.0)
    is_believed = answer in doubt.answers and sure >= doubt.least and read_probabilities(leaf)[answer] >= doubt.sure
    if answer == by_card or not is_believed:
        return by_card, result.chosen, result.sure, ()
    inside = (name for name in result.probabilities if types[name] == answer)
    text = f"the card says {by_card} at {result.sure:.2f} alone: the patent's tree decides for {answer}"
    reasons = (Reason("page type", "doubt", text), *explain_path(leaf, path))
    return answer, max(inside, key=result.probabilities.__getitem__), sure, reasons


def _explain_card(result: CardResult, types: Mapping[str, str]) -> tuple[Reason, ...]:
    """The outcome, then the lines and words that favoured it over the runner-up.

    The runner-up may have more points and yet be of a less probable type, for types are compared first.
    """
    probabilities, compiled, first = result.probabilities, result.plan.card, result.chosen
    card = compiled.source
    second = max((name for name in probabilities if name != first), key=probabilities.__getitem__)
    margin = result.totals[first] - result.totals[second]
    text = (
        f"{first} {probabilities[first]:.2f}, then {second} {probabilities[second]:.2f}: ahead by {margin:.2f} points"
    )
    # types are compared first: three subtypes of one type may outweigh the single best of another
    if margin < 0:
        sums = sum_types(probabilities, types)
        ahead = f"but {types[first]} {sums[types[first]]:.2f} is ahead of {types[second]} {sums[types[second]]:.2f}"
        text = f"{first} {probabilities[first]:.2f}, {-margin:.2f} points behind {second}, {ahead}"
    outcome = Reason("page type", "card", text, margin)
    bias = card.bias[first] - card.bias[second] if isinstance(card.bias, dict) else 0.0
    start = Reason(_STAGE, "bias", "what every page starts with", round(bias, 4))
    values = {name: measure_feature(result.whole, name) for name in compiled.names}
    words = [compiled.words[number] for number in result.matched.list_first(len(compiled.words))]
    lines = explain_points(card, values, PAGE_FEATURES, _STAGE, chosen=first, rival=second, words=words)
    reasons = sorted([start, *lines] if bias else lines, key=lambda reason: -abs(reason.points or 0.0))
    return (outcome, *reasons)


def refine_verdict(verdict: Verdict, rules: RuleSet) -> Verdict:
    """Apply the first refinement whose conditions hold; without one the verdict stays as it is."""
    if verdict.label is not None:
        return verdict
    refinements = list(rules.page_type.refinements.items())
    for number in compile_plan(rules.page_type).compiled.list_fitting(verdict.whole, verdict.matched.flags):
        name, refinement = refinements[number]
        # a label may be added to what the caller or a rule said, but not another subtype
        is_open = not (refinement.subtype and verdict.overruled) and (
            not refinement.of or verdict.page_subtype in refinement.of
        )
        title = refinement.title
        # the title last: it is read from the page only where the features fit
        if is_open and (title is None or compile_pattern(title).search(core.read_title_of(verdict.whole))):
            return _apply(verdict, name, refinement)
    return verdict


def _apply(verdict: Verdict, name: str, refinement: Refinement) -> Verdict:
    def explain() -> tuple[Reason, ...]:
        because = refinement.because or f"the finer label {name} fits"
        text = "; ".join((because, *_list_findings(refinement, verdict.whole, verdict.matched)))
        return Reason("page type", name, text), *verdict.explain()

    return structs.replace(
        verdict,
        label=name,
        page_subtype=name if refinement.subtype else verdict.page_subtype,
        page_type=refinement.type or verdict.page_type,
        type_confidence=1.0 if refinement.type else verdict.type_confidence,
        explain=explain,
    )


def _list_findings(refinement: Refinement, whole: Any, matched: MatchedWords) -> Iterator[str]:
    """The values, title and words of the page that fulfil the conditions, for the reason."""
    for name in refinement.features:
        yield f"{name} = {measure_feature(whole, name):.4g}"
    if refinement.title is not None:
        yield f"title {core.read_title_of(whole).strip()!r}"
    found = list(filter(matched.has, refinement.words))
    if found:
        yield f"words {', '.join(found)}"
