"""Blocks in search engines, by the examples of the docs."""

from __future__ import annotations

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


def test_sqlite_finds_blocks(pages: list[webclean.CleanPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # what is read again takes its own place
        names = run(0, pages)
        (link, snippet), *_ = names["found"]
        assert link.startswith(f"{URL}news-en-harbour#:~:text=")
        assert "[harbour]" in snippet.lower()
        (n_rows,) = names["index"].execute("select count(*) from blocks").fetchone()
        assert n_rows == sum(row["kept"] for page in pages for row in page.search_rows())
        names["index"].commit()
        names["index"].close()


def test_duckdb_answers_questions_in_sql(pages: list[webclean.CleanPage]) -> None:
    need("duckdb", "duckdb")
    found = run(1, pages)["roles"].fetchall()
    assert sum(n for _, n, _ in found) == sum(len(page.search_rows()) for page in pages)
    assert "content" in {role for role, _, _ in found}


def test_bulk_actions_are_one_for_each_block(pages: list[webclean.CleanPage]) -> None:
    rows = [row for page in pages for row in page.search_rows()]
    assert [(one["_id"], one["_source"]) for one in run(2, pages)["actions"]] == [(row["id"], row) for row in rows]
