"""`webclean phone`."""

from __future__ import annotations

from pathlib import Path

import pytest

from webclean.cli import main

PROSE = "The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early. "


@pytest.fixture
def page(tmp_path: Path) -> str:
    sections = "".join(f"<h2>Part {at}</h2>" + f"<p>{PROSE * 4}</p>" * 4 for at in range(6))
    path = tmp_path / "page.html"
    path.write_text(f"<html lang=en><title>Ferries</title><h1>Ferries</h1>{sections}", encoding="utf-8")
    return str(path)


def test_one_document_goes_to_standard_output(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phone", page]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>")
    assert "Part 5" in out
    assert 'class="parts"' not in out.partition("</style>")[2]


def test_the_parts_of_a_long_page_go_to_a_folder(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert main(["phone", page, "-o", str(folder), "--part-bytes", "3500"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["2.html", "3.html", "4.html", "index.html"]
    assert '<a rel="prev" href="index.html">' in (folder / "2.html").read_text(encoding="utf-8")
    assert main(["phone", page, "-o", str(tmp_path / "whole"), "--part-bytes", "90000"]) == 0
    assert [path.name for path in (tmp_path / "whole").iterdir()] == ["index.html"]


@pytest.mark.parametrize(
    "arguments", [["--part-bytes", "9"], ["--part-bytes", "0", "-o", "x"], ["--inline-images", "--no-images"]]
)
def test_what_contradicts_itself_is_wrong_usage(page: str, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["phone", page, *arguments])
    assert left.value.code == 2


def test_a_file_is_no_folder(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phone", page, "-o", page]) == 2
    assert "say a folder" in capsys.readouterr().err


def test_inline_images_are_for_phone_pages(page: str) -> None:
    pytest.importorskip("PIL")
    assert main(["phone", page, "--inline-images"]) == 0
    assert main(["clean", page, "--format", "mobile", "--inline-images"]) == 0
    for arguments in (["--format", "html"], ["--format", "mobile", "--no-images"]):
        with pytest.raises(SystemExit) as left:
            main(["clean", page, "--inline-images", *arguments])
        assert left.value.code == 2
