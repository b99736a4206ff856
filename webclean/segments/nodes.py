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
functions that take a `NodeColumns` and return one value for each node.

The page is split from the root down (patent A4, step 104). By the card (`splits`), a node is split into its parts where
its points are above zero: they estimate whether the parts, well split in turn, agree better with how people divide
pages than the node as one block does.

Every text is in exactly one block: text directly inside an element that is split is a block of its own, the parent of
the blocks below. What is not split is a block. Blocks are numbered in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import filterfalse, islice
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.features.cards import compile_card, explain_points, score_table
from webclean.features.page_words import find_name_words, find_names
from webclean.features.words import WordSet, make_lexicon
from webclean.model import Document, Floats, Mask, Reason, Rows, Segmentation
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


def build_cut_tree(page: PageColumns) -> CutTree:
    """Select the block elements with text, and collapse chains, from the leaves up. O(elements)."""
    document, blocks = page.document, page.blocks
    own = np.bincount(blocks.row, blocks.n_chars, minlength=len(document)).astype(np.float64, copy=False)
    # the value of a `select` or `textarea` is not displayed text, yet it fills its place on the page: a form of one
    # `select` of countries is no empty node
    if np.count_nonzero(_FILLED[document.tag]):
        control = core.find_around(document.page, document.text_owner, _FILLED.view(np.uint8))
        for at in ((control >= 0) & ~document.displayed[document.text_owner]).nonzero()[0].tolist():
            own[document.block[control[at]]] += len("".join(document.text[at].split()))
    children, *columns = core.build_cut_tree(document.page, own, _KINDS)
    # buffers and no arrays: of these single numbers are read, which numpy makes an object of its own for each
    row, inner, *others = (cast("Sequence[Any]", column.data) for column in columns)
    return CutTree(row, inner, children, *others)


@cached_per_rule_set
def _make_bit_table(rules: Segments) -> tuple[WordSet, NDArray[np.int64]]:
    """The words of all groups, and int64 [n_words]: the groups of each, as bits."""
    bits: dict[str, int] = {}
    for group, words in rules.tokens.items():
        for word in words.split():
            bits[word] = bits.get(word, 0) | rules.group_bits[group]
    lexicon = make_lexicon(bits)
    return lexicon, np.array([bits[word] for word in lexicon.words], dtype=np.int64)


@cached_per_page
def find_name_bits(page: PageColumns, rules: Segments) -> NDArray[np.int64]:
    """int64 [n_elements], as bits: the groups of tokens of which its tag or naming attributes have a word."""
    lexicon, bits = _make_bit_table(rules)
    names, words = find_names(page), find_name_words(page)
    found, place = lexicon.find(words)
    of_name = np.zeros(len(names.names), dtype=np.int64)
    np.bitwise_or.at(of_name, words.text[found], bits[place])
    return of_name[names.index]


MEDIA: Final = tag_mask("img svg picture video iframe object canvas")
CONTROL: Final = tag_mask("input select textarea button")
_COUNTED_TAGS: Final = np.array([HEADING, MEDIA, CONTROL, tag_mask("hr"), tag_mask("div")])
"""bool [5, n_codes]: headings, images, controls, rules and `div`."""


def list_nodes(tree: CutTree, *, with_leaves: bool = False) -> list[int]:
    """The nodes that have parts, or all if asked, of those that the root reaches, in document order."""
    found, reached = [], {0}
    for node, parts in enumerate(tree.children):
        # inner elements of chains have numbers, and are reached from none
        if node in reached and (with_leaves or parts):
            found.append(node)
            reached.update(parts)
    return found


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
    def alike(self) -> Rows:
        """int64 [n]: for each node the place of the first of its alike siblings (`core.Nodes.find_alike`)."""
        return cast("Rows", self.sums.find_alike())

    def average_alike(self, values: Floats, counted: Mask | None = None) -> Floats:
        """float64 [n]: the mean over each node's alike siblings, for what a template repeats is treated alike (tag
        repetition, patent A4). counted: the others neither count nor get a mean, but 0."""
        # uncounted nodes are too small to be named by people, and would lower the mean of their siblings
        weight = np.ones(len(self)) if counted is None else counted.astype(np.float64)
        total = np.bincount(self.alike, values * weight, minlength=len(self))
        number = np.bincount(self.alike, weight, minlength=len(self))
        # an uncounted one gets 0, whatever its siblings have
        mean: Floats = (total / np.maximum(1, number))[self.alike] * weight
        return mean

    @cached_property
    def chains(self) -> tuple[NDArray[np.uint8], Floats]:
        """uint8 [n_codes, n], which tags the elements of each node's chain have; float64 [n_groups, n], for each group
        of tokens 1 where a name in the chain is of it, 0.5 where one around is."""
        groups = np.array([*self.rules.group_bits.values()], dtype=np.int64)
        found = self.sums.describe_chains(find_name_bits(self.page, self.rules), groups, N_CODES)
        return cast("tuple[NDArray[np.uint8], Floats]", found)


@cached_per_page
def find_nodes(columns: PageColumns, rules: Segments) -> NodeColumns:
    """The cut tree of a page, with what its card asks."""
    columns = columns.detach()
    tree = build_cut_tree(columns)
    return NodeColumns(columns, tree, rules, list_nodes(tree))


_Compute = TypeVar("_Compute", bound=Callable[..., Iterable[Floats]])


class ColumnFeatures(FeatureRegistry[Any, Floats]):
    """Features of nodes or of semantic blocks. Those that are asked for together are measured together.

    A feature is a line of a table in the core (`build_features.py`), of which those asked for are filled in one call; a
    function, registered with `feature`; or of a family, such as `token.`, which gives all of its words at once. Columns
    have a `table`, feature name -> float64 [n], of what is known so far, and `sums`, of which the core fills features.
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

    def measure(self, columns: Any, name: str) -> Floats:
        """float64 [n]: one feature, computed once a page."""
        return self.measure_all(columns, (name,))[0]

    def measure_all(self, columns: Any, names: tuple[str, ...]) -> tuple[Floats, ...]:
        """float64 [n] each: several features of n nodes or blocks, each computed once a page."""
        known = columns.table
        unknown = tuple(filterfalse(known.__contains__, names))
        if unknown:
            listed, numbers, families, others = self._plan(unknown)
            # not strict: behind its last row an array raises an error, which costs more than the row
            if listed:
                known.update(zip(listed, columns.sums.fill(numbers), strict=False))
            for compute, own, words in families:
                known.update(zip(own, compute(columns, words), strict=False))
            for name in others:
                known[name] = np.asarray(self.find(name).compute(columns), dtype=np.float64)
        return tuple(map(known.__getitem__, names))

    def _make_plan(self, names: tuple[str, ...]) -> tuple[Any, ...]:
        """How features are measured: those of the tables and their numbers; (what computes the features of a family,
        their names, the rest of each name); those with a function of their own."""
        listed = tuple(name for name in names if name in self.numbers)
        families, rest = [], [name for name in names if name not in self.numbers]
        for prefix, compute in self._together.items():
            if own := [name for name in rest if name.startswith(prefix)]:
                families.append((compute, own, [name.removeprefix(prefix) for name in own]))
                rest = [name for name in rest if name not in own]
        return listed, tuple(map(self.numbers.__getitem__, listed)), families, rest


NODE_FEATURES: Final = ColumnFeatures("node of the cut tree", "splits", "sections", tables=core.NODE_TABLES)
measure_nodes: Final = NODE_FEATURES.measure


@NODE_FEATURES.family_together("tag.", "0 or 1", "an element of the node's chain has this tag")
def _mark_tags(columns: NodeColumns, names: list[str]) -> Floats:
    return columns.chains[0][[CODE.get(name, 0) for name in names]].astype(np.float64)


@NODE_FEATURES.family_together(
    "token.", "0 to 1", "1: a class or id of the node is of the group; 0.5: of a node around it"
)
def _list_tokens(columns: NodeColumns, groups: list[str]) -> Floats:
    """By a group of `segments.tokens`."""
    return columns.chains[1][list(map([*columns.rules.group_bits].index, groups))]


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
        is_split = self.points[place] > 0 or not place  # the page itself whatever its points
        reasons = explain_node(self.nodes, self.card, place, "cut")
        told = (reason for reason in reasons if reason.points and (reason.points > 0) == is_split)
        return tuple(islice(told, _N_REASONS))


def score_nodes(nodes: NodeColumns, card: Card) -> Floats:
    """float64 [n]: the points of each node."""
    compiled = compile_card(card, NODE_FEATURES)
    points: Floats = score_table(compiled, NODE_FEATURES.measure_all(nodes, compiled.names), len(nodes))[0]
    return points


def explain_node(nodes: NodeColumns, card: Card, place: int, stage: str) -> Iterable[Reason]:
    """The lines of a card that gave a node points. stage: of the reasons."""
    values = {name: float(measure_nodes(nodes, name)[place]) for name in compile_card(card, NODE_FEATURES).names}
    return explain_points(card, values, NODE_FEATURES, stage)


Split = tuple[list[int], dict[int, str]]
"""(nodes that were split, node that was not -> why)."""


def split_by_points(tree: CutTree, nodes: Sequence[int], points: Sequence[float]) -> Split:
    """Split each node with points above zero, and the page itself. nodes: those with parts. points: of each of them."""
    of_node = dict(zip(nodes, points, strict=True))
    split: list[int] = []
    done: dict[int, str] = {}
    # no recursion: a page may be nested as deep as it is long
    todo = [0] if len(tree) else []
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


_MANY: Final = 200
"""Blocks of a page from which small neighbours are one: nobody reads thousands of blocks."""
_TRIFLE: Final = 0.01
"""Share of the page's text."""
_PARAGRAPHS: Final = 10
"""Paragraphs beside each other that are one text: fewer are often blocks of their own, on the front pages of firms."""
_FLOW: Final = tag_mask("p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre")
_PARAGRAPH: Final = tag_mask("p")


def arrange_segments(document: Document, found: Mapping[tuple[int, ...], str]) -> Segmentation:
    """Number the blocks in reading order; a block inside another owns its elements.

    found: rows of the elements of each block, children of one parent -> why it was not split.
    """
    roots, parent, owner = sorted(found), [], np.full(len(document), -1, dtype=np.int32)
    for number, rows in enumerate(roots):
        # before its own rows are set: who owns the row now is the block around
        parent.append(owner.item(rows[0]))
        for row in rows:
            owner[row : document.end[row]] = number
    return Segmentation(tuple(roots), tuple(parent), tuple([found[rows] for rows in roots]), owner)


def cut_page(document: Document, tree: CutTree, split: Split, *, join: bool = False) -> Segmentation:
    """The semantic blocks of a page, whose nodes are split as `split` says. join: paragraphs beside each other."""
    if not len(tree):
        return Segmentation((), (), (), np.full(len(document), -1, dtype=np.int32))
    nodes, leaves = split
    found: dict[tuple[int, ...], str] = {
        # the innermost element of the chain, which owns the text
        (tree.inner[node],): "text directly inside an element that was split"
        for node in nodes
        if tree.own[node]
    }
    runs: list[list[int]] = []
    if len(leaves) > _MANY:
        runs = _join_runs(tree, split, lambda node: [tree.share[part] < _TRIFLE for part in tree.children[node]])
    elif join:  # of lists of headlines each is a part by itself
        runs = _join_runs(tree, split, lambda node: _find_flow(document, tree, node))
    found |= {tuple(tree.row[part] for part in run): "merged: neighbours of one text, or small ones" for run in runs}
    joined = {part for run in runs for part in run}
    found |= {(tree.row[node],): why for node, why in leaves.items() if node not in joined}
    return arrange_segments(document, found)


def _find_flow(document: Document, tree: CutTree, node: int) -> list[bool]:
    """Of each part of a node with a long text, whether it belongs to it: a paragraph, or a heading or list beside."""
    parts = tree.children[node]
    tags = document.tag[[tree.row[part] for part in parts]]
    if np.count_nonzero(_PARAGRAPH[tags]) < _PARAGRAPHS:
        return [False] * len(parts)
    return [flows and not tree.children[part] for part, flows in zip(parts, _FLOW[tags].tolist(), strict=True)]


def _join_runs(tree: CutTree, split: Split, may_join: Callable[[int], list[bool]]) -> list[list[int]]:
    """Runs of siblings that are not split and may join, all but the first without a heading."""
    nodes, leaves = split
    runs: list[list[int]] = []
    for node in nodes:
        run: list[int] = []
        for part, joins in zip(tree.children[node], may_join(node), strict=True):
            is_joined = joins and part in leaves
            if not is_joined or tree.has_heading[part] or not run:
                run = []
                runs.append(run)
            if is_joined:
                run.append(part)
    return [run for run in runs if len(run) > 1]
