"""Document -> the cut tree: block elements with text, chains of wrappers collapsed, and what is known of each node.

A block element whose whole text is in one child block adds nothing to that child. Such a chain is one node, with the
outermost element as `row` and the innermost as `inner`. The remaining nodes are leaves, or elements that divide text:

    <body><div> <h2>Tea</h2> <p>Green</p> </div></body>

    node    html > body > div    h2     p
    height  1                    0      0      levels of nodes below
    share   1                    3/8    5/8    of the page's 8 characters

Each element of a chain has an entry of its own in the columns, equal but for `row`; only the outermost is reached from
the root, node 0.

The features of the nodes that have parts, for the cards `splits` and `sections`, are lines of `core/features.toml`, and
functions that take a `NodeColumns` and return one value for each node. The card `splits` gives a node with more than 0
points to be split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import filterfalse, islice
from operator import or_
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.features.names import find_name_words, find_names
from webclean.features.words import Lexicon, make_lexicon, split_name
from webclean.model import Document, Floats, Mask, Reason, Rows
from webclean.parse import find_attribute
from webclean.parse.columns import list_values
from webclean.parse.tags import BLOCK, CODE, HEADING, LIST, N_CODES, tag_mask
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.rules.segments_schema import Segments
from webclean.segments.units import find_units
from webclean.segments.urls import find_folders

_FILLED = tag_mask("select textarea")  # controls whose text is their value, not the page's
_KINDS = tuple(mask.view(np.uint8) for mask in (BLOCK, LIST, HEADING))


@dataclass(frozen=True, slots=True, eq=False)
class CutTree:
    """Nodes in document order, as views of arrays, because the cut reads single entries.

    row: the outermost element of the chain. inner: the innermost, whose child blocks are `children`. children: node
    numbers. height: 0 for a leaf, else one more than the highest child. share: characters of the subtree / characters
    of the page. own: characters directly inside / characters of the page. is_list: an element of the chain is a list.
    has_heading: the node's text starts with a heading.
    """

    row: Sequence[int]
    inner: Sequence[int]
    children: list[list[int]]
    height: Sequence[int]
    share: Sequence[float]
    own: Sequence[float]
    is_list: Sequence[bool]
    has_heading: Sequence[bool]

    def __len__(self) -> int:
        return len(self.row)


def build_cut_tree(document: Document) -> CutTree:
    """Select the block elements with text, and collapse chains, from the leaves up. O(elements)."""
    own = core.count_own_chars(document.page, _FILLED.view(np.uint8))
    children, *columns = core.build_cut_tree(document.page, own, _KINDS)
    # buffers and no arrays: of these single numbers are read, which numpy makes an object of its own for each
    row, inner, *others = (cast("Sequence[Any]", column.data) for column in columns)
    return CutTree(row, inner, children, *others)


_MOST_NAMES: Final = 1 << 14  # sites have some hundred; the bound is for pages that make up a name an element


class NameBits(dict[str, int]):
    """A cache: name -> the groups of tokens of which it has a word, as bits. It outlives a page, since names recur."""

    def __init__(self, bits: Mapping[str, int]) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, name: str) -> int:
        # emptied whole: what sites share comes back with the next page
        if len(self) >= _MOST_NAMES:
            self.clear()
        found = self[name] = reduce(or_, (self._bits.get(word, 0) for word in split_name(name)), 0)
        return found


def _list_bits(tokens: Mapping[str, str]) -> dict[str, int]:
    """Word -> the groups that it is of, as bits. tokens: group -> its words."""
    bits: dict[str, int] = {}
    for i, words in enumerate(tokens.values()):
        for word in words.split():
            bits[word] = bits.get(word, 0) | 1 << i
    return bits


@cached_per_rule_set
def get_name_bits(rules: Segments) -> NameBits:
    """The cache for the groups of tokens of a rule set."""
    return NameBits(_list_bits(rules.tokens))


@cached_per_rule_set
def _make_bit_table(rules: Segments) -> tuple[Lexicon, NDArray[np.int64]]:
    """The words of all groups, and int64 [n_words]: the groups of each, as bits."""
    bits = _list_bits(rules.tokens)
    lexicon = make_lexicon(bits)
    return lexicon, np.array([bits[word] for word in lexicon.words], dtype=np.int64)


@cached_per_page
def find_name_bits(page: PageColumns, rules: Segments) -> NDArray[np.int64]:
    """int64 [n_elements], as bits: the groups of tokens of which its tag or naming attributes have a word."""
    lexicon, bits = _make_bit_table(rules)
    names, words = find_names(page), find_name_words(page)
    found, place = lexicon.keys.find(words)
    of_name = np.zeros(len(names.names), dtype=np.int64)
    np.bitwise_or.at(of_name, words.text[found], bits[place])
    return of_name[names.index]


_LOOKS: Final = ("bgcolor", "background", "style")
MEDIA: Final = tag_mask("img svg picture video iframe object canvas")
CONTROL: Final = tag_mask("input select textarea button")
_COUNTED_TAGS: Final = np.array([HEADING, MEDIA, CONTROL, tag_mask("hr"), tag_mask("div")])
"""bool [5, n_codes]: headings, images, controls, rules and `div`."""


def list_nodes(tree: CutTree, *, with_leaves: bool = False) -> list[int]:
    """The nodes that have parts, or all if asked, of those that the root reaches, in document order."""
    return cast("list[int]", core.list_nodes(tree.children, with_leaves))


def _column(name: str) -> Any:
    """A column of `core.Nodes`."""
    return cached_property(lambda nodes: np.asarray(getattr(nodes.sums, name)))


class NodeColumns:
    """One page's cut tree, of which n nodes have parts; m is the number of all their parts.

    nodes: the numbers of the n nodes in the tree, rising, of those that the root reaches.
    number: int64 [n], the same. row, inner: int64 [n], the outermost and the innermost element of each node's chain.
    end: int64 [n], one past its last element. above: int64 [n], the place in `nodes` of what it is a part of, -1 for
    the root. n_parts: int64 [n]. share: float64 [n], characters of each node / characters of the page.
    parts: int64 [m], the parts of the first node, then those of the second, and so on; whole: int64 [m], the place in
    `nodes` of what each is a part of. shapes: int64 [n_tree], a number for the nested tags in each node of the tree.
    """

    number: cached_property[Rows] = _column("number")
    row: cached_property[Rows] = _column("rows")
    inner: cached_property[Rows] = _column("inner")
    end: cached_property[Rows] = _column("ends")
    above: cached_property[Rows] = _column("above")
    n_parts: cached_property[Rows] = _column("n_parts")
    share: cached_property[Floats] = _column("share")
    parts: cached_property[Rows] = _column("parts")
    whole: cached_property[Rows] = _column("whole")
    shapes: cached_property[Rows] = _column("shapes")

    def __init__(self, page: PageColumns, tree: CutTree, rules: Segments, nodes: list[int]) -> None:
        """rules: groups of tokens."""
        self.page, self.tree, self.rules, self.nodes = page, tree, rules, nodes

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n], filled on demand by `measure_nodes`."""
        return {}

    @cached_property
    def sums(self) -> Any:
        """`core.Nodes`: what the features of the core are made of."""
        tree, links, search = self.tree, find_links(self.page), find_units(self.page, self.rules.records)
        marks = (np.asarray(column).view(np.uint8) for column in (tree.is_list, tree.has_heading))
        find_names(self.page)  # which the core reads
        return core.Nodes(
            self.page.document.page,
            (tree.row, tree.inner, tree.height, tree.share, tree.own, *marks),
            tree.children,
            self.nodes,
            _COUNTED_TAGS.view(np.uint8),
            (links.row, links.number, find_folders(self.page)[1]),
            (search.bounds, search.summed.sums[0], self.rules.records.teaser_chars),
        )

    @cached_property
    def follows(self) -> Mask:
        """bool [m]: a part of the same node stands before the part."""
        return np.concatenate(([False], self.whole[1:] == self.whole[:-1]))[: len(self.whole)]

    @cached_property
    def alike(self) -> Rows:
        """int64 [n]: for each node the place of the first of its alike siblings (`core.Nodes.find_alike`)."""
        return cast("Rows", self.sums.find_alike())

    def average_alike(self, values: Floats, counted: Mask | None = None) -> Floats:
        """float64 [n]: the mean over each node's alike siblings, for what a template repeats is treated alike (tag
        repetition, patent A4). counted: the others neither count nor get a mean, but 0."""
        # those that are not counted are too small to be named, and would pull their siblings down
        weight = np.ones(len(self)) if counted is None else counted.astype(np.float64)
        total = np.bincount(self.alike, values * weight, minlength=len(self))
        number = np.bincount(self.alike, weight, minlength=len(self))
        # an uncounted one gets 0, whatever its siblings have
        mean: Floats = (total / np.maximum(1, number))[self.alike] * weight
        return mean

    @cached_property
    def _chains(self) -> tuple[NDArray[np.uint8], Floats]:
        """uint8 [n_codes, n], which tags the elements of each node's chain have; float64 [n_groups, n], for each group
        of tokens 1 where a name in the chain is of it, 0.5 where one around is."""
        groups = np.array([*self.rules.group_bits.values()], dtype=np.int64)
        found = self.sums.describe_chains(find_name_bits(self.page, self.rules), groups, N_CODES)
        return cast("tuple[NDArray[np.uint8], Floats]", found)

    @property
    def has_tag(self) -> NDArray[np.uint8]:
        """uint8 [n_codes, n]: which tags the elements of each node's chain have."""
        return self._chains[0]

    @cached_property
    def token_shares(self) -> dict[str, Floats]:
        """Group of tokens -> float64 [n]: 1 where a name in the node's chain is of it, 0.5 where one around is."""
        return dict(zip(self.rules.group_bits, self._chains[1], strict=True))

    @cached_property
    def part_looks(self) -> NDArray[np.int64]:
        """int64 [m]: a number for the attributes of each part that say how it looks."""
        document = self.page.document
        looks: dict[int, tuple[str, ...]] = {}
        for name in _LOOKS:
            for row, value in zip(find_attribute(document, name), list_values(document, name), strict=True):
                looks[row] = (*looks.get(row, ()), name, value)
        rows = np.asarray(self.tree.row)[self.parts]
        styled = np.isin(rows, list(looks)).nonzero()[0]
        # parts that state nothing look alike
        found, known = np.zeros(len(rows), dtype=np.int64), dict[tuple[str, ...], int]()
        found[styled] = [known.setdefault(looks[row], len(known) + 1) for row in rows[styled].tolist()]
        return found

    def sum_parts(self, values: NDArray[np.generic]) -> Floats:
        """float64 [n]: sum over the parts of each node. values: [m]."""
        return np.bincount(self.whole, values, minlength=len(self)).astype(np.float64)

    def share_boundaries(self, alike: Mask) -> Floats:
        """float64 [n]: share of the boundaries between neighbouring parts that are marked. alike: bool [m]."""
        return self.sum_parts(alike & self.follows) / np.maximum(1, self.n_parts - 1)


class Columns(Protocol):
    """What is measured. table: feature name -> float64 [n], what is known so far. sums: the holder of the axis in the
    core, which has `fill`."""

    @property
    def table(self) -> dict[str, Floats]: ...
    @property
    def sums(self) -> Any: ...


_Columns = TypeVar("_Columns", bound=Columns)
_Compute = TypeVar("_Compute", bound=Callable[..., Iterable[Floats]])


class Plan(NamedTuple):
    """How several features are measured.

    listed, numbers: those of the tables. families: (what computes the features of a family, their names, the rest of
    each name). others: those with a function of their own.
    """

    listed: tuple[str, ...]
    numbers: tuple[int, ...]
    families: tuple[tuple[Callable[..., Iterable[Floats]], tuple[str, ...], list[str]], ...]
    others: tuple[str, ...]


class ColumnFeatures(FeatureRegistry[_Columns, Floats]):
    """Features of nodes or of semantic blocks. Those that are asked for together are measured together.

    A feature is a line of a table in the core (`build_features.py`), of which those asked for are filled in one call; a
    function, registered with `feature`; or of a family, such as `token.`, which gives all of its words at once.
    """

    def __init__(self, subject: str, *sections: str, tables: Mapping[str, Sequence[tuple[str, ...]]]) -> None:
        """subject, sections: as for any registry. tables: as `build_features.py` writes them."""
        super().__init__(subject, *sections)
        self.add_tables(tables, lambda name: partial(self.measure, name=name))
        self._together: dict[str, Callable[..., Iterable[Floats]]] = {}
        # a rule set asks for a few sets of names, and each page for the same ones
        self._plan = lru_cache(maxsize=64)(self._make_plan)

    def family_together(self, prefix: str, unit: str, meaning: str) -> Callable[[_Compute], _Compute]:
        """Register all features that begin with a prefix; the decorated function takes the rests of several names."""

        def register(compute: _Compute) -> _Compute:
            self._together[prefix] = compute
            self.family(prefix, unit, meaning)(lambda word: partial(self.measure, name=prefix + word))
            return compute

        return register

    def measure(self, columns: _Columns, name: str) -> Floats:
        """float64 [n]: one feature, computed once a page."""
        return self.measure_all(columns, (name,))[0]

    def measure_all(self, columns: _Columns, names: tuple[str, ...]) -> tuple[Floats, ...]:
        """float64 [n] each: several features of n nodes or blocks, each computed once a page."""
        known = columns.table
        unknown = tuple(filterfalse(known.__contains__, names))
        if unknown:
            plan = self._plan(unknown)
            if plan.numbers:
                known.update(zip(plan.listed, columns.sums.fill(plan.numbers), strict=True))
            for compute, own, words in plan.families:
                known.update(zip(own, compute(columns, words), strict=True))
            for name in plan.others:
                known[name] = np.asarray(self.find(name).compute(columns), dtype=np.float64)
        return tuple(map(known.__getitem__, names))

    def _make_plan(self, names: tuple[str, ...]) -> Plan:
        """How features are measured."""
        listed = tuple(name for name in names if name in self.numbers)
        families, rest = [], [name for name in names if name not in self.numbers]
        for prefix, compute in self._together.items():
            own = tuple(name for name in rest if name.startswith(prefix))
            if own:
                families.append((compute, own, [name.removeprefix(prefix) for name in own]))
                rest = [name for name in rest if name not in own]
        return Plan(listed, tuple(self.numbers[name] for name in listed), tuple(families), tuple(rest))


NODE_FEATURES: Final = ColumnFeatures[NodeColumns](
    "node of the cut tree", "splits", "sections", tables=core.NODE_TABLES
)
measure_nodes: Final = NODE_FEATURES.measure


@NODE_FEATURES.feature(
    "share", "boundaries between neighbouring parts with other colours, backgrounds or styles / all (patent A4)"
)
def looks_differ(columns: NodeColumns) -> Floats:
    looks = columns.part_looks
    return columns.share_boundaries(np.concatenate(([False], looks[1:] != looks[:-1])))


@NODE_FEATURES.family_together("tag.", "0 or 1", "an element of the node's chain has this tag")
def _mark_tags(columns: NodeColumns, names: list[str]) -> Floats:
    return columns.has_tag[[CODE.get(name, 0) for name in names]].astype(np.float64)


@NODE_FEATURES.family_together(
    "token.", "0 to 1", "1: a class or id of the node is of the group; 0.5: of a node around it"
)
def _list_tokens(columns: NodeColumns, groups: list[str]) -> list[Floats]:
    """By a group of `segments.tokens`."""
    return list(map(columns.token_shares.__getitem__, groups))


_N_REASONS: Final = 2  # lines of the card that are told of a block


@dataclass(frozen=True, eq=False)
class SplitPoints:
    """The points of the nodes of one page. points: float64 [n_nodes]; a node with more than 0 is split."""

    nodes: NodeColumns
    card: Card
    points: Floats

    @cached_property
    def _place_of(self) -> dict[int, int]:
        """Element -> the place in `nodes` of the node that begins or ends its chain with it."""
        tree = self.nodes.tree
        inner = {tree.inner[node]: place for place, node in enumerate(self.nodes.nodes)}
        return inner | {tree.row[node]: place for place, node in enumerate(self.nodes.nodes)}

    def explain(self, root: int) -> tuple[Reason, ...]:
        """The lines that decided most that a block was not split, or that only its own text is left of it.

        root: its first element.
        """
        place = self._place_of.get(root)
        if place is None:
            return ()
        names = compile_card(self.card, NODE_FEATURES).names
        values = {name: float(measure_nodes(self.nodes, name)[place]) for name in names}
        is_split = self.points[place] > 0 or not place  # the page itself whatever its points
        reasons = explain_points(self.card, values, NODE_FEATURES, "cut")
        told = (reason for reason in reasons if reason.points and (reason.points > 0) == is_split)
        return tuple(islice(told, _N_REASONS))


def score_splits(nodes: NodeColumns, card: Card) -> SplitPoints:
    """The points of each node, those of alike siblings their mean: all are split, or none."""
    compiled = compile_card(card, NODE_FEATURES)
    points = score_table(compiled, NODE_FEATURES.measure_all(nodes, compiled.names), n_rows=len(nodes))
    return SplitPoints(nodes, card, nodes.average_alike(points[0]))
