"""Markup -> as much of it as a parser can be given at a cost that its length bounds.

Some short pages cost far more than their length says: attributes of repeated `<html>` and `<body>` tags are merged
one by one, and formatting elements that are left open are built again in every paragraph (HTML 13.2.4.3). They are
counted in the text, before an engine sees it.
"""

from __future__ import annotations

import re
from typing import Final

from webclean.parse.limits import REBUILD_SLACK, Budget
from webclean.parse.snippets import count_attributes

MAX_REBUILT: Final = 512
"""Formatting elements that are open at once, at most (the depth at which the fast engine stops rebuilding them)."""
_FORMATTING: Final = re.compile(r"<(/?)(?i:(b|i|s|u|big|code|em|font|small|strike|strong|tt)(?:(?=>)|[\s/]))([^>]*)")
_ORDINARY_TAG: Final = re.compile(r"<\w+([^<>\"']*(?:\"[^\"<>]*\"[^<>\"']*)*)>")


def bound_root_tags(markup: str, starts: list[int], budget: Budget) -> str:
    """At most `max_root_tags` html and body tags, and `max_root_attributes` attributes on all of them."""
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
    """Attributes of the tag that starts here, at most. What is not ordinarily quoted is tokenised."""
    tag = _ORDINARY_TAG.match(markup, start)
    if tag:
        return len(tag[1].split()) + tag[1].count("=")
    return count_attributes(markup[start:])


def bound_formatting(markup: str, n_styled: int, budget: Budget) -> str:
    """Cut where formatting elements left open may be rebuilt into more than the elements allowed.

    n_styled: formatting tags with attributes; most pages have too few of them to be looked at.
    An upper bound: each tag rebuilds every formatting element that has attributes and is open by count, except
    that of equal ones only three are kept (the Noah's Ark clause of HTML 13.2.4.3).
    """
    maximum = budget.limits.max_elements * REBUILD_SLACK
    n_kept_at_most = min(n_styled, MAX_REBUILT)
    # every tag has three characters or more
    if n_kept_at_most * len(markup) < 3 * maximum or n_kept_at_most * markup.count("<") <= maximum:
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
