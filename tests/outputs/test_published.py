"""What is promised of the JSON of a page, and how a page shows itself."""

from __future__ import annotations

import json
import math
from pathlib import Path

import jsonschema
import pytest

import webclean
from webclean.cli import main
from webclean.model import Limits
from webclean.page.formats import SCHEMA_VERSION, describe_page_schema

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGES = sorted(FIXTURES.glob("[cimn]*/*/input.html"))
CHECKER = jsonschema.Draft202012Validator(describe_page_schema())
PAGE = """<title>Tea &lt;now&gt;</title><h1>Tea &lt;now&gt;</h1>
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
    values = webclean.clean(PAGE).to_dict()
    for name, found in (
        ("PageObject", values),
        ("FieldsObject", values["fields"]),
        ("BlockObject", values["blocks"][0]),
    ):
        assert sorted(parts[name]["required"]) == sorted(found)
    wrong = json.loads(json.dumps({**values, "page_type": "blog"}))
    with pytest.raises(jsonschema.ValidationError, match="blog"):
        CHECKER.validate(wrong)


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(describe_page_schema()))


def test_markdown_is_in_it_if_asked_for() -> None:
    page = webclean.clean(PAGE)
    assert "markdown" not in page.to_dict()
    assert page.to_dict(include_markdown=True)["markdown"] == page.to_markdown()


def test_a_page_tells_what_it_is() -> None:
    page = webclean.clean(PAGE)
    n = len(page.text.split())
    kind = f"{page.page_type}, {page.page_label}"
    assert repr(page) == (
        f"<CleanPage {kind}: 'Tea <now>', {n} words, {len(page.blocks)} blocks, confidence {page.confidence:.2f}>"
    )


def test_a_page_that_costs_too_much_says_so() -> None:
    page = webclean.clean(PAGE, limits=Limits(max_output_ratio=1e-9))
    assert "limit" in repr(page)


def test_a_notebook_shows_blocks_as_text_with_their_role_and_fate() -> None:
    page = webclean.clean(PAGE)
    shown = page._repr_html_()
    assert "Tea &lt;now&gt;" in shown and "<now>" not in shown
    assert "<script" not in webclean.clean("<p>&lt;script&gt;alert(1)&lt;/script&gt; and some more words")._repr_html_()
    for block in page.blocks:
        fate = f"kept, importance {block.importance:g}" if block.kept else "dropped"
        assert f"{block.id} {block.role}, {fate}" in shown
    assert shown.count("opacity:0.45") == sum(not block.kept for block in page.blocks)


def test_long_texts_and_many_blocks_are_cut() -> None:
    words = "<p>" + "tea and cake " * 100
    assert "…" in webclean.clean(words)._repr_html_()
    assert len(webclean.clean(words)._repr_html_()) < 1200


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
