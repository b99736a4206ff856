"""What every command says of its options is so; what a command needs, refuses and imports before it starts."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import webclean
from tests import Capture, Patch, write_file
from webclean.cli import COMMANDS, build_parser, main, require
from webclean.cli.page_options import complete_name
from webclean.errors import InputError


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        # an error names what was perhaps meant
        (["--hlep"], 2, "did you mean --help"),
        (["claen", "page.html"], 2, "did you mean clean"),
        (["clean", "page.html", "--formt=text"], 2, "did you mean --format or --fragment?"),
        (["clean", "page.html", "--format", "tex"], 2, "did you mean text?"),
        (["rules", "tset", "a.yaml"], 2, "did you mean test?"),
        ([], 2, "no command: one of clean, explain"),
        (["clean", "page.html", "--zzz"], 2, "unrecognized arguments: --zzz (webclean --help)\n"),  # like no other
        # help is a command too
        *((["help", *of], 0, f"usage: {' '.join(['webclean', *of])}") for of in ([], ["blocks"], ["rules", "new"])),
        (["-V"], 0, "webclean "),
    ],
)
def test_what_is_told_of_arguments_goes_to_its_stream(argv: list[str], code: int, told: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == code
    assert told in capsys.readouterr()[1 if code else 0]


@pytest.mark.parametrize("command", ["clean", "explain", "blocks"])
def test_a_page_may_come_from_a_pipe(command: str, monkeypatch: Patch, capsys: Capture) -> None:
    markup = b"<title>Tea</title><h1>Tea</h1><p>Green tea is poured at eighty degrees, and black tea hotter.</p>"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(markup)))
    assert main([command]) == 0
    assert "Green tea is" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["clean", "explain", "blocks"])
def test_a_terminal_is_not_read(command: str, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as left:
        main([command])
    assert left.value.code == 2
    assert "no page: name a file, a URL, or -" in capsys.readouterr().err


def test_a_folder_as_page_says_how_folders_are_read(tmp_path: Path, capsys: Capture) -> None:
    assert main(["clean", str(tmp_path), str(tmp_path), "--format", "jsonl"]) == 1
    assert f"webclean clean --input-dir {tmp_path}" in capsys.readouterr().err


def test_a_folder_as_the_only_page_is_the_folder_of_the_pages(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    write_file(pages / "a.html", "<p>The river rises in the hills.")
    assert main(["clean", str(pages), "-o", str(tmp_path / "out")]) == 0
    assert "river" in (tmp_path / "out" / "a.txt").read_text()


@pytest.mark.parametrize("option", ["--timeout=nan", "--timeout=inf", "--timeout=-1", "--jobs=-2", f"--jobs={10**30}"])
def test_a_number_that_is_none_is_wrong_usage(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["clean", "page.html", option])
    assert "not a number from 0" in capsys.readouterr().err


@pytest.mark.parametrize("before", [[], ["clean"]])
def test_short_forms(before: list[str], tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Hills</title><h1>Hills</h1>" + "<p>The river rises in the hills, far from the sea.</p>" * 9)
    for words in ([str(page), "-f", "md"], ["-f", "md", str(page)], [page.as_uri(), "-f", "md"]):
        assert main([*before, *words]) == 0
        assert capsys.readouterr().out.startswith("# Hills\n")


def test_a_host_is_a_url_and_a_missing_file_is_none(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert complete_name("example.org/a") == "https://example.org/a"
    assert complete_name("page.html") == "page.html"
    assert complete_name("notes.nowhere") == "notes.nowhere"
    Path("example.org").touch()
    assert complete_name("example.org") == "example.org"


def test_what_is_missing_is_named_with_the_extra_to_install(monkeypatch: Patch) -> None:
    monkeypatch.chdir(Path(webclean.__file__).parents[1])
    require("learning", "learn", "scipy", "sklearn")
    with pytest.raises(InputError) as told:
        require("learning", "learn", "scipy", "no_such_module", "nor_this")
    assert str(told.value) == 'learning needs no_such_module and nor_this: pip install ".[learn]"'


pytest.importorskip("uvicorn", reason="the extra serve")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_other_machines_are_served_with_a_token_alone(host: str, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.delenv("WEBCLEAN_TOKEN", raising=False)
    assert main(["serve", "--host", host, "--port", "1"]) == 2
    assert f"{host} is open to other machines" in capsys.readouterr().err


def test_a_token_file_that_is_empty_is_no_token(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "token").write_text("\n")
    assert main(["serve", "--host", "0.0.0.0", "--port", "1", "--token-file", str(tmp_path / "token")]) == 2
    assert "token" in capsys.readouterr().err


CLEANING = ("numpy", "lxml", "yaml", "webclean.parse", "webclean.model")
SLOW = (*CLEANING, "asyncio")
PROGRAM = "import sys; from webclean.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"


@pytest.mark.parametrize(
    ("argv", "slow"),
    [
        (["--help"], ()),
        (["help"], ()),
        (["claen"], ()),
        ([], ()),
        (["--version"], ()),
        (["clean", "--help"], CLEANING),
        (["explain", "--help"], CLEANING),
    ],
)
def test_little_is_imported_where_no_page_is_cleaned(argv: list[str], slow: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *argv], capture_output=True, text=True, check=False)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert {name for name in SLOW if name in loaded} - set(slow) == set()
    assert "webclean.cli" in loaded


def test_what_is_listed_of_a_command_is_what_its_module_says() -> None:
    assert build_parser(()).format_help() == build_parser().format_help()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_known_before_its_module_is_imported(name: str) -> None:
    assert build_parser(()).parse_args([name]).run is None
