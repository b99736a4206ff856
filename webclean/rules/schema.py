"""The format of a rule set: one frozen struct for each section, named after the stage that reads it.

The schema modules leave `from __future__ import annotations` out: msgspec would evaluate each annotation from its text
when rules are first loaded, which is a tenth of what loading costs.
"""

from webclean.rules.card_schema import Card
from webclean.rules.decide_schema import (
    ArticlePages,
    Confidence,
    Corrections,
    Cut,
    EmptyTexts,
    Passes,
    PlainPages,
    Regions,
)
from webclean.rules.features_schema import (
    Concepts,
    Dates,
    NoscriptRules,
    Platform,
    Prices,
    ScriptPages,
    Statistics,
    Tools,
    WordPoints,
)
from webclean.rules.fields_schema import Entities, FieldRules
from webclean.rules.methods_schema import Methods
from webclean.rules.outputs_schema import Phone
from webclean.rules.page_type_schema import PageTypeRules
from webclean.rules.rule_schema import Count, Positive, Rule, Section, SectionPath, Share
from webclean.rules.segments_schema import Segments
from webclean.rules.sites_schema import GeneratedNames, Joining, Sites

__all__ = ["Card", "Count", "Positive", "RuleSet", "Section", "Share"]


class RuleSet(Section, frozen=True, kw_only=True):
    """All sections of a rule set."""

    version: int
    hash: str = ""
    replaces: tuple[SectionPath, ...] = ()
    score_card: Card
    second_card: Card = Card()
    article_card: Card = Card()
    plain_card: Card = Card()
    passes: Passes = Passes()
    plain_pages: PlainPages = PlainPages()
    article_pages: ArticlePages = ArticlePages()
    cut: Cut = Cut()
    regions: Regions = Regions()
    corrections: Corrections = Corrections()
    confidence: Confidence = Confidence()
    empty: EmptyTexts = EmptyTexts()
    word_points: WordPoints = WordPoints()
    concepts: Concepts = {}
    prices: Prices
    dates: Dates
    fields: FieldRules
    entities: Entities
    joining: Joining
    methods: Methods
    roles: Card
    segments: Segments
    splits: Card = Card()
    sections: Card = Card()
    sites: Sites
    rules: dict[str, Rule] = {}
    statistics: Statistics
    noscript: NoscriptRules
    script_pages: ScriptPages
    generated_names: GeneratedNames
    page_type: PageTypeRules
    phone: Phone
    tools: Tools
    platform: Platform | None = None
