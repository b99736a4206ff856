"""Columns -> page type and subtype (patent A3), with probabilities and, when asked for, the reasons.

1. The method that the section `page_type` names decides: the additive card (`features.cards`), which asks the patent's
   decision tree (`classify.patent_tree`) if it is in doubt; or that tree alone.
2. A type that a rule of the section `rules` gives wins over the method, and one that the caller gives wins over both.
3. A refinement adds a label that is more specific than the learnt subtypes, such as blog, portal, login or error. It is
   a hand-written set of conditions over the same features. Only one with `subtype: true` replaces the subtype too, and
   not if the caller or a rule has given it.
"""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import structs

from webclean import core
from webclean.classify import classification
from webclean.classify.classification import PAGE_FEATURES, Classification, Explainer, PageView
from webclean.classify.patent_tree import ask_tree, classify_by_patent, explain_path
from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.features.cards import CompiledCard, compile_card, explain_points
from webclean.matching.conditions import PageFacts, holds_for_page, plan_rules
from webclean.matching.expressions import compile_pattern
from webclean.model import Decision, PageType, Reason
from webclean.rules import RuleSet
from webclean.rules.card_schema import read_probabilities
from webclean.rules.page_schema import PageTypeRules, Refinement
from webclean.rules.rule_schema import Range, cached_per_rule_set

__all__ = ["CardResult", "Classification", "apply_card", "classify_page"]

_STAGE: Final = "page card"


def classify_page(
    columns: PageColumns,
    rules: RuleSet,
    *,
    page_type: str | None = None,
    page_subtype: str | None = None,
    method: str | None = None,
) -> Classification:
    """Find the type and subtype of a page. Raises `InputError` for a type or subtype that does not exist.

    page_type, page_subtype: what the caller knows; a subtype is enough without its type. method: `card` or `patent`;
    None for the one that the rules name.
    """
    document = columns.document
    # a text or a feed was turned into a page of one `pre`, whose form says nothing
    if document.source.kind != "html":
        return classification.classify_other(document.source.kind)
    page = PageView(columns, rules.page_type)
    is_patent = (method or rules.page_type.method) == "patent"
    found = classify_by_patent(columns, rules) if is_patent else _classify_by_card(page, rules)
    # the caller wins over the rules, and the rules over the method
    given = page_subtype or page_type
    if given:
        reason = Reason("page type", "argument", f"the caller says {given}")
        return _refine(page, _overrule(found, rules.page_type, page_type, page_subtype, reason), is_given=True)
    for name, rule in plan_rules(rules.rules).naming:
        wanted = rule.effect.page_type
        # a rule that gives the type cannot ask for it: URL and elements are all that is known here
        if wanted and holds_for_page(rule.when, PageFacts(url=document.url), document):
            reason = Reason("page type", name, rule.because or f"the rule says {wanted}", source=rule.origin)
            kind, subtype = (wanted, None) if wanted in list(PageType) else (None, wanted)
            return _refine(page, _overrule(found, rules.page_type, kind, subtype, reason), is_given=True)
    return _refine(page, found)


def _overrule(
    found: Classification, rules: PageTypeRules, page_type: str | None, page_subtype: str | None, reason: Reason
) -> Classification:
    """Apply a type or subtype that the caller or a rule gives. The other one is the most probable that fits it."""
    types, probabilities = rules.types, found.probabilities
    if page_subtype is not None and page_subtype not in types:
        raise InputError(f"unknown page subtype {page_subtype!r}: one of {', '.join(types)}")
    if page_type is not None and page_type not in list(PageType):
        raise InputError(f"unknown page type {page_type!r}: one of {', '.join(PageType)}")
    kind, subtype, label = page_type or types[page_subtype or ""], page_subtype, None
    refinement = rules.refinements.get(page_subtype or "")
    possible: dict[str, float] = {}
    # a finer label that is no subtype of its own (`blog`) leaves the subtype to the method
    if page_subtype is None or (refinement and not refinement.subtype):
        names = (refinement.of if refinement else ()) or [name for name in probabilities if types[name] == kind]
        possible = {name: probabilities[name] for name in names if name in probabilities}
        # the most probable one that fits what was given
        subtype = max(possible, key=possible.__getitem__) if possible else found.page_subtype.value
        label = page_subtype
    total = sum(possible.values())
    if total > 0:
        probabilities = {name: probability / total for name, probability in possible.items()}
    # cards weigh their adjustments by these probabilities: what the caller says is certain
    elif subtype in probabilities:
        probabilities = {name: float(name == subtype) for name in probabilities}
    return Classification(
        Decision(PageType(kind)), Decision(subtype), label, probabilities, lambda: (reason, *found.explain())
    )


@cached_per_rule_set
def compile_plan(rules: PageTypeRules) -> tuple[CompiledCard, Any]:
    """The compiled card of a rule set, and the `core.PageTypePlan` made of the card and the refinements.

    Raises `RuleError` for an unknown name of a feature or word.
    """
    card, vocabulary = compile_card(rules.card, PAGE_FEATURES), classification.compile_vocabulary(rules)
    types = list(dict.fromkeys(rules.types.get(name, name) for name in card.classes))
    compiled = core.PageTypePlan(
        row=card.row_plan,
        start=card.start,
        features=np.array([classification.NUMBERS[name] for name in card.names], dtype=np.int64),
        word_points=np.array(card.word_points, dtype=np.float64).reshape(len(card.words), len(card.classes)),
        # a class of the card is a subtype, or a type itself
        type_of=np.array([types.index(rules.types.get(name, name)) for name in card.classes], dtype=np.int64),
        n_types=len(types),
        conditions=[
            ([_read_bounds(*bounds) for bounds in one.features.items()], list(map(vocabulary.find, one.words)))
            for one in rules.refinements.values()
        ],
    )
    return card, compiled


def _read_bounds(name: str, bounds: Range) -> tuple[int, float, float]:
    """Number of a feature, its least value, and the value that it must stay below."""
    # called for its error: a condition on a misspelt feature would never hold, and nobody would know
    PAGE_FEATURES.find(name, "page_type.refinements")
    least = -math.inf if bounds.above is None else bounds.above
    return classification.NUMBERS[name], least, math.inf if bounds.below is None else bounds.below


class CardResult(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What a card says of a page.

    totals: subtype -> points. probabilities: subtype -> probability. chosen: the subtype. sure: probability of the type
    of that subtype.
    """

    totals: dict[str, float]
    probabilities: dict[str, float]
    chosen: str
    sure: float


def apply_card(page: PageView) -> CardResult:
    """Sum the points of a page by the card of the rules."""
    card, plan = compile_plan(page.rules)
    totals, probabilities, chosen, sure = plan.judge(page.whole, page.flags)
    by_class = [dict(zip(card.classes, values, strict=True)) for values in (totals, probabilities)]
    return CardResult(by_class[0], by_class[1], card.classes[chosen], sure)


def _classify_by_card(page: PageView, rules: RuleSet) -> Classification:
    """The most probable subtype and its type; type `no_feature` if the page has next to no text.

    If the card is in doubt about the type, the patent's tree is asked. The tree reads neither words nor addresses, so a
    page in an unknown language is like any other page to it.
    """
    result, types, doubt = apply_card(page), page.rules.types, page.rules.doubt
    kind, subtype, sure = str(types[result.chosen]), result.chosen, result.sure
    first: tuple[Reason, ...] = ()
    n_words = int(page.columns.blocks.n_words.sum())
    # the card was learnt from pages with text, but would give a subtype to any page
    if n_words < page.rules.no_feature_words:
        text = f"{n_words} words: neither clear blocks nor long text"
        kind, sure, first = PageType.NO_FEATURE, 1.0, (Reason("page type", "no_feature_words", text),)
    elif sure < doubt.below:
        sums = classification.sum_types(result.probabilities, types)
        # the tree costs more than the card: it is asked only if some answer of it would be believed
        believed = [answer for answer in doubt.answers if answer != kind and sums.get(answer, 0.0) >= doubt.least]
        leaf, path = ask_tree(page.columns, rules) if believed else (None, ())
        if leaf is not None and leaf.answer in believed and read_probabilities(leaf)[leaf.answer] >= doubt.sure:
            text = f"the card says {kind} at {sure:.2f} alone: the patent's tree decides for {leaf.answer}"
            inside = (name for name in result.probabilities if types[name] == leaf.answer)
            kind, subtype = str(leaf.answer), max(inside, key=result.probabilities.__getitem__)
            sure, first = sums[kind], (Reason("page type", "doubt", text), *explain_path(leaf, path))
    return classification.make_classification(
        kind, subtype, sure, result.probabilities, lambda: (*first, *_explain_card(page, result))
    )


def _explain_card(page: PageView, result: CardResult) -> tuple[Reason, ...]:
    """The outcome, then the lines and words that favoured it over the runner-up.

    The runner-up may have more points and yet be of a less probable type, for types are compared first.
    """
    types, compiled = page.rules.types, compile_plan(page.rules)[0]
    probabilities, first, card = result.probabilities, result.chosen, compiled.source
    second = max((name for name in probabilities if name != first), key=probabilities.__getitem__)
    margin = result.totals[first] - result.totals[second]
    text = (
        f"{first} {probabilities[first]:.2f}, then {second} {probabilities[second]:.2f}: ahead by {margin:.2f} points"
    )
    # three subtypes of one type may together outweigh the best single subtype of another type
    if margin < 0:
        sums = classification.sum_types(probabilities, types)
        ahead = f"but {types[first]} {sums[types[first]]:.2f} is ahead of {types[second]} {sums[types[second]]:.2f}"
        text = f"{first} {probabilities[first]:.2f}, {-margin:.2f} points behind {second}, {ahead}"
    outcome = Reason("page type", "card", text, margin)
    bias = card.bias[first] - card.bias[second] if isinstance(card.bias, dict) else 0.0
    start = Reason(_STAGE, "bias", "what every page starts with", round(bias, 4))
    values = {name: classification.measure_feature(page.whole, name) for name in compiled.names}
    words = [word for number, word in enumerate(compiled.words) if page.flags[number]]
    lines = explain_points(card, values, PAGE_FEATURES, _STAGE, chosen=first, rival=second, words=words)
    reasons = sorted([start, *lines] if bias else lines, key=lambda reason: -abs(reason.points or 0.0))
    return (outcome, *reasons)


def _refine(page: PageView, found: Classification, *, is_given: bool = False) -> Classification:
    """Apply the first refinement whose conditions hold; without one the label is the subtype.

    is_given: the caller or a rule gave the subtype, to which a label may be added; no other subtype replaces it.
    """
    if found.label is not None:
        return found
    refinements, subtype = list(page.rules.refinements.items()), found.page_subtype.value
    for number in compile_plan(page.rules)[1].list_fitting(page.whole, page.flags):
        name, refinement = refinements[number]
        is_open = not (refinement.subtype and is_given) and (not refinement.of or subtype in refinement.of)
        title = refinement.title
        # the title is compared last, because it is read from the page only now
        if is_open and (
            title is None or compile_pattern(title).search(classification.read_title(page.columns.document))
        ):
            kind, decided, probabilities = found.page_type, found.page_subtype, found.probabilities
            if not is_given and name in probabilities:  # that of another subtype, as sure as where it is given
                probabilities = {other: float(other == name) for other in probabilities}
            if refinement.type:
                kind = Decision(PageType(refinement.type))
            if not is_given:
                decided = classification.decide_subtype(
                    name if refinement.subtype else subtype, kind.confidence, found.probabilities
                )
            found = structs.replace(
                found, page_type=kind, page_subtype=decided, probabilities=probabilities, label=name
            )
            return structs.replace(found, explain=_explain_refinement(page, found, name, refinement))
    return structs.replace(found, label=subtype)


def _explain_refinement(page: PageView, found: Classification, name: str, refinement: Refinement) -> Explainer:
    def explain() -> tuple[Reason, ...]:
        because = [refinement.because or f"the finer label {name} fits"]
        # the values, title and words of the page that fulfil the conditions
        because += [
            f"{feature} = {classification.measure_feature(page.whole, feature):.4g}" for feature in refinement.features
        ]
        if refinement.title is not None:
            because.append(f"title {classification.read_title(page.columns.document).strip()!r}")
        if words := list(filter(page.has_word, refinement.words)):
            because.append(f"words {', '.join(words)}")
        return Reason("page type", name, "; ".join(because)), *found.explain()

    return explain
