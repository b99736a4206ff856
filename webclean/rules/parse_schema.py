"""Sections of the stages between the markup and the columns: statistics of the structure blocks."""

from __future__ import annotations

from webclean.rules.section import Count, Positive, Section


class Statistics(Section, frozen=True, kw_only=True):
    """Which blocks compete for largest and second-largest text block (patent A3).

    block_tags: elements that are structure blocks. min_chars: a valid block has more characters than this.
    text_ratio: a text block has at least this many characters for each character of link text.
    """

    block_tags: tuple[str, ...]
    min_chars: Count
    text_ratio: Positive
