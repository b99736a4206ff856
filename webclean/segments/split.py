"""Cut tree -> semantic blocks, by splitting the page from the root down (patent A4, step 104).

By the card (`splits`): a node is split into its parts where its points are above zero. They estimate whether the parts,
well split in turn, agree better with how people divide pages than the node as one block does.

By the queue: best first, of all parts, the one with the greatest height plus share of the text is replaced by its
children, until there are as many blocks as the rules want. Lists and flat parts are not split, except flat parts with
several headings.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from webclean.model import Document, Segmentation
from webclean.parse.limits import check_time
from webclean.rules.segments_schema import SegmentCut, Urls
from webclean.segments.arrange import arrange_segments
from webclean.segments.cohesion import Neighbours
from webclean.segments.cut_tree import CutTree
from webclean.segments.gain import measure_gain

Split = tuple[list[int], dict[int, str]]
"""(nodes that were split, node that was not -> why)."""


def cut_page(document: Document, tree: CutTree, split: Split, rules: SegmentCut, urls: Urls) -> Segmentation:
    """Divide a page into semantic blocks.

    Args:
        document: the page.
        tree: its cut tree.
        split: which of its nodes are split.
        rules: what to merge.
        urls: settings for comparing URLs.
    """
    if not len(tree):
        return Segmentation((), (), (), np.full(len(document), -1, dtype=np.int32))
    nodes, leaves = split
    found: dict[tuple[int, ...], str] = {
        (tree.inner[node],): "text directly inside an element that was split" for node in nodes if tree.own[node]
    }
    neighbours = Neighbours(document, tree, rules, urls)
    merged = set()
    for node in nodes:
        check_time()
        for run, why in neighbours.find_runs(tree.children[node], leaves):
            found[tuple(tree.row[part] for part in run)] = f"merged: {why}"
            merged.update(run)
    found.update(((tree.row[node],), why) for node, why in leaves.items() if node not in merged)
    return arrange_segments(document, found)


def split_by_points(tree: CutTree, nodes: Sequence[int], points: Sequence[float]) -> Split:
    """Split each node with points above zero, and the page itself.

    Args:
        tree: the cut tree.
        nodes: those that have parts.
        points: of each of them.
    """
    of_node = dict(zip(nodes, points, strict=True))
    split: list[int] = []
    done: dict[int, str] = {}
    todo = [0]
    while todo:
        node = todo.pop()
        n_parts = len(tree.children[node])
        if not n_parts:
            done[node] = "a structure block without others inside" if node else "the whole page is one block of text"
        elif not node or of_node[node] > 0:
            split.append(node)
            todo += tree.children[node]
        else:
            done[node] = f"its {n_parts} parts stay together: {of_node[node]:+.2f} points for a split"
    return sorted(split), done


def split_by_queue(document: Document, tree: CutTree, rules: SegmentCut) -> Split:
    """Split best first."""
    split: list[int] = []
    done: dict[int, str] = {}
    waiting: list[tuple[float, int]] = []
    n_counted = 0
    fresh = [0] if len(tree) else []
    while True:
        for node in fresh:
            n_counted += tree.share[node] > rules.small_share
            why = _find_stop(document, tree, node, rules) if node else ""
            if why:
                done[node] = why
            elif tree.children[node]:
                heapq.heappush(waiting, (-tree.height[node] - tree.share[node], node))
            else:
                done[node] = "the whole page is one block of text"
        if not waiting or (n_counted >= rules.blocks and split):
            break
        node = heapq.heappop(waiting)[1]
        n_counted -= tree.share[node] > rules.small_share
        split.append(node)
        fresh = tree.children[node]
    done.update((node, f"the page already has {rules.blocks} blocks") for _, node in waiting)
    return split, done


def _find_stop(document: Document, tree: CutTree, node: int, rules: SegmentCut) -> str:
    """Why a node must not be split, '' if it may be."""
    height, children = tree.height[node], tree.children[node]
    if not children:
        return "a structure block without others inside"
    if tree.is_list[node] and height <= rules.list_height:
        return f"a list of {len(children)} parts"
    if height <= rules.flat_height and sum(tree.has_heading[child] for child in children) < rules.headings:
        return f"flat: height {height}"
    if height <= rules.whole_height and document.names[tree.row[node]] in rules.whole:
        return f"`{document.names[tree.row[node]]}`"
    if rules.gain and tree.share[node] < rules.gain_share:
        gain = measure_gain(tree.share[node], [tree.share[child] for child in children])
        if gain < rules.gain_above:
            return f"no part holds more than {gain:.0%} of it"
    return ""
