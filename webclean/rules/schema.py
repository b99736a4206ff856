"""What a rule set may say: one frozen struct for each section, named after the stage that reads it."""

from __future__ import annotations

from webclean.rules.fields_schema import FieldRules
from webclean.rules.methods_schema import Methods
from webclean.rules.page_type_schema import PageTypeRules
from webclean.rules.parse_schema import Statistics
from webclean.rules.rule_schema import Rule
from webclean.rules.section import Count, Positive, Section, Share
from webclean.rules.semantics_schema import Semantics
from webclean.rules.sites_schema import Sites

__all__ = ["Count", "Line", "Positive", "RuleSet", "ScoreCard", "Section", "Share"]


class Line(Section, frozen=True, kw_only=True):
    """One line of a score card: `points` for values below `below` (the last line: for all the others)."""

    points: float
    below: float | None = None
    because: str = ""


class ScoreCard(Section, frozen=True, kw_only=True):
    """Points for each bin of each feature, summed; kept when the sum is over `cut`."""

    bias: float = 0.0
    cut: float = 0.0
    lines: dict[str, tuple[Line, ...]] = {}


class RuleSet(Section, frozen=True, kw_only=True):
    """All sections of a rule set."""

    version: int
    hash: str = ""
    score_card: ScoreCard
    fields: FieldRules
    methods: Methods
    semantics: Semantics
    sites: Sites
    rules: dict[str, Rule] = {}
    statistics: Statistics
    page_type: PageTypeRules
