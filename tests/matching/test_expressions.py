"""Expressions of rules: compiled once, linear in time, and told in words when they are wrong."""

from __future__ import annotations

import pytest

from webclean.errors import RuleError
from webclean.matching.expressions import compile_pattern, compile_removal, compile_test


def test_no_pattern_takes_long() -> None:
    # by backtracking this would take for ever
    assert compile_pattern("(a+)+$").search("a" * 50_000 + "b") is None
    with pytest.raises(RuleError, match="RE2"):
        compile_pattern(r"(a)\1")


def test_what_is_wrong_with_an_expression_is_said_in_words() -> None:
    with pytest.raises(RuleError) as caught:
        compile_pattern("river(")
    assert str(caught.value) == "not a regular expression of RE2: 'river(' (missing ): river()"


def test_nothing_is_logged_of_an_expression_that_is_wrong(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuleError):
        compile_pattern("lake(")
    assert capfd.readouterr() == ("", "")


def test_expressions_are_compiled_once() -> None:
    assert compile_test("ri+ver") is compile_test("ri+ver")


@pytest.mark.parametrize("pattern", ["(?i)^(?:title|标题)\\s*[:：]\\s*", "[0-9]+", "^"])
def test_removal_removes_what_the_expression_finds(pattern: str) -> None:
    texts = ("Title: A page", "标题：一页", "A title: of a page", "TITLE", "", "Page 12 of 30")
    assert list(map(compile_removal(pattern), texts)) == [compile_pattern(pattern).sub("", text) for text in texts]
    assert compile_removal("(?i)^title\\s*:\\s*")("Title: A page") == "A page"
