"""Sections for what is read of a page before its blocks are decided about, for its type and its fields.

`noscript`, `script_pages`: when a page is taken from its `noscript` or the data of its scripts. `statistics`: of blocks
of the page. `concepts`, `word_points`: what words say. `prices`, `dates`: how amounts of money and dates are written,
for every stage that looks for them. `tools`: what tools that write pages call the parts of what they write.
`page_type`: the types of pages and what tells them apart. `platform`, in the files in `platforms/`: the software that a
page was made with, and the signs that tell it. `fields`: where each field is looked for, in which words, and what each
source is worth. `entities`: what a page states of the one thing that it is about, after the vocabulary of
https://schema.org.

Half of the web is made with a few dozen programs, and each leaves its names in what it writes. A file in `platforms/`
says by which signs its platform is known; all else in it holds for the pages on which they are found.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import (
    Count,
    Expression,
    FeatureName,
    Pattern,
    Positive,
    Range,
    RuleTest,
    Section,
    Share,
)


class NoscriptRules(Section, frozen=True, kw_only=True):
    running_words: Count
    min_ratio: Positive
    min_words: Count
    placeholders: tuple[str, ...]


class ScriptPages(Section, frozen=True, kw_only=True):
    max_visible_words: Count
    min_words: Count
    min_ratio: Positive
    text_keys: tuple[str, ...]
    part_words: Count
    blank_words: Count
    short_share: Share
    bracket_tags: dict[str, str]
    address_tags: dict[str, str]
    render: Literal["when_empty", "always", "never"]


class Statistics(Section, frozen=True, kw_only=True):
    block_tags: tuple[str, ...]
    min_chars: Count
    text_ratio: Positive


Concepts = dict[str, dict[str, str]]
"""Concept -> ISO 639 language code -> lower-case words and phrases, separated by commas."""


class WordGroup(Section, frozen=True, kw_only=True):
    """Lower-case words that give the same points."""

    points: float
    words: str


class WordChanges(Section, frozen=True, kw_only=True):
    """Points of single words, over those of the groups: 0 silences a word. They move a score, they never delete."""

    names: dict[str, float] = {}
    words: dict[str, float] = {}
    headings: dict[str, float] = {}


class WordPoints(Section, frozen=True, kw_only=True, omit_defaults=True):
    names: tuple[WordGroup, ...] = ()
    words: tuple[WordGroup, ...] = ()
    headings: tuple[WordGroup, ...] = ()
    changes: WordChanges = WordChanges()


class Prices(Section, frozen=True, kw_only=True):
    signs: Annotated[str, Meta(min_length=1)]
    words_before: tuple[str, ...]
    words_after: tuple[str, ...]


class Dates(Section, frozen=True, kw_only=True):
    templates: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    afternoon: tuple[str, ...]
    eras: dict[str, int]
    zones: dict[str, str]
    in_urls: str
    glimpses: tuple[str, ...]
    shown: tuple[str, ...]


Names = tuple[str, ...]


class Tools(Section, frozen=True, kw_only=True):
    line_numbers: Names
    line_keepers: Names
    code_extras: Names
    code_blocks: Names
    code_elements: Names
    code_displays: Names
    code_labels: Names
    code_lines: Names
    language_classes: Names
    language_attributes: Names
    code_languages: Names
    no_languages: Names
    callouts: Names
    callout_kinds: Names
    callout_attributes: Names
    callout_titles: Names
    comments: Names
    comment_heads: Names
    text_extras: Names
    notes: Names
    note_references: Names
    note_texts: Names
    note_headings: Names
    formula_attributes: Names
    formula_texts: Names
    formula_entries: Names
    formula_elements: Names
    formula_scripts: Names
    asciimath_scripts: Names
    formula_settings: Names
    asciimath_settings: Names
    picture_elements: Names
    picture_previews: Names
    picture_blanks: Names
    picture_icons: Names
    formula_images: Names
    formula_sources: Names
    formula_parameters: Names
    drawn_formulas: Names
    display_formulas: Names
    post_times: Names
    post_time_tips: Names
    post_authors: Names
    post_addresses: Names
    post_depths: Names


Sign = Annotated[str, Meta(min_length=3, max_length=200)]
"""Part of a text; a shorter one would occur by chance."""
Name = Annotated[str, Meta(min_length=1, max_length=200)]


class Signs(Section, frozen=True, kw_only=True):
    """Texts that a page has, by where they stand; each is a sign of its own."""

    generator: tuple[Sign, ...] = ()
    meta: tuple[Sign, ...] = ()
    name: tuple[Name, ...] = ()
    path: tuple[Sign, ...] = ()


class Platform(Section, frozen=True, kw_only=True):
    """The platform that a file in `platforms/` is about."""

    name: Annotated[str, Meta(min_length=1)]
    surely: Signs = Signs()
    likely: Signs = Signs()
    runs_on: tuple[str, ...] = ()
    tests: tuple[RuleTest, ...] = ()


FourTypes = Literal["content", "multi_block", "index", "no_feature"]


class PatentThresholds(Section, frozen=True, kw_only=True):
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
    thresholds: PatentThresholds
    tree: TreeNode


class Doubt(Section, frozen=True, kw_only=True):
    below: Share = 0.0
    sure: Share = 0.0
    least: Share = 0.0
    answers: tuple[FourTypes, ...] = ()


class Refinement(Section, frozen=True, kw_only=True):
    """A finer label for a page of one of the subtypes `of`; its name is the label."""

    of: tuple[str, ...] = ()
    features: dict[FeatureName, Range] = {}
    words: tuple[str, ...] = ()
    title: Pattern | None = None
    subtype: bool = False
    type: FourTypes | None = None
    because: str = ""


class PageTypeRules(Section, frozen=True, kw_only=True):
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


class TitleRules(Section, frozen=True, kw_only=True):
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
    max_headline_chars: Count = 120
    max_css_chars: Count = 100_000
    method: Literal["card", "tree"] = "card"
    tree_chars: Count = 150
    tree_texts: Count = 300
    tree: TreeNode
    card: Card = Card()


class DateRules(Section, frozen=True, kw_only=True):
    earliest: str
    month_first_languages: tuple[str, ...]
    day_first_regions: tuple[str, ...]
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


class AuthorRules(Section, frozen=True, kw_only=True):
    metas: tuple[str, ...]
    metas_inverted: tuple[str, ...]
    metas_labelled: dict[str, str]
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


class SiteNameRules(Section, frozen=True, kw_only=True):
    metas: tuple[str, ...]
    json_ld_roles: tuple[str, ...]
    max_chars: Count


class MetaRules(Section, frozen=True, kw_only=True):
    """A field read off meta elements first."""

    metas: tuple[str, ...] = ()
    confidence: Share


class PriceRules(MetaRules, frozen=True, kw_only=True):
    others: Expression
    currency_metas: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    blocks_below: Count = 30
    blocks_above: Count = 0
    headed_below: Count = 4
    text_chars: Count = 60


class FactRules(MetaRules, frozen=True, kw_only=True):
    """A fact of the one thing that is sold: declared by the page where a text shows it, else found in the text."""

    shown: Expression
    contrary: Expression = ""
    blocks_below: Count
    text_chars: Count


class KeywordRules(MetaRules, frozen=True, kw_only=True):
    max_chars: Count


class LicenceRules(MetaRules, frozen=True, kw_only=True):
    hosts: tuple[str, ...]


class LinkedPageRules(MetaRules, frozen=True, kw_only=True):
    """Link to another page of the same text."""

    link_text: Expression


class ImageRules(MetaRules, frozen=True, kw_only=True):
    """Images.

    metas: names of meta elements that give the main image, in order.
    """

    attributes: tuple[str, ...]
    min_pixels: Count
    rows_before: Count


class FieldRules(Section, frozen=True, kw_only=True):
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
