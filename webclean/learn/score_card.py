"""`webclean learn scorecard`: labelled pages -> `score_card`, `second_card`, `word_points` as YAML, and their worth.

Every figure is from cross-validation grouped by registered domain. The second card is fitted on first-pass points of
pages that the first card had not seen. The cards written at the end are fitted on all pages in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from webclean.corpora.dataset import LabelledPage
from webclean.decide.cut import sigmoid
from webclean.decide.passes import SURROUNDINGS_FEATURES, measure_surroundings
from webclean.features import BLOCK_FEATURES
from webclean.learn.additive import AdditiveModel, AdditiveOptions, fit_additive, simplify_model
from webclean.learn.calibration import (
    cross_fit_confidence,
    fit_confidence,
    format_reliability,
    write_confidence,
)
from webclean.learn.card_report import (
    format_gains,
    format_halves,
    format_languages,
    format_losses,
    format_scores,
    format_snippets,
    format_worst,
    measure_losses,
)
from webclean.learn.card_text import read_model, write_cards, write_word_points
from webclean.learn.material import (
    N_FOLDS,
    Material,
    Report,
    WordPointTables,
    build_material,
)
from webclean.learn.page_scores import score_pages
from webclean.model import Floats, Mask
from webclean.rules import load_rules
from webclean.rules.decide_schema import Cut, Passes


@dataclass(frozen=True, slots=True)
class CardOptions:
    """How the cards are fitted and simplified.

    plain_types: page types that the plain card is learnt from, since pages without telling names are mostly running
    text. tolerance: neighbouring bins that differ by less are merged. passes, cut: how points become what is kept.
    """

    first: AdditiveOptions = field(default_factory=lambda: AdditiveOptions(n_bins=10, f1_share=0.9))
    second: AdditiveOptions = field(default_factory=lambda: AdditiveOptions(n_bins=10, f1_share=0.9))
    tolerance: float = 0.03
    passes: Passes = field(default_factory=lambda: load_rules().passes)
    plain: AdditiveOptions = field(
        default_factory=lambda: AdditiveOptions(n_bins=8, smooth=1.0, f1_share=0.7, max_rounds=100)
    )
    plain_types: tuple[str, ...] = ("article", "documentation", "service", "forum")
    cut: Cut = field(default_factory=lambda: load_rules().cut)


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation:
    """Out-of-fold points of every block after each pass: float64 [n_blocks].

    gain: float64 [n_features], the mean soft F1 that is lost when a feature of the first card is silent.
    """

    first: Floats
    second: Floats
    gain: Floats


def choose_columns(material: Material, card: str) -> tuple[tuple[str, ...], list[int]]:
    """The names of the features that a card may learn and their columns in the tables."""
    chosen = [i for i, name in enumerate(material.names) if card in BLOCK_FEATURES[name].learn]
    return tuple(material.names[i] for i in chosen), chosen


def cross_validate(material: Material, tables: WordPointTables, options: CardOptions, say: Report) -> CrossValidation:
    """Points that no page's own site had a part in."""
    first = np.zeros(len(material.label))
    names, chosen = choose_columns(material, "score_card")
    gain, shares = np.zeros(len(names)), material.types[material.page]
    for fold in range(N_FOLDS):
        table = np.concatenate([material.base, tables.measure(fold)], axis=1)[:, chosen]
        train = material.block_fold != fold
        model = fit_first(material, table, train, options)
        first[~train] = model.score(table[~train], shares[~train])
        gain += measure_gains(material, model, table[~train], ~train) / len(material.pages)
        say(f"first card without fold {fold}")
    around = measure_all_surroundings(material, first)
    second = np.zeros(len(first))
    for fold in range(N_FOLDS):
        train = material.block_fold != fold
        second[~train] = fit_second(material, around, train, options).score(around[~train])
        say(f"second card without fold {fold}")
    return CrossValidation(first, second, gain)


def learn_score_card(
    pages: Sequence[LabelledPage], folder: Path | None, say: Report, *, min_sites: int = 4, n_worst: int = 20
) -> str:
    """Cross-validate, write the rules when a folder is given, and report the scores as text."""
    material = build_material(pages, say)
    tables = WordPointTables(material, say, min_sites)
    options = CardOptions()
    found = cross_validate(material, tables, options, say)
    share = options.passes.second
    both = (1 - share) * found.first + share * found.second
    lines = []
    for name, points in (("first pass", found.first), ("second pass", found.second), ("both passes", both)):
        scores = score_pages(material, points, options.cut)
        lines += [format_scores(material, scores, name), f"{'':22s} {format_halves(material, scores)}"]
    confidence = cross_fit_confidence(scores.expected, scores.f1, material.fold)
    losses = measure_losses(material, scores)
    lines += [
        format_snippets(material, scores),
        format_reliability(confidence, scores.f1),
        format_languages(material, scores),
        format_losses(losses),
        format_worst(pages, scores, losses, n_worst),
        format_gains(choose_columns(material, "score_card")[0], found.gain),
    ]
    if folder is not None:
        text = write_confidence(fit_confidence(scores.expected, scores.f1))
        (folder / "confidence.yaml").write_text(text, encoding="utf-8")
        lines += [f"wrote {file}" for file in write_rule_files(material, tables, found.first, folder, options)]
    return "\n".join(lines)


def measure_gains(material: Material, model: AdditiveModel, table: Floats, rows: Mask) -> Floats:
    """float64 [n_columns]: soft F1, summed over pages, that the chosen blocks lose when a column is silent."""
    page, label, weight = material.page[rows], material.label[rows], material.weight[rows]
    shares = material.types[page]
    n_pages = len(material.pages)
    wanted = np.bincount(page, weight * label, n_pages)

    def sum_f1(points: Floats) -> float:
        chance = weight * sigmoid(points)
        hits = np.bincount(page, chance * label, n_pages)
        return float(np.sum(2 * hits / (np.bincount(page, chance, n_pages) + wanted + 1e-3)))

    points = model.score(table, shares)
    full = sum_f1(points)
    gains = []
    for column in range(len(model.edges)):
        own = model.score_column(table, column, shares)
        gains.append(full - sum_f1(points - own + np.average(own, weights=weight)))
    return np.array(gains)


def fit_first(material: Material, table: Floats, train: Mask, options: CardOptions) -> AdditiveModel:
    """The first card from the chosen blocks."""
    model = fit_additive(
        table[train],
        material.label[train],
        material.weight[train],
        options.first,
        groups=material.page[train],
        shares=material.types[material.page[train]],
    )
    return simplify_model(model, options.tolerance)


def fit_second(material: Material, around: Floats, train: Mask, options: CardOptions) -> AdditiveModel:
    """The second card from the chosen blocks."""
    model = fit_additive(
        around[train], material.label[train], material.weight[train], options.second, groups=material.page[train]
    )
    return simplify_model(model, options.tolerance)


def fit_plain(material: Material, train: Mask, options: CardOptions) -> tuple[tuple[str, ...], AdditiveModel]:
    """The card for pages without telling names: its features and its points."""
    names, chosen = choose_columns(material, "plain_card")
    kinds = np.array([page.page_type in options.plain_types for page in material.pages], dtype=bool)
    rows = train & kinds[material.page] if kinds.any() else train
    model = fit_additive(
        material.base[rows][:, chosen],
        material.label[rows],
        material.weight[rows],
        options.plain,
        groups=material.page[rows],
    )
    return names, simplify_model(model, options.tolerance)


def measure_all_surroundings(material: Material, first: Floats) -> Floats:
    """float64 [n_blocks, n_features]."""
    names = SURROUNDINGS_FEATURES.list_learnt("second_card")
    return np.concatenate(
        [
            measure_surroundings(columns, first[material.rows_of(page)], names).T
            for page, columns in enumerate(material.columns)
        ]
    )


def write_rule_files(
    material: Material,
    tables: WordPointTables,
    first: Floats,
    folder: Path,
    options: CardOptions,
    held_out: int | None = None,
) -> tuple[Path, ...]:
    """Fit on all pages and write `score_card.yaml`, `second_card.yaml`, `plain_card.yaml`, `word_points.yaml`.

    first: out-of-fold points of the first pass, which the second card learns from. held_out: a fold to leave out.
    """
    names, chosen = choose_columns(material, "score_card")
    train = np.ones(len(first), dtype=bool) if held_out is None else material.block_fold != held_out
    table = np.concatenate([material.base, tables.measure(held_out)], axis=1)[:, chosen]
    first_card = fit_first(material, table, train, options)
    second_card = fit_second(material, measure_all_surroundings(material, first), train, options)
    plain_names, plain_card = fit_plain(material, train, options)
    word_points = tables.learn(frozenset(() if held_out is None else (held_out,)))
    around = SURROUNDINGS_FEATURES.list_learnt("second_card")
    cards = (
        ("score_card", read_model(names, first_card, material.kinds), _FIRST_HEAD, BLOCK_FEATURES),
        ("second_card", read_model(around, second_card), _SECOND_HEAD, SURROUNDINGS_FEATURES),
        ("plain_card", read_model(plain_names, plain_card), _PLAIN_HEAD, BLOCK_FEATURES),
    )
    made = {f"{name}.yaml": write_cards([((name,), card, known)], head, [name]) for name, card, head, known in cards}
    made["word_points.yaml"] = write_word_points(word_points, _WORD_POINTS_HEAD)
    for file, text in made.items():
        (folder / file).write_text(text, encoding="utf-8")
    return tuple(folder / file for file in made)


_FIRST_HEAD: Final = """\
First pass: points of each text block by its features. The sum is the logarithm of the odds that it is main content.
by_type: points that are added as far as the page is of a type, where the types differ most.
Learnt by `webclean learn scorecard`."""
_PLAIN_HEAD: Final = """\
Pages whose class and id names say little, as on pages laid out with tables: no names, no landmarks.
Learnt by `webclean learn scorecard` from pages of running text."""
_SECOND_HEAD: Final = """\
Second pass: the block is scored again by what the first pass gave to it and to its surroundings.
Learnt by `webclean learn scorecard`."""
_WORD_POINTS_HEAD: Final = """\
What single words say about the text they stand on (points, whole words only). Learnt by `webclean learn scorecard`.
names: class, id, role and itemprop values around the text, and tags; words: of short texts; headings: of the heading
above. To change one word, use `word_points: {changes: {names: {word: points}}}`."""
