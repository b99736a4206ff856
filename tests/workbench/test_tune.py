"""The search over settings: what is chosen on which folds, and which gains are believed."""

from __future__ import annotations

import numpy as np
import pytest

from webclean.workbench.trials import Tuning, judge_gain, list_combinations, tune_settings

FOLDS = np.array([0, 0, 1, 1], dtype=np.int32)
NOW, ONE, TWO = (("a", 0),), (("a", 1),), (("a", 2),)


def test_settings_are_all_combinations() -> None:
    assert list_combinations({"a": [1, 2], "b": ["x"]}) == [(("a", 1), ("b", "x")), (("a", 2), ("b", "x"))]


def test_each_fold_is_scored_with_what_is_best_on_the_others() -> None:
    scores = {NOW: [0.5, 0.5, 0.5, 0.5], ONE: [0.9, 0.9, 0.4, 0.4], TWO: [0.2, 0.4, 0.9, 0.9]}
    found = tune_settings(NOW, [ONE, TWO], FOLDS, scores.__getitem__)
    assert found.chosen == (TWO, ONE)  # TWO is best on fold 1, ONE on fold 0
    assert found.best == ONE
    assert found.f1_now == 0.5
    assert found.f1_train == pytest.approx(0.65)
    assert found.f1_validation == pytest.approx((0.2 + 0.4 + 0.4 + 0.4) / 4)
    assert not found.accepted
    assert found.verdict == "overfits: +0.1500 on the pages it was chosen on, -0.1500 on the others"


def test_a_gain_on_all_folds_holds() -> None:
    scores = {NOW: [0.5, 0.5, 0.5, 0.5], ONE: [0.6, 0.7, 0.6, 0.7]}
    found = tune_settings(NOW, [ONE], FOLDS, scores.__getitem__)
    assert found == Tuning(
        NOW,
        ONE,
        0.5,
        pytest.approx(0.65),
        pytest.approx(0.65),
        (ONE, ONE),
        True,
        "holds: +0.1500 on the pages it was chosen on, +0.1500 on the others",
    )


def test_a_gain_must_be_larger_than_its_standard_error() -> None:
    # gains of .2 and 0 in turn: mean .1, deviation .1155, error .0577; then .5, -.4, .5, -.4: mean .05, error .2598
    steady = {NOW: [0.5] * 4, ONE: [0.7, 0.5, 0.7, 0.5]}
    wild = {NOW: [0.5] * 4, ONE: [1.0, 0.1, 1.0, 0.1]}
    assert tune_settings(NOW, [ONE], FOLDS, steady.__getitem__).accepted
    found = tune_settings(NOW, [ONE], FOLDS, wild.__getitem__)
    assert not found.accepted
    assert found.verdict == "may be chance: +0.0500 on pages it was not chosen on, give or take 0.2598"


def test_the_present_setting_wins_a_tie_and_is_never_accepted() -> None:
    worse = {NOW: [0.5] * 4, ONE: [0.4] * 4}
    found = tune_settings(NOW, [ONE, NOW], FOLDS, worse.__getitem__)
    assert (found.best, found.accepted) == (NOW, False)
    assert found.verdict == "nothing scores better than the present values"
    same = {NOW: [0.5] * 4, ONE: [0.5] * 4}
    found = tune_settings(NOW, [ONE], FOLDS, same.__getitem__)
    assert (found.best, found.accepted, found.verdict) == (NOW, False, "these values change no page's score")
    one_page = tune_settings(
        NOW, [ONE], np.array([0, 1], dtype=np.int32), {NOW: [0.5, 0.5], ONE: [0.6, 0.6]}.__getitem__
    )
    assert one_page.accepted


@pytest.mark.parametrize(
    ("train", "validation", "noise", "holds", "word"),
    [
        (0.0, 0.1, 0.0, False, "nothing"),
        (0.001, 0.0004, 0.0, False, "overfits"),
        (0.0005, 0.0005, 0.0, True, "holds"),
        (0.01, 0.01, 0.01, True, "holds"),
        (0.01, 0.009, 0.01, False, "may"),
        (0.01, 0.005, 0.0, True, "holds"),
        (0.01, 0.0049, 0.0, False, "mostly"),
    ],
)
def test_what_is_believed_of_a_gain(train: float, validation: float, noise: float, holds: bool, word: str) -> None:
    accepted, verdict = judge_gain(train, validation, noise)
    assert (accepted, verdict.split(":")[0].split()[0]) == (holds, word)
