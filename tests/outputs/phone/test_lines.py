"""What a row of a page belongs to, what lines say, and titles found in a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from tests.outputs.phone.made_pages import make_page
from webclean.outputs.flow import Head, Node
from webclean.outputs.flow.lines import says_date, says_names
from webclean.outputs.phone.pieces import find_titles, index_spans
from webclean.rules import load_rules


@pytest.mark.parametrize("spans", list(permutations([(2, 9), (2, 5), (3, 4), (6, 8), (11, 12)])))
def test_a_row_is_of_the_innermost_span_that_holds_it(spans: tuple[tuple[int, int], ...]) -> None:
    find = index_spans(spans)
    found = [spans[number] if (number := find(row)) >= 0 else None for row in range(13)]
    assert found == [
        *(None, None, (2, 5), (3, 4), (2, 5), (2, 9), (6, 8), (6, 8), (2, 9)),
        *(None, None, (11, 12), None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "date", "written"),
    [
        ("", "2024-05-06T10:30:00+02:00", "2024-05-06 10:30"),
        ("en", "2024-05-06T10:30:00+02:00", "6 May 2024 10:30"),
        ("de-AT", "2024-05-06", "6. Mai 2024"),
        ("es", "2024-05-06", "6 de mayo de 2024"),
        ("ru", "2024-05-06", "6 мая 2024"),
        ("ja", "2024-05-06", "2024年5月6日"),
        ("en", "2024-13-06", "2024-13-06"),
        ("en", "6 years ago", "6 years ago"),
    ],
)
def test_dates_are_written_for_readers(language: str, date: str, written: str) -> None:
    names = load_rules().dates.months.get(language.partition("-")[0], ())
    assert replace(make_page("<p>a</p>", Head(language=language)), months=names).write_date(date) == written


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


def find_in(*lines: str, links: tuple[str, ...] = ()) -> Callable[[str], bool]:
    return find_titles(
        [Node("p", {}, [line]) for line in lines] + [Node("p", {}, ["to ", Node("a", {}, [link])]) for link in links]
    )


def test_titles_are_found_by_the_words_that_follow_each_other() -> None:
    says = find_in("Home. Two cranes came, one", "heron stayed")
    assert all(map(says, ("two cranes", "Came -- one", "one heron")))
    assert not any(map(says, ("cranes two", "heron cranes", "two cran", "--")))
    long = "a b c d e f g h i j k l m n"
    assert find_in(f"x {long} y")(long)
    assert not find_in("a b c d e f g h i j k")(long)


def test_a_title_of_one_word_is_found_as_a_line_or_link_alone() -> None:
    says = find_in("Two cranes came", "2. Herons", "1984", "鹤", links=("Gulls!", "and all"))
    assert all(map(says, ("herons", "1984", "鹤", "GULLS")))
    assert not any(map(says, ("cranes", "2", "all", "")))
