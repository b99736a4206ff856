"""`webclean clean`, called as a program calls it and as a shell does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import webclean
from webclean.cli import main

PAGE = """<!doctype html><html lang=en><title>On rivers</title><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><h1>On rivers</h1><p>The river rises in the hills, and it takes a long and winding way down to the sea.
It passes eleven towns on its way, and each of them has built <a href="bridge.html">its own bridge</a>.</p></main>
<footer>Copyright 2024 The River Society</footer>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def shell(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "webclean", *args], input=stdin, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("style", "piece"),
    [
        ("text", "built its own bridge"),
        ("markdown", "[its own bridge](https://rivers.example/a/bridge.html)"),
        ("html", '<a href="https://rivers.example/a/bridge.html">its own bridge</a>'),
        ("mobile", '<meta name="viewport"'),
        ("json", '"page_type": "content"'),
        ("jsonl", '"page_type": "content"'),
    ],
)
def test_formats(page: Path, capsys: pytest.CaptureFixture[str], style: str, piece: str) -> None:
    assert main(["clean", str(page), "--format", style, "--url", "https://rivers.example/a/"]) == 0
    out = capsys.readouterr().out
    assert piece in out
    assert "eleven towns" in out


def test_json_is_stable_and_complete(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["clean", str(page), "-f", "json", "--reasons"])
    first = capsys.readouterr().out
    main(["clean", str(page), "-f", "json", "--reasons"])
    assert capsys.readouterr().out == first
    read = json.loads(first)
    assert read["title"] == "On rivers"
    assert read["fields"]["title"]["source"]
    assert read["type_reasons"]
    kept = [block for block in read["blocks"] if block["kept"]]
    assert any("eleven towns" in block["text"] and block["reasons"] for block in kept)


def test_standard_input_and_output_through_a_shell() -> None:
    done = shell("clean", "-", stdin=PAGE.encode())
    assert done.returncode == 0
    assert b"eleven towns" in done.stdout
    assert done.stderr == b""


def test_no_links(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["clean", str(page), "-f", "markdown", "--no-links"])
    assert "](" not in capsys.readouterr().out


def test_many_pages_go_to_a_folder_and_a_bad_one_is_named(
    tmp_path: Path, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "sub" / "page.html"
    other.parent.mkdir()
    other.write_text(PAGE, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["clean", str(page), str(tmp_path / "missing.html"), str(other), "-o", str(out)]) == 1
    error = capsys.readouterr().err
    assert "missing.html: No such file" in error
    assert "1 of 3 pages failed" in error
    assert sorted(path.name for path in out.iterdir()) == ["page-2.txt", "page.txt"]


def test_an_input_folder_keeps_its_shape(tmp_path: Path) -> None:
    for name in ("a/one.html", "b/one.htm", "b/notes.txt"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE, encoding="utf-8")
    assert main(["clean", "--input-dir", str(tmp_path / "pages"), "-o", str(tmp_path / "out"), "-f", "markdown"]) == 0
    written = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.md"))
    assert written == ["a/one.md", "b/one.md"]


def test_json_lines_of_many_pages(tmp_path: Path, page: Path) -> None:
    lines = tmp_path / "pages.jsonl"
    assert main(["clean", str(page), str(page), "-f", "jsonl", "-o", str(lines)]) == 0
    assert [json.loads(line)["source"] for line in lines.read_text(encoding="utf-8").splitlines()] == [str(page)] * 2


def test_a_page_over_a_limit_fails_or_is_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = tmp_path / "roots.html"
    deep.write_text("<body a=1>" * 3000 + "text of some length", encoding="utf-8")
    assert main(["clean", str(deep)]) == 1
    assert "max_root_tags" in capsys.readouterr().err
    assert main(["clean", str(deep), "--on-limit", "truncate", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["truncated"] == ["max_root_tags"]


@pytest.mark.parametrize(
    "args",
    [
        ["clean"],
        ["clean", "a.html", "b.html"],
        ["clean", "a.html", "b.html", "-o", "out", "--url", "https://example.org/"],
        ["clean", "a.html", "--format", "docx"],
        ["nothing"],
    ],
)
def test_wrong_usage_is_exit_code_2(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(args)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_rule_error_is_exit_code_2_without_a_traceback(tmp_path: Path, page: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("no_such_section: 1\n", encoding="utf-8")
    done = shell("clean", str(page), "--rules", str(rules))
    assert done.returncode == 2
    assert b"rules.yaml" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_private_address_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "http://127.0.0.1:9/"]) == 1
    assert "not a public address" in capsys.readouterr().err


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text("<main>" + "<p>A sentence that goes on for a while, and then it ends.</p>" * 5000, encoding="utf-8")
    command = f"'{sys.executable}' -m webclean clean '{page}' -f json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert done.stderr == b""


def test_version_and_help() -> None:
    done = shell("--version")
    said = done.stdout.decode().strip()
    assert said in {f"webclean {webclean.__version__} ({word} compiled kernels)" for word in ("with", "without")}
    for command in ((), ("clean",), ("explain",)):
        done = shell(*command, "--help")
        assert done.returncode == 0
        assert b"examples:" in done.stdout


@pytest.mark.parametrize("form", ["html", "json", "markdown", "text"])
def test_several_pages_need_a_folder_for_every_format_of_one_page(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [tmp_path / name for name in ("a.html", "b.html")]
    for page in pages:
        page.write_text("<p>Rivers</p>")
    with pytest.raises(SystemExit) as caught:
        main(["clean", *map(str, pages), "--format", form])
    assert caught.value.code == 2
    assert "say where to with -o FOLDER" in capsys.readouterr().err
