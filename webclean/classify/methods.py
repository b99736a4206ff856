"""The two methods that find the type of a page: the additive card and the patent's decision tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from webclean.classify.classification import Classification, Verdict, choose_subtype, sum_types
from webclean.classify.features import PAGE_FEATURES, MatchedWords, PageView, match_words
from webclean.classify.patent_features import PATENT_FEATURES, view_page
from webclean.features import PageColumns
from webclean.features.cards import CompiledCard, compile_card, explain_points, score_one, softmax
from webclean.model import Decision, PageType, Reason
from webclean.rules import RuleSet
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.card_schema import Card, Step, TreeNode, read_probabilities, walk_tree

_STAGE: Final = "page card"


class CardResult(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The points of a page by a card.

    values: feature -> value. words: (channel, word) of the card's words that the page has. totals: subtype -> points.
    probabilities: subtype -> probability.
    """

    card: Card
    values: Mapping[str, float]
    words: list[tuple[str, str]]
    totals: dict[str, float]
    probabilities: dict[str, float]


def apply_card(page: PageView, matched: MatchedWords) -> CardResult:
    """Compute the features that the card of the page's rules uses, and sum its points."""
    card = compile_card(page.rules.card, PAGE_FEATURES)
    values = {name: compute(page) for name, compute in _list_features(card)}
    words = sorted(number for number in matched.numbers if number < len(card.words))
    totals = score_one(card, values, words)
    shares = softmax(totals, card.source.temperature)
    return CardResult(
        card.source,
        values,
        [card.words[number] for number in words],
        dict(zip(card.classes, totals, strict=True)),
        dict(zip(card.classes, shares, strict=True)),
    )


@cached_per_rule_set
def _list_features(card: CompiledCard) -> tuple[tuple[str, Callable[[PageView], float]], ...]:
    """The features of a card and what computes them."""
    return tuple((name, PAGE_FEATURES.find(name).compute) for name in card.names)


def classify_other(kind: str) -> Classification:
    """The classification of what is not HTML: type `no_feature`, no subtype, no probabilities."""
    reason = Reason("input", "kind", "nothing in it" if kind == "empty" else f"{kind} is not HTML")
    return Classification(Decision(PageType.NO_FEATURE), Decision(None), None, {}, lambda: (reason,))


def classify_by_card(columns: PageColumns, rules: RuleSet) -> Verdict:
    """The most probable subtype and its type; type `no_feature` where the page has next to no text."""
    view = PageView(columns, rules.page_type)
    matched = match_words(view)
    result = apply_card(view, matched)
    probabilities, types = result.probabilities, rules.page_type.types
    subtype = choose_subtype(probabilities, types)
    n_words = int(columns.blocks.n_words.sum())
    if n_words < rules.page_type.no_feature_words:
        seen = Reason("page type", "no_feature_words", f"{n_words} words: neither clear blocks nor long text")
        return Verdict(
            view,
            matched,
            PageType.NO_FEATURE,
            subtype,
            1.0,
            probabilities,
            lambda: (seen, *_explain_card(result, subtype, types)),
        )
    sure = sum_types(probabilities, types)[types[subtype]]

    def explain() -> tuple[Reason, ...]:
        return _explain_card(result, subtype, types)

    return Verdict(view, matched, types[subtype], subtype, sure, probabilities, explain)


def _explain_card(result: CardResult, first: str, types: Mapping[str, str]) -> tuple[Reason, ...]:
    """The outcome, then the lines and words that favoured it over the runner-up.

    The runner-up may have more points and yet be of a less probable type, for types are compared first.
    """
    probabilities, card = result.probabilities, result.card
    second = max((name for name in probabilities if name != first), key=probabilities.__getitem__)
    margin = result.totals[first] - result.totals[second]
    text = (
        f"{first} {probabilities[first]:.2f}, then {second} {probabilities[second]:.2f}: ahead by {margin:.2f} points"
    )
    if margin < 0:
        sums = sum_types(probabilities, types)
        ahead = f"but {types[first]} {sums[types[first]]:.2f} is ahead of {types[second]} {sums[types[second]]:.2f}"
        text = f"{first} {probabilities[first]:.2f}, {-margin:.2f} points behind {second}, {ahead}"
    outcome = Reason("page type", "card", text, margin)
    bias = card.bias[first] - card.bias[second] if isinstance(card.bias, dict) else 0.0
    start = Reason(_STAGE, "bias", "what every page starts with", round(bias, 4))
    lines = explain_points(card, result.values, PAGE_FEATURES, _STAGE, chosen=first, rival=second, words=result.words)
    reasons = sorted([start, *lines] if bias else lines, key=lambda reason: -abs(reason.points or 0.0))
    return (outcome, *reasons)


def classify_by_patent(columns: PageColumns, rules: RuleSet) -> Verdict:
    """The type at the leaf that the page reaches. It knows no subtypes: those of a type are equally probable."""
    page = view_page(columns, rules)
    leaf, path = walk_tree(rules.page_type.patent.tree, lambda name: float(PATENT_FEATURES.find(name).compute(page)))
    shares = read_probabilities(leaf)
    types = rules.page_type.types
    subtypes = rules.page_type.card.classes
    members = {kind: [name for name in subtypes if types[name] == kind] for kind in PageType}
    probabilities = {
        name: share / len(members[PageType(kind)]) for kind, share in shares.items() for name in members[PageType(kind)]
    }
    view = PageView(columns, rules.page_type)
    sure = shares.get(str(leaf.answer), 1.0)

    def explain() -> tuple[Reason, ...]:
        return _explain_path(leaf, path, shares)

    return Verdict(view, match_words(view), str(leaf.answer), None, sure, probabilities, explain)


def _explain_path(leaf: TreeNode, path: tuple[Step, ...], shares: dict[str, float]) -> tuple[Reason, ...]:
    """The outcome, then the conditions from the root to the leaf."""
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    text = ", then ".join(f"{name} {share:.2f}" for name, share in ranked[:2])
    margin = ranked[0][1] - ranked[1][1] if len(ranked) > 1 else 1.0
    text = f"{text}: ahead by {margin:.2f}" + (f". {leaf.because}" if leaf.because else "")
    outcome = Reason("page type", "patent tree", text)
    steps = []
    for step in path:
        sign = "<" if step.condition.below else ">="
        asked = f"{step.condition.name} {sign} {step.condition.threshold:g}"
        answer = "yes" if step.held else "no"
        text = f"{asked}: {answer} ({step.value:.4g})" + (f". {step.because}" if step.because else "")
        steps.append(Reason("patent tree", step.condition.name, text))
    return (outcome, *steps)
