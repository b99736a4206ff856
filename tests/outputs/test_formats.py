"""The table of formats, which all know; what stands before the text: front matter, `meta` elements, the headline; what
is promised of the JSON of a page, and how a page shows itself."""

import inspect
import json
import math
import re
from pathlib import Path

import jsonschema
import msgspec
import pytest
import turbohtml
import yaml

import webclean
from tests import Capture, Patch
from webclean.cli import main
from webclean.errors import InputError
from webclean.model import Limits
from webclean.outputs.flow import Head, write_front_matter
from webclean.page.formats import (
    FORMATS,
    RENDERINGS,
    SCHEMA_VERSION,
    Format,
    TextOptions,
    describe_page_schema,
    list_switches,
)

USAGE = Path(__file__).resolve().parents[2] / "docs" / "usage.md"
PAGE = f"<h1>The weir</h1><p>{'It was built in a dry summer. ' * 20}</p>"
TITLES = {"json": "JSON", "jsonl": "JSON", "html": "HTML", "markdown": "Markdown"}


class LoudOptions(TextOptions, frozen=True, kw_only=True):
    """Options of a format that a test adds."""

    twice: bool = False


@pytest.mark.parametrize("name", sorted({switch.name for switch in list_switches()}))
def test_an_option_is_documented_with_its_formats(name: str) -> None:
    row = re.search(rf"^\| `{name}` \| ([^|]+) \|", USAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    formats = {TITLES.get(form, form) for switch in list_switches() if switch.name == name for form in switch.formats}
    assert set(row[1].split(", ")) - {"`to_dict`"} == formats


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_a_method_takes_the_options_of_its_format(name: str) -> None:
    taken = list(inspect.signature(getattr(webclean.CleanPage, f"to_{name}")).parameters)
    assert taken[1:] == list(inspect.signature(FORMATS[name].options).parameters)


def test_switches_have_flags_of_their_own() -> None:
    flags = [switch.flag for switch in list_switches()]
    assert len(set(flags)) == len(flags)
    assert {"--no-links", "--with-title", "--no-title", "--reasons", "--fragment"} <= set(flags)


def test_markup_stands_beside_the_text() -> None:
    assert list(RENDERINGS) == ["markdown", "html", "mobile"]


def test_json_is_the_page_as_plain_values() -> None:
    page = webclean.clean(PAGE)
    assert json.loads(page.render("json")) == msgspec.convert(page.to_dict(), dict)
    assert json.loads(page.render("jsonl", source="a.html", include_markdown=True)) == {
        "source": "a.html",
        **page.to_dict(include_markdown=True),
    }


def test_a_format_in_the_table_is_known_everywhere(monkeypatch: Patch, tmp_path: Path, capsys: Capture) -> None:
    def write(page: webclean.CleanPage, shown: LoudOptions) -> str:
        text = page.to_text(include_title=shown.include_title).upper()
        return f"{text}\n{text}" if shown.twice else text

    monkeypatch.setitem(FORMATS, "loud", Format("loud", ".loud", "text/loud", LoudOptions, write))
    page = webclean.clean(PAGE)
    assert page.render("loud") == page.text.upper()
    assert page.render("loud", twice=True).startswith(page.text.upper() + "\n")
    (tmp_path / "weir.html").write_text(PAGE)
    assert main(["clean", str(tmp_path / "weir.html"), "--format", "loud", "--no-tables"]) == 0
    assert capsys.readouterr().out == page.text.upper() + "\n"
    assert main(["clean", "--input-dir", str(tmp_path), "--format", "loud", "-o", str(tmp_path / "made")]) == 0
    assert (tmp_path / "made" / "weir.loud").read_text() == page.text.upper() + "\n"


HEADED = """<html lang=en><title>The "Weir" - Site</title><meta name=author content="Ada Moss">
<meta property="article:published_time" content="2024-05-06"><body><article><h1>The "Weir"</h1>
<p>It was built in a dry summer, of stone that had been lying on the bank for years, and it has never been mended.</p>
<p>Whoever walks over it at low water can read the year on the lowest stone, if the moss allows it.</p></article>"""


@pytest.fixture(scope="module")
def page() -> webclean.CleanPage:
    return webclean.clean(HEADED, url="https://example.org/weir")


@pytest.mark.parametrize("value", ['a "b": c', "l\u00efne\nbreak", "- x", "#no", "яблоко", "\\"])
def test_front_matter_is_yaml(value: str) -> None:
    written = write_front_matter(Head(title=value, url="https://example.org/?a=b#c"))
    assert written.startswith("---\n")
    assert written.endswith("\n---")
    assert yaml.safe_load(written.strip("-")) == {"title": value, "url": "https://example.org/?a=b#c"}


def test_the_price_of_a_product_is_in_front_and_that_of_an_article_is_not() -> None:
    meta = '<meta property="product:price:amount" content="9"><meta property="product:price:currency" content="EUR">'
    html = HEADED.replace("<body>", f"{meta}<body>")
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


FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGES = sorted(FIXTURES.glob("[cimn]*/*/input.html"))
CHECKER = jsonschema.Draft202012Validator(describe_page_schema())
TEA = """<title>Tea &lt;now&gt;</title><h1>Tea &lt;now&gt;</h1>
<nav><a href=/a>Home</a> <a href=/b>Shop</a></nav>
<p>Green tea is poured at eighty degrees, and black tea hotter, as the old books say."""


@pytest.mark.parametrize("path", PAGES[::3], ids=lambda path: path.parent.name)
def test_pages_are_as_the_schema_says(path: Path) -> None:
    page = webclean.clean(path.read_bytes(), url="https://example.org/a/")
    for values in (page.to_dict(), page.to_dict(include_reasons=True, include_markdown=True)):
        CHECKER.validate(values)  # as it is, without a turn through JSON
        assert json.loads(json.dumps(values)) == values
    assert page.to_dict()["schema_version"] == SCHEMA_VERSION


def test_the_schema_names_every_key_and_wants_those_that_are_always_there() -> None:
    schema = describe_page_schema()
    parts = schema["$defs"]
    values = webclean.clean(TEA).to_dict()
    for name, found in (
        ("PageObject", values),
        ("FieldsObject", values["fields"]),
        ("BlockObject", values["blocks"][0]),
    ):
        assert sorted(parts[name]["required"]) == sorted(found)
    wrong = json.loads(json.dumps({**values, "page_type": "blog"}))
    with pytest.raises(jsonschema.ValidationError, match="blog"):
        CHECKER.validate(wrong)


def test_the_schema_is_printed(capsys: Capture) -> None:
    assert main(["clean", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(describe_page_schema()))


def test_a_page_tells_what_it_is() -> None:
    page = webclean.clean(TEA)
    n = len(page.text.split())
    kind = f"{page.page_type}, {page.page_label}"
    assert repr(page) == (
        f"<CleanPage {kind}: 'Tea <now>', {n} words, {len(page.blocks)} blocks, confidence {page.confidence:.2f}>"
    )


def test_a_page_that_costs_too_much_says_so() -> None:
    page = webclean.clean(TEA, limits=Limits(max_output_ratio=1e-9))
    assert "limit" in repr(page)


def test_a_notebook_shows_the_tree_of_blocks_as_text() -> None:
    page = webclean.clean(TEA)
    shown = page._repr_html_()
    assert "Tea &lt;now&gt;" in shown and "<now>" not in shown
    assert all(f"{block.id} {'+' if block.kept else '-'} " in shown for block in page.blocks)
    assert len(webclean.clean("<p>" + "tea and cake " * 100)._repr_html_()) < 1200


def test_rows_are_flat_and_say_what_the_blocks_say() -> None:
    markup = (FIXTURES / "index/shop-category-lamps/input.html").read_bytes()
    page = webclean.clean(markup, url="https://example.org/lamps/")
    rows = page.block_rows()
    assert [row["text"] for row in rows] == [block.text for block in page.blocks]
    assert [row["n_records"] for row in rows] == [len(block.records) for block in page.blocks]
    assert all(isinstance(value, str | bool | int | float | None) for row in rows for value in row.values())
    assert {row["url"] for row in rows} == {"https://example.org/lamps/"}
    records = page.record_rows()
    assert [row["title"] for row in records] == [record.title for block in page.blocks for record in block.records]
    assert math.isclose(sum(row["importance"] for row in rows), sum(block.importance for block in page.blocks))
