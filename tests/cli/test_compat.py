"""`webclean compat`: trafilatura's flags."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.web_sites import publish
from webclean.cli import main
from webclean.compat import extract

NEWS = Path("fixtures/content/news-en-harbour/input.html")


def test_a_page_of_the_web_is_written_in_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    with publish() as site:
        site.pages["/news"] = ({"content-type": "text/html"}, NEWS.read_bytes())
        url = f"{site.base}/news"
        assert main(["compat", "-u", url, "--markdown", "--links", "--allow-private"]) == 0
        made = extract(NEWS.read_bytes(), url=url, output_format="markdown", include_links=True)
        assert capsys.readouterr().out == f"{made}\n"
        assert main(["compat", "-u", f"{site.base}/none", "--allow-private"]) == 1
        captured = capsys.readouterr()
        assert (captured.out, captured.err.count("404")) == ("", 1)


def test_lists_and_folders_go_to_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with publish() as site:
        site.find = lambda path: ({"content-type": "text/html"}, NEWS.read_bytes())
        (tmp_path / "urls.txt").write_text(f"{site.base}/a\n\n{site.base}/b\n{site.base}/a\n")
        (tmp_path / "not.txt").write_text(f"{site.base}/b\n")
        command = ["compat", "-i", str(tmp_path / "urls.txt"), "-b", str(tmp_path / "not.txt"), "--allow-private"]
        assert main([*command, "-o", str(tmp_path / "out"), "--json", "--with-metadata"]) == 0
        assert site.asked == ["/a"]
    (made,) = (tmp_path / "out").iterdir()
    assert made.suffix == ".json"
    assert json.loads(made.read_text())["author"] == "Imogen Tarrant"
    assert main(["compat", "--input-dir", str(NEWS.parent), "--output-format", "csv", "--no-comments"]) == 0
    assert capsys.readouterr().out == f"{extract(NEWS.read_bytes(), output_format='csv', include_comments=False)}"


def test_a_page_from_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NEWS.read_bytes())))
    assert main(["compat", "--precision"]) == 0
    assert capsys.readouterr().out == f"{extract(NEWS.read_bytes(), favor_precision=True)}\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert main(["compat"]) == 0
    assert capsys.readouterr().out == ""


def test_ways_to_name_pages_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["compat", "-u", "https://example.org", "--input-dir", "pages"])
    assert "exclude each other" in capsys.readouterr().err
