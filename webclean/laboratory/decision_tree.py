"""ID3 and C4.5: examples -> a decision tree that a person can read; and the patent's tree of page types.

Quinlan, "Induction of Decision Trees" (1986) chooses the split of the largest information gain; "C4.5" (1993) the
largest gain ratio among the splits of at least average gain, cuts numbers at thresholds, and prunes by a pessimistic
estimate of the error. Every split here is binary, `value >= threshold`: a yes/no attribute is a number that is 0 or 1.
A missing value (NaN) holds no test and goes to `else`, in learning as in use.

The tree of page types is ID3 over the patent's 13 features, scored on pages of sites that it has not seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from webclean.classify.patent_tree import PATENT_FEATURES
from webclean.laboratory.harness import Learnt, cross_validate, write_tree
from webclean.laboratory.type_cards import (
    Examples,
    TypeScores,
    compare_answers,
    compare_types,
    format_type_scores,
    read_examples,
    stand_for,
    summarise_types,
)
from webclean.model import Floats, Rows
from webclean.rules import RuleSet
from webclean.rules.card_schema import TreeNode, walk_tree
from webclean.workbench.labelled_pages import LabelledPage

_TINY: Final = 1e-12


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How a tree is grown.

    criterion: `gain` (ID3) or `gain_ratio` (C4.5). max_depth: tests on the longest path. min_leaf: examples at a leaf.
    min_gain: bits a split must gain. confidence: of the pessimistic pruning, smaller prunes more; None keeps all.
    class_weight: weight of a class's examples, 1 where it is not named.
    """

    criterion: Literal["gain", "gain_ratio"] = "gain"
    max_depth: int = 8
    min_leaf: int = 5
    min_gain: float = 1e-6
    confidence: float | None = 0.25
    class_weight: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """The best test found: column, threshold (`value >= threshold`), gain and gain ratio in bits."""

    column: int
    threshold: float
    gain: float
    gain_ratio: float


def learn_tree(
    values: Floats, answers: Sequence[str], names: Sequence[str], settings: TreeSettings = TreeSettings()
) -> TreeNode:
    """Grow and prune a tree.

    values: float64 [n, n_features], NaN where missing; answers: class of each example; names: of the features.
    Equal gains are won by the feature named first.
    """
    labels, classes = np.unique(np.asarray(answers, dtype=object).astype(str), return_inverse=True)
    weight_of, confidence = settings.class_weight or {}, settings.confidence
    weights = np.array([weight_of.get(label, 1.0) for label in labels], dtype=np.float64)[classes]
    # a missing value holds no test: below every threshold
    shown = np.where(np.isnan(values), -np.inf, np.asarray(values, dtype=np.float64))

    def grow(rows: Rows, depth: int) -> tuple[TreeNode, float]:
        """A pruned subtree and its estimated errors, in weighted examples."""
        counts = np.bincount(classes[rows], weights[rows], minlength=len(labels)).astype(np.float64)
        leaf, leaf_errors = _make_leaf(labels.tolist(), counts), _estimate_errors(counts, confidence)
        if depth <= 0 or len(rows) < 2 * settings.min_leaf or np.count_nonzero(counts) < 2:
            return leaf, leaf_errors
        split = find_split(shown[rows], classes[rows], weights[rows], len(labels), settings)
        if split is None:
            return leaf, leaf_errors
        held = shown[rows, split.column] >= split.threshold
        then, then_errors = grow(rows[held], depth - 1)
        otherwise, else_errors = grow(rows[~held], depth - 1)
        is_same = then.answer is not None and then.answer == otherwise.answer
        # C4.5 adds a tenth of an example, so that a subtree must be worth its lines
        if confidence is not None and (is_same or leaf_errors <= then_errors + else_errors + 0.1):
            return leaf, leaf_errors
        # as people write it, where that is the same number
        short = f"{split.threshold:g}"
        threshold = short if float(short) == split.threshold else repr(split.threshold)
        test = f"{names[split.column]} >= {threshold}"
        return TreeNode(test=test, then=then, otherwise=otherwise), then_errors + else_errors

    return grow(np.arange(len(classes)), settings.max_depth)[0]


def entropy(counts: Floats) -> Floats:
    """Bits of a class distribution, along the last axis; counts need not be whole."""
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / np.maximum(total, _TINY)
    return np.asarray(-(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=-1))


def find_split(values: Floats, classes: Rows, weights: Floats, n_classes: int, settings: TreeSettings) -> Split | None:
    """The best test over all columns, or None when none gains enough."""
    placed = np.zeros((len(values), n_classes))
    placed[np.arange(len(values)), classes] = weights
    splits = (_split_column(column, values[:, column], placed, settings) for column in range(values.shape[1]))
    found = [split for split in splits if split]
    if settings.criterion == "gain" or not found:
        return max(found, key=lambda split: split.gain, default=None)
    # the ratio alone prefers splits that cut off next to nothing
    average = sum(split.gain for split in found) / len(found)
    return max((s for s in found if s.gain >= average - _TINY), key=lambda split: split.gain_ratio)


def _split_column(column: int, values: Floats, placed: Floats, settings: TreeSettings) -> Split | None:
    """The threshold of the largest gain in one column. placed: float64 [n, n_classes], weights in the column of their
    class.

    With the gain ratio a number pays log2(candidate thresholds) / examples for the choice (Quinlan 1996).
    """
    order = np.argsort(values, kind="stable")
    ordered, n = values[order], len(values)
    low = np.cumsum(placed[order], axis=0)
    cuts = np.flatnonzero(ordered[1:] > ordered[:-1])
    n_candidates = len(cuts)
    cuts = cuts[(cuts + 1 >= settings.min_leaf) & (n - cuts - 1 >= settings.min_leaf)]
    if not len(cuts):
        return None
    below, total = low[cuts], low[-1]
    above = total - below
    n_below, n_all = below.sum(axis=1), total.sum()
    share = n_below / n_all
    gains = entropy(total) - share * entropy(below) - (1 - share) * entropy(above)
    best = int(np.argmax(gains))
    gain = float(gains[best])
    if settings.criterion == "gain_ratio":
        # else numbers with many values win over yes and no by the number of their cuts alone
        gain -= math.log2(n_candidates) / n
    if gain < settings.min_gain:
        return None
    cost = float(entropy(np.array([share[best], 1 - share[best]])))
    threshold = _round_between(float(ordered[cuts[best]]), float(ordered[cuts[best] + 1]))
    return Split(column, threshold, gain, gain / max(cost, _TINY))


def _round_between(low: float, high: float) -> float:
    """The shortest number t with low < t <= high near their middle, so that `value >= t` parts the two; of three
    significant digits, or as many more as it takes."""
    if math.isinf(low):
        # a missing value stands for minus infinity, which has no middle
        low = high - max(1.0, abs(high))
    middle = (low + high) / 2
    for n in range(3, 18):
        threshold = float(f"{middle:.{n}g}")
        if low < threshold <= high:
            return threshold
    return high


def _make_leaf(labels: Sequence[str], counts: Floats) -> TreeNode:
    """The class of the largest weight; `counts` are weighted, rounded to two places, the largest first."""
    order = np.argsort(-counts, kind="stable").tolist()
    shown = {labels[i]: round(float(counts[i]), 2) for i in order if counts[i] > 0}
    return TreeNode(answer=labels[order[0]], counts=shown)


def _estimate_errors(counts: Floats, confidence: float | None) -> float:
    """Upper confidence bound of a leaf's errors (C4.5, section 4.2; the normal approximation of the binomial)."""
    n = float(counts.sum())
    rate = 1 - float(counts.max()) / n if n else 0.0
    if confidence is None or n <= 0:
        return rate * n
    z = NormalDist().inv_cdf(1 - confidence)
    bound = rate + z * z / (2 * n) + z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return n * bound / (1 + z * z / n)


PATENT_TREE: Final = TreeSettings(
    max_depth=6, min_leaf=5, confidence=0.25, class_weight={"index": 2.0, "multi_block": 3.0, "no_feature": 5.0}
)
"""Three pages of four are content: without weights no leaf of the patent's tree would be `multi_block`. Chosen by
macro-averaged F1 in cross-validation among depths 5 to 8, leaves of 5 to 15 pages and weights up to those that make all
types equal."""
_TREE_HEAD: Final = """\
The patent's page classifier: ID3 over its 13 attributes (`page_type.patent.thresholds`), learnt by `webclean learn
page-type-tree`. `counts` are pages, weighed by the type that they are of. Cross-validated by site:"""


def learn_page_type_tree(pages: Sequence[LabelledPage], rules: RuleSet) -> Learnt:
    """The patent's tree, scored on pages of sites that it has not seen."""
    examples = read_examples(pages, rules)
    scores, types = score_tree(examples, rules), stand_for(examples.subtypes, examples, rules)

    def write() -> dict[str, str]:
        tree = learn_patent_tree(examples, range(len(types)), types)
        return {"": write_tree(("page_type", "patent", "tree"), tree, f"{_TREE_HEAD}\n{summarise_types(scores)}")}

    return Learnt(format_type_scores(scores), write)


def learn_patent_tree(
    examples: Examples, rows: Sequence[int], answers: Sequence[str], settings: TreeSettings = PATENT_TREE
) -> TreeNode:
    """ID3 over the patent's 13 features, from some of the pages."""
    values = np.array([list(examples.patent[row].values()) for row in rows], dtype=np.float64)
    return learn_tree(values, [answers[row] for row in rows], list(PATENT_FEATURES), settings)


def score_tree(examples: Examples, rules: RuleSet) -> list[TypeScores]:
    """The patent's tree, cross-validated by site: the four types, and what it would make of the seven subtypes."""

    def predict(answers: Sequence[str], settings: TreeSettings = PATENT_TREE) -> list[str]:
        return cross_validate(
            examples.fold,
            lambda seen: learn_patent_tree(examples, seen, answers, settings),
            lambda tree, row: str(walk_tree(tree, examples.patent[row].__getitem__)[0].answer),
        )

    by_tree = predict(stand_for(examples.subtypes, examples, rules))
    subtypes = predict(examples.subtypes, replace(PATENT_TREE, class_weight=None))
    name = "by the patent's 13 attributes"
    *types, majority = compare_types(f"four types {name}", examples, rules, by_tree)
    return [*types, compare_answers(f"subtypes {name}", examples.subtypes, subtypes), majority]
