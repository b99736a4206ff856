"""Labelled pages -> the page-type card, and what it says of pages of other sites.

The card is a multinomial logistic regression over thresholds (`value >= edge`) of every feature and over words; the
points of a bin are the sum of the thresholds it is above, centred so that a feature that says nothing adds nothing.
Words are chosen a few at a time, those that best tell what the card so far gets wrong (the score test of Rao, 1948).
Everything that is chosen (edges, words, points) is chosen from the pages given, so that folds stay apart. It is scored
on pages of sites that it has not seen.

The patent's tree of page types is ID3 over its 13 features, scored in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score

from webclean.classify import classification
from webclean.classify.classification import CHANNELS, PAGE_FEATURES
from webclean.classify.patent_tree import PATENT_FEATURES, measure_patent_features
from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.features.cards import compile_card, score_one, softmax
from webclean.laboratory import harness
from webclean.laboratory.fitting import learn_tree
from webclean.laboratory.harness import LabelledPages, Learnt
from webclean.laboratory.marked_pages import read_home_pages
from webclean.model import Floats, Mask, PageType, Rows
from webclean.rules import RuleSet
from webclean.rules.card_schema import Bins, Card, Line, Points, TreeNode, walk_tree
from webclean.workbench.labelled_pages import LabelledPage

Word = tuple[str, str]
"""Channel and word."""
_COPIES: Final = (frozenset(("url",)), frozenset(("url", "head", "names")), frozenset(CHANNELS))
"""The sources that each further copy of a page lacks, so that the card does not lean on what plain pages and other
languages lack."""
_COPY_WEIGHT: Final = 0.3
_N_BINS: Final = 4
"""Of each feature, at quantiles."""
_LEAST_LINE, _LEAST_WORD, _GRAIN = 0.05, 0.15, 0.05
"""Smaller points of lines and of words are written as none; points of words are multiples of the last."""
_MOST: Final = 200.0
"""Pages that a further corpus weighs as, at most: it holds one type or two, which would drown the others. Chosen among
75 to 800 by the types of all corpora, each left out of learning, and by the fixtures."""


@dataclass(frozen=True, slots=True, eq=False)
class CardExamples:
    """What a card is learnt from.

    names: of the features. values: float64 [n_pages, n_features]. words: channel -> one set a page. answers: n_pages
    classes. group: int32 [n_pages], the site. weight: float64 [n_pages]. is_typical: bool [n_pages], pages that
    have the types as often as pages to come have them.
    """

    names: list[str]
    values: Floats
    words: dict[str, list[set[str]]]
    answers: NDArray[np.str_]
    group: Rows
    weight: Floats
    is_typical: Mask

    def take(self, rows: Sequence[int]) -> CardExamples:
        """Some of the pages."""
        words = {channel: [sets[row] for row in rows] for channel, sets in self.words.items()}
        columns = {name: getattr(self, name)[rows] for name in ("values", "answers", "group", "weight", "is_typical")}
        return replace(self, words=words, **columns)


def learn_type_card(
    examples: CardExamples, *, n_words: int = 220, n_at_once: int = 16, min_groups: int = 15, strength: float = 0.14
) -> Card:
    """Learn a card from pages. Raises `InputError` for fewer than two types.

    n_words: words kept, n_at_once of them chosen in one round. min_groups: sites a word must appear on, and be absent
    from. strength: inverse of the L2 penalty. The probabilities of unseen sites are then frequencies.
    """

    def fit(matrix: Floats, answers: NDArray[np.str_], weights: Floats) -> Any:
        return LogisticRegression(C=strength, max_iter=300).fit(matrix, answers, sample_weight=weights)

    types = sorted(set(examples.answers.tolist()))
    if len(types) < 2:
        found = f"all are {types[0]}" if types else "there are none"
        raise InputError(f"a page-type card is learnt from pages of two types at least, each on several sites: {found}")
    edges = [find_type_edges(column, _N_BINS) for column in examples.values.T]
    steps, centres = _encode_steps(examples.values, edges)
    candidates = _list_words(examples, min_groups)
    # float64 [n_pages, n_words]: 1 where the page has the word
    said = [[word in has for has in examples.words[channel]] for channel, word in candidates]
    spoken = np.array(said, dtype=np.float64).reshape(len(candidates), len(examples.answers)).T
    chosen = _choose_words(steps, spoken, examples, n_words, n_at_once, fit)
    words, matrix = [candidates[i] for i in chosen], np.hstack([steps, spoken[:, chosen]])
    is_url = [name.startswith(("url_", "slug_")) for name in examples.names]
    sources = np.repeat(np.where(is_url, "url", "page"), list(map(len, edges))).tolist()
    sources += [channel for channel, _ in words]
    # each copy hides some sources: the card then has other lines to stand on where pages lack them
    copies = [matrix, *(np.where([source in hidden for source in sources], 0.0, matrix) for hidden in _COPIES)]
    weights = [examples.weight, *[_COPY_WEIGHT * examples.weight] * len(_COPIES)]
    model = fit(np.vstack(copies), np.tile(examples.answers, len(copies)), np.concatenate(weights))
    return _make_card(model, examples, edges, centres, words)


def _compare_shares(examples: CardExamples) -> dict[str, float]:
    """Class -> log of its share among the typical pages over its share among all; 0 for one that these do not have.

    Added to the bias of a card that was learnt from all pages, it makes it that of pages like the typical ones: more
    articles in learning tell better what an article looks like, not that there are more of them (Saerens, Latinne and
    Decaestecker, 2002, 2.2).
    """
    if not examples.is_typical.any():
        return {}
    found = {}
    for label in np.unique(examples.answers).tolist():
        own = examples.weight * (examples.answers == label)
        typical = own[examples.is_typical].sum() / examples.weight[examples.is_typical].sum()
        found[label] = float(np.log(typical / (own.sum() / examples.weight.sum()))) if typical else 0.0
    return found


def find_type_edges(values: Floats, n_bins: int) -> Floats:
    """Edges at the quantiles of one column, to three significant digits, without those that part nothing.

    Where many pages share the lowest value (no image, no code), it is a bin of its own and the others part the rest.
    """
    known = values[~np.isnan(values)]
    rest = known[known > known.min()] if len(known) else known
    if not len(rest):
        return np.zeros(0)
    # a value that fills a bin of its own would be all quantiles of the others
    parted = len(rest) <= (1 - 1 / n_bins) * len(known)
    shares = np.linspace(0, 1, n_bins)[:-1] if parted else np.linspace(0, 1, n_bins + 1)[1:-1]
    cuts = np.quantile(rest if parted else known, shares, method="higher")
    edges = np.array(sorted({float(f"{cut:.3g}") for cut in cuts}))
    return np.asarray(edges[(known.min() < edges) & (edges <= known.max())])


def _encode_steps(values: Floats, edges: Sequence[Floats]) -> tuple[Floats, list[Floats]]:
    """Thresholds of all features: float64 [n_pages, n_edges], centred and 0 where the value is missing; the centres."""
    parts, centres = [np.zeros((len(values), 0))], []
    for column, own in zip(values.T, edges, strict=True):
        known = ~np.isnan(column)
        above = (column[:, None] >= own).astype(np.float64)
        # a feature that is missing then says nothing, not what the mean page says
        centres.append(above[known].mean(axis=0) if known.any() else np.zeros(len(own)))
        parts.append(np.where(known[:, None], above - centres[-1], 0.0))
    return np.hstack(parts), centres


def _list_words(examples: CardExamples, min_groups: int) -> list[Word]:
    """Words of letters that stand on pages of enough sites, and not on all but a few."""
    found, n_sites = [], len(np.unique(examples.group))
    for channel, sets in examples.words.items():
        sites: dict[str, set[int]] = {}
        for site, words in zip(examples.group.tolist(), sets, strict=True):
            for word in words:
                sites.setdefault(word, set()).add(site)
        found += [
            (channel, word)
            for word in sorted(sites)
            if min_groups <= len(sites[word]) <= n_sites - min_groups and (channel != "label" or word.isalpha())
        ]
    return found


def _choose_words(
    steps: Floats, spoken: Floats, examples: CardExamples, n_words: int, n_at_once: int, fit: Callable[..., Any]
) -> NDArray[np.int64]:
    """Columns of the words to keep, in their order."""
    weight = examples.weight / examples.weight.mean()
    labels, classes = np.unique(examples.answers, return_inverse=True)
    truth = np.eye(len(labels))[classes]
    centred = weight[:, None] * (spoken - np.average(spoken, axis=0, weights=weight))
    spread = np.maximum(1e-9, (centred**2).sum(axis=0))
    chance = np.tile(np.average(truth, axis=0, weights=weight), (len(truth), 1))
    chosen, n = list[int](), min(n_words, spoken.shape[1])
    while len(chosen) < n:
        # a class that is certain everywhere would divide by nothing
        doubt = np.average(chance * (1 - chance), axis=0, weights=weight) + 0.01
        surprise = ((centred.T @ (truth - chance)) ** 2 / doubt).sum(axis=1) / spread
        # never twice
        surprise[chosen] = -1
        chosen += np.argsort(-surprise, kind="stable")[: min(n_at_once, n - len(chosen))].tolist()
        if len(chosen) < n:
            matrix = np.hstack([steps, spoken[:, chosen]])
            chance = fit(matrix, examples.answers, examples.weight).predict_proba(matrix)
    return np.sort(np.array(chosen, dtype=np.int64))


def _make_card(
    model: Any, examples: CardExamples, edges: Sequence[Floats], centres: Sequence[Floats], words: Sequence[Word]
) -> Card:
    """Weights of thresholds and words -> points of bins and words, rounded."""
    labels: list[str] = model.classes_.tolist()
    weights_of, bias_of = model.coef_, model.intercept_
    if len(labels) == 2:
        # scikit-learn has one row then, the odds of the second class
        weights_of, bias_of = np.vstack([-weights_of, weights_of]) / 2, np.concatenate([-bias_of, bias_of]) / 2
    lines: dict[str, Line] = {}
    at = 0
    for name, limits, centre in zip(examples.names, edges, centres, strict=True):
        weights = weights_of[:, at : at + len(limits)]
        at += len(limits)
        bins = np.cumsum(np.hstack([-(weights @ centre)[:, None], weights]), axis=1).round(2) + 0.0
        rows = zip(labels, bins.tolist(), strict=True)
        points = {label: tuple(row) for label, row in rows if max(map(abs, row)) >= _LEAST_LINE}
        if len(limits) and points:
            lines[name] = Bins(below=tuple(limits.tolist()), points=points)
    spoken: dict[str, dict[str, Points]] = {channel: {} for channel in CHANNELS}
    for (channel, word), weights in zip(words, weights_of[:, at:].T.tolist(), strict=True):
        pairs = [(label, weight) for label, weight in zip(labels, weights, strict=True) if abs(weight) >= _LEAST_WORD]
        if pairs:
            spoken[channel][word] = {label: round(_GRAIN * round(weight / _GRAIN), 4) for label, weight in pairs}
    shares = _compare_shares(examples)
    bias = {label: round(b + shares.get(label, 0.0), 2) for label, b in zip(labels, bias_of.tolist(), strict=True)}
    return Card(bias=bias, lines=lines, words={channel: words for channel, words in spoken.items() if words})


@dataclass(frozen=True, eq=False)
class Examples(LabelledPages):
    """Labelled pages as numbers.

    table: what the card is learnt from. patent: values of the patent's 13 features of each page. n_words: int64
    [n_pages].
    """

    table: CardExamples
    patent: list[dict[str, float]]
    n_words: Rows

    @cached_property
    def held_out(self) -> Rows:
        """int64 [n_pages]: what is left out together: the folds of the first corpus, the others whole."""
        return np.where(self.corpus > 0, self.corpus, -1 - self.fold)


def learn_page_types(pages: Sequence[LabelledPage], rules: RuleSet, marked: Path | None) -> Learnt:
    """The page-type card, scored on each corpus. marked: a folder of home pages."""
    every = (*pages, *(read_home_pages(marked, rules) if marked else ()))
    examples = collect_examples(LabelledPages(every, by_corpus=False), rules)
    report = score_types(examples, rules)
    return Learnt(report, lambda: {"": format_card_rules(learn_type_card(examples.table), report)})


def collect_examples(pages: LabelledPages, rules: RuleSet, columns: Iterable[PageColumns] | None = None) -> Examples:
    """Measure everything that can be told of each page. columns: of the pages where they are known; one at a time is
    needed."""
    names = list(PAGE_FEATURES.list_learnt("page_type.card"))
    values, patent, n_words = list[Floats](), list[dict[str, float]](), list[int]()
    words: dict[str, list[set[str]]] = {channel: [] for channel in CHANNELS}
    for own in map(harness.read_columns, pages.pages) if columns is None else columns:
        source = classification.PageView(own, rules.page_type)
        values.append(classification.measure_page(source.whole, names))
        for channel, sets in words.items():
            sets.append(classification.list_channel_words(source, channel))
        patent.append(measure_patent_features(own, rules))
        n_words.append(int(own.blocks.n_words.sum()))
    table = CardExamples(
        names=names,
        values=np.array(values).reshape(len(values), len(names)),
        words=words,
        answers=pages.types,
        group=pages.group,
        weight=weigh_pages(pages.corpus),
        is_typical=pages.corpus == 0,
    )
    return Examples(pages.pages, pages.by_corpus, table, patent, np.array(n_words))


def weigh_pages(corpus: Rows) -> Floats:
    """float64 [n_pages]: 1, or less for the pages of a corpus after the first that has more than 200."""
    share = np.minimum(1.0, _MOST / np.maximum(1, np.bincount(corpus)))
    # the first corpus has every type, so it keeps its weight
    share[:1] = 1.0
    return np.asarray(share[corpus])


def predict_out_of_fold(examples: Examples, parts: Rows | None = None) -> list[dict[str, float]]:
    """Subtype -> probability of each page, by the card that has not seen the page's site, and that card's arithmetic.

    parts: int [n_pages], what is left out together, instead of the folds by site.
    """
    table, labels = examples.table, np.unique(examples.types).tolist()

    def predict(card: Card, row: int) -> dict[str, float]:
        compiled = compile_card(card, PAGE_FEATURES)
        words = [number for number, (channel, word) in enumerate(compiled.words) if word in table.words[channel][row]]
        values = dict(zip(table.names, table.values[row].tolist(), strict=True))
        found = softmax(score_one(compiled, values, words))
        # a fold may lack a type that is rare; its card then never says it
        return dict.fromkeys(labels, 0.0) | dict(zip(card.classes, found, strict=True))

    held_out = examples.fold if parts is None else parts
    return harness.cross_validate(held_out, lambda seen: learn_type_card(table.take(seen)), predict)


def predict_types(
    pages: LabelledPages, columns: Sequence[PageColumns], rules: RuleSet
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Subtypes, and twice float64 [n_pages, n_subtypes]: how likely a page is of each.

    First by cards that have not seen the page's fold, then by cards that have not seen its corpus; those of the first
    corpus, from which alone most types can be learnt, are told by fold both times.
    """
    examples = collect_examples(pages, rules, columns)
    labels = tuple(np.unique(examples.types).tolist())

    def tabulate(probabilities: Sequence[Mapping[str, float]]) -> Floats:
        return np.array([[own[label] for label in labels] for own in probabilities])

    by_fold = left_out = tabulate(predict_out_of_fold(examples))
    # a single corpus cannot be left out
    if examples.corpus.any():
        left_out = tabulate(predict_out_of_fold(examples, parts=examples.held_out))
    return labels, by_fold, left_out


def stand_for(subtypes: Sequence[str], examples: Examples, rules: RuleSet) -> NDArray[np.str_]:
    """The four types: what a subtype stands for, and no_feature for a page that hardly has text."""
    types = [rules.page_type.types[subtype] for subtype in subtypes]
    return np.where(examples.n_words < rules.page_type.no_feature_words, PageType.NO_FEATURE.value, types)


def compare_answers(name: str, truth: NDArray[np.str_], predicted: NDArray[np.str_]) -> str:
    """A line with accuracy and macro-averaged F1 over the true classes."""
    f1 = f1_score(truth, predicted, labels=np.unique(truth), average="macro")
    return f"  {name}: accuracy {accuracy_score(truth, predicted):.3f}, macro-F1 {f1:.3f}"


def score_types(examples: Examples, rules: RuleSet) -> str:
    """The card's seven subtypes and the four types that they stand for, cross-validated by site on the first corpus;
    then the subtypes of each further corpus by the card that is learnt without it."""
    found = predict_out_of_fold(examples, examples.held_out)
    said = np.array([classification.choose_subtype(own, rules.page_type.types) for own in found])
    names = ["subtypes by the card", *(f"subtypes of {name}, left out of learning" for name in examples.corpora[1:])]
    corpora = [(name, examples.corpus == number) for number, name in enumerate(names)]
    subtypes = [compare_answers(name, examples.types[own], said[own]) for name, own in corpora]
    types = compare_types("four types by the card", examples, rules, stand_for(said.tolist(), examples, rules))
    return "\n".join([subtypes[0], types, *subtypes[1:]])


def compare_types(name: str, examples: Examples, rules: RuleSet, said: NDArray[np.str_]) -> str:
    """The four types, on the first corpus."""
    own = examples.corpus == 0
    return compare_answers(name, stand_for(examples.types.tolist(), examples, rules)[own], said[own])


def format_card_rules(card: Card, report: str) -> str:
    """The rule file of the card: section `page_type`."""
    path, head = ("page_type", "card"), harness.SETTINGS["heads"]["page_type"]
    return harness.write_cards([(path, card, PAGE_FEATURES)], f"{head}\n{report}", [".".join(path)])


_TYPE_WEIGHTS: Final = {"content": 1.0, "index": 2.0, "multi_block": 3.0, "no_feature": 5.0}
_PATENT_TREE: Final = {"max_depth": 6, "min_samples_leaf": 5, "ccp_alpha": 0.005, "class_weight": _TYPE_WEIGHTS}
"""Three pages of four are content: without weights no leaf of the patent's tree would be `multi_block`. Chosen by
macro-averaged F1 in cross-validation among depths 5 to 8, leaves of 5 to 15 pages and weights up to those that make all
types equal."""


def learn_page_type_tree(pages: Sequence[LabelledPage], rules: RuleSet) -> Learnt:
    """The patent's tree, scored on pages of sites that it has not seen."""
    examples = collect_examples(LabelledPages(tuple(pages), by_corpus=False), rules)
    types = stand_for(examples.types.tolist(), examples, rules)
    said = harness.cross_validate(
        examples.fold,
        lambda seen: learn_patent_tree(examples, seen, types),
        lambda tree, row: str(walk_tree(tree, examples.patent[row].__getitem__)[0].answer),
    )
    report = compare_types("four types by the patent's 13 attributes", examples, rules, np.array(said))

    def write() -> dict[str, str]:
        tree, head = learn_patent_tree(examples, list(range(len(types))), types), harness.SETTINGS["heads"]
        return {"": harness.write_tree(("page_type", "patent", "tree"), tree, f"{head['page_type_tree']}\n{report}")}

    return Learnt(report, write)


def learn_patent_tree(examples: Examples, rows: list[int], answers: NDArray[np.str_]) -> TreeNode:
    """ID3 over the patent's 13 features, from some of the pages."""
    values = np.array([list(examples.patent[row].values()) for row in rows], dtype=np.float64)
    return learn_tree(values, answers[rows].tolist(), list(PATENT_FEATURES), **_PATENT_TREE)
