"""Pages with several candidates each, some of them right -> points of each feature (a conditional logit).

McFadden, "Conditional logit analysis of qualitative choice behavior" (1974): the chance that a page's value is
candidate i is
exp(score i) / sum over its candidates and the choice of none, where a score is the sum of the points of the features.
Fitted by
maximum likelihood with a ridge; a page with several right candidates counts their chances together. Numbers are cut
into lines at the given edges, so that what comes out is a card that a person can read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webclean.model import Floats
from webclean.rules.card_schema import Bins, Card

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Choice:
    """One page: features and rightness of each candidate, features of the page, which speak for an answer of any kind.

    has_answer: false where none is right and none is the answer; pages whose answer is no candidate are left out.
    """

    candidates: Sequence[Features]
    right: Sequence[bool]
    page: Features
    has_answer: bool


@dataclass(frozen=True, slots=True)
class ChoiceSettings:
    """edges: feature -> where its lines end. ridge: strength of the penalty on points. none: learn when to give no
    answer."""

    edges: Mapping[str, Sequence[float]]
    ridge: float = 1.0
    none: bool = True
    digits: int = 2


def learn_choice_card(choices: Sequence[Choice], settings: ChoiceSettings) -> Card:
    """A card whose candidates are answers from 0 points on. Features that never vary get no points."""
    from scipy.optimize import minimize  # noqa: PLC0415  the learning extra; nothing else needs it

    used = [c for c in choices if (any(c.right) if c.has_answer else settings.none)]
    columns = list_columns(used, settings)
    matrix, starts, right = encode_choices(used, columns, settings)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = matrix @ weights
        top = np.maximum.reduceat(scores, starts)
        sizes = np.diff(np.append(starts, len(scores)))
        raised = np.exp(scores - np.repeat(top, sizes))
        every = np.add.reduceat(raised, starts)
        good = np.add.reduceat(raised * right, starts)
        slope = raised / np.repeat(every, sizes) - raised * right / np.repeat(good, sizes)
        value = float(np.log(every / good).sum() + 0.5 * settings.ridge * weights @ weights)
        return value, np.asarray(matrix.T @ slope + settings.ridge * weights)

    found = minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return build_card(columns, found.x, settings)


Column = tuple[str, int]
"""A feature and the line of its value; line -1 for a feature without lines; the name '' is the choice of none."""


def list_columns(choices: Sequence[Choice], settings: ChoiceSettings) -> list[Column]:
    """The columns of the design matrix."""
    names = {name for c in choices for features in (*c.candidates, c.page) for name in features}
    columns: list[Column] = [("", -1)] if settings.none else []
    for name in sorted(names):
        edges = settings.edges.get(name)
        columns += [(name, -1)] if edges is None else [(name, i) for i in range(len(edges) + 1)]
    return columns


def encode_choices(
    choices: Sequence[Choice], columns: Sequence[Column], settings: ChoiceSettings
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """(float64 [n_options, n_columns], first option of each page, 1 where an option is right).

    The option of none comes last on each page; features of the page are counted against it.
    """
    place = {column: i for i, column in enumerate(columns)}
    n = sum(len(c.candidates) + settings.none for c in choices)
    matrix, right, starts, row = np.zeros((n, len(columns))), np.zeros(n), [], 0

    def put(features: Features, sign: float) -> None:
        for name, value in features.items():
            edges = settings.edges.get(name)
            line = -1 if edges is None else int(np.searchsorted(edges, value, side="right"))
            at = place.get((name, line))
            if at is not None:
                matrix[row, at] += sign * (value if edges is None else 1.0)

    for choice in choices:
        starts.append(row)
        for features, good in zip(choice.candidates, choice.right, strict=True):
            put(features, 1.0)
            right[row] = good
            row += 1
        if settings.none:
            matrix[row, place["", -1]] = 1.0
            put(choice.page, -1.0)
            right[row] = not choice.has_answer
            row += 1
    return matrix, np.array(starts, dtype=np.intp), right


def build_card(columns: Sequence[Column], weights: Floats, settings: ChoiceSettings) -> Card:
    """The card of the columns' weights, rounded; features whose points round to nothing are left out.

    What speaks for the choice of none stands against every candidate.
    """
    points: dict[str, list[float]] = {}
    for (name, _), weight in zip(columns, weights.tolist(), strict=True):
        points.setdefault(name, []).append(round(weight, settings.digits))
    (none,) = points.pop("", [0.0])
    return Card(
        bias=-none,
        lines={
            name: Bins(below=tuple(settings.edges[name]), points=tuple(own)) if name in settings.edges else own[0]
            for name, own in points.items()
            if any(own)
        },
    )
