"""Labelled pages -> the page-type card and the patent's tree, and what they say of pages of other sites.

The card is that of `learn.page_type_card`; the tree is ID3 over the patent's 13 features. Both are scored on pages of
sites that they have not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from webclean.classify.classification import choose_subtype
from webclean.classify.features import PAGE_FEATURES, measure_page, view_page
from webclean.classify.patent import PATENT_FEATURES, measure_patent_features
from webclean.classify.words import CHANNELS, WordSource, list_channel_words
from webclean.compare.dataset import LabelledPage, read_corpora
from webclean.features import PageColumns
from webclean.features.cards import compile_card, score_one, softmax
from webclean.learn.harness import LabelledPages, Learnt, cross_validate, read_columns
from webclean.learn.marked_pages import read_home_pages
from webclean.learn.page_type_card import CardExamples, CardSettings, learn_type_card
from webclean.learn.tree import TreeSettings, change_settings, learn_tree
from webclean.learn.writing import write_cards, write_tree
from webclean.model import Floats, PageType, Rows
from webclean.rules import RuleSet, load_rules
from webclean.rules.card_schema import Card, TreeNode, walk_tree

_MOST: Final = 200.0
"""Pages that a further corpus weighs as, at most: it holds one type or two, which would drown the others. Chosen among
75 to 800 by the types of all corpora, each left out of learning, and by the fixtures."""

PATENT_TREE: Final = TreeSettings(
    max_depth=6, min_leaf=5, confidence=0.25, class_weight={"index": 2.0, "multi_block": 3.0, "no_feature": 5.0}
)
"""Three pages of four are content: without weights no leaf of the patent's tree would be `multi_block`. Chosen by
macro-averaged F1 in cross-validation among depths 5 to 8, leaves of 5 to 15 pages and weights up to those that make all
types equal."""

_HEAD: Final = """\
What tells page types apart, learnt by `webclean learn page-type`. Cross-validated by site:"""
_TREE_HEAD: Final = """\
The patent's page classifier: ID3 over its 13 attributes (`page_type.patent.thresholds`), learnt by `webclean learn
page-type-tree`. `counts` are pages, weighed by the type that they are of. Cross-validated by site:"""


@dataclass(frozen=True, eq=False)
class Examples(LabelledPages):
    """Labelled pages as numbers.

    table: what the card is learnt from. patent: values of the patent's 13 features, n_words: words, of each page.
    """

    table: CardExamples
    patent: list[dict[str, float]]
    n_words: list[int]

    @cached_property
    def subtypes(self) -> list[str]:
        """The label of each page."""
        subtypes: list[str] = self.types.tolist()
        return subtypes

    @cached_property
    def held_out(self) -> Rows:
        """int64 [n_pages]: what is left out together: the folds of the first corpus, the others whole."""
        return np.where(self.corpus > 0, self.corpus, -1 - self.fold)


def learn_page_types(data: Sequence[str], marked: Path | None, n_words: int | None) -> Learnt:
    """The page-type card, scored on each corpus."""
    rules = load_rules()
    homes = read_home_pages(marked, rules) if marked else ()
    examples = _read_examples([*read_corpora(data), *homes], rules)
    settings = CardSettings(n_words=n_words) if n_words else CardSettings()
    scores = score_types(examples, rules, settings)
    return Learnt(
        format_type_scores(scores),
        lambda: {"": format_card_rules(learn_type_card(examples.table, settings), scores)},
    )


def learn_page_type_tree(data: Sequence[str], weight: Sequence[tuple[str, float]] | None, **given: Any) -> Learnt:
    """The patent's tree; weight: of types, instead of those of `PATENT_TREE`."""
    rules = load_rules()
    examples = _read_examples(read_corpora(data), rules)
    settings = change_settings(PATENT_TREE, **given, class_weight=dict(weight) if weight else None)
    scores, types = score_tree(examples, rules, settings), stand_for(examples.subtypes, examples, rules)

    def write() -> dict[str, str]:
        tree = learn_patent_tree(examples, range(len(types)), types, settings)
        return {"": write_tree(("page_type", "patent", "tree"), tree, f"{_TREE_HEAD}\n{_summarise(scores)}")}

    return Learnt(format_type_scores(scores), write)


def _read_examples(pages: Iterable[LabelledPage], rules: RuleSet) -> Examples:
    labelled = LabelledPages(tuple(pages), by_corpus=False)
    return collect_examples(labelled, map(read_columns, labelled.pages), rules)


def collect_examples(pages: LabelledPages, columns: Iterable[PageColumns], rules: RuleSet) -> Examples:
    """Measure everything that can be told of each page. columns: of the pages; one at a time is needed."""
    names = list(PAGE_FEATURES.list_learnt("page_type.card"))
    values, patent, n_words = list[Floats](), list[dict[str, float]](), list[int]()
    words: dict[str, list[set[str]]] = {channel: [] for channel in CHANNELS}
    for own in columns:
        view = view_page(own, rules.page_type)
        source = WordSource(own, rules.page_type, view)
        values.append(measure_page(view, names))
        for channel, sets in words.items():
            sets.append(list_channel_words(source, channel))
        patent.append(measure_patent_features(own, rules))
        n_words.append(int(own.blocks.n_words.sum()))
    table = CardExamples(
        names=names,
        values=np.array(values).reshape(len(values), len(names)),
        words=words,
        answers=pages.types,
        group=pages.group,
        weight=weigh_pages(np.array([page.weight for page in pages.pages]), pages.corpus),
        is_typical=pages.corpus == 0,
    )
    return Examples(pages.pages, pages.by_corpus, table, patent, n_words)


def weigh_pages(weight: Floats, corpus: Rows) -> Floats:
    """float64 [n_pages]: the weights given, those of each corpus after the first lowered to a sum of 200 at most."""
    total = np.bincount(corpus, weight)
    share = np.minimum(1.0, _MOST / np.maximum(1e-9, total))
    # the first corpus has every type, so it keeps its weight
    share[:1] = 1.0
    return np.asarray(weight * share[corpus])


def predict_out_of_fold(
    examples: Examples, settings: CardSettings | None = None, parts: Rows | None = None
) -> list[dict[str, float]]:
    """Subtype -> probability of each page, by the card that has not seen the page's site, and that card's arithmetic.

    parts: int [n_pages], what is left out together, instead of the folds by site.
    """
    table, labels = examples.table, sorted(set(examples.subtypes))

    def predict(card: Card, row: int) -> dict[str, float]:
        compiled = compile_card(card, PAGE_FEATURES)
        words = [number for number, (channel, word) in enumerate(compiled.words) if word in table.words[channel][row]]
        values = dict(zip(table.names, table.values[row].tolist(), strict=True))
        found = softmax(score_one(compiled, values, words), card.temperature)
        # a fold may lack a type that is rare; its card then never says it
        return dict.fromkeys(labels, 0.0) | dict(zip(card.classes, found, strict=True))

    settings = settings or CardSettings()
    return cross_validate(
        examples.fold if parts is None else parts, lambda seen: learn_type_card(table.take(seen), settings), predict
    )


def predict_types(
    pages: LabelledPages, columns: Sequence[PageColumns], rules: RuleSet
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Subtypes, and twice float64 [n_pages, n_subtypes]: how likely a page is of each.

    First by cards that have not seen the page's fold, then by cards that have not seen its corpus; those of the first
    corpus, from which alone most types can be learnt, are told by fold both times.
    """
    examples = collect_examples(pages, columns, rules)
    labels = tuple(sorted(set(examples.subtypes)))
    by_fold = left_out = _tabulate(predict_out_of_fold(examples), labels)
    # with one corpus there is none to leave out
    if examples.corpus.any():
        left_out = _tabulate(predict_out_of_fold(examples, parts=examples.held_out), labels)
    return labels, by_fold, left_out


def _tabulate(probabilities: Sequence[Mapping[str, float]], labels: Sequence[str]) -> Floats:
    return np.array([[own[label] for label in labels] for own in probabilities])


def stand_for(subtypes: Sequence[str], examples: Examples, rules: RuleSet) -> list[str]:
    """The four types: what a subtype stands for, and no_feature for a page that hardly has text."""
    types, least = rules.page_type.types, rules.page_type.no_feature_words
    return [
        PageType.NO_FEATURE.value if n < least else types[subtype]
        for subtype, n in zip(subtypes, examples.n_words, strict=True)
    ]


def learn_patent_tree(
    examples: Examples, rows: Sequence[int], answers: Sequence[str], settings: TreeSettings = PATENT_TREE
) -> TreeNode:
    """ID3 over the patent's 13 features, from some of the pages."""
    values = np.array([list(examples.patent[row].values()) for row in rows], dtype=np.float64)
    return learn_tree(values, [answers[row] for row in rows], list(PATENT_FEATURES), settings)


def _predict_by_tree(examples: Examples, answers: Sequence[str], settings: TreeSettings) -> list[str]:
    """The answer for each page by the tree that has not seen its site."""
    return cross_validate(
        examples.fold,
        lambda seen: learn_patent_tree(examples, seen, answers, settings),
        lambda tree, row: str(walk_tree(tree, examples.patent[row].__getitem__)[0].answer),
    )


@dataclass(frozen=True, slots=True)
class TypeScores:
    """How often what was predicted is what is true. confusion: true class -> predicted class -> pages."""

    name: str
    accuracy: float
    macro_f1: float
    confusion: dict[str, dict[str, int]]


def compare_answers(name: str, truth: Sequence[str], predicted: Sequence[str]) -> TypeScores:
    """Accuracy, macro-averaged F1 over the true classes, and the table of confusions."""
    pairs, true, said = Counter(zip(truth, predicted, strict=True)), Counter(truth), Counter(predicted)
    f1 = [2 * pairs[label, label] / (true[label] + said[label]) for label in sorted(true)]
    right = sum(pairs[label, label] for label in true)
    table = {t: {s: pairs[t, s] for s in sorted({*true, *said})} for t in sorted(true)}
    return TypeScores(name, right / max(1, len(truth)), sum(f1) / max(1, len(f1)), table)


def score_types(examples: Examples, rules: RuleSet, settings: CardSettings) -> list[TypeScores]:
    """The card's seven subtypes and the four types that they stand for, cross-validated by site on the first corpus;
    then the subtypes of each further corpus by the card that is learnt without it."""
    found = predict_out_of_fold(examples, settings, examples.held_out)
    said = [choose_subtype(own, rules.page_type.types) for own in found]
    names = ["subtypes by the card", *(f"subtypes of {name}, left out of learning" for name in examples.corpora[1:])]
    subtypes = [
        _compare(name, examples.subtypes, said, np.flatnonzero(examples.corpus == number).tolist())
        for number, name in enumerate(names)
    ]
    by_card = stand_for(said, examples, rules)
    types = _compare_types("four types by the card", examples, rules, by_card)
    return [subtypes[0], *types, *subtypes[1:]]


def score_tree(examples: Examples, rules: RuleSet, settings: TreeSettings) -> list[TypeScores]:
    """The patent's tree, cross-validated by site: the four types, and what it would make of the seven subtypes."""
    by_tree = _predict_by_tree(examples, stand_for(examples.subtypes, examples, rules), settings)
    subtypes = _predict_by_tree(examples, examples.subtypes, replace(settings, class_weight=None))
    name = "by the patent's 13 attributes"
    *types, majority = _compare_types(f"four types {name}", examples, rules, by_tree)
    return [*types, compare_answers(f"subtypes {name}", examples.subtypes, subtypes), majority]


def _compare(name: str, truth: Sequence[str], said: Sequence[str], rows: Sequence[int]) -> TypeScores:
    return compare_answers(name, [truth[row] for row in rows], [said[row] for row in rows])


def _compare_types(name: str, examples: Examples, rules: RuleSet, said: Sequence[str]) -> list[TypeScores]:
    """On the first corpus: on all pages, on those with text, for that a page has none is seen without learning, and
    what the most frequent type would give."""
    truth, rows = stand_for(examples.subtypes, examples, rules), np.flatnonzero(examples.corpus == 0).tolist()
    full = [row for row in rows if examples.n_words[row] >= rules.page_type.no_feature_words]
    majority = Counter(truth[row] for row in rows).most_common(1)[0][0]
    return [
        _compare(name, truth, said, rows),
        _compare("... pages with text only", truth, said, full),
        _compare(f"always {majority}", truth, [majority] * len(truth), rows),
    ]


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
    path, head = ("page_type", "card"), f"{_HEAD}\n{_summarise(scores)}"
    return write_cards([(path, card, PAGE_FEATURES)], head, [".".join(path)])


def _summarise(scores: Sequence[TypeScores]) -> str:
    return "\n".join(f"  {s.name}: accuracy {s.accuracy:.3f}, macro-F1 {s.macro_f1:.3f}" for s in scores)
