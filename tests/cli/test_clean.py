"""`webclean clean`, called as a program calls it and as a shell does."""

import gzip
import json
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests import Capture, Patch, write_file
from webclean.cli import main
from webclean.errors import InputError
from webclean.pipeline import Cleaner

zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
PAGE = """<!doctype html><html lang=en><title>On rivers</title><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<main><h1>On rivers</h1><p>The river rises in the hills, and it takes a long and winding way down to the sea.
It passes eleven towns on its way, and each of them has built <a href="bridge.html">its own bridge</a>.</p></main>
<footer>Copyright 2024 The River Society</footer>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return write_file(tmp_path / "page.html", PAGE)


def shell(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "webclean", *args], input=stdin, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("style", "piece"),
    [
        ("text", "built its own bridge"),
        ("markdown", "[its own bridge](https://rivers.example/a/bridge.html)"),
        ("html", '<a href="https://rivers.example/a/bridge.html">its own bridge</a>'),
        ("mobile", '<meta name="viewport"'),
        ("json", '"page_type": "'),
        ("jsonl", '"page_type": "'),
    ],
)
def test_formats(page: Path, capsys: Capture, style: str, piece: str) -> None:
    assert main(["clean", str(page), "--format", style, "--url", "https://rivers.example/a/"]) == 0
    out = capsys.readouterr().out
    assert piece in out
    assert "eleven towns" in out


def test_json_is_stable_and_complete(page: Path, capsys: Capture) -> None:
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


@pytest.mark.parametrize("command", [["clean"], ["blocks"], ["phone"], ["links", "--topic", "app"]])
def test_warnings_come_before_the_page(command: list[str], tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    shell_page = tmp_path / "shell.html"
    shell_page.write_text("<title>App</title><div id=root></div><a href=/x>App</a><script src=app.js></script>")
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    assert main([*command, str(shell_page)]) == 0
    assert capsys.readouterr().out.startswith(f"webclean: {shell_page}: the page shows next to nothing")


def test_many_pages_go_to_a_folder_and_a_bad_one_is_named(tmp_path: Path, page: Path, capsys: Capture) -> None:
    other = tmp_path / "sub" / "page.html"
    other.parent.mkdir()
    other.write_text(PAGE, encoding="utf-8")
    out = tmp_path / "out"
    assert main(["clean", str(page), str(tmp_path / "missing.html"), str(other), "-o", str(out)]) == 1
    error = capsys.readouterr().err
    assert "missing.html: No such file" in error
    assert "1 of 3 pages failed" in error
    assert sorted(path.name for path in out.iterdir()) == ["page-2.txt", "page.txt"]


def test_a_page_over_a_limit_fails_or_is_cut(tmp_path: Path, capsys: Capture) -> None:
    deep = write_file(tmp_path / "roots.html", "<body a=1>" * 3000 + "text of some length")
    assert main(["clean", str(deep)]) == 1
    assert "max_root_tags" in capsys.readouterr().err
    assert main(["clean", str(deep), "--on-limit", "truncate", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["truncated"] == ["max_root_tags"]


def test_a_rule_error_is_exit_code_2_without_a_traceback(tmp_path: Path, page: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "no_such_section: 1\n")
    done = shell("clean", str(page), "--rules", str(rules))
    assert done.returncode == 2
    assert b"rules.yaml" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_is_no_error(page: Path) -> None:
    command = [sys.executable, "-m", "webclean", "clean", str(page), "-f", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


FORMATS = ("html", "json", "markdown", "mobile", "text")


@pytest.mark.parametrize("form", FORMATS)
def test_several_pages_cannot_go_to_one_file(form: str, page: Path, tmp_path: Path, capsys: Capture) -> None:
    target = write_file(tmp_path / "there", "before")
    with pytest.raises(SystemExit):
        main(["clean", str(page), str(page), "-f", form, "-o", str(target)])
    assert f"many pages, but {target} is a file" in capsys.readouterr().err
    assert target.read_text() == "before"
    assert main(["clean", str(page), "-f", form, "-o", str(target)]) == 0
    assert "eleven towns" in target.read_text()


def test_one_page_goes_to_a_file_or_into_a_folder(page: Path, tmp_path: Path) -> None:
    for target, made in (("new/sub/one", "new/sub/one"), ("new", "new/page.txt")):
        assert main(["clean", str(page), "-o", str(tmp_path / target)]) == 0
        assert "eleven towns" in (tmp_path / made).read_text()
    folder = tmp_path / "in"
    folder.mkdir()
    page.rename(folder / "only.html")
    assert main(["clean", "--input-dir", str(folder), "-o", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["only.txt"]


def test_what_was_called_wrongly_is_said_in_one_line(page: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "empty").mkdir()
    for args, said in (
        (["clean", "--input-dir", str(tmp_path / "empty")], f"no HTML files in {tmp_path / 'empty'}"),
        (["clean", str(page), str(page), "-f", "jsonl", "--url", "https://x.net/"], "--url is for one page"),
        (["clean", "a.html", "b.html", "-o", "out", "--url", "https://x.net/"], "--url is for one page"),
        *((["clean", "a.html", "b.html", "-f", form], "say where to with -o FOLDER") for form in FORMATS),
        (["clean", "a.html", "--format", "docx"], "invalid choice: 'docx'"),
        (["nothing"], "invalid choice: 'nothing'"),
        ([], "no command: one of clean, "),
        (["crawl", "https://x.net/"], "the following arguments are required: -o/--output"),
        (["learn"], "the following arguments are required: TARGET"),
        (["rules"], "the following arguments are required: WHAT"),
        (["sites"], "the following arguments are required: WHAT"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(args)
        assert caught.value.code == 2
        told = capsys.readouterr().err
        assert told.startswith("webclean")
        assert said in told
        assert told.count("\n") == 1


def test_errors_are_one_line_and_exit_code_2(page: Path, tmp_path: Path, capsys: Capture) -> None:
    missing = tmp_path / "nowhere" / "blocks.html"
    for args, said in (
        (["clean", "--input-dir", str(tmp_path / "nowhere")], f"webclean: {tmp_path / 'nowhere'}: not a folder\n"),
        (["clean", str(page), "-o", str(page / "below")], f"webclean: {page / 'below'}: File exists\n"),
        (["explain", "/nowhere.html"], "webclean: /nowhere.html: No such file or directory\n"),
        (
            ["blocks", str(page), "--html", str(missing)],
            f"webclean: [Errno 2] No such file or directory: '{missing}'\n",
        ),
    ):
        assert main(args) == 2
        assert capsys.readouterr().err == said


def test_an_interrupt_is_exit_code_130(monkeypatch: Patch) -> None:
    class Terminal:
        def read(self) -> bytes:
            raise KeyboardInterrupt

        buffer = property(lambda self: self)

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(["clean", "-"]) == 130


FAULTS = [MemoryError, RecursionError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError]


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_of_ours_fails_one_page_and_asks_for_a_report(
    kind: type[Exception], page: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise kind("odd")

    monkeypatch.setattr(Cleaner, "clean", fail)
    assert main(["clean", str(page)]) == 1
    said = f"webclean: {page}: internal error, please report it: {kind.__name__}: odd\n"
    assert capsys.readouterr() == ("", said)


def test_a_message_names_the_page_once_and_over_the_progress(page: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for message, said in (("broken", f"{page}: broken"), (f"{page}: broken", f"{page}: broken")):

        def fail(*_: object, message: str = message, **__: object) -> None:
            raise InputError(message)

        monkeypatch.setattr(Cleaner, "clean", fail)
        assert main(["clean", str(page)]) == 1
        assert capsys.readouterr().err == f"\rwebclean: {said}\n"


def test_json_has_letters_as_they_are(tmp_path: Path, capsys: Capture) -> None:
    page = write_file(tmp_path / "page.html", "<title>河</title><p>河水从山上流下来，经过十一座城镇，一直流到大海。")
    commands = (
        ["clean", "-f", "json"],
        ["clean", "-f", "jsonl"],
        ["blocks", "--format", "rows"],
        ["explain", "--json"],
    )
    for command in commands:
        assert main([*command, str(page)]) == 0
        assert "河水从山上流下来" in capsys.readouterr().out
    main(["clean", "-f", "json", str(page)])
    assert capsys.readouterr().out.startswith(f'{{\n "source": "{page}",\n "schema_version": 2,\n "url": null,')
    main(["explain", "--json", str(page)])
    assert capsys.readouterr().out.startswith('{\n "schema_version": 2,\n "url": null,')


def test_a_page_is_of_the_address_and_the_encoding_that_are_given(tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    page.write_bytes("<p>Река течёт с холмов и долго идёт к морю. <a href=b>Мост</a></p>".encode("koi8-r"))
    assert main(["clean", str(page), "-f", "json", "--charset", "koi8-r", "--url", "https://x.net/a"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["url"], read["encoding"].lower(), "Река" in read["text"]) == ("https://x.net/a", "koi8-r", True)


def test_pages_of_a_folder_are_files_with_an_ending_of_pages_and_keep_their_places(tmp_path: Path) -> None:
    for name in ("sub/a.HTML", "b.xhtml", "c.shtml", "d.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(PAGE)
    (tmp_path / "in" / "folder.html").mkdir()
    assert main(["clean", "--input-dir", str(tmp_path / "in"), "-o", str(tmp_path / "out")]) == 0
    written = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.txt"))
    assert written == ["b.txt", "c.txt", "sub/a.txt"]


KINDS = {
    "a.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "application/pdf"),
    "a.png": (b"\x89PNG\r\n\x1a\n" + bytes(40), "image/png"),
    "a.warc": (b"WARC/1.0\r\nWARC-Type: response\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>River</p>", "application/warc"),
    "a.bin": (bytes(range(256)) * 9, "binary data"),
    "a.tar.gz": (gzip.compress(b"a" * 100 + bytes(157) + b"ustar\x0000" + bytes(400)), "application/x-tar"),
    "a.gz": (b"\x1f\x8b\x08\x00\x00", "gzip"),
    "a.html": (b"", "empty"),
    "b.html": (b" \r\n\t", "empty"),
}


@pytest.mark.parametrize(("command", "code"), [("clean", 1), ("explain", 2), ("blocks", 2)])
def test_a_damaged_file_is_one_line_that_names_it(command: str, code: int, tmp_path: Path, capsys: Capture) -> None:
    damaged = tmp_path / "a.zip"
    damaged.write_bytes(b"PK\x03\x04\x14" + bytes(60))
    assert main([command, str(damaged)]) == code
    assert capsys.readouterr() == ("", f"webclean: {damaged}: is a damaged zip: File is not a zip file\n")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("command", ["clean", "explain", "blocks"])
def test_what_is_no_page_is_one_line_and_exit_code_2(command: str, name: str, tmp_path: Path, capsys: Capture) -> None:
    data, kind = KINDS[name]
    (tmp_path / name).write_bytes(data)
    assert main([command, str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"webclean: {tmp_path / name}: is ")
    assert kind in err
    assert err.endswith("not a page\n")
    assert err.count("\n") == 1


def test_empty_standard_input_is_no_page() -> None:
    done = shell("clean", "-")
    assert (done.returncode, done.stderr) == (2, b"webclean: standard input: is empty, not a page\n")


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_packed_pages_are_read(suffix: str, page: Path, capsys: Capture) -> None:
    packed = page.with_name(f"page.html.{suffix}")
    written = page.read_bytes()
    packed.write_bytes(gzip.compress(written) if suffix == "gz" else zstd.compress(written))
    assert main(["clean", str(packed)]) == 0
    assert "eleven towns" in capsys.readouterr().out
    page.unlink()
    assert main(["clean", "--input-dir", str(packed.parent), "-o", str(packed.parent / "out")]) == 0
    assert "eleven towns" in (packed.parent / "out" / "page.txt").read_text()


def test_what_is_no_page_leaves_the_other_pages(page: Path, tmp_path: Path, capsys: Capture) -> None:
    picture = tmp_path / "a.html"
    picture.write_bytes(KINDS["a.png"][0])
    assert main(["clean", str(picture), str(page), "-f", "jsonl"]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 1
    assert f"{picture}: is image/png" in shown.err


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_folder_says_what_it_skips(form: str, page: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "b.html").write_bytes(KINDS["a.png"][0])
    (tmp_path / "c.css").write_text("p{}")
    target = tmp_path.parent / f"{tmp_path.name}-out"
    assert main(["clean", "--input-dir", str(tmp_path), "-f", form, "-o", str(target)]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"webclean: skipped 2: {tmp_path / 'c.css'}, {tmp_path / 'b.html'}: is image/png")
    page.unlink()
    (tmp_path / "b.html").unlink()
    for at in range(8):
        (tmp_path / f"{at}.css").write_text("p{}")
    with pytest.raises(SystemExit) as caught:
        main(["clean", "--input-dir", str(tmp_path), "-f", form, "-o", str(target)])
    assert caught.value.code == 2
    assert "4.css and 4 more\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("closing", "code", "said"),
    [
        ("<&-", 2, "webclean: standard input is closed\n"),
        (">&-", 2, "webclean: [Errno 9] Bad file descriptor: 'standard output'\n"),
        ("2>&-", 0, ""),
    ],
)
def test_closed_streams_are_no_traceback(closing: str, code: int, said: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m webclean clean - {closing}"
    done = subprocess.run(["sh", "-c", command], input=PAGE.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (code, said)
    assert (b"eleven towns" in done.stdout) == (code == 0)


def test_a_closed_standard_output_does_not_matter_to_a_file(page: Path) -> None:
    words = [sys.executable, "-m", "webclean", "clean", str(page), "-o", str(page.with_suffix(".txt"))]
    done = subprocess.run(["sh", "-c", f"{shlex.join(words)} >&-"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "eleven towns" in page.with_suffix(".txt").read_text()


def test_a_wrong_address_is_wrong_usage(page: Path, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["clean", str(page), "--url", "http://[::1"])
    assert caught.value.code == 2
    assert "--url: not the URL of a page: http://[::1" in capsys.readouterr().err
    for name in ("http://[::1", "http://]/", "http://xn--/"):
        assert main(["clean", name]) == 1
        assert capsys.readouterr().err.startswith(f"webclean: {name}: not a URL")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty pages, of which one is over a limit, and one that is none."""
    made = tmp_path / "in"
    made.mkdir()
    for number in range(20):
        (made / f"{number:02}.html").write_text(f"<h1>Peas {number}</h1><p>Peas are sown in gutters, as mice eat them.")
    (made / "07.html").write_bytes(b"<html a=1>" * 300)
    (made / "08.html").write_bytes(b"%PDF-1.4 \0")
    return made


@pytest.mark.parametrize("jobs", [["--jobs", "0"], ["--jobs", "2"], []])
def test_many_pages_are_cleaned_in_as_many_processes_as_asked_for(
    jobs: list[str], folder: Path, capsys: Capture
) -> None:
    out = folder.parent / "out"
    assert main(["clean", "--input-dir", str(folder), "-o", str(out), *jobs]) == 1
    assert len(list(out.iterdir())) == 18
    assert (out / "03.txt").read_text() == "Peas 3\n\nPeas are sown in gutters, as mice eat them.\n"
    said = capsys.readouterr().err
    assert f"{folder / '07.html'}: max_root_tags" in said
    assert "webclean: skipped 1: " in said
    assert said.endswith("webclean: 1 of 20 pages failed\n")


def test_many_pages_in_other_processes_are_the_same_lines(folder: Path, tmp_path: Path) -> None:
    arguments = ["clean", "--input-dir", str(folder), "--format", "jsonl", "--reasons"]
    for jobs in ("0", "1"):
        assert main([*arguments, "--jobs", jobs, "-o", str(tmp_path / f"{jobs}.jsonl")]) == 1
    assert (tmp_path / "0.jsonl").read_bytes() == (tmp_path / "1.jsonl").read_bytes()
    assert len((tmp_path / "0.jsonl").read_bytes().splitlines()) == 18


@pytest.mark.parametrize(("form", "left"), [("jsonl", 0), ("text", 3)])
def test_what_was_done_is_said_when_it_is_stopped(
    form: str, left: int, folder: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    clean, taken = Cleaner.clean, []

    def stop_at_the_fourth(*arguments: Any, **options: Any) -> Any:
        taken.append(1)
        if len(taken) == 4:
            raise KeyboardInterrupt
        return clean(*arguments, **options)

    monkeypatch.setattr(Cleaner, "clean", stop_at_the_fourth)
    out = folder.parent / ("out.jsonl" if form == "jsonl" else "out")
    code = main(["clean", "--input-dir", str(folder), "-o", str(out), "--format", form, "--jobs", "0"])
    assert code == 130
    where = "nothing is written" if form == "jsonl" else "3 are written"
    assert capsys.readouterr().err.splitlines()[-1] == f"webclean: stopped after 3 of 20 pages; {where}"
    assert not list(folder.parent.rglob("*.webclean-part"))
    assert (len(list(out.iterdir())) if out.exists() else 0) == left


def test_rules_that_are_wrong_stop_all_pages_also_in_other_processes(
    folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    write_file(tmp_path / "my" / "types" / "content.yaml", "nonsense: 1\n")
    (tmp_path / "my" / "types" / "no_feature.yaml").write_text("nonsense: 1\n")
    arguments = ["clean", "--input-dir", str(folder), "--rules", str(tmp_path / "my"), "-o", str(tmp_path / "out")]
    assert main([*arguments, "--jobs", "1"]) == 2
    assert ".yaml" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
