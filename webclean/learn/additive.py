"""Columns and labels -> an additive card: points for each bin of each column, summed, no interactions.

A generalised additive model with step functions (Hastie & Tibshirani 1990; P-splines of degree 0, Eilers & Marx 1996),
fitted by L-BFGS. Neighbouring bins are drawn together and all points to zero, so few pages cannot bend a curve. The
loss is the logarithmic one, mixed with the soft F1 of each group of rows (page) where the card is to order a page's
blocks. There is no chance in it: the same data give the same card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from webclean.model import Floats, Rows

_Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AdditiveOptions:
    """How a card is fitted.

    n_bins: most bins of a column. ridge: pull of all points to zero; smooth: of neighbouring bins to each other.
    kind_ridge, kind_smooth: the same for adjustments. f1_share: of the soft F1 in the loss (0..1); f1_scale: its size
    beside the logarithmic loss. max_rounds: of the optimiser.
    """

    n_bins: int = 16
    ridge: float = 0.02
    smooth: float = 0.3
    kind_ridge: float = 0.3
    kind_smooth: float = 1.0
    f1_share: float = 0.0
    f1_scale: float = 2.0
    max_rounds: int = 150


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveModel:
    """A fitted card.

    edges: for each column the rising limits between its bins; points: for each part (the base, then each kind) and
    each column float64 [n_bins]; bias: of the base.
    """

    edges: tuple[Floats, ...]
    points: tuple[tuple[Floats, ...], ...]
    bias: float

    def score(self, table: Floats, shares: Floats | None = None) -> Floats:
        """float64 [n_rows]: points of each row; shares: float64 [n_rows, n_kinds], how far a row is of each kind."""
        total = np.full(len(table), self.bias)
        for column, edges in enumerate(self.edges):
            bins = np.searchsorted(edges, table[:, column], side="right")
            total += self.points[0][column][bins]
            for kind, part in enumerate(self.points[1:]):
                if shares is not None:
                    total += shares[:, kind] * part[column][bins]
        return total

    def measure_spread(self, table: Floats, weight: Floats) -> Floats:
        """float64 [n_columns]: importance, the weighted standard deviation of the base points each column gives."""
        spread = np.zeros(len(self.edges))
        for column, edges in enumerate(self.edges):
            given = self.points[0][column][np.searchsorted(edges, table[:, column], side="right")]
            mean = np.average(given, weights=weight)
            spread[column] = np.sqrt(np.average((given - mean) ** 2, weights=weight))
        return spread


def find_edges(values: Floats, weight: Floats, n_bins: int) -> Floats:
    """Limits between bins as short decimals: half at quantiles of the weight, half at quantiles of the rows."""
    distinct, inverse = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return np.zeros(0)
    if len(distinct) <= n_bins:
        chosen = np.arange(len(distinct) - 1)
    else:
        wanted = np.linspace(0, 1, n_bins // 2 + 1)[1:-1]
        by_weight = np.cumsum(np.bincount(inverse, weight))
        by_rows = np.cumsum(np.bincount(inverse))
        chosen = np.unique(np.concatenate([np.searchsorted(mass / mass[-1], wanted) for mass in (by_weight, by_rows)]))
        chosen = chosen[chosen < len(distinct) - 1]
    return np.array([round_between(float(distinct[i]), float(distinct[i + 1])) for i in chosen])


def round_between(low: float, high: float) -> float:
    """The shortest decimal in (low, high]: a limit that people can read and that parts the same rows."""
    middle = (low + high) / 2
    for digits in range(-6, 12):
        value = round(math.floor(middle * 10.0**digits + 0.5) / 10.0**digits, max(0, digits))
        if low < value <= high:
            return value
    return high


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """Where the points of each part and column stand in the vector of unknowns (which begins with the bias).

    start: int64 [n_columns + 1], within a part; n_parts; lower: positions of bins that have an upper neighbour;
    ridge, smooth: strength for each position, each neighbouring pair.
    """

    start: NDArray[np.int64]
    n_parts: int
    lower: NDArray[np.int64]
    ridge: Floats
    smooth: Floats


def _lay_out(edges: Sequence[Floats], n_kinds: int, options: AdditiveOptions) -> _Layout:
    start = np.concatenate(([0], np.cumsum([len(e) + 1 for e in edges]))).astype(np.int64)
    inner = np.concatenate([np.arange(a, b - 1) for a, b in pairwise(start.tolist())]).astype(np.int64)
    size = int(start[-1])
    parts = 1 + n_kinds
    return _Layout(
        start=start,
        n_parts=parts,
        lower=np.concatenate([inner + part * size for part in range(parts)]),
        ridge=np.repeat([options.ridge, *[options.kind_ridge] * n_kinds], size),
        smooth=np.repeat([options.smooth, *[options.kind_smooth] * n_kinds], len(inner)),
    )


def _build_design(table: Floats, edges: Sequence[Floats], layout: _Layout, shares: Floats | None) -> Any:
    """Sparse float32 [n_rows, n_unknowns - 1]: one entry a column and part."""
    n, width = len(table), len(edges)
    codes = np.empty((n, width), dtype=np.int32)
    for column, limits in enumerate(edges):
        codes[:, column] = np.searchsorted(limits, table[:, column], side="right") + layout.start[column]
    ends = np.arange(0, n * width + 1, width)
    size = int(layout.start[-1])
    parts = [sparse.csr_matrix((np.ones(n * width, dtype=np.float32), codes.ravel(), ends), shape=(n, size))]
    if shares is not None:
        for kind in range(shares.shape[1]):
            weights = np.repeat(shares[:, kind].astype(np.float32), width)
            part = sparse.csr_matrix((weights, codes.ravel(), ends), shape=(n, size))
            part.eliminate_zeros()
            parts.append(part)
    return sparse.hstack(parts, format="csr", dtype=np.float32)


def fit_additive(
    table: Floats,
    label: Floats,
    weight: Floats,
    options: AdditiveOptions | None = None,
    *,
    groups: Rows | None = None,
    shares: Floats | None = None,
) -> AdditiveModel:
    """Fit a card to soft labels.

    table: float [n_rows, n_columns]; label: float64 [n_rows] in 0..1; weight: float64 [n_rows]; groups: int [n_rows],
    the page of each row (needed for `f1_share`); shares: float [n_rows, n_kinds] for adjustments by kind.
    """
    options = options or AdditiveOptions()
    edges = [find_edges(table[:, column], weight, options.n_bins) for column in range(table.shape[1])]
    layout = _lay_out(edges, 0 if shares is None else shares.shape[1], options)
    design = _build_design(table, edges, layout, shares)
    problem = _Problem(design, label, weight, layout, options, groups)
    start = np.zeros(design.shape[1] + 1)
    if options.f1_share and groups is not None:
        plain = replace(options, f1_share=0.0)
        start = _minimise(_Problem(design, label, weight, layout, plain, None), start, options.max_rounds)
        start = _minimise(problem, start, options.max_rounds // 2)
    else:
        start = _minimise(problem, start, options.max_rounds)
    return _centre(_read_model(start, edges, layout), design, weight)


def _centre(model: AdditiveModel, design: Any, weight: Floats) -> AdditiveModel:
    """Shift each column's base points to a weighted mean of zero: points then compare with the average block."""
    mass = np.asarray(weight @ design) / weight.sum()
    points, at, bias = [], 0, model.bias
    for own in model.points[0]:
        mean = float(own @ mass[at : at + len(own)])
        points.append(own - mean)
        bias += mean
        at += len(own)
    return AdditiveModel(model.edges, (tuple(points), *model.points[1:]), bias)


def _minimise(problem: _Problem, start: _Vector, max_rounds: int) -> _Vector:
    settings = {"maxiter": max_rounds, "ftol": 1e-7, "maxcor": 20}
    found = optimize.minimize(problem.measure, start, jac=True, method="L-BFGS-B", options=settings)
    return np.asarray(found.x, dtype=np.float64)


def _read_model(unknowns: _Vector, edges: Sequence[Floats], layout: _Layout) -> AdditiveModel:
    size = int(layout.start[-1])
    parts = []
    for part in range(layout.n_parts):
        own = unknowns[1 + part * size : 1 + (part + 1) * size]
        parts.append(tuple(own[a:b].copy() for a, b in pairwise(layout.start.tolist())))
    return AdditiveModel(tuple(edges), tuple(parts), float(unknowns[0]))


class _Problem:
    """The loss and its slope at a vector of unknowns."""

    def __init__(
        self,
        design: Any,
        label: Floats,
        weight: Floats,
        layout: _Layout,
        options: AdditiveOptions,
        groups: Rows | None,
    ) -> None:
        self.design, self.transposed = design, design.T.tocsr()
        self.label, self.weight, self.layout, self.options = label, weight, layout, options
        self.page = None if groups is None else np.unique(groups, return_inverse=True)[1]
        if self.page is not None:
            self.wanted = np.bincount(self.page, weight * label)

    def measure(self, unknowns: _Vector) -> tuple[float, _Vector]:
        points = unknowns[1:]
        z = self.design @ points.astype(np.float32) + unknowns[0]
        error, slope = self._measure_rows(np.asarray(z, dtype=np.float64))
        layout = self.layout
        gap = points[layout.lower + 1] - points[layout.lower]
        error += 0.5 * float(layout.ridge @ points**2) + 0.5 * float(layout.smooth @ gap**2)
        pull = layout.smooth * gap
        full = self.transposed @ slope.astype(np.float32) + layout.ridge * points
        full += np.bincount(layout.lower + 1, pull, len(points)) - np.bincount(layout.lower, pull, len(points))
        return error, np.concatenate(([slope.sum()], full))

    def _measure_rows(self, z: Floats) -> tuple[float, Floats]:
        share, chance = self.options.f1_share, 1.0 / (1.0 + np.exp(-np.clip(z, -30.0, 30.0)))
        if self.page is None:
            share = 0.0
        error = (1 - share) * float(np.sum(self.weight * (np.logaddexp(0, z) - self.label * z)))
        slope = (1 - share) * self.weight * (chance - self.label)
        if share and self.page is not None:
            hits = np.bincount(self.page, self.weight * self.label * chance)
            size = np.bincount(self.page, self.weight * chance) + self.wanted + 1e-3
            f1 = 2 * hits / size
            share *= self.options.f1_scale
            error += share * float(np.sum(1 - f1))
            inner = (2 * self.label - f1[self.page]) / size[self.page]
            slope = slope - share * inner * self.weight * chance * (1 - chance)
        return error, slope


def simplify_model(model: AdditiveModel, tolerance: float, digits: int = 2) -> AdditiveModel:
    """Round points and merge neighbouring bins whose points differ by at most `tolerance` in every part.

    Merged bins take the mean of their points.
    """
    edges, parts = [], [[] for _ in model.points]  # type: list[Floats], list[list[Floats]]
    for column, limits in enumerate(model.edges):
        values = np.stack([part[column] for part in model.points])
        kept = [0]
        for i in range(1, values.shape[1]):
            if np.abs(values[:, i] - values[:, kept[-1]]).max() > tolerance:
                kept.append(i)
        bounds = [*kept, values.shape[1]]
        edges.append(limits[np.array(kept[1:], dtype=int) - 1] if len(kept) > 1 else np.zeros(0))
        for part, row in enumerate(values):
            parts[part].append(np.round([row[a:b].mean() for a, b in pairwise(bounds)], digits))
    return AdditiveModel(tuple(edges), tuple(tuple(part) for part in parts), round(model.bias, digits))
