"""`webclean learn scorecard`: labelled pages of one or several corpora -> the cards of blocks as YAML, and their worth.

Every figure is of pages that had no part in what is scored: first of sites that were held out (five folds by registered
domain), then of whole corpora that were left out, which is the figure that counts: pages of a corpus are alike in more
than their sites. The cards written at the end are learnt from all pages in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from webclean.compare.dataset import LabelledPage
from webclean.decide.cut import sigmoid
from webclean.decide.passes import SURROUNDINGS_FEATURES
from webclean.features import BLOCK_FEATURES
from webclean.features.cards.compile import Registry
from webclean.learn.additive import AdditiveModel
from webclean.learn.block_cards import (
    AROUND,
    ARTICLE_FEATURES,
    PLAIN_FEATURES,
    SCORE_FEATURES,
    BlockCards,
    CardOptions,
    Table,
    learn_block_cards,
    measure_blocks,
)
from webclean.learn.calibration import (
    cross_fit_confidence,
    fit_confidence,
    format_reliability,
    write_confidence,
)
from webclean.learn.card_report import (
    format_corpora,
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
from webclean.learn.conventions import find_disputed
from webclean.learn.material import N_FOLDS, Material, Report, WordTables, build_material
from webclean.learn.page_scores import score_pages
from webclean.model import Floats, Mask
from webclean.rules.card_schema import Card


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidation:
    """Points of every block by cards that have not seen its page: float64 [n_blocks].

    first, second: of each pass; both: mixed. gain: float64 [n_features], the mean soft F1 that is lost when a feature
    of the score card is silent; zeros where it was not asked for.
    """

    first: Floats
    second: Floats
    both: Floats
    gain: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """Pages, their words, and which of their blocks corpora agree on: what all fits share."""

    material: Material
    words: WordTables
    usable: Mask
    options: CardOptions
    say: Report

    def learn(self, learnt: Mask, types: Floats) -> BlockCards:
        """All cards from the pages `learnt`: bool [n_pages]; types: float64 [n_pages, n_kinds]."""
        table = measure_blocks(self.material, self.words, learnt & self.material.is_first, types)
        return learn_block_cards(self.material, table, learnt, self.usable, self.options, self.say)

    def list_folds(self) -> Iterator[Mask]:
        """The pages that are held out, by site."""
        yield from (self.material.fold == fold for fold in range(N_FOLDS))

    def list_corpora(self) -> Iterator[Mask]:
        """The pages that are left out, corpus by corpus; the first one, which has all page types, never is."""
        yield from (self.material.corpus == number for number in range(1, len(self.material.corpora)))

    def cross_validate(self, held_out: Iterator[Mask], types: Floats) -> CrossValidation:
        """Points of the pages of each mask by what was learnt without them."""
        material = self.material
        found = {name: np.zeros(len(material.label)) for name in ("first", "second", "both")}
        gain = np.zeros(len(SCORE_FEATURES))
        for pages in held_out:
            cards = self.learn(~pages, types)
            rows = pages[material.page]
            found["first"][rows], found["second"][rows] = cards.first[rows], cards.second[rows]
            found["both"][rows] = cards.average(self.options.passes)[rows]
            gain += measure_gains(material, cards.score_card, cards.table, rows) / len(material.pages)
        return CrossValidation(**found, gain=gain)


def prepare(pages: Sequence[LabelledPage], say: Report, min_sites: int = 4) -> tuple[Learner, str]:
    """Parse, measure and label; with a table of what the corpora disagree on."""
    material = build_material(pages, say)
    disputed, summary = find_disputed(material)
    return Learner(material, WordTables(material, say, min_sites), ~disputed, CardOptions(), say), summary


def learn_score_card(
    pages: Sequence[LabelledPage],
    folder: Path | None,
    say: Report,
    *,
    min_sites: int = 4,
    n_worst: int = 20,
    scored: bool = True,
) -> str:
    """Cross-validate, write the rules when a folder is given, and report the scores as text.

    scored: without it nothing is cross-validated, and the confidence stays as it is.
    """
    learner, summary = prepare(pages, say, min_sites)
    lines = [summary] if len(learner.material.corpora) > 1 else []
    if scored:
        lines.append(_report_scores(learner, folder, n_worst))
    if folder is not None:
        learnt = np.ones(len(pages), dtype=bool)
        cards = learner.learn(learnt, learner.material.types)
        lines += [f"wrote {file}" for file in write_rule_files(learner, cards, learnt, folder)]
    return "\n".join(lines)


def _report_scores(learner: Learner, folder: Path | None, n_worst: int) -> str:
    """Scores of unseen sites and of corpora left out; writes `confidence.yaml`."""
    material, options = learner.material, learner.options
    found = learner.cross_validate(learner.list_folds(), material.types)
    lines = []
    for name, points in (("first pass", found.first), ("second pass", found.second), ("both passes", found.both)):
        scores = score_pages(material, points, options.cut)
        lines += [format_scores(material, scores, name), f"{'':22s} {format_halves(material, scores)}"]
    if len(material.corpora) > 1:
        left_out = score_pages(
            material, learner.cross_validate(learner.list_corpora(), material.left_out).both, options.cut
        )
        lines.append(format_corpora(material, scores, left_out))
    confidence = cross_fit_confidence(scores.expected, scores.f1, material.fold)
    losses = measure_losses(material, scores)
    if folder is not None:
        text = write_confidence(fit_confidence(scores.expected, scores.f1))
        (folder / "confidence.yaml").write_text(text, encoding="utf-8")
    return "\n".join(
        [
            *lines,
            format_snippets(material, scores),
            format_reliability(confidence, scores.f1),
            format_languages(material, scores),
            format_losses(losses),
            format_worst(material.pages, scores, losses, n_worst),
            format_gains(SCORE_FEATURES, found.gain),
        ]
    )


def measure_gains(material: Material, model: AdditiveModel, table: Table, rows: Mask) -> Floats:
    """float64 [n_columns]: soft F1, summed over pages, that the chosen blocks lose when a column is silent."""
    page, label, weight = material.page[rows], material.label[rows], material.weight[rows]
    own, shares = table.choose(SCORE_FEATURES)[rows], table.types[page]
    n_pages = len(material.pages)
    wanted = np.bincount(page, weight * label, n_pages)

    def sum_f1(points: Floats) -> float:
        chance = weight * sigmoid(points)
        hits = np.bincount(page, chance * label, n_pages)
        return float(np.sum(2 * hits / (np.bincount(page, chance, n_pages) + wanted + 1e-3)))

    points = model.score(own, shares)
    full = sum_f1(points)
    gains = []
    for column in range(len(model.edges)):
        given = model.score_column(own, column, shares)
        gains.append(full - sum_f1(points - given + np.average(given, weights=weight)))
    return np.array(gains)


def write_rule_files(learner: Learner, cards: BlockCards, learnt: Mask, folder: Path) -> tuple[Path, ...]:
    """Write `score_card.yaml`, `article_card.yaml`, `second_card.yaml`, `plain_card.yaml` and `word_points.yaml`.

    learnt: bool [n_pages], the pages that the cards were learnt from.
    """
    material = learner.material
    score_card = read_model(SCORE_FEATURES, cards.score_card, material.kinds)
    written: list[tuple[str, Card, str, Registry]] = [("score_card", score_card, _FIRST_HEAD, BLOCK_FEATURES)]
    if cards.article_card is not None:
        written.append(
            ("article_card", read_model(ARTICLE_FEATURES, cards.article_card), _ARTICLE_HEAD, BLOCK_FEATURES)
        )
    written.append(("second_card", read_model(AROUND, cards.second_card), _SECOND_HEAD, SURROUNDINGS_FEATURES))
    plain_card = read_model(PLAIN_FEATURES, cards.plain_card)
    written.append(("plain_card", plain_card, _PLAIN_HEAD, BLOCK_FEATURES))
    made = {f"{name}.yaml": write_cards([((name,), card, known)], head, [name]) for name, card, head, known in written}
    made["word_points.yaml"] = write_word_points(learner.words.learn(learnt & material.is_first), _WORD_POINTS_HEAD)
    for file, text in made.items():
        (folder / file).write_text(text, encoding="utf-8")
    return tuple(folder / file for file in made)


_FIRST_HEAD: Final = """\
First pass: points of each text block by its features. The sum is the logarithm of the odds that it is main content.
by_type: points that are added as far as the page is of a type, where the types differ most.
Learnt by `webclean learn scorecard`."""
_ARTICLE_HEAD: Final = """\
First pass on articles, as far as a page is likely to be one: learnt from the articles of several corpora, so from other
years and languages than `score_card`. `article_pages` says how far it decides.
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
