"""Section `page_type`: the types of pages and what tells them apart."""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import Count, FeatureName, Pattern, Positive, Section, Share

FourTypes = Literal["content", "multi_block", "index", "no_feature"]


class PatentThresholds(Section, frozen=True, kw_only=True):
    """Thresholds of the patent's 13 attributes (A3); the first word says which, see `classify.patent_tree`."""

    largest_text_chars: Count
    largest_to_second_ratio: Positive
    second_text_chars: Count
    copyright: Pattern
    full_stop: Pattern
    text_to_link_ratio: Positive
    largest_to_link_low: Positive
    largest_to_link_high: Positive
    paragraph_chars: Count
    unclear_text_chars: Count


class PatentClassifier(Section, frozen=True, kw_only=True):
    """The patent's decision tree over its 13 attributes; its leaves are the four types."""

    thresholds: PatentThresholds
    tree: TreeNode


class Doubt(Section, frozen=True, kw_only=True):
    """Where the card is unsure of the type, the patent's tree decides between those that it tells well."""

    below: Share = 0.0
    sure: Share = 0.0
    least: Share = 0.0
    answers: tuple[FourTypes, ...] = ()


class Bounds(Section, frozen=True, kw_only=True):
    """A comparison."""

    above: float | None = None
    below: float | None = None


class Refinement(Section, frozen=True, kw_only=True):
    """A finer label for a page of one of the subtypes `of`; its name is the label."""

    of: tuple[str, ...] = ()
    features: dict[FeatureName, Bounds] = {}
    words: tuple[str, ...] = ()
    title: Pattern | None = None
    subtype: bool = False
    type: FourTypes | None = None
    because: str = ""


class PageTypeRules(Section, frozen=True, kw_only=True):
    """How a page gets its type."""

    method: Literal["card", "patent"] = "card"
    types: dict[str, FourTypes]
    no_feature_words: Count
    long_block_words: Count
    label_chars: Count
    label_count: Count
    short_chars: Count
    sample_chars: Annotated[int, Meta(ge=500)]
    same_words: dict[str, str] = {}
    refinements: dict[str, Refinement] = {}
    doubt: Doubt = Doubt()
    patent: PatentClassifier
    card: Card
