"""Refinements: labels more specific than the subtypes that are learnt, such as blog, portal, login, error.

Each is a hand-written set of conditions over the same features. A refinement adds a label to the subtype. Only one with
`subtype: true` replaces the subtype, and not if the caller or a rule has given it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from webclean.classify.classification import Verdict
from webclean.classify.features import PAGE_FEATURES, MatchedWords, PageView
from webclean.matching.expressions import compile_pattern
from webclean.model import Reason
from webclean.rules import RuleSet
from webclean.rules.page_type_schema import Refinement


def refine_verdict(verdict: Verdict, rules: RuleSet) -> Verdict:
    """Apply the first refinement whose conditions hold; without one the verdict stays as it is."""
    if verdict.label is not None:
        return verdict
    for name, refinement in rules.page_type.refinements.items():
        is_open = not (refinement.subtype and verdict.overruled) and (
            not refinement.of or verdict.page_subtype in refinement.of
        )
        if is_open and holds_for(refinement, verdict.view, verdict.matched):
            return _apply(verdict, name, refinement)
    return verdict


def holds_for(refinement: Refinement, page: PageView, matched: MatchedWords) -> bool:
    """Whether all conditions of a refinement hold; the cheap ones are checked first."""
    for name, limits in refinement.features.items():
        value = PAGE_FEATURES.find(name, "page_type.refinements").compute(page)
        if not (limits.above is None or value >= limits.above) or not (limits.below is None or value < limits.below):
            return False
    if refinement.title is not None and not compile_pattern(refinement.title).search(page.title):
        return False
    return not refinement.words or any(map(matched.has, refinement.words))


def _apply(verdict: Verdict, name: str, refinement: Refinement) -> Verdict:
    def explain() -> tuple[Reason, ...]:
        because = refinement.because or f"the finer label {name} fits"
        text = "; ".join((because, *_list_findings(refinement, verdict.view, verdict.matched)))
        return Reason("page type", name, text), *verdict.explain()

    return structs.replace(
        verdict,
        label=name,
        page_subtype=name if refinement.subtype else verdict.page_subtype,
        page_type=refinement.type or verdict.page_type,
        type_confidence=1.0 if refinement.type else verdict.type_confidence,
        explain=explain,
    )


def _list_findings(refinement: Refinement, page: PageView, matched: MatchedWords) -> Iterator[str]:
    """The values, title and words of the page that fulfil the conditions, for the reason."""
    for name in refinement.features:
        yield f"{name} = {PAGE_FEATURES.find(name).compute(page):.4g}"
    if refinement.title is not None:
        yield f"title {page.title.strip()!r}"
    found = list(filter(matched.has, refinement.words))
    if found:
        yield f"words {', '.join(found)}"
