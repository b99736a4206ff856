"""What is made of rules is made once: a rule set serves many pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

_Rules = TypeVar("_Rules")
_Made = TypeVar("_Made")
_MAX_KEPT: Final = 64


def once_a_rule_set(make: Callable[[_Rules], _Made]) -> Callable[[_Rules], _Made]:
    """Keep what a function makes of rules by their identity; the rules are held too, so that it stays theirs."""
    kept: dict[int, tuple[_Rules, _Made]] = {}

    @wraps(make)
    def read(rules: _Rules) -> _Made:
        known = kept.get(id(rules))
        if known is None or known[0] is not rules:
            if len(kept) >= _MAX_KEPT:
                kept.clear()
            known = kept[id(rules)] = (rules, make(rules))
        return known[1]

    return read
