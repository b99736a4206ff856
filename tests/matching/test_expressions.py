"""Expressions of rules: compiled once, linear in time, with literals, told in words when they are wrong."""

from typing import Any

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from webclean import core
from webclean.errors import RuleError
from webclean.matching.conditions import plan_rules
from webclean.matching.expressions import (
    compile_literals,
    compile_pattern,
    find_literals,
    fold_typography,
    widen_pattern,
)
from webclean.parse import parse_page, read_attribute
from webclean.rules import load_rules


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


@pytest.mark.parametrize(
    ("pattern", "texts", "at_start"),
    [
        ("(?i)Read (?:more|next)", {"read more", "read next"}, False),
        (r"^(?i:by the|von)\s+\S", {"by the", "von"}, True),
        (r"\b(?:sign up|subscribe)\b.{0,30}\bnewsletters?\b", {"sign up", "subscribe"}, False),
        (r"^(?:next (?:page|post).*|page \d+)", {"next page", "next post", "page "}, True),
        (r"[\d.,]+ results?$", {" result"}, False),
        (r"[上下]一[页頁]", {"上一页", "上一頁", "下一页", "下一頁"}, False),
        (r"^one|two", {"one", "two"}, False),
        (r"(?:the )?last", {"last"}, False),
        (r"(?:ab+c)+\.html", {".html"}, False),
    ],
)
def test_an_expression_needs_literals(pattern: str, texts: set[str], at_start: bool) -> None:
    found = find_literals(pattern)
    assert found is not None
    assert (found.texts, found.at_start) == (texts, at_start)


@pytest.mark.parametrize(
    "pattern", [r"^\d+$", "a.b", ".*", "x*", "", "(?m)^next page", r"\Qnext\E page", "next|.", "(?:next)?", "(next"]
)
def test_of_others_nothing_is_known(pattern: str) -> None:
    assert find_literals(pattern) is None


def test_groups_too_deep_for_python_are_no_fault() -> None:
    pattern = "(" * 990 + "town" + ")" * 990
    assert find_literals(pattern) is None
    assert compile_pattern(pattern).search("a town") is not None


def test_texts_that_have_a_literal_are_found_whatever_its_case() -> None:
    finder = compile_literals(
        [find_literals("^(?i:see also|by)"), find_literals("(?i)©|\\(c\\)|rights reserved"), None]
    )
    texts = [
        "See ALSO: walls",
        "we see also",
        "BY him",
        "© 2006",
        "(C) 2006",
        "All Rights Reserved",
        "",
        "rights reserve",
    ]
    assert finder.find(texts) == [(0, 0), (2, 0), (3, 1), (4, 1), (5, 1)]


def test_a_text_is_told_once_for_each_expression() -> None:
    finder = compile_literals([find_literals("town|river"), find_literals("river")])
    assert sorted(finder.find(["a river in a town by a river", "\U00010400 towns", "river"])) == [
        (0, 0), (0, 1), (1, 0), (2, 0), (2, 1),
    ]  # fmt: skip


def test_characters_that_an_expression_takes_as_one_are_folded_alike() -> None:
    cased = [char for char in map(chr, range(1 << 16)) if char.lower() != char or char.upper() != char]
    whole, folds = "".join(cased), core.list_case_folds()
    for char in cased:
        alike = re2.findall(f"(?i){re2.escape(char)}", whole)
        assert {int(folds[ord(other)]) for other in alike} == {int(folds[ord(char)])}, char


def test_elements_are_found_by_parts_of_their_attributes_whatever_their_case() -> None:
    document = parse_page(
        '<body class="x"><p class="q FootNote-2" id=ab>a<p id=footnote>b<p class="foot note">c<b class=fn-1>'
    )
    attributes: Any = document.attrs
    literals = core.LiteralSet(["footnote", "fn-", "ab"], [0, 0, 1], [False] * 3)

    def find(name: str) -> list[tuple[str | None, int]]:
        return [
            (read_attribute(document, row, name), number) for row, number in literals.find_rows(attributes.found, name)
        ]

    assert find("class") == [("q FootNote-2", 0), ("fn-1", 0)]
    assert find("id") == [("ab", 1), ("footnote", 0)]
    assert find("title") == []


@given(
    st.lists(st.text("abABſ\U0001f600 -", max_size=9), max_size=5), st.lists(st.text("abs-", min_size=3, max_size=5))
)
def test_literals_with_and_without_a_window_are_found_in_the_same_values(
    values: list[str], literals: list[str]
) -> None:
    attributes: Any = parse_page("".join(f'<b id="{value}"></b>' for value in values)).attrs
    numbers = list(range(len(literals)))
    long = core.LiteralSet(literals, numbers, [False] * len(literals))
    # one of two characters, for which all values are read
    mixed = core.LiteralSet([*literals, "qq"], [*numbers, len(literals)], [False] * (len(literals) + 1))
    assert sorted(long.find_rows(attributes.found, "id")) == sorted(mixed.find_rows(attributes.found, "id"))


@pytest.mark.parametrize("text", ["", "tea 5", "thé 5 à 7", "早 5 点", "none"])
@pytest.mark.parametrize("pattern", [r"\d", r"(\d)?", r"é|à", "早|点"])
def test_a_search_finds_what_the_wrapper_of_re2_finds(pattern: str, text: str) -> None:
    known, mine = re2.compile(pattern), compile_pattern(pattern)
    for begin in (0, min(3, len(text))):
        old, new = known.search(text, begin), mine.search(text, begin)
        assert (old and (old.span(), old.groups())) == (new and (new.span(), new.groups()))
    data = text.encode()
    starts = [found.start() for found in re2.compile(pattern.encode()).finditer(data)]
    assert [spans[0][0] for spans in mine.list_spans(data)] == starts


def test_what_is_searched_on_all_pages_has_literals() -> None:
    # one without is asked of each text of each page: thirty searches a page, where most others need none
    rules = load_rules()
    patterns = [*plan_rules(rules.rules).patterns, *rules.segments.patterns.values()]
    assert [pattern for pattern in patterns if find_literals(pattern) is None] == []


def test_alternatives_that_are_many_have_the_literals_of_which_the_others_are_longer() -> None:
    many = "|".join(f"there was an error {at}" for at in range(300))
    found = find_literals(f"there was an error|{many}|please reload")
    assert found is not None
    assert found.texts == {"there was an error", "please reload"}
