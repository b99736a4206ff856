"""ID3 and C4.5: examples -> a decision tree that a person can read.

Quinlan, "Induction of Decision Trees" (1986) chooses the split of the largest information gain; "C4.5" (1993) the
largest gain ratio among the splits of at least average gain, cuts numbers at thresholds, and prunes by a pessimistic
estimate of the error. Every split here is binary, `value >= threshold`: a yes/no attribute is a number that is 0 or 1.
A missing value (NaN) holds no test and goes to `else`, in learning as in use.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from webclean.model import Floats
from webclean.rules.card_schema import TreeNode

__all__ = ["TreeSettings", "entropy", "find_split", "format_tree", "learn_tree"]

_TINY: Final = 1e-12


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How a tree is grown.

    criterion: `gain` (ID3) or `gain_ratio` (C4.5). max_depth: tests on the longest path. min_leaf: examples at a leaf.
    min_gain: bits a split must gain. confidence: of the pessimistic pruning, smaller prunes more; None keeps all.
    class_weight: weight of a class's examples, 1 where it is not named. digits: significant digits of thresholds.
    """

    criterion: Literal["gain", "gain_ratio"] = "gain"
    max_depth: int = 8
    min_leaf: int = 5
    min_gain: float = 1e-6
    confidence: float | None = 0.25
    class_weight: dict[str, float] | None = None
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Split:
    """The best test found: column, threshold (`value >= threshold`), gain and gain ratio in bits."""

    column: int
    threshold: float
    gain: float
    gain_ratio: float


@dataclass(frozen=True, slots=True, eq=False)
class _Examples:
    """values: float64 [n, n_features]; classes: int [n]; weights: float64 [n]."""

    values: Floats
    classes: NDArray[np.int64]
    weights: Floats
    names: Sequence[str]
    labels: Sequence[str]
    settings: TreeSettings

    def take(self, rows: NDArray[np.bool_]) -> _Examples:
        return _Examples(
            self.values[rows], self.classes[rows], self.weights[rows], self.names, self.labels, self.settings
        )

    def count(self, *, weighted: bool = True) -> Floats:
        weights = self.weights if weighted else None
        return np.bincount(self.classes, weights, minlength=len(self.labels)).astype(np.float64)


def learn_tree(
    values: Floats, answers: Sequence[str], names: Sequence[str], settings: TreeSettings = TreeSettings()
) -> TreeNode:
    """Grow and prune a tree.

    values: float64 [n, n_features], NaN where missing; answers: class of each example; names: of the features.
    Equal gains are won by the feature named first.
    """
    labels, classes = np.unique(np.asarray(answers, dtype=object).astype(str), return_inverse=True)
    weight_of = settings.class_weight or {}
    weights = np.array([weight_of.get(label, 1.0) for label in labels], dtype=np.float64)[classes]
    shown = np.where(np.isnan(values), -np.inf, np.asarray(values, dtype=np.float64))
    examples = _Examples(shown, classes.astype(np.int64), weights, list(names), [str(x) for x in labels], settings)
    return _grow(examples, settings.max_depth)[0]


def entropy(counts: Floats) -> Floats:
    """Bits of a class distribution, along the last axis; counts need not be whole."""
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / np.maximum(total, _TINY)
    return np.asarray(-(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=-1))


def find_split(
    values: Floats, classes: NDArray[np.int64], weights: Floats, n_classes: int, settings: TreeSettings
) -> Split | None:
    """The best test over all columns, or None when none gains enough."""
    found = [
        split
        for column in range(values.shape[1])
        if (split := _split_column(values[:, column], column, classes, weights, n_classes, settings))
    ]
    if not found:
        return None
    if settings.criterion == "gain":
        return max(found, key=lambda split: split.gain)
    average = sum(split.gain for split in found) / len(found)
    return max((s for s in found if s.gain >= average - _TINY), key=lambda split: split.gain_ratio)


def _split_column(
    values: Floats,
    column: int,
    classes: NDArray[np.int64],
    weights: Floats,
    n_classes: int,
    settings: TreeSettings,
) -> Split | None:
    """The threshold of the largest gain in one column.

    With the gain ratio a number pays log2(candidate thresholds) / examples for the choice (Quinlan 1996).
    """
    order = np.argsort(values, kind="stable")
    ordered, n = values[order], len(values)
    placed = np.zeros((n, n_classes))
    placed[np.arange(n), classes[order]] = weights[order]
    low = np.cumsum(placed, axis=0)
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
        gain -= math.log2(n_candidates) / n
    if gain < settings.min_gain:
        return None
    cost = float(entropy(np.array([share[best], 1 - share[best]])))
    threshold = _round_between(float(ordered[cuts[best]]), float(ordered[cuts[best] + 1]), settings.digits)
    return Split(column, threshold, gain, gain / max(cost, _TINY))


def _round_between(low: float, high: float, digits: int) -> float:
    """The shortest number t with low < t <= high near their middle, so that `value >= t` parts the two."""
    if math.isinf(low):
        low = high - max(1.0, abs(high))
    middle = (low + high) / 2
    for n in range(digits, 18):
        threshold = float(f"{middle:.{n}g}")
        if low < threshold <= high:
            return threshold
    return high


def _grow(examples: _Examples, depth: int) -> tuple[TreeNode, float]:
    """A pruned subtree and its estimated errors (in weighted examples)."""
    counts = examples.count()
    leaf = _make_leaf(examples, counts)
    leaf_errors = _estimate_errors(counts, examples.settings.confidence)
    if depth <= 0 or len(examples.classes) < 2 * examples.settings.min_leaf or np.count_nonzero(counts) < 2:
        return leaf, leaf_errors
    split = find_split(examples.values, examples.classes, examples.weights, len(examples.labels), examples.settings)
    if split is None:
        return leaf, leaf_errors
    held = examples.values[:, split.column] >= split.threshold
    then, then_errors = _grow(examples.take(held), depth - 1)
    otherwise, else_errors = _grow(examples.take(~held), depth - 1)
    same = then.answer is not None and then.answer == otherwise.answer
    pruned = examples.settings.confidence is not None and leaf_errors <= then_errors + else_errors + 0.1
    if pruned or (same and examples.settings.confidence is not None):
        return leaf, leaf_errors
    test = f"{examples.names[split.column]} >= {split.threshold:g}"
    if float(f"{split.threshold:g}") != split.threshold:
        test = f"{examples.names[split.column]} >= {split.threshold!r}"
    return TreeNode(test=test, then=then, otherwise=otherwise), then_errors + else_errors


def _make_leaf(examples: _Examples, counts: Floats) -> TreeNode:
    """The class of the largest weight; `counts` are weighted, rounded to two places, the largest first."""
    order = np.argsort(-counts, kind="stable")
    shown = {examples.labels[i]: round(float(counts[i]), 2) for i in order if counts[i] > 0}
    return TreeNode(answer=examples.labels[int(order[0])], counts=shown)


def _estimate_errors(counts: Floats, confidence: float | None) -> float:
    """Upper confidence bound of a leaf's errors (C4.5, section 4.2; the normal approximation of the binomial)."""
    n = float(counts.sum())
    rate = 1 - float(counts.max()) / n if n else 0.0
    if confidence is None or n <= 0:
        return rate * n
    z = NormalDist().inv_cdf(1 - confidence)
    bound = rate + z * z / (2 * n) + z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return n * bound / (1 + z * z / n)


def format_tree(node: TreeNode, indent: int = 0) -> str:
    """YAML of a tree: branches nested, each leaf on one line."""
    pad = " " * indent
    if node.test is None:
        return pad + _format_leaf(node) + "\n"
    lines = [f"{pad}if: {node.test}"]
    if node.because:
        lines.append(f"{pad}because: {_quote(node.because)}")
    for word, below in (("then", node.then), ("else", node.otherwise)):
        assert below is not None
        if below.test is None:
            lines.append(f"{pad}{word}: {_format_leaf(below)}")
        else:
            lines.append(f"{pad}{word}:")
            lines.append(format_tree(below, indent + 2).rstrip("\n"))
    return "\n".join(lines) + "\n"


def _format_leaf(node: TreeNode) -> str:
    parts = [f"is: {node.answer}"]
    if node.counts:
        parts.append("counts: {" + ", ".join(f"{name}: {count:g}" for name, count in node.counts.items()) + "}")
    if node.because:
        parts.append(f"because: {_quote(node.because)}")
    return "{" + ", ".join(parts) + "}"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
