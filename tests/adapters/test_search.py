"""Blocks in search engines, by the examples of the docs."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need, read_example
from webclean.adapters import opensearch, sqlite_fts

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "content"
URL = "https://example.org/"
WORDS = "repair of the harbour wall"


@pytest.fixture(scope="module")
def pages() -> list[webclean.CleanPage]:
    names = ("news-en-harbour", "encyclopedia-lighthouse", "recipe-leek-galette")
    return [webclean.clean((FIXTURES / name / "input.html").read_bytes(), url=f"{URL}{name}") for name in names]


def run(number: int, pages: list[Any]) -> dict[str, Any]:
    names = {"pages": pages}
    exec(read_example("Search engines", number), names)
    return names


def changed(text: str) -> webclean.CleanPage:
    markup = f"<title>Harbour wall</title><h1>Harbour wall</h1><p>{text} The wall is as old as the quay behind it.</p>"
    return webclean.clean(markup, url=f"{URL}news-en-harbour")


def test_rows_are_flat_and_lead_to_their_blocks(pages: list[webclean.CleanPage]) -> None:
    rows = pages[0].search_rows()
    assert [row["text"] for row in rows] == [block.text for block in pages[0].ranked_blocks if block.text]
    assert len({row["id"] for row in rows}) == len(rows)
    body = next(row for row in rows if row["text"].startswith("The £4.2m"))
    assert body["link"].startswith(f"{URL}news-en-harbour#:~:text=The%20%C2%A34.2m%20repair")
    assert body["page"] == f"{URL}news-en-harbour"
    assert body["title"] == "Harbour wall repairs pushed back to spring after second survey"
    assert (body["date"], body["role"], body["kept"]) == ("2023-11-14", "content", True)
    assert body["heading"] == "The Morning Tide"
    assert webclean.clean("<p>No date, no title").search_rows()[0]["date"] is None


def test_sqlite_finds_blocks(pages: list[webclean.CleanPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                             capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    connection = run(0, pages)["connection"]
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{URL}news-en-harbour#:~:text=")
    assert "[harbour]" in first.lower()
    found = sqlite_fts.search(connection, WORDS)
    assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
    assert all(row["kept"] for row in found)
    assert len(sqlite_fts.search(connection, WORDS, 100)) < len(
        sqlite_fts.search(connection, WORDS, 100, kept_only=False)
    )
    assert sqlite_fts.search(connection, '"; DROP') == []
    assert sqlite_fts.search(connection, "?!") == []
    connection.close()


def test_sqlite_replaces_the_blocks_of_a_page_that_is_read_again(pages: list[webclean.CleanPage]) -> None:
    connection = sqlite3.connect(":memory:")
    sqlite_fts.create_tables(connection)
    n_rows = sqlite_fts.add_pages(connection, pages)
    assert connection.execute("SELECT count(*) FROM blocks").fetchone() == (n_rows,)
    assert sqlite_fts.add_pages(connection, pages) == n_rows
    assert connection.execute("SELECT count(*) FROM blocks").fetchone() == (n_rows,)
    sqlite_fts.add_pages(connection, [changed("Zinnias grow on it.")])
    left = connection.execute("SELECT text FROM blocks WHERE page = ?", (f"{URL}news-en-harbour",)).fetchall()
    assert "Zinnias" in "".join(text for (text,) in left)
    assert "radar" not in "".join(text for (text,) in left)
    assert [row["page"] for row in sqlite_fts.search(connection, "zinnias")] == [f"{URL}news-en-harbour"]
    assert sqlite_fts.search(connection, "radar") == []
    connection.close()


def test_sqlite_finds_text_without_spaces_by_its_parts() -> None:
    connection = sqlite3.connect(":memory:")
    sqlite_fts.create_tables(connection, tokenize="trigram")
    sqlite_fts.add_pages(
        connection, [webclean.clean("<p>廃校の木造校舎、図書館に再生。山あいの町に灯り戻る。", url=URL)]
    )
    assert len(sqlite_fts.search(connection, "木造校舎", kept_only=False)) == 1
    connection.close()


def test_duckdb_answers_questions_in_sql(pages: list[webclean.CleanPage], tmp_path: Path,
                                         monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    need("duckdb", "search")
    from webclean.adapters import duckdb as adapter

    monkeypatch.chdir(tmp_path)
    names = run(1, pages)
    n_rows = sum(len(page.search_rows()) for page in pages)
    rows = names["roles"].fetchall()
    assert sum(n for _, n, _ in rows) == n_rows
    assert "content" in {role for role, _, _ in rows}
    connection = names["connection"]
    adapter.add_pages(connection, [*pages[1:], changed("Zinnias grow on it.")])
    texts = connection.execute("SELECT text, date FROM blocks WHERE page LIKE '%harbour'").fetchall()
    assert "Zinnias" in "".join(text for text, _ in texts)
    assert "radar" not in "".join(text for text, _ in texts)
    connection.close()


def test_tantivy_finds_blocks(pages: list[webclean.CleanPage]) -> None:
    need("tantivy", "search")
    from webclean.adapters import tantivy as adapter

    names = run(2, pages)
    found = names["found"]
    assert found[0]["page"] == f"{URL}news-en-harbour"
    assert found[0]["score"] >= found[-1]["score"] > 0
    assert found[0]["link"].startswith(f"{URL}news-en-harbour#:~:text=")
    index = names["index"]
    assert len(adapter.search(index, WORDS, 100)) < len(adapter.search(index, WORDS, 100, kept_only=False))
    assert all(row["kept"] for row in adapter.search(index, WORDS, 100))
    adapter.add_pages(index, [changed("Zinnias grow on it.")])
    assert [row["page"] for row in adapter.search(index, "zinnias")] == [f"{URL}news-en-harbour"]
    assert adapter.search(index, "radar") == []
    assert adapter.search(index, "?!") == adapter.search(index, WORDS, 0) == adapter.search(index, WORDS, -1) == []
    for words in ("a OR", "NOT", "IN [", 'text: "', "+ -", "AND AND", "*"):  # signs of its language of queries
        assert isinstance(adapter.search(index, words), list)


def test_bulk_lines_are_pairs_of_action_and_block(pages: list[webclean.CleanPage]) -> None:
    names = run(3, pages)
    lines = [json.loads(line) for line in names["lines"].splitlines()]
    properties = json.loads(names["create"])["mappings"]["properties"]
    rows = [row for page in pages for row in page.search_rows()]
    assert len(lines) == 2 * len(rows)
    for action, values, row in zip(lines[::2], lines[1::2], rows, strict=True):
        assert action == {"index": {"_index": "blocks", "_id": row["id"]}}
        assert {"id": row["id"], **values} == row
        assert set(values) == set(properties)
    assert names["lines"].endswith("\n")
    stale = opensearch.delete_stale(pages[0])["query"]["bool"]
    assert stale["filter"] == {"term": {"page": pages[0].url}}
    assert stale["must_not"]["ids"]["values"] == [row["id"] for row in pages[0].search_rows()]
