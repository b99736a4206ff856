"""Expected and reached F1 of unseen pages -> the curves that make a page's confidence (`rules/confidence.yaml`).

A curve is monotone (isotonic regression) and stands as a few points with straight lines between them; there is one of
all pages and one of each type, for a page whose cut expects .9 has reached .88 where it is an article and .75 where it
is one of goods. A page of doubtful type has the mean of the curves by its probabilities, as
`decide.estimate_confidence` does, so every page counts for the curve of a type by the probability of that type.

Scores of pages that the cards were learnt from would be too good: what enters is by cross-validation by site.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from webclean.learn.writing import write_rules
from webclean.model import Floats, Rows

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

    def select(self, chosen: Floats | Rows) -> Unseen:
        """Some of the pages: a mask or their numbers."""
        return Unseen(self.expected[chosen], self.reached[chosen], self.likely[chosen], self.kinds)


def fit_confidence(pages: Unseen, n_points: int = 12) -> Curves:
    """The curves with up to `n_points` points."""
    types = {}
    for number, kind in enumerate(pages.kinds):
        weight = pages.likely[:, number]
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
    total = rest * _interpolate(curves.points, pages.expected)
    for number in known:
        total += pages.likely[:, number] * _interpolate(curves.types[pages.kinds[number]], pages.expected)
    return np.asarray(total)


def _interpolate(curve: Curve, expected: Floats) -> Floats:
    points = np.array(curve)
    return np.asarray(np.interp(expected, points[:, 0], points[:, 1]))


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
    parts: list[tuple[tuple[str, ...], list[str]]] = [(("confidence", "points"), _write_curve(curves.points))]
    parts += [(("confidence", "types", kind), _write_curve(curve)) for kind, curve in sorted(curves.types.items())]
    return write_rules(parts, head, ["confidence"])


def _write_curve(curve: Curve) -> list[str]:
    return [f"    - {{expected: {x:g}, reached: {y:g}}}" for x, y in curve]
