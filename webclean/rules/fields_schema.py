"""The `fields` section: where each field is looked for, in which words, and what each source is worth."""

from webclean.rules.rule_schema import Selector
from webclean.rules.section import Count, Expression, FeatureName, Section, Share

Line_ = tuple[float | None, float]


class Card(Section, frozen=True, kw_only=True):
    """Points of each feature: a number (times the feature's value) or lines [below, points], the last one [null,
    points]. cut: a candidate with fewer points in all is no answer.
    """

    cut: float = 0.0
    points: dict[FeatureName, float | tuple[Line_, ...]] = {}


class TitleRules(Section, frozen=True, kw_only=True):
    """Title.

    separators: what stands between the parts of a `title` element. metas: meta names that give a title.
    site_name_metas: meta names that give the site's name. site_types: JSON-LD types that are a site.
    subject_roles: JSON-LD keys that lead to what the page is about. headline_types: types whose headline counts.
    headline_keys: JSON-LD keys that hold a headline. reference_roles: JSON-LD keys that lead to other things, whose
    headlines do not count. properties: microdata properties that give a title. n_subheadings: how many headings below
    the first level are candidates. min_shown_chars: shorter text blocks are no candidates, though `<title>` holds them.
    selectors: tried before all other sources.
    """

    separators: tuple[Expression, ...]
    metas: tuple[str, ...]
    site_name_metas: tuple[str, ...]
    site_types: tuple[str, ...]
    subject_roles: tuple[str, ...]
    headline_types: tuple[str, ...]
    headline_keys: tuple[str, ...]
    reference_roles: tuple[str, ...]
    properties: tuple[str, ...]
    n_subheadings: Count = 3
    min_shown_chars: Count = 6
    card: Card = Card()
    selectors: tuple[Selector, ...] = ()


class DateRules(Section, frozen=True, kw_only=True):
    """Published and modified date.

    earliest: days before it are no answer. templates: expressions that read a day. yearless: expressions that read a
    day without its year, for days that something else states. times: expressions that read a time of day. afternoon:
    words that add twelve hours.
    month_first_languages, day_first_regions: languages that write the month first in 3/4/2024, and their regions that
    do not. published_words, modified_words: words in classes and properties. metas_published, metas_modified: meta
    names. metas_pattern: other meta names that may give a date; the words of the name say which. json_ld_published,
    json_ld_modified: JSON-LD keys, the best one first. json_ld_reference_roles: JSON-LD keys that lead to other things,
    whose dates do not count. properties_published, properties_modified: microdata properties.
    published_labels, modified_labels, other_labels: what is searched in the characters before a date: published,
    modified, or something else. far: elements from the title at which a date that is shown again says nothing of the
    one that a meta element states. rows_above, rows_below: elements from the title within which texts are searched
    for dates with a year; max_chars: how much of each. selectors: tried before all other sources.
    """

    earliest: str
    templates: tuple[str, ...]
    yearless: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    eras: dict[str, int]
    zones: dict[str, str]
    afternoon: tuple[str, ...]
    relative: dict[Expression, float]
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
    properties_published: tuple[str, ...]
    properties_modified: tuple[str, ...]
    published_labels: Expression
    modified_labels: Expression
    other_labels: Expression
    far: int
    rows_above: Count
    rows_below: Count
    max_chars: Count
    card: Card = Card()
    modified_card: Card = Card()
    selectors: tuple[Selector, ...] = ()


class AuthorRules(Section, frozen=True, kw_only=True):
    """Author or authors.

    metas: meta names that give an author. card_labels: labels of a shared card that announce one. json_ld_keys:
    JSON-LD keys that hold one. json_ld_reference_roles: JSON-LD keys that lead to other things, whose authors do not
    count. properties: microdata properties. author_urls, user_urls: links to an author, to a user. author_classes,
    user_classes: classes of an author, of a user. rows_above, rows_below: elements from the title within which links
    count; lines_above, lines_below: within which the class of an element inside a line of text does. byline: a text
    that is a byline. byline_inside: a byline inside a text. byline_words: lower-case words that each of them holds, in
    scripts that set words apart. byline_chars: longer texts have none. signatures: the names, as first group, in the
    set forms in which East Asian newspapers sign. signature_words: what each of them holds. signature_languages:
    languages of pages that may have one. comment_classes: classes of comments. prefixes: what is cut off the front of
    a name. cuts: where a name ends. collective: names of an editorial office or an agency. joiners: what stands between
    the names of several authors. no_names: texts that are no name. never_names: texts that never hold one. selectors:
    tried before all other sources.
    """

    metas: tuple[str, ...]
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
    """Site name. metas: meta names, in order. json_ld_roles: JSON-LD keys that lead to the site. max_chars: longer
    texts are no name."""

    metas: tuple[str, ...]
    json_ld_roles: tuple[str, ...]
    max_chars: Count


class MetaRules(Section, frozen=True, kw_only=True):
    """A field read off meta elements first. metas: names, in order. confidence: how sure the first one is."""

    metas: tuple[str, ...] = ()
    confidence: Share


class KeywordRules(MetaRules, frozen=True, kw_only=True):
    """Keywords. metas: names, in order. confidence: how sure the first one is. max_chars: longer texts are none."""

    max_chars: Count


class LicenceRules(MetaRules, frozen=True, kw_only=True):
    """Licence. metas: names, in order. confidence: how sure the first one is. hosts: what a link to a licence holds."""

    hosts: tuple[str, ...]


class LinkedPageRules(MetaRules, frozen=True, kw_only=True):
    """Another page of the same text. metas: names, in order. confidence: how sure the first one is. link_text: the
    whole text of a link to it. selectors: of the link, tried before all other sources."""

    link_text: Expression
    selectors: tuple[Selector, ...] = ()


class ImageRules(MetaRules, frozen=True, kw_only=True):
    """Images. metas: names of the main image, in order. confidence: how sure the first one is. attributes: where the
    URL is looked for, in order. min_pixels: smaller ones are icons. rows_before: elements before the first kept block
    that may hold the lead image."""

    attributes: tuple[str, ...]
    min_pixels: Count
    rows_before: Count


class FieldRules(Section, frozen=True, kw_only=True):
    """All fields.

    page_kinds: kind of page -> schema.org types that say so. page_paths: kind -> words of a URL's path.
    """

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
