"""Pieces of markup that are no page."""

from __future__ import annotations

import pytest

from webclean.parse.snippets import count_attributes, list_outermost, read_text


@pytest.mark.parametrize(
    ("markup", "n"), [("<p>a", 0), ("<p a>", 1), ("<p a b=1 c='2'>d", 3), ("", 0), ("text", 0), ("</p>", 0)]
)
def test_attributes_are_those_of_the_first_tag(markup: str, n: int) -> None:
    assert count_attributes(markup) == n


def test_text_and_outermost_elements() -> None:
    assert read_text("<p>a<b>b</b></p> c") == "ab c"
    assert list_outermost("x<div><p>y</p></div><b></b>") == [("", "x"), ("div", ""), ("b", "")]
