"""`webclean learn scorecard`: labelled pages of one or several corpora -> the cards of blocks, and what they are worth.

`CARDS` declares what is learnt; points of words besides (`laboratory.block_material`). The score card and the points of
words are learnt from the first corpus alone: with the words of further articles, or the threads of a further corpus,
product pages lose more than the others gain.

What a later card learns from, an earlier one must not have seen. So the learning pages are parted in two by site: the
points that the second card learns from are those that cards of the other part gave, and the same holds of word points.
Pages that are held out have no part in anything.

    learning pages   part 0                 part 1                 held out
    word points      from part 1            from part 0            from both
    first points     by cards of part 1     by cards of part 0     by cards of both
    second card      learns here            and here               gives points here

Every figure is of pages that had no part in what is scored: first of sites that were held out (five folds by registered
domain), then of whole corpora that were left out, which is the figure that counts: pages of a corpus are alike in more
than their sites. The cards written at the end are learnt from all pages in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.decide import (
    ARTICLE,
    SURROUNDINGS_FEATURES,
    interpolate_article_share,
    measure_surroundings,
    sigmoid,
)
from webclean.features import BLOCK_FEATURES
from webclean.features.cards import Registry
from webclean.laboratory import block_report as report
from webclean.laboratory.block_material import N_PARTS, Material, WordTables, build_material, find_disputed
from webclean.laboratory.fitting import AdditiveModel, AdditiveOptions, fit_additive, simplify_model
from webclean.laboratory.harness import N_FOLDS, Learnt, Say, read_model, start_clock, write_cards, write_word_points
from webclean.model import Floats, Mask
from webclean.rules import RuleSet
from webclean.rules.page_schema import WordPoints
from webclean.workbench.labelled_pages import LabelledPage

_TOLERANCE: Final = 0.03
"""Neighbouring bins whose points differ by less are merged."""
_PLAIN_TYPES: Final = ("article", "documentation", "service", "forum")
"""Page types that the plain card is learnt from, since pages without telling names are mostly running text."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockCard:
    """What one card is learnt from and how.

    registry: of its features, those that name the card are learnt. choose: the pages that it learns from, of those that
    may be learnt from: bool [n_pages]. options: of the fit. head: of its file. by_type: with adjustments by page type.
    """

    registry: Registry
    choose: Callable[[Material, Mask], Mask]
    options: AdditiveOptions
    head: str
    by_type: bool = False


def _choose_plain(material: Material, learnt: Mask) -> Mask:
    own = learnt & material.is_first
    plain = own & np.isin(material.types, _PLAIN_TYPES)
    return plain if plain.any() else own


_BY_F1: Final = AdditiveOptions(n_bins=10, f1_share=0.9)
CARDS: Final = {
    "score_card": BlockCard(
        registry=BLOCK_FEATURES,
        choose=lambda material, learnt: learnt & material.is_first,  # which has every page type
        options=_BY_F1,
        head="""\
First pass: points of each text block by its features. The sum is the logarithm of the odds that it is main content.
by_type: points that are added as far as the page is of a type, where the types differ most.
Learnt by `webclean learn scorecard`.""",
        by_type=True,
    ),
    "article_card": BlockCard(
        registry=BLOCK_FEATURES,
        choose=lambda material, learnt: learnt & material.is_article,  # of all corpora
        options=_BY_F1,
        head="""\
First pass on articles, as far as a page is likely to be one: learnt from the articles of several corpora, so from other
years and languages than `score_card`. `article_pages` says how far it decides.
Learnt by `webclean learn scorecard`.""",
    ),
    "second_card": BlockCard(
        registry=SURROUNDINGS_FEATURES,  # in the mixture of what both cards of the first pass gave
        choose=lambda material, learnt: learnt,
        options=_BY_F1,
        head="""\
Second pass: the block is scored again by what the first pass gave to it and to its surroundings.
Learnt by `webclean learn scorecard`.""",
    ),
    "plain_card": BlockCard(
        registry=BLOCK_FEATURES,
        choose=_choose_plain,
        options=AdditiveOptions(n_bins=8, smooth=1.0, f1_share=0.7, max_rounds=100),
        head="""\
Pages whose class and id names say little, as on pages laid out with tables: no names, no landmarks.
Learnt by `webclean learn scorecard` from pages of running text.""",
    ),
}
"""By the section of the rules that they stand in."""
_WORD_POINTS_HEAD: Final = """\
What single words say about the text they stand on (points, whole words only). Learnt by `webclean learn scorecard`.
names: class, id, role and itemprop values around the text, and tags; words: of short texts; headings: of the heading
above. To change one word, use `word_points: {changes: {names: {word: points}}}`."""


def list_features(name: str, material: Material) -> tuple[str, ...]:
    """The features of a card, those of blocks in the order of the tables."""
    registry = CARDS[name].registry
    if registry is not BLOCK_FEATURES:
        return registry.list_learnt(name)
    return tuple(feature for feature in material.names if name in registry[feature].learn)


def learn_block_cards(
    pages: Sequence[LabelledPage], rules: RuleSet, min_sites: int, worst: int, *, scored: bool, quiet: bool
) -> Learnt:
    """All cards and points of words.

    min_sites: that must use a word. worst: so many pages are listed. scored: without it nothing is cross-validated, and
    the confidence stays as it is.
    """
    learner, summary = prepare(pages, rules, start_clock(quiet=quiet), min_sites)
    material = learner.material
    lines, confidence = _score(learner, worst) if scored else ([], {})
    # what is written is learnt from all pages; the scores above are of cards that saw fewer
    every = np.ones(len(pages), dtype=bool)
    return Learnt(
        "\n".join([summary] * (len(material.corpora) > 1) + lines),
        lambda: learner.format_rules(learner.learn(every, material.likely)) | confidence,
    )


def _score(learner: Learner, n_worst: int) -> tuple[list[str], dict[str, str]]:
    """Scores of unseen sites and of corpora left out, and the file of the confidence."""
    material, cut, lines = learner.material, learner.rules.cut, list[str]()
    by_pass, gain = learner.cross_validate(learner.list_folds(), material.likely)
    for name, points in zip(("first pass", "second pass", "both passes"), by_pass, strict=True):
        scores = report.score_pages(material, points, cut)
        lines.append(report.format_scores(material, scores, name))
    if len(material.corpora) > 1:
        without, _ = learner.cross_validate(learner.list_corpora(), material.left_out)
        lines.append(report.format_corpora(material, scores, report.score_pages(material, without[-1], cut)))
    unseen = report.Unseen(scores.expected, scores.f1, material.likely, material.kinds)
    confident = report.cross_fit_confidence(unseen, material.fold)
    losses = report.measure_losses(material, scores)
    lines += [
        report.format_snippets(material, scores),
        report.format_reliability(confident, scores.f1, material.types.tolist()),
        report.format_losses(losses),
        report.format_worst(material.pages, scores, losses, n_worst),
        report.format_gains(list_features("score_card", material), gain),
    ]
    return lines, {"confidence.yaml": report.write_confidence(report.fit_confidence(unseen))}


@dataclass(frozen=True, slots=True, eq=False)
class BlockCards:
    """Fitted cards by name, points of words, and the points of all blocks: float64 [n_blocks].

    table: float32 [n_blocks, n_features], what the first pass reads. types: float64 [n_pages, n_kinds], how likely a
    page is of each. first, second: by pass; on learning pages those of `first` are by cards of the other part.
    """

    models: dict[str, AdditiveModel]
    words: WordPoints
    table: Floats
    types: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """Pages, their words, and which of their blocks are learnt from, bool [n_blocks]: what all fits share."""

    material: Material
    words: WordTables
    usable: Mask
    rules: RuleSet
    say: Say

    def list_folds(self) -> Iterator[Mask]:
        """The pages that are held out, by site."""
        yield from (self.material.fold == fold for fold in range(N_FOLDS))

    def list_corpora(self) -> Iterator[Mask]:
        """The pages that are left out, corpus by corpus; the first one, which has all page types, never is."""
        yield from (self.material.corpus == number for number in range(1, len(self.material.corpora)))

    def learn(self, learnt: Mask, types: Floats) -> BlockCards:
        """All cards from the pages `learnt`: bool [n_pages]; types: float64 [n_pages, n_kinds]."""
        material = self.material
        by_words, words = self.words.measure(learnt & material.is_first)
        table = np.concatenate([material.base, by_words], axis=1)
        models = dict[str, AdditiveModel]()
        models["score_card"], first = self._learn_in_parts("score_card", table, learnt, types)
        articles = material.part[CARDS["article_card"].choose(material, learnt)]
        # without articles in both parts there is no card of the other part to take points from
        if len(np.unique(articles)) == N_PARTS:
            models["article_card"], of_articles = self._learn_in_parts("article_card", table, learnt, None)
            likely = types[:, material.kinds.index(ARTICLE)] if ARTICLE in material.kinds else np.zeros(len(types))
            share = interpolate_article_share(likely, self.rules.article_pages)[material.page]
            first = share * of_articles + (1 - share) * first
        names, pages = list_features("second_card", material), enumerate(material.columns)
        around = np.concatenate([measure_surroundings(own, first[material.rows_of(i)], names).T for i, own in pages])
        models["second_card"] = self._fit("second_card", around, learnt)
        models["plain_card"] = self._fit("plain_card", self._choose(table, "plain_card"), learnt)
        self.say(f"cards learnt from {np.count_nonzero(learnt)} pages")
        return BlockCards(models, words, table, types, first, models["second_card"].score(around))

    def _choose(self, table: Floats, name: str) -> Floats:
        """float32 [n_blocks, n_features]: the columns of a card."""
        names = self.material.names
        return table[:, [names.index(feature) for feature in list_features(name, self.material)]]

    def _learn_in_parts(
        self, name: str, table: Floats, learnt: Mask, types: Floats | None
    ) -> tuple[AdditiveModel, Floats]:
        """A card of the first pass, and the points of all blocks: on its own pages by the other part's card."""
        material, own = self.material, self._choose(table, name)
        shares = None if types is None else types[material.page]
        card = self._fit(name, own, learnt, types)
        points, chosen = card.score(own, shares), CARDS[name].choose(material, learnt)
        for number in range(N_PARTS):
            is_part = material.part == number
            rows = (chosen & is_part)[material.page]
            # a part without pages of the kind: its own card is all there is
            if (chosen & ~is_part).any() and rows.any():
                by_other = self._fit(name, own, learnt & ~is_part, types)
                points[rows] = by_other.score(own[rows], None if shares is None else shares[rows])
        return card, points

    def _fit(self, name: str, table: Floats, learnt: Mask, types: Floats | None = None) -> AdditiveModel:
        """A card from those of the pages `learnt` that it learns from. table: float32 [n_blocks, n_features]."""
        material, card = self.material, CARDS[name]
        rows = card.choose(material, learnt)[material.page] & self.usable
        page = material.page[rows]
        shares = None if types is None else types[page]
        model = fit_additive(
            table[rows], material.label[rows], material.weight[rows], card.options, groups=page, shares=shares
        )
        return simplify_model(model, _TOLERANCE)

    def cross_validate(self, held_out: Iterator[Mask], types: Floats) -> tuple[Floats, Floats]:
        """Points of the pages of each mask by what was learnt without them.

        float64 [3, n_blocks], of the first pass, of the second and mixed; and float64 [n_features], the mean soft F1
        that is lost when a feature of the score card is silent.
        """
        material, second = self.material, self.rules.passes.second
        found, gain = np.zeros((3, len(material.label))), np.zeros(len(list_features("score_card", material)))
        for pages in held_out:
            cards = self.learn(~pages, types)
            rows = pages[material.page]
            both = (1 - second) * cards.first + second * cards.second
            found[:, rows] = [points[rows] for points in (cards.first, cards.second, both)]
            gain += self._measure_gains(cards, rows) / len(material.pages)
        return found, gain

    def _measure_gains(self, cards: BlockCards, rows: Mask) -> Floats:
        """float64 [n_features]: soft F1, summed over pages, that some blocks lose when a feature of the score card is
        silent."""
        material, model = self.material, cards.models["score_card"]
        page, label, weight = material.page[rows], material.label[rows], material.weight[rows]
        own, shares = self._choose(cards.table, "score_card")[rows], cards.types[page]
        n_pages = len(material.pages)
        wanted = np.bincount(page, weight * label, n_pages)

        def sum_f1(points: Floats) -> float:
            chance = weight * sigmoid(points)
            hits = np.bincount(page, chance * label, n_pages)
            return float(np.sum(2 * hits / (np.bincount(page, chance, n_pages) + wanted + 1e-3)))

        points = model.score(own, shares)
        full = sum_f1(points)
        given = (model.score_column(own, column, shares) for column in range(len(model.edges)))
        return np.array([full - sum_f1(points - one + np.average(one, weights=weight)) for one in given])

    def format_rules(self, cards: BlockCards) -> dict[str, str]:
        """The files of all cards and of the points of words."""
        made = {}
        for name, card in CARDS.items():
            if name in cards.models:
                kinds = self.material.kinds if card.by_type else ()
                written = read_model(list_features(name, self.material), cards.models[name], kinds)
                made[f"{name}.yaml"] = write_cards([((name,), written, card.registry)], card.head, [name])
        return {**made, "word_points.yaml": write_word_points(cards.words, _WORD_POINTS_HEAD)}


def prepare(pages: Sequence[LabelledPage], rules: RuleSet, say: Say, min_sites: int = 4) -> tuple[Learner, str]:
    """Parse, measure and label; with a table of what the corpora disagree on."""
    material = build_material(pages, say)
    disputed, summary = find_disputed(material)
    words = WordTables(material, say, min_sites)
    return Learner(material, words, ~disputed & (material.weight > 0), rules, say), summary
