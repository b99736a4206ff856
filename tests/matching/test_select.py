"""CSS and XPath over columns."""

from __future__ import annotations

import time

import pytest

from webclean.errors import RuleError
from webclean.matching.select import compile_selector, select_rows, select_strings
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


def test_rows_are_rows_of_the_document() -> None:
    document = parse_page(PAGE)
    rows = select_rows(document, "p, a")
    assert [document.names[row] for row in rows] == ["p", "a"]


@pytest.mark.parametrize("selector", ["div[", "//div[", "a:nope(", "//*[count(//*) > 3]", "//a" * 20, "x" * 2000])
def test_a_wrong_or_costly_selector_is_refused(selector: str) -> None:
    with pytest.raises(RuleError):
        compile_selector(selector)


def test_selecting_in_a_deep_page_is_bounded() -> None:
    document = parse_page("<div>" * 1500 + "x" + "</div>" * 1500)
    start = time.process_time()
    assert len(select_rows(document, "div div div")) == 1498
    assert time.process_time() - start < 5
