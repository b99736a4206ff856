"""Elements that hold text alone and never end, which would have the whole page for their text."""

from __future__ import annotations

import pytest

import webclean
from tests.counting import count_calls

TEXT = "The harbour wall was mended in the spring by eleven masons, who used the old stone, and it held."
BODY = f"<h1>The wall</h1><p>{TEXT}</p>" + f"<p>{TEXT}</p>" * 3


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize(
    "markup",
    [
        f"<head><title>The wall<meta charset=utf-8></head><body>{BODY}",
        f"<head><title>The wall<title><meta charset=utf-8></head><body>{BODY}",
        f"<head><TITLE>The wall\n<style>p {{ color: red }}</head><body>{BODY}",
        f"<head><title>The wall</title></head><body><iframe src=map.html />{BODY}",
        f"<head><title>The wall</title></head><body><textarea name=q />{BODY}",
        f"<head><title>The wall</title></head><body><!-- the text >{BODY}",
    ],
    ids=["title", "two titles", "style", "iframe", "textarea", "comment"],
)
def test_what_never_ends_does_not_swallow_the_page(markup: str, parser: str) -> None:
    page = webclean.clean(markup, parser=parser)
    assert page.text.count(TEXT) == 4
    assert page.title == "The wall"


def test_a_comment_that_hides_the_end_of_a_page_hides_it() -> None:
    page = webclean.clean(f"{BODY}<!-- for now <div>{TEXT} Book your place.</div>")
    assert "Book" not in page.text


def test_they_are_repairs_at_their_place() -> None:
    page = webclean.clean(f"<title>The wall\n<body><p>{TEXT}<br><i>one</p>")
    assert [(one.line, one.column) for one in page.repairs if one.message == "</title> is missing"] == [(1, 1)]
    assert (2, 1) not in [(one.line, one.column) for one in page.repairs if "html" not in one.message]


def test_a_title_deep_in_the_body_is_read() -> None:
    drawing = "<svg><g><title>An arrow</title></g></svg>"
    assert webclean.clean(f"<div>{drawing}<div><title>The wall</title>{TEXT}</div></div>").title == "The wall"


@pytest.mark.parametrize("markup", ["<iframe ", "<title>", "<textarea></style>", "<!--<style "])
def test_many_of_them_cost_what_they_are_long(markup: str) -> None:
    limits = webclean.Limits(max_seconds=600)
    n_short, n_long = (
        count_calls(lambda n=n: webclean.clean(markup * n + "><b>", limits=limits, on_limit="truncate"))
        for n in (500, 4_000)
    )
    assert n_long < 12 * n_short
