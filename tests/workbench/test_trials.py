"""Two rule sets over the same pages. The cleaners here are tables: page -> text. Then the search over
settings: what is chosen on which folds, and which gains are believed.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from webclean.workbench.labelled_pages import LabelledPage
from webclean.workbench.trials import PageChange, RuleDiff, Tuning, compare_rules, format_diff, tune_settings

pytest.importorskip("rapidfuzz")


def make_cleaner(texts: dict[bytes, str]) -> Any:
    return SimpleNamespace(clean=lambda html, url: SimpleNamespace(text=texts[html] + (url or "")))


PAGES = [
    LabelledPage("same", "", b"1", "a"),
    LabelledPage("better", "", b"2", "a b", "forum"),
    LabelledPage("worse", "", b"3", "a b"),
    LabelledPage("unknown", " u", b"4", has_text=False),
]
BEFORE = make_cleaner({b"1": "a", b"2": "a c", b"3": "a b", b"4": "x"})
AFTER = make_cleaner({b"1": "a", b"2": "a b", b"3": "c d", b"4": "y"})


def test_changes_are_scored_and_the_largest_loss_comes_first() -> None:
    found = compare_rules(BEFORE, AFTER, PAGES)
    assert found == RuleDiff(
        4,
        (
            PageChange("worse", "page", "a b", "c d", 1.0, 0.0),
            PageChange("unknown", "page", "x u", "y u", None, None),
            PageChange("better", "forum", "a c", "a b", 0.5, 1.0),
        ),
        3,
        pytest.approx(2.5 / 3),
        pytest.approx(2 / 3),
    )
    assert str(found) == (
        "4 pages, 3 change: 1 better, 1 worse; F1 0.8333 -> 0.6667 (-0.1667) on the 3 with a true text"
    )
    assert str(compare_rules(BEFORE, AFTER, PAGES[1:2])) == (
        "1 pages, 1 change: 1 better, 0 worse; F1 0.5000 -> 1.0000 (+0.5000)"
    )
    assert str(compare_rules(BEFORE, AFTER, PAGES[3:])) == "1 pages, 1 change (no true texts, no scores)"
    assert [change.delta for change in found.changes] == [-1.0, 0.0, 0.5]


def test_each_page_is_a_line_with_its_first_changed_lines() -> None:
    assert list(format_diff(compare_rules(BEFORE, AFTER, PAGES)))[1:] == [
        "worse page  F1 1.000 -> 0.000 (-1.000)",
        "    -a b",
        "    +c d",
        "unknown page",
        "    -x u",
        "    +y u",
        "better forum  F1 0.500 -> 1.000 (+0.500)",
        "    -a c",
        "    +a b",
    ]
    before, after = "same\n" + "\n\n".join(f"old {i}" for i in range(4)), "same\n" + "x" * 200
    diff = RuleDiff(1, (PageChange("p", "page", before, after, None, None),), 0, 0.0, 0.0)
    assert list(format_diff(diff, 3))[2:] == ["    -old 0", "    -old 1", "    -old 2", "    ... 2 more lines"]
    assert list(format_diff(diff, 5))[2:] == [*(f"    -old {i}" for i in range(4)), "    +" + "x" * 109]
    assert len(list(format_diff(RuleDiff(1, (PageChange("p", "page", "a\n" * 9, "", None, None),), 0, 0, 0)))) == 9


FOLDS = np.array([0, 0, 1, 1], dtype=np.int32)
NOW, ONE, TWO = (("a", 0),), (("a", 1),), (("a", 2),)


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
