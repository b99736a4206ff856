"""Section `sites`: how the templates of a site are learnt from its pages."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Count, Positive, Section, Share

Bonus = Annotated[float, Meta(ge=0)]
Malus = Annotated[float, Meta(le=0)]


class RepeatedTexts(Section, frozen=True, kw_only=True):
    """Texts that stand on many pages are boilerplate.

    share, min_pages: of the pages a text must be on, both. min_words: shorter texts say too little. max_chars: longer
    texts are not listed. max_texts: at most so many of a group of pages, the most frequent first.
    points: what such a text gets.
    """

    share: Share
    min_pages: Annotated[int, Meta(ge=2)]
    min_words: Positive
    max_chars: Annotated[int, Meta(ge=1, le=5_000)]
    max_texts: Annotated[int, Meta(ge=0, le=10_000)]
    points: Malus


class Places(Section, frozen=True, kw_only=True):
    """Places (paths of tags and classes) that hold the same kind of thing on page after page.

    min_pages: pages a place must be on. repeated_share: of the words of a place that were on an earlier page, from
    which it is boilerplate. dropped_share, kept_share: of its words that automatic cleaning keeps, at most and at
    least, for a place that is almost always dropped, kept. max_chars: longer paths are not listed.
    repeated_points, dropped_points, kept_points: what a block in such a place gets.
    """

    min_pages: Annotated[int, Meta(ge=2)]
    repeated_share: Share
    repeated_points: Malus
    dropped_share: Share
    dropped_points: Malus
    kept_share: Share
    kept_points: Bonus
    max_chars: Annotated[int, Meta(ge=1, le=1_000)]


class Sites(Section, frozen=True, kw_only=True):
    """Source D, with what goes past it.

    similarity: pages more alike than this share a template. min_pages: templates of at least this many pages make
    rules. alpha: how much the size of a block counts against it. min_agreement: share of the template's pages on which
    a feature must win for a rule. core_share: of the template's pages a place must be on for its text to count in the
    votes. core_misses: pages more that it may be missing on.
    inside_points, outside_points: what a block in and out of the content block gets.
    count_error: texts and places on less than this share of the pages may be forgotten while counting.
    drift_share: a rule that fails on more than this share of a template's pages has drifted.
    """

    similarity: Share
    min_pages: Annotated[int, Meta(ge=2)]
    alpha: Annotated[float, Meta(ge=0)]
    min_agreement: Share
    core_share: Share
    core_misses: Count
    inside_points: Bonus
    outside_points: Malus
    count_error: Annotated[float, Meta(gt=0, le=0.1)]
    drift_share: Share
    texts: RepeatedTexts
    places: Places
