"""Section `joining`: when a linked page is part of the same text, and what joining may cost."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Count, Positive, Section, Share


class Joining(Section, frozen=True, kw_only=True):
    """The pages of one text.

    max_pages: pages of one text, the first one included. max_bytes: of all pages that are fetched, together.
    max_seconds: for fetching and cleaning them, together. same_title: likeness of the titles from which a next page
    belongs to the text, where its URL does not say so (0 nothing alike, 1 equal but for numbers). whole_share: share of
    the first page's kept words that a single page must hold to replace it. repeated_words: blocks of at least so many
    words that were on an earlier page are repeated wherever they stand, shorter ones only at the top and the bottom.
    """

    max_pages: Annotated[int, Meta(ge=1, le=1_000)]
    max_bytes: Count
    max_seconds: Positive
    same_title: Share
    whole_share: Share
    repeated_words: Annotated[int, Meta(ge=1)]
