"""The type of a page: `Verdict` while it may still change, `Classification` as the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import structs

from webclean.caching import cached_property
from webclean.classify.words import MatchedWords
from webclean.model import Decision, PageType, Reason

Explainer = Callable[[], tuple[Reason, ...]]


def choose_subtype(probabilities: Mapping[str, float], types: Mapping[str, str]) -> str:
    """The most probable subtype of the most probable type, so that type and subtype always agree."""
    sums = sum_types(probabilities, types)
    best = max(sums, key=sums.__getitem__)
    return max((name for name in probabilities if types[name] == best), key=probabilities.__getitem__)


def sum_types(probabilities: Mapping[str, float], types: Mapping[str, str]) -> dict[str, float]:
    """Type -> probability, from the probabilities of its subtypes."""
    sums: dict[str, float] = {}
    for name, probability in probabilities.items():
        sums[types[name]] = sums.get(types[name], 0.0) + probability
    return sums


class Classification(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The type and subtype of a page.

    page_type: a `PageType`. page_subtype: a name of `page_type.types`, or None. Their confidence is the probability.
    label: the most specific name, such as `blog`; the subtype where no refinement applies. probabilities: subtype ->
    probability; they sum to 1. explain: computes the reasons, which `reasons` caches.
    """

    page_type: Decision
    page_subtype: Decision
    label: str | None
    probabilities: Mapping[str, float]
    explain: Explainer

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why, the most important first."""
        return self.explain()

    @cached_property
    def ranking(self) -> tuple[tuple[str, float], ...]:
        """(subtype, probability), the most probable first: the second is the runner-up."""
        return tuple(sorted(self.probabilities.items(), key=lambda item: -item[1]))


def classify_other(kind: str) -> Classification:
    """The classification of what is not HTML: type `no_feature`, no subtype, no probabilities."""
    reason = Reason("input", "kind", "nothing in it" if kind == "empty" else f"{kind} is not HTML")
    return Classification(Decision(PageType.NO_FEATURE), Decision(None), None, {}, lambda: (reason,))


class Verdict(msgspec.Struct, frozen=True, eq=False):
    """A type and subtype that later steps may still change.

    whole: `core.WholePage`. matched: the words of the rules that it has. explain: computes the reasons. label: as in
    `Classification`. overruled: the caller or a rule has decided, not the method.
    """

    whole: Any
    matched: MatchedWords
    page_type: str
    page_subtype: str | None
    type_confidence: float
    probabilities: Mapping[str, float]
    explain: Explainer
    label: str | None = None
    overruled: bool = False

    def override(
        self,
        page_type: str,
        subtype: str | None,
        reason: Reason,
        inside: Mapping[str, float] | None = None,
        *,
        label: str | None = None,
    ) -> Verdict:
        """This verdict with another type and subtype, and a reason before those there were.

        inside: subtype -> probability of those that are still possible, scaled here so that they sum to 1.
        """
        total = sum(inside.values()) if inside else 0.0
        if inside and total > 0:
            probabilities = {name: p / total for name, p in inside.items()}
        # the adjustments of the cards weigh by these: what the caller says is taken as sure
        elif subtype is not None and subtype in self.probabilities:
            probabilities = {name: float(name == subtype) for name in self.probabilities}
        else:
            probabilities = dict(self.probabilities)
        return structs.replace(
            self,
            page_type=page_type,
            page_subtype=subtype,
            type_confidence=1.0,
            probabilities=probabilities,
            explain=lambda: (reason, *self.explain()),
            label=label,
            overruled=True,
        )

    def classify(self) -> Classification:
        """The verdict as a result."""
        subtype = self.page_subtype
        # a finer label that is no learnt subtype is as sure as its type
        sure = 1.0 if self.overruled else self.probabilities.get(subtype or "", self.type_confidence)
        return Classification(
            Decision(PageType(self.page_type), self.type_confidence),
            Decision(subtype, sure),
            self.label or subtype,
            self.probabilities,
            self.explain,
        )
