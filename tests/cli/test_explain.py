"""`webclean explain`: tables that fit, and JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

import webclean
from webclean.cli import main
from webclean.decide.explain import explain_block

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


def test_texts_are_whole_where_that_is_asked_for(
    page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    end = "桥上常常有人钓鱼。"
    for options, is_whole in ([], False), (["--whole"], True), (["--whole", "--text-blocks"], True):
        assert main(["explain", page, *options]) == 0
        written = capsys.readouterr().out
        assert (end in written, "…" in written) == (is_whole, not is_whole)


def test_a_kept_block_without_kept_text_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "fixtures/content/product-teapot/input.html"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (at, *_) = [n for n, line in enumerate(lines) if " yes " in line and " 0 / 84 " in line]
    assert "each of its texts is dropped" in lines[at + 1]


def test_text_blocks_say_their_fate_by_weight_and_what_would_change_it(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["explain", page, "--text-blocks", "--json"])
    read = json.loads(capsys.readouterr().out)
    blocks = read["text_blocks"]
    assert [block["text"] for block in blocks][:2] == ["首页", "河"]
    assert all(block["reasons"] and block["xpath"].startswith("/html") for block in blocks)
    assert read["type_reasons"]
    for block in blocks:
        points = [abs(reason["points"]) for reason in block["reasons"][1:]]
        assert points == sorted(points, reverse=True)
    analysis = webclean.clean(PAGE).analysis
    flips = [explain_block(analysis.columns, analysis.decisions, analysis.rules, i).flip for i in range(len(blocks))]
    assert [block["would_change"] for block in blocks] == [str(flip) if flip else None for flip in flips]
    assert any(flips)


def test_repairs_have_positions(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", page, "--repairs", "--json"])
    repairs = json.loads(capsys.readouterr().out)["repairs"]
    assert "crossed" in {repair["kind"] for repair in repairs}
    assert all(repair["line"] >= 1 and repair["column"] >= 1 for repair in repairs)


def test_says_how_the_page_was_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gbk.html"
    path.write_bytes(f"<meta charset=utf-8>{PAGE}".encode("gbk"))
    assert main(["explain", str(path)]) == 0
    assert "encoding gbk [detected against the declared utf-8]" in capsys.readouterr().out
    path.write_text("<p>x<noscript>" + "<p>The river rises in the hills and goes down.</p>" * 9 + "</noscript>")
    assert main(["explain", str(path)]) == 0
    assert "the content of noscript" in capsys.readouterr().out


def test_the_head_names_type_subtype_and_label_and_blocks_say_how_much_of_them_is_in_the_text(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", page, "--page-subtype", "blog", "--reasons", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "type     content (article, blog), confidence 1.00"
    assert "argument: the caller says blog" in lines[1]
    assert "page type, card: " in lines[2]
    assert any(re.match(r"b\d+ +(yes|no) +\w+ +-?[\d.]+ +\d+ / \d+  ", line) for line in lines)


def test_blocks_are_shown_with_so_many_reasons_as_asked_for(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    def count_lines(*args: str) -> tuple[int, int]:
        assert main(["explain", page, *args]) == 0
        head, _, table = capsys.readouterr().out.partition("\n\n")
        return sum(line.startswith(" ") for line in head.splitlines()), len(table.splitlines())

    n_blocks = len(webclean.clean(PAGE).blocks)
    n_reasons = [len(block.reasons) for block in webclean.clean(PAGE).blocks]
    n_type = len(webclean.clean(PAGE).type_reasons)
    for asked in (0, 1, 5):
        expected = 1 + n_blocks + sum(min(asked, n) for n in n_reasons)
        assert count_lines("--reasons", str(asked)) == (min(n_type, max(3, asked + 2)), expected)
    assert count_lines() == count_lines("--reasons", "2")


def test_counts_scores_and_positions_of_tables(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    cleaned = webclean.clean(PAGE)
    columns, decisions = cleaned.analysis.columns, cleaned.analysis.decisions
    assert main(["explain", page, "--text-blocks", "--reasons", "0"]) == 0
    rows = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert rows[0].split() == ["block", "kept", "role", "score", "words", "text"]
    assert [row.split()[:2] for row in rows[1:]] == [
        [str(i), "yes" if kept else "no"] for i, kept in enumerate(decisions.kept.tolist())
    ]
    assert [int(row.split()[4]) for row in rows[1:]] == columns.blocks.n_words.tolist()
    assert main(["explain", page, "--reasons", "0"]) == 0
    rows = capsys.readouterr().out.partition("\n\n")[2].splitlines()[1:]
    taken = sum(int(row.partition(" / ")[0].split()[-1]) for row in rows)
    every = sum(int(row.partition(" / ")[2].split()[0]) for row in rows)
    assert taken == int(columns.blocks.n_words[decisions.kept].sum())
    assert every == int(columns.blocks.n_words.sum())
    assert main(["explain", page, "--repairs"]) == 0
    rows = capsys.readouterr().out.partition("\n\n")[2].splitlines()
    assert rows[0].split() == ["line", "column", "repair", "what"]
    assert len(rows) == 1 + len(cleaned.repairs)


def test_fields_warnings_and_limits_are_in_the_head(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_text("<body a=1>" * 3000 + PAGE, encoding="utf-8")
    assert main(["explain", str(path), "--on-limit", "truncate"]) == 0
    head = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert "cut      at the limit of max_root_tags" in head
    path.write_text(PAGE, encoding="utf-8")
    assert main(["explain", str(path)]) == 0
    head = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    title = webclean.clean(PAGE).fields.title
    assert f"title    河  [{title.source}, {title.confidence:.2f}]" in head
    size = len(PAGE.encode())
    assert any(line.startswith("encoding utf-8 [") and line.endswith(f"], {size} bytes") for line in head)
    assert not any(line.startswith(("cut", "input", "warning")) for line in head)


def test_json_has_no_text_and_only_what_was_asked_for(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", page, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert not {"text", "text_blocks", "repairs"} & set(read)
    assert read["warnings"] == []
    assert sum(read["type_probabilities"].values()) == pytest.approx(1.0, abs=0.01)
