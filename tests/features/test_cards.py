"""The additive card: sums as by hand, for tables, single rows, classes, types, words and mixtures."""

import math
from typing import Any

import msgspec
import numpy as np
import pytest

from webclean.errors import RuleError
from webclean.features.cards import compile_card, explain_points, score_one, score_table, softmax
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card

BLOCKS = {
    "bias": -0.5,
    "lines": {"n_words": {"below": [4, 12], "points": [-1, 0.25, 1.5]}, "nested": 0.1},
    "given": {"n_words": {"below": [8], "points": [0, 0.5], "because": "long"}},
    "by_type": {"forum": {"bias": 0.75, "lines": {"n_words": {"below": [6], "points": [0.5, 0]}, "first": -0.2}}},
}
PAGES = {
    "bias": {"article": 1, "forum": -1},
    "lines": {"links": {"below": [10], "points": {"forum": [-0.5, 2]}, "because": "threads link"}},
    "words": {"url": {"thread": {"forum": 0.75}, "news": {"article": 0.5, "forum": -0.25}}},
}


def make_card(values: Any) -> Card:
    return msgspec.convert(values, Card)


def make_registry(*names: str) -> FeatureRegistry[Any, Any]:
    registry = FeatureRegistry[Any, Any]("block")
    for name in names:
        registry.feature("words", "words of the block", name=name)(len)
    return registry


def make_table(card: Card, **columns: list[float]) -> np.ndarray:
    return np.array([columns[name] for name in compile_card(card).names], dtype=np.float64)


def test_a_table_is_summed_by_bins_flags_and_given_lines() -> None:
    card = make_card(BLOCKS)
    table = make_table(card, n_words=[3, 4, 8, 12], nested=[0, 1, 2, 0], first=[1, 1, 1, 1])
    # bias + bin of n_words + 0.1 where it is nested + the line by hand
    by_hand = [-0.5 - 1 + 0 + 0, -0.5 + 0.25 + 0.1 + 0, -0.5 + 0.25 + 0.1 + 0.5, -0.5 + 1.5 + 0 + 0.5]
    assert score_table(compile_card(card), table, 4)[0].tolist() == pytest.approx(by_hand)


def test_a_type_adds_as_far_as_the_page_is_of_it() -> None:
    card = make_card(BLOCKS)
    table = make_table(card, n_words=[3, 6], nested=[0, 0], first=[1, 1])
    plain = [-1.5, -0.25]
    added = [0.75 + 0.5 - 0.2, 0.75 + 0 - 0.2]
    for share in (0.0, 0.4, 1.0):
        by_hand = [own + share * more for own, more in zip(plain, added, strict=True)]
        assert score_table(compile_card(card), table, 2, {"forum": share})[0].tolist() == pytest.approx(by_hand)


def test_a_value_at_a_limit_is_in_the_bin_above_and_a_missing_one_says_nothing() -> None:
    card = make_card({"bias": 1, "lines": {"a": {"below": [0.5], "points": [10, 20]}, "b": 3}})
    compiled = compile_card(card)
    values = [{"a": 0.5, "b": 0}, {"a": 0.4999, "b": 1}, {"a": math.nan, "b": 1}, {"a": 0.5, "b": math.nan}]
    by_hand = [21, 14, 4, 21]
    table = make_table(card, a=[row["a"] for row in values], b=[row["b"] for row in values])
    assert score_table(compiled, table, 4)[0].tolist() == by_hand
    assert [score_one(compiled, row)[0] for row in values] == by_hand
    assert score_one(compiled, {"unknown": 9}) == [1]


def test_classes_have_points_of_their_own_and_words_add_theirs() -> None:
    compiled = compile_card(make_card(PAGES))
    assert compiled.classes == ("article", "forum")
    assert score_one(compiled, {"links": 12}) == [1, 1]
    assert compiled.words == (("url", "thread"), ("url", "news"))
    assert score_one(compiled, {"links": 3}, [0, 1]) == [1.5, -1]
    assert score_table(compiled, np.array([[3.0, 12.0]]), 2).tolist() == [[1, 1], [-1.5, 1]]


def test_tables_of_any_size_are_scored_as_row_by_row() -> None:
    card = make_card({"bias": 0.5, "lines": {"a": {"below": [2, 5], "points": [1, -2, 4]}}})
    values = np.arange(10_000) % 7.0
    found = score_table(compile_card(card), values[None], 10_000)[0]
    assert found.tolist() == [score_one(compile_card(card), {"a": value})[0] for value in values.tolist()]
    assert score_table(compile_card(card), np.zeros((1, 0)), 0).shape == (1, 0)
    assert score_table(compile_card(Card(bias=2.0)), [], 3).tolist() == [[2, 2, 2]]


def test_softmax_gives_the_shares_of_the_odds() -> None:
    assert softmax([1.0, 2.0]) == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e)])


def test_reasons_sum_to_the_score_and_name_value_meaning_and_why() -> None:
    card = make_card(BLOCKS)
    known = make_registry("n_words", "nested", "first")
    values = {"n_words": 9.0, "nested": 1.0, "first": 1.0}
    reasons = list(explain_points(card, values, known, "first pass", share=0.5, weights={"forum": 0.5}))
    assert [(reason.rule, reason.points) for reason in reasons] == [
        ("n_words", 0.25),
        ("n_words", 0.125),
        ("nested", 0.05),
        ("by_type.forum.first", -0.05),
    ]
    assert reasons[0].evidence == "n_words = 9 (words: words of the block). long"
    assert reasons[2].evidence == "nested = 1 (words: words of the block)"
    table = make_table(card, n_words=[9], nested=[1], first=[1])
    score = score_table(compile_card(card), table, 1, {"forum": 0.5})[0, 0]
    assert sum(reason.points or 0.0 for reason in reasons) + 0.5 * (-0.5 + 0.5 * 0.75) == pytest.approx(0.5 * score)


def test_reasons_for_a_class_are_what_it_has_over_its_rival() -> None:
    reasons = explain_points(
        make_card(PAGES), {"links": 12.0}, None, "page", chosen="forum", rival="article", words=[("url", "news")]
    )
    assert [(reason.rule, reason.points, reason.evidence) for reason in reasons] == [
        ("links", 2.0, "links = 12. threads link"),
        ("url:news", -0.75, "url word 'news'"),
    ]


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ({"lines": {"a": {"below": [4, 4], "points": [1, 0, 2]}}}, r"lines\.a\.below: .*must rise"),
        ({"lines": {"a": {"below": [4], "points": [1]}}}, r"lines\.a\.points: .*1 points for 2 bins"),
        ({"given": {"a": {"below": [4], "points": [1]}}}, r"given\.a\.points"),
        ({"by_type": {"x": {"lines": {"a": {"points": [1, 2]}}}}}, r"by_type\.x\.lines\.a\.points"),
        ({"lines": {"zz": 1}}, r"lines\.zz: unknown block feature 'zz'"),
        ({"bias": {"x": 0}, "lines": {"a": {"points": {"y": [1]}}}}, r"lines\.a: no class 'y'"),
        ({"bias": {"x": 0}, "lines": {"a": {"points": [1]}}}, r"lines\.a: .*need a class"),
        ({"bias": {"x": 0}, "words": {"url": {"w": {"y": 1}}}}, r"words\.url\.w: no class 'y'"),
        ({"lines": {"a": {"points": {"y": [1]}}}}, r"names none"),
    ],
)
def test_a_card_that_cannot_be_used_says_where(card: Any, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        compile_card(make_card(card), make_registry("a", "b"))


def test_a_line_may_have_more_than_256_bins() -> None:
    card = make_card({"lines": {"n_words": {"below": list(range(1, 300)), "points": [i / 100 for i in range(300)]}}})
    found = score_table(compile_card(card), np.array([[0.0, 254.5, 255.5, 256.5, 299.0, 1e9]]), 6)
    assert found[0].tolist() == pytest.approx([0, 2.54, 2.55, 2.56, 2.99, 2.99])


def test_points_told_have_four_digits() -> None:
    card = make_card({"lines": {"depth": 0.123456}})
    (reason,) = explain_points(card, {"depth": 1.0}, None, "stage")
    assert reason.points == 0.1235
