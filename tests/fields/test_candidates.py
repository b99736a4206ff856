"""Candidates of fields and their features on three pages are those that stand in `candidates.yaml`."""

from __future__ import annotations

import pytest

from tests.fields.candidates import PAGES, collect, read_page, read_table
from webclean.parse import parse_page
from webclean.pipeline import build_columns


def test_a_name_of_digits_and_signs_has_no_words() -> None:
    columns = build_columns(parse_page("<head><meta name=author content='12-34'><body><p>Text</p>"))
    (found,) = dict(collect(columns))["author"]
    assert (found.value, found.features["n_words"], found.features["one_word"]) == ("12-34", 1.0, 0.0)


def test_only_so_many_texts_are_searched_for_dates() -> None:
    texts = "".join(f"<p>{2001 + i // 28}-05-{i % 28 + 1:02d}</p>" for i in range(123))
    columns = build_columns(parse_page(f"<body>{texts}"))
    assert len(dict(collect(columns))["date"]) == 120


@pytest.mark.parametrize("page", PAGES)
def test_candidates_are_those_of_the_table(page: str) -> None:
    found, expected = read_page(page, PAGES[page]), read_table()[page]
    wrong = {
        name: (found.get(name), expected.get(name))
        for name in {*found, *expected}
        if found.get(name) != expected.get(name)
    }
    assert wrong == {}
