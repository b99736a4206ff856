"""`webclean explain`: tables that fit, and JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from webclean.cli import main
from webclean.cli.terminal import fit

PAGE = """<title>河</title><nav><a href=/>首页</a></nav><article><h1>河</h1><p>河水从山上流下来，经过十一座城镇，
一直流到大海。每座城镇都有自己的桥，桥上常常有人钓鱼。</p>
<p><b>crossed <i>tags</b> here</i></p></article><footer>版权所有</footer>"""


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def measure_width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


@pytest.mark.parametrize("option", ["--text-blocks", "--repairs", "--reasons=4"])
def test_tables_fit_the_terminal(
    page: str, option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["explain", page, option]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 8
    assert max(measure_width(line) for line in lines) <= 60


def test_each_text_block_has_its_fate_and_points(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", page, "--text-blocks", "--json"])
    read = json.loads(capsys.readouterr().out)
    assert [block["text"] for block in read["text_blocks"]][:2] == ["首页", "河"]
    assert all(block["reasons"] and block["xpath"].startswith("/html") for block in read["text_blocks"])
    assert read["type_reasons"]


def test_repairs_have_positions(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", page, "--repairs", "--json"])
    repairs = json.loads(capsys.readouterr().out)["repairs"]
    assert "crossed" in {repair["kind"] for repair in repairs}
    assert all(repair["line"] >= 1 and repair["column"] >= 1 for repair in repairs)


def test_a_page_that_cannot_be_read_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "no-such-file.html"]) == 2
    assert "no-such-file.html" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字", 4, "漢字"),
        ("漢字漢", 4, "漢…"),
        ("漢字漢", 5, "漢字…"),
        ("", 3, ""),
    ],
)
def test_fit(text: str, width: int, line: str) -> None:
    assert fit(text, width) == line


def test_says_how_the_page_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gbk.html"
    path.write_bytes(f"<meta charset=utf-8>{PAGE}".encode("gbk"))
    assert main(["explain", str(path)]) == 0
    assert "encoding gbk [detected against the declared utf-8]" in capsys.readouterr().out
    path.write_text("<p>x<noscript>" + "<p>The river rises in the hills and goes down.</p>" * 9 + "</noscript>")
    assert main(["explain", str(path)]) == 0
    assert "the content of noscript" in capsys.readouterr().out


def test_the_head_names_type_subtype_and_label_and_blocks_say_how_much_of_them_is_in_the_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    assert main(["explain", str(path), "--page-subtype", "blog", "--reasons", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "type     content (article, blog), confidence 1.00"
    assert "argument: the caller says blog" in lines[1]
    assert "page type, card: " in lines[2]
    assert any(re.match(r"b\d+ +(yes|no) +\w+ +-?[\d.]+ +\d+ / \d+  ", line) for line in lines)


def test_what_weighs_most_comes_first(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", page, "--text-blocks", "--json"])
    for block in json.loads(capsys.readouterr().out)["text_blocks"]:
        points = [abs(reason["points"]) for reason in block["reasons"][1:]]
        assert points == sorted(points, reverse=True)
