"""Scores of a text against its truth, worked out by hand."""

from __future__ import annotations

import pytest

from webclean.compare.dataset import Score, score_subsequence, score_words


def test_words_are_counted_without_order_and_case() -> None:
    assert score_words("a b b c", "b b d") == Score(0.5, 2 / 3, pytest.approx(4 / 7))
    assert score_words("The river, the SEA.", "sea river the the") == Score(1, 1, 1)
    assert score_words("a", "b") == Score(0, 0, 0)


def test_a_subsequence_has_order_and_no_white_space() -> None:
    assert score_subsequence("axbxc", "abc") == Score(0.6, 1.0, pytest.approx(0.75))
    assert score_subsequence("a b\nc", "abc") == Score(1, 1, 1)
    assert score_subsequence("ab", "ba") == Score(0.5, 0.5, 0.5)


def test_two_empty_texts_agree_and_one_scores_nothing() -> None:
    for score in (score_words, score_subsequence):
        assert score("", "") == Score(1, 1, 1)
        assert score("a", "") == Score(0, 0, 0)
        assert score("", "a") == Score(0, 0, 0)
