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

The curves of the confidence (`rules/confidence.yaml`) lead from the F1 that a cut expects of itself to the one that
unseen pages reached. A curve is monotone (isotonic regression) and stands as a few points with straight lines between
them; there is one of all pages and one of each type, for a page whose cut expects .9 has reached .88 where it is an
article and .75 where it is one of goods. A page of doubtful type has the mean of the curves by its probabilities, as
`decide.estimate_confidence` does, so every page counts for the curve of a type by the probability of that type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
import numpy as np
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from webclean import decide
from webclean.decide import ARTICLE, SURROUNDINGS_FEATURES
from webclean.features import BLOCK_FEATURES
from webclean.features.cards import Registry
from webclean.laboratory import block_material, harness
from webclean.laboratory.block_material import N_PARTS, Material
from webclean.laboratory.fitting import AdditiveModel, AdditiveOptions, fit_additive, read_model, simplify_model
from webclean.laboratory.harness import Learnt, say
from webclean.model import Floats, Mask, Rows
from webclean.rules import RuleSet
from webclean.rules.decide_schema import Calibrated, Confidence, Cut
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
    may be learnt from: bool [n_pages]. options: of the fit. by_type: with adjustments by page type.
    """

    registry: Registry
    choose: Callable[[Material, Mask], Mask]
    options: AdditiveOptions
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
        by_type=True,
    ),
    "article_card": BlockCard(
        registry=BLOCK_FEATURES,
        choose=lambda material, learnt: learnt & material.is_article,  # of all corpora
        options=_BY_F1,
    ),
    "second_card": BlockCard(
        registry=SURROUNDINGS_FEATURES,  # in the mixture of what both cards of the first pass gave
        choose=lambda material, learnt: learnt,
        options=_BY_F1,
    ),
    "plain_card": BlockCard(
        registry=BLOCK_FEATURES,
        choose=_choose_plain,
        options=AdditiveOptions(n_bins=8, smooth=1.0, f1_share=0.7, max_rounds=100),
    ),
}
"""By the section of the rules that they stand in."""


def list_features(name: str, material: Material) -> tuple[str, ...]:
    """The features of a card, those of blocks in the order of the tables."""
    registry = CARDS[name].registry
    if registry is not BLOCK_FEATURES:
        return registry.list_learnt(name)
    return tuple(feature for feature in material.names if name in registry[feature].learn)


def learn_block_cards(pages: Sequence[LabelledPage], rules: RuleSet, *, scored: bool) -> Learnt:
    """All cards and points of words. scored: else nothing is cross-validated, and the confidence stays as it is."""
    learner = Learner(pages, rules)
    material = learner.material
    lines, confidence = _score(learner) if scored else ([], {})
    # the written card is learnt from all pages; the scores above are those of cards that saw fewer
    every = np.ones(len(pages), dtype=bool)
    return Learnt(
        "\n".join([learner.disputes] * (len(material.corpora) > 1) + lines),
        lambda: learner.format_rules(learner.learn(every, material.likely)) | confidence,
    )


def _score(learner: Learner) -> tuple[list[str], dict[str, str]]:
    """Scores of unseen sites and of corpora left out, and the file of the confidence."""
    material, cut, lines = learner.material, learner.rules.cut, list[str]()
    folds = (material.fold == fold for fold in range(harness.N_FOLDS))
    by_pass = learner.cross_validate(folds, material.likely)
    for name, points in zip(("first pass", "second pass", "both passes"), by_pass, strict=True):
        scores = score_pages(material, points, cut)
        lines.append(format_scores(material, scores, name))
    if len(material.corpora) > 1:
        # the first one, which has all page types, never is left out
        corpora = (material.corpus == number for number in range(1, len(material.corpora)))
        without = learner.cross_validate(corpora, material.left_out)
        lines.append(format_corpora(material, scores, score_pages(material, without[-1], cut)))
    unseen = Unseen(scores.expected, scores.f1, material.likely, material.kinds)
    confident = cross_fit_confidence(unseen, material.fold)
    lines.append(format_reliability(confident, scores.f1, material.types.tolist()))
    return lines, {"confidence.yaml": write_confidence(fit_confidence(unseen))}


class BlockCards(NamedTuple):
    """Fitted cards by name, points of words, and the points of all blocks by pass: float64 [n_blocks]; on learning
    pages those of `first` are by cards of the other part."""

    models: dict[str, AdditiveModel]
    words: WordPoints
    first: Floats
    second: Floats


class Learner:
    """Pages, their words, and which of their blocks are learnt from, bool [n_blocks]: what all fits share."""

    def __init__(self, pages: Sequence[LabelledPage], rules: RuleSet) -> None:
        """Parse, measure and label; `disputes` is a table of what the corpora disagree on."""
        self.rules = rules
        self.material = block_material.build_material(pages)
        disputed, self.disputes = block_material.find_disputed(self.material)
        groups = self.material.group.tolist()
        self.words = block_material.count_words(zip(self.material.columns, groups, strict=True))
        say(f"{len(self.words.words)} words on enough sites")
        self.usable = ~disputed & (self.material.weight > 0)

    def learn(self, learnt: Mask, types: Floats) -> BlockCards:
        """All cards from the pages `learnt`: bool [n_pages]; types: float64 [n_pages, n_kinds]."""
        material = self.material
        by_words, words = block_material.measure_words(material, self.words, learnt & material.is_first)
        say(f"words learnt from {np.count_nonzero(learnt & material.is_first)} pages")
        table = np.concatenate([material.base, by_words], axis=1)
        models = dict[str, AdditiveModel]()
        models["score_card"], first = self._learn_in_parts("score_card", table, learnt, types)
        articles = material.part[CARDS["article_card"].choose(material, learnt)]
        # without articles in both parts there is no card of the other part to take points from
        if len(np.unique(articles)) == N_PARTS:
            models["article_card"], of_articles = self._learn_in_parts("article_card", table, learnt, None)
            likely = types[:, material.kinds.index(ARTICLE)] if ARTICLE in material.kinds else np.zeros(len(types))
            share = decide.interpolate_article_share(likely, self.rules.article_pages)[material.page]
            first = share * of_articles + (1 - share) * first
        names, pages = list_features("second_card", material), enumerate(material.columns)
        around = np.concatenate(
            [decide.measure_surroundings(own, first[material.rows_of(i)], names).T for i, own in pages]
        )
        models["second_card"] = self._fit("second_card", around, learnt)
        models["plain_card"] = self._fit("plain_card", self._choose(table, "plain_card"), learnt)
        say(f"cards learnt from {np.count_nonzero(learnt)} pages")
        return BlockCards(models, words, first, models["second_card"].score(around))

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

    def cross_validate(self, held_out: Iterator[Mask], types: Floats) -> Floats:
        """Points of the pages of each mask by what was learnt without them: float64 [3, n_blocks], of the first pass,
        of the second and mixed."""
        material, second = self.material, self.rules.passes.second
        found = np.zeros((3, len(material.label)))
        for pages in held_out:
            cards = self.learn(~pages, types)
            rows = pages[material.page]
            both = (1 - second) * cards.first + second * cards.second
            found[:, rows] = [points[rows] for points in (cards.first, cards.second, both)]
        return found

    def format_rules(self, cards: BlockCards) -> dict[str, str]:
        """The files of all cards and of the points of words."""
        made, heads = {}, harness.SETTINGS["heads"]
        for name, card in CARDS.items():
            if name in cards.models:
                kinds = self.material.kinds if card.by_type else ()
                written = read_model(list_features(name, self.material), cards.models[name], kinds)
                made[f"{name}.yaml"] = harness.write_cards([((name,), written, card.registry)], heads[name], [name])
        return {**made, "word_points.yaml": harness.write_word_points(cards.words, heads["word_points"])}


class PageScores(NamedTuple):
    """float64 [n_pages]: word precision, recall, F1 of what the cut keeps, and the F1 that was expected."""

    precision: Floats
    recall: Floats
    f1: Floats
    expected: Floats

    def average(self, pages: Mask) -> list[float]:
        """Mean precision, recall and F1 of some pages: bool [n_pages]."""
        return [float(column[pages].mean()) for column in self[:3]]


def score_pages(material: Material, points: Floats, cut: Cut) -> PageScores:
    """Cut every page and score what is kept."""
    rows = []
    for page, words in enumerate(material.words):
        own = material.rows_of(page)
        found = decide.cut_by_expected_f(points[own], material.columns[page].blocks.n_words, cut)
        rows.append((*words.measure_prf(found.mask), found.expected))
    return PageScores(*np.array(rows).T)


def format_scores(material: Material, scores: PageScores, name: str) -> str:
    """One line: overall P, R and F1, then F1 by page type."""
    kinds = np.array([page.page_type for page in material.pages])
    order = sorted(set(kinds.tolist()), key=lambda kind: (-int(np.sum(kinds == kind)), kind))
    by_type = "  ".join(f"{kind} {scores.f1[kinds == kind].mean():.3f}" for kind in order)
    p, r, f1 = scores.average(np.ones(len(kinds), dtype=bool))
    return f"{name:22s} F1 {f1:.4f}  P {p:.3f}  R {r:.3f}  {by_type}"


def format_corpora(material: Material, by_site: PageScores, left_out: PageScores) -> str:
    """Corpus by corpus: sites held out, and the corpus left out."""
    lines = [f"{'corpora:':22s} pages   sites held out P R F1    corpus left out P R F1"]
    for number, corpus in enumerate(material.corpora):
        own = material.corpus == number
        sides = [f"{corpus:22s} {own.sum():5d}"]
        told = (by_site, left_out) if number else (by_site,)
        sides += ["  ".join(f"{mean:.3f}" for mean in scores.average(own)) for scores in told]
        lines.append("     ".join(sides))
    return "\n".join(lines)


_MOST_POINTS: Final = 12
"""Points of a curve."""
_PAGES_A_POINT: Final = 15.0
"""Pages of a type for each point of its curve: a point of fewer is chance."""


class Unseen(NamedTuple):
    """Pages that were scored without having been learnt from. float64 [n_pages]: the F1 that the cut expected and the
    one reached; [n_pages, n_kinds]: how likely a page is of each type. kinds: the names of the types."""

    expected: Floats
    reached: Floats
    likely: Floats
    kinds: Sequence[str]


def fit_confidence(pages: Unseen) -> Confidence:
    """The curve of all pages, and that of each type with enough of them."""
    sizes = (int(min(_MOST_POINTS, weight.sum() / _PAGES_A_POINT)) for weight in pages.likely.T)
    fitted = zip(pages.kinds, pages.likely.T, sizes, strict=True)
    return Confidence(
        points=fit_curve(pages.expected, pages.reached, np.ones(len(pages.expected)), _MOST_POINTS),
        types={kind: fit_curve(pages.expected, pages.reached, weight, n) for kind, weight, n in fitted if n > 1},
    )


def fit_curve(expected: Floats, reached: Floats, weight: Floats, n_points: int) -> tuple[Calibrated, ...]:
    """Rising points, each of an equal share of the weight. All float64 [n_pages]."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(expected, reached, weight)
    order = np.argsort(expected, kind="stable")
    middle = np.cumsum(weight[order]) - weight[order] / 2
    part = np.minimum(middle / weight.sum() * n_points, n_points - 1).astype(int)
    rising = list[Calibrated]()
    for number in range(n_points):
        own = order[part == number]
        if not weight[own].sum() > 0:
            continue
        x = round(float(np.average(expected[own], weights=weight[own])), 3)
        y = round(float(np.average(model.predict(expected[own]), weights=weight[own])), 3)
        # rounded points may coincide, and the confidence between two equal ones is not defined
        if not rising or x > rising[-1].expected:
            rising.append(Calibrated(expected=x, reached=y))
    return tuple(rising)


def cross_fit_confidence(pages: Unseen, folds: Rows) -> Floats:
    """float64 [n_pages]: each page's confidence by curves fitted on the other folds."""

    def fit(seen: list[int]) -> Confidence:
        return fit_confidence(Unseen(pages.expected[seen], pages.reached[seen], pages.likely[seen], pages.kinds))

    def estimate(curves: Confidence, row: int) -> float:
        likely = dict(zip(pages.kinds, pages.likely[row].tolist(), strict=True))
        return decide.average_reached(float(pages.expected[row]), likely, curves)

    return np.array(harness.cross_validate(folds, fit, estimate))


def measure_calibration_error(confidence: Floats, reached: Floats, n_groups: int = 10) -> float:
    """The expected calibration error: the mean distance of mean confidence and mean F1, over equal groups of pages in
    the order of their confidence (Naeini et al. 2015, with groups of equal size)."""
    groups = np.array_split(np.argsort(confidence, kind="stable"), min(n_groups, len(confidence)))
    gaps = [abs(confidence[own].mean() - reached[own].mean()) * len(own) for own in groups]
    return float(sum(gaps) / len(confidence))


def format_reliability(confidence: Floats, reached: Floats, kinds: Sequence[str]) -> str:
    """The rank correlation with F1, and the calibration error of all pages and of each type. kinds: of the pages, by
    their truth."""
    of_kind = np.array(kinds)
    lines = [f"confidence: rank correlation with F1 {float(stats.spearmanr(confidence, reached).statistic):.3f}"]
    for kind in ("", *sorted(set(kinds))):
        own = of_kind == kind if kind else np.ones(len(of_kind), dtype=bool)
        # a type of a hundred pages has groups of twenty: smaller ones differ by chance
        error = measure_calibration_error(confidence[own], reached[own], max(1, min(10, int(own.sum()) // 20)))
        lines.append(f"  {kind or 'all'}: calibration error {error:.3f} of {int(own.sum())} pages")
    return "\n".join(lines)


def write_confidence(curves: Confidence) -> str:
    """The `confidence` section as YAML."""
    written, head = msgspec.to_builtins(curves, order="deterministic"), harness.SETTINGS["heads"]["confidence"]
    return harness.write_rules([(("confidence",), written, {})], head, ["confidence"])
