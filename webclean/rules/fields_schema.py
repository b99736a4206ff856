"""Sections `fields` and `entities`.

`fields`: where each field is looked for, in which words, and what each source is worth. `entities`: what a page states
of the one thing that it is about, after the vocabulary of https://schema.org.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import Count, Expression, Positive, Section, Selector, Share


class TitleRules(Section, frozen=True, kw_only=True):
    """Title: where it is looked for."""

    separators: tuple[Expression, ...]
    labels: Expression
    ends: Expression
    metas: tuple[str, ...]
    site_name_metas: tuple[str, ...]
    site_types: tuple[str, ...]
    subject_roles: tuple[str, ...]
    headline_types: tuple[str, ...]
    headline_keys: tuple[str, ...]
    reference_roles: tuple[str, ...]
    properties: tuple[str, ...]
    classes: Expression
    n_subheadings: Count = 3
    min_shown_chars: Count = 6
    prominent_ratio: Positive = 1.3
    prominent_chars: Count = 120
    prominent_blocks: Count = 60
    max_css_chars: Count = 100_000
    method: Literal["card", "tree"] = "card"
    tree_chars: Count = 150
    tree_texts: Count = 300
    tree: TreeNode
    card: Card = Card()
    selectors: tuple[Selector, ...] = ()


class DateRules(Section, frozen=True, kw_only=True):
    """Published and modified date: where they are looked for. How dates are written stands in `dates`."""

    earliest: str
    month_first_languages: tuple[str, ...]
    day_first_regions: tuple[str, ...]
    thread_days: Count
    published_words: tuple[str, ...]
    modified_words: tuple[str, ...]
    metas_published: tuple[str, ...]
    metas_modified: tuple[str, ...]
    metas_pattern: str
    json_ld_published: tuple[str, ...]
    json_ld_modified: tuple[str, ...]
    json_ld_reference_roles: tuple[str, ...]
    json_ld_page_types: tuple[str, ...]
    properties_published: tuple[str, ...]
    properties_modified: tuple[str, ...]
    attributes: tuple[str, ...]
    published_labels: Expression
    modified_labels: Expression
    other_labels: Expression
    rows_above: Count
    rows_below: Count
    max_chars: Count
    card: Card = Card()
    modified_card: Card = Card()
    selectors: tuple[Selector, ...] = ()


class AuthorRules(Section, frozen=True, kw_only=True):
    """Author or authors: where they are looked for and what a name looks like."""

    metas: tuple[str, ...]
    metas_inverted: tuple[str, ...]
    card_labels: Expression
    json_ld_keys: tuple[str, ...]
    json_ld_reference_roles: tuple[str, ...]
    properties: tuple[str, ...]
    author_urls: Expression
    user_urls: Expression
    author_classes: Expression
    user_classes: Expression
    rows_above: Count
    rows_below: Count
    lines_above: Count
    lines_below: Count
    byline: Expression
    byline_inside: Expression
    byline_words: tuple[str, ...]
    byline_chars: Count
    signatures: tuple[Expression, ...]
    signature_words: Expression
    signature_languages: tuple[str, ...]
    comment_classes: Expression
    prefixes: Expression
    cuts: Expression
    collective: Expression
    joiners: Expression
    no_names: Expression
    never_names: Expression
    card: Card = Card()
    selectors: tuple[Selector, ...] = ()


class SiteNameRules(Section, frozen=True, kw_only=True):
    """Site name: where it is looked for."""

    metas: tuple[str, ...]
    json_ld_roles: tuple[str, ...]
    max_chars: Count


class MetaRules(Section, frozen=True, kw_only=True):
    """A field read off meta elements first."""

    metas: tuple[str, ...] = ()
    confidence: Share


class PriceRules(MetaRules, frozen=True, kw_only=True):
    """Price, on the page of one thing that is sold: JSON-LD first, then meta elements, microdata, the text."""

    others: Expression
    free: Expression
    currency_metas: tuple[str, ...] = ()
    product_types: tuple[str, ...] = ()
    part_roles: tuple[str, ...] = ()
    other_roles: tuple[str, ...] = ()
    offer_types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    blocks_below: Count = 30
    blocks_above: Count = 0
    text_chars: Count = 60


class FactRules(MetaRules, frozen=True, kw_only=True):
    """A fact of the one thing that is sold: declared by the page where a text shows it, else found in the text."""

    shown: Expression
    contrary: Expression = ""
    blocks_below: Count
    text_chars: Count


class KeywordRules(MetaRules, frozen=True, kw_only=True):
    """Keywords, read off meta elements."""

    max_chars: Count


class LicenceRules(MetaRules, frozen=True, kw_only=True):
    """Licence, read off meta elements and links."""

    hosts: tuple[str, ...]


class LinkedPageRules(MetaRules, frozen=True, kw_only=True):
    """Link to another page of the same text."""

    link_text: Expression
    selectors: tuple[Selector, ...] = ()


class ImageRules(MetaRules, frozen=True, kw_only=True):
    """Images.

    metas: names of meta elements that give the main image, in order.
    """

    attributes: tuple[str, ...]
    min_pixels: Count
    rows_before: Count


class FieldRules(Section, frozen=True, kw_only=True):
    """Title, date, author and the other fields: where they are looked for and what each source is worth."""

    page_kinds: dict[str, tuple[str, ...]]
    page_paths: dict[str, tuple[str, ...]] = {}
    title: TitleRules
    date: DateRules
    author: AuthorRules
    site_name: SiteNameRules
    description: MetaRules
    canonical: MetaRules
    keywords: KeywordRules
    section: MetaRules
    licence: LicenceRules
    next_page: LinkedPageRules
    single_page: LinkedPageRules
    images: ImageRules
    price: PriceRules
    rating: FactRules
    availability: FactRules


Path = Annotated[str, Meta(pattern=r"^[A-Za-z]\w*(\.[A-Za-z]\w*)*$")]
"""Properties of schema.org that follow each other: `offers.price`."""


class EntityList(Section, frozen=True, kw_only=True):
    """A property with several values, as rows of named texts."""

    path: Path | None = None
    of: tuple[str, ...] = ()
    columns: dict[str, tuple[Path, ...]] = {}


class EntityKind(Section, frozen=True, kw_only=True):
    """One kind of thing."""

    types: tuple[str, ...]
    properties: dict[str, tuple[Path, ...]]
    metas: dict[str, tuple[str, ...]] = {}
    fields: dict[str, str] = {}
    lists: dict[str, EntityList] = {}
    page_subtypes: tuple[str, ...] = ()


class Entities(Section, frozen=True, kw_only=True):
    """Things that a page may be about, each a field of `page.fields`."""

    other_roles: tuple[str, ...] = ()
    confidence: Share = 0.8
    max_rows: Count = 200
    fact_rows: Count = 3
    fact_chars: Count = 60
    product: EntityKind
    recipe: EntityKind
    event: EntityKind
    job_posting: EntityKind
    discussion: EntityKind
