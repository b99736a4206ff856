"""Candidates of fields and their features on three pages are those that stand in `candidates.yaml`."""

from __future__ import annotations

import pytest

from tests.fields.candidates import PAGES, read_page, read_table


@pytest.mark.parametrize("page", PAGES)
def test_candidates_are_those_of_the_table(page: str) -> None:
    found, expected = read_page(page, PAGES[page]), read_table()[page]
    wrong = {
        name: (found.get(name), expected.get(name))
        for name in {*found, *expected}
        if found.get(name) != expected.get(name)
    }
    assert wrong == {}
