"""Siblings that belong together though no element holds them (patent A4: the signals that merge structure blocks).

    <div> <h2>Politics</h2> <p>..</p> <p>..</p> <h2>Sport</h2> <p>..</p> </div>     a heading opens what follows it, up
                                                                                    to the next of its rank
    <td> <p class=ad>..</p> <p class=news>..</p> <p class=news>..</p> ... </td>     siblings of one shape repeat
    <td> <div><a href=/sport/1>..</div> <p><a href=/sport/2>..</p> ... </td>        their links share a centre

A run is parted where the look changes, where a part starts with a heading of its own, and where the information gain
jumps: a part of another order of size is another thing. All parts of one parent are no group: the parent holds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from webclean.caching import cached_property
from webclean.features.block_features import find_links
from webclean.features.looks import Looks, read_looks
from webclean.features.names import find_names
from webclean.model import Floats, Rows
from webclean.parse.tags import CODE, HEADING
from webclean.rules.segments_schema import SectionChoice, Segments
from webclean.segments.cut import compare_looks, look_alike
from webclean.segments.nodes import NODE_FEATURES, NodeColumns, measure_nodes
from webclean.segments.titles import BOLD, LABEL
from webclean.segments.urls import UrlStructure, compare_centres, list_telling_tokens

_LINKED: Final = 0.5
"""Share of link text from which a part without parts is an entry of a list, not a paragraph."""
_WHY: Final = {"tags": "siblings with the same sequence of tags", "urls": "siblings whose URLs share a semantic centre"}
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
        self.nodes, self.rules = nodes, rules

    def find(self) -> list[Group]:
        """The groups of all nodes, those of a node around others first; groups of one node are nested or apart."""
        large = (self.nodes.share >= self._choice.group_share).nonzero()[0].tolist()
        return [group for place in large for group in self._find_in(place)]  # in smaller nodes no group is large enough

    def _find_in(self, place: int) -> Iterator[Group]:
        parts, choice = self._list_parts(place), self._choice
        if len(parts) <= 2:  # one is no group, and both are their parent
            return
        if choice.headings:
            opened = self._open_by_headings(place, parts)
            yield from (group for group in opened if self._is_large(group.parts))
        lines = [self._line_rank[part] > 0 for part in parts]
        # by shape first: a list of teasers is one whatever it links to, and what it takes is no part of another
        runs = {"tags": (choice.tags, self._find_alike), "urls": (choice.urls, self._find_related)}
        taken: set[int] = set()
        for signal, (is_on, find) in runs.items():
            for run in find(parts, lines, taken) if is_on else ():
                # all parts are what their parent is
                if self._is_group(run) and len(run) < len(parts):
                    for part_run in self._part_run(run):
                        if self._is_group(part_run):
                            taken.update(part_run)
                            yield Group(place, tuple(part_run), 0, signal, _WHY[signal])

    def _is_large(self, run: Sequence[int]) -> bool:
        return sum(map(self._share.__getitem__, run)) >= self._choice.group_share

    def _is_group(self, run: Sequence[int]) -> bool:
        """Whether a run is long enough for a group, and has enough of the text."""
        return len(run) >= self._choice.alike and self._is_large(run)

    def _find_alike(self, parts: Sequence[int], lines: Sequence[bool], taken: set[int]) -> Iterator[list[int]]:
        return self._join_runs(parts, lines, taken, self._repeats)

    def _find_related(self, parts: Sequence[int], lines: Sequence[bool], taken: set[int]) -> Iterator[list[int]]:
        """Runs whose URLs are related. All URLs of a page are joined for that, so it is asked where all neighbours with
        links together would be enough for a group."""
        for run in self._join_runs(parts, lines, taken, self._have_links):
            if self._is_group(run):
                yield from self._join_runs(run, [False] * len(run), set(), self._share_urls)

    def _join_runs(
        self, parts: Sequence[int], lines: Sequence[bool], taken: set[int], joins: Callable[[int, int], bool]
    ) -> Iterator[list[int]]:
        """Runs of neighbours that a signal joins; neither headings nor what is in a group already."""
        run: list[int] = []
        for part, is_line in zip(parts, lines, strict=True):
            if is_line or part in taken:
                if run:
                    yield run
                run = []
            elif run and not joins(run[-1], part):
                yield run
                run = [part]
            else:
                run.append(part)
        if run:
            yield run

    def _part_run(self, run: Sequence[int]) -> Iterator[list[int]]:
        """A run, parted where looks or the information gain change. Asked only of runs that would be large enough, for
        looks cost more than all else here."""
        choice, part = self._choice, [run[0]]
        for before, after in pairwise(run):
            if (choice.gain and self._jumps(before, after)) or (choice.looks and self._differ(before, after)):
                yield part
                part = []
            part.append(after)
        yield part

    def _open_by_headings(self, place: int, parts: Sequence[int]) -> Iterator[Group]:
        """What each heading among siblings opens: all up to the next part headed by one of its rank or higher."""
        starts, lines = self._start_rank[parts].tolist(), [self._line_rank[part] for part in parts]
        for at, rank in enumerate(lines):
            if not rank:
                continue
            end = next((other for other in range(at + 1, len(parts)) if 0 < starts[other] <= rank), len(parts))
            # headings alone are a list of contents: none of them opens anything
            if end - at > 1 and end - at < len(parts) and not all(lines[at:end]):
                yield Group(place, tuple(parts[at:end]), rank, "headings", "a heading and what follows it")

    def _repeats(self, before: int, after: int) -> bool:
        """Whether two neighbours are built alike; paragraphs are, without being a list."""
        if not self._n_parts[before] and self._link_density[before] < _LINKED:
            return False
        return bool(self._shape[before] == self._shape[after] and self._kind[before] == self._kind[after])

    def _jumps(self, before: int, after: int) -> bool:
        """Whether the information gain of two neighbours, their share of the text around them, is of another order."""
        a, b = self._share[before], self._share[after]  # an article after three teasers is no fourth
        return max(a, b) > self._choice.gain_ratio * min(a, b)

    def _differ(self, before: int, after: int) -> bool:
        document, rows = self.nodes.page.document, self._row
        if look_alike(document, rows[before], rows[after]):
            return False
        return bool(compare_looks(document, rows[before], rows[after], self._looks).changed)

    def _have_links(self, before: int, after: int) -> bool:
        return min(self._n_links[before], self._n_links[after]) >= 2  # what a single link has is no centre

    def _share_urls(self, before: int, after: int) -> bool:
        """Whether the URLs of two neighbours share their centre."""
        return compare_centres(self._centres[before], self._centres[after]) >= self._choice.url_overlap

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

    @property
    def _choice(self) -> SectionChoice:
        return self.rules.sections

    @cached_property
    def _looks(self) -> Looks:
        return read_looks(self.nodes.page.document, self.rules.cut.max_css_chars)

    @cached_property
    def _centres(self) -> _Centres:
        return _Centres(self.nodes, self.rules.urls.centre_share)

    def _list_parts(self, place: int) -> list[int]:
        """The places of the parts of a node."""
        return [self._place[part] for part in self.nodes.tree.children[self.nodes.nodes[place]]]

    @cached_property
    def _place(self) -> dict[int, int]:
        """Number of a node in the tree -> its place."""
        return {number: place for place, number in enumerate(self.nodes.nodes)}

    @cached_property
    def _kind(self) -> list[tuple[int, int]]:
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
