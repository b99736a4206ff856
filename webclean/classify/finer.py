"""Finer labels than the subtypes that are learnt: blog, portal, navigation, login, error.

Each is a hand-written rule over the same evidence. A label refines the subtype; only a rule that says so replaces it,
and never one that the caller or a rule gave.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from webclean.blocks.match import compile_pattern
from webclean.classify.classification import Verdict
from webclean.classify.evidence import EVIDENCE, PageMaterial, Spoken, check_evidence
from webclean.model import Reason
from webclean.rules import RuleSet
from webclean.rules.page_type_schema import Finer


def refine_verdict(verdict: Verdict, rules: RuleSet) -> Verdict:
    """The first finer label whose conditions hold, or the verdict as it was."""
    if verdict.label is not None:
        return verdict
    for name, finer in rules.page_type.finer.items():
        is_open = not (finer.subtype and verdict.overruled) and (not finer.of or verdict.page_subtype in finer.of)
        if is_open and holds_for(finer, verdict.material, verdict.spoken):
            return _apply(verdict, name, finer)
    return verdict


def holds_for(finer: Finer, page: PageMaterial, spoken: Spoken) -> bool:
    """Whether all conditions of a finer label hold; the cheap ones are asked first."""
    for name, limits in finer.evidence.items():
        check_evidence(name, "page_type.finer")
        value = EVIDENCE[name].compute(page)
        if not (limits.above is None or value >= limits.above) or not (limits.below is None or value < limits.below):
            return False
    if finer.title is not None and not compile_pattern(finer.title).search(page.title):
        return False
    return not finer.words or any(map(spoken.has, finer.words))


def _apply(verdict: Verdict, name: str, finer: Finer) -> Verdict:
    def tell() -> tuple[Reason, ...]:
        because = finer.because or f"the finer label {name} fits"
        told = "; ".join((because, *_list_evidence(finer, verdict.material, verdict.spoken)))
        return Reason("page type", name, told), *verdict.tell()

    return replace(
        verdict,
        label=name,
        page_subtype=name if finer.subtype else verdict.page_subtype,
        page_type=finer.type or verdict.page_type,
        type_confidence=1.0 if finer.type else verdict.type_confidence,
        tell=tell,
    )


def _list_evidence(finer: Finer, page: PageMaterial, spoken: Spoken) -> Iterator[str]:
    """What the page has of each condition."""
    for name in finer.evidence:
        yield f"{name} = {EVIDENCE[name].compute(page):.4g}"
    if finer.title is not None:
        yield f"title {page.title.strip()!r}"
    found = list(filter(spoken.has, finer.words))
    if found:
        yield f"words {', '.join(found)}"
