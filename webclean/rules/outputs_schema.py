"""Section `phone`: how a page is laid out for a small screen."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Section, Share


class PhoneLabels(Section, frozen=True, kw_only=True):
    """What the phone page itself says, in one language.

    contents: above the list of headings. next: to the next part. previous: to the part before. more: above what stands
    on the page beside its text. photos: names a strip of images, for those who cannot see it. look: names the links by
    which a reader chooses size and colours of the text, which are called smaller, larger, light and dark.
    """

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
    """Images that are written into the phone page, for reading without a network.

    pixels: larger images are made smaller until neither side has more. Higher: sharper, larger pages.
    quality: of WebP, 1 to 95. Higher: fewer artefacts, larger pages.
    page_bytes: of all images of a page together, as they are written; those without room are left out. Higher: more
        images, larger pages.
    fetched_bytes: of one image as it is served; larger ones are left out. Higher: more images, at some cost.
    images: of a page, at most. Higher: more images, at some cost.
    seconds: for fetching all images of a page. Higher: more images of slow servers.
    """

    pixels: Annotated[int, Meta(ge=16, le=4096)]
    quality: Annotated[int, Meta(ge=1, le=95)]
    page_bytes: Count
    fetched_bytes: Count
    images: Count
    seconds: Count


class Phone(Section, frozen=True, kw_only=True):
    """How a page is laid out for a small screen.

    part_bytes: bytes of text (UTF-8) that one part of a long page has, about; a page of less than one and a half parts
        stays whole. Higher: fewer, longer parts.
    contents_headings: headings of a page with a list of its contents, at least. Higher: fewer pages have one.
    contents_entries: of a list of contents, at most; longer ones name the first level alone, or nothing. Higher: longer
        lists.
    contents_open: lists of at most so many entries are open from the start on pages of documentation. Higher: longer
        ones are.
    title_nodes: paragraphs from the top among which the heading that is the title is looked for, to be set first.
        Higher: headings further down are.
    byline_nodes: paragraphs around the title among which a line with author or date is looked for. Higher: lines
        further away are taken for one.
    byline_chars: characters of the longest such line. Higher: longer texts are taken for one.
    list_share: share of a block's text in its entries from which it is shown as a list of entries. Higher: fewer blocks
        are.
    entry_chars: characters of text per entry up to which it is. Higher: longer texts are shown as entries.
    story_bytes: bytes of text of an entry up to which it stays together where semantic blocks divide it. Higher: larger
        ones stay.
    list_importance: added to the importance of lists when cards are ranked. Higher: lists stand further up.
    shelf_chars: characters of the longest text of an entry that stands in one of several columns, with a picture and a
        price. Higher: more lists are set in columns.
    label_chars: characters of the longest text of an entry that is set as a label beside the others. Higher: longer
        ones are.
    related_bytes: bytes (UTF-8) of the longest title of links that belong to the one story before them. Higher:
        more of them are no entries of their own.
    run_cards: cards of one entry in a row that are one list, and entries of a list that may repeat those above, at
        least. Higher: more cards stay apart.
    cell_share: share of a table's rows with several entries from which its entries are cells. Higher: fewer tables stay
        tables.
    repeated_share: share of the entries of a card that are shown above it, from which only the others are. Higher: more
        repeats are shown.
    topics: topics of a board, at least. Higher: fewer pages are boards.
    button_bytes: bytes (UTF-8) of the longest name of a button below comments. Higher: fewer entries stand there.
    posts: posts of a thread, at least, for each to be set off with its author and time. Higher: fewer pages are
        threads.
    topic_bytes: bytes of text of an entry up to which a link to another page at its beginning makes it a topic, and not
        a post. Higher: fewer pages are threads.
    labels: ISO 639 language code -> what the page itself says in pages of that language; English in others.
    images: those that are written into the page where that is asked for.
    """

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
