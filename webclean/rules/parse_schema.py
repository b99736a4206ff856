"""Sections of the stages around the columns: when `noscript` stands for the page; statistics of blocks."""

from typing import Literal

from webclean.rules.section import Count, Positive, Section


class NoscriptRules(Section, frozen=True, kw_only=True):
    """When the content of a `noscript` or `noframes` element is the page: the page itself shows next to nothing.

    A frameset has no words: nothing is asked of its noframes.

    max_visible_words: a page that shows more words is never replaced. Higher: more pages are read from their noscript.
    min_ratio: words of the noscript for each visible word, at least. Higher: fewer pages are replaced.
    min_words: a noscript with fewer words only asks for JavaScript. Higher: fewer pages are replaced.
    """

    max_visible_words: Count
    min_ratio: Positive
    min_words: Count


class ScriptPages(Section, frozen=True, kw_only=True):
    """What becomes of a page that shows next to nothing until its scripts have run: its text is taken from the data of
    the scripts, or a browser renders it.

    max_visible_words: a page that shows more words is taken as it is. Higher: more pages are read from their data.
    min_words: words of a text in the data, at least. Higher: fewer pages are read from their data.
    min_ratio: words of that text for each visible word, at least. Higher: fewer pages are read from their data.
    text_keys: keys whose strings are text, in JSON-LD and other JSON. More keys: more is taken for text.
    part_words: words of a string that is one part of many, at least. Higher: fewer short parts are taken.
    render: the pages that a browser renders, where the caller allows it: `when_empty`, those that show next to nothing
        and have no text in their data; `always`, for sites that are known to need it; `never`.
    """

    max_visible_words: Count
    min_words: Count
    min_ratio: Positive
    text_keys: tuple[str, ...]
    part_words: Count
    render: Literal["when_empty", "always", "never"]


class Statistics(Section, frozen=True, kw_only=True):
    """Which blocks compete for largest and second-largest text block of a page (patent A3).

    block_tags: elements that are structure blocks. More tags: smaller blocks.
    min_chars: characters of a block that counts, more than this. Higher: small blocks stop counting.
    text_ratio: a text block has at least so many characters for each character of link text. Higher: blocks with links
        are no longer text blocks.
    """

    block_tags: tuple[str, ...]
    min_chars: Count
    text_ratio: Positive
