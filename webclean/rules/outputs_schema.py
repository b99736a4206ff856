"""Section `phone`: how a page is laid out for a small screen."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Section, Share


class PhoneLabels(Section, frozen=True, kw_only=True):
    """What the phone page itself says, in one language."""

    contents: str
    next: str
    previous: str
    more: str
    photos: str
    look: str
    smaller: str
    larger: str
    light: str
    dark: str


class InlineImages(Section, frozen=True, kw_only=True):
    """Images that are written into the phone page, for reading without a network."""

    pixels: Annotated[int, Meta(ge=16, le=4096)]
    quality: Annotated[int, Meta(ge=1, le=95)]
    page_bytes: Count
    fetched_bytes: Count
    images: Count
    seconds: Count


class Phone(Section, frozen=True, kw_only=True):
    """How a page is laid out for a small screen."""

    part_bytes: Annotated[int, Meta(ge=500)]
    contents_headings: Annotated[int, Meta(ge=2)]
    contents_entries: Count
    contents_open: Count
    title_nodes: Count
    byline_nodes: Count
    byline_chars: Count
    list_share: Share
    entry_chars: Count
    story_bytes: Count
    list_importance: Share
    shelf_chars: Count
    label_chars: Count
    related_bytes: Count
    run_cards: Annotated[int, Meta(ge=2)]
    cell_share: Share
    repeated_share: Share
    topics: Count
    button_bytes: Count
    posts: Annotated[int, Meta(ge=1)]
    topic_bytes: Count
    labels: dict[str, PhoneLabels]
    images: InlineImages
