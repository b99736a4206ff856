"""Features of the nodes of a cut tree: the named numbers that the card of splits refers to.

Most are lines of the table of `core/nodes.py`; here are those that ask for attributes, tags and names: functions that
take a `NodeColumns` and return one value for each node that has parts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from webclean import core
from webclean.model import Floats
from webclean.parse.tags import CODE
from webclean.registry import FeatureRegistry
from webclean.segments.feature_tables import FeatureTables, measure, measure_all
from webclean.segments.node_columns import NodeColumns

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
