"""Numbers and words of labelled pages -> the page-type card.

A multinomial logistic regression over thresholds (`value >= edge`) of every feature and over words; the
points of a bin are the sum of the thresholds it is above, centred so that a feature that says nothing adds nothing.
Words are chosen a few at a time, those that best tell what the card so far gets wrong (the score test of Rao, 1948).
Everything that is chosen (edges, words, points) is chosen from the pages given, so that folds stay apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean.classify.words import CHANNELS
from webclean.errors import InputError
from webclean.model import Floats, Mask, Rows
from webclean.rules.card_schema import Bins, Card, Line, Points

Word = tuple[str, str]
"""Channel and word."""

_URL: Final = frozenset(("url",))
_MARKUP: Final = frozenset(("url", "head", "names"))
_WORDS: Final = frozenset(CHANNELS)


@dataclass(frozen=True, slots=True)
class CardSettings:
    """How a card is learnt.

    n_words: words kept, n_at_once of them chosen in one round. min_groups: sites a word must appear on, and be absent
    from. n_bins: of each feature, at quantiles. strength: inverse of the L2 penalty. min_line, min_word:
    smaller points of lines and of words are written as none; grain: points of words are multiples of it. without_url,
    without_markup, without_words: weights of further copies of every page, whose address, whose head and names as well,
    whose words all are hidden, so that the card does not lean on what plain pages and other languages lack.
    temperature: of the softmax; at 1 the probabilities of unseen sites are frequencies.
    """

    n_words: int = 220
    n_at_once: int = 16
    min_groups: int = 15
    n_bins: int = 4
    strength: float = 0.14
    min_line: float = 0.05
    min_word: float = 0.15
    grain: float = 0.05
    without_url: float = 0.3
    without_markup: float = 0.3
    without_words: float = 0.3
    temperature: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class CardExamples:
    """What a card is learnt from.

    names: of the features. values: float64 [n_pages, n_features]. words: channel -> one set a page. answers: n_pages
    classes. group: int32 [n_pages], the site. weight: float64 [n_pages]. is_typical: bool [n_pages], pages that
    have the types as often as pages to come have them; None: all.
    """

    names: list[str]
    values: Floats
    words: dict[str, list[set[str]]]
    answers: NDArray[np.str_]
    group: Rows
    weight: Floats
    is_typical: Mask | None = None

    def take(self, rows: Sequence[int]) -> CardExamples:
        """Some of the pages."""
        return CardExamples(
            self.names,
            self.values[rows],
            {channel: [sets[row] for row in rows] for channel, sets in self.words.items()},
            self.answers[rows],
            self.group[rows],
            self.weight[rows],
            None if self.is_typical is None else self.is_typical[rows],
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Thresholds of all features: edges and centres of each; matrix: float64 [n_pages, n_edges], centred."""

    edges: list[Floats]
    centres: list[Floats]
    matrix: Floats


def learn_type_card(examples: CardExamples, settings: CardSettings) -> Card:
    """Learn a card from pages. Raises `InputError` for fewer than two types."""
    types = sorted(set(examples.answers.tolist()))
    if len(types) < 2:
        found = f"all are {types[0]}" if types else "there are none"
        raise InputError(f"a page-type card is learnt from pages of two types at least, each on several sites: {found}")
    steps = _encode_steps(examples.values, settings.n_bins)
    candidates = _list_words(examples, settings.min_groups)
    spoken = _encode_words(examples, candidates)
    chosen = _choose_words(steps.matrix, spoken, examples, settings)
    words = [candidates[i] for i in chosen]
    matrix, weights = np.hstack([steps.matrix, spoken[:, chosen]]), [examples.weight]
    sources = [
        "url" if name.startswith(("url_", "slug_")) else "page"
        for name, edges in zip(examples.names, steps.edges, strict=True)
        for _ in edges
    ]
    sources += [channel for channel, _ in words]
    copies = [matrix]
    for weight, hidden in (
        (settings.without_url, _URL),
        (settings.without_markup, _MARKUP),
        (settings.without_words, _WORDS),
    ):
        # each copy hides some sources: the card then has other lines to stand on where pages lack them
        if weight:
            copies.append(np.where([source in hidden for source in sources], 0.0, matrix))
            weights.append(weight * examples.weight)
    answers = np.tile(examples.answers, len(copies))
    model = _fit(np.vstack(copies), answers, np.concatenate(weights), settings)
    return _write_card(model, _compare_shares(examples), steps, words, examples.names, settings)


def _fit(matrix: Floats, answers: NDArray[np.str_], weights: Floats, settings: CardSettings) -> Any:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  only learning needs it

    return LogisticRegression(C=settings.strength, max_iter=300).fit(matrix, answers, sample_weight=weights)


def _compare_shares(examples: CardExamples) -> dict[str, float]:
    """Class -> log of its share among the typical pages over its share among all; 0 for one that these do not have.

    Added to the bias of a card that was learnt from all pages, it makes it that of pages like the typical ones: more
    articles in learning tell better what an article looks like, not that there are more of them (Saerens, Latinne and
    Decaestecker, 2002, 2.2).
    """
    if examples.is_typical is None or not examples.is_typical.any():
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
    if not len(known):
        return np.zeros(0)
    rest = known[known > known.min()]
    # a value that fills a bin of its own would be all quantiles of the others
    parted = len(rest) <= (1 - 1 / n_bins) * len(known)
    if not len(rest):
        return np.zeros(0)
    shares = np.linspace(0, 1, n_bins)[:-1] if parted else np.linspace(0, 1, n_bins + 1)[1:-1]
    cuts = np.quantile(rest if parted else known, shares, method="higher")
    edges = np.array(sorted({float(f"{cut:.3g}") for cut in cuts}))
    return np.asarray(edges[(known.min() < edges) & (edges <= known.max())])


def _encode_steps(values: Floats, n_bins: int) -> _Steps:
    """Centred thresholds, 0 where the value is missing."""
    parts, centres, edges = [np.zeros((len(values), 0))], [], [find_type_edges(column, n_bins) for column in values.T]
    for column, own in zip(values.T, edges, strict=True):
        known = ~np.isnan(column)
        above = (column[:, None] >= own).astype(np.float64)
        # a feature that is missing then says nothing, not what the mean page says
        centre = above[known].mean(axis=0) if known.any() else np.zeros(len(own))
        parts.append(np.where(known[:, None], above - centre, 0.0))
        centres.append(centre)
    return _Steps(edges, centres, np.hstack(parts))


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


def _encode_words(examples: CardExamples, words: Sequence[Word]) -> Floats:
    """float64 [n_pages, n_words]: 1 where the page has the word."""
    columns = [[word in has for has in examples.words[channel]] for channel, word in words]
    return np.array(columns, dtype=np.float64).reshape(len(words), len(examples.answers)).T


def _choose_words(steps: Floats, spoken: Floats, examples: CardExamples, settings: CardSettings) -> NDArray[np.int64]:
    """Columns of the words to keep, in their order."""
    weight = examples.weight / examples.weight.mean()
    labels, classes = np.unique(examples.answers, return_inverse=True)
    truth = np.eye(len(labels))[classes]
    centred = weight[:, None] * (spoken - np.average(spoken, axis=0, weights=weight))
    spread = np.maximum(1e-9, (centred**2).sum(axis=0))
    chance = np.tile(np.average(truth, axis=0, weights=weight), (len(truth), 1))
    chosen: list[int] = []
    n = min(settings.n_words, spoken.shape[1])
    while len(chosen) < n:
        # a class that is certain everywhere would divide by nothing
        doubt = np.average(chance * (1 - chance), axis=0, weights=weight) + 0.01
        surprise = ((centred.T @ (truth - chance)) ** 2 / doubt).sum(axis=1) / spread
        # never twice
        surprise[chosen] = -1
        chosen += np.argsort(-surprise, kind="stable")[: min(settings.n_at_once, n - len(chosen))].tolist()
        if len(chosen) < n:
            matrix = np.hstack([steps, spoken[:, chosen]])
            chance = _fit(matrix, examples.answers, examples.weight, settings).predict_proba(matrix)
    return np.sort(np.array(chosen, dtype=np.int64))


def _read_weights(model: Any) -> tuple[Floats, Floats]:
    """[n_classes, n_columns] and [n_classes]; for two classes scikit-learn has one row, the odds of the second."""
    weights, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        return np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return weights, bias


def _write_card(
    model: Any,
    shares: dict[str, float],
    steps: _Steps,
    words: Sequence[Word],
    names: Sequence[str],
    settings: CardSettings,
) -> Card:
    """Weights of thresholds and words -> points of bins and words, rounded. shares: see `_compare_shares`."""
    labels: list[str] = model.classes_.tolist()
    weights_of, bias_of = _read_weights(model)
    lines: dict[str, Line] = {}
    at = 0
    for name, edges, centre in zip(names, steps.edges, steps.centres, strict=True):
        weights = weights_of[:, at : at + len(edges)]
        at += len(edges)
        bins = np.cumsum(np.hstack([-(weights @ centre)[:, None], weights]), axis=1).round(2)
        points = {
            label: tuple((row + 0.0).tolist())
            for label, row in zip(labels, bins, strict=True)
            if np.abs(row).max() >= settings.min_line
        }
        if len(edges) and points:
            lines[name] = Bins(below=tuple(edges.tolist()), points=points)
    spoken: dict[str, dict[str, Points]] = {channel: {} for channel in CHANNELS}
    for (channel, word), weights in zip(words, weights_of[:, at:].T, strict=True):
        rounded = [round(settings.grain * round(float(w) / settings.grain), 4) for w in weights]
        given = {label: p for label, w, p in zip(labels, weights, rounded, strict=True) if abs(w) >= settings.min_word}
        if given:
            spoken[channel][word] = given
    bias = {label: round(b + shares.get(label, 0.0), 2) for label, b in zip(labels, bias_of.tolist(), strict=True)}
    return Card(bias=bias, lines=lines, words=spoken, temperature=settings.temperature)
