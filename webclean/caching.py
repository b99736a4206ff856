"""A cache for results that are computed from a page: each is computed once and stored with the page.

A function that several stages call is decorated with `cached_per_page`. The cache key is the function itself, not a
string: type checkers see the return type of the function, and two functions cannot use the same key by accident:

    @cached_per_page
    def find_names(columns: PageColumns) -> NameTable: ...
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_not
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class Caching(Protocol):
    """An object with a cache: a `Document` or `PageColumns`.

    cache: function -> (arguments of its last call other than the page, its result).
    """

    @property
    def cache(self) -> dict[Callable[..., Any], Any]: ...


_Page = TypeVar("_Page", bound=Caching)


def cached_per_page(
    compute: Callable[Concatenate[_Page, _Given], _Made],
) -> Callable[Concatenate[_Page, _Given], _Made]:
    """Cache the result of the last call for each page. A call with other arguments (compared by identity) computes it
    again."""

    @wraps(compute)
    def read(page: _Page, /, *given: _Given.args, **named: _Given.kwargs) -> _Made:
        kept = page.cache.get(compute)
        every = (*given, *named.values()) if named else given
        if kept is None or len(kept[0]) != len(every) or any(map(is_not, kept[0], every)):
            kept = page.cache[compute] = every, compute(page, *given, **named)
        made: _Made = kept[1]
        return made

    return read
