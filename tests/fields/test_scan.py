"""Expressions of the rules, found in two steps: what is loosened matches more, and places are those of `re`."""

import re

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from webclean.errors import RuleError
from webclean.fields.author import fill_dates
from webclean.fields.scan import FinderSet, TextScan, compile_finder, compile_finders, loosen_pattern
from webclean.rules import load_rules

RULES = load_rules()
AUTHOR = fill_dates(RULES.fields.author, RULES.dates)
PATTERNS = (
    AUTHOR.byline,
    AUTHOR.byline_inside,
    AUTHOR.cuts,
    AUTHOR.never_names,
    AUTHOR.author_classes,
    AUTHOR.author_urls,
    r"(?<!\w)[^\W\d_]{2,} (?=\d)",
    r"(?P<year>\d{4})\s年$",
    r"[\u3400-\u9fff]+\b[^\s]",
)
WORDS = st.sampled_from(
    "By,by,José,García,作者,：,王小明, ,\u00a0,|,on,12 March,author,/,/author/,x-y,2024,年,Log in".split(",")  # noqa: SIM905  a table of words reads better
)
SIMPLE = ("ab", "b+", r"(?<=a)c", "é.", r"\d+")


@pytest.mark.parametrize("pattern", PATTERNS)
@given(texts=st.lists(st.lists(WORDS, max_size=8).map("".join), max_size=6))
def test_a_scan_misses_no_text_that_the_expression_matches(pattern: str, texts: list[str]) -> None:
    finder = compile_finder(pattern)
    matching = [i for i, text in enumerate(texts) if re.search(pattern, text, re.IGNORECASE)]
    found = list(TextScan(texts).find_texts(finder.loose))
    assert set(matching) <= set(found)
    assert found == sorted(set(found))


def test_texts_are_told_apart() -> None:
    loose = compile_finder("^b|c$").loose
    assert list(TextScan(["ab", "b", "", "cb", "c", "ac"]).find_texts(loose)) == [1, 4, 5]
    assert list(TextScan([]).find_texts(loose)) == []
    loose = compile_finder("b").loose
    for texts in (["a\nb", "c", "b"], ["a\x1eb", "c", "b"], ["\x1e", "b\n\x1e", "b"]):
        assert list(TextScan(texts).find_texts(loose)) == [at for at, text in enumerate(texts) if "b" in text]
    assert list(TextScan(["a", "b"], "a\nb").find_texts(loose)) == [1]


@pytest.mark.parametrize("pattern", ["(", "[a", r"(a)\1"])
def test_an_expression_that_cannot_work_is_a_fault_of_the_rules(pattern: str) -> None:
    finder = compile_finder(pattern)
    with pytest.raises(RuleError):
        _ = finder.exact, finder.loose


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"\bknown\b", "known"),
        ("(?<!un)known", "known"),
        ("a(?=(b|c))d", "ad"),
        ("a(?!b)(?<=(?:x))(c)", "a(?:c)"),
        ("(?P<name>a)|(b)", "(?:a)|(?:b)"),
        ("(?:a)", "(?:a)"),
        ("(?-i:a)(?i:b)", "(?-i:a)(?i:b)"),
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
    found = [found.span() for found in FinderSet(map(compile_finder, SIMPLE)).find_all(text)]
    at, expected = 0, []
    while at < len(text):
        match = next((m for p in SIMPLE if (m := re.compile(p, re.IGNORECASE).match(text, at))), None)
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
