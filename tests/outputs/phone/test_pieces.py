"""What a row of a page belongs to, where entries lie in entries; what lines say, and titles found in a text."""

from __future__ import annotations

from itertools import permutations

import pytest

from webclean.outputs.phone.pieces import Phrases, Spans, says_date, says_names, write_date


@pytest.mark.parametrize("spans", list(permutations([(2, 9), (2, 5), (3, 4), (6, 8), (11, 12)])))
def test_a_row_is_of_the_innermost_span_that_holds_it(spans: tuple[tuple[int, int], ...]) -> None:
    found = [spans[number] if (number := Spans(spans).find(row)) >= 0 else None for row in range(13)]
    assert found == [
        *(None, None, (2, 5), (3, 4), (2, 5), (2, 9), (6, 8), (6, 8), (2, 9)),
        *(None, None, (11, 12), None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("date", "written"),
    [("2024-05-06T10:30:00+02:00", "2024-05-06 10:30"), ("2024-05-06", "2024-05-06"), ("6 years ago", "6 years ago")],
)
def test_dates_are_written_for_readers(date: str, written: str) -> None:
    assert write_date(date) == written


@pytest.mark.parametrize("text", ["6 May 2024", "May 6, 2024", "06.05.24", "2024年5月6日", "Mon 6 May 2024 10:30"])
def test_a_line_says_a_date_in_any_order(text: str) -> None:
    assert says_date(text, "2024-05-06T10:30")
    assert not says_date(text, "2024-05-07")
    assert not says_date(text, "2023-05-06")
    assert not says_date(text, "")
    assert says_date(f"posted {text.upper()}", text)


def test_a_line_names_all_authors() -> None:
    assert says_names("By ADA Lind and Bob  Moe", "Ada Lind, Bob Moe")
    assert not says_names("By Ada Lind", "Ada Lind; Bob Moe")
    assert not says_names("By Ada Lind", "")


def test_titles_are_found_by_the_words_that_follow_each_other() -> None:
    text = Phrases(["Home. Two cranes came, one", "heron stayed"])
    assert text.has("two cranes")
    assert text.has("Came -- one")
    assert text.has("one heron")
    assert not text.has("cranes two")
    assert not text.has("heron cranes")
    long = "a b c d e f g h i j k l m n"
    assert Phrases([f"x {long} y"]).has(long)
    assert not Phrases(["a b c d e f g h i j k"]).has(long)
    assert not text.has("--")


def test_many_titles_are_found_as_a_few_are() -> None:
    text = Phrases(["Two cranes came"])
    for _ in range(200):
        assert text.has("two cranes")
        assert not text.has("two cran")
        assert not text.has("cranes two")


def test_a_title_of_one_word_is_found_as_a_line_or_link_alone() -> None:
    text = Phrases(["Two cranes came", "2. Herons", "1984", "鹤"], ["Gulls!", "and all"])
    assert all(map(text.has, ("herons", "1984", "鹤", "GULLS")))
    assert not any(map(text.has, ("cranes", "2", "all", "")))
