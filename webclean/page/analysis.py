"""What the stages computed for one page."""

from __future__ import annotations

from dataclasses import dataclass, field

from webclean.classify import Classification
from webclean.features import PageColumns
from webclean.matching.conditions import PageFacts, RuleMatch
from webclean.model import BlockDecisions, Decision
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
