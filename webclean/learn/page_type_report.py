"""What was learnt about page types: its cross-validated scores, and YAML that a person can read and change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from webclean.classify.classification import choose_subtype
from webclean.classify.features import PAGE_FEATURES
from webclean.learn.card_text import begin_file, format_card
from webclean.learn.page_type import (
    Examples,
    choose_examples,
    label_types,
    learn_patent_tree,
    predict_out_of_fold,
    predict_tree_out_of_fold,
)
from webclean.learn.page_type_card import CardSettings, learn_type_card
from webclean.learn.tree import TreeSettings, format_tree
from webclean.model import Mask, PageType
from webclean.rules import RuleSet
from webclean.rules.card_schema import Card, TreeNode

_HEAD: Final = """\
What tells page types apart, learnt by `webclean learn page-type`. Cross-validated by site:"""
_TREE_HEAD: Final = """\
The patent's page classifier: ID3 over its 13 attributes (`page_type.patent.thresholds`), learnt by `webclean learn
page-type-tree`. `counts` are pages, weighed by the type that they are of. Cross-validated by site:"""


@dataclass(frozen=True, slots=True)
class TypeScores:
    """How often what was predicted is what is true. confusion: true class -> predicted class -> pages."""

    name: str
    accuracy: float
    macro_f1: float
    confusion: dict[str, dict[str, int]]


def compare_answers(name: str, truth: Sequence[str], predicted: Sequence[str]) -> TypeScores:
    """Accuracy, macro-averaged F1 over the true classes, and the table of confusions."""
    classes = sorted(set(truth))
    pairs = Counter(zip(truth, predicted, strict=True))
    scores = []
    for label in classes:
        right = pairs[label, label]
        all_true = sum(n for (t, _), n in pairs.items() if t == label)
        all_said = sum(n for (_, s), n in pairs.items() if s == label)
        scores.append(2 * right / (all_true + all_said))
    right = sum(n for (t, s), n in pairs.items() if t == s)
    table = {t: {s: pairs[t, s] for s in sorted({*classes, *predicted})} for t in classes}
    return TypeScores(name, right / max(1, len(truth)), sum(scores) / max(1, len(scores)), table)


def score_card(examples: Examples, rules: RuleSet, card: CardSettings) -> list[TypeScores]:
    """The card's seven subtypes and the four types that they stand for, cross-validated by site on the first corpus;
    then the subtypes of each further corpus by the card that is learnt without it."""
    types = rules.page_type.types
    labels, probabilities = predict_out_of_fold(examples, card, examples.held_out)
    subtypes = [choose_subtype(dict(zip(labels, row, strict=True)), types) for row in probabilities.tolist()]
    first = examples.take(np.flatnonzero(examples.corpus == 0))
    own, said = first.subtypes, [subtypes[at] for at in np.flatnonzero(examples.corpus == 0).tolist()]
    empty = (first.n_words < rules.page_type.no_feature_words).tolist()
    by_card = [PageType.NO_FEATURE.value if e else types[s] for s, e in zip(said, empty, strict=True)]
    scores = [
        compare_answers("subtypes by the card", own, said),
        *_compare_types("four types by the card", first, rules, by_card),
        _compare_majority(first, rules),
    ]
    for number, name in enumerate(examples.corpora[1:], 1):
        rows = np.flatnonzero(examples.corpus == number).tolist()
        truth, found = [examples.subtypes[at] for at in rows], [subtypes[at] for at in rows]
        scores.append(compare_answers(f"subtypes of {name}, left out of learning", truth, found))
    return scores


def score_tree(examples: Examples, rules: RuleSet, tree: TreeSettings) -> list[TypeScores]:
    """The patent's tree, cross-validated by site: the four types, and what it would make of the seven subtypes."""
    by_tree = predict_tree_out_of_fold(examples, label_types(examples, rules), tree)
    subtypes = predict_tree_out_of_fold(examples, examples.subtypes, replace(tree, class_weight=None))
    return [
        *_compare_types("four types by the patent's 13 attributes", examples, rules, by_tree),
        compare_answers("subtypes by the patent's 13 attributes", examples.subtypes, subtypes),
        _compare_majority(examples, rules),
    ]


def _compare_types(name: str, examples: Examples, rules: RuleSet, said: Sequence[str]) -> list[TypeScores]:
    """On all pages, and on those with text: that a page has none is seen without learning."""
    truth = label_types(examples, rules)
    full = np.flatnonzero(examples.n_words >= rules.page_type.no_feature_words).tolist()
    return [
        compare_answers(name, truth, said),
        compare_answers("... pages with text only", [truth[i] for i in full], [said[i] for i in full]),
    ]


def _compare_majority(examples: Examples, rules: RuleSet) -> TypeScores:
    truth = label_types(examples, rules)
    majority = Counter(truth).most_common(1)[0][0]
    return compare_answers(f"always {majority}", truth, [majority] * len(truth))


def learn_card(examples: Examples, card: CardSettings, rows: Mask | None = None) -> Card:
    """Learn the card from the chosen pages, or from all."""
    return learn_type_card(choose_examples(examples, choose_rows(examples, rows)), card)


def learn_tree_of_types(examples: Examples, rules: RuleSet, tree: TreeSettings) -> TreeNode:
    """Learn the patent's tree from all pages."""
    return learn_patent_tree(examples, choose_rows(examples), label_types(examples, rules), tree)


def choose_rows(examples: Examples, rows: Mask | None = None) -> Mask:
    """bool [n_pages]: the given rows, or all."""
    return np.ones(len(examples.ids), dtype=bool) if rows is None else rows


def format_type_scores(scores: Sequence[TypeScores]) -> str:
    """A line for each comparison and its table: rows are true, columns are predicted."""
    lines = []
    for found in scores:
        lines.append(f"{found.name:42s} accuracy {found.accuracy:.4f}  macro-F1 {found.macro_f1:.4f}")
        columns = list(next(iter(found.confusion.values())))
        width = max(map(len, columns))
        lines.append(" " * 16 + " ".join(f"{name:>{width}s}" for name in columns))
        for label, row in found.confusion.items():
            lines.append(f"  {label:13s} " + " ".join(f"{row[name]:{width}d}" for name in columns))
    return "\n".join(lines)


def format_card_rules(card: Card, scores: Sequence[TypeScores]) -> str:
    """The rule file of the card: section `page_type`."""
    head = begin_file(f"{_HEAD}\n{_summarise(scores)}", ("page_type.card",))
    return "\n".join((*head, "page_type:", "  card:", *format_card(card, PAGE_FEATURES, 4), ""))


def format_tree_rules(tree: TreeNode, scores: Sequence[TypeScores]) -> str:
    """The rule file of the patent's tree: section `page_type`."""
    head = begin_file(f"{_TREE_HEAD}\n{_summarise(scores)}", ("page_type.patent.tree",), "")
    return "\n".join((*head, "page_type:", "  patent:", "    tree:", format_tree(tree, 6)))


def _summarise(scores: Sequence[TypeScores]) -> str:
    return "\n".join(f"  {s.name}: accuracy {s.accuracy:.3f}, macro-F1 {s.macro_f1:.3f}" for s in scores)
