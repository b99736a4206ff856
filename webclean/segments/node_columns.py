"""`NodeColumns`: the nodes of a page's cut tree that can be split, and values of them that several features share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.features.links import find_links
from webclean.features.names import find_names
from webclean.model import Floats, Mask, Rows
from webclean.parse import find_attribute
from webclean.parse.columns import list_values
from webclean.parse.tags import HEADING, N_CODES, tag_mask
from webclean.rules.segments_schema import Segments
from webclean.segments.cut_tree import CutTree
from webclean.segments.folders import find_folders
from webclean.segments.name_bits import find_name_bits
from webclean.segments.node_parts import MEASURES, NodeParts, measure_parts
from webclean.segments.unit_search import find_units

_LOOKS: Final = ("bgcolor", "background", "style")
_COUNTED: Final = {
    "headings": HEADING,
    "images": tag_mask("img svg picture video iframe object canvas"),
    "controls": tag_mask("input select textarea button"),
    "rules": tag_mask("hr"),
}
COUNTED_TAGS: Final = np.array([*_COUNTED.values()])


def list_nodes(tree: CutTree) -> list[int]:
    """The nodes that have parts, of those that the root reaches, in document order."""
    return cast("list[int]", core.list_nodes(tree.children))


@dataclass(frozen=True, eq=False)
class NodeColumns:
    """One page's cut tree, of which n nodes have parts; m is the number of all their parts.

    page: the page. tree: its cut tree. rules: groups of tokens. nodes: the numbers of the n nodes in the tree, rising,
    of those that the root reaches.
    """

    page: PageColumns
    tree: CutTree
    rules: Segments
    nodes: list[int]

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n], filled on demand by `measure_nodes`."""
        return {}

    @cached_property
    def number(self) -> Rows:
        """int64 [n]: `nodes` as an array."""
        return np.array(self.nodes, dtype=np.int64)

    @cached_property
    def row(self) -> Rows:
        """int64 [n]: the outermost element of each node."""
        return self.rows_of_all[self.number]

    @cached_property
    def end(self) -> Rows:
        """int64 [n]: one past the last element of each node."""
        return self.page.document.end[self.row]

    @cached_property
    def rows_of_all(self) -> Rows:
        """int64: the outermost element of each node of the tree."""
        return np.asarray(self.tree.row)

    @cached_property
    def parts_measured(self) -> NodeParts:
        return measure_parts(self.tree, self.nodes)

    @cached_property
    def by_parts(self) -> dict[str, Floats]:
        """Name in `MEASURES` -> float64 [n]."""
        return dict(zip(MEASURES, self.parts_measured.table, strict=True))

    @property
    def share(self) -> Floats:
        """float64 [n]: characters of each node / characters of the page."""
        return self.by_parts["share"]

    @property
    def n_parts(self) -> Rows:
        """int64 [n]: parts of each node."""
        return self.parts_measured.n_parts

    @property
    def parts(self) -> Rows:
        """int64 [m]: the parts of the first node, then those of the second, and so on."""
        return self.parts_measured.parts

    @property
    def whole(self) -> Rows:
        """int64 [m]: the place in `nodes` of what each of `parts` is a part of."""
        return self.parts_measured.whole

    @property
    def above(self) -> Rows:
        """int64 [n]: the place in `nodes` of what each node is a part of, -1 for the root."""
        return self.parts_measured.above

    @cached_property
    def text_sums(self) -> dict[str, Floats]:
        """float64 [n] each: text blocks of each node, their words, characters and characters in links; and characters
        of the page before the node."""
        blocks = self.page.blocks
        values = np.ones(len(blocks)), blocks.n_words, blocks.n_chars, blocks.n_link_chars
        size = len(self.page.document) + 1
        running = np.array([np.bincount(blocks.row + 1, value, minlength=size) for value in values]).cumsum(axis=1)
        before = running[:, self.row]
        sums = dict(zip(("blocks", "words", "chars", "link_chars"), running[:, self.end] - before, strict=True))
        return {**sums, "chars_before": before[2]}

    @cached_property
    def tag_counts(self) -> dict[str, Floats]:
        """Kind in `_COUNTED` -> float64 [n]: elements with these tags in each node."""
        tags = self.page.document.tag
        running = np.zeros((len(_COUNTED), len(tags) + 1))
        np.cumsum(COUNTED_TAGS[:, tags], axis=1, out=running[:, 1:])
        return dict(zip(_COUNTED, running[:, self.end] - running[:, self.row], strict=True))

    @cached_property
    def follows(self) -> Mask:
        """bool [m]: a part of the same node stands before the part."""
        first = np.zeros(len(self.parts), dtype=bool)
        first[np.cumsum(self.n_parts) - self.n_parts] = True
        return ~first

    @cached_property
    def _chains(self) -> tuple[NDArray[np.uint8], Floats]:
        """uint8 [n_codes, n], which tags the elements of each node's chain have; float64 [n_groups, n], for each group
        of tokens 1 where a name in the chain is of it, 0.5 where one around is."""
        bits, groups = find_name_bits(self.page, self.rules), self.rules.group_bits
        of_groups = np.array([*groups.values()], dtype=np.int64)
        tree, page = (self.tree.row, self.tree.inner, self.nodes), (self.page.document.tag, bits)
        found = core.describe_chains(tree, self.above, page, of_groups, N_CODES)
        return cast("tuple[NDArray[np.uint8], Floats]", found)

    def _list_chains(self) -> tuple[list[int], list[int]]:
        """(rows of all elements of the nodes' chains, the place in `nodes` of each)."""
        rows, places = [], []
        row, inner = self.tree.row, self.tree.inner
        for place, node in enumerate(self.nodes):
            at, last = node, inner[node]
            rows.append(row[at])
            while row[at] != last:
                at += 1  # in a chain, the next block element with text is the child
                rows.append(row[at])
            places += [place] * (at - node + 1)
        return rows, places

    @property
    def has_tag(self) -> NDArray[np.uint8]:
        """uint8 [n_codes, n]: which tags the elements of each node's chain have."""
        return self._chains[0]

    @cached_property
    def token_shares(self) -> dict[str, Floats]:
        """Group of tokens -> float64 [n]: 1 where a name in the node's chain is of it, 0.5 where one around is."""
        return dict(zip(self.rules.group_bits, self._chains[1], strict=True))

    @cached_property
    def entries(self) -> tuple[Floats, Floats]:
        """Two float64 [n], of the entries of repeated lists that are parts of a node: number, characters in all."""
        search, parent = find_units(self.page, self.rules.records), self.page.document.parent
        first, end = search.bounds.T
        place_of = np.full(len(parent) + 1, -1, dtype=np.int64)
        place_of[np.asarray(self.tree.inner)[self.number]] = np.arange(len(self))
        at = place_of[parent[first]]
        chars = search.summed.sums[0, end] - search.summed.sums[0, first]
        n = np.bincount(at[at >= 0], minlength=len(self)).astype(np.float64)
        return n, np.bincount(at[at >= 0], chars[at >= 0], minlength=len(self)).astype(np.float64)

    @cached_property
    def part_kinds(self) -> Rows:
        """int64 [m]: a number for tag and classes of each part's outermost element."""
        rows = self.rows_of_all[self.parts]
        return find_names(self.page).classes[rows] * 256 + self.page.document.tag[rows]

    @cached_property
    def links(self) -> tuple[Rows, NDArray[np.int64]]:
        """(rows of the links to pages, a number for the directory of each)."""
        links = find_links(self.page)
        folder_of = find_folders(self.page)[1][links.number]
        leads = folder_of >= 0
        return links.row[leads], folder_of[leads]

    @cached_property
    def shapes(self) -> NDArray[np.int64]:
        """int64: a number for the nested tags of the blocks in each node of the tree; equal neighbours count once."""
        tags = self.page.document.tag[self.rows_of_all]
        return cast("NDArray[np.int64]", core.number_shapes(tags, self.number, self.n_parts, self.parts))

    @cached_property
    def part_looks(self) -> NDArray[np.int64]:
        """int64 [m]: a number for the attributes of each part that say how it looks."""
        document = self.page.document
        looks: dict[int, tuple[str, ...]] = {}
        for name in _LOOKS:
            for row, value in zip(find_attribute(document, name), list_values(document, name), strict=True):
                looks[row] = (*looks.get(row, ()), name, value)
        known: dict[tuple[str, ...], int] = {(): 0}
        rows = self.rows_of_all[self.parts].tolist()
        return np.array([known.setdefault(looks.get(row, ()), len(known)) for row in rows], dtype=np.int64)

    def sum_parts(self, values: NDArray[np.generic]) -> Floats:
        """float64 [n]: sum over the parts of each node. values: [m]."""
        return np.bincount(self.whole, values, minlength=len(self)).astype(np.float64)

    def share_boundaries(self, alike: Mask) -> Floats:
        """float64 [n]: share of the boundaries between neighbouring parts that are marked. alike: bool [m]."""
        return self.sum_parts(alike & self.follows) / np.maximum(1, self.n_parts - 1)
