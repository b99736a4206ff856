"""A table of pages in, tables of what was found in them out: row for row, whatever the pages are."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import webclean
from webclean.batch.tables import ALWAYS, Columns, Shape, clean_table, clean_tables, find_schema, fit_values, flag_pages
from webclean.errors import InputError
from webclean.model import Block

pa = pytest.importorskip("pyarrow", reason="tables of pages need the extra batch")

FIXTURES = Path(__file__).parents[2] / "fixtures"
NEWS, BOARD = (FIXTURES / name / "input.html" for name in ("content/news-en-harbour", "index/forum-board"))
URL = "https://example.org/a/b"
CANONICAL = (
    b"<link rel=canonical href='https://own.example/x'><h1>Peas</h1><p>Peas are sown in gutters, as mice eat them."
)


def build(pages: list[Any], **columns: list[Any]) -> Any:
    return pa.table({"html": pa.array(pages), **columns})


def test_a_row_says_what_the_page_says() -> None:
    page = webclean.clean(NEWS.read_bytes(), url=URL)
    (row,) = clean_table(build([NEWS.read_bytes()], url=[URL], source=["here"])).to_pylist()
    for name in ("page_subtype", "page_label", "title", "date", "author", "language", "text", "confidence"):
        assert row[name] == getattr(page, name), name
    assert row["markdown"] == page.to_markdown()
    assert (row["url"], row["source"], row["status"], row["rules"]) == (URL, "here", "ok", page.rules_hash)
    assert (row["error"], row["error_kind"], row["n_bytes"]) == (None, None, len(NEWS.read_bytes()))
    assert row["page_type"] == "content"
    assert row["ms"] > 0
    stages = [reason["stage"] for reason in row["reasons"]]
    assert stages[:2] == ["page type", "cut"]
    n_kept = int(page.analysis.decisions.kept.sum())
    assert row["reasons"][1]["evidence"].startswith(f"{n_kept} of ")
    (match,) = [match for match in page.analysis.matches if match.id == "copyright-notice"]
    (told,) = [reason for reason in row["reasons"] if reason["rule"] == "copyright-notice"]
    assert told["evidence"] == f"text blocks: {match.blocks.sum()}; a copyright notice"


def test_each_page_has_its_row_whatever_it_is() -> None:
    pages = [
        NEWS.read_bytes(),
        None,
        b"%PDF-1.4 \0\1",
        b"",
        b"<p>hi",
        "<p>\ud800 alone".encode("utf-8", "surrogatepass"),
    ]
    urls = [URL, None, URL, URL, "http://[::1", None]
    found = clean_table(build(pages, url=urls, problem=[None, "cut off", None, None, None, None])).to_pylist()
    assert [row["error_kind"] for row in found] == [None, "unreadable", "not_a_page", "not_a_page", None, None]
    assert [row["status"] for row in found] == ["ok", "error", "error", "error", "ok", "ok"]
    assert [row["url"] for row in found] == [URL, None, URL, URL, None, None]
    assert found[1]["error"] == "cut off"
    assert "application/pdf" in found[2]["error"]
    assert "empty" in found[3]["error"]
    assert "[::1" in found[4]["warnings"][0]


def test_a_page_over_a_limit_says_which() -> None:
    cleaner = webclean.Cleaner(limits=webclean.Limits(max_bytes=100))
    (row,) = clean_table(build([b"<p>" + b"word " * 50]), cleaner=cleaner).to_pylist()
    assert row["error_kind"] == "limit"
    assert "max_bytes" in row["error"]


def test_halves_of_surrogate_pairs_do_not_spoil_a_table() -> None:
    data = '{"@type": "Article", "headline": "Peas \\ud800", "author": {"name": "Nell \\udc00 Marsh"}}'
    page = f"<script type='application/ld+json'>{data}</script><h1>Peas</h1><p>Peas are sown in gutters."
    found = clean_table(build([page, "<p>whole"], url=[URL, URL]))
    assert found.column("status").to_pylist() == ["ok", "ok"]
    assert found.column("author").to_pylist() == ["Nell \ufffd Marsh", None]


def test_blocks_and_records_are_rows_of_their_own() -> None:
    page = webclean.clean(BOARD.read_bytes(), url=URL)
    table = build([BOARD.read_bytes(), NEWS.read_bytes(), None], url=[URL, None, None])
    found = clean_tables(table)
    blocks = [row for row in found["blocks"].to_pylist() if row["url"] == URL]
    shown = ("block", "role", "kept", "heading", "text", "importance", "xpath", "fragment", "n_links", "n_records")
    assert [{name: row[name] for name in shown} for row in blocks] == [
        {name: row[name] for name in shown} for row in page.block_rows()
    ]
    assert [row["position"] for row in blocks] == list(range(len(blocks)))
    assert {row["title"] for row in blocks} == {page.title}
    assert found["pages"].num_rows == 3
    assert clean_table(table, rows="blocks").equals(found["blocks"])


def test_records_are_those_of_index_pages() -> None:
    pages = sorted(FIXTURES.glob("index/*/input.html"))[:6]
    table = build([path.read_bytes() for path in [*pages, NEWS]], url=[URL] * len(pages) + ["https://other.example/"])
    found = clean_tables(table)
    types = [row["page_type"] for row in found["pages"].to_pylist()]
    listed = sum(
        len(webclean.clean(path.read_bytes(), url=URL).record_rows())
        for path, kind in zip(pages, types, strict=False)
        if kind == "index"
    )
    records = found["records"].to_pylist()
    assert len(records) == listed > 0
    assert {row["page_url"] for row in records} == {URL}
    assert webclean.clean(NEWS.read_bytes()).record_rows()


def test_columns_have_other_names_and_are_kept() -> None:
    table = pa.table({"body": [NEWS.read_text(encoding="utf-8")], "address": [URL], "id": [7], "title": ["mine"]})
    columns = Columns(html="body", url="address", keep=("id", "title"))
    found = clean_tables(table, columns=columns)
    assert found["pages"].column("url").to_pylist() == [URL]
    assert found["pages"].column("title").to_pylist() == ["mine"]
    assert set(found["blocks"].column("id").to_pylist()) == {7}
    assert found["blocks"].schema.field("id").type == pa.int64()
    with pytest.raises(webclean.InputError, match="no column 'html': the table has body, address, id, title"):
        clean_table(table)
    with pytest.raises(webclean.InputError, match="no table 'words'"):
        clean_table(build([b"x"]), rows="words")


def test_options_of_single_pages_are_columns() -> None:
    page = "<meta charset=utf-8><h1>Über</h1><p>Schöne Grüße aus Köln, und viele Wörter dazu.".encode("cp1252")
    (row,) = clean_table(build([page], charset=["windows-1252"], page_type=["index"])).to_pylist()
    assert "Grüße" in row["text"] + row["markdown"]
    assert row["page_type"] == "index"


def test_a_page_is_taken_by_its_canonical_link_only_if_asked_to() -> None:
    table = build([CANONICAL, CANONICAL], url=[None, URL])
    urls = clean_tables(table, Shape(canonical=True))["pages"]
    assert urls.column("url").to_pylist() == ["https://own.example/x", URL]
    assert ["canonical" in " ".join(told) for told in urls.column("warnings").to_pylist()] == [True, False]
    assert clean_table(table).column("url").to_pylist() == [None, URL]


@pytest.mark.parametrize("kind", ["pages", "blocks", "records"])
def test_rows_fit_the_published_schema(kind: str) -> None:
    pages = [
        BOARD.read_bytes(),
        NEWS.read_bytes(),
        None,
        *(p.read_bytes() for p in FIXTURES.glob("index/*/input.html")),
    ]
    found = clean_tables(build(pages))[kind]
    assert found.schema.equals(find_schema(kind), check_metadata=True)
    assert found.schema.metadata[b"webclean_table_version"] == b"1"
    assert found.num_rows


def test_pages_are_flagged_in_the_same_columns() -> None:
    given = {"html": b"x", "source": "a", "url": None, "id": 7, "title": "mine"}
    schema = find_schema("pages").append(pa.field("id", pa.int64()))
    flagged = flag_pages([given], "timeout", "not done after 3 s", schema)
    assert flagged.schema.equals(schema)
    (row,) = flagged.to_pylist()
    assert (row["source"], row["status"], row["error_kind"]) == ("a", "error", "timeout")
    assert (row["id"], row["title"], row["text"]) == (7, "mine", None)


def test_the_same_table_gives_the_same_rows() -> None:
    table = build([NEWS.read_bytes(), BOARD.read_bytes()] * 10)
    first, second = (clean_table(one).drop_columns(["ms"]) for one in (table, pickle.loads(pickle.dumps(table))))
    assert first.equals(second)
    assert clean_table(table.slice(3, 2)).drop_columns(["ms"]).equals(first.slice(3, 2))


def test_only_the_columns_that_are_asked_for_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    for name in ("date", "author", "type_reasons", "confidence"):
        monkeypatch.setattr(webclean.CleanPage, name, property(lambda _, name=name: asked.append(name)))
    render = webclean.CleanPage.render
    monkeypatch.setattr(
        webclean.CleanPage, "render", lambda page, name, *rest: asked.append(name) or render(page, name, *rest)
    )
    table = build([NEWS.read_bytes(), None], url=[URL, URL], problem=[None, "cut off"])
    found = clean_table(table, only=("title", "text"))
    assert found.column_names == [name for name in find_schema("pages").names if name in {*ALWAYS, "title", "text"}]
    first, second = found.to_pylist()
    page = webclean.clean(NEWS.read_bytes(), url=URL)
    assert (first["title"], first["text"], first["status"]) == (page.title, page.text, "ok")
    assert (second["text"], second["error"]) == (None, "cut off")
    assert set(asked) <= {"text"}


def test_only_the_columns_of_blocks_that_are_asked_for_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = build([NEWS.read_bytes()], url=[URL])
    whole = clean_table(table, rows="blocks")
    for name in ("title", "language", "section_titles"):
        monkeypatch.setattr(webclean.CleanPage, name, property(lambda _: 1 / 0))
    for name in ("records", "fragment", "links"):
        monkeypatch.setattr(Block, name, property(lambda _: 1 / 0))
    found = clean_table(table, rows="blocks", only=("role", "text"))
    assert found.column_names == ["source", "url", "position", "block", "role", "text"]
    assert found.equals(whole.select(found.column_names).replace_schema_metadata(found.schema.metadata))
    with pytest.raises(InputError, match="no column 'words': blocks have source, url"):
        clean_table(table, rows="blocks", only=("words",))


def test_a_column_that_pages_do_not_have_is_named() -> None:
    with pytest.raises(InputError, match="no column 'texts': pages have source, url"):
        clean_table(build([CANONICAL]), only=("texts",))


def test_kept_values_of_any_form_end_no_job() -> None:
    fields = [pa.field("id", pa.string()), pa.field("n", pa.int64())]
    rows = [{"id": 1, "n": "x"}, {"id": ["a"], "n": 2}, {"id": None, "n": None}, {"id": "\ud800", "n": 2**70}]
    found = [fit_values(row, fields) for row in rows]
    assert [row["id"] for row in found] == ["1", '["a"]', None, "?"]
    assert [row["n"] for row in found] == [None, 2, None, None]
