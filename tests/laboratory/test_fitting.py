"""The additive learner finds known steps, the same each time, and simplifies without changing what it says."""

from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
import yaml

from webclean.features.cards import compile_card, score_table
from webclean.laboratory import fitting
from webclean.laboratory.fitting import (
    AdditiveModel,
    AdditiveOptions,
    find_edges,
    fit_additive,
    read_model,
    round_between,
    simplify_model,
)
from webclean.laboratory.harness import write_cards
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card


def make_rows() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(5)
    table = np.column_stack([chance.uniform(0, 10, 4000), chance.integers(0, 3, 4000), chance.normal(size=4000)])
    odds = np.where(table[:, 0] > 6, 2.0, -1.0) + np.where(table[:, 1] == 2, 1.5, -0.5)
    label = (chance.uniform(size=4000) < 1 / (1 + np.exp(-odds))).astype(float)
    return table, label, np.full(4000, 0.02), np.arange(4000) // 40


def make_kinds() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same rows, of two kinds, of which one wants large values of the first column and the other small ones."""
    table, _, weight, _ = make_rows()
    kind = (np.arange(len(table)) % 2).astype(float)
    return table, np.where(kind == 1, table[:, 0] > 5, table[:, 0] < 5).astype(float), weight, kind


def test_a_written_card_gives_the_points_of_its_model() -> None:
    table, label, weight, kind = make_kinds()
    model = simplify_model(fit_additive(table, label, weight, shares=kind[:, None]), tolerance=0.05)
    names = tuple(f"feature_{i}" for i in range(table.shape[1]))
    registry = FeatureRegistry[Any, Any]("row")
    for name in names:
        registry.feature("points", "a column", name=name)(len)
    text = write_cards([(("score_card",), read_model(names, model, ["product"]), registry)], "A card.")
    card = compile_card(msgspec.convert(yaml.safe_load(text)["score_card"], Card))
    order = [names.index(name) for name in card.names]
    for share in (0.0, 1.0):
        rows = table[kind == share]
        found = score_table(card, np.ascontiguousarray(rows[:, order].T), len(rows), {"product": share})[0]
        assert np.allclose(found, model.score(rows, np.full((len(rows), 1), share)))


def test_few_columns_are_adjusted_and_those_where_kinds_differ() -> None:
    table, label, weight, kind = make_kinds()
    model = fit_additive(table, label, weight, AdditiveOptions(kind_columns=1), shares=kind[:, None])
    assert [bool(points.any()) for points in model.points[1]] == [i == 0 for i in range(table.shape[1])]


def test_simplified_cards_say_nearly_the_same_with_fewer_lines() -> None:
    table, label, weight, _ = make_rows()
    model = fit_additive(table, label, weight)
    simple = simplify_model(model, tolerance=0.1)
    assert sum(map(len, simple.edges)) < sum(map(len, model.edges))
    assert np.abs(simple.score(table) - model.score(table)).max() < 0.5


def test_limits_are_the_shortest_decimals_that_part_two_values() -> None:
    assert round_between(2, 3) == 3
    assert round_between(0.12, 0.19) == 0.16
    assert 0.123456 < round_between(0.123456, 0.123457) <= 0.123457


def test_limits_stand_at_quantiles_of_the_weight_and_of_the_rows() -> None:
    values = np.arange(100.0)
    assert find_edges(values, np.ones(100), 4).tolist() == [50]
    assert find_edges(values, np.where(values < 20, 9.0, 0.5), 4).tolist() == [13, 50]
    assert find_edges(values, np.ones(100), 8).tolist() == [25, 50, 75]
    assert find_edges(np.repeat([1.0, 2.0, 4.0], 5), np.ones(15), 3).tolist() == [2, 3]
    assert find_edges(np.ones(5), np.ones(5), 4).tolist() == []


def measure_loss(
    model: AdditiveModel,
    table: np.ndarray,
    label: np.ndarray,
    weight: np.ndarray,
    options: AdditiveOptions,
    groups: np.ndarray | None = None,
    shares: np.ndarray | None = None,
) -> float:
    """The loss as the options describe it, row by row and page by page."""
    z = model.score(table, shares)
    chance = 1 / (1 + np.exp(-z))
    share = 0.0 if groups is None else options.f1_share
    total = -(1 - share) * float(np.sum(weight * (label * np.log(chance) + (1 - label) * np.log(1 - chance))))
    if groups is not None:
        for page in np.unique(groups):
            w, y, p = (column[groups == page] for column in (weight, label, chance))
            f1 = 2 * np.sum(w * y * p) / (np.sum(w * p) + np.sum(w * y) + 1e-3)
            total += share * fitting._F1_SCALE * np.sum(w) * (1 - f1)
    pulls = [(options.ridge, options.smooth)] + [(options.kind_ridge, options.kind_smooth)] * (len(model.points) - 1)
    for part, (ridge, smooth) in zip(model.points, pulls, strict=True):
        total += sum(0.5 * ridge * np.sum(own**2) + 0.5 * smooth * np.sum(np.diff(own) ** 2) for own in part)
    return total


def shift_to_zero(model: AdditiveModel) -> AdditiveModel:
    """The base points of each column with the mean that costs least, 0; the scores stay."""
    means = [float(own.mean()) for own in model.points[0]]
    base = tuple(own - mean for own, mean in zip(model.points[0], means, strict=True))
    return replace(model, points=(base, *model.points[1:]), bias=model.bias + sum(means))


@pytest.mark.parametrize("kinds", [False, True], ids=["base", "kinds"])
@pytest.mark.parametrize("f1_share", [0.0, 0.4], ids=["logarithmic", "f1"])
def test_no_point_can_be_moved_to_lower_the_loss(kinds: bool, f1_share: float) -> None:
    table, label, _, groups = (column[:900] for column in make_rows())
    weight = np.linspace(0.5, 1.5, len(table))
    shares = np.stack([np.arange(900) % 3 == 0, np.linspace(0, 1, 900)], axis=1).astype(float) if kinds else None
    options = AdditiveOptions(n_bins=6, ridge=0.5, smooth=2.0, f1_share=f1_share, max_rounds=400)
    model = shift_to_zero(
        fit_additive(table, label, weight, options, groups=groups.astype(np.int32) if f1_share else None, shares=shares)
    )

    def lose(changed: AdditiveModel) -> float:
        return measure_loss(changed, table, label, weight, options, groups if f1_share else None, shares)

    def move(part: int, column: int, i: int, step: float) -> AdditiveModel:
        points = [[own.copy() for own in columns] for columns in model.points]
        points[part][column][i] += step
        return replace(model, points=tuple(tuple(columns) for columns in points))

    def measure_slope(higher: AdditiveModel, lower: AdditiveModel) -> float:
        return (lose(higher) - lose(lower)) / (2 * step)

    step = 1e-3
    places = [
        (part, i, at)
        for part, columns in enumerate(model.points)
        for i, own in enumerate(columns)
        for at in range(len(own))
    ]
    slopes = [measure_slope(move(*place, step), move(*place, -step)) for place in places]
    slopes.append(measure_slope(replace(model, bias=model.bias + step), replace(model, bias=model.bias - step)))
    assert np.abs(slopes).max() < 0.05
    assert lose(model) < 0.9 * lose(
        AdditiveModel(model.edges, tuple(tuple(map(np.zeros_like, p)) for p in model.points), 0)
    )
