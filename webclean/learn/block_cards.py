"""Material -> the cards of blocks, and the points that they give to pages which they have not seen.

Four cards are learnt:

- the score card from the first corpus, which has every page type;
- the article card from the articles of all corpora;
- the plain card, without names and landmarks, from the pages of running text that the score card is learnt from;
- the second card from the surroundings in the mixture of both, on all pages.

The score card and the points of words are learnt from the first corpus alone: with the words of further articles, or
the threads of a further corpus, product pages lose more than the others gain.

What a later card learns from, an earlier one must not have seen. So the learning pages are parted in two by site: the
points that the second card learns from are those that cards of the other part gave, and the same holds of word points.
Pages that are held out have no part in anything.

    learning pages   part 0                 part 1                 held out
    word points      from part 1            from part 0            from both
    first points     by cards of part 1     by cards of part 0     by cards of both
    second card      learns here            and here               gives points here
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from webclean.decide import ARTICLE, interpolate_article_share
from webclean.decide.passes import SURROUNDINGS_FEATURES, measure_surroundings
from webclean.features import BLOCK_FEATURES
from webclean.learn.additive import AdditiveModel, AdditiveOptions, fit_additive, simplify_model
from webclean.learn.material import (
    N_PARTS,
    OTHER_FEATURES,
    WORD_FEATURES,
    Material,
    Report,
    WordTables,
    part_pages,
)
from webclean.model import Floats, Mask
from webclean.rules import load_rules
from webclean.rules.decide_schema import ArticlePages, Cut, Passes


def _list_features(card: str) -> tuple[str, ...]:
    """The features that a card may learn, in the order of the tables."""
    return tuple(name for name in (*OTHER_FEATURES, *WORD_FEATURES) if card in BLOCK_FEATURES[name].learn)


SCORE_FEATURES: Final = _list_features("score_card")
ARTICLE_FEATURES: Final = _list_features("article_card")
PLAIN_FEATURES: Final = _list_features("plain_card")
AROUND: Final = SURROUNDINGS_FEATURES.list_learnt("second_card")


@dataclass(frozen=True, slots=True)
class CardOptions:
    """How the cards are fitted and simplified.

    plain_types: page types that the plain card is learnt from, since pages without telling names are mostly running
    text. tolerance: neighbouring bins that differ by less are merged. article_pages, passes, cut: how points are
    mixed and become what is kept.
    """

    first: AdditiveOptions = field(default_factory=lambda: AdditiveOptions(n_bins=10, f1_share=0.9))
    second: AdditiveOptions = field(default_factory=lambda: AdditiveOptions(n_bins=10, f1_share=0.9))
    plain: AdditiveOptions = field(
        default_factory=lambda: AdditiveOptions(n_bins=8, smooth=1.0, f1_share=0.7, max_rounds=100)
    )
    plain_types: tuple[str, ...] = ("article", "documentation", "service", "forum")
    tolerance: float = 0.03
    article_pages: ArticlePages = field(default_factory=lambda: load_rules().article_pages)
    passes: Passes = field(default_factory=lambda: load_rules().passes)
    cut: Cut = field(default_factory=lambda: load_rules().cut)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What the cards of the first pass read. rows: float32 [n_blocks, n_features], names: of its columns. types:
    float64 [n_pages, n_kinds], how likely a page is of each."""

    rows: Floats
    names: tuple[str, ...]
    types: Floats

    def choose(self, names: tuple[str, ...]) -> Floats:
        """float32 [n_blocks, n_names]: the columns of a card."""
        return self.rows[:, [self.names.index(name) for name in names]]


@dataclass(frozen=True, slots=True, eq=False)
class BlockCards:
    """The fitted cards, the table they were fitted on, and the points of all blocks: float64 [n_blocks].

    first, second: by pass; on learning pages those of `first` are by cards of the other part.
    """

    table: Table
    score_card: AdditiveModel
    article_card: AdditiveModel | None
    plain_card: AdditiveModel
    second_card: AdditiveModel
    first: Floats
    second: Floats

    def average(self, passes: Passes) -> Floats:
        """float64 [n_blocks]: the points of both passes, mixed."""
        return (1 - passes.second) * self.first + passes.second * self.second


def measure_blocks(material: Material, words: WordTables, learnt: Mask, types: Floats) -> Table:
    """The features of all blocks, by word points from the pages `learnt` alone."""
    return Table(np.concatenate([material.base, words.measure(learnt)], axis=1), material.names, types)


def learn_block_cards(
    material: Material, table: Table, learnt: Mask, usable: Mask, options: CardOptions, say: Report
) -> BlockCards:
    """Fit all cards.

    learnt: bool [n_pages], the pages to learn from; usable: bool [n_blocks], without what corpora disagree on.
    """
    on_all = learnt & material.is_first
    on_articles = learnt & material.is_article
    learn = partial(_learn_first, material, usable=usable & (material.weight > 0), options=options)
    score_card, points = learn(table.choose(SCORE_FEATURES), on_all, table.types)
    article_card = None
    if on_articles.any() and len(np.unique(part_pages(material.fold)[on_articles])) == N_PARTS:
        article_card, of_articles = learn(table.choose(ARTICLE_FEATURES), on_articles, None)
        share = compute_article_shares(material, table, options)[material.page]
        points = share * of_articles + (1 - share) * points
    plain_card = _fit(
        material,
        table.choose(PLAIN_FEATURES),
        _find_plain(material, on_all, options) & usable & (material.weight > 0),
        options.plain,
        options.tolerance,
        None,
    )
    around = measure_all_surroundings(material, points)
    rows = learnt[material.page] & usable & (material.weight > 0)
    second_card = _fit(material, around, rows, options.second, options.tolerance, None)
    say(f"cards learnt from {np.count_nonzero(learnt)} pages")
    return BlockCards(table, score_card, article_card, plain_card, second_card, points, second_card.score(around))


def _find_plain(material: Material, learnt: Mask, options: CardOptions) -> Mask:
    """bool [n_blocks]: of the pages that the plain card is learnt from."""
    kinds = learnt & np.array([page.page_type in options.plain_types for page in material.pages], dtype=bool)
    found: Mask = (kinds if kinds.any() else learnt)[material.page]
    return found


def compute_article_shares(material: Material, table: Table, options: CardOptions) -> Floats:
    """float64 [n_pages]: the share of the article card."""
    if ARTICLE not in material.kinds:
        return np.zeros(len(material.pages))
    likely: Floats = table.types[:, material.kinds.index(ARTICLE)]
    return interpolate_article_share(likely, options.article_pages)


def _learn_first(
    material: Material,
    table: Floats,
    learnt: Mask,
    types: Floats | None,
    *,
    usable: Mask,
    options: CardOptions,
) -> tuple[AdditiveModel, Floats]:
    """A first card from the chosen pages, and the points of all blocks: on its own pages by the other part's card."""
    fit = partial(_fit, material, table, options=options.first, tolerance=options.tolerance, types=types)
    shares = None if types is None else types[material.page]
    card = fit(rows=learnt[material.page] & usable)
    points = card.score(table, shares)
    part = part_pages(material.fold)
    for number in range(N_PARTS):
        other = learnt & (part != number)
        own = (learnt & (part == number))[material.page]
        if other.any() and own.any():
            by_other = fit(rows=other[material.page] & usable)
            points[own] = by_other.score(table[own], None if shares is None else shares[own])
    return card, points


def _fit(
    material: Material,
    table: Floats,
    rows: Mask,
    options: AdditiveOptions,
    tolerance: float,
    types: Floats | None,
) -> AdditiveModel:
    """A card from the chosen blocks."""
    page = material.page[rows]
    model = fit_additive(
        table[rows],
        material.label[rows],
        material.weight[rows],
        options,
        groups=page,
        shares=None if types is None else types[page],
    )
    return simplify_model(model, tolerance)


def measure_all_surroundings(material: Material, first: Floats) -> Floats:
    """float64 [n_blocks, n_features]: what the second card reads."""
    return np.concatenate(
        [
            measure_surroundings(columns, first[material.rows_of(page)], AROUND).T
            for page, columns in enumerate(material.columns)
        ]
    )
