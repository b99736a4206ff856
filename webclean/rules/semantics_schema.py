"""Section `semantics`: how structure blocks become semantic blocks, and what those are for (patent A4, A7)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from webclean.rules.rule_schema import Pattern
from webclean.rules.section import Count, Section, Share


class Cut(Section, frozen=True, kw_only=True):
    """Granularity. The candidate with the largest height + share of the text is split until there are `blocks` blocks.

    blocks: wanted number; blocks below `small_share` of the page's text do not count.
    list_height: a list is not split up to this height of the collapsed tree; flat_height: nor is any node up to this
    height, unless `headings` or more of its children start with a heading (each is then a block of its own).
    """

    blocks: Annotated[int, Meta(ge=1, le=1000)]
    small_share: Share
    list_height: Count
    flat_height: Count
    headings: Annotated[int, Meta(ge=1)]


class RoleLine(Section, frozen=True, kw_only=True):
    """Points for each role where a measure is below `below` (the last line: for all the other values)."""

    points: dict[str, float]
    below: float | None = None
    because: str = ""


class Roles(Section, frozen=True, kw_only=True):
    """A score card with one column a role: the role with the most points wins.

    bias: points each role starts with; only roles named here are given. lines: measure -> its lines.
    """

    bias: dict[str, float]
    lines: dict[str, tuple[RoleLine, ...]]


class Keep(Section, frozen=True, kw_only=True):
    """A block is kept when share of its words in kept text blocks + points of its role reaches `cut`."""

    cut: float
    roles: dict[str, float]


class Semantics(Section, frozen=True, kw_only=True):
    """Semantic blocks.

    tokens: group -> class and id tokens, separated by spaces: the measure `token.GROUP`.
    patterns: name -> expression searched in each text block: the measure `pattern.NAME`.
    """

    cut: Cut
    roles: Roles
    keep: Keep
    tokens: dict[str, str]
    patterns: dict[str, Pattern]

    @property
    def token_sets(self) -> dict[str, frozenset[str]]:
        """Group -> its tokens."""
        return _split_groups(tuple(self.tokens.items()))


@lru_cache(maxsize=64)
def _split_groups(groups: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in groups}
