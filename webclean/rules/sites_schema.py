"""Sections for several pages of one site, and for rules that are written for them.

`joining`: when a linked page is part of the same text. `sites`: how the templates of a site are learnt from its pages.
`generated_names`: which classes and ids new rules do not stand on.
"""

from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Count, Positive, Section, Share


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
    listed_points: what a block in such a place gets, unless such lists are what the pages are for. Lower: it is
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
    doubtful_share: share of that text at places that count by `core_misses` alone, from which too few pages were learnt
        to say where the content is. Higher: rules for content blocks are made from fewer pages.
    outside_points: what a block outside the content block gets. Lower: more of it is dropped.
    trial_pages: of the pages learnt last, so many are cleaned with what was learnt; the rules of a template, or of the
        site, that lower their scores are left out. Higher: surer rules, more memory; 0: no trial.
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
    doubtful_share: Share
    outside_points: Malus
    trial_pages: Count
    count_error: Annotated[float, Meta(gt=0, le=0.1)]
    drift_share: Share
    texts: RepeatedTexts
    places: Places


class GeneratedNames(Section, frozen=True, kw_only=True):
    """What marks a class or id as written by a program: a build or a page makes it anew, and rules on it stop working.

    A name is looked at part by part (parts are letters and digits between other characters); one such part is enough.
    `webclean rules new` passes such names over and says so.

    min_chars: a part of fewer characters is never mixed or without vowel. Higher: fewer names are passed over.
    switches: changes between letters and digits in a part, a digit at its start being one: three in `1ob73` and `a1b2`.
        Higher: fewer names are.
    max_digits: more digits in a row than this number a page or an entry. Higher: fewer names are.
    vowelless: a part of at least so many letters and digits has a vowel (a, e, i, o, u, y). Higher: fewer names are.
    pieces: a part of so many pieces, each from one capital to the next, may be capitals at random. Higher: fewer names
        are.
    piece_chars: and is, if a piece has no more characters than this on average. Higher: more names are.
    prefixes: what tools that write styles begin their names with; after one of these a digit or a capital inside a part
        is enough. More prefixes: more names are.
    """

    min_chars: Annotated[int, Meta(ge=2)]
    switches: Annotated[int, Meta(ge=1)]
    max_digits: Annotated[int, Meta(ge=1)]
    vowelless: Annotated[int, Meta(ge=2)]
    pieces: Annotated[int, Meta(ge=2)]
    piece_chars: Positive
    prefixes: tuple[str, ...]
