"""Pages whose blocks people marked -> the card that says which parts of a page are split, as YAML, with its scores.

BCubed precision and recall of a page are sums over its blocks: a block S of |S| characters, v of them of the mark t,
adds v² / |S| to the one and v² / |t| to the other. So what the best division of any part of the page is worth is known
from the leaves up, and with it what splitting a node gains:

    worth of a node = max(as one block, its own text as a block + worth of its parts)
    gain of a split = its own text as a block + worth of its parts - as one block

The card is fitted to the sign of the gain. A node weighs by a power of the gain, under one: wrong decisions about large
parts cost more, but small parts are many and must be learnt too. The root is always split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec import structs

from webclean.learn.additive import AdditiveOptions, fit_additive, simplify_model
from webclean.learn.card_text import read_model, write_cards
from webclean.learn.marked_pages import MarkedPage, cut_anew, fold_by_site, measure_bcubed
from webclean.model import Floats
from webclean.rules import RuleSet
from webclean.rules.card_schema import Card
from webclean.segments.node_columns import NodeColumns
from webclean.segments.node_features import NODE_FEATURES, measure_nodes
from webclean.segments.semantic_page import find_nodes

_TAGS: Final = """
    body nav footer header form table tr td div ul ol dl li p section article main aside center fieldset
""".split()  # noqa: SIM905  a table of words reads better


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """n_bins: of each measure. ridge: pull of all points to zero; smooth: of neighbouring bins to each other. power: of
    the gain, by which a node weighs. tolerance: bins whose points differ less become one. n_folds: of the
    cross-validation.
    """

    n_bins: int = 6
    ridge: float = 2.0
    smooth: float = 5.0
    power: float = 0.6
    tolerance: float = 0.02
    n_folds: int = 10


@dataclass(frozen=True, slots=True, eq=False)
class SplitCases:
    """The nodes of a page that can be split. values: float64 [n, n_measures]. gain: float64 [n], of a split."""

    values: Floats
    gain: Floats


def list_node_features(rules: RuleSet) -> list[str]:
    """The features that the card learns."""
    groups = (f"token.{group}" for group in rules.segments.tokens)
    return [*NODE_FEATURES.list_learnt("splits"), *(f"tag.{name}" for name in _TAGS), *groups]


def list_split_cases(page: MarkedPage, names: Sequence[str]) -> SplitCases:
    """The cases of one page."""
    nodes = find_nodes(page.analysis.columns, page.analysis.rules.segments)
    if not len(nodes):
        return SplitCases(np.zeros((0, len(names))), np.zeros(0))
    return SplitCases(np.column_stack([measure_nodes(nodes, name) for name in names]), measure_gains(page, nodes))


def measure_gains(page: MarkedPage, nodes: NodeColumns) -> Floats:
    """float64 [n]: what splitting each node adds to precision + recall of the page if its parts are split at best."""
    size: Counter[int] = Counter()
    for _, mark, n_chars in page.texts:
        size[mark] += n_chars
    inside = _count_marks(page, nodes)
    children, worth, gains = nodes.tree.children, dict[int, float](), dict[int, float]()
    for node in range(len(nodes.tree) - 1, -1, -1):
        own, parts = inside[node], Counter[int]()
        for part in children[node]:
            parts.update(inside[part])
        whole = own + parts
        worth[node] = as_one = _measure_worth(whole, size)
        if children[node]:
            apart = _measure_worth(own, size) + sum(worth[part] for part in children[node])
            worth[node], gains[node] = max(as_one, apart), apart - as_one
        inside[node] = whole
    return np.array([gains[node] for node in nodes.nodes]) / max(1, size.total())


def _count_marks(page: MarkedPage, nodes: NodeColumns) -> list[Counter[int]]:
    """For each node of the tree: mark -> characters of the texts that stand in no node below."""
    tree, end = nodes.tree, page.analysis.columns.document.end.tolist()
    node_of = np.full(len(end), -1, dtype=np.int64)
    for node in sorted({*nodes.nodes, *nodes.parts.tolist()}):
        node_of[tree.row[node] : end[tree.row[node]]] = node
    found = [Counter[int]() for _ in range(len(tree))]
    for row, mark, n_chars in page.texts:
        found[int(node_of[row])][mark] += n_chars
    return found


def _measure_worth(marks: Mapping[int, int], size: Mapping[int, int]) -> float:
    """What a block adds to BCubed precision and recall. marks: mark -> its characters in the block, size: in all."""
    total = sum(marks.values())
    return sum(n * n * (1 / total + 1 / size[mark]) for mark, n in marks.items()) if total else 0.0


def fit_splits(cases: Sequence[SplitCases], names: Sequence[str], settings: SplitSettings, given: Card) -> Card:
    """Fit a card; what it has by hand is kept."""
    gain = np.concatenate([case.gain for case in cases])
    weight = np.abs(gain) ** settings.power + 1e-9
    options = AdditiveOptions(n_bins=settings.n_bins, ridge=settings.ridge, smooth=settings.smooth)
    table = np.vstack([case.values for case in cases])
    model = fit_additive(table, (gain > 0).astype(np.float64), weight * len(weight) / weight.sum(), options)
    card = read_model(names, simplify_model(model, settings.tolerance))
    return structs.replace(card, given=given.given)


def score_unseen_splits(
    pages: Sequence[MarkedPage], rules: RuleSet, settings: SplitSettings, seed: int
) -> dict[str, float]:
    """Name of a page -> BCubed F1 by a card that has not seen its site: cross-validation, shuffled by the seed."""
    names = list_node_features(rules)
    cases = [list_split_cases(page, names) for page in pages]
    found: dict[str, float] = {}
    for seen, unseen in fold_by_site(pages, settings.n_folds, seed):
        card = fit_splits([cases[i] for i in seen], names, settings, rules.splits)
        other = structs.replace(rules, splits=card)
        found |= {pages[i].name: measure_bcubed(cut_anew(pages[i], other)) for i in unseen}
    return found


def format_splits(card: Card, note: str) -> str:
    """The rule file of a card."""
    head = (
        "Which parts of a page are split into semantic blocks: those with over 0 points.\n"
        f"Learnt by `webclean learn splits`; segments.yaml has lines by hand.\n{note}"
    )
    learnt = structs.replace(card, given={})
    return write_cards([(("splits",), learnt, NODE_FEATURES)], head, ("splits.bias", "splits.lines"))
