"""Points of all blocks -> what each page's cut keeps, its scores, tables of them, and the curves of the confidence.

Tables: by type, snippets, where F1 is lost, the worst pages. The curves (`rules/confidence.yaml`) lead
from the F1 that a cut expects of itself to the one that unseen pages reached. A curve is monotone (isotonic regression)
and stands as a few points with straight lines between them; there is one of all pages and one of each type, for a page
whose cut expects .9 has reached .88 where it is an article and .75 where it is one of goods. A page of doubtful type
has the mean of the curves by its probabilities, as `decide.estimate_confidence` does, so every page counts for the
curve of a type by the probability of that type. Scores of pages that the cards were learnt from would be too good: what
enters is by cross-validation by site.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from webclean.decide import cut_by_expected_f
from webclean.laboratory.block_material import Material, WordTable, choose_best_subset
from webclean.laboratory.harness import write_rules
from webclean.model import Floats, Mask, Rows
from webclean.rules.decide_schema import Cut
from webclean.workbench.labelled_pages import LabelledPage

CAUSES: Final = (
    "extra text before the main content",
    "extra text among it",
    "extra text after it",
    "main content dropped",
    "no subset of the blocks matches the truth",
    "pages whose truth is empty",
)


@dataclass(frozen=True, slots=True, eq=False)
class PageScores:
    """float64 [n_pages]: word precision, recall, F1, and the F1 that was expected; kept: bool [n_blocks]."""

    precision: Floats
    recall: Floats
    f1: Floats
    expected: Floats
    kept: Mask

    def average(self, pages: Mask) -> tuple[float, float, float]:
        """Mean precision, recall and F1 of some pages: bool [n_pages]."""
        return float(self.precision[pages].mean()), float(self.recall[pages].mean()), float(self.f1[pages].mean())


def score_pages(material: Material, points: Floats, cut: Cut) -> PageScores:
    """Cut every page and score what is kept."""
    rows, kept = [], np.zeros(len(points), dtype=bool)
    for page, words in enumerate(material.words):
        own = material.rows_of(page)
        found = cut_by_expected_f(points[own], material.columns[page].blocks.n_words, cut)
        kept[own] = found.mask
        rows.append((*words.measure_prf(found.mask), found.expected))
    precision, recall, f1, expected = np.array(rows).T
    return PageScores(precision, recall, f1, expected, kept)


def format_scores(material: Material, scores: PageScores, name: str) -> str:
    """One line: overall P, R and F1, then F1 by page type."""
    kinds = np.array([page.page_type for page in material.pages])
    order = sorted(set(kinds.tolist()), key=lambda kind: (-int(np.sum(kinds == kind)), kind))
    by_type = "  ".join(f"{kind} {scores.f1[kinds == kind].mean():.3f}" for kind in order)
    p, r, f1 = scores.average(np.ones(len(kinds), dtype=bool))
    return f"{name:22s} F1 {f1:.4f}  P {p:.3f}  R {r:.3f}  {by_type}"


def format_corpora(material: Material, by_site: PageScores, left_out: PageScores) -> str:
    """Corpus by corpus, and language by language where a truth names it: sites held out, and the corpus left out."""
    languages = np.array([page.language for page in material.pages])
    lines = [f"{'corpora:':22s} pages   sites held out P R F1    corpus left out P R F1"]
    for number, corpus in enumerate(material.corpora):
        own = material.corpus == number
        named = sorted(set(languages[own].tolist()) - {""})
        rows = [(corpus, own)]
        rows += [(f"  {name}", own & (languages == name)) for name in named] if len(named) > 1 else []
        for name, chosen in rows:
            sides = [f"{name:22s} {chosen.sum():5d}"]
            told = (by_site, left_out) if number else (by_site,)
            sides += ["  ".join(f"{mean:.3f}" for mean in scores.average(chosen)) for scores in told]
            lines.append("     ".join(sides))
    return "\n".join(lines)


def format_snippets(material: Material, scores: PageScores) -> str:
    """The share of the snippets of main content that are found in the kept text, and of boilerplate."""
    shares: tuple[list[float], list[float]] = ([], [])
    for number, (page, columns) in enumerate(zip(material.pages, material.columns, strict=True)):
        kept = scores.kept[material.rows_of(number)].tolist()
        text = "\n\n".join(text for text, is_kept in zip(columns.blocks.text, kept, strict=True) if is_kept).lower()
        for found, snippets in zip(shares, (page.kept_snippets, page.dropped_snippets), strict=True):
            if snippets:
                found.append(sum(snippet.lower() in text for snippet in snippets) / len(snippets))
    wanted, unwanted = (float(np.mean(own)) if own else 0.0 for own in shares)
    return f"snippets: main content found {wanted:.3f}, boilerplate found {unwanted:.3f}"


def split_loss(table: WordTable, kept: Mask, best: Mask) -> Floats:
    """float64 [n_causes]: what a page's F1 lacks to 1, by cause; best: the blocks that give the highest F1.

    What no subset of blocks can reach goes first; the rest is shared by the words that are kept and should not be, and
    those that should be and are not, as far as one of each moves F1.
    """
    loss, f1 = np.zeros(len(CAUSES)), table.measure_prf(kept)[2]
    if not len(table.truth):
        loss[-1] = 1 - f1
        return loss
    # what no choice of blocks can reach is no fault of the cards
    loss[-2] = min(1 - f1, 1 - table.measure_prf(best)[2])
    words = np.bincount(table.block, minlength=table.n_blocks)
    wanted = np.flatnonzero(best)
    place = np.ones(table.n_blocks, dtype=np.intp)
    if len(wanted):
        # before, among and after the main content: these are different faults
        place[: wanted[0]], place[wanted[-1] + 1 :] = 0, 2
    extra = np.bincount(place, words * (kept & ~best), 3)
    weight = np.append(extra * f1, (2 - f1) * np.sum(words[best & ~kept]))
    if weight.any():
        loss[:4] = (1 - f1 - loss[-2]) * weight / weight.sum()
    return loss


def measure_losses(material: Material, scores: PageScores) -> Floats:
    """float64 [n_pages, n_causes]."""
    rows = []
    for number, table in enumerate(material.words):
        own = material.rows_of(number)
        best = choose_best_subset(table, material.label[own] >= 0.5)
        rows.append(split_loss(table, scores.kept[own], best))
    return np.array(rows).reshape(-1, len(CAUSES))


def format_losses(losses: Floats) -> str:
    """The share of each cause in the loss of all pages."""
    share = losses.sum(axis=0) / max(1e-9, float(losses.sum()))
    lines = [f"  {100 * part:5.1f} %  {cause}" for cause, part in zip(CAUSES, share.tolist(), strict=True)]
    return "\n".join(["where F1 is lost:", *lines])


def format_worst(pages: Sequence[LabelledPage], scores: PageScores, losses: Floats, n: int) -> str:
    """The pages with the lowest F1 and the main cause of each."""
    lines = ["worst pages:  F1    P    R  main cause"]
    for i in np.argsort(scores.f1, kind="stable")[:n].tolist():
        cause = CAUSES[int(np.argmax(losses[i]))]
        about = f"{scores.f1[i]:.2f} {scores.precision[i]:.2f} {scores.recall[i]:.2f}  {cause}"
        lines.append(f"  {pages[i].id} {pages[i].page_type:13s} {about}; {pages[i].url[:90]}")
    return "\n".join(lines)


def format_gains(names: Sequence[str], gain: Floats) -> str:
    """What each feature adds, the most first."""
    head = "what each feature adds to the first pass (soft F1 lost, out of fold, when it is silent):"
    return "\n".join([head, *(f"  {names[i]:28s} {gain[i]:+.4f}" for i in np.argsort(-gain, kind="stable").tolist())])


Curve = list[tuple[float, float]]
"""(expected, reached), rising."""
_PAGES_A_POINT: Final = 15.0
"""Pages of a type for each point of its curve: a point of fewer is chance."""


class Curves(NamedTuple):
    """The curve of all pages, and that of each type."""

    points: Curve
    types: dict[str, Curve]


class Unseen(NamedTuple):
    """Pages that were scored without having been learnt from. float64 [n_pages]: the F1 that the cut expected and the
    one reached; [n_pages, n_kinds]: how likely a page is of each type. kinds: the names of the types."""

    expected: Floats
    reached: Floats
    likely: Floats
    kinds: Sequence[str]

    def select(self, chosen: Mask) -> Unseen:
        """Some of the pages."""
        return Unseen(self.expected[chosen], self.reached[chosen], self.likely[chosen], self.kinds)


def fit_confidence(pages: Unseen, n_points: int = 12) -> Curves:
    """The curves with up to `n_points` points."""
    types = {}
    for kind, weight in zip(pages.kinds, pages.likely.T, strict=True):
        fit = int(min(n_points, weight.sum() / _PAGES_A_POINT))
        if fit > 1:
            types[kind] = fit_curve(pages.expected, pages.reached, weight, fit)
    return Curves(fit_curve(pages.expected, pages.reached, np.ones(len(pages.expected)), n_points), types)


def fit_curve(expected: Floats, reached: Floats, weight: Floats, n_points: int) -> Curve:
    """Rising (expected, reached) points, each of an equal share of the weight. All float64 [n_pages]."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(expected, reached, weight)
    order = np.argsort(expected, kind="stable")
    middle = np.cumsum(weight[order]) - weight[order] / 2
    part = np.minimum(middle / weight.sum() * n_points, n_points - 1).astype(int)
    rising: Curve = []
    for number in range(n_points):
        own = order[part == number]
        if not weight[own].sum() > 0:
            continue
        x = float(np.average(expected[own], weights=weight[own]))
        y = float(np.average(model.predict(expected[own]), weights=weight[own]))
        # rounded points may coincide, and the confidence between two equal ones is not defined
        if not rising or round(x, 3) > rising[-1][0]:
            rising.append((round(x, 3), round(y, 3)))
    return rising


def estimate_reached(pages: Unseen, curves: Curves) -> Floats:
    """float64 [n_pages]: the confidence of each page, as `decide.estimate_confidence` has it of one."""
    known = [number for number, kind in enumerate(pages.kinds) if kind in curves.types]
    rest = np.maximum(0.0, 1 - pages.likely[:, known].sum(axis=1))
    total = rest * np.interp(pages.expected, *np.array(curves.points).T)
    for number in known:
        curve = np.array(curves.types[pages.kinds[number]])
        total += pages.likely[:, number] * np.interp(pages.expected, *curve.T)
    return np.asarray(total)


def cross_fit_confidence(pages: Unseen, folds: Rows) -> Floats:
    """float64 [n_pages]: each page's confidence by curves fitted on the other folds."""
    confidence = np.zeros(len(pages.expected))
    for fold in np.unique(folds):
        own = folds == fold
        confidence[own] = estimate_reached(pages.select(own), fit_confidence(pages.select(~own)))
    return confidence


def measure_calibration_error(confidence: Floats, reached: Floats, n_groups: int = 10) -> float:
    """The expected calibration error: the mean distance of mean confidence and mean F1, over equal groups of pages in
    the order of their confidence (Naeini et al. 2015, with groups of equal size)."""
    groups = np.array_split(np.argsort(confidence, kind="stable"), min(n_groups, len(confidence)))
    gaps = [abs(confidence[own].mean() - reached[own].mean()) * len(own) for own in groups]
    return float(sum(gaps) / len(confidence))


def format_reliability(confidence: Floats, reached: Floats, kinds: Sequence[str], n_rows: int = 8) -> str:
    """A table of mean confidence and mean F1 in equal groups of pages, the rank correlation, and the calibration error
    of all pages and of each type. kinds: of the pages, by their truth."""
    order, of_kind = np.argsort(confidence, kind="stable"), np.array(kinds)
    lines = [f"confidence: rank correlation with F1 {float(stats.spearmanr(confidence, reached).statistic):.3f}"]
    lines.append("  pages  confidence  F1")
    parts = np.array_split(order, n_rows)
    lines += [f"  {len(part):5d}  {confidence[part].mean():10.3f}  {reached[part].mean():.3f}" for part in parts]
    lines.append("  pages  confidence  F1     calibration error")
    for kind in ("", *sorted(set(kinds))):
        own = of_kind == kind if kind else np.ones(len(of_kind), dtype=bool)
        # a type of a hundred pages has groups of twenty: smaller ones differ by chance
        error = measure_calibration_error(confidence[own], reached[own], max(1, min(10, int(own.sum()) // 20)))
        told = f"  {int(own.sum()):5d}  {confidence[own].mean():10.3f}  {reached[own].mean():.3f}  {error:.3f}"
        lines.append(f"{told}  {kind or 'all'}")
    return "\n".join(lines)


def write_confidence(curves: Curves) -> str:
    """The `confidence` section as YAML."""
    head = "The F1 that unseen pages reached, by the F1 that the cut expected and by type (cross-validation by site)."
    named: list[tuple[tuple[str, ...], Curve]] = [(("confidence", "points"), curves.points)]
    named += [(("confidence", "types", kind), curve) for kind, curve in sorted(curves.types.items())]
    parts = [(path, [f"    - {{expected: {x:g}, reached: {y:g}}}" for x, y in curve]) for path, curve in named]
    return write_rules(parts, head, ["confidence"])
