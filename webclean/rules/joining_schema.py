"""Section `joining`: when a linked page is part of the same text, and what joining may cost."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Count, Positive, Section, Share


class Joining(Section, frozen=True, kw_only=True):
    """The pages of one text: when a linked page is part of it, and what joining may cost.

    max_pages: pages of one text, the first one included. Higher: longer texts are joined, at more requests.
    max_bytes: bytes of all pages that are fetched, together. Higher: more pages are fetched before joining stops.
    max_seconds: seconds for fetching and cleaning them, together. Higher: joining waits longer before it stops.
    same_title: likeness of the titles from which a next page belongs to the text, where its URL does not say so (0
        nothing alike, 1 equal but for numbers). Higher: fewer pages are joined, and fewer wrong ones.
    whole_share: share of the first page's kept words that a single page must hold to replace it. Higher: a page that
        shows all parts is taken less often.
    repeated_words: a block of at least so many words that was on an earlier page is repeated wherever it stands, a
        shorter one only at the top and the bottom. Higher: fewer repetitions are left out.
    """

    max_pages: Annotated[int, Meta(ge=1, le=1_000)]
    max_bytes: Count
    max_seconds: Positive
    same_title: Share
    whole_share: Share
    repeated_words: Annotated[int, Meta(ge=1)]
