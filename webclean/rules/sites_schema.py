"""Section `sites`: how the templates of a site are learnt from its pages."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Count, Positive, Section, Share

Bonus = Annotated[float, Meta(ge=0)]
Malus = Annotated[float, Meta(le=0)]


class RepeatedTexts(Section, frozen=True, kw_only=True):
    """Texts that stand on many pages of a site are boilerplate.

    share: share of the pages that a text must be on. Higher: fewer texts are boilerplate.
    min_pages: and so many pages at least. Higher: fewer texts are boilerplate.
    min_words: a text of fewer words says too little. Higher: fewer texts are boilerplate.
    max_chars: texts of more characters are not listed. Higher: longer texts are, and the rule file grows.
    max_texts: at most so many for a group of pages, the most frequent first. Higher: more rules, and a larger file.
    points: what such a text gets. Lower: it is dropped more often; 0: never for this reason.
    """

    share: Share
    min_pages: Annotated[int, Meta(ge=2)]
    min_words: Positive
    max_chars: Annotated[int, Meta(ge=1, le=5_000)]
    max_texts: Annotated[int, Meta(ge=0, le=10_000)]
    points: Malus


class Places(Section, frozen=True, kw_only=True):
    """Places (paths of tags and classes) that hold the same kind of thing on page after page.

    min_pages: pages a place must be on. Higher: fewer places get points.
    repeated_share: share of a place's words that were on an earlier page, from which it is boilerplate. Higher: fewer
        places are.
    repeated_points: what a block in such a place gets. Lower: it is dropped more often.
    varied_from: variation (entropy of the values of a place, 0 to 1) from which a place has values of its own on each
        page. Higher: fewer places have, and more are boilerplate.
    fact_words: where words repeat and yet vary, values of at most so many words are facts, longer ones boilerplate.
        Higher: fewer places are boilerplate.
    varied_points: what a block gets in a place that varies, on (nearly) every page of a template. Higher: it is kept
        more often.
    listed_share: share of a place's words in lists of links to other pages, from which it is part of such a list.
        Higher: fewer places are.
    listed_points: what a block in such a place gets, unless most pages of the template are an index. Lower: it is
        dropped more often.
    dropped_share: share of a place's words that automatic cleaning keeps, at most, for a place that is almost always
        dropped. Higher: more places are.
    dropped_points: what a block in such a place gets. Lower: it is dropped more often.
    kept_share: share of a place's words that automatic cleaning keeps, at least, for a place that is almost always
        kept. Higher: fewer places are.
    kept_points: what a block in such a place gets. Higher: it is kept more often.
    max_chars: paths of more characters are not listed. Higher: longer paths are.
    """

    min_pages: Annotated[int, Meta(ge=2)]
    repeated_share: Share
    repeated_points: Malus
    varied_from: Share
    fact_words: Positive
    varied_points: Bonus
    listed_share: Share
    listed_points: Malus
    dropped_share: Share
    dropped_points: Malus
    kept_share: Share
    kept_points: Bonus
    max_chars: Annotated[int, Meta(ge=1, le=1_000)]


class Sites(Section, frozen=True, kw_only=True):
    """How the templates of a site are learnt from its pages (`webclean sites learn`).

    similarity: pages more alike than this share a template, 0 to 1. Higher: more templates of fewer pages.
    min_pages: pages of a template for which rules are made, at least. Higher: fewer, surer rules.
    alpha: how much the size of a block counts against it in the vote for the content block. Higher: smaller content
        blocks.
    min_agreement: share of the template's pages that must vote for a block, or a part of it, for a rule. Higher: fewer,
        surer rules.
    early_pages: the votes of so many first pages of a template do not count as soon as there are as many others.
        Higher: more pages are needed for votes that know what varies.
    core_share: share of the template's pages that a place must be on for its text to count in the votes. Higher: fewer
        places count.
    core_misses: pages more that it may be missing on. Higher: more places count.
    outside_points: what a block outside the content block gets. Lower: more of it is dropped.
    count_error: share of the pages below which texts and places may be forgotten while counting. Higher: less memory,
        and rarer ones are missed.
    drift_share: a rule that fails on more than this share of a template's pages has drifted. Higher: fewer warnings.
    """

    similarity: Share
    min_pages: Annotated[int, Meta(ge=2)]
    alpha: Annotated[float, Meta(ge=0)]
    min_agreement: Share
    early_pages: Count
    core_share: Share
    core_misses: Count
    outside_points: Malus
    count_error: Annotated[float, Meta(gt=0, le=0.1)]
    drift_share: Share
    texts: RepeatedTexts
    places: Places
