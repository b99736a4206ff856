"""Labelled pages -> the page-type card and the patent's tree, as YAML, with their cross-validated scores.

The card is a multinomial logistic regression over thresholds (`value >= edge`) of every piece of evidence and over the
words of largest information gain; the points of a bin are the sum of the thresholds it is above, centred so that
evidence that says nothing adds nothing. The tree is ID3 over the 13 attributes. Everything that is chosen (edges,
words, points) is chosen inside the training folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.classify.attributes import ATTRIBUTES, measure_attributes
from webclean.classify.card import compile_card, sum_points
from webclean.classify.evidence import CHANNELS, EVIDENCE, PageMaterial, find_words, measure_page
from webclean.learn.dataset import LabelledPage, group_pages, make_folds
from webclean.learn.tree import TreeSettings, entropy, learn_tree
from webclean.model import Floats, Mask, PageType, Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import RuleSet
from webclean.rules.decision_tree import TreeNode, walk_tree
from webclean.rules.page_type_schema import PageCard, PageLine

NOT_LEARNT: Final = ("password_count", "repeat_group_count")
"""Evidence that only the hand-written labels ask for."""


@dataclass(frozen=True, slots=True)
class CardSettings:
    """How a card is learnt.

    n_words: words kept, by information gain. min_groups: sites a word must appear on. n_bins: of each piece of
    evidence, at quantiles. strength: inverse of the L2 penalty. min_points: smaller points are written as none.
    without_url: weight of a second copy of every page whose address is hidden, so that the card does not lean on it.
    temperature: of the softmax; the penalty makes the sums too timid, and this makes probabilities frequencies again.
    """

    n_words: int = 400
    min_groups: int = 8
    n_bins: int = 5
    strength: float = 0.1
    min_points: float = 0.04
    without_url: float = 0.3
    temperature: float = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Labelled pages as numbers.

    ids, subtypes: n_pages strings. names: of the evidence. values: float64 [n_pages, n_evidence]. words: channel ->
    one set a page. attributes: float64 [n_pages, 13]. n_words: words of each page. group, fold: int32 [n_pages].
    """

    ids: list[str]
    subtypes: list[str]
    names: list[str]
    values: Floats
    words: dict[str, list[set[str]]]
    attributes: Floats
    n_words: Rows
    group: Rows
    fold: Rows


@dataclass(slots=True)
class _Growing:
    values: list[Floats] = field(default_factory=list)
    words: dict[str, list[set[str]]] = field(default_factory=lambda: {name: [] for name in CHANNELS})
    attributes: list[list[float]] = field(default_factory=list)
    n_words: list[int] = field(default_factory=list)


def collect_examples(pages: Iterable[LabelledPage], rules: RuleSet) -> Examples:
    """Measure everything that can be told of each page."""
    pages, grown = list(pages), _Growing()
    names = [name for name in EVIDENCE if name not in NOT_LEARNT]
    for page in pages:
        columns = build_columns(parse_page(page.html, url=page.url))
        material = PageMaterial(columns, rules.page_type)
        grown.values.append(measure_page(material, names))
        for channel, sets in grown.words.items():
            sets.append(find_words(material, channel))
        grown.attributes.append(list(measure_attributes(columns, rules).values()))
        grown.n_words.append(int(columns.blocks.n_words.sum()))
    group, subtypes = group_pages(pages), [page.page_type for page in pages]
    return Examples(
        [page.id for page in pages],
        subtypes,
        names,
        np.array(grown.values).reshape(len(pages), len(names)),
        grown.words,
        np.array(grown.attributes, dtype=np.float64),
        np.array(grown.n_words, dtype=np.int32),
        group,
        make_folds(group, subtypes),
    )


def learn_card(examples: Examples, rows: Mask, settings: CardSettings = CardSettings()) -> PageCard:
    """Learn a card from the chosen pages."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  only learning needs it

    chosen = np.flatnonzero(rows)
    values = examples.values[chosen]
    edges = [find_edges(values[:, i], settings.n_bins) for i in range(values.shape[1])]
    steps, centres = _encode_steps(values, edges)
    words = choose_words(examples, chosen, settings)
    spoken = _encode_words(examples, chosen, words)
    matrix, weights = np.hstack([steps, spoken]), np.ones(len(chosen))
    answers = np.array([examples.subtypes[i] for i in chosen])
    if settings.without_url:
        hidden = _hide_url(matrix, examples.names, edges, words)
        matrix, answers = np.vstack([matrix, hidden]), np.concatenate([answers, answers])
        weights = np.concatenate([weights, np.full(len(chosen), settings.without_url)])
    model = LogisticRegression(C=settings.strength, max_iter=500).fit(matrix, answers, sample_weight=weights)
    return _write_card(
        model.classes_.tolist(), model.intercept_, model.coef_, edges, centres, words, examples, settings
    )


def find_edges(values: Floats, n_bins: int) -> list[float]:
    """Edges at the quantiles of one column, to three significant digits, without those that part nothing."""
    known = values[~np.isnan(values)]
    if not len(known):
        return []
    cuts = np.quantile(known, np.linspace(0, 1, n_bins + 1)[1:-1], method="higher")
    edges = sorted({float(f"{cut:.3g}") for cut in cuts})
    return [edge for edge in edges if known.min() < edge <= known.max()]


def _encode_steps(values: Floats, edges: list[list[float]]) -> tuple[Floats, list[Floats]]:
    """Centred thresholds, float64 [n, sum of edges], 0 where the value is missing; the centre of each column."""
    parts, centres = [np.zeros((len(values), 0))], []
    for i, column_edges in enumerate(edges):
        column = values[:, i]
        known = ~np.isnan(column)
        above = (column[:, None] >= np.array(column_edges)[None, :]).astype(np.float64)
        centre = above[known].mean(axis=0) if known.any() else np.zeros(len(column_edges))
        parts.append(np.where(known[:, None], above - centre, 0.0))
        centres.append(centre)
    return np.hstack(parts), centres


def choose_words(examples: Examples, rows: Rows | np.ndarray, settings: CardSettings) -> list[tuple[str, str]]:
    """(channel, word) of the largest information gain about the subtype, among words of enough sites."""
    labels, classes = np.unique([examples.subtypes[i] for i in rows], return_inverse=True)
    total = np.bincount(classes, minlength=len(labels)).astype(np.float64)
    candidates, counts = [], []
    for channel, sets in examples.words.items():
        seen: dict[str, list[int]] = {}
        for number, i in enumerate(rows.tolist()):
            for word in sets[i]:
                seen.setdefault(word, []).append(number)
        for word in sorted(seen):
            numbers = seen[word]
            if len(numbers) < settings.min_groups:
                continue
            if len(np.unique(examples.group[rows[numbers]])) >= settings.min_groups:
                candidates.append((channel, word))
                counts.append(np.bincount(classes[numbers], minlength=len(labels)))
    with_word = np.array(counts, dtype=np.float64).reshape(len(candidates), len(labels))
    share = with_word.sum(axis=1) / max(1.0, total.sum())
    gains = entropy(total) - share * entropy(with_word) - (1 - share) * entropy(total - with_word)
    best = np.argsort(-gains, kind="stable")[: settings.n_words]
    return sorted(candidates[i] for i in best)


def _encode_words(examples: Examples, rows: np.ndarray, words: list[tuple[str, str]]) -> Floats:
    """float64 [n, n_words]: 1 where the page has the word."""
    sets = {channel: [examples.words[channel][i] for i in rows.tolist()] for channel in CHANNELS}
    columns = [[word in has for has in sets[channel]] for channel, word in words]
    return np.array(columns, dtype=np.float64).reshape(len(words), len(rows)).T


def _hide_url(matrix: Floats, names: list[str], edges: list[list[float]], words: list[tuple[str, str]]) -> Floats:
    """The same pages with an unknown address: its evidence and words say nothing."""
    hidden, at = matrix.copy(), 0
    for name, column_edges in zip(names, edges, strict=True):
        if name.startswith(("url_", "slug_")):
            hidden[:, at : at + len(column_edges)] = 0
        at += len(column_edges)
    for i, (channel, _) in enumerate(words):
        if channel == "url":
            hidden[:, at + i] = 0
    return hidden


def _write_card(
    labels: list[str],
    intercept: Floats,
    weights: Floats,
    edges: list[list[float]],
    centres: list[Floats],
    words: list[tuple[str, str]],
    examples: Examples,
    settings: CardSettings,
) -> PageCard:
    """Weights of thresholds and words -> points of bins and words, rounded."""

    def give(points: Floats) -> dict[str, float]:
        return {
            label: round(float(p), 2) for label, p in zip(labels, points, strict=True) if abs(p) >= settings.min_points
        }

    lines: dict[str, tuple[PageLine, ...]] = {}
    at = 0
    for name, column_edges, centre in zip(examples.names, edges, centres, strict=True):
        steps = weights[:, at : at + len(column_edges)]
        at += len(column_edges)
        if not column_edges:
            continue
        bins = np.cumsum(np.hstack([-(steps @ centre)[:, None], steps]), axis=1)
        below = [*column_edges, None]
        made = tuple(PageLine(below=edge, points=give(bins[:, i])) for i, edge in enumerate(below))
        if any(line.points for line in made):
            lines[name] = made
    spoken: dict[str, dict[str, dict[str, float]]] = {channel: {} for channel in CHANNELS}
    for (channel, word), points in zip(words, weights[:, at:].T, strict=True):
        if given := give(points):
            spoken[channel][word] = given
    bias = {label: round(float(b), 2) for label, b in zip(labels, intercept, strict=True)}
    return PageCard(bias=bias, lines=lines, words=spoken, temperature=settings.temperature)


def predict_card(card: PageCard, examples: Examples, rows: Mask) -> Floats:
    """float64 [n chosen, n_classes]: probabilities, in the order of the card's bias, by the card's own arithmetic."""
    compiled = compile_card(card)
    order = [examples.names.index(name) for name in compiled.evidence]
    out = []
    for i in np.flatnonzero(rows).tolist():
        found = {c: [w for w in known if w in examples.words[c][i]] for c, known in compiled.words.items()}
        out.append(sum_points(compiled, examples.values[i, order], found).probabilities)
    return np.array(out).reshape(-1, len(compiled.classes))


def predict_out_of_fold(examples: Examples, settings: CardSettings = CardSettings()) -> tuple[list[str], Floats]:
    """Class names, and float64 [n_pages, n_classes]: probabilities by the card that has not seen the page's site."""
    labels = sorted(set(examples.subtypes))
    probabilities = np.zeros((len(examples.ids), len(labels)))
    for number in range(int(examples.fold.max()) + 1):
        held_out = examples.fold == number
        card = learn_card(examples, ~held_out, settings)
        found = predict_card(card, examples, held_out)
        for column, label in enumerate(card.bias):
            probabilities[held_out, labels.index(label)] = found[:, column]
    return labels, probabilities


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
    """ID3 over the 13 attributes."""
    settings = settings or TreeSettings(max_depth=6, min_leaf=10, confidence=0.1)
    chosen = np.flatnonzero(rows).tolist()
    return learn_tree(examples.attributes[chosen], [answers[i] for i in chosen], list(ATTRIBUTES), settings)


def predict_tree(tree: TreeNode, examples: Examples, rows: Mask) -> list[str]:
    """The tree's answer for each chosen page."""
    names = list(ATTRIBUTES)
    return [
        str(walk_tree(tree, dict(zip(names, values, strict=True)).__getitem__)[0].answer)
        for values in examples.attributes[np.flatnonzero(rows)].tolist()
    ]


def predict_tree_out_of_fold(
    examples: Examples, answers: Sequence[str], settings: TreeSettings | None = None
) -> list[str]:
    """The answer for each page by the tree that has not seen its site."""
    said = [""] * len(examples.ids)
    for number in range(int(examples.fold.max()) + 1):
        held_out = examples.fold == number
        tree = learn_patent_tree(examples, ~held_out, answers, settings)
        for i, answer in zip(np.flatnonzero(held_out).tolist(), predict_tree(tree, examples, held_out), strict=True):
            said[i] = answer
    return said
