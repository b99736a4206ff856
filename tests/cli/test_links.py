"""`webclean links`: one line a link, the most promising first."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.cli import main

pytest.importorskip("rank_bm25")

PAGE = """<title>Harbour</title><main><h1>Harbour news</h1><p>What is new in the harbour this week, and what is not.</p>
<ul><li><a href="/cranes">Two new cranes</a></li><li><a href="/ferry">The ferry timetable</a></li>
<li><a href="/fish">Fish prices</a></li></ul></main>"""


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "front.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def list_links(capsys: pytest.CaptureFixture[str], *args: str) -> list[list[str]]:
    assert main(["links", *args, "--url", "https://port.example/"]) == 0
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_links_are_ranked_by_words(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = list_links(capsys, page, "--topic", "ferry timetable")
    assert lines[0][2:] == ["https://port.example/ferry", "The ferry timetable"]
    assert {line[2] for line in lines} == {f"https://port.example/{name}" for name in ("cranes", "ferry", "fish")}
    assert lines[0][0] == "1.000"
    assert all(len(line[0]) == 5 and float(line[0]) < 1 and line[1].startswith("b") for line in lines[1:])


def test_only_so_many_are_shown(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list_links(capsys, page, "--topic", "fish", "--top", "2")) == 2
    assert len(list_links(capsys, page, "--topic", "fish", "--top", "0")) == 3


def test_twenty_are_shown_when_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.html"
    path.write_text("".join(f"<p><a href=/fish/{i}>Fish of kind {i}</a></p>" for i in range(24)), encoding="utf-8")
    assert len(list_links(capsys, str(path), "--topic", "fish")) == 20


def test_an_example_page_is_a_topic_alone_or_with_words(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    like = tmp_path / "like.html"
    like.write_text("<title>Cranes</title><h1>Cranes</h1><p>Cranes lift what ships bring, and cranes are tall.</p>")
    assert list_links(capsys, page, "--like", str(like), "--top", "1")[0][2] == "https://port.example/cranes"
    words = " ".join(["fish prices"] * 9)
    found = list_links(capsys, page, "--like", str(like), "--topic", words, "--top", "2")
    assert {line[2].rpartition("/")[2] for line in found} == {"cranes", "fish"}


def test_a_topic_must_be_named(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["links", page]) == 2
    assert "name a topic: --topic WORDS or --like FILE" in capsys.readouterr().err
    assert main(["links", page, "--topic", "?!"]) == 2
    assert "a topic needs at least one word" in capsys.readouterr().err
