"""A cache for results that are computed from a page: each is computed once and stored with the page.

A function that several stages call is decorated with `cached_per_page`. The cache key is the function itself, not a
string: type checkers see the return type of the function, and two functions cannot use the same key by accident:

    @cached_per_page
    def find_names(columns: PageColumns) -> NameTable: ...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from inspect import signature
from operator import is_not
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property  # noqa: PLC0414  others import it from here
else:

    class cached_property:  # noqa: N801  the name of what it stands for
        """`functools.cached_property` as Python 3.12 has it: without a lock, which takes three times as long as the
        rest, and a page has some hundred of them."""

        __class_getitem__ = classmethod(GenericAlias)

        def __init__(self, func):
            self.func = func
            self.__doc__ = func.__doc__

        def __set_name__(self, owner, name):
            self.attrname = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            made = instance.__dict__[self.attrname] = self.func(instance)
            return made


_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


Limit = Callable[[], AbstractContextManager[None]]
"""Starts the budget in which one kind of detail is computed."""


def limited(compute: Callable[[Any], _Made]) -> cached_property[_Made]:
    """A property that is computed once, within the budget that the object's `limit` starts."""

    def read(details: Any) -> _Made:
        with details.limit():
            return compute(details)

    return cached_property(read)


_Page = TypeVar("_Page", bound=Any)
"""An object with a dictionary `cache`: a `Document` or `PageColumns`."""


class Once(dict[str, _Made]):
    """Text -> what is made of it, once: for a page's few texts `functools.cache` takes longer to set up."""

    def __init__(self, make: Callable[[str], _Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> _Made:
        made = self[text] = self._make(text)
        return made


def cached_per_page(
    compute: Callable[Concatenate[_Page, _Given], _Made],
) -> Callable[Concatenate[_Page, _Given], _Made]:
    """Cache the result of the last call for each page, with the arguments other than the page. A call with other ones
    (compared by identity) computes it again."""

    if len(signature(compute).parameters) == 1:
        return cast("Callable[Concatenate[_Page, _Given], _Made]", _cache_alone(compute))

    @wraps(compute)
    def read(page: _Page, /, *given: _Given.args, **named: _Given.kwargs) -> _Made:
        kept = page.cache.get(compute)
        every = (*given, *named.values()) if named else given
        if kept is None or len(kept[0]) != len(every) or any(map(is_not, kept[0], every)):
            kept = page.cache[compute] = every, compute(page, *given, **named)
        made: _Made = kept[1]
        return made

    return read


def _cache_alone(compute: Callable[..., _Made]) -> Callable[[Any], _Made]:
    """The same for a function of the page alone, of which many are read some dozen times a page."""

    @wraps(compute)
    def read(page: Any, /) -> _Made:
        cache: dict[Callable[..., _Made], _Made] = page.cache
        # an exception for what is not there costs more than the second look at what is
        if compute in cache:
            return cache[compute]
        made = cache[compute] = compute(page)
        return made

    return read
