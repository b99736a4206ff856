"""Cases and labels -> points or trees: the fits of all cards. Points: a loss of rows with a penalty, by L-BFGS.

fit_additive     rows in pages, each wanted or not: points for each bin of each column, summed, no interactions
fit_words        the same for words, each a column of its own without bins
fit_multinomial  rows of several classes: points for each class, beside points that are given
fit_choice       rows in pages, of which one is to be chosen
learn_tree       examples of several classes: a decision tree that a person can read

Each is a generalised additive model with step functions (Hastie & Tibshirani 1990; P-splines of degree 0, Eilers & Marx
1996). Neighbouring bins are drawn together and all points to zero, so few pages cannot bend a curve. The loss of an
additive card is the logarithmic one, mixed with the soft F1 of each group of rows (page) where the card is to order a
page's blocks. Where rows are of several kinds (page types), the columns on which the kinds differ most get adjustments.
There is no chance in it: the same data give the same card.

Trees are those of ID3: the test of the largest information gain is asked first (Quinlan, "Induction of Decision
Trees", 1986). scikit-learn grows and prunes them; numbers are cut at thresholds, as in C4.5 (1993). Every split is
binary, `value >= threshold`: a yes/no attribute is a number that is 0 or 1. A missing value (NaN) holds no test and
goes to `else`, in learning as in use. Readings: a tree is pruned by its cost and complexity (Breiman et al., 1984), not
by the pessimistic estimate of C4.5, and the gain ratio of C4.5 is left out, which corrects splits into many branches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, special

from webclean.decide import sigmoid
from webclean.model import Floats, Rows
from webclean.rules.card_schema import Bins, Card, CardLines, Line, TreeNode

_Vector = NDArray[np.float64]
_F1_SCALE: Final = 2.0
"""The size of the soft F1 beside the logarithmic loss."""


@dataclass(frozen=True, slots=True)
class AdditiveOptions:
    """How a card is fitted.

    n_bins: most bins of a column. ridge: pull of all points to zero; smooth: of neighbouring bins to each other.
    kind_columns: most columns that get adjustments by kind; kind_ridge, kind_smooth: the pulls on these. f1_share: of
    the soft F1 in the loss (0..1). max_rounds: of the optimiser.
    """

    n_bins: int = 16
    ridge: float = 0.02
    smooth: float = 0.3
    kind_columns: int = 12
    kind_ridge: float = 0.3
    kind_smooth: float = 0.9
    f1_share: float = 0.0
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
        total = np.zeros(len(table))
        for column, limits in enumerate(self.edges):
            bins = np.searchsorted(limits, table[:, column], side="right")
            given = self.points[0][column][bins]
            for kind, part in enumerate(self.points[1:]):
                if shares is not None and part[column].any():
                    given = given + shares[:, kind] * part[column][bins]
            total = total + given
        return self.bias + total


def find_edges(values: Floats, weight: Floats, n_bins: int) -> Floats:
    """Limits between bins, of two digits: half at quantiles of the weight, half at quantiles of the rows."""
    distinct, inverse = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return np.zeros(0)
    if len(distinct) <= n_bins:
        chosen = np.arange(len(distinct) - 1)
    else:
        # long texts weigh most and are few: by weight alone all bins would lie among them, by rows none
        wanted = np.linspace(0, 1, n_bins // 2 + 1)[1:-1]
        by_weight = np.cumsum(np.bincount(inverse, weight))
        by_rows = np.cumsum(np.bincount(inverse))
        chosen = np.unique(np.concatenate([np.searchsorted(mass / mass[-1], wanted) for mass in (by_weight, by_rows)]))
        chosen = chosen[chosen < len(distinct) - 1]
    exact = (round_between(float(distinct[i]), float(distinct[i + 1])) for i in chosen)
    # two digits: limits are read by people, and a third one moves next to no row
    return np.array(sorted({float(f"{limit:.2g}") for limit in exact}))


def round_between(low: float, high: float) -> float:
    """The shortest decimal in (low, high]: a limit that parts the same rows, a whole number between counts."""
    middle = (low + high) / 2
    for digits in range(-6, 12):
        value = round(math.floor(middle * 10.0**digits + 0.5) / 10.0**digits, max(0, digits))
        if low < value <= high:
            return value
    return high


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
    start = np.concatenate(([0], np.cumsum([len(limits) + 1 for limits in edges]))).astype(np.int64)
    page = None if groups is None else np.unique(groups, return_inverse=True)[1]
    codes = np.empty(table.shape, dtype=np.int32)
    for column, limits in enumerate(edges):
        codes[:, column] = np.searchsorted(limits, table[:, column], side="right") + start[column]
    # each row has just one bin in each column, so the sparse matrix is written down directly
    ones, ends = np.ones(codes.size, dtype=np.float32), np.arange(0, codes.size + 1, table.shape[1])
    design: Any = sparse.csr_matrix((ones, codes.ravel(), ends), shape=(len(table), int(start[-1])))
    problem = _Problem(design, label, weight, start, options.ridge, options.smooth, page)
    found = _minimise(problem.measure, np.zeros(1 + design.shape[1]), options.max_rounds, maxcor=20)
    if page is not None and options.f1_share:
        # the soft F1 has many local optima: it starts from the card that the logarithmic loss alone gave
        problem.f1_share = options.f1_share
        found = _minimise(problem.measure, found, options.max_rounds // 2, maxcor=20)
    parts = found[None, 1:]
    if shares is not None:
        # adjustments last, over a base that is fitted: they then hold what the kinds have apart
        columns = problem.choose_columns(found, shares, options)
        bins = np.concatenate([np.arange(start[i], start[i + 1]) for i in columns])
        wide = problem.adjust(columns, bins, shares, options)
        apart = np.zeros(len(bins) * shares.shape[1])
        found = _minimise(wide.measure, np.append(found, apart), options.max_rounds // 2, maxcor=20)
        parts = np.zeros((1 + shares.shape[1], design.shape[1]))
        parts[0], parts[1:, bins] = found[1 : 1 + design.shape[1]], found[1 + design.shape[1] :].reshape(-1, len(bins))
    base, *more = ([part[a:b].copy() for a, b in pairwise(start.tolist())] for part in parts)
    # each column's base points have a weighted mean of zero: points then compare with the average block
    mass, bias = np.asarray(weight @ design) / weight.sum(), float(found[0])
    for own, (a, b) in zip(base, pairwise(start.tolist()), strict=True):
        mean = float(own @ mass[a:b])
        np.subtract(own, mean, out=own)
        bias += mean
    return AdditiveModel(tuple(edges), tuple(map(tuple, (base, *more))), bias)


def fit_words(counts: Any, label: Floats, weight: Floats, ridge: float = 1.0) -> Floats:
    """float64 [n_words]: log-odds of each word. counts: sparse float32 [n_rows, n_words]."""
    start = np.arange(counts.shape[1] + 1)  # one bin each: there are no neighbours to be drawn together
    problem = _Problem(counts, label, weight, start, ridge, 0.0)
    return _minimise(problem.measure, np.zeros(1 + counts.shape[1]), 120)[1:]


def _minimise(
    measure: Callable[[_Vector], tuple[float, _Vector]],
    start: _Vector,
    max_rounds: int,
    ftol: float | None = 1e-7,
    **settings: Any,
) -> _Vector:
    """The unknowns at the least loss. measure: gives loss and slope; ftol: None for that of scipy."""
    settings |= {"maxiter": max_rounds} | ({} if ftol is None else {"ftol": ftol})
    found = optimize.minimize(measure, start, jac=True, method="L-BFGS-B", options=settings)
    return np.asarray(found.x, dtype=np.float64)


class _Problem:
    """The loss and its slope at a vector of unknowns: the bias, then the points of all bins.

    start: int64 [n_columns + 1], where the bins of each column begin. ridge: of all bins, or float64 [n_bins]; smooth:
    likewise. page: int [n_rows]; f1_share: of the soft F1 in the loss, for which pages are needed.
    """

    def __init__(
        self,
        design: Any,
        label: Floats,
        weight: Floats,
        start: Rows,
        ridge: float | Floats,
        smooth: float | Floats,
        page: Rows | None = None,
    ) -> None:
        self.design, self.transposed = design, design.T.tocsr()
        self.label, self.weight, self.start, self.page = label, weight, start, page
        self.ridge, self.f1_share = ridge, 0.0
        # the last bin of a column and the first of the next are no neighbours
        self.lower = np.setdiff1d(np.arange(design.shape[1]), start[1:] - 1)
        self.smooth = np.broadcast_to(smooth, design.shape[1])[self.lower]

    def adjust(self, columns: Rows, bins: Rows, shares: Floats, options: AdditiveOptions) -> _Problem:
        """The same with adjustments: the bins of some columns once more for each kind, weighed by how far a row is of
        the kind. shares: float64 [n_rows, n_kinds]."""
        n_bins, n_kinds = self.design.shape[1], shares.shape[1]
        apart = self.design[:, bins]
        parts = [apart.multiply(shares[:, [kind]].astype(np.float32)) for kind in range(n_kinds)]
        start = np.append(self.start, n_bins + np.cumsum(np.tile(np.diff(self.start)[columns], n_kinds)))
        sizes = [n_bins, n_kinds * len(bins)]
        ridge, smooth = (
            np.repeat(pair, sizes)
            for pair in ((options.ridge, options.kind_ridge), (options.smooth, options.kind_smooth))
        )
        design = sparse.hstack([self.design, *parts], format="csr")
        wide = _Problem(design, self.label, self.weight, start, ridge, smooth, self.page)
        wide.f1_share = self.f1_share
        return wide

    def measure(self, unknowns: _Vector) -> tuple[float, _Vector]:
        """The loss with its penalties, and its slope."""
        points, lower = unknowns[1:], self.lower
        error, slope = self.measure_rows(self.predict(unknowns))
        gap = points[lower + 1] - points[lower]
        pull = self.transposed @ slope.astype(np.float32) + self.ridge * points
        pull[lower + 1] += self.smooth * gap
        pull[lower] -= self.smooth * gap
        penalty = 0.5 * float(np.sum(self.ridge * points**2) + np.sum(self.smooth * gap**2))
        return error + penalty, np.append(slope.sum(), pull)

    def predict(self, unknowns: _Vector) -> Floats:
        """float64 [n_rows]: the sum of the points of each row."""
        return np.asarray(self.design @ unknowns[1:].astype(np.float32) + unknowns[0], dtype=np.float64)

    def measure_rows(self, z: Floats) -> tuple[float, Floats]:
        """The loss at sums of points, and its slope by them."""
        share, chance = self.f1_share, sigmoid(z)
        error = (1 - share) * float(np.sum(self.weight * (np.logaddexp(0, z) - self.label * z)))
        slope = (1 - share) * self.weight * (chance - self.label)
        if share and self.page is not None:
            wanted = np.bincount(self.page, self.weight * self.label)
            page_weight = np.bincount(self.page, self.weight)
            hits = np.bincount(self.page, self.weight * self.label * chance)
            # pages without main content would divide by nothing
            size = np.bincount(self.page, self.weight * chance) + wanted + 1e-3
            f1 = 2 * hits / size
            share *= _F1_SCALE
            error += share * float(np.sum(page_weight * (1 - f1)))
            inner = (page_weight / size)[self.page] * (2 * self.label - f1[self.page])
            slope = slope - share * inner * self.weight * chance * (1 - chance)
        return error, slope

    def choose_columns(self, unknowns: _Vector, shares: Floats, options: AdditiveOptions) -> Rows:
        """int64: the columns on which the kinds differ most, by how far one Newton step of their adjustments, each bin
        on its own, would lower the loss (Rao's score test)."""
        z = self.predict(unknowns)
        _, slope = self.measure_rows(z)
        bend = self.weight * sigmoid(z) * (1 - sigmoid(z))
        steep = self.transposed @ (slope[:, None] * shares)
        curved = self.transposed @ (bend[:, None] * shares**2) + options.kind_ridge
        gain = np.add.reduceat((steep**2 / curved).sum(axis=1), self.start[:-1])
        return np.sort(np.argsort(-gain, kind="stable")[: options.kind_columns])


def simplify_model(model: AdditiveModel, tolerance: float) -> AdditiveModel:
    """Round points and merge neighbouring bins whose points differ by at most `tolerance` in every part.

    Merged bins take the mean of their points. Those of the base have two digits, adjustments by kind one.
    """
    edges, parts = [], [[] for _ in model.points]  # type: list[Floats], list[list[Floats]]
    for column, limits in enumerate(model.edges):
        values = np.stack([part[column] for part in model.points])
        kept = [0]
        for i in range(1, values.shape[1]):
            # compared with the first bin of the run: with the last one, a slow slope would melt into one bin
            if np.abs(values[:, i] - values[:, kept[-1]]).max() > tolerance:
                kept.append(i)
        bounds = [*kept, values.shape[1]]
        edges.append(limits[np.array(kept[1:], dtype=int) - 1] if len(kept) > 1 else np.zeros(0))
        for part, row in enumerate(values):
            means = [row[a:b].mean() for a, b in pairwise(bounds)]
            parts[part].append(np.round(means, 1 if part else 2))
    return AdditiveModel(tuple(edges), tuple(tuple(part) for part in parts), round(model.bias, 2))


def read_model(names: Sequence[str], model: AdditiveModel, kinds: Sequence[str] = ()) -> Card:
    """The card of a fitted model. kinds: the types, in the order of the model's adjustments."""
    base, *parts = model.points
    lines, added = dict[str, Line](), {kind: CardLines() for kind in kinds}
    for column, (name, edges) in enumerate(zip(names, model.edges, strict=True)):
        if len(base[column]) > 1:
            lines[name] = Bins(below=tuple(edges.tolist()), points=tuple(base[column].tolist()))
        for kind, part in zip(kinds, parts, strict=True):
            if part[column].any():
                # limits with the same points on both sides are left out
                kept = np.flatnonzero(np.diff(part[column]))
                points = part[column][np.append(kept, len(part[column]) - 1)]
                added[kind].lines[name] = Bins(below=tuple(edges[kept].tolist()), points=tuple(points.tolist()))
    return Card(bias=model.bias, lines=lines, by_type={kind: part for kind, part in added.items() if part.lines})


def fit_multinomial(
    table: Floats, true: Floats, given: Floats, weight: Floats, strength: float
) -> tuple[Floats, Floats]:
    """Points [n_columns, n_classes] and bias [n_classes] of a multinomial logistic regression beside given points.

    table: float64 [n_rows, n_columns]; true, given: float64 [n_rows, n_classes]; strength: inverse of the L2 penalty.
    """
    shape = (table.shape[1] + 1, true.shape[1])

    def measure(unknowns: _Vector) -> tuple[float, _Vector]:
        points = unknowns.reshape(shape)
        chance = special.softmax(table @ points[:-1] + points[-1] + given, axis=1)
        loss = -float(np.sum(weight[:, None] * true * np.log(chance + 1e-12)))
        error = (chance - true) * weight[:, None]
        slope = strength * np.vstack([table.T @ error, error.sum(axis=0)])
        slope[:-1] += points[:-1]
        return strength * loss + 0.5 * float(np.sum(points[:-1] ** 2)), slope.ravel()

    points = _minimise(measure, np.zeros(shape).ravel(), 150, ftol=None).reshape(shape)
    return points[:-1], points[-1]


def fit_choice(table: Floats, starts: Rows, right: Floats, ridge: float) -> Floats:
    """float64 [n_columns]: points of a conditional logit (McFadden, "Conditional logit analysis of qualitative choice
    behavior", 1974).

    The chance that a page's answer is option i is exp(score i) / sum over its options, where a score is the sum of the
    points of the option; a page with several right ones counts their chances together. table: float64 [n_options,
    n_columns]; starts: int [n_pages], the first option of each; right: float64 [n_options], 1 or 0.
    """
    sizes = np.diff(np.append(starts, len(table)))

    def measure(points: _Vector) -> tuple[float, _Vector]:
        scores = table @ points
        # exp of large sums would overflow; the shares stay the same
        raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        every = np.add.reduceat(raised, starts)
        good = np.add.reduceat(raised * right, starts)
        slope = raised / np.repeat(every, sizes) - raised * right / np.repeat(good, sizes)
        loss = float(np.log(every / good).sum() + 0.5 * ridge * points @ points)
        return loss, np.asarray(table.T @ slope + ridge * points)

    return _minimise(measure, np.zeros(table.shape[1]), 500, ftol=None)


def learn_tree(values: Floats, answers: Sequence[str], names: Sequence[str], **settings: Any) -> TreeNode:
    """Grow and prune a tree.

    values: float64 [n, n_features], NaN where missing; answers: class of each example; names: of the features.
    settings: of `sklearn.tree.DecisionTreeClassifier`.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415  only learning needs it

    # a missing value holds no test: below every threshold
    least = np.nanmin(values, initial=0.0) - 1
    table = np.where(np.isnan(values), least, values).astype(np.float32)  # which scikit-learn compares
    learner = DecisionTreeClassifier(criterion="entropy", random_state=0, **settings)  # it decides between equal gains
    grown = learner.fit(table, answers).tree_

    def read(node: int) -> TreeNode:
        """A subtree. A leaf is of the class of the largest weight, and shows the weights, the largest first."""
        counts = grown.value[node][0] * grown.weighted_n_node_samples[node]
        order = np.argsort(-counts, kind="stable").tolist()
        shares = {str(learner.classes_[i]): round(float(counts[i]), 2) for i in order if counts[i] > 0}
        leaf = TreeNode(answer=str(learner.classes_[order[0]]), counts=shares)
        if grown.children_left[node] < 0:
            return leaf
        then, otherwise = read(grown.children_right[node]), read(grown.children_left[node])
        if then.answer is not None and then.answer == otherwise.answer:
            return leaf
        column, limit = int(grown.feature[node]), float(grown.threshold[node])
        # three significant digits, or as many more as it takes to part the same examples
        rounded = (float(f"{limit:.{n}g}") for n in range(3, 18))
        held = table[:, column] > limit
        threshold = next((one for one in rounded if np.array_equal(table[:, column] >= one, held)), limit)
        test = f"{names[column]} >= {np.format_float_positional(threshold, trim='-')}"
        return TreeNode(test=test, then=then, otherwise=otherwise)

    return read(0)
