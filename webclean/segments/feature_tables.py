"""Features of nodes and of semantic blocks: several are measured in one call of the core.

A feature is a line of a table in the core (`build_features.py`), or a function registered with `@feature`. Those of the
tables that a card asks for are filled together; a family, such as `token.`, gives all of its words at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from webclean.model import Floats
from webclean.registry import FeatureRegistry


class Columns(Protocol):
    """What is measured. table: feature name -> float64 [n], what is known so far. sums: the holder of the axis in the
    core, which has `fill`. give: make what features need under this name, and give it to `sums`."""

    @property
    def table(self) -> dict[str, Floats]: ...
    @property
    def sums(self) -> Any: ...
    def give(self, thing: str) -> None: ...


_MOST_PLANS: Final = 64
_Columns = TypeVar("_Columns", bound=Columns)
_Compute = TypeVar("_Compute", bound=Callable[..., Iterable[Floats]])


class Plan(NamedTuple):
    """How several features are measured.

    listed, numbers: those of the tables. needs: what these need. families: (what computes the features of a family,
    their names, the rest of each name). others: those with a function of their own.
    """

    listed: tuple[str, ...]
    numbers: tuple[int, ...]
    needs: tuple[str, ...]
    families: tuple[tuple[Callable[..., Iterable[Floats]], tuple[str, ...], list[str]], ...]
    others: tuple[str, ...]


class FeatureTables:
    """The features of an axis of the core, and the families beside them. known: a cache of plans, by names."""

    def __init__(self, tables: Mapping[str, Sequence[tuple[str, ...]]], needs: Sequence[tuple[str, ...]]) -> None:
        """tables, needs: as `build_features.py` writes them."""
        self._number = {name: number for number, (name, *_) in enumerate(chain(*tables.values()))}
        self._needs = needs
        self._families: dict[str, Callable[..., Iterable[Floats]]] = {}
        self._plans: dict[tuple[str, ...], Plan] = {}

    def family(self, prefix: str) -> Callable[[_Compute], _Compute]:
        """Register the decorated function, which computes features of a family: it is given the rest of each name."""

        def register(compute: _Compute) -> _Compute:
            self._families[prefix] = compute
            return compute

        return register

    def plan(self, names: tuple[str, ...]) -> Plan:
        """How features are measured; remembered, for each page asks for the same ones."""
        found = self._plans.get(names)
        if found is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            listed = tuple(name for name in names if name in self._number)
            numbers = tuple(self._number[name] for name in listed)
            families, rest = [], [name for name in names if name not in self._number]
            for prefix, compute in self._families.items():
                own = tuple(name for name in rest if name.startswith(prefix))
                if own:
                    families.append((compute, own, [name.removeprefix(prefix) for name in own]))
                    rest = [name for name in rest if name not in own]
            needs = tuple(dict.fromkeys(thing for number in numbers for thing in self._needs[number]))
            found = self._plans[names] = Plan(listed, numbers, needs, tuple(families), tuple(rest))
        return found


def measure(columns: _Columns, name: str, features: FeatureRegistry[_Columns, Floats], tables: FeatureTables) -> Floats:
    """float64 [n]: one feature, computed once a page."""
    return measure_all(columns, (name,), features, tables)[0]


def measure_all(
    columns: _Columns,
    names: tuple[str, ...],
    features: FeatureRegistry[_Columns, Floats],
    tables: FeatureTables,
) -> tuple[Floats, ...]:
    """float64 [n] each: several features of n nodes or blocks, each computed once a page."""
    known = columns.table
    unknown = tuple([name for name in names if name not in known])
    if unknown:
        plan = tables.plan(unknown)
        for thing in plan.needs:
            columns.give(thing)
        if plan.numbers:
            known.update(zip(plan.listed, columns.sums.fill(plan.numbers), strict=True))
        for compute, own, words in plan.families:
            known.update(zip(own, compute(columns, words), strict=True))
        for name in plan.others:
            known[name] = np.asarray(features.find(name).compute(columns), dtype=np.float64)
    return tuple([known[name] for name in names])
