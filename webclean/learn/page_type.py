"""Labelled pages -> the page-type card and the patent's tree, and what they say of pages of other sites.

The card is that of `learn.page_type_card`; the tree is ID3 over the patent's 13 features. Both are scored on pages of
sites that they have not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.classify.features import PAGE_FEATURES, measure_page, view_page
from webclean.classify.patent import PATENT_FEATURES, measure_patent_features
from webclean.classify.words import CHANNELS, WordSource, list_channel_words
from webclean.compare.dataset import LabelledPage, group_pages, make_folds
from webclean.features import PageColumns
from webclean.features.cards import compile_card, score_one, softmax
from webclean.learn.page_type_card import CardExamples, CardSettings, learn_type_card
from webclean.learn.tree import TreeSettings, learn_tree
from webclean.model import Floats, Mask, PageType, Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import RuleSet
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


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Labelled pages as numbers.

    ids, subtypes: n_pages strings. names: of the features. values: float64 [n_pages, n_features]. words: channel ->
    one set a page. patent_features: float64 [n_pages, 13]. n_words: words of each page. group, fold: int32 [n_pages].
    corpora: their names, in the order given. corpus: int64 [n_pages], its place there. weight: float64 [n_pages], of
    the page in learning.
    """

    ids: list[str]
    subtypes: list[str]
    names: list[str]
    values: Floats
    words: dict[str, list[set[str]]]
    patent_features: Floats
    n_words: Rows
    group: Rows
    fold: Rows
    corpora: list[str]
    corpus: Rows
    weight: Floats

    @property
    def held_out(self) -> Rows:
        """int64 [n_pages]: what is left out together: the folds of the first corpus, the others whole."""
        return np.where(self.corpus > 0, self.corpus, -1 - self.fold)

    def take(self, rows: Rows) -> Examples:
        """The pages of some rows."""
        chosen = rows.tolist()
        return Examples(
            [self.ids[i] for i in chosen],
            [self.subtypes[i] for i in chosen],
            self.names,
            self.values[rows],
            {channel: [sets[i] for i in chosen] for channel, sets in self.words.items()},
            self.patent_features[rows],
            self.n_words[rows],
            self.group[rows],
            self.fold[rows],
            self.corpora,
            self.corpus[rows],
            self.weight[rows],
        )


@dataclass(slots=True, eq=False)
class _Growing:
    values: list[Floats] = field(default_factory=list)
    words: dict[str, list[set[str]]] = field(default_factory=lambda: {name: [] for name in CHANNELS})
    patent_features: list[list[float]] = field(default_factory=list)
    n_words: list[int] = field(default_factory=list)


def collect_examples(
    pages: Iterable[LabelledPage],
    rules: RuleSet,
    columns: Iterable[PageColumns] | None = None,
    fold: Rows | None = None,
) -> Examples:
    """Measure everything that can be told of each page.

    columns: those of the pages, where they are there already. fold: int32 [n_pages], instead of folds by site.
    """
    pages, grown = list(pages), _Growing()
    named = list(dict.fromkeys(page.corpus for page in pages))
    corpus = np.array([named.index(page.corpus) for page in pages], dtype=np.intp)
    names = list(PAGE_FEATURES.list_learnt("page_type.card"))
    for page in columns or (build_columns(parse_page(page.html, url=page.url or None)) for page in pages):
        whole = view_page(page, rules.page_type)
        source = WordSource(page, rules.page_type, whole)
        grown.values.append(measure_page(whole, names))
        for channel, sets in grown.words.items():
            sets.append(list_channel_words(source, channel))
        grown.patent_features.append(list(measure_patent_features(page, rules).values()))
        grown.n_words.append(int(page.blocks.n_words.sum()))
    group, subtypes = group_pages(pages), [page.page_type for page in pages]
    return Examples(
        [page.id for page in pages],
        subtypes,
        names,
        np.array(grown.values).reshape(len(pages), len(names)),
        grown.words,
        np.array(grown.patent_features, dtype=np.float64),
        np.array(grown.n_words, dtype=np.int32),
        group,
        make_folds(group, subtypes) if fold is None else fold,
        named,
        corpus,
        weigh_pages(np.array([page.weight for page in pages]), corpus),
    )


def weigh_pages(weight: Floats, corpus: Rows) -> Floats:
    """float64 [n_pages]: the weights given, those of each corpus after the first lowered to a sum of 200 at most."""
    total = np.bincount(corpus, weight)
    share = np.minimum(1.0, _MOST / np.maximum(1e-9, total))
    share[:1] = 1.0
    return np.asarray(weight * share[corpus])


def choose_examples(examples: Examples, rows: Mask) -> CardExamples:
    """What the card is learnt from, for the chosen pages."""
    own = examples.take(np.flatnonzero(rows))
    answers, is_typical = np.array(own.subtypes), own.corpus == 0
    return CardExamples(own.names, own.values, own.words, answers, own.group, own.weight, is_typical)


def predict_card(card: Card, examples: Examples, rows: Mask) -> Floats:
    """float64 [n chosen, n_classes]: probabilities, in the order of the card's bias, by the card's own arithmetic."""
    compiled = compile_card(card, PAGE_FEATURES)
    out = []
    for i in np.flatnonzero(rows).tolist():
        words = [number for number, (channel, word) in enumerate(compiled.words) if word in examples.words[channel][i]]
        values = dict(zip(examples.names, examples.values[i].tolist(), strict=True))
        out.append(softmax(score_one(compiled, values, words), card.temperature))
    return np.array(out).reshape(-1, len(compiled.classes))


def predict_out_of_fold(
    examples: Examples, settings: CardSettings | None = None, held_out: Rows | None = None
) -> tuple[list[str], Floats]:
    """Class names, and float64 [n_pages, n_classes]: probabilities by the card that has not seen the page's site.

    held_out: int [n_pages], what is left out together, instead of the folds by site.
    """
    settings, parts = settings or CardSettings(), examples.fold if held_out is None else held_out
    labels = sorted(set(examples.subtypes))
    probabilities = np.zeros((len(examples.ids), len(labels)))
    for number in np.unique(parts).tolist():
        own = parts == number
        card = learn_type_card(choose_examples(examples, ~own), settings)
        found = predict_card(card, examples, own)
        for column, label in enumerate(card.classes):
            probabilities[own, labels.index(label)] = found[:, column]
    return labels, probabilities


def predict_types(
    pages: Sequence[LabelledPage], columns: Sequence[PageColumns], fold: Rows, rules: RuleSet
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Subtypes, and twice float64 [n_pages, n_subtypes]: how likely a page is of each.

    First by cards that have not seen the page's fold, then by cards that have not seen its corpus; those of the first
    corpus, from which alone most types can be learnt, are told by fold both times.
    """
    examples = collect_examples(pages, rules, columns, fold)
    labels, by_fold = predict_out_of_fold(examples)
    left_out = by_fold
    if examples.corpus.any():
        left_out = predict_out_of_fold(examples, held_out=examples.held_out)[1]
    return tuple(labels), by_fold, left_out


def label_types(examples: Examples, rules: RuleSet) -> list[str]:
    """The four types as truth: what the subtype stands for, and no_feature for a page that hardly has text."""
    types, least = rules.page_type.types, rules.page_type.no_feature_words
    return [
        PageType.NO_FEATURE.value if n < least else types[subtype]
        for subtype, n in zip(examples.subtypes, examples.n_words.tolist(), strict=True)
    ]


def learn_patent_tree(
    examples: Examples, rows: Mask, answers: Sequence[str], settings: TreeSettings | None = None
) -> TreeNode:
    """ID3 over the patent's 13 features."""
    settings = settings or PATENT_TREE
    chosen = np.flatnonzero(rows).tolist()
    return learn_tree(examples.patent_features[chosen], [answers[i] for i in chosen], list(PATENT_FEATURES), settings)


def predict_tree(tree: TreeNode, examples: Examples, rows: Mask) -> list[str]:
    """The tree's answer for each chosen page."""
    names = list(PATENT_FEATURES)
    return [
        str(walk_tree(tree, dict(zip(names, values, strict=True)).__getitem__)[0].answer)
        for values in examples.patent_features[np.flatnonzero(rows)].tolist()
    ]


def predict_tree_out_of_fold(
    examples: Examples, answers: Sequence[str], settings: TreeSettings | None = None
) -> list[str]:
    """The answer for each page by the tree that has not seen its site."""
    predicted = [""] * len(examples.ids)
    for number in range(int(examples.fold.max()) + 1):
        held_out = examples.fold == number
        tree = learn_patent_tree(examples, ~held_out, answers, settings)
        for i, answer in zip(np.flatnonzero(held_out).tolist(), predict_tree(tree, examples, held_out), strict=True):
            predicted[i] = answer
    return predicted
