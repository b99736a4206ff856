"""Blocks in search engines, by the examples of the docs."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need, read_example
from webclean.adapters import sqlite_fts

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


def test_other_engines_take_the_rows_as_they_are(pages: list[webclean.CleanPage]) -> None:
    need("duckdb", "adapters")
    names, rows = run(1, pages), [row for page in pages for row in page.search_rows()]
    found = names["roles"].fetchall()
    assert sum(n for _, n, _ in found) == len(rows)
    assert "content" in {role for role, _, _ in found}
    assert [action["_source"] for action in names["actions"]] == rows
