"""Features of the nodes of the cut tree, by which the cards of splits and sections are written, and points for splits.

Features of the nodes of a cut tree: the named numbers that the card of splits refers to.

Most are lines of the table of `core/nodes.py`; here are those that ask for attributes, tags and names: functions that
take a `NodeColumns` and return one value for each node that has parts.

Features of nodes and of semantic blocks: several are measured in one call of the core.

A feature is a line of a table in the core (`build_features.py`), or a function registered with `@feature`. Those of the
tables that a card asks for are filled together; a family, such as `token.`, gives all of its words at once.

Nodes of the cut tree -> points for splitting each, by the card `splits`, and why a block was divided or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.model import Floats, Reason
from webclean.parse.tags import CODE
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card
from webclean.segments.nodes import NodeColumns


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


Compute = Callable[[NodeColumns], Floats]

NODE_FEATURES: Final = FeatureRegistry[NodeColumns, Floats]("node of the cut tree", "splits", "sections")
feature: Final = NODE_FEATURES.feature
"""Registers a function as a feature of nodes: `@feature(unit, meaning)`."""
NODE_TABLES: Final = FeatureTables(core.NODE_TABLES, core.NODE_NEEDS)


def measure_nodes(columns: NodeColumns, name: str) -> Floats:
    """float64 [n]: one feature, computed once a page."""
    return measure(columns, name, NODE_FEATURES, NODE_TABLES)


def measure_table(columns: NodeColumns, names: tuple[str, ...]) -> tuple[Floats, ...]:
    """float64 [n] each: several features."""
    return measure_all(columns, names, NODE_FEATURES, NODE_TABLES)


NODE_FEATURES.add_tables(core.NODE_TABLES, lambda name: partial(measure_nodes, name=name))


@feature("share", "boundaries between neighbouring parts with other colours, backgrounds or styles / all (patent A4)")
def looks_differ(columns: NodeColumns) -> Floats:
    looks = columns.part_looks
    return columns.share_boundaries(np.concatenate(([False], looks[1:] != looks[:-1])))


@NODE_TABLES.family("tag.")
def _mark_tags(columns: NodeColumns, words: list[str]) -> Floats:
    return columns.has_tag[[CODE.get(name, 0) for name in words]].astype(np.float64)


@NODE_TABLES.family("token.")
def _list_tokens(columns: NodeColumns, words: list[str]) -> list[Floats]:
    return list(map(columns.token_shares.__getitem__, words))


@NODE_FEATURES.family("tag.", "0 or 1", "an element of the node's chain has this tag")
def _measure_tag(name: str) -> Compute:
    """By the name of a tag."""

    return lambda columns: columns.has_tag[CODE.get(name, 0)].astype(np.float64)


@NODE_FEATURES.family("token.", "0 to 1", "1: a class or id of the node is of the group; 0.5: of a node around it")
def _measure_tokens(group: str) -> Compute:
    """By a group of `segments.tokens`."""

    return lambda columns: columns.token_shares[group]


_N_REASONS: Final = 2


@dataclass(frozen=True, eq=False)
class SplitPoints:
    """The points of the nodes of one page. points: float64 [n_nodes]; a node with more than 0 is split."""

    nodes: NodeColumns
    card: Card
    points: Floats

    @cached_property
    def _place_of(self) -> dict[int, int]:
        """Element -> the place in `nodes` of the node that begins or ends its chain with it."""
        tree = self.nodes.tree
        inner = {tree.inner[node]: place for place, node in enumerate(self.nodes.nodes)}
        return inner | {tree.row[node]: place for place, node in enumerate(self.nodes.nodes)}

    def explain(self, root: int) -> tuple[Reason, ...]:
        """The lines that decided most that a block was not split, or that only its own text is left of it.

        root: its first element.
        """
        place = self._place_of.get(root)
        if place is None:
            return ()
        names = compile_card(self.card, NODE_FEATURES).names
        values = {name: float(measure_nodes(self.nodes, name)[place]) for name in names}
        is_split = self.points[place] > 0 or not place
        reasons = explain_points(self.card, values, NODE_FEATURES, "cut")
        told = (reason for reason in reasons if reason.points and (reason.points > 0) == is_split)
        return tuple(islice(told, _N_REASONS))


def score_splits(nodes: NodeColumns, card: Card) -> SplitPoints:
    """The points of each node, those of alike siblings their mean: all are split, or none."""
    compiled = compile_card(card, NODE_FEATURES)
    points = score_table(compiled, measure_table(nodes, compiled.names), n_rows=len(nodes))
    return SplitPoints(nodes, card, nodes.average_alike(points[0]))
