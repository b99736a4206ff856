"""Expressions of Python that could take for ever are refused, those that cannot are not."""

from __future__ import annotations

import pytest

from webclean.rules.python_expressions import find_expression_fault


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(?:a*b?)*c",
        "(a|a)*$",
        "(?:(?:ab){2,})+",
        "(?:x+ ?){3,}",
        "(a|b){50}",
        r"(a)\1",
        "(?P<x>a)(?P=x)",
        "(?=(a+)+)",
        "(",
    ],
)
def test_refused(pattern: str) -> None:
    assert find_expression_fault(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a+b*",
        "(?:ab)+",
        "(?:by|von) [A-Z]+",
        r"(?:\d{1,2}[.]){2}",
        r"[(+|*)]+",
        r"\(+\|+",
        "(?:a+b|c+)?",
        "(?:a|b){2}",
        "x{,5}",
        "a{b}+",
    ],
)
def test_accepted(pattern: str) -> None:
    assert find_expression_fault(pattern) == ""
