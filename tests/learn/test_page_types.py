"""How often what was said of pages is what is true, and how it is told."""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn")

from webclean.learn.page_types import compare_answers, format_type_scores


def test_agreement_by_hand() -> None:
    found = compare_answers("test", ["a", "a", "b", "c"], ["a", "b", "b", "d"])
    assert found.accuracy == 0.5
    # F1 of a: 2 / (2 + 1), of b: 2 / (1 + 2), of c: 0
    assert found.macro_f1 == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert found.confusion == {
        "a": {"a": 1, "b": 1, "c": 0, "d": 0},
        "b": {"a": 0, "b": 1, "c": 0, "d": 0},
        "c": {"a": 0, "b": 0, "c": 0, "d": 1},
    }


def test_agreement_of_no_page_is_nothing() -> None:
    found = compare_answers("test", [], [])
    assert (found.accuracy, found.macro_f1, found.confusion) == (0.0, 0.0, {})


def test_scores_are_a_line_and_a_table_each() -> None:
    text = format_type_scores(
        [compare_answers("one", ["forum", "a"], ["forum", "forum"]), compare_answers("two", ["a"], ["a"])]
    )
    assert text.splitlines() == [
        f"{'one':42s} accuracy 0.5000  macro-F1 0.3333",
        " " * 16 + "    a forum",
        "  a                 0     1",
        "  forum             0     1",
        f"{'two':42s} accuracy 1.0000  macro-F1 1.0000",
        " " * 16 + "a",
        "  a             1",
    ]
