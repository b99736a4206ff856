"""`webclean blocks`: a tree, a picture, Markdown, JSON and index rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import webclean
from webclean.cli import main

TEXT = "The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns."
PAGE = f"""<title>On rivers</title><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><h1>On rivers</h1><p>{TEXT}</p><p>{TEXT} <a href=/bridge>A bridge</a></p></main>
<footer>Copyright 2024 The River Society</footer>"""
URL = "https://www.rivers.com/a"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["blocks", *args, "--url", URL]) == 0
    return capsys.readouterr().out


def test_a_tree_fits_the_terminal_and_says_why(
    page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = webclean.clean(PAGE, url=URL)
    blocks, sections = found.blocks, [one for section in found.sections for one in section.walk()]
    lines = run(capsys, page).splitlines()
    shown = [line.split()[:3] for line in lines]
    assert [line for line in shown if line[1] != "#"] == [[b.id, "+" if b.kept else "-", str(b.role)] for b in blocks]
    assert [line for line in shown if line[1] == "#"] == [[one.id, "#", str(one.role)] for one in sections]
    assert max(map(len, lines)) == 80
    told = run(capsys, page, "--reasons").splitlines()
    assert [line for line in told if not line.startswith(" " * 9)] == lines
    n_reasons = sum(len(block.reasons) + bool(block.records) for block in blocks)
    n_reasons += sum(len(section.reasons) for section in sections)
    assert len(told) == len(lines) + n_reasons > len(lines)


def test_a_page_may_be_as_wide_as_120_columns_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "long.html"
    path.write_text(f"<p>{TEXT} {TEXT}", encoding="utf-8")
    assert [len(line) for line in run(capsys, str(path)).splitlines()] == [120]


def test_markdown_json_and_rows(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = webclean.clean(PAGE, url=URL).blocks
    assert "## On rivers\n\nThe river rises" in run(capsys, page, "--format", "markdown")
    values = json.loads(run(capsys, page, "--format", "json"))
    assert [value["text"] for value in values] == [block.text for block in blocks]
    assert "reasons" not in values[0]
    assert {"url": "https://www.rivers.com/bridge", "text": "A bridge"} in [link for v in values for link in v["links"]]
    assert json.loads(run(capsys, page, "--format", "json", "--reasons"))[0]["reasons"]
    rows = [json.loads(line) for line in run(capsys, page, "--format", "rows").splitlines()]
    assert [row["block"] for row in rows] == [block.id for block in blocks if block.text]
    assert {row["page"] for row in rows} == {URL}
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_picture_is_written(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "blocks.html"
    assert run(capsys, page, "--html", str(made)) == f"wrote {made}\n"
    assert 'data-wc="b0"' in made.read_text(encoding="utf-8")
