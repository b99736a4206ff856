"""Functions that rules call by name: each with its unit, what it means and how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

_Subject = TypeVar("_Subject")
_Value = TypeVar("_Value")
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class RegisteredFunction(Generic[_Subject, _Value]):
    """A named value of a subject."""

    name: str
    unit: str
    meaning: str
    compute: Callable[[_Subject], _Value]


class Registry(dict[str, RegisteredFunction[_Subject, _Value]]):
    """Name -> function, in the order in which they were registered."""

    def add(self, unit: str, meaning: str, name: str = "") -> Callable[[_Function], _Function]:
        """Register the decorated function, under its own name unless another one is given."""

        def register(compute: _Function) -> _Function:
            known = name or compute.__name__
            self[known] = RegisteredFunction(known, unit, meaning, compute)
            return compute

        return register
