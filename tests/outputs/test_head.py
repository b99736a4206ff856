"""What stands before the text: front matter, `meta` elements, the headline."""

from __future__ import annotations

import pytest
import turbohtml
import yaml

import webclean
from webclean.errors import InputError
from webclean.outputs.flow.nodes import Head, write_front_matter
from webclean.page.formats import TextOptions

PAGE = """<html lang=en><title>The "Weir" - Site</title><meta name=author content="Ada Moss">
<meta property="article:published_time" content="2024-05-06"><body><article><h1>The "Weir"</h1>
<p>It was built in a dry summer, of stone that had been lying on the bank for years, and it has never been mended.</p>
<p>Whoever walks over it at low water can read the year on the lowest stone, if the moss allows it.</p></article>"""


@pytest.fixture(scope="module")
def page() -> webclean.CleanPage:
    return webclean.clean(PAGE, url="https://example.org/weir")


@pytest.mark.parametrize("value", ['a "b": c', "l\u00efne\nbreak", "- x", "#no", "яблоко", "\\"])
def test_front_matter_is_yaml(value: str) -> None:
    written = write_front_matter(Head(title=value, url="https://example.org/?a=b#c"))
    assert written.startswith("---\n")
    assert written.endswith("\n---")
    assert yaml.safe_load(written.strip("-")) == {"title": value, "url": "https://example.org/?a=b#c"}


def test_the_price_of_a_product_is_in_front_and_that_of_an_article_is_not() -> None:
    meta = '<meta property="product:price:amount" content="9"><meta property="product:price:currency" content="EUR">'
    html = PAGE.replace("<body>", f"{meta}<body>")
    for subtype, price in (("product", "EUR 9"), ("article", None)):
        sold = webclean.clean(html, url="https://example.org/weir", page_type="content", page_subtype=subtype)
        assert yaml.safe_load(sold.to_markdown(include_metadata=True).split("---\n")[1]).get("price") == price


def test_markdown_and_text_may_begin_with_front_matter(page: webclean.CleanPage) -> None:
    for written, plain in (
        (page.to_markdown(include_metadata=True), page.to_markdown()),
        (page.to_text(include_metadata=True), page.text),
    ):
        _, head, text = written.split("---\n", 2)
        assert yaml.safe_load(head)["author"] == "Ada Moss"
        assert text == f"\n{plain}"


def test_html_may_have_meta_elements(page: webclean.CleanPage) -> None:
    found = turbohtml.parse(page.to_html(include_metadata=True)).find_all("meta")
    assert {"author": "Ada Moss", "url": "https://example.org/weir"}.items() <= {
        str(meta.attrs.get("name")): meta.attrs.get("content") for meta in found
    }.items()
    assert 'name="author"' not in page.to_html()


def test_text_has_the_title_when_it_is_asked_for(page: webclean.CleanPage) -> None:
    plain = page.to_text(include_title=True)
    assert plain.startswith('The "Weir"\n\n')
    assert plain.count('The "Weir"') == 1


def test_a_format_is_asked_for_by_name(page: webclean.CleanPage) -> None:
    assert page.render("markdown") == page.to_markdown()
    assert page.render("html", include_links=False, fragment=True) == page.to_html(include_links=False, fragment=True)
    assert page.render("text", TextOptions(include_tables=False)) == page.to_text(include_tables=False)
    with pytest.raises(InputError, match="unknown format 'pdf'; known: text, markdown, html, mobile, json, jsonl"):
        page.render("pdf")
    with pytest.raises(TypeError, match="include_links"):
        page.render("text", include_links=False)
