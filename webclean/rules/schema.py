"""The format of a rule set: one frozen struct for each section, in the file of the stage that reads it.

Here stand those for several pages of one site. `joining`: when a linked page is part of the same text. `sites`: how the
templates of a site are learnt from its pages. `generated_names`: which classes and ids new rules do not stand on.

The schema modules leave `from __future__ import annotations` out: msgspec would evaluate each annotation from its text
when rules are first loaded, which is a tenth of what loading costs.
"""

from typing import Annotated

from msgspec import Meta

from webclean.rules import decide_schema, page_schema, segments_schema
from webclean.rules.card_schema import Card
from webclean.rules.rule_schema import Count, Positive, Rule, Section, SectionPath, Share

__all__ = ["Card", "Count", "Positive", "RuleSet", "Section", "Share"]


class Joining(Section, frozen=True, kw_only=True):
    max_pages: Annotated[int, Meta(ge=1, le=1_000)]
    max_bytes: Count
    max_seconds: Positive
    same_title: Share
    whole_share: Share
    repeated_words: Annotated[int, Meta(ge=1)]


Bonus = Annotated[float, Meta(ge=0)]
Malus = Annotated[float, Meta(le=0)]


class Places(Section, frozen=True, kw_only=True):
    min_pages: Annotated[int, Meta(ge=2)]
    repeated_share: Share
    repeated_points: Malus
    remarks_points: Malus
    varied_from: Share
    fact_words: Positive
    varied_points: Bonus
    listed_share: Share
    max_chars: Annotated[int, Meta(ge=1, le=1_000)]


class Sites(Section, frozen=True, kw_only=True):
    similarity: Share
    min_pages: Annotated[int, Meta(ge=2)]
    alpha: Annotated[float, Meta(ge=0)]
    min_agreement: Share
    early_pages: Count
    core_share: Share
    core_misses: Count
    outside_points: Malus
    trial_pages: Count
    count_error: Annotated[float, Meta(gt=0, le=0.1)]
    often_share: Share
    max_text_chars: Annotated[int, Meta(ge=1, le=5_000)]
    places: Places


class GeneratedNames(Section, frozen=True, kw_only=True):
    min_chars: Annotated[int, Meta(ge=2)]
    switches: Annotated[int, Meta(ge=1)]
    max_digits: Annotated[int, Meta(ge=1)]
    vowelless: Annotated[int, Meta(ge=2)]
    pieces: Annotated[int, Meta(ge=2)]
    piece_chars: Positive
    prefixes: tuple[str, ...]


class RuleSet(Section, frozen=True, kw_only=True):
    """All sections of a rule set."""

    version: int
    hash: str = ""
    replaces: tuple[SectionPath, ...] = ()
    score_card: Card
    second_card: Card = Card()
    article_card: Card = Card()
    plain_card: Card = Card()
    passes: decide_schema.Passes = decide_schema.Passes()
    plain_pages: decide_schema.PlainPages = decide_schema.PlainPages()
    article_pages: decide_schema.ArticlePages = decide_schema.ArticlePages()
    cut: decide_schema.Cut = decide_schema.Cut()
    regions: decide_schema.Regions = decide_schema.Regions()
    corrections: decide_schema.Corrections = decide_schema.Corrections()
    confidence: decide_schema.Confidence = decide_schema.Confidence()
    empty: decide_schema.EmptyTexts = decide_schema.EmptyTexts()
    word_points: page_schema.WordPoints = page_schema.WordPoints()
    concepts: page_schema.Concepts = {}
    prices: page_schema.Prices
    dates: page_schema.Dates
    fields: page_schema.FieldRules
    entities: page_schema.Entities
    joining: Joining
    methods: decide_schema.Methods
    roles: Card
    segments: segments_schema.Segments
    splits: Card = Card()
    sections: Card = Card()
    sites: Sites
    rules: dict[str, Rule] = {}
    statistics: page_schema.Statistics
    noscript: page_schema.NoscriptRules
    script_pages: page_schema.ScriptPages
    generated_names: GeneratedNames
    page_type: page_schema.PageTypeRules
    phone: segments_schema.Phone
    tools: page_schema.Tools
    platform: page_schema.Platform | None = None
