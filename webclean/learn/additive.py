"""Columns and labels -> an additive card: points for each bin of each column, summed, no interactions.

A generalised additive model with step functions (Hastie & Tibshirani 1990; P-splines of degree 0, Eilers & Marx 1996),
fitted by L-BFGS. Neighbouring bins are drawn together and all points to zero, so few pages cannot bend a curve. The
loss is the logarithmic one, mixed with the soft F1 of each group of rows (page) where the card is to order a page's
blocks. Where rows are of several kinds (page types), the columns on which the kinds differ most get adjustments.
There is no chance in it: the same data give the same card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from webclean.decide.cut import sigmoid
from webclean.model import Floats, Rows

_Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AdditiveOptions:
    """How a card is fitted.

    n_bins: most bins of a column. ridge: pull of all points to zero; smooth: of neighbouring bins to each other.
    kind_columns: most columns that get adjustments by kind; kind_ridge, kind_smooth: the pulls on these. f1_share: of
    the soft F1 in the loss (0..1); f1_scale: its size beside the logarithmic loss. max_rounds: of the optimiser.
    """

    n_bins: int = 16
    ridge: float = 0.02
    smooth: float = 0.3
    kind_columns: int = 12
    kind_ridge: float = 0.3
    kind_smooth: float = 0.9
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
        return self.bias + sum(
            (self.score_column(table, i, shares) for i in range(len(self.edges))), np.zeros(len(table))
        )

    def score_column(self, table: Floats, column: int, shares: Floats | None = None) -> Floats:
        """float64 [n_rows]: points that one column gives."""
        bins = np.searchsorted(self.edges[column], table[:, column], side="right")
        total = self.points[0][column][bins]
        if shares is not None:
            for kind, part in enumerate(self.points[1:]):
                if part[column].any():
                    total = total + shares[:, kind] * part[column][bins]
        return total


def find_edges(values: Floats, weight: Floats, n_bins: int) -> Floats:
    """Limits between bins, of two digits: half at quantiles of the weight, half at quantiles of the rows."""
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
    exact = (round_between(float(distinct[i]), float(distinct[i + 1])) for i in chosen)
    return np.array(sorted({float(f"{limit:.2g}") for limit in exact}))


def round_between(low: float, high: float) -> float:
    """The shortest decimal in (low, high]: a limit that parts the same rows, a whole number between counts."""
    middle = (low + high) / 2
    for digits in range(-6, 12):
        value = round(math.floor(middle * 10.0**digits + 0.5) / 10.0**digits, max(0, digits))
        if low < value <= high:
            return value
    return high


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """Where the points of each column stand in the vector of unknowns of one part, without the bias.

    start: int64 [n_columns + 1]; lower: positions of bins that have an upper neighbour.
    """

    start: NDArray[np.int64]
    lower: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Unknowns of a part."""
        return int(self.start[-1])


def _lay_out(edges: Sequence[Floats]) -> _Layout:
    start = np.concatenate(([0], np.cumsum([len(e) + 1 for e in edges]))).astype(np.int64)
    lower = [np.arange(a, b - 1) for a, b in pairwise(start.tolist())]
    return _Layout(start, np.concatenate(lower).astype(np.int64))


def _build_design(table: Floats, edges: Sequence[Floats], layout: _Layout) -> Any:
    """Sparse float32 [n_rows, n_unknowns of a part]: one entry a column."""
    n, width = len(table), len(edges)
    codes = np.empty((n, width), dtype=np.int32)
    for column, limits in enumerate(edges):
        codes[:, column] = np.searchsorted(limits, table[:, column], side="right") + layout.start[column]
    ends = np.arange(0, n * width + 1, width)
    ones = np.ones(n * width, dtype=np.float32)
    return sparse.csr_matrix((ones, codes.ravel(), ends), shape=(n, layout.size))


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
    the page of each row (needed for `f1_share`), which counts as much as its rows weigh; shares: float [n_rows,
    n_kinds] for adjustments by kind.
    """
    options = options or AdditiveOptions()
    edges = [find_edges(table[:, column], weight, options.n_bins) for column in range(table.shape[1])]
    layout = _lay_out(edges)
    problem = _Problem(_build_design(table, edges, layout), label, weight, layout, options, groups)
    found = _minimise(problem.without_f1(), np.zeros(1 + layout.size), options.max_rounds)
    if problem.share:
        found = _minimise(problem, found, options.max_rounds // 2)
    parts = [found[1:]]
    if shares is not None:
        chosen = problem.choose_columns(found, shares)
        nested = problem.with_kinds(chosen, shares)
        found = _minimise(nested, nested.extend(found), options.max_rounds // 2)
        parts = nested.read_parts(found)
    points = tuple(tuple(part[a:b].copy() for a, b in pairwise(layout.start.tolist())) for part in parts)
    return _centre(AdditiveModel(tuple(edges), points, float(found[0])), problem.design, weight)


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


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """The adjusted columns. shares: float64 [n_rows, n_kinds]; bins: int64, the positions of their bins in the base;
    lower: int64, places in `bins` that have an upper neighbour; design, transposed: those columns of the design."""

    shares: Floats
    bins: Rows
    lower: Rows
    design: Any
    transposed: Any


class _Problem:
    """The loss and its slope at a vector of unknowns: the bias, the points of the base, then of the adjustments.

    Adjustments are points [n_kinds, n_bins] of the chosen columns, each weighed by how far a row is of the kind.
    """

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
        self.share = 0.0 if self.page is None else options.f1_share
        self.wanted = np.zeros(0) if self.page is None else np.bincount(self.page, weight * label)
        self.page_weight = np.zeros(0) if self.page is None else np.bincount(self.page, weight)
        self.kinds: _Kinds | None = None

    def without_f1(self) -> _Problem:
        """The same with the logarithmic loss alone."""
        other = copy(self)
        other.share = 0.0
        return other

    def with_kinds(self, columns: Rows, shares: Floats) -> _Problem:
        """The same with adjustments of some columns; shares: float [n_rows, n_kinds]."""
        start = self.layout.start
        bins = np.concatenate([np.arange(start[i], start[i + 1]) for i in columns])
        lower = np.flatnonzero(np.isin(bins, self.layout.lower))
        design = self.design[:, bins].tocsr()
        other = copy(self)
        other.kinds = _Kinds(shares, bins, lower, design, design.T.tocsr())
        return other

    def extend(self, unknowns: _Vector) -> _Vector:
        """Unknowns of the base, with adjustments of 0."""
        n_adjusted = 0 if self.kinds is None else len(self.kinds.bins) * self.kinds.shares.shape[1]
        return np.concatenate([unknowns, np.zeros(n_adjusted)])

    def read_parts(self, unknowns: _Vector) -> list[_Vector]:
        """The points of the base and of each kind, all bins of all columns."""
        base, adjusted = self._split(unknowns)
        parts = np.zeros((len(adjusted), self.layout.size))
        if self.kinds is not None:
            parts[:, self.kinds.bins] = adjusted
        return [base, *parts]

    def _split(self, unknowns: _Vector) -> tuple[_Vector, _Vector]:
        base, rest = unknowns[1 : 1 + self.layout.size], unknowns[1 + self.layout.size :]
        return base, rest.reshape(-1, 1 if self.kinds is None else len(self.kinds.bins))

    def measure(self, unknowns: _Vector) -> tuple[float, _Vector]:
        """The loss with its penalties, and its slope."""
        options, kinds = self.options, self.kinds
        base, adjusted = self._split(unknowns)
        z = np.asarray(self.design @ base.astype(np.float32) + unknowns[0], dtype=np.float64)
        if kinds is not None:
            z += ((kinds.design @ adjusted.T.astype(np.float32)) * kinds.shares).sum(axis=1)
        error, slope = self._measure_rows(z)
        pulled, pull = _penalise(base[None], self.layout.lower, options.ridge, options.smooth)
        slopes = [[slope.sum()], self.transposed @ slope.astype(np.float32) + pull[0]]
        if kinds is not None:
            more, pull = _penalise(adjusted, kinds.lower, options.kind_ridge, options.kind_smooth)
            pulled += more
            slopes.append(((kinds.transposed @ (slope[:, None] * kinds.shares).astype(np.float32)).T + pull).ravel())
        return error + pulled, np.concatenate(slopes)

    def _measure_rows(self, z: Floats) -> tuple[float, Floats]:
        share, chance = self.share, sigmoid(z)
        error = (1 - share) * float(np.sum(self.weight * (np.logaddexp(0, z) - self.label * z)))
        slope = (1 - share) * self.weight * (chance - self.label)
        if share and self.page is not None:
            hits = np.bincount(self.page, self.weight * self.label * chance)
            size = np.bincount(self.page, self.weight * chance) + self.wanted + 1e-3
            f1 = 2 * hits / size
            share *= self.options.f1_scale
            error += share * float(np.sum(self.page_weight * (1 - f1)))
            inner = (self.page_weight / size)[self.page] * (2 * self.label - f1[self.page])
            slope = slope - share * inner * self.weight * chance * (1 - chance)
        return error, slope

    def choose_columns(self, unknowns: _Vector, shares: Floats) -> Rows:
        """int64: the columns on which the kinds differ most, by how far one Newton step of their adjustments, each bin
        on its own, would lower the loss (Rao's score test)."""
        z = np.asarray(self.design @ unknowns[1:].astype(np.float32) + unknowns[0], dtype=np.float64)
        _, slope = self._measure_rows(z)
        bend = self.weight * sigmoid(z) * (1 - sigmoid(z))
        steep = self.transposed @ (slope[:, None] * shares)
        curved = self.transposed @ (bend[:, None] * shares**2) + self.options.kind_ridge
        gain = np.add.reduceat((steep**2 / curved).sum(axis=1), self.layout.start[:-1])
        return np.sort(np.argsort(-gain, kind="stable")[: self.options.kind_columns])


def _penalise(points: _Vector, lower: Rows, ridge: float, smooth: float) -> tuple[float, _Vector]:
    """The penalty of points [n_parts, n_bins] and its slope; lower: bins that have an upper neighbour."""
    gap = points[:, lower + 1] - points[:, lower]
    slope = ridge * points
    slope[:, lower + 1] += smooth * gap
    slope[:, lower] -= smooth * gap
    return 0.5 * float(ridge * np.sum(points**2) + smooth * np.sum(gap**2)), slope


def simplify_model(model: AdditiveModel, tolerance: float, digits: int = 2, kind_digits: int = 1) -> AdditiveModel:
    """Round points and merge neighbouring bins whose points differ by at most `tolerance` in every part.

    Merged bins take the mean of their points. digits, kind_digits: of the points of the base and of adjustments.
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
            means = [row[a:b].mean() for a, b in pairwise(bounds)]
            parts[part].append(np.round(means, kind_digits if part else digits))
    return AdditiveModel(tuple(edges), tuple(tuple(part) for part in parts), round(model.bias, digits))
