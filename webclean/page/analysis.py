"""What the stages computed for one page, and what a part of its result may take of time and characters."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from webclean.classify import Classification
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.model import BlockDecisions, Decision, Limits, Source
from webclean.parse.limits import Budget, limit_to
from webclean.rules import RuleSet


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What the stages computed for one page: columns, page type, decisions, and the rules that were used."""

    columns: PageColumns
    rules: RuleSet
    classification: Classification
    decisions: BlockDecisions
    warnings: tuple[str, ...] = ()
    matches: tuple[RuleMatch, ...] = ()
    facts: PageFacts = field(default_factory=PageFacts)

    @property
    def page_type(self) -> Decision:
        return self.classification.page_type

    @property
    def page_subtype(self) -> Decision:
        return self.classification.page_subtype


def count_input(source: Source) -> int:
    """Bytes or characters of a page, of which there are more."""
    return max(source.n_bytes, len(source.markup))


def limit_part(limits: Limits, truncate: bool, cut: list[str], n_input: int) -> AbstractContextManager[None]:
    """A budget of its own for a part of a result: of time, and of characters by those of the page."""
    return limit_to(Budget(limits, truncate, cut, n_input=n_input))
