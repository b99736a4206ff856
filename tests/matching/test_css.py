"""Selectors that the columns answer: the same elements as lxml finds, without a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.matching.select import (
    compile_selector,
    grow_tree,
    may_select,
    read_attribute_path,
    select_by_columns,
    select_rows,
    select_strings,
)
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_selectors_that_may_not_match_match_nothing(page: Path) -> None:
    document = parse_page(page.read_bytes())
    for selector in SELECTORS:
        assert may_select(document, (selector,)) or not select_by_tree(document, selector), selector


def test_a_list_of_selectors_may_match_by_any_of_them() -> None:
    document = parse_page("<p class='a b'>x")
    assert not may_select(document, (".c", "div .d"))
    assert may_select(document, (".c", ".b"))
    assert may_select(document, (".c", "p"))
    assert may_select(document, (".c", "p:not(.d)"))


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


@pytest.mark.parametrize(
    "xpath",
    [
        '//*[contains(@class, "meta")]//time/@datetime',
        '//article[starts-with(@class, "post")]/@data-author',
        "//header[@class='top']/a/@href",
        "//a/@title",
    ],
)
def test_columns_read_the_attributes_that_a_path_asks_for(xpath: str) -> None:
    document = parse_page(
        "<header class=top><a href=/x title=' a  b '>x</a><p><a href=/y>y</a></p></header>"
        "<article class='post big' data-author=Ann><p class='the-meta'><time datetime=2024-01-02>2 Jan</time>"
        "<time>x</time>"
    )
    found = compile_selector(xpath)(grow_tree(document).elements[0])
    assert select_strings(document, xpath) == [" ".join(value.split()) for value in found] != []
    assert read_attribute_path(xpath) is not None


@pytest.mark.parametrize("xpath", ["/html/@lang", "//a/text()", "//a[1]/@href", "//a[@x='1'][2]/@href", ".//a/@href"])
def test_other_paths_are_left_to_lxml(xpath: str) -> None:
    assert read_attribute_path(xpath) is None
