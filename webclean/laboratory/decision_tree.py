"""ID3 and C4.5: examples -> a decision tree that a person can read; and the patent's tree of page types.

The test of the largest information gain is asked first, as ID3 does (Quinlan, "Induction of Decision Trees", 1986);
scikit-learn grows such trees. Numbers are cut at thresholds, and the tree is pruned by a pessimistic estimate of its
errors, as in "C4.5" (1993). Every split is binary, `value >= threshold`: a yes/no attribute is a number that is 0 or 1.
A missing value (NaN) holds no test and goes to `else`, in learning as in use.

Reading: the gain ratio of C4.5 is left out. It corrects the gain of splits into many branches, of which there are none
here; the tree of titles is right on .713 of the labelled pages with and without it.

The tree of page types is ID3 over the patent's 13 features, scored on pages of sites that it has not seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np

from webclean.classify.patent_tree import PATENT_FEATURES
from webclean.laboratory.harness import Learnt, cross_validate, write_tree, write_value
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


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How a tree is grown.

    max_depth: tests on the longest path. min_leaf: examples at a leaf. confidence: of the pessimistic pruning, smaller
    prunes more; None keeps all. class_weight: weight of a class's examples, 1 where it is not named.
    """

    max_depth: int = 8
    min_leaf: int = 5
    confidence: float | None = 0.25
    class_weight: dict[str, float] | None = None


_LEAST_GAIN: Final = 1e-7
"""Of a test, in bits and by its share of the examples: what gains nothing is not asked."""


def learn_tree(
    values: Floats, answers: Sequence[str], names: Sequence[str], settings: TreeSettings = TreeSettings()
) -> TreeNode:
    """Grow and prune a tree.

    values: float64 [n, n_features], NaN where missing; answers: class of each example; names: of the features.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415  only learning needs it

    labels, classes = np.unique(np.asarray(answers, dtype=object).astype(str), return_inverse=True)
    weight_of, confidence = settings.class_weight or {}, settings.confidence
    weights = np.array([weight_of.get(label, 1.0) for label in labels], dtype=np.float64)[classes]
    # a missing value holds no test: below every threshold
    shown = np.where(np.isnan(values), -np.inf, np.asarray(values, dtype=np.float64))
    least = shown[np.isfinite(shown)].min(initial=0.0) - 1
    table = np.maximum(shown, least).astype(np.float32)  # which scikit-learn compares
    learner = DecisionTreeClassifier(
        criterion="entropy",
        max_depth=settings.max_depth,
        min_samples_leaf=settings.min_leaf,
        min_impurity_decrease=_LEAST_GAIN,
        random_state=0,  # it decides between equal gains
    )
    grown = learner.fit(table, classes, sample_weight=weights).tree_

    def prune(node: int, rows: Rows) -> tuple[TreeNode, float]:
        """A pruned subtree and its estimated errors, in weighted examples."""
        counts = np.bincount(classes[rows], weights[rows], minlength=len(labels)).astype(np.float64)
        # a leaf is of the class of the largest weight, and shows the weights, the largest first
        order = np.argsort(-counts, kind="stable").tolist()
        shares = {str(labels[i]): round(float(counts[i]), 2) for i in order if counts[i] > 0}
        leaf, leaf_errors = TreeNode(answer=str(labels[order[0]]), counts=shares), _estimate_errors(counts, confidence)
        if grown.children_left[node] < 0:
            return leaf, leaf_errors
        column = grown.feature[node]
        held = table[rows, column] > grown.threshold[node]
        then, then_errors = prune(grown.children_right[node], rows[held])
        otherwise, else_errors = prune(grown.children_left[node], rows[~held])
        is_same = then.answer is not None and then.answer == otherwise.answer
        # C4.5 adds a tenth of an example, so that a subtree must be worth its lines
        if confidence is not None and (is_same or leaf_errors <= then_errors + else_errors + 0.1):
            return leaf, leaf_errors
        threshold = _round_between(shown[rows[~held], column].max(), shown[rows[held], column].min())
        test = f"{names[column]} >= {write_value(threshold)}"
        return TreeNode(test=test, then=then, otherwise=otherwise), then_errors + else_errors

    return prune(0, np.arange(len(classes)))[0]


def _round_between(low: float, high: float) -> float:
    """The shortest number t with low < t <= high near their middle, so that `value >= t` parts the two; of three
    significant digits, or as many more as it takes."""
    # a missing value stands for minus infinity, which has no middle
    low = high - max(1.0, abs(high)) if math.isinf(low) else low
    rounded = (float(f"{(low + high) / 2:.{n}g}") for n in range(3, 18))
    return next((threshold for threshold in rounded if low < threshold <= high), float(high))


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
    scores, types = score_tree(examples, rules), stand_for(examples.types.tolist(), examples, rules)

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

    by_tree = predict(stand_for(examples.types.tolist(), examples, rules))
    subtypes = predict(examples.types.tolist(), replace(PATENT_TREE, class_weight=None))
    name = "by the patent's 13 attributes"
    *types, majority = compare_types(f"four types {name}", examples, rules, by_tree)
    return [*types, compare_answers(f"subtypes {name}", examples.types.tolist(), subtypes), majority]
