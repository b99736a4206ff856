"""Split nodes -> semantic blocks, in reading order, and the siblings that belong together though no element holds them.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below. What is not split is a block, or is merged with its neighbours (`Neighbours`).

Signals join neighbouring siblings, and others part them (patent A4); the rules switch each on or off.

- Merged blocks: both are small, their URLs are alike, or they have the same tag sequence; but not where the second one
  starts with a heading, or they look different.
- Groups (`SiblingGroups`), of which sections are made:

    <div> <h2>Politics</h2> <p>..</p> <p>..</p> <h2>Sport</h2> <p>..</p> </div>     a heading opens what follows it, up
                                                                                    to the next of its rank
    <td> <p class=ad>..</p> <p class=news>..</p> <p class=news>..</p> ... </td>     siblings of one shape repeat
    <td> <div><a href=/sport/1>..</div> <p><a href=/sport/2>..</p> ... </td>        their links share a centre

  A run is parted where the look changes, where a part starts with a heading of its own, and where the information gain
  jumps: a part of another order of size is another thing. All parts of one parent are no group: the parent holds them.

Neighbours are compared by the look of most of their text, headings apart (`features.looks`), and by their borders.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.features.block_features import find_links
from webclean.features.looks import Looks
from webclean.features.page_words import find_names
from webclean.model import Document, Floats, Rows, Segmentation
from webclean.parse import find_attribute, read_attribute
from webclean.parse.limits import check_time
from webclean.parse.tags import CODE, HEADING
from webclean.rules.segments_schema import SegmentCut, Segments, Urls
from webclean.segments.nodes import NODE_FEATURES, CutTree, NodeColumns, Split, measure_nodes
from webclean.segments.titles import BOLD, LABEL
from webclean.segments.urls import (
    UrlStructure,
    compare_centres,
    describe_urls,
    is_page_url,
    list_telling_tokens,
)

_STYLE_ATTRIBUTES: Final = ("bgcolor", "background", "id", "style", "color", "face", "size")
_STYLED_TAGS: Final = frozenset(("font", "b", "strong", "big", "small", "th", "h1", "h2", "h3", "h4", "h5", "h6"))


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


def list_look_changes(document: Document, before: int, after: int, looks: Looks) -> list[str]:
    """The aspects in which two neighbouring elements look different, sorted."""
    changed = {*looks.find_main(before).list_changes(looks.find_main(after))}
    # a border is of the element, not of the text in it, whose looks are compared
    if len({looks.find_style(row).get("border") for row in (before, after)}) > 1:
        changed.add("border")
    return sorted(changed)


def starts_with_heading(document: Document, row: int) -> bool:
    """Whether an element is a heading, or its chain of first children leads to one."""
    # a first child is the next row, if that is inside
    while not HEADING[document.tag[row]] and row + 1 < document.end[row]:
        row += 1
    return bool(HEADING[document.tag[row]])


@dataclass(frozen=True)
class Neighbours:
    """Compares neighbouring nodes of the cut tree of one page."""

    document: Document
    tree: CutTree
    rules: SegmentCut
    urls: Urls

    @cached_property
    def looks(self) -> Looks:
        return Looks(self.document, self.rules.max_css_chars)

    def find_runs(self, siblings: Sequence[int], leaves: Mapping[int, str]) -> list[tuple[list[int], str]]:
        """The runs of siblings to merge, each with the reason for it. Only leaves are merged, which are not split."""
        runs: list[tuple[list[int], str]] = []
        for before, after in pairwise(siblings):
            # what was split is no one block to be merged with
            why = self._find_bond(before, after) if before in leaves and after in leaves else ""
            # a run grows while each neighbour is bound to the one before: the first and last need not be alike
            if why and runs and runs[-1][0][-1] == before:
                runs[-1][0].append(after)
            elif why:
                runs.append(([before, after], why))
        return runs

    def _find_bond(self, before: int, after: int) -> str:
        """Why two neighbours are merged, '' if they are not."""
        document, tree, rules = self.document, self.tree, self.rules
        # by what they cost: sizes are known, addresses have to be read, tags to be compared one by one
        if max(tree.share[before], tree.share[after]) < rules.merge_share:
            why = "small neighbours"
        elif rules.url and (overlap := compare_centres(self._urls(before), self._urls(after))) >= rules.url_overlap:
            why = f"their URLs share {overlap:.0%} of their centre"
        # one tag alone is alike everywhere: two paragraphs are no list
        elif rules.tags and len(tags := self._sequence(before)) > 1 and tags == self._sequence(after):
            why = "the same sequence of tags"
        else:
            return ""
        if tree.has_heading[after]:
            return ""
        # styles last: to read them takes longer than all before
        rows = tree.row[before], tree.row[after]
        if not rules.visual or look_alike(document, *rows):
            return why
        is_apart = starts_with_heading(document, rows[1]) or list_look_changes(document, *rows, self.looks)
        return "" if is_apart else why

    def _sequence(self, node: int) -> list[str]:
        """The tags of a node's elements; a run of equal tags counts once."""
        row = self.tree.row[node]
        return [name for name, _ in groupby(self.document.names[row : int(self.document.end[row])])]

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


_LINKED: Final = 0.5
"""Share of link text from which a part without parts is an entry of a list, not a paragraph."""
_RANKS: Final = np.zeros(len(HEADING), dtype=np.int64)
_RANKS[[CODE[f"h{rank}"] for rank in range(1, 7)]] = range(1, 7)
"""int64 [n_codes]: the rank of a heading, by tag."""
_LABEL_RANK: Final = 7
"""Of a line in bold or a label, below h6."""


class Group(NamedTuple):
    """A run of siblings.

    place: of the node around, in `NodeColumns`. parts: the places of the siblings. rank: of the heading that opens it,
    which is the first of them; 0 for none. signal: what joins them, a key of the rules. why: for readers.
    """

    place: int
    parts: tuple[int, ...]
    rank: int
    signal: str
    why: str


def _listed(read: Callable[[NodeColumns], Any]) -> Any:
    """A column of the nodes as a list, for single values are read."""
    return cached_property(lambda groups: read(groups.nodes).tolist())


class SiblingGroups:
    """Finds the groups of one page."""

    def __init__(self, nodes: NodeColumns, rules: Segments) -> None:
        """nodes: all of the page, those without parts too."""
        self.nodes, self.rules, self.choice = nodes, rules, rules.sections

    def find(self) -> list[Group]:
        """The groups of all nodes, those of a node around others first; groups of one node are nested or apart."""
        large = (self.nodes.share >= self.choice.group_share).nonzero()[0].tolist()
        return [group for place in large for group in self._find_in(place)]  # in smaller nodes no group is large enough

    def _find_in(self, place: int) -> Iterator[Group]:
        choice, children = self.choice, self.nodes.tree.children[self.nodes.nodes[place]]
        if len(children) <= 2:  # one is no group, and both are their parent
            return
        parts = list(map(self._place.__getitem__, children))
        if choice.headings:
            yield from self._open_by_headings(place, parts)
        taken = {part for part in parts if self._line_rank[part]}  # headings join nothing
        # by shape first: a list of teasers is one whatever it links to, and what it takes is no part of another
        for run in self._join_runs(parts, taken, self._repeats) if choice.tags else ():
            for part_run in self._part_run(run, len(parts)):
                taken.update(part_run)
                yield Group(place, tuple(part_run), 0, "tags", "siblings with the same sequence of tags")
        # all URLs of a page are joined for that: asked where all neighbours with links would be enough for a group
        for linked in self._join_runs(parts, taken, self._have_links) if choice.urls else ():
            for run in self._join_runs(linked, (), self._share_urls) if self._is_group(linked) else ():
                for part_run in self._part_run(run, len(parts)):
                    yield Group(place, tuple(part_run), 0, "urls", "siblings whose URLs share a semantic centre")

    def _is_large(self, run: Sequence[int]) -> bool:
        return sum(map(self._share.__getitem__, run)) >= self.choice.group_share

    def _is_group(self, run: Sequence[int]) -> bool:
        """Whether a run is long enough for a group, and has enough of the text."""
        return len(run) >= self.choice.alike and self._is_large(run)

    def _join_runs(
        self, parts: Sequence[int], taken: Collection[int], joins: Callable[[int, int], bool]
    ) -> Iterator[list[int]]:
        """Runs of neighbours that a signal joins, of those that are not taken."""
        run: list[int] = []
        for part in parts:
            is_taken = part in taken
            if run and (is_taken or not joins(run[-1], part)):
                yield run
                run = []
            if not is_taken:
                run.append(part)
        if run:
            yield run

    def _part_run(self, run: Sequence[int], n_parts: int) -> Iterator[list[int]]:
        """The groups in a run, which is parted where looks or the information gain change. n_parts: of the parent, for
        all of these are no group."""
        # looks cost more than all else here
        if not self._is_group(run) or len(run) == n_parts:
            return
        choice, part = self.choice, [run[0]]
        for before, after in pairwise(run):
            if (choice.gain and self._jumps(before, after)) or (choice.looks and self._differ(before, after)):
                if self._is_group(part):
                    yield part
                part = []
            part.append(after)
        if self._is_group(part):
            yield part

    def _open_by_headings(self, place: int, parts: Sequence[int]) -> Iterator[Group]:
        """What each heading among siblings opens: all up to the next part headed by one of its rank or higher."""
        starts, lines = self._start_rank[parts].tolist(), [self._line_rank[part] for part in parts]
        for at, rank in enumerate(lines):
            if not rank:
                continue
            end = next((other for other in range(at + 1, len(parts)) if 0 < starts[other] <= rank), len(parts))
            # headings alone are a list of contents: none of them opens anything
            is_opened = 1 < end - at < len(parts) and not all(lines[at:end])
            if is_opened and self._is_large(parts[at:end]):
                yield Group(place, tuple(parts[at:end]), rank, "headings", "a heading and what follows it")

    def _repeats(self, before: int, after: int) -> bool:
        """Whether two neighbours are built alike; paragraphs are, without being a list."""
        if not self._n_parts[before] and self._link_density[before] < _LINKED:
            return False
        return bool(self._shape[before] == self._shape[after] and self._kind[before] == self._kind[after])

    def _jumps(self, before: int, after: int) -> bool:
        """Whether the information gain of two neighbours, their share of the text around them, is of another order."""
        a, b = self._share[before], self._share[after]  # an article after three teasers is no fourth
        return max(a, b) > self.choice.gain_ratio * min(a, b)

    def _differ(self, before: int, after: int) -> bool:
        document, rows = self.nodes.page.document, (self._row[before], self._row[after])
        return not look_alike(document, *rows) and bool(list_look_changes(document, *rows, self._looks))

    def _have_links(self, before: int, after: int) -> bool:
        return min(self._n_links[before], self._n_links[after]) >= 2  # what a single link has is no centre

    def _share_urls(self, before: int, after: int) -> bool:
        """Whether the URLs of two neighbours share their centre."""
        return compare_centres(self._centres[before], self._centres[after]) >= self.choice.url_overlap

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
    def _looks(self) -> Looks:
        return Looks(self.nodes.page.document, self.rules.cut.max_css_chars)

    @cached_property
    def _centres(self) -> _Centres:
        return _Centres(self.nodes, self.rules.urls.centre_share)

    @cached_property
    def _place(self) -> dict[int, int]:
        """Number of a node in the tree -> its place."""
        return {number: place for place, number in enumerate(self.nodes.nodes)}

    @cached_property
    def _kind(self) -> list[tuple[int, int]]:
        """Tag and classes of each part, as numbers."""
        rows, names = self.nodes.row, find_names(self.nodes.page)
        tags = self.nodes.page.document.tag[rows].tolist()
        return list(zip(tags, names.classes[rows].tolist(), strict=True))

    _row: cached_property[list[int]] = _listed(lambda nodes: nodes.row)
    _share: cached_property[list[float]] = _listed(lambda nodes: nodes.share)
    _n_parts: cached_property[list[int]] = _listed(lambda nodes: nodes.n_parts)
    _shape: cached_property[list[int]] = _listed(lambda nodes: nodes.shapes[nodes.number])
    _n_links: cached_property[list[float]] = _listed(lambda nodes: measure_nodes(nodes, "n_links"))
    _link_density: cached_property[list[float]] = _listed(lambda nodes: measure_nodes(nodes, "link_density"))


class _Centres(dict[int, UrlStructure]):
    """Place of a node -> the semantic centre of its URLs: tokens that enough of them share, but not those that most
    links of the page share, such as the host (patent A4). Relative URLs are resolved first."""

    def __init__(self, nodes: NodeColumns, share: float) -> None:
        super().__init__()
        self._nodes, self._links, self._share = nodes, find_links(nodes.page), share
        self._tokens = list_telling_tokens(nodes.page)

    def __missing__(self, place: int) -> UrlStructure:
        first, end = self._links.row.searchsorted([self._nodes.row[place], self._nodes.end[place]]).tolist()
        targets = set(self._links.number[first:end].tolist())
        counts = Counter(token for target in targets for token in self._tokens[target])
        least = max(2, self._share * len(targets))
        self[place] = found = UrlStructure(tuple(token for token, n in counts.items() if n >= least))
        return found
