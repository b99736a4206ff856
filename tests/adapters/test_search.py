"""Blocks in search engines, by the examples of the docs."""

from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need, read_example

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "content"
URL = "https://example.org/"


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


def test_sqlite_finds_blocks_and_replaces_those_of_a_page_that_is_read_again(
    pages: list[webclean.CleanPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = run(0, pages)
    search, connection = names["search"], names["connection"]
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{URL}news-en-harbour#:~:text=")
    assert "[harbour]" in first.lower()
    assert search('"; DROP') == []
    assert search("?!") == []
    n_kept = sum(row["kept"] for page in pages for row in page.search_rows())
    names["add_page"](pages[0])
    assert connection.execute("SELECT count(*) FROM blocks").fetchone() == (n_kept,)
    assert search("radar")
    names["add_page"](changed("Zinnias grow on it."))
    assert [link.partition("#")[0] for link, _ in search("zinnias")] == [f"{URL}news-en-harbour"]
    assert search("radar") == []
    connection.close()


def test_other_engines_take_the_rows_as_they_are(pages: list[webclean.CleanPage]) -> None:
    need("duckdb", "adapters")
    names, rows = run(1, pages), [row for page in pages for row in page.search_rows()]
    found = names["roles"].fetchall()
    assert sum(n for _, n, _ in found) == len(rows)
    assert "content" in {role for role, _, _ in found}
    assert [action["_source"] for action in names["actions"]] == rows
