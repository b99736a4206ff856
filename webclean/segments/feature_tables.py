"""Features of nodes and of semantic blocks that kernels compute together, in tables.

The first time that one of them is asked for, the whole table is computed. What each feature is says the function of its
name, which is the twin of its row: `tests/kernels` holds that both give the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from webclean.model import Floats
from webclean.registry import FeatureRegistry


class Columns(Protocol):
    """What is measured. table: feature name -> float64 [n], what is known so far."""

    @property
    def table(self) -> dict[str, Floats]: ...


_MOST_PLANS: Final = 64
_Columns = TypeVar("_Columns", bound=Columns)
_Compute = TypeVar("_Compute", bound=Callable[..., Iterable[Floats]])


class FeatureTable(NamedTuple):
    """compute: gives float64 [n], for each name."""

    names: tuple[str, ...]
    compute: Callable[[Any], Iterable[Floats]]


class Plan(NamedTuple):
    """How several features are measured. tables: that have some of them. others: those that no table has. pick: takes
    all from what is known then, in the order in which they were asked for, and the first once more."""

    tables: tuple[FeatureTable, ...]
    others: tuple[str, ...]
    pick: Callable[[dict[str, Floats]], tuple[Floats, ...]]


def _name_words(
    compute: Callable[[Any, list[str]], Iterable[Floats]], words: list[str]
) -> Callable[[Any], Iterable[Floats]]:
    return lambda columns: compute(columns, words)


class FeatureTables(dict[str, FeatureTable]):
    """Feature -> the table that has it."""

    def __init__(self) -> None:
        super().__init__()
        self._families: dict[str, Callable[[Any, list[str]], Iterable[Floats]]] = {}
        self._plans: dict[tuple[str, ...], Plan] = {}

    def table(self, *names: str) -> Callable[[_Compute], _Compute]:
        """Register the decorated function, which computes these features."""

        def register(compute: _Compute) -> _Compute:
            self.update(dict.fromkeys(names, FeatureTable(names, compute)))
            return compute

        return register

    def family(self, prefix: str) -> Callable[[_Compute], _Compute]:
        """Register the decorated function, which computes features of a family: it is given the rest of each name."""

        def register(compute: _Compute) -> _Compute:
            self._families[prefix] = compute
            return compute

        return register

    def plan(self, names: tuple[str, ...]) -> Plan:
        """How the features of a card are measured; remembered, for each page asks for the same ones."""
        found = self._plans.get(names)
        if found is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            tables = tuple({table.names: table for name in names if (table := self.get(name))}.values())
            others = tuple(name for name in names if name not in self)
            for prefix, compute in self._families.items():
                own = tuple(name for name in others if name.startswith(prefix))
                if own:
                    words = [name.removeprefix(prefix) for name in own]
                    tables = (*tables, FeatureTable(own, _name_words(compute, words)))
                    others = tuple(name for name in others if name not in own)
            found = self._plans[names] = Plan(tables, others, itemgetter(*names, *names[:1]))
        return found


def measure(columns: _Columns, name: str, features: FeatureRegistry[_Columns, Floats], tables: FeatureTables) -> Floats:
    """float64 [n]: one feature, computed once a page."""
    found = columns.table.get(name)
    if found is not None:
        return found
    table = tables.get(name)
    if table is not None:
        columns.table.update(zip(table.names, table.compute(columns), strict=True))
        return columns.table[name]
    found = columns.table[name] = np.asarray(features.find(name).compute(columns), dtype=np.float64)
    return found


def measure_all(
    columns: _Columns,
    names: tuple[str, ...],
    features: FeatureRegistry[_Columns, Floats],
    tables: FeatureTables,
) -> tuple[Floats, ...]:
    """float64 [n] each: several features of n nodes or blocks."""
    if not names:
        return ()
    plan, known = tables.plan(names), columns.table
    for table in plan.tables:
        if table.names[0] not in known:
            known.update(zip(table.names, table.compute(columns), strict=True))
    for name in plan.others:
        if name not in known:
            measure(columns, name, features, tables)
    return plan.pick(known)[:-1]
