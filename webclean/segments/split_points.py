"""Nodes of the cut tree -> points for splitting each, by the card `splits`, and why a block was divided or not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from webclean.caching import cached_property
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.model import Floats, Reason
from webclean.rules.card_schema import Card
from webclean.segments.node_columns import NodeColumns
from webclean.segments.node_features import NODE_FEATURES, measure_nodes, measure_table

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
