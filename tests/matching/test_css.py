"""Selectors that the columns answer: the same elements as lxml finds, without a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.matching.css import select_by_columns
from webclean.matching.select import compile_selector, grow_tree, select_rows
from webclean.model import Document
from webclean.parse import parse_page

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PAGES = sorted(FIXTURES.glob("*/*/input.html"))[::4]
SELECTORS = (
    "*", "div", "p a", "div > p", "ul li a", "nav > ul > li", ".post", ".content p", "article .author, h1.title",
    "#main, #content", "a[href]", "a[rel=author]", "a[href^='/']", "[href*='.htm']", "[href$='l']", "[class~=post]",
    "[data-x='&']", "DIV P", "li > a[HREF]", "div div div > span", "body *",
)  # fmt: skip


def select_by_tree(document: Document, selector: str) -> list[int]:
    tree = grow_tree(document)
    return sorted(tree.row_of[element] for element in compile_selector(selector)(tree.elements[0]))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_columns_select_what_lxml_selects(page: Path) -> None:
    document = parse_page(page.read_bytes())
    for selector in SELECTORS:
        rows = select_by_columns(document, selector)
        assert rows is not None, selector
        assert rows.tolist() == select_by_tree(document, selector), selector


@pytest.mark.parametrize(
    "selector", ["p:not(.x)", "h1 + p", "h1 ~ p", "p::before", "[lang|=en]", "//p", "p:first-child"]
)
def test_other_selectors_are_left_to_lxml(selector: str) -> None:
    assert select_by_columns(parse_page("<p>x"), selector) is None


def test_values_that_markup_escapes_are_found() -> None:
    document = parse_page("<p title='a&amp;b'>one<p title='a\"b'>two<p title='größe'>three")
    found = [select_rows(document, f"[title='{value}']").tolist() for value in ("a&b", 'a"b', "größe")]
    assert [[document.names[row] for row in rows] for rows in found] == [["p"], ["p"], ["p"]]


def test_classes_and_ids_are_compared_in_their_case_and_whole() -> None:
    document = parse_page("<p class='Post'>one<p class='post-body'>two<p class='a post b'>three<p id=post>four")
    assert len(select_rows(document, ".post")) == 1
    assert len(select_rows(document, "#post")) == 1
