"""Collapsed structure-block tree -> semantic blocks: a cut through the tree (patent A4, step 104).

Best first: the page is split, then again and again the part that is highest and largest, until there are as many blocks
as the rules want. Lists and flat parts stay whole; a flat part with several headings does not. Everything with text is
in exactly one block: an element that is split keeps the text directly inside it as a block, the parent of those below.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from webclean.model import Document, Floats, Rows
from webclean.rules.semantics_schema import Cut
from webclean.semantics.cut_tree import CutTree, build_cut_tree


@dataclass(frozen=True, slots=True, eq=False)
class Segmentation:
    """Semantic blocks in reading order.

    roots: the elements of each block, siblings of one parent. parent: the enclosing block or -1. why: what ended the
    splitting. owner: int32 [n_elements], the block an element is in, or -1.
    """

    roots: tuple[tuple[int, ...], ...]
    parent: tuple[int, ...]
    why: tuple[str, ...]
    owner: Rows

    def __len__(self) -> int:
        return len(self.roots)


def cut_page(document: Document, own: Floats, rules: Cut) -> Segmentation:
    """Semantic blocks of a page. own: characters directly inside each block element."""
    tree = build_cut_tree(document, own)
    if not len(tree):
        return Segmentation((), (), (), np.full(len(document), -1, dtype=np.int32))
    split, leaves = split_tree(tree, rules)
    found = {tree.inner[node]: "text directly inside an element that was split" for node in split if tree.own[node]}
    found.update((tree.row[node], why) for node, why in leaves.items())
    return _arrange(document, found)


def split_tree(tree: CutTree, rules: Cut) -> tuple[list[int], dict[int, str]]:
    """(nodes that were split, node -> why it is a block)."""
    split: list[int] = []
    done: dict[int, str] = {}
    waiting: list[tuple[float, int]] = []
    n_counted = 0
    fresh = [0]
    while True:
        for node in fresh:
            n_counted += tree.share[node] > rules.small_share
            why = _find_stop(tree, node, rules) if node else ""
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


def _find_stop(tree: CutTree, node: int, rules: Cut) -> str:
    """Why a node is not split, '' if it may be."""
    height, children = tree.height[node], tree.children[node]
    if not children:
        return "a structure block without others inside"
    if tree.is_list[node] and height <= rules.list_height:
        return f"a list of {len(children)} parts"
    if height <= rules.flat_height and sum(tree.has_heading[child] for child in children) < rules.headings:
        return f"flat: height {height}"
    return ""


def _arrange(document: Document, found: dict[int, str]) -> Segmentation:
    rows = sorted(found)
    owner = np.full(len(document), -1, dtype=np.int32)
    parent = []
    for number, row in enumerate(rows):
        parent.append(int(owner[row]))
        owner[row : document.end[row]] = number
    return Segmentation(tuple((row,) for row in rows), tuple(parent), tuple(found[row] for row in rows), owner)
