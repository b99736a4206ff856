"""Comparing methods on a folder of labelled pages."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from webclean.cli import main
from webclean.compare.chart import draw_chart
from webclean.compare.corpus import TruePage, read_corpus
from webclean.compare.run import compare_page, format_table, summarise_rows, write_csv
from webclean.corpora.scores import Score, score_subsequence, score_words
from webclean.errors import InputError
from webclean.rules import load_rules

TEXT = "A river is long, and it runs to the sea; nobody knows why it does.\nIt never comes back, of course."
HTML = f"<nav><a href=/>Home</a></nav><div>{''.join(f'<p>{line}</p>' for line in TEXT.splitlines())}</div>".encode()


def test_scores_by_hand() -> None:
    assert score_words("a b b c", "b b d") == Score(0.5, 2 / 3, pytest.approx(4 / 7))
    assert score_subsequence("axbxc", "abc") == Score(0.6, 1.0, pytest.approx(0.75))
    assert score_words("", "") == Score(1, 1, 1)
    assert score_words("a", "") == Score(0, 0, 0)


def test_a_folder_of_pages_beside_texts_is_read(tmp_path: Path) -> None:
    (tmp_path / "one.html.gz").write_bytes(gzip.compress(HTML))
    (tmp_path / "one.txt").write_text(TEXT)
    (tmp_path / "two.html").write_bytes(HTML)
    (tmp_path / "two.txt").write_text(TEXT)
    (tmp_path / "no-page.txt").write_text(TEXT)
    assert [page.id for page in read_corpus(tmp_path)] == ["one", "two"]
    with pytest.raises(InputError, match=r"ID\.txt"):
        list(read_corpus(tmp_path / "missing"))


def test_methods_and_peers_are_scored_and_a_failure_is_named(tmp_path: Path) -> None:
    def fails(page: bytes) -> str:
        raise RuntimeError("out of order")

    peers = {"copy": lambda page: TEXT, "broken": fails}
    rows = compare_page(TruePage("one", HTML, None, TEXT, "page"), ["scorecard", "text-density"], peers, load_rules())
    by_method = {summary.method: summary for summary in summarise_rows(rows)}
    assert list(by_method) == ["scorecard", "text-density", "copy", "broken"]
    assert by_method["copy"].words.f1 == 1.0
    assert by_method["broken"].n_errors == 1
    assert by_method["text-density"].words.f1 == 1.0
    table = format_table(list(by_method.values()))
    assert "F .930" in table
    write_csv(rows, tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert lines[3]["error"] == "RuntimeError: out of order"


def test_the_chart_is_a_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = compare_page(TruePage("one", HTML, None, TEXT, "page"), ["scorecard"], {}, load_rules())
    draw_chart(summarise_rows(rows), tmp_path / "chart.png", "test")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_the_command_prints_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.html").write_bytes(HTML)
    (tmp_path / "one.txt").write_text(TEXT)
    assert main(["compare", "--data", str(tmp_path), "--methods", "patent,line-density", "--no-peers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["method", "patent", "line-density"]
    assert main(["compare", "--data", str(tmp_path), "--methods", "none"]) == 2
    assert "unknown method 'none'" in capsys.readouterr().err
