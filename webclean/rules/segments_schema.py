"""Sections for the parts of a page.

`segments`: how structure blocks become semantic blocks, and what those are for (patent A4, A7). `phone`: how a page is
laid out for a small screen.
"""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.decide_schema import TypeShares
from webclean.rules.rule_schema import Count, Pattern, Section, Share, cached_per_rule_set


class Keep(Section, frozen=True, kw_only=True):
    noise: tuple[str, ...]
    exclude: tuple[str, ...]
    beside: tuple[str, ...]
    hidden: bool = False
    index_noise: Share = 1.0
    index_importance: Share
    beside_importance: Share
    text_weight: float
    cut: float


class Records(Section, frozen=True, kw_only=True):
    min_units: Annotated[int, Meta(ge=2)]
    agreement: Share
    entries: Share
    coverage: Share
    nested_coverage: Share
    headline_share: Share
    headline_chars: Count
    link_share: Share
    index_units: Annotated[int, Meta(ge=2)]
    index_link_density: Share
    teaser_chars: Count
    teaser_units: Count
    teaser_coverage: Share
    cells_alike: Share
    index_from: tuple[str, ...]
    roles: tuple[str, ...]
    story_roles: tuple[str, ...]
    summary_bytes: Count
    name_bytes: Count
    menu_bytes: Count
    menu_links: Annotated[int, Meta(ge=2)]
    header_links: tuple[Count, Count]
    author_chars: Count
    title_chars: Count
    image_attributes: tuple[str, ...]
    age: Pattern
    time_of_day: Pattern
    date_names: Pattern
    other_date: Pattern
    other_title: Pattern
    title_label: Pattern
    byline_end: Pattern
    section_headings: Annotated[int, Meta(ge=2)]
    tabs: dict[Literal["names", "states"], Pattern]
    buttons: dict[str, Pattern]
    leads: dict[str, Pattern]
    no_price: Pattern
    other_price: dict[Literal["names", "usual", "paid", "before", "behind"], Pattern]
    advertised: dict[Literal["text", "names"], Pattern]
    counts: dict[str, Pattern]


class PostSearch(Section, frozen=True, kw_only=True):
    page_types: tuple[str, ...]
    units: Annotated[int, Meta(ge=2)]
    dated: Share
    signed: Share
    said: Share
    headed: Share
    link_share: Share
    words: Count
    title_chars: Count
    close: Share
    clear: float
    as_many: Share
    date_chars: Count
    authors: str
    named: Pattern
    states: Pattern
    people: Pattern
    ages: Pattern
    name_chars: Count
    by_line: Pattern
    labels: Pattern


class Titles(Section, frozen=True, kw_only=True):
    words: Count
    chars: Count
    lines: Count
    entries: Annotated[int, Meta(ge=1)]
    levels: Count
    name_bytes: Count
    name_words: Count
    refused: Pattern
    ends: Pattern
    leading: Pattern

    def is_name(self, text: str) -> bool:
        """Whether a text is as short as the name of a section."""
        return len(text.encode()) <= self.name_bytes and len(text.split()) <= self.name_words


class SectionChoice(Section, frozen=True, kw_only=True):
    chars: Count
    share: Share
    close: Annotated[float, Meta(gt=0.5, le=1)]
    least_gain: Share
    enough: Share
    most: Annotated[int, Meta(ge=1)]
    group_share: Share
    group_chance: Share


class Urls(Section, frozen=True, kw_only=True):
    centre_share: Share
    people: tuple[str, ...]
    markers: dict[str, float]


class Importance(Section, frozen=True, kw_only=True):
    size: float
    position: float
    regularity: float
    markers: float
    full_urls: Annotated[int, Meta(ge=1)]
    lead: float = 0.0
    roles: dict[str, float]


class IndexPages(Section, frozen=True, kw_only=True):
    """What of a page of several parts is its text (patent A6, A7)."""

    likely: Share
    unsure: Share
    lists: tuple[str, ...]
    sure: float
    reach: float
    plain_reach: float
    text_reach: float
    counts: TypeShares
    by_importance: bool = False


class Frontier(Section, frozen=True, kw_only=True):
    anchor: float
    neighbours: float
    window: Count
    record: float
    heading: float
    block: float
    url: float
    importance: float
    noise: tuple[str, ...]
    noise_share: Share
    topic_terms: Annotated[int, Meta(ge=1)]


class Segments(Section, frozen=True, kw_only=True):
    keep: Keep
    records: Records
    posts: PostSearch
    titles: Titles
    sections: SectionChoice
    urls: Urls
    importance: Importance
    index_pages: IndexPages
    frontier: Frontier
    tokens: dict[str, str]
    patterns: dict[str, Pattern]
    markup: dict[Literal["search", "home", "top", "unseen"], Pattern]

    @property
    def people(self) -> frozenset[str]:
        """`urls.people` as a set."""
        return frozenset(self.urls.people)

    @property
    def group_bits(self) -> dict[str, int]:
        """Group -> the bit that stands for it."""
        return _number_groups(self.tokens)


@cached_per_rule_set
def _number_groups(tokens: dict[str, str]) -> dict[str, int]:
    return {group: 1 << i for i, group in enumerate(tokens)}


class PhoneLabels(Section, frozen=True, kw_only=True):
    """What the phone page itself says, in one language."""

    contents: str
    more: str
    rest: str
    photos: str
    date: str = "{day} {month} {year}"


class InlineImages(Section, frozen=True, kw_only=True):
    """Images that are written into the phone page, for reading without a network."""

    pixels: Annotated[int, Meta(ge=16, le=4096)]
    quality: Annotated[int, Meta(ge=1, le=95)]
    page_bytes: Count
    fetched_bytes: Count
    images: Count
    seconds: Count


class PhoneChoices(Section, frozen=True, kw_only=True):
    """What may be chosen of goods."""

    never: Pattern
    attributes: tuple[str, ...]
    variants: tuple[str, ...]
    keys: tuple[str, ...]
    name_chars: Count
    value_chars: Count
    most_values: Count
    most: Count


class Phone(Section, frozen=True, kw_only=True):
    contents_headings: Annotated[int, Meta(ge=2)]
    contents_entries: Count
    contents_open: Count
    title_nodes: Count
    byline_nodes: Count
    byline_chars: Count
    signed_from: Share
    list_share: Share
    entry_chars: Count
    list_importance: Share
    shown_entries: Annotated[int, Meta(ge=1)]
    shown_alone: Annotated[int, Meta(ge=1)]
    front_bytes: Count
    entry_bytes: Count
    shelf_chars: Count
    gallery_chars: Count
    gallery_images: Count
    label_chars: Count
    button_bytes: Count
    run_cards: Annotated[int, Meta(ge=2)]
    posts: Annotated[int, Meta(ge=1)]
    choices: PhoneChoices
    idle: dict[str, Pattern]
    edited: Pattern
    labels: dict[str, PhoneLabels]
    images: InlineImages
