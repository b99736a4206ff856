"""Expressions of the rules, found in two steps: what is loosened matches more, and places are those of `re`."""

from __future__ import annotations

import re

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from webclean.fields.scan import FinderSet, TextScan, compile_finder, compile_finders, loosen_pattern

PATTERNS = ("ab", "b+", r"(?<=a)c", "é.", r"\d+")


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"\bknown\b", "known"),
        ("(?<!un)known", "known"),
        ("a(?=(b|c))d", "ad"),
        ("a(?!b)(?<=(?:x))(c)", "a(?:c)"),
        ("(?P<name>a)|(b)", "(?:a)|(?:b)"),
        ("(?:a)", "(?:a)"),
        ("^a$", "(?:^|\\n)a(?:\\n|$)".replace("\\n", "\n")),
        (r"[^\d]", r"[\x{0}-\x{10ffff}]"),
        (r"[^\da]", "[^a]"),
        (r"\u3400", r"[\x{3400}]"),
        (r"[\u3400-\u9fff]", r"[\x{3400}-\x{9fff}]"),
        (r"\D", r"[\x{0}-\x{10ffff}]"),
        (r"\(\[", r"\(\["),
        ("[]()]", "[]()]"),
    ],
)
def test_expressions_are_loosened(pattern: str, loose: str) -> None:
    assert loosen_pattern(pattern) == loose
    re2.compile(loose)


@given(st.text("abcé1 x", max_size=30))
def test_matches_come_by_place_and_do_not_overlap(text: str) -> None:
    found = [found.span() for found in FinderSet(map(compile_finder, PATTERNS)).find_all(text)]
    at, expected = 0, []
    while at < len(text):
        match = next((m for p in PATTERNS if (m := re.compile(p, re.IGNORECASE).match(text, at))), None)
        if match:
            expected.append(match.span())
        at = max(at + 1, match.end() if match else 0)
    assert found == expected


def test_texts_are_found_by_a_literal_or_by_the_expression_itself() -> None:
    finders = compile_finders("known", "other", r"\d+")
    texts = ["well KNOWN", "other known", "none", "12 others"]
    assert list(finders.find_each(texts)) == [(0, [0]), (1, [0, 1]), (3, [1, 2])]
    assert finders.list_possible("OTHER") == [1]
    assert finders.list_possible("") == []


def test_texts_with_separators_in_them_are_told_apart() -> None:
    loose = compile_finder("b").loose
    for texts in (["a\nb", "c", "b"], ["a\x1eb", "c", "b"], ["\x1e", "b\n\x1e", "b"]):
        expected = [at for at, text in enumerate(texts) if "b" in text]
        assert list(TextScan(texts).find_texts(loose)) == expected
    assert list(TextScan(["a", "b"], "a\nb").find_texts(loose)) == [1]
