"""Comparing methods on a folder of labelled pages."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from webclean.cli import main
from webclean.laboratory.comparison import Row, compare_page, find_peers, format_table, group_by_method, write_json
from webclean.pipeline import METHOD_NAMES
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import LabelledPage, Score

TEXT = "A river is long, and it runs to the sea; nobody knows why it does.\nIt never comes back, of course."
HTML = f"<nav><a href=/>Home</a></nav><div>{''.join(f'<p>{line}</p>' for line in TEXT.splitlines())}</div>".encode()


def test_methods_and_peers_are_scored_and_a_failure_is_named() -> None:
    def fails(page: bytes) -> str:
        raise RuntimeError("out of order")

    peers = {"copy": lambda page: TEXT, "broken": fails}
    rows = compare_page(LabelledPage("one", "", HTML, TEXT), ["scorecard", "text-density"], peers, load_rules())
    assert [row.method for row in rows] == ["scorecard", "text-density", "copy", "broken"]
    assert [rows[1].words.f1, rows[2].words.f1] == [1.0, 1.0]
    assert rows[3].error == "RuntimeError: out of order"


def make_rows() -> list[Row]:
    """Two pages of two kinds by method `a`, and one by `patent`."""
    return [
        Row("a", "1", "forum", Score(0.5, 1.0, 0.6), Score(0.1, 0.2, 0.3), 2.0),
        Row("a", "2", "article", Score(1.0, 0.5, 0.8), Score(0.3, 0.4, 0.5), 4.0, "OSError: x"),
        Row("text-density", "1", "forum", Score(0, 0, 0), Score(1, 1, 1), 10.5),
        Row("text-density", "2", "article", Score(0, 0, 0), Score(1, 1, 1), 10.5),
    ]


def test_the_table_has_a_column_for_each_kind_where_there_are_several() -> None:
    rows = make_rows()
    assert format_table(group_by_method(rows)).splitlines() == [
        "method             P       R      F1   LCS P   LCS R   LCS F  article  forum     ms  errors",
        "a             0.7500  0.7500  0.7000  0.2000  0.3000  0.4000    0.800  0.600   3.00       1",
        "text-density  0.0000  0.0000  0.0000  1.0000  1.0000  1.0000    0.000  0.000  10.50       0",
    ]
    head, line = format_table(group_by_method(rows[:1])).splitlines()
    assert head == "method       P       R      F1   LCS P   LCS R   LCS F    ms  errors"
    assert line == "a       0.5000  1.0000  0.6000  0.1000  0.2000  0.3000  2.00       0"
    assert format_table({}).split() == head.split()


def test_the_figures_of_the_table_are_written_by_method(tmp_path: Path) -> None:
    write_json(group_by_method(make_rows()), tmp_path / "means.json")
    found = json.loads((tmp_path / "means.json").read_text())
    assert found["n_pages"] == 2
    assert list(found["summary"]) == ["a", "text-density"]
    assert found["summary"]["a"] == {
        "words precision": 0.75,
        "words recall": 0.75,
        "words f1": pytest.approx(0.7),
        "subsequence precision": pytest.approx(0.2),
        "subsequence recall": pytest.approx(0.3),
        "subsequence f1": pytest.approx(0.4),
        "errors": 1,
    }
    write_json({}, tmp_path / "none.json")
    assert json.loads((tmp_path / "none.json").read_text()) == {"summary": {}, "n_pages": 0}


def test_peers_give_the_text_of_a_page_where_they_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {b"x": "text of x"}
    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=texts.get))
    encoding = SimpleNamespace(detect_encoding=lambda page: "gbk", bytes_to_str=lambda page, name: page.decode(name))
    monkeypatch.setitem(sys.modules, "resiliparse.parse.encoding", encoding)
    plain = SimpleNamespace(extract_plain_text=lambda text, main_content: f"{text} {main_content}")
    monkeypatch.setitem(sys.modules, "resiliparse.extract.html2text", plain)
    monkeypatch.setitem(sys.modules, "readability", None)
    peers = find_peers()
    assert [peers["trafilatura"](page) for page in (b"x", b"y")] == ["text of x", ""]
    assert peers["resiliparse"]("河".encode("gbk")) == "河 True"
    assert "readability-lxml" not in peers
    summary = SimpleNamespace(Document=lambda page: SimpleNamespace(summary=page.decode))
    monkeypatch.setitem(sys.modules, "readability", summary)
    extract = find_peers()["readability-lxml"]
    assert (extract(b"<div><p>one</p><p>two</p></div>"), extract(b"")) == ("one\ntwo", "")


def test_the_command_prints_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "three", "two"):
        (tmp_path / f"{name}.html").write_bytes(HTML)
        (tmp_path / f"{name}.txt").write_text(TEXT)
    command = ["compare", "--data", str(tmp_path), "--no-peers", "--limit", "2", "--json", str(tmp_path / "means.json")]
    assert main([*command, "--methods", "patent,line-density"]) == 0
    assert json.loads((tmp_path / "means.json").read_text())["n_pages"] == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["method", "patent", "line-density"]
    assert main(["compare", "--data", str(tmp_path), "--methods", "none"]) == 2
    assert "unknown method 'none'" in capsys.readouterr().err
    assert main(["compare", "--data", str(tmp_path), "--no-peers", "--limit", "1"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == [*METHOD_NAMES]


def test_rules_of_a_site_are_compared_on_its_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = b"<link rel=canonical href=https://www.river.example/1>"
    (tmp_path / "one.html").write_bytes(link + HTML)
    (tmp_path / "one.txt").write_text(TEXT)
    (tmp_path / "rules" / "sites").mkdir(parents=True)
    rule = "rules: {none: {when: {selector: p}, action: drop, because: tried}}"
    (tmp_path / "rules" / "sites" / "river.example.yaml").write_text(rule)
    command = ["compare", "--data", str(tmp_path), "--no-peers", "--methods", "scorecard"]
    for options, f1 in (([], "1.0000"), (["--rules", str(tmp_path / "rules")], "0.0000")):
        assert main([*command, *options]) == 0
        assert capsys.readouterr().out.splitlines()[1].split()[3] == f1
    assert main([*command, "--profile", "recal"]) == 2
    assert "no profile 'recal'" in capsys.readouterr().err
