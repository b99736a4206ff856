"""Features of the nodes of the cut tree, for the cards `splits` and `sections`, and points for splits by the former.

Most are lines of the table of `core/nodes.py`; here are those that ask for attributes, tags and names: functions that
take a `NodeColumns` and return one value for each node that has parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
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
    core, which has `fill`."""

    @property
    def table(self) -> dict[str, Floats]: ...
    @property
    def sums(self) -> Any: ...


_MOST_PLANS: Final = 64
"""Sets of names whose plans are remembered; a rule set asks for a few, and each page for the same ones."""
_Columns = TypeVar("_Columns", bound=Columns)
_Compute = TypeVar("_Compute", bound=Callable[..., Iterable[Floats]])


class Plan(NamedTuple):
    """How several features are measured.

    listed, numbers: those of the tables. families: (what computes the features of a family, their names, the rest of
    each name). others: those with a function of their own.
    """

    listed: tuple[str, ...]
    numbers: tuple[int, ...]
    families: tuple[tuple[Callable[..., Iterable[Floats]], tuple[str, ...], list[str]], ...]
    others: tuple[str, ...]


class ColumnFeatures(FeatureRegistry[_Columns, Floats]):
    """Features of nodes or of semantic blocks. Those that are asked for together are measured together.

    A feature is a line of a table in the core (`build_features.py`), of which those asked for are filled in one call; a
    function, registered with `feature`; or of a family, such as `token.`, which gives all of its words at once.
    """

    def __init__(self, subject: str, *sections: str, tables: Mapping[str, Sequence[tuple[str, ...]]]) -> None:
        """subject, sections: as for any registry. tables: as `build_features.py` writes them."""
        super().__init__(subject, *sections)
        self.add_tables(tables, lambda name: partial(self.measure, name=name))
        self._together: dict[str, Callable[..., Iterable[Floats]]] = {}
        self._plans: dict[tuple[str, ...], Plan] = {}

    def family_together(self, prefix: str, unit: str, meaning: str) -> Callable[[_Compute], _Compute]:
        """Register all features that begin with a prefix; the decorated function takes the rests of several names."""

        def register(compute: _Compute) -> _Compute:
            self._together[prefix] = compute
            self.family(prefix, unit, meaning)(lambda word: partial(self.measure, name=prefix + word))
            return compute

        return register

    def measure(self, columns: _Columns, name: str) -> Floats:
        """float64 [n]: one feature, computed once a page."""
        return self.measure_all(columns, (name,))[0]

    def measure_all(self, columns: _Columns, names: tuple[str, ...]) -> tuple[Floats, ...]:
        """float64 [n] each: several features of n nodes or blocks, each computed once a page."""
        known = columns.table
        unknown = tuple([name for name in names if name not in known])
        if unknown:
            plan = self._plan(unknown)
            if plan.numbers:
                known.update(zip(plan.listed, columns.sums.fill(plan.numbers), strict=True))
            for compute, own, words in plan.families:
                known.update(zip(own, compute(columns, words), strict=True))
            for name in plan.others:
                known[name] = np.asarray(self.find(name).compute(columns), dtype=np.float64)
        return tuple([known[name] for name in names])

    def _plan(self, names: tuple[str, ...]) -> Plan:
        """How features are measured; remembered, for each page asks for the same ones."""
        found = self._plans.get(names)
        if found is None:
            # rule sets of users come and go: no bound would keep all of them
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            listed = tuple(name for name in names if name in self.numbers)
            families, rest = [], [name for name in names if name not in self.numbers]
            for prefix, compute in self._together.items():
                own = tuple(name for name in rest if name.startswith(prefix))
                if own:
                    families.append((compute, own, [name.removeprefix(prefix) for name in own]))
                    rest = [name for name in rest if name not in own]
            numbers = tuple(self.numbers[name] for name in listed)
            found = self._plans[names] = Plan(listed, numbers, tuple(families), tuple(rest))
        return found


NODE_FEATURES: Final = ColumnFeatures[NodeColumns](
    "node of the cut tree", "splits", "sections", tables=core.NODE_TABLES
)
measure_nodes: Final = NODE_FEATURES.measure


@NODE_FEATURES.feature(
    "share", "boundaries between neighbouring parts with other colours, backgrounds or styles / all (patent A4)"
)
def looks_differ(columns: NodeColumns) -> Floats:
    looks = columns.part_looks
    return columns.share_boundaries(np.concatenate(([False], looks[1:] != looks[:-1])))


@NODE_FEATURES.family_together("tag.", "0 or 1", "an element of the node's chain has this tag")
def _mark_tags(columns: NodeColumns, names: list[str]) -> Floats:
    return columns.has_tag[[CODE.get(name, 0) for name in names]].astype(np.float64)


@NODE_FEATURES.family_together(
    "token.", "0 to 1", "1: a class or id of the node is of the group; 0.5: of a node around it"
)
def _list_tokens(columns: NodeColumns, groups: list[str]) -> list[Floats]:
    """By a group of `segments.tokens`."""
    return list(map(columns.token_shares.__getitem__, groups))


_N_REASONS: Final = 2  # lines of the card that are told of a block


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
        is_split = self.points[place] > 0 or not place  # the page itself whatever its points
        reasons = explain_points(self.card, values, NODE_FEATURES, "cut")
        told = (reason for reason in reasons if reason.points and (reason.points > 0) == is_split)
        return tuple(islice(told, _N_REASONS))


def score_splits(nodes: NodeColumns, card: Card) -> SplitPoints:
    """The points of each node, those of alike siblings their mean: all are split, or none."""
    compiled = compile_card(card, NODE_FEATURES)
    points = score_table(compiled, NODE_FEATURES.measure_all(nodes, compiled.names), n_rows=len(nodes))
    return SplitPoints(nodes, card, nodes.average_alike(points[0]))
