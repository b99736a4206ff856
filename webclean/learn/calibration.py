"""Expected and reached F scores of many pages -> the `confidence` section and how reliable it is."""

from __future__ import annotations

import numpy as np
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from webclean.model import Floats, Rows


def fit_confidence(expected: Floats, reached: Floats, n_points: int = 12) -> list[tuple[float, float]]:
    """Rising (expected, reached) points, at quantiles of what was expected (isotonic regression)."""
    model = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(expected, reached)
    order = np.argsort(expected, kind="stable")
    points = [
        (float(expected[part].mean()), float(model.predict(expected[part]).mean()))
        for part in np.array_split(order, min(n_points, len(order)))
    ]
    rising: list[tuple[float, float]] = []
    for x, y in points:
        if not rising or x > rising[-1][0]:
            rising.append((round(x, 3), round(y, 3)))
    return rising


def write_confidence(points: list[tuple[float, float]]) -> str:
    """The `confidence` section as YAML."""
    head = "# The F1 that labelled pages reached, by the F1 that the cut expected (cross-validation by site)."
    lines = [f"    - {{expected: {x:g}, reached: {y:g}}}" for x, y in points]
    return "\n".join([head, "confidence:", "  points:", *lines]) + "\n"


def cross_fit_confidence(expected: Floats, reached: Floats, folds: Rows) -> Floats:
    """float64 [n_pages]: each page's confidence by points fitted on the other folds."""
    confidence = np.zeros(len(expected))
    for fold in np.unique(folds):
        own = folds == fold
        points = np.array(fit_confidence(expected[~own], reached[~own]))
        confidence[own] = np.interp(expected[own], points[:, 0], points[:, 1])
    return confidence


def format_reliability(confidence: Floats, reached: Floats, n_rows: int = 8) -> str:
    """A table of mean confidence and mean F1 in equal groups of pages, and the rank correlation."""
    order = np.argsort(confidence, kind="stable")
    parts = np.array_split(order, n_rows)
    lines = [f"  {len(part):5d}  {confidence[part].mean():10.3f}  {reached[part].mean():.3f}" for part in parts]
    rank = float(stats.spearmanr(confidence, reached).statistic)
    return "\n".join([f"confidence: rank correlation with F1 {rank:.3f}", "  pages  confidence  F1", *lines])
