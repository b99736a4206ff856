"""Split nodes -> semantic blocks, in reading order, and the siblings that belong together though no element holds them.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below. What is not split is a block.

Groups (`find_groups`), of which sections are made:

    <div> <h2>Politics</h2> <p>..</p> <p>..</p> <h2>Sport</h2> <p>..</p> </div>     a heading opens what follows it, up
                                                                                    to the next of its rank

All parts of one parent are no group: the parent holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from webclean import core
from webclean.model import Document, Segmentation
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


def find_groups(nodes: NodeColumns, rules: Segments) -> list[Group]:
    """The groups of a page, those of a node around others first; groups of one node are nested or apart. nodes: all of
    the page, those without parts too."""
    share, least = nodes.share, rules.sections.group_share
    place_of = {number: place for place, number in enumerate(nodes.nodes)}
    starts, lines = _rank_parts(nodes, rules)
    found: list[Group] = []
    # in smaller nodes no group is large enough
    for place in (share >= least).nonzero()[0].tolist():
        parts = [place_of[child] for child in nodes.tree.children[nodes.nodes[place]]]
        headed, alone = ([ranks[part] for part in parts] for ranks in (starts, lines))
        for at, rank in enumerate(alone):
            if not rank:
                continue
            # all up to the next part headed by one of its rank or higher
            end = next((other for other in range(at + 1, len(parts)) if 0 < headed[other] <= rank), len(parts))
            # headings alone are a list of contents: none of them opens anything; all parts are what holds them
            if 1 < end - at < len(parts) and not all(alone[at:end]):
                found.append(Group(place, tuple(parts[at:end]), rank))
    return [group for group in found if share[list(group.parts)].sum() >= least]


def _rank_parts(nodes: NodeColumns, rules: Segments) -> tuple[list[int], list[int]]:
    """For each part the rank of the heading that it starts with, 7 for a line in bold or a label, 0 for none; and that
    of the parts that are a heading and no more, a single line or one with a short line beside it, as `see all` is."""
    document, row, end, inner = nodes.page.document, nodes.row, nodes.end, nodes.inner
    sizes = ("n_text_blocks", "n_chars", "words_per_text_block", "n_headings")
    n_lines, n_chars, n_words, n_headings = NODE_FEATURES.measure_all(nodes, sizes)
    headings = np.append(HEADING[document.tag].nonzero()[0], 0)  # the last one is for the parts after all headings
    heading = headings[headings[:-1].searchsorted(row)]
    is_short = n_chars <= rules.titles.chars
    # `<p><b>..</b></p>`: the first element inside, if it ends where the part does
    below = np.minimum(inner + 1, end - 1)
    is_bold = (below > inner) & BOLD[document.tag[below]] & (document.end[below] == end)
    is_label = is_short & (n_lines <= 1) & (n_words <= rules.titles.words) & (is_bold | LABEL[document.tag[inner]])
    has_heading = np.asarray(nodes.tree.has_heading)[nodes.number]
    starts = np.where(has_heading, _RANKS[document.tag[heading]], _LABEL_RANK * is_label)
    is_alone = (n_lines == 1) | (is_short & (n_lines <= rules.titles.lines) & (n_headings == 1))
    return starts.tolist(), (starts * is_alone).tolist()
