"""Straight and typographic signs find each other in texts and patterns of rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.errors import RuleError
from webclean.matching.expressions import compile_pattern, fold_typography, widen_pattern
from webclean.rules import load_rules


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("don’t ‘stop’", "don't 'stop'"),
        ("“so”, „so“", '"so", "so"'),
        ("1–2 — 3 − 4", "1-2 - 3 - 4"),
        ("10\u00a0000\u202fkm  \n a", "10 000 km a"),
        ("co\u00adop\u200b", "coop"),
        ("«é» …", "«é» …"),
        ("plain  text", "plain text"),
    ],
)
def test_texts_are_folded(written: str, folded: str) -> None:
    assert fold_typography(written) == folded
    assert fold_typography(folded) == folded


@pytest.mark.parametrize(
    ("pattern", "found", "missed"),
    [
        ("don't", ["don't", "don’t", "donʼt"], ["dont", 'don"t']),
        ("don’t", ["don't", "don‘t"], []),
        ('^"so"$', ["“so”", '"so"', "„so“"], ["'so'"]),
        ("a-b", ["a-b", "a–b", "a—b", "a\u2011b"], ["ab", "a~b"]),
        ("a — b", ["a - b", "a – b"], ["a b"]),
        ("a\u00a0b", ["a b"], ["ab"]),
        (r"a\-b", ["a–b", "a-b"], ["a\\b"]),
        ("^[^'x]$", ["y"], ["'", "’", "x"]),
        ("^[-+]$", ["-", "–", "+"], [",", "."]),
        ("^[+-]$", ["-", "–", "+"], [",", "."]),
        (r"^[\w-]$", ["–", "a"], ["+"]),
        ("^[]-]$", ["]", "—"], ["["]),
        ("^[[:alpha:]-]$", ["a", "–"], ["1"]),
        ("^[a-c]$", ["b"], ["-", "–", "d"]),
        (r"^[ -\-]$", ["'", "-", "!"], ["–", "’"]),  # a range that ends with a sign is a range
        (r"^\Qa-b'\E-$", ["a-b'–"], ["a–b'-"]),
        (r"^\[-\]$", ["[–]"], ["-"]),
        ("(?i-s:A-b)", ["a–B"], ["ab"]),
        (r"^\x{2019}-$", ["’–"], ["'-"]),
        (r"^\p{Lu}'$", ["A’"], ["a’"]),
        (r"\\'", ["\\’"], ["’"]),
    ],
)
def test_a_pattern_finds_variants_where_a_sign_stands_for_itself(
    pattern: str, found: list[str], missed: list[str]
) -> None:
    search = compile_pattern(widen_pattern(pattern)).search
    assert [text for text in found if not search(text)] == []
    assert [text for text in missed if search(text)] == []


@given(st.text(alphabet="ab'-–’\"[]^\\QEpx{}L.(?:i)*+|1 \u00a0", max_size=16))
def test_what_can_be_compiled_can_be_widened_and_finds_no_less(pattern: str) -> None:
    try:
        before = compile_pattern(pattern)
    except RuleError:
        return
    after = compile_pattern(widen_pattern(pattern))
    for text in ("a-b", "don't", '"a" - b', "a"):
        if before.search(text) and "[^" not in pattern and "\u00a0" not in pattern:
            assert after.search(text)


def test_a_pattern_without_such_signs_is_left_as_it_is() -> None:
    assert widen_pattern(r"(?i)^share (?:this|on)\b\s*\d{2,3}$") == r"(?i)^share (?:this|on)\b\s*\d{2,3}$"


def test_the_shipped_patterns_can_be_widened() -> None:
    patterns = [rule.when.text for rule in load_rules().rules.values() if rule.when.text]
    assert patterns
    for pattern in patterns:
        compile_pattern(widen_pattern(pattern))
