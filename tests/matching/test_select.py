"""Selectors over a document; those that its columns answer find the same elements as lxml, without a tree."""

from pathlib import Path

import pytest

import webclean
from tests import write_file
from webclean.errors import RuleError
from webclean.matching.select import (
    build_lxml_tree,
    compile_selector,
    grow_tree,
    select_by_columns,
    select_rows,
    select_strings,
    select_urls,
)
from webclean.model import Document
from webclean.parse import parse_page

PAGE = """<body><div class="post wide" id=a>one<p data-x='1'>two</p>three</div><o:p>odd</o:p>
<div class=post>four <a href=/x>five</a></div></body>"""


def test_elements_of_any_name_can_be_asked_about() -> None:
    odd = "<body\u00b9 a\u00b2=1><p>one<1p>two"
    assert select_strings(parse_page(odd), "p") == ["one<1p>two"]


def select(selector: str) -> list[str]:
    return select_strings(parse_page(PAGE), selector)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("div.post", ["onetwothree", "four five"]),
        (".wide > p", ["two"]),
        ("[data-x='1']", ["two"]),
        ("//div[@class='post']/a/@href", ["/x"]),
        ("//div[.//a]", ["four five"]),
        ("//div[1]/text()", ["one", "three"]),
        ("count(//div)", ["2.0"]),
        (".missing", []),
    ],
)
def test_css_and_xpath_select(selector: str, expected: list[str]) -> None:
    assert select(selector) == expected


def test_selecting_in_a_deep_page_is_bounded() -> None:
    document = parse_page("<div>" * 1500 + "x" + "</div>" * 1500)
    assert len(select_rows(document, "div div div")) == 1498


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("a", ["/x", "/y", ""]),
        ("//a/@href", ["/x", "/y"]),
        ("string(//a/@href)", ["/x"]),
        ("count(//a)", ["3.0"]),
        ("h6", []),
    ],
)
def test_addresses_are_of_links_attributes_or_computed(selector: str, expected: list[str]) -> None:
    assert select_urls(parse_page("<a href=' /x '>one</a> <a href=/y>two</a> <a>three</a>"), selector) == expected


def test_selectors_may_be_as_long_and_as_deep_as_the_limits() -> None:
    compile_selector("x" * 1000)
    compile_selector("//a" * 8)
    compile_selector("//a" * 7 + "/descendant::a")
    for selector, fault in (
        ("x" * 1001, "at most 1000 characters, this one 1001"),
        ("//a" * 9, "at most 8 descendant steps"),
        ("//a" * 7 + "/descendant::a" * 2, "at most 8 descendant steps"),
        ("//a[one(two())]", "not a function of XPath 1.0: 'one' in"),
        ("//a[count(//b)]", "."),
        ("//a]//b", "not an XPath"),
        ("a[", "not a CSS selector"),
    ):
        with pytest.raises(RuleError, match=fault):
            compile_selector(selector)


def test_text_is_where_the_page_has_it() -> None:
    document = parse_page("<div>a<p>b<i>c</i>d</p>e<!-- -->f<p>g</p></div>h\x0bi<p x\x01y=1 z='q\x02r' w>")
    assert select_strings(document, "//div/text()") == ["a", "ef"]
    assert select_strings(document, "//p[1]/text()") == ["b", "d"]
    assert select_strings(document, "//body/text()") == ["h i"]
    assert select_strings(document, "//@z") == ["q r"]
    assert select_strings(document, "//@w") == [""]


def test_rows_are_in_order_and_found_once() -> None:
    document = parse_page(PAGE)
    rows = select_rows(document, "//p | //div")
    assert rows.tolist() == sorted(rows.tolist())
    assert select_rows(document, "count(//p)").tolist() == select_rows(document, "//p/text()").tolist() == []
    assert select_rows(document, "p") is select_rows(document, "p")
    assert grow_tree(document) is grow_tree(document)


HTML = """<html><head><title>Old mill</title></head><body><h1>The old mill</h1><div class=word>path</div>
<p>A walk through the forest takes an hour, and a path leads back to the old mill.</p><time>2 May 2023</time>
<aside>Read more about other mills of the valley.</aside><p class=author>Ann Walker</p></body></html>"""

FIVE_RULES = """
rules:
  dropped: {when: {selector: //aside}, action: drop}
  typed: {when: {page_contains: "//div[@class='index']"}, action: {page_type: index}}
  titled: {when: {page_contains: //h1}, action: {title: //h1}}
  dated: {when: {page_contains: //time}, action: {date: //time}}
  signed: {when: {page_contains: "//p[@class='author']"}, action: {author: "//p[@class='author']"}}
"""


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that trees are made of."""
    made: list[Document] = []
    build = build_lxml_tree

    def count(document: Document) -> object:
        made.append(document)
        return build(document)

    monkeypatch.setattr("webclean.matching.select.build_lxml_tree", count)
    return made


def clean_with(rules: str, tmp_path: Path) -> webclean.CleanPage:
    file = write_file(tmp_path / "rules.yaml", rules)
    return webclean.clean(HTML, rules=file)


def test_all_stages_share_one_tree(tmp_path: Path, trees: list[Document]) -> None:
    page = clean_with(FIVE_RULES, tmp_path)
    assert (page.title, page.date, page.author) == ("The old mill", "2023-05-02", "Ann Walker")
    assert "other mills" not in page.text
    assert len(trees) == 1


@pytest.mark.parametrize("condition", ["text: other mills", "selector: 'body > aside, .nowhere'"])
def test_without_a_selector_that_needs_it_there_is_no_tree(
    condition: str, tmp_path: Path, trees: list[Document]
) -> None:
    page = clean_with(f"rules: {{other: {{when: {{{condition}}}, action: drop}}}}", tmp_path)
    assert "other mills" not in page.text
    assert page.title
    assert not trees


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PAGES = sorted(FIXTURES.glob("*/*/input.html"))[::4]
SELECTORS = (
    "*", "div", "p a", "div > p", "ul li a", "nav > ul > li", ".post", ".content p", "article .author, h1.title",
    "#main, #content", "a[href]", "a[rel=author]", "a[href^='/']", "[href*='.htm']", "[href$='l']", "[class~=post]",
    "[data-x='&']", "DIV P", "li > a[HREF]", "div div div > span", "body *",
)  # fmt: skip


def select_by_tree(document: Document, selector: str) -> list[int]:
    tree = grow_tree(document)
    return sorted(tree[element] for element in compile_selector(selector)(next(iter(tree))))


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


@pytest.mark.parametrize(
    ("selector", "xpath"),
    [
        ("[class*=meta] time::attr(datetime)", '//*[contains(@class, "meta")]//time/@datetime'),
        ("article.post::attr(data-author)", '//article[starts-with(@class, "post")]/@data-author'),
        ("a::attr(title)", "//a/@title"),
        ("p:first-of-type > a::attr(href)", "//p/a/@href"),
    ],
)
def test_an_attribute_is_named_as_in_scrapy_or_by_an_xpath(selector: str, xpath: str) -> None:
    document = parse_page(
        "<header class=top><a href=/x title=' a  b '>x</a><p><a href=/y>y</a></p></header>"
        "<article class='post big' data-author=Ann><p class='the-meta'><time datetime=2024-01-02>2 Jan</time>"
        "<time>x</time>"
    )
    compile_selector(selector)
    assert select_strings(document, selector) == select_strings(document, xpath) != []
