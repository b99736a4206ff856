from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean.errors import RuleError
from webclean.fields.author import fill_dates
from webclean.fields.scan import TextScan, compile_finder
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
    [
        "By",
        "by",
        "José",
        "García",
        "作者",
        "：",
        "王小明",
        " ",
        "\u00a0",
        "|",
        "on",
        "12 March",
        "author",
        "/",
        "/author/",
        "x-y",
        "2024",
        "年",
        "Log in",
    ]
)


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


@pytest.mark.parametrize("pattern", ["(", "[a", r"(a)\1"])
def test_an_expression_that_cannot_work_is_a_fault_of_the_rules(pattern: str) -> None:
    with pytest.raises(RuleError):
        compile_finder(pattern)
