"""What was learnt about page types: its cross-validated scores, and YAML that a person can read and change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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
from webclean.rules.card_schema import Card
from webclean.rules.decision_tree import TreeNode

_HEAD: Final = """\
What tells page types apart, learnt by `webclean learn page-type`. Cross-validated by site:"""


@dataclass(frozen=True, slots=True)
class TypeScores:
    """How often what was predicted is what is true. confusion: true class -> predicted class -> pages."""

    name: str
    accuracy: float
    macro_f1: float
    confusion: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class LearntTypeRules:
    """What a learning run gives."""

    card: Card
    tree: TreeNode


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


def score_rules(examples: Examples, rules: RuleSet, card: CardSettings, tree: TreeSettings) -> list[TypeScores]:
    """Both methods, cross-validated by site: the seven subtypes by the card, the four types by both."""
    types = rules.page_type.types
    labels, probabilities = predict_out_of_fold(examples, card)
    subtypes = [choose_subtype(dict(zip(labels, row, strict=True)), types) for row in probabilities.tolist()]
    truth = label_types(examples, rules)
    empty = examples.n_words < rules.page_type.no_feature_words
    by_card = [PageType.NO_FEATURE.value if e else types[s] for s, e in zip(subtypes, empty.tolist(), strict=True)]
    by_tree = predict_tree_out_of_fold(examples, truth, tree)
    full, majority = np.flatnonzero(~empty).tolist(), Counter(truth).most_common(1)[0][0]
    return [
        compare_answers("subtypes by the card", examples.subtypes, subtypes),
        compare_answers("four types by the card", truth, by_card),
        compare_answers("... pages with text only", [truth[i] for i in full], [by_card[i] for i in full]),
        compare_answers("four types by the patent's 13 attributes", truth, by_tree),
        compare_answers("... pages with text only", [truth[i] for i in full], [by_tree[i] for i in full]),
        compare_answers("subtypes by the patent's 13 attributes", examples.subtypes, _tree_subtypes(examples, tree)),
        compare_answers(f"always {majority}", truth, [majority] * len(truth)),
    ]


def _tree_subtypes(examples: Examples, tree: TreeSettings) -> list[str]:
    return predict_tree_out_of_fold(examples, examples.subtypes, tree)


def learn_rules(
    examples: Examples, rules: RuleSet, card: CardSettings, tree: TreeSettings, rows: Mask | None = None
) -> LearntTypeRules:
    """Learn from the chosen pages, or from all."""
    rows = np.ones(len(examples.ids), dtype=bool) if rows is None else rows
    return LearntTypeRules(
        learn_type_card(choose_examples(examples, rows), card),
        learn_patent_tree(examples, rows, label_types(examples, rules), tree),
    )


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


def format_rules(learnt: LearntTypeRules, scores: Sequence[TypeScores]) -> str:
    """The rule file: section `page_type` with the tree and the card."""
    summary = "\n".join(f"  {s.name}: accuracy {s.accuracy:.3f}, macro-F1 {s.macro_f1:.3f}" for s in scores)
    return "\n".join(
        (
            *begin_file(f"{_HEAD}\n{summary}", ("page_type.card", "page_type.patent.tree")),
            "page_type:",
            "  # The patent's tree: ID3 over its 13 attributes (page_type.patent.thresholds); `counts` are pages.",
            "  patent:",
            "    tree:",
            format_tree(learnt.tree, 6),
            "",
            "  card:",
            *format_card(learnt.card, PAGE_FEATURES, 4),
            "",
        )
    )
