"""What is computed of a page is computed once and kept with the page.

A function that several stages call is decorated with `cached_per_page`. Its value is kept under the function itself,
so callers get the type that the function declares and no two functions can meet under one name:

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
    """A page as some stage sees it: a `Document`, `PageColumns`.

    cache: function -> the arguments that it was last given beside the page, and what it made of them.
    """

    @property
    def cache(self) -> dict[Callable[..., Any], Any]: ...


_Page = TypeVar("_Page", bound=Caching)


def cached_per_page(
    compute: Callable[Concatenate[_Page, _Given], _Made],
) -> Callable[Concatenate[_Page, _Given], _Made]:
    """Keep what a function makes of a page until it is given other arguments, which are compared by identity."""

    @wraps(compute)
    def read(page: _Page, /, *given: _Given.args, **named: _Given.kwargs) -> _Made:
        every = (*given, *named.values())
        kept = page.cache.get(compute)
        if kept is None or len(kept[0]) != len(every) or any(map(is_not, kept[0], every)):
            kept = page.cache[compute] = every, compute(page, *given, **named)
        made: _Made = kept[1]
        return made

    return read
