"""Sections `fields` and `entities`.

`fields`: where each field is looked for, in which words, and what each source is worth. `entities`: what a page states
of the one thing that it is about, after the vocabulary of https://schema.org.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import Count, Expression, Positive, Section, Selector, Share


class TitleRules(Section, frozen=True, kw_only=True):
    """Title: where it is looked for.

    separators: what stands between the parts of a `title` element, as in `Headline | Site`.
    metas: names of meta elements that give a title.
    site_name_metas: names of meta elements that give the site's name, which is cut off titles.
    site_types: JSON-LD types that are a site and not a page.
    subject_roles: JSON-LD keys that lead to what the page is about.
    headline_types: JSON-LD types whose headline counts.
    headline_keys: JSON-LD keys that hold a headline.
    reference_roles: JSON-LD keys that lead to other things, whose headlines do not count.
    properties: microdata properties that give a title.
    classes: classes of an element with a headline.
    n_subheadings: headings below the first level that are candidates, from the top. Higher: more candidates.
    min_shown_chars: characters of a text block that is a candidate because `<title>` holds it, at least. Higher: fewer
        candidates.
    prominent_ratio: on a page without h1 and h2 a text is a candidate from so many times the size of most text. Higher:
        fewer candidates.
    prominent_chars: characters of the longest such text. Higher: more candidates.
    prominent_blocks: text blocks from the top that may be one. Higher: more candidates, at some cost.
    max_css_chars: style sheets are read up to so many characters. Higher: more styles are seen, at some cost.
    method: `card` for the learnt card, `tree` for the decision tree of source C over the texts of the page alone.
    tree_chars: characters of the longest text that the tree can mark. Higher: more candidates.
    tree_texts: texts from the top that it can mark. Higher: more candidates, at some cost.
    tree: the tests, learnt; `is: title` marks a text.
    card: what each source is worth.
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
    """Published and modified date: where they are looked for. How dates are written stands in `dates`.

    earliest: days before it are no answer.
    month_first_languages: languages that write the month first in 3/4/2024.
    day_first_regions: regions of those languages that write the day first.
    thread_days: days on which the posts of a thread were written from which on their order in time tells the day from
        the month in 3/4/2024. Higher: fewer threads tell it; 0: none.
    published_words: words of classes and properties that tell of a published date.
    modified_words: words of classes and properties that tell of a modified date.
    metas_published: names of meta elements with the published date.
    metas_modified: names of meta elements with the modified date.
    metas_pattern: other names of meta elements that may give a date; the words of the name say which.
    json_ld_published: JSON-LD keys of the published date, the best one first.
    json_ld_modified: JSON-LD keys of the modified date, the best one first.
    json_ld_reference_roles: JSON-LD keys that lead to other things, whose dates do not count.
    properties_published: microdata properties of the published date.
    properties_modified: microdata properties of the modified date.
    attributes: other attributes that hold a date for machines, in ISO 8601 or in seconds since 1970.
    published_labels: searched in the 40 characters before a date: it is the published one.
    modified_labels: searched in the 40 characters before a date: it is the modified one.
    other_labels: searched in the 40 characters before a date: it is that of something else.
    far: elements from the title from which on a date that is shown again says nothing of the one in a meta element.
        Higher: dates further away count.
    rows_above: elements before the title in which texts are searched for dates. Higher: more candidates, at some cost.
    rows_below: elements after the title in which texts are searched for dates. Higher: more candidates, at some cost.
    max_chars: characters of each text that are searched, from its start. Higher: dates deep in a text are found, at
        some cost.
    card: what each source of a published date is worth.
    modified_card: the same for the modified date: the best statement of one, by points; no day without one.
    selectors: tried before all other sources.
    """

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
    properties_published: tuple[str, ...]
    properties_modified: tuple[str, ...]
    attributes: tuple[str, ...]
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
    """Author or authors: where they are looked for and what a name looks like.

    metas: names of meta elements that give an author.
    card_labels: labels of a shared card (twitter:label1 and its twitter:data1) that announce an author.
    json_ld_keys: JSON-LD keys that hold an author.
    json_ld_reference_roles: JSON-LD keys that lead to other things, whose authors do not count.
    properties: microdata properties that give an author.
    author_urls: what the URL of an author's page holds.
    user_urls: what the URL of a user's page holds.
    author_classes: classes of an element with the author.
    user_classes: classes of an element with the name of a user.
    rows_above: elements before the title in which links count. Higher: more candidates.
    rows_below: elements after the title in which links count. Higher: more candidates.
    lines_above: elements before the title in which the class of an element inside a line of text counts. Higher: more
        candidates.
    lines_below: elements after the title in which the class of an element inside a line of text counts. Higher: more
        candidates.
    byline: the start of a text that is a byline.
    byline_inside: a byline inside a text; the groups hold the names.
    byline_words: lower-case words, one of which each byline holds in scripts that set words apart: only texts with one
        are searched.
    byline_chars: a text with more characters has no byline. Higher: longer texts are searched.
    signatures: the set forms in which East Asian newspapers sign; the first group holds the names.
    signature_words: what each signature holds: only texts with it are searched.
    signature_languages: languages of pages that may have a signature.
    comment_classes: classes of comments, whose writers are not the author.
    prefixes: what is cut off the front of a name.
    cuts: where a name ends. It may hold the placeholders of `dates`, such as {name_en} for the name of a month.
    collective: names of an editorial office or an agency.
    joiners: what stands between the names of several authors, the whole of it.
    no_names: texts that are no name unless a good source gives them.
    never_names: texts that never hold a name, such as what a link to an account says, or an address.
    card: what each source is worth.
    selectors: tried before all other sources.
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
    """Site name: where it is looked for.

    metas: names of meta elements, in order.
    json_ld_roles: JSON-LD keys that lead to the site.
    max_chars: characters of the longest name. Higher: longer texts can be one.
    """

    metas: tuple[str, ...]
    json_ld_roles: tuple[str, ...]
    max_chars: Count


class MetaRules(Section, frozen=True, kw_only=True):
    """A field read off meta elements first.

    metas: names of meta elements that give it, in order.
    confidence: how sure a value is that one source gives, 0 to 1; surer where several agree. Higher: the field reports
        a higher confidence.
    """

    metas: tuple[str, ...] = ()
    confidence: Share


class PriceRules(MetaRules, frozen=True, kw_only=True):
    """Price, on the page of one thing that is sold: JSON-LD first, then meta elements, microdata, the text.

    currency_metas: names of meta elements that give its currency.
    product_types: JSON-LD types of what is sold.
    part_roles: JSON-LD keys that lead to versions of one product, which count as it.
    other_roles: JSON-LD keys that lead to other products.
    offer_types: JSON-LD types that hold its price.
    kinds: kinds of pages, `on_` by what they state, `at_` by their URL and `is_` by their subtype, on which an amount
        in the text counts.
    others: found in a text, it says that its amount is another one: postage, a rate, what is saved.
    free: all of a text that says that the thing costs nothing: the amounts below it are those of others.
    blocks_below: text blocks below the title in which it is looked for. Higher: amounts further down count.
    blocks_above: text blocks above the title in which it is looked for then. Higher: amounts further up count.
    text_chars: characters of the longest text that shows it. Higher: longer ones count.
    """

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
    """A fact of the one thing that is sold: JSON-LD, meta elements and microdata, where a text shows it; else the text.

    shown: finds the fact in a text; of a rating, the groups `value` and `best`.
    blocks_below: text blocks below the title that may show it. Higher: texts further down count.
    text_chars: characters of the longest such text. Higher: longer ones count.
    """

    shown: Expression
    blocks_below: Count
    text_chars: Count


class KeywordRules(MetaRules, frozen=True, kw_only=True):
    """Keywords, read off meta elements.

    max_chars: characters of the longest keyword. Higher: longer texts can be one.
    """

    max_chars: Count


class LicenceRules(MetaRules, frozen=True, kw_only=True):
    """Licence, read off meta elements and links.

    hosts: what the URL of a link to a licence holds.
    """

    hosts: tuple[str, ...]


class LinkedPageRules(MetaRules, frozen=True, kw_only=True):
    """Link to another page of the same text.

    link_text: the whole text of a link to it, or its label.
    selectors: of the link, tried before all other sources.
    """

    link_text: Expression
    selectors: tuple[Selector, ...] = ()


class ImageRules(MetaRules, frozen=True, kw_only=True):
    """Images.

    metas: names of meta elements that give the main image, in order.
    attributes: attributes of `img` that hold the URL, in order, here and in Markdown and HTML: before `src` those of
        pages that load images late and keep a placeholder in it.
    min_pixels: images declared narrower or lower are icons. Higher: fewer images.
    rows_before: elements before the first kept block that may hold the lead image. Higher: images further up count.
    """

    attributes: tuple[str, ...]
    min_pixels: Count
    rows_before: Count


class FieldRules(Section, frozen=True, kw_only=True):
    """Title, date, author and the other fields: where they are looked for and what each source is worth.

    page_kinds: kind of page -> schema.org types by which a page says so.
    page_paths: kind of page -> words of a URL's path that say so.
    description: the page's description.
    canonical: the page's own URL.
    section: the section of the site that the page is in.
    next_page: link to the next part of the text.
    single_page: link to the page that shows all parts of the text.
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
    price: PriceRules
    rating: FactRules
    availability: FactRules


Path = Annotated[str, Meta(pattern=r"^[A-Za-z]\w*(\.[A-Za-z]\w*)*$")]
"""Properties of schema.org that follow each other: `offers.price`."""


class EntityList(Section, frozen=True, kw_only=True):
    """A property with several values, as rows of named texts.

    path: leads to the values.
    of: types of the values, wherever the page states them, in place of a path.
    columns: column -> paths from a value to its text, of which the first that leads to one counts; `text` alone is the
        value itself.
    """

    path: Path | None = None
    of: tuple[str, ...] = ()
    columns: dict[str, tuple[Path, ...]] = {}


class EntityKind(Section, frozen=True, kw_only=True):
    """One kind of thing.

    types: of schema.org, by which a page states it.
    properties: property -> paths to it, of which the first that leads to a text counts.
    metas: property -> names of meta elements that say it, after other statements.
    fields: property -> field of the page that shows it, after all statements.
    lists: property -> its values.
    page_subtypes: subtypes of pages that are of one, though they do not state it: what `metas` and `fields` say counts.
    """

    types: tuple[str, ...]
    properties: dict[str, tuple[Path, ...]]
    metas: dict[str, tuple[str, ...]] = {}
    fields: dict[str, str] = {}
    lists: dict[str, EntityList] = {}
    page_subtypes: tuple[str, ...] = ()


class Entities(Section, frozen=True, kw_only=True):
    """Things that a page may be about, each a field of `page.fields`.

    other_roles: properties that lead to other things than the one that the page is about.
    confidence: how sure a value is that one source gives, 0 to 1; surer where several agree. Higher: fields report a
        higher confidence.
    max_rows: rows of a list, at most. Higher: longer lists are whole.
    fact_rows: rows of a table of two columns, or terms with definitions, that are specifications. Higher: fewer are.
    fact_chars: characters of the longest name of a specification. Higher: longer texts are names.
    """

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
