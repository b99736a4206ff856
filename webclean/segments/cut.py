"""Split nodes -> semantic blocks, in reading order, and the siblings that belong together though no element holds them.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below. What is not split is a block.

Groups (`SiblingGroups`), of which sections are made:

    <div> <h2>Politics</h2> <p>..</p> <p>..</p> <h2>Sport</h2> <p>..</p> </div>     a heading opens what follows it, up
                                                                                    to the next of its rank

All parts of one parent are no group: the parent holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.model import Document, Floats, Rows, Segmentation
from webclean.parse.tags import CODE, HEADING
from webclean.rules.segments_schema import Segments
from webclean.segments.nodes import NODE_FEATURES, CutTree, NodeColumns, Split
from webclean.segments.titles import BOLD, LABEL

_MANY: Final = 200
"""Blocks of a page from which small neighbours are one: nobody reads thousands of blocks."""
_TRIFLE: Final = 0.01
"""Share of the page's text."""


def arrange_segments(document: Document, found: Mapping[tuple[int, ...], str]) -> Segmentation:
    """Number the blocks in reading order; a block inside another owns its elements.

    found: rows of the elements of each block, children of one parent -> why it was not split.
    """
    roots = sorted(found)
    parent, owner = core.arrange(document.page, roots)
    return Segmentation(tuple(roots), tuple(parent), tuple([found[rows] for rows in roots]), owner)


def cut_page(document: Document, tree: CutTree, split: Split) -> Segmentation:
    """The semantic blocks of a page, whose nodes are split as `split` says."""
    if not len(tree):
        return Segmentation((), (), (), np.full(len(document), -1, dtype=np.int32))
    nodes, leaves = split
    found: dict[tuple[int, ...], str] = {
        # the innermost element of the chain, which owns the text
        (tree.inner[node],): "text directly inside an element that was split"
        for node in nodes
        if tree.own[node]
    }
    runs = _join_small(tree, split) if len(leaves) > _MANY else []
    found |= {tuple(tree.row[part] for part in run): "merged: small neighbours" for run in runs}
    joined = {part for run in runs for part in run}
    found |= {(tree.row[node],): why for node, why in leaves.items() if node not in joined}
    return arrange_segments(document, found)


def _join_small(tree: CutTree, split: Split) -> list[list[int]]:
    """Runs of siblings that are not split, each a trifle of the page and but the first without a heading."""
    nodes, leaves = split
    runs: list[list[int]] = []
    for node in nodes:
        run: list[int] = []
        for part in tree.children[node]:
            is_small = part in leaves and tree.share[part] < _TRIFLE
            if not is_small or tree.has_heading[part] or not run:
                run = []
                runs.append(run)
            if is_small:
                run.append(part)
    return [run for run in runs if len(run) > 1]


_RANKS: Final = np.zeros(len(HEADING), dtype=np.int64)
_RANKS[[CODE[f"h{rank}"] for rank in range(1, 7)]] = range(1, 7)
"""int64 [n_codes]: the rank of a heading, by tag."""
_LABEL_RANK: Final = 7
"""Of a line in bold or a label, below h6."""


class Group(NamedTuple):
    """What a heading opens: a run of siblings, of which it is the first.

    place: of the node around, in `NodeColumns`. parts: the places of the siblings. rank: of the heading.
    """

    place: int
    parts: tuple[int, ...]
    rank: int


class SiblingGroups:
    """Finds the groups of one page."""

    def __init__(self, nodes: NodeColumns, rules: Segments) -> None:
        """nodes: all of the page, those without parts too."""
        self.nodes, self.rules = nodes, rules

    def find(self) -> list[Group]:
        """The groups of all nodes, those of a node around others first; groups of one node are nested or apart."""
        share, least = self.nodes.share, self.rules.sections.group_share
        # in smaller nodes no group is large enough
        large = (share >= least).nonzero()[0].tolist()
        found = (group for place in large for group in self._open_by_headings(place))
        return [group for group in found if share[list(group.parts)].sum() >= least]

    def _open_by_headings(self, place: int) -> Iterator[Group]:
        """What each heading among siblings opens: all up to the next part headed by one of its rank or higher."""
        parts = [self._place[child] for child in self.nodes.tree.children[self.nodes.nodes[place]]]
        starts, lines = self._start_rank[parts].tolist(), [self._line_rank[part] for part in parts]
        for at, rank in enumerate(lines):
            if not rank:
                continue
            end = next((other for other in range(at + 1, len(parts)) if 0 < starts[other] <= rank), len(parts))
            # headings alone are a list of contents: none of them opens anything; all parts are what holds them
            if 1 < end - at < len(parts) and not all(lines[at:end]):
                yield Group(place, tuple(parts[at:end]), rank)

    @cached_property
    def _line_rank(self) -> list[int]:
        """The rank of each part that is a heading and no more: a single line, or a heading and a short line beside it,
        as `see all` is; 0 for others."""
        n_lines, n_chars, _, n_headings = self._sizes
        is_short = (n_chars <= self.rules.titles.chars) & (n_lines <= self.rules.titles.lines)
        ranks: list[int] = (self._start_rank * ((n_lines == 1) | (is_short & (n_headings == 1)))).tolist()
        return ranks

    @cached_property
    def _start_rank(self) -> Rows:
        """int64 [n]: the rank of the heading that a part starts with, 7 for a line in bold or a label; 0 for none."""
        document, row, end, inner = self.nodes.page.document, self.nodes.row, self.nodes.end, self.nodes.inner
        headings = np.append(HEADING[document.tag].nonzero()[0], 0)  # the last one is for the parts after all headings
        heading = headings[headings[:-1].searchsorted(row)]
        n_lines, n_chars, n_words, _ = self._sizes
        is_short = (n_lines <= 1) & (n_chars <= self.rules.titles.chars) & (n_words <= self.rules.titles.words)
        # `<p><b>..</b></p>`: the first element inside, if it ends where the part does
        below = np.minimum(inner + 1, end - 1)
        is_bold = (below > inner) & BOLD[document.tag[below]] & (document.end[below] == end)
        labels = _LABEL_RANK * (is_short & (is_bold | LABEL[document.tag[inner]]))
        has_heading = np.asarray(self.nodes.tree.has_heading)[self.nodes.number]
        ranks: Rows = np.where(has_heading, _RANKS[document.tag[heading]], labels)
        return ranks

    @cached_property
    def _sizes(self) -> tuple[Floats, ...]:
        """float64 [n] each: lines, characters, words a line and headings of each part."""
        return NODE_FEATURES.measure_all(self.nodes, ("n_text_blocks", "n_chars", "words_per_text_block", "n_headings"))

    @cached_property
    def _place(self) -> dict[int, int]:
        """Number of a node in the tree -> its place."""
        return {number: place for place, number in enumerate(self.nodes.nodes)}
