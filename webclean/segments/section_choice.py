"""Nodes of the cut tree and groups of siblings -> those that are sections, by the card `sections` and greedy coverage.

The card says how likely people name a node of the tree; of groups that no element holds, and of landmarks, the rules
say it. Siblings of one tag and class stand or fall together, with the mean of their chances: what a template repeats is
cut alike (tag repetition, patent A4). Then parts are taken as long as they cover enough that no block and no other part
is close to (`core.cover_nodes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean import core
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.model import Floats, Mask, Reason, Rows, Segmentation
from webclean.parse import find_attribute
from webclean.parse.columns import list_values
from webclean.parse.tags import tag_mask
from webclean.rules.card_schema import Card
from webclean.rules.segments_schema import SectionChoice, Segments
from webclean.segments.node_columns import NodeColumns, list_nodes
from webclean.segments.node_features import NODE_FEATURES, measure_table
from webclean.segments.semantic_page import find_nodes
from webclean.segments.sibling_groups import Group, SiblingGroups

_LANDMARKS: Final = tag_mask("nav header footer aside main article")
_LANDMARK_ROLES: Final = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "main", "search", "region", "form", "article", "dialog")
)
"""Of ARIA (WAI-ARIA 1.2, landmark and region roles)."""


@cached_per_page
def find_parts(columns: PageColumns, rules: Segments) -> NodeColumns:
    """All nodes of the cut tree of a page that its root reaches, those without parts too."""
    nodes = find_nodes(columns, rules)
    return NodeColumns(nodes.page, nodes.tree, rules, list_nodes(nodes.tree, with_leaves=True))


@dataclass(frozen=True, eq=False)
class ChosenSections:
    """Which parts of a page are sections: of its n nodes, and of the m groups of siblings, numbered after them.

    above: int64 [n + m], the part around each, -1 for the page. chance: float64 [n + m], that people name it, before it
    is averaged over alike siblings; 0 for those that are too small. gain: float64 [n + m], what taking it gained; 0 for
    those that were not taken.
    """

    nodes: NodeColumns
    card: Card
    groups: Sequence[Group]
    above: Rows
    chance: Floats
    gain: Floats

    @cached_property
    def taken(self) -> list[int]:
        """The numbers of the parts that are sections."""
        return np.flatnonzero(self.gain > 0).tolist()

    def list_rows(self, part: int) -> list[int]:
        """The outermost elements of a part."""
        places = self.groups[part - len(self.nodes)].parts if part >= len(self.nodes) else (part,)
        return self.nodes.row[list(places)].tolist()  # type: ignore[no-any-return]

    def explain(self, part: int) -> Iterable[Reason]:
        """Why a part is a section."""
        gained = round(float(self.gain[part]), 3)
        if part >= len(self.nodes):
            group = self.groups[part - len(self.nodes)]
            yield Reason("section", group.signal, group.why, round(float(self.chance[part]), 3))
            yield Reason("section", "gain", "no block and no other section is close to it", gained)
            return
        yield Reason("section", "chance", "that people name such a part", round(float(self.chance[part]), 3))
        yield Reason("section", "gain", "no block and no other section is close to it", gained)
        names = compile_card(self.card, NODE_FEATURES).names
        values = {name: float(self.nodes.table[name][part]) for name in names}
        yield from explain_points(self.card, values, NODE_FEATURES, "section")


def choose_sections(nodes: NodeColumns, card: Card, segments: Segmentation, rules: Segments) -> ChosenSections:
    """Take the parts that are sections.

    Args:
        nodes: all of the page, those without parts too.
        card: says how likely people name a node.
        segments: the blocks of the page, which are there anyway.
        rules: settings.
    """
    choice = rules.sections
    chance, share = score_chances(nodes, card), nodes.share
    groups = SiblingGroups(nodes, rules).find()
    if choice.landmarks:
        chance[find_landmarks(nodes)] = np.maximum(chance, choice.chances["landmarks"])[find_landmarks(nodes)]
    chance = np.append(chance, [choice.chances[group.signal] for group in groups])
    size = np.append(share, [share[list(group.parts)].sum() for group in groups]) * nodes.page.blocks.n_chars.sum()
    chance *= find_large(size, choice)
    above = nest_groups(nodes.above, groups)
    together = list_sets(nodes, groups, chance > 0)
    blocks = find_blocks(nodes, segments)
    # a share of all chances, so that a page is told in about as many sections however many parts it has
    enough, n = min(choice.least_gain * float(chance[: len(nodes)].sum()), choice.enough), len(nodes)
    mean = np.append(nodes.average_alike(chance[:n], chance[:n] > 0), chance[n:])
    gain = core.cover_nodes(above, size, mean, together, blocks, enough, choice.close)
    return ChosenSections(nodes, card, groups, above, chance, gain)


def score_chances(nodes: NodeColumns, card: Card) -> Floats:
    """float64 [n]: how likely people name each node."""
    compiled = compile_card(card, NODE_FEATURES)
    points = score_table(compiled, measure_table(nodes, compiled.names), n_rows=len(nodes))[0]
    chance: Floats = 1 / (1 + np.exp(-points))
    return chance


def find_landmarks(nodes: NodeColumns) -> Mask:
    """bool [n]: the nodes of whose chain an element names a region of the page, by its tag, its role or a label."""
    document = nodes.page.document
    is_landmark: Mask = _LANDMARKS[document.tag]
    roles = zip(find_attribute(document, "role"), list_values(document, "role"), strict=True)
    named = [row for row, role in roles if role.strip().lower() in _LANDMARK_ROLES]
    is_landmark[named] = True
    until = np.concatenate(([0], np.cumsum(is_landmark)))
    inner = np.asarray(nodes.tree.inner)[nodes.number]
    found: Mask = until[inner + 1] > until[nodes.row]
    return found


def find_large(size: Floats, rules: SectionChoice) -> Mask:
    """bool [n]: the parts that are large enough for a section, of which there may be so many. size: characters, those
    of the page first."""
    is_large: Mask = size >= max(rules.chars, rules.share * size[0] if len(size) else 0)
    if is_large.sum() > rules.most:
        is_large[np.argsort(-size, kind="stable")[rules.most :]] = False
    return is_large


def nest_groups(above: Rows, groups: Sequence[Group]) -> Rows:
    """int64 [n + m]: the part around each node and each group. above: int64 [n], the node around each node."""
    n = len(above)
    nested = np.append(above, [group.place for group in groups]).astype(np.int64)
    order = sorted(range(len(groups)), key=lambda number: -len(groups[number].parts))
    for number in order:  # those inside others come later: what they find around their first part is the larger group
        parts = list(groups[number].parts)
        nested[n + number] = nested[parts[0]]
        nested[parts] = n + number
    return nested


def list_sets(nodes: NodeColumns, groups: Sequence[Group], listed: Mask) -> tuple[Rows, Rows]:
    """The listed parts, those that stand or fall together after each other: alike siblings, and what headings of one
    rank open in one element. int64 [n_listed], their numbers; int64 [n_sets + 1], where each set begins."""
    opened: dict[tuple[int, int], int] = {}
    numbers = range(len(nodes), len(nodes) + len(groups))
    sets = [
        opened.setdefault((group.place, group.rank), number) if group.rank else number
        for number, group in zip(numbers, groups, strict=True)
    ]
    key = np.append(nodes.alike, np.array(sets, dtype=np.int64))
    parts = np.flatnonzero(listed)
    parts = parts[np.argsort(key[parts], kind="stable")]
    starts = np.flatnonzero(np.diff(key[parts], prepend=-1))
    return parts, np.append(starts, len(parts))


def find_blocks(nodes: NodeColumns, segments: Segmentation) -> Rows:
    """int64: the places of the nodes that are a block, alone or with the blocks inside it."""
    place = np.full(len(nodes.page.document), -1, dtype=np.int64)
    place[np.asarray(nodes.tree.inner)[nodes.number]] = place[nodes.row] = np.arange(len(nodes))
    found = place[np.array([rows[0] for rows in segments.roots if len(rows) == 1], dtype=np.int64)]
    return np.unique(found[found >= 0])
