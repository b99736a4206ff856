"""Repairs are named by kind and place; pieces of markup that are no page."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

import webclean
from tests.blocks.markup import SOUP
from tests.counting import count_calls
from webclean.parse.repairs import list_repairs
from webclean.parse.snippets import count_attributes, list_outermost, read_text

START = "<!doctype html><html><head></head><body>\n"
END = "</body></html>"
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

CASES = {
    "no head": ("<!doctype html><html><body>\n<p>x</p></body></html>", [("omitted", 1, 22, "<head> is implied")]),
    "cells": (
        START + "<table><tbody><tr><td>a<td>b</tr></tbody></table>" + END,
        [("omitted", 2, 19, "<td> has no end tag"), ("omitted", 2, 24, "<td> has no end tag")],
    ),
    "list items": (
        START + "<ul><li>a\n<li>b</li></ul><dl><dd>c</dl>" + END,
        [("omitted", 2, 5, "<li> has no end tag"), ("omitted", 3, 20, "<dd> has no end tag")],
    ),
    "rows group": (START + "<table><tr></tr></table>" + END, [("omitted", 2, 8, "<tbody> is implied")]),
    "never closed": (START + "<p>x</p><div><p>y</p>" + END, [("omitted", 2, 9, "<div> has no end tag")]),
    "crossed inline": (
        START + "<b>x<i>y</b>z</i>" + END,
        [("crossed", 2, 9, "</b> crosses elements that are still open")],
    ),
    "heading": (START + "<h1>head</h2>" + END, [("wrong_end_tag", 2, 9, "End tag (h2) seen too early")]),
    "stray end tags": (
        START + "<p>x</p></em>\r\n</section>" + END,
        [("wrong_end_tag", 2, 9, "Unexpected end tag (em)"), ("wrong_end_tag", 3, 1, "Unexpected end tag (section)")],
    ),
    "table under html": (
        "<!doctype html><html><head></head><table></table></html>",
        [("content_model", 1, 35, "<body> is implied directly under <html>")],
    ),
    "image in a table": (
        START + "<table><img><tbody></tbody></table>" + END,
        [("content_model", 2, 8, "Unexpected start tag (img) in table context")],
    ),
    "link in a link": (
        START + "<a href=1>x<a href=2>y</a>" + END,
        [("omitted", 2, 1, "<a> has no end tag"), ("content_model", 2, 12, "Unexpected start tag (a)")],
    ),
    "form in a form": (START + "<form><form>x</form>" + END, [("content_model", 2, 7, "Unexpected start tag (form)")]),
    "doubled attribute": (START + "<p a=1 a=2>x</p>" + END, [("other", 2, 10, "Dropped duplicate attribute")]),
    "nothing": (START + "<p>x<br><img alt=y></p><svg><path/></svg><script>a</b></script>" + END, []),
}


@pytest.mark.parametrize("name", CASES)
def test_kind_place_and_message(name: str) -> None:
    markup, expected = CASES[name]
    found = list_repairs(markup)
    assert [(r.kind, r.line, r.column) for r in found] == [case[:3] for case in expected]
    for repair, (*_, message) in zip(found, expected, strict=True):
        assert message in repair.message


@pytest.mark.parametrize(
    ("fixture", "kind"),
    [
        ("broken-omitted-tags", "omitted"),
        ("broken-crossed-inline", "crossed"),
        ("broken-heading-ends", "wrong_end_tag"),
        ("broken-stray-end-tags", "wrong_end_tag"),
        ("broken-content-model", "content_model"),
        ("broken-nested-forms-links", "content_model"),
        ("broken-duplicate-html-body", "content_model"),
    ],
)
def test_the_broken_fixtures_show_their_fault(fixture: str, kind: str) -> None:
    page = webclean.clean((FIXTURES / "content" / fixture / "input.html").read_bytes())
    assert kind in {repair.kind for repair in page.repairs}


@given(SOUP)
def test_places_lie_in_the_source(markup: str) -> None:
    lines = markup.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for repair in list_repairs(markup):
        assert 1 <= repair.line <= len(lines)
        assert 1 <= repair.column <= len(lines[repair.line - 1]) + 1


def test_text_pages_need_no_repair() -> None:
    assert webclean.clean("a < b\nand no more").repairs == ()


@pytest.mark.parametrize(("unit", "n"), [("<div>", 1_000), ("<p><b>x</p>", 100)])
def test_work_grows_no_faster_than_the_square_of_the_page(unit: str, n: int) -> None:
    """html5lib looks through all open elements at each tag."""
    assert list_repairs(unit * 10 * n)
    n_short, n_long = (count_calls(lambda size=size: list_repairs(unit * size)) for size in (n // 4, n))
    assert n_long < 20 * n_short


@pytest.mark.parametrize(
    ("markup", "n"), [("<p>a", 0), ("<p a>", 1), ("<p a b=1 c='2'>d", 3), ("", 0), ("text", 0), ("</p>", 0)]
)
def test_attributes_are_those_of_the_first_tag(markup: str, n: int) -> None:
    assert count_attributes(markup) == n


def test_text_and_outermost_elements() -> None:
    assert read_text("<p>a<b>b</b></p> c") == "ab c"
    assert list_outermost("x<div><p>y</p></div><b></b>") == [("", "x"), ("div", ""), ("b", "")]
