"""The `fields` section: where each field is looked for, in which words, and what each piece of evidence is worth."""

from __future__ import annotations

from webclean.rules.section import Count, Section, Share

Line_ = tuple[float | None, float]


class Card(Section, frozen=True, kw_only=True):
    """Points of each feature: a number (times the feature's value) or lines [below, points], the last one [null,
    points]."""

    cut: float = 0.0
    points: dict[str, float | tuple[Line_, ...]] = {}


class TitleRules(Section, frozen=True, kw_only=True):
    """Title."""

    separators: tuple[str, ...]
    metas: tuple[str, ...]
    site_name_metas: tuple[str, ...]
    site_types: tuple[str, ...]
    subject_roles: tuple[str, ...]
    headline_types: tuple[str, ...]
    headline_keys: tuple[str, ...]
    reference_roles: tuple[str, ...]
    properties: tuple[str, ...]
    n_subheadings: Count = 3
    card: Card = Card()
    selectors: tuple[str, ...] = ()


class DateRules(Section, frozen=True, kw_only=True):
    """Published and modified date."""

    earliest: str
    hint: str
    templates: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    eras: dict[str, int]
    zones: dict[str, str]
    afternoon: tuple[str, ...]
    relative: dict[str, float]
    month_first_languages: tuple[str, ...]
    day_first_regions: tuple[str, ...]
    published_words: tuple[str, ...]
    modified_words: tuple[str, ...]
    metas_published: tuple[str, ...]
    metas_modified: tuple[str, ...]
    json_ld_published: tuple[str, ...]
    json_ld_modified: tuple[str, ...]
    json_ld_reference_roles: tuple[str, ...]
    properties_published: tuple[str, ...]
    properties_modified: tuple[str, ...]
    published_labels: str
    modified_labels: str
    other_labels: str
    card: Card = Card()
    modified_card: Card = Card()
    selectors: tuple[str, ...] = ()


class AuthorRules(Section, frozen=True, kw_only=True):
    """Author or authors."""

    metas: tuple[str, ...]
    card_labels: str
    json_ld_keys: tuple[str, ...]
    json_ld_reference_roles: tuple[str, ...]
    properties: tuple[str, ...]
    author_urls: str
    user_urls: str
    url_hints: tuple[str, ...]
    class_hints: tuple[str, ...]
    author_classes: str
    user_classes: str
    byline: str
    byline_inside: str
    prefixes: str
    cuts: str
    collective: str
    no_names: str
    never_names: str
    card: Card = Card()
    selectors: tuple[str, ...] = ()


class SiteNameRules(Section, frozen=True, kw_only=True):
    """Site name."""

    metas: tuple[str, ...]
    json_ld_roles: tuple[str, ...]
    max_chars: Count


class MetaRules(Section, frozen=True, kw_only=True):
    """A field read off meta elements first: names in order, and how sure the first one is."""

    metas: tuple[str, ...] = ()
    confidence: Share


class KeywordRules(MetaRules, frozen=True, kw_only=True):
    """Keywords."""

    max_chars: Count


class LicenceRules(MetaRules, frozen=True, kw_only=True):
    """Licence; hosts: what a link to a licence holds."""

    hosts: tuple[str, ...]


class NextPageRules(MetaRules, frozen=True, kw_only=True):
    """Next page; link_text: the whole text of a link to it."""

    link_text: str
    selectors: tuple[str, ...] = ()


class ImageRules(MetaRules, frozen=True, kw_only=True):
    """Images. attributes: where the URL is looked for, in order. min_pixels: smaller ones are icons. rows_before:
    elements
    before the first kept block that may hold the lead image."""

    attributes: tuple[str, ...]
    min_pixels: Count
    rows_before: Count


class FieldRules(Section, frozen=True, kw_only=True):
    """All fields."""

    page_kinds: dict[str, tuple[str, ...]]
    title: TitleRules
    date: DateRules
    author: AuthorRules
    site_name: SiteNameRules
    description: MetaRules
    canonical: MetaRules
    keywords: KeywordRules
    section: MetaRules
    licence: LicenceRules
    next_page: NextPageRules
    images: ImageRules
