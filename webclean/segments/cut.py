"""Cut tree -> semantic blocks: which nodes are split, which neighbours are merged, in reading order (patent A4).

The page is split from the root down (step 104).

By the card (`splits`): a node is split into its parts where its points are above zero. They estimate whether the parts,
well split in turn, agree better with how people divide pages than the node as one block does.

By the queue: best first, of all parts, the one with the greatest height plus share of the text is replaced by its
children, until there are as many blocks as the rules want. Lists and flat parts are not split, except flat parts with
several headings.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below.

Then neighbouring siblings are merged. Three signals are reasons to merge neighbours: both are small, their URLs are
alike, or they have the same tag sequence. Two prevent it: the second one starts with a heading, or they look different.
The signals can be switched in the rules.

Tag sequence -> its repeated unit, found by extending around the most frequent tag. A run of equal tags counts once, so
that occurrences of a unit may differ in length:

    h3 p hr | h3 p p hr | h3 p      for an agreement of .6 the unit is (h3, p, hr), with occurrences at 0:3 and 3:7

1. The anchor is the tag with the most runs, the first of equals: h3.
2. Extend to the right as long as enough occurrences (`agreement`) have the same next tag: p after all three, then hr
   after two of them; then h3 follows, the anchor, and the unit ends. Extend to the left in the same way.
3. An occurrence is accepted if it has enough of the unit's tags: at the end of the sequence, where tags may be missing,
   the last one has two of three, which an agreement of .5 takes and the one that ships refuses.

Every step is linear in the sequence, which is cheaper than the longest repeated substring by a suffix tree.

Visual separation: two neighbours are compared by the look of most of their text, headings apart (`features.looks`), and
by their borders.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.features.looks import Looks, find_style, read_looks
from webclean.model import Document, Segmentation
from webclean.parse import find_attribute, read_attribute
from webclean.parse.limits import check_time
from webclean.parse.tags import HEADING
from webclean.rules.segments_schema import SegmentCut, Urls
from webclean.segments.nodes import CutTree
from webclean.segments.urls import UrlStructure, compare_centres, describe_urls, is_page_url


@dataclass(frozen=True, slots=True)
class Repetition:
    """A unit and its occurrences.

    unit: tags, a run of equal ones once. spans: (first, last + 1) of each occurrence in the sequence. coverage: share
    of the sequence that is in some occurrence, 0 to 1.
    """

    unit: tuple[Hashable, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    coverage: float = 0.0


def find_repetition(sequence: Sequence[Hashable], *, agreement: float, anchor: Hashable | None = None) -> Repetition:
    """Find the repeated unit of a tag sequence; an empty `Repetition` when nothing repeats.

    Args:
        sequence: tags, or any keys that are equal for similar siblings.
        agreement: share of the occurrences that must have a tag for the unit to include it, and of the unit's tags that
            an occurrence must have, 0 to 1.
        anchor: extend around this tag instead of the most frequent one.
    """
    if not sequence:
        return Repetition()
    # one tag: each is an occurrence, and there is nothing to extend
    if len(set(sequence)) == 1:
        return _make_repetition((sequence[0],), [(i, i + 1) for i in range(len(sequence))], len(sequence))
    number: dict[Hashable, int] = {}
    tags = [number.setdefault(tag, len(number)) for tag in sequence]
    at = -1 if anchor is None else number.setdefault(anchor, len(number))
    unit, spans = core.find_repetition(tags, len(number), agreement, at)
    names = list(number)
    return _make_repetition(tuple(names[tag] for tag in unit), spans, len(sequence))


def _make_repetition(unit: tuple[Hashable, ...], spans: list[tuple[int, int]], length: int) -> Repetition:
    # one occurrence repeats nothing
    if len(spans) < 2:
        return Repetition()
    return Repetition(unit, tuple(spans), sum(last - first for first, last in spans) / length)


_STYLE_ATTRIBUTES: Final = ("bgcolor", "background", "id", "style", "color", "face", "size")
_STYLED_TAGS: Final = frozenset(("font", "b", "strong", "big", "small", "th", "h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(frozen=True, slots=True)
class LookChange:
    """changed: aspects in which two neighbours differ. heading: whether the second one starts with a heading."""

    changed: tuple[str, ...] = ()
    heading: bool = False

    @property
    def separates(self) -> bool:
        return self.heading or bool(self.changed)


def look_alike(document: Document, before: int, after: int) -> bool:
    """Whether two elements surely look the same: same tag and classes, and nothing inside that makes a difference."""
    # asked before styles are resolved: most neighbours are told by this
    if document.names[before] != document.names[after]:
        return False
    if read_attribute(document, before, "class") != read_attribute(document, after, "class"):
        return False
    return not (_shows_style(document, before) or _shows_style(document, after))


def _shows_style(document: Document, row: int) -> bool:
    """Whether an element or one inside it is presentational or has an attribute that styles."""
    end = int(document.end[row])
    # one bold word or most of the text: only reading the looks tells
    if not _STYLED_TAGS.isdisjoint(document.names[row:end]):
        return True
    for name in _STYLE_ATTRIBUTES:
        rows = find_attribute(document, name)
        at = bisect_left(rows, row)
        # an id inside is an anchor; that of the element itself may be what its styles are for
        if at < len(rows) and rows[at] < (row + 1 if name == "id" else end):
            return True
    return False


def compare_looks(document: Document, before: int, after: int, looks: Looks) -> LookChange:
    """Compare the looks of two neighbouring elements."""
    changed = list(looks.find_main(before).list_changes(looks.find_main(after)))
    # a border is of the element, not of the text in it, whose looks are compared
    borders = {find_style(document, row, looks.sheet).get("border") for row in (before, after)}
    if len(borders) > 1:
        changed = sorted([*changed, "border"])
    return LookChange(tuple(changed), starts_with_heading(document, after))


def starts_with_heading(document: Document, row: int) -> bool:
    """Whether an element is a heading, or its chain of first children leads to one."""
    while row < len(document):
        if HEADING[document.tag[row]]:
            return True
        if row + 1 >= document.end[row]:  # no child, which would be the next row
            return False
        row += 1
    return False


def measure_gain(whole: float, parts: Sequence[float]) -> float:
    """The highest context information gain of the parts (patent A4): the share of their parent's text that one has.

    If it is too low, the parent is not split: no part has enough of the text to be a block on its own.
    """
    return max(parts, default=0.0) / whole if whole else 0.0


@dataclass(frozen=True)
class Neighbours:
    """Compares neighbouring nodes of the cut tree of one page."""

    document: Document
    tree: CutTree
    rules: SegmentCut
    urls: Urls

    @cached_property
    def looks(self) -> Looks:
        return read_looks(self.document, self.rules.max_css_chars)

    def find_runs(self, siblings: Sequence[int], leaves: dict[int, str]) -> list[tuple[list[int], str]]:
        """The runs of siblings to merge, each with the reason for it. Only leaves are merged, which are not split."""
        runs: list[tuple[list[int], str]] = []
        for before, after in pairwise(siblings):
            # what was split is no one block to be merged with
            if before not in leaves or after not in leaves:
                continue
            why = self._find_bond(before, after)
            # a run grows while each neighbour is bound to the one before: the first and last need not be alike
            if why and runs and runs[-1][0][-1] == before:
                runs[-1][0].append(after)
            elif why:
                runs.append(([before, after], why))
        return runs

    def _find_bond(self, before: int, after: int) -> str:
        tree, rules = self.tree, self.rules
        why = ""
        # by what they cost: sizes are known, addresses have to be read, tags to be compared one by one
        if max(tree.share[before], tree.share[after]) < rules.merge_share:
            why = "small neighbours"
        elif rules.url and (overlap := compare_centres(self._urls(before), self._urls(after))) >= rules.url_overlap:
            why = f"their URLs share {overlap:.0%} of their centre"
        elif rules.tags and self._repeats(before, after):
            why = "the same sequence of tags"
        if not why or tree.has_heading[after]:
            return ""
        # styles last: to read them takes longer than all before
        if rules.visual and not look_alike(self.document, tree.row[before], tree.row[after]):
            look = compare_looks(self.document, tree.row[before], tree.row[after], self.looks)
            return "" if look.separates else why
        return why

    def _repeats(self, before: int, after: int) -> bool:
        a, b = self._sequence(before), self._sequence(after)
        return len(a) > 1 and a == b  # one tag alone is alike everywhere: two paragraphs are no list

    def _sequence(self, node: int) -> tuple[str, ...]:
        """The tags of a node's elements; a run of equal tags counts once."""
        row = self.tree.row[node]
        names = self.document.names[row : int(self.document.end[row])]
        return tuple(name for name, _ in groupby(names))

    def _urls(self, node: int) -> UrlStructure:
        row = self.tree.row[node]
        found = (read_attribute(self.document, at, "href") for at in range(row, int(self.document.end[row])))
        return describe_urls(filter(is_page_url, filter(None, found)), {}, centre_share=self.urls.centre_share)


def arrange_segments(document: Document, found: Mapping[tuple[int, ...], str]) -> Segmentation:
    """Number the blocks in reading order; a block inside another owns its elements.

    found: rows of the elements of each block, children of one parent -> why it was not split.
    """
    roots = sorted(found)
    parent, owner = core.arrange(document.page, roots)
    return Segmentation(tuple(roots), tuple(parent), tuple([found[rows] for rows in roots]), owner)


Split = tuple[list[int], dict[int, str]]
"""(nodes that were split, node that was not -> why)."""


def cut_page(document: Document, tree: CutTree, split: Split, rules: SegmentCut, urls: Urls) -> Segmentation:
    """The semantic blocks of a page, whose nodes are split as `split` says and then merged."""
    if not len(tree):
        return Segmentation((), (), (), np.full(len(document), -1, dtype=np.int32))
    nodes, leaves = split
    found: dict[tuple[int, ...], str] = {
        # the innermost element of the chain, which owns the text
        (tree.inner[node],): "text directly inside an element that was split"
        for node in nodes
        if tree.own[node]
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
    """Split each node with points above zero, and the page itself. nodes: those with parts. points: of each of them."""
    of_node = dict(zip(nodes, points, strict=True))
    split: list[int] = []
    done: dict[int, str] = {}
    # no recursion: a page may be nested as deep as it is long
    todo = [0]
    while todo:
        node = todo.pop()
        n_parts = len(tree.children[node])
        if not n_parts:
            done[node] = "a structure block without others inside" if node else "the whole page is one block of text"
        elif not node or of_node[node] > 0:  # the page itself always
            split.append(node)
            todo += tree.children[node]
        else:
            done[node] = f"its {n_parts} parts stay together: {of_node[node]:+.2f} points for a split"
    return sorted(split), done


def split_by_queue(document: Document, tree: CutTree, rules: SegmentCut) -> Split:
    """Split best first, until there are as many blocks as the rules want; tiny ones do not count."""
    split: list[int] = []
    done: dict[int, str] = {}
    waiting: list[tuple[float, int]] = []
    n_counted = 0
    fresh = [0] if len(tree) else []
    while True:
        for node in fresh:
            # tiny ones (a line of copyright, a button) would use up the number of blocks
            n_counted += tree.share[node] > rules.small_share
            # the page itself is split whatever it is: one block of all says nothing
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
