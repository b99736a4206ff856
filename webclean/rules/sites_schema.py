"""Section `sites`: how the templates of a site are learnt from its pages."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Positive, Section, Share


class Sites(Section, frozen=True, kw_only=True):
    """Source D, with what goes past it.

    similarity: pages more alike than this share a template. min_pages: clusters of at least this many pages make rules.
    alpha: how much the size of a block counts against it. min_agreement: share of the cluster's pages on which a
    feature must win for a rule. inside_points, outside_points: what a block in and out of the content block gets.
    repeated_share: text on at least this share of a cluster's pages is boilerplate and gets repeated_points;
    max_repeated: at most so many texts a cluster, the most frequent first; max_text_chars: longer texts are not listed.
    """

    similarity: Share
    min_pages: Annotated[int, Meta(ge=2)]
    alpha: Annotated[float, Meta(ge=0)]
    min_agreement: Share
    inside_points: Annotated[float, Meta(ge=0)]
    outside_points: Annotated[float, Meta(le=0)]
    repeated_share: Share
    repeated_points: Annotated[float, Meta(le=0)]
    max_repeated: Annotated[int, Meta(ge=0, le=10_000)]
    max_text_chars: Positive
