"""A cache for what is computed from a rule set, which serves many pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar, cast

from webclean import core

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_MAX_KEPT: Final = 256
"""Results of one function. A server has a rule set for each site, type and language with a file of its own; beyond so
many all are dropped, for what they hold keeps its rule sets alive."""


def cached_per_rule_set(make: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Decorator that caches a function of rules by the identity of its arguments.

    The arguments are kept alive with the result, so that an identity is not reused for another object.
    """
    return cast("Callable[_Given, _Made]", wraps(make)(core.keep_of_rules(make, _MAX_KEPT)))
