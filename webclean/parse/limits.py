"""What a page may cost, counted before, during and after the parse.

Some short pages cost far more than their length says: attributes of repeated `<html>` and `<body>` tags are merged
one by one, `<selectedcontent>` is a copy of an option's tree, and formatting elements that are left open are built
again in every paragraph (HTML 13.2.4.3). They are counted in the text, before an engine sees it.
Time is checked in our own loops: no signal, no thread.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Final

import turbohtml

from webclean.errors import InputError, LimitExceeded
from webclean.model import Limits

BATCH: Final = 8192
"""Elements between two looks at the clock."""
MAX_REBUILT: Final = 512
"""Formatting elements that are open at once, at most (the depth at which the fast engine stops rebuilding them)."""
REBUILD_SLACK: Final = 4
"""How far the estimate of rebuilt elements may lie over the limit: it counts some that are never built."""

_FORMATTING: Final = re.compile(r"<(/?)(?i:(b|i|s|u|big|code|em|font|small|strike|strong|tt)(?:(?=>)|[\s/]))([^>]*)")
_ORDINARY_TAG: Final = re.compile(r"<\w+([^<>\"']*(?:\"[^\"<>]*\"[^<>\"']*)*)>")


@dataclass(slots=True)
class Budget:
    """The limits of one page, its deadline, and which of them it has gone over.

    truncate: go on with what fits instead of raising; `truncated` then names the limits.
    """

    limits: Limits = field(default_factory=Limits)
    truncate: bool = False
    truncated: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def exceed(self, limit: str, value: float) -> None:
        """Raise `LimitExceeded`, or note that the page was truncated."""
        if not self.truncate:
            raise LimitExceeded(limit, value, getattr(self.limits, limit))
        if limit not in self.truncated:
            self.truncated.append(limit)

    def check_time(self) -> None:
        """Raise when the time is used up, between steps that cannot be cut."""
        if not self.truncate:
            self.is_late()

    def is_late(self) -> bool:
        """Whether the time is used up (raises unless the page may be truncated)."""
        spent = time.monotonic() - self.started
        if spent <= self.limits.max_seconds:
            return False
        self.exceed("max_seconds", spent)
        return True


def start_budget(limits: Limits, on_limit: str) -> Budget:
    """The budget of one page, from now on. Raises `InputError` for an unknown policy."""
    if on_limit not in ("raise", "truncate"):
        raise InputError(f"on_limit is 'raise' or 'truncate', not {on_limit!r}")
    return Budget(limits, on_limit == "truncate")


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
    token = next(iter(turbohtml.tokenize(markup[start:])), None)
    return len(token.attrs or ()) if token is not None else 0


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
