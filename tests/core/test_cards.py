"""Cards over features of blocks, what surrounds a block, and the cut, against sums by hand."""

import math

import numpy as np
import pytest

from tests import read_columns
from webclean import core
from webclean.decide import find_blocks
from webclean.features import BLOCK_FEATURES, PageColumns

N_WORDS, POSITION = (BLOCK_FEATURES.numbers[name] for name in ("n_words", "position"))


@pytest.fixture
def columns() -> PageColumns:
    """Blocks of 1, 3 and 4 words."""
    return read_columns("<p>Rivers</p><p>rise in hills</p><p>and run to sea</p>")


def make_plan(limits: list[float], points: list[list[float]], late: list[float], bias: list[float]) -> object:
    """A card of words and place. late: points of the last half of the words."""
    first_limit = [0, len(limits), len(limits) + 1]
    bins = np.array([*points, [0.0] * len(bias), late])
    return core.CardPlan([N_WORDS, POSITION], np.array([*limits, 0.5]), first_limit, bins, np.array(bias))


def test_bins_and_bias_are_added_up(columns: PageColumns) -> None:
    plan = make_plan([2, 3], [[-1], [5], [2]], [8.0], [0.5])
    assert core.score_alone(columns.features, ((plan, 1.0, ()),)).tolist() == [-1 + 0 + 0.5, 2 + 0 + 0.5, 2 + 8 + 0.5]


def test_a_type_adds_as_far_as_a_page_is_of_it(columns: PageColumns) -> None:
    plan = make_plan([3], [[-1, 0], [2, 4]], [0.0, 8.0], [0.5, -2.0])
    found = core.score_alone(columns.features, ((plan, 1.0, (0.25,)),))
    assert found.tolist() == [-1 + 0 + 0, 2 + 1 + 0, 2 + 1 + 2]


def test_cards_count_by_their_shares(columns: PageColumns) -> None:
    first, second = make_plan([3], [[0], [4]], [0.0], [1.0]), make_plan([], [[0]], [8.0], [-2.0])
    found = core.score_alone(columns.features, ((first, 0.25, ()), (second, 0.75, ())))
    assert found.tolist() == [0.25 - 1.5, 1.25 - 1.5, 1.25 + 4.5]
    assert core.score_alone(columns.features, ()).tolist() == [0, 0, 0]


def test_what_is_around_a_block_is_a_mean_of_chances(columns: PageColumns) -> None:
    """Three paragraphs of one path, of 1, 3 and 4 words, that are content with chances of .5, .5 and .75."""
    names = list(core.AROUND_TABLES["points"])
    points = np.array([0.0, 0.0, math.log(3)])
    found = dict(
        zip(
            [name for name, *_ in names],
            core.Around(find_blocks(columns), points).measure(list(range(len(names)))).tolist(),
            strict=True,
        )
    )
    assert found["own_points"] == points.tolist()
    assert found["best_points"] == [math.log(3)] * 3
    assert found["path_points"] == pytest.approx([math.log(5 / 3)] * 3)  # 5 of 8 words
    near = (0.5 + 1.5 + 3 + 0.05) / 8.5
    assert found["points_within_3"] == pytest.approx([math.log(near / (1 - near))] * 3)
    before = [0.05 / 0.5, 0.55 / 1.5, 2.05 / 4.5]
    assert found["points_before_10"] == pytest.approx([math.log(chance / (1 - chance)) for chance in before])
    assert found["kept_so_far"] == [0.125, 0.5, 1.0]  # all are kept
    assert found["over_cut"] == points.tolist()
    assert found["container_kept_3"] == [1.0] * 3


def test_both_passes_count_by_the_share_of_the_second(columns: PageColumns) -> None:
    of_own = core.CardPlan([0], np.array([2.0, 3.0]), [0, 2], np.array([[10.0], [20.0], [40.0]]), np.array([1.0]))
    first, seen = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])
    found = core.score_around(find_blocks(columns), first, seen, of_own, (), 0.25)
    assert found.tolist() == [0.25 * 11 + 0.75, 0.25 * 21 + 1.5, 0.25 * 41 + 2.25]


def test_the_cut_keeps_what_gives_the_best_expected_score() -> None:
    """The example of `decide`, with sure points."""
    points = np.log(np.array([1.0, 9.0, 1 / 9]))
    kept, lowest, expected = core.keep_best(points, np.full(3, 10.0), core.CutPlan(0.0, 0.0, 1.0, 0.0, 0.5))
    assert kept.tolist() == [True, True, False]
    assert lowest == 0.0
    assert expected == pytest.approx(28 / 35)


def test_of_all_numbers_of_blocks_the_best_is_kept() -> None:
    """Tried one by one, under each of the five shifts that the quadrature has."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(5)
    made = np.random.default_rng(7)
    for n in (1, 2, 7, 40):
        points, words = made.normal(size=n).round(1), made.integers(1, 30, size=n).astype(float)
        order = sorted(range(n), key=lambda i: -points[i])
        expected = []
        for k in range(1, n + 1):
            found = 0.0
            for node, share in zip(nodes, shares / shares.sum(), strict=True):
                chances = 1 / (1 + np.exp(-(points + 0.3 + 2 * node)))
                hits = sum(chances[i] * words[i] for i in order[:k])
                found += share * 2 * hits / (sum(words[i] for i in order[:k]) + (chances * words).sum())
            expected.append(found)
        best = int(np.argmax(expected))
        kept, lowest, reached = core.keep_best(points, words, core.CutPlan(0.3, 2.0, 1.0, 0.0, 0.5))
        assert sorted(np.flatnonzero(kept)) == sorted(order[: best + 1])
        assert lowest == points[order[best]]
        assert reached == pytest.approx(expected[best])


def test_a_text_that_is_too_short_is_not_kept() -> None:
    points, words = np.array([3.0, -3.0]), np.array([10.0, 90.0])
    assert core.keep_best(points, words, core.CutPlan(0.0, 1.0, 1.0, 11.0, 0.2))[0].tolist() == [False, False]
    assert core.keep_best(points, words, core.CutPlan(0.0, 1.0, 1.0, 11.0, 0.2))[1] == np.nextafter(3.0, 4.0)
    assert core.keep_best(points, words, core.CutPlan(0.0, 1.0, 1.0, 10.0, 0.2))[0].tolist() == [True, False]
