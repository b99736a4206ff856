"""Columns -> page type and subtype (patent A3), with probabilities and, when asked for, the reasons.

A type that the caller gives wins, then that of a rule in the `rules` section. Otherwise the method of the `page_type`
section decides: the additive card (`features.cards`) or the patent's decision tree (`classify.patent_tree`).
"""

from __future__ import annotations

from webclean.classify.classification import Classification, Verdict, classify_other
from webclean.classify.page_type import classify_by_card, refine_verdict
from webclean.classify.patent_tree import classify_by_patent
from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts, holds_for_page, plan_rules
from webclean.model import PageType, Reason
from webclean.rules import RuleSet

__all__ = ["Classification", "classify_page"]


def classify_page(
    columns: PageColumns,
    rules: RuleSet,
    *,
    page_type: str | None = None,
    page_subtype: str | None = None,
    method: str | None = None,
) -> Classification:
    """Find the type and subtype of a page. Raises `InputError` for a type or subtype that does not exist.

    page_type, page_subtype: those that the caller knows; of a subtype the type need not be given. method: `card` or
    `patent`; None for the one that the rules name.
    """
    document = columns.document
    kind = document.source.kind
    # a text or feed was written into a page of one `pre`: what that looks like says nothing
    if kind != "html":
        return classify_other(kind)
    judge = classify_by_patent if (method or rules.page_type.method) == "patent" else classify_by_card
    verdict = judge(columns, rules)
    # what the caller says wins over rules, and these over the method
    given = page_subtype or page_type
    if given:
        reason = Reason("page type", "argument", f"the caller says {given}")
        return refine_verdict(_override(verdict, rules, page_type, page_subtype, reason), rules).classify()
    for name, rule in plan_rules(rules.rules).naming:
        wanted = rule.effect.page_type
        # a rule that gives the type cannot ask for it: URL and elements are all that is known here
        if wanted and holds_for_page(rule.when, PageFacts(url=document.url), document):
            reason = Reason("page type", name, rule.because or f"the rule says {wanted}", source=rule.origin)
            is_type = wanted in list(PageType)
            verdict = _override(verdict, rules, wanted if is_type else None, None if is_type else wanted, reason)
            break
    return refine_verdict(verdict, rules).classify()


def _override(
    verdict: Verdict, rules: RuleSet, page_type: str | None, page_subtype: str | None, reason: Reason
) -> Verdict:
    """Apply a type or subtype given by the caller or a rule. The rest is the most probable choice that fits."""
    types = rules.page_type.types
    if page_subtype is not None and page_subtype not in types:
        raise InputError(f"unknown page subtype {page_subtype!r}: one of {', '.join(types)}")
    if page_type is not None and page_type not in list(PageType):
        raise InputError(f"unknown page type {page_type!r}: one of {', '.join(PageType)}")
    refinement = rules.page_type.refinements.get(page_subtype or "")
    # a finer label that is no subtype of its own (`blog`) leaves the subtype to the method
    if page_subtype is not None and (refinement is None or refinement.subtype):
        return verdict.override(page_type or types[page_subtype], page_subtype, reason)
    kind = page_type or types[page_subtype or ""]
    names = (
        refinement.of
        if refinement and refinement.of
        else [name for name in verdict.probabilities if types[name] == kind]
    )
    inside = {name: verdict.probabilities[name] for name in names if name in verdict.probabilities}
    # the most probable one that fits what was given
    subtype = max(inside, key=inside.__getitem__) if inside else verdict.page_subtype
    return verdict.override(kind, subtype, reason, inside, label=page_subtype)
