"""Sections for what is read of a page before its blocks are decided about, and for its type.

`noscript`, `script_pages`: when a page is taken from its `noscript` or the data of its scripts. `statistics`: of blocks
of the page. `concepts`, `word_points`: what words say. `prices`, `dates`: how amounts of money and dates are written,
for every stage that looks for them. `tools`: what tools that write pages call the parts of what they write.
`page_type`: the types of pages and what tells them apart. `platform`, in the files in `platforms/`: the software that a
page was made with, and the signs that tell it.

Half of the web is made with a few dozen programs, and each leaves its names in what it writes. A file in `platforms/`
says by which signs its platform is known; all else in it holds for the pages on which they are found.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import Count, Expression, FeatureName, Pattern, Positive, RuleTest, Section, Share


class NoscriptRules(Section, frozen=True, kw_only=True):
    """When the content of a `noscript`, `noframes` or template is the page: the page itself shows next to nothing.

    A frameset has no words: nothing is asked of its noframes.
    """

    running_words: Count
    min_ratio: Positive
    min_words: Count
    placeholders: tuple[str, ...]


class ScriptPages(Section, frozen=True, kw_only=True):
    """What becomes of a page that shows next to nothing until its scripts have run: its text is taken from the data of
    the scripts, or a browser renders it.
    """

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
    """Which blocks compete for largest and second-largest text block of a page (patent A3)."""

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


class WordPoints(Section, frozen=True, kw_only=True):
    """Points by word; a word that is not listed says nothing. They move a score, they never delete."""

    names: tuple[WordGroup, ...] = ()
    words: tuple[WordGroup, ...] = ()
    headings: tuple[WordGroup, ...] = ()
    changes: WordChanges = WordChanges()


class Prices(Section, frozen=True, kw_only=True):
    """What makes a number an amount of money. Read by features of blocks, page types and records."""

    signs: Annotated[str, Meta(min_length=1)]
    words_before: tuple[str, ...]
    words_after: tuple[str, ...]


class Dates(Section, frozen=True, kw_only=True):
    """How dates are written. Read by features of blocks, page types, records, and the fields of dates.

    Expressions hold placeholders: {year} {year2} {month} {day}, {name} of a month in any of the languages and {name_en}
    in one, {first} {second} (day and month in the order of the page), {day_or_month} {month_or_day} (the day first,
    unless the page says otherwise), {era} {era_year}, {hour} {minute} {sec} {offset} {zone}.
    """

    templates: tuple[str, ...]
    yearless: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    afternoon: tuple[str, ...]
    eras: dict[str, int]
    zones: dict[str, str]
    relative: tuple[Expression, ...]
    in_urls: str
    glimpses: tuple[str, ...]
    shown: tuple[str, ...]


Names = tuple[str, ...]


class Tools(Section, frozen=True, kw_only=True):
    """What highlighters, drawers of formulas, boards and makers of documentation call the parts of what they write.

    Names of classes are lower-case and are looked for in any case, between white space, `-` and `_`; one that ends in
    `*` is the beginning of a class. Parts of URLs are looked for in any case, anywhere in them.
    """

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
    code_languages: dict[str, str]
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
    formula_elements: Names
    formula_scripts: Names
    asciimath_scripts: Names
    formula_settings: Names
    asciimath_settings: Names
    picture_elements: Names
    picture_previews: Names
    picture_blanks: Names
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
