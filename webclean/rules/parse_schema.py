"""Sections of the stages around the columns: when `noscript` stands for the page; statistics of blocks."""

from webclean.rules.section import Count, Positive, Section


class NoscriptRules(Section, frozen=True, kw_only=True):
    """When the content of a `noscript` or `noframes` element is the page: the page itself shows next to nothing.

    max_visible_words: a page with more words is never replaced. min_ratio: words of the noscript for each visible
    word, at least. min_words: a shorter noscript only asks for JavaScript. A frameset has no words: nothing is asked
    of its noframes.
    """

    max_visible_words: Count
    min_ratio: Positive
    min_words: Count


class Statistics(Section, frozen=True, kw_only=True):
    """Which blocks compete for largest and second-largest text block (patent A3).

    block_tags: elements that are structure blocks. min_chars: a valid block has more characters than this.
    text_ratio: a text block has at least this many characters for each character of link text.
    """

    block_tags: tuple[str, ...]
    min_chars: Count
    text_ratio: Positive
