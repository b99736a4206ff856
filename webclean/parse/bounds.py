"""Markup -> the same markup, cut where parsing it would take far longer than its length suggests.

Two constructs make short pages expensive. The attributes of repeated `<html>` and `<body>` tags are merged one by one.
Formatting elements that are not closed are built again in every later paragraph ("reconstruct the active formatting
elements", HTML 13.2.4.3): 1,000 unclosed `<b class=x>` and `<i class=x>` before 1,000 paragraphs can become a million
elements. Both are counted in the markup, before the engine parses it.
"""

from __future__ import annotations

import re
from typing import Final

from webclean.parse.limits import REBUILD_SLACK, Budget
from webclean.parse.snippets import count_attributes

MAX_REBUILT: Final = 512
"""Largest number of open formatting elements that are counted; the fast engine rebuilds no more than these."""
_FORMATTING: Final = re.compile(r"<(/?)(?i:(b|i|s|u|big|code|em|font|small|strike|strong|tt)(?:(?=>)|[\s/]))([^>]*)")
_ORDINARY_TAG: Final = re.compile(r"<\w+([^<>\"']*(?:\"[^\"<>]*\"[^<>\"']*)*)>")


def bound_root_tags(markup: str, starts: list[int], budget: Budget) -> str:
    """The markup, cut before it has more than `max_root_tags` html and body tags, or more than `max_root_attributes`
    attributes on them. starts: offsets of these tags."""
    limits = budget.limits
    n_attributes = 0
    for number, start in enumerate(starts):
        n_attributes += _count_attributes(markup, start)
        if n_attributes > limits.max_root_attributes:
            budget.exceed("max_root_attributes", n_attributes)
            return markup[:start]
        if number >= limits.max_root_tags:
            budget.exceed("max_root_tags", len(starts))
            return markup[:start]
    return markup


def _count_attributes(markup: str, start: int) -> int:
    """An upper bound of the number of attributes of the tag at an offset. Tags with unusual quoting are tokenised."""
    tag = _ORDINARY_TAG.match(markup, start)
    if tag:
        return len(tag[1].split()) + tag[1].count("=")
    return count_attributes(markup[start:])


def bound_formatting(markup: str, n_styled: int, n_tags: int, budget: Budget) -> str:
    """The markup, cut where rebuilt formatting elements may exceed the limit of elements.

    n_styled: number of formatting tags with attributes; most pages have too few to matter. n_tags: of all tags.
    The count is an upper bound: it assumes that each tag rebuilds every formatting element that is open and has
    attributes. Of elements with equal name and attributes only three count (the "Noah's Ark clause" of HTML 13.2.4.3).
    """
    maximum = budget.limits.max_elements * REBUILD_SLACK
    n_kept_at_most = min(n_styled, MAX_REBUILT)
    if n_kept_at_most * n_tags <= maximum:
        return markup
    n_open: dict[str, list[str]] = {}
    n_equal: dict[tuple[str, str], int] = {}
    n_kept, n_rebuilt, before = 0, 0, 0
    for found in (*_FORMATTING.finditer(markup), None):
        end = found.start() if found else len(markup)
        n_rebuilt += min(n_kept, MAX_REBUILT) * markup.count("<", before, end)
        if n_rebuilt > maximum:
            budget.exceed("max_elements", n_rebuilt)
            return markup[:before]
        if not found:
            break
        before, name = end, found[2].lower()
        stack = n_open.setdefault(name, [])
        if not found[1]:
            stack.append(found[3])
            n_equal[name, found[3]] = n = n_equal.get((name, found[3]), 0) + 1
            n_kept += bool(found[3]) and n <= 3
        elif stack:
            attributes = stack.pop()
            n = n_equal[name, attributes]
            n_equal[name, attributes] = n - 1
            n_kept -= bool(attributes) and n <= 3
    return markup
