"""What the documentation says holds: commands and options are those of the parser, Python runs, what newcomers type is
what `benchmarks/first_touch.py` and CI play, and the site has every page and every public name.

The tutorial notebook runs from its first cell to its last, and shows what stands in it, but for what is learnt.
"""

import argparse
import os
import re
import shlex
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from first_touch import Played, Step, format_table, list_paths, read_blocks

import webclean
from webclean.cli import build_parser

PARSER: argparse.ArgumentParser = build_parser()
ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("docs/*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]
HTML = (ROOT / "fixtures" / "content" / "news-en-harbour" / "input.html").read_bytes()


def list_commands() -> Iterator[tuple[str, str]]:
    """(page, command): what stands in code and begins with `webclean` and the name of a command."""
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        fenced = re.findall(
            r"^(?:\$ )?(webclean [a-z-].*)$", "\n".join(re.findall(r"```.*?```", text, re.DOTALL)), re.M
        )
        inline = re.findall(r"`(webclean [a-z-][^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        yield from ((path.name, " ".join(command.split())) for command in [*fenced, *inline])


def find_parser(words: list[str]) -> tuple[argparse.ArgumentParser, list[str]]:
    """The parser of the command that the words name, and the words after its name."""
    parser = PARSER
    while words and not words[0].startswith("-") and not words[0].isupper():
        below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        if not below:
            break
        assert words[0].rstrip(",") in below[0].choices, words[0]
        parser = below[0].choices[words[0].rstrip(",")]
        words = words[1:]
    return parser, words


COMMANDS = sorted(set(list_commands()))


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[f"{page}: {command}"[:90] for page, command in COMMANDS])
def test_a_command_is_one_that_is_known(page: str, command: str) -> None:
    parser, words = find_parser(re.split(r"[|>&;#]", command)[0].split()[1:])
    known = {name for action in parser._actions for name in action.option_strings}
    assert {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} <= known


def test_many_commands_are_looked_at() -> None:
    assert len(COMMANDS) > 60


def test_what_is_written_instead_of_others_runs() -> None:
    names = {"webclean": webclean, "html": HTML, "url": "https://example.org/a"}
    names["page"] = webclean.clean(HTML, url="https://example.org/a")
    rows = re.findall(r"^\|.*\| `(.*)` \|$", (ROOT / "docs/coming-from.md").read_text(encoding="utf-8"), re.MULTILINE)
    ran = [eval(code, names) for code in rows if re.match(r"page|\[|str|webclean\.clean", code) and "`" not in code]
    assert len(ran) > 25
    assert all(one is not None for one in ran)


@pytest.mark.parametrize("page", ["README.md", "docs/usage.md", "docs/phone.md"])
def test_python_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, object] = {"html": HTML, "pandas": pytest.importorskip("pandas")}
    monkeypatch.chdir(tmp_path)
    exec("import webclean; page = webclean.clean(html, url='https://example.org/a')", names)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for code in blocks:
        exec(compile(code, page, "exec"), names)
    assert blocks


PATHS = list_paths()
PLAYED = {step.command for steps in PATHS.values() for step in steps}


def test_commands_of_the_readme_and_of_the_way_in_are_played() -> None:
    work, *further, _ = read_blocks("CONTRIBUTING.md")
    told = [*read_blocks("README.md")[0].strip().split(" && "), *work.splitlines()[1:]]
    told += [command for block in further for command in block.splitlines()]
    assert [command for command in told if command not in PLAYED] == []
    for change in (*read_blocks("CONTRIBUTING.md", "toml"), *read_blocks("CONTRIBUTING.md", "diff")):
        assert any(change in command for command in PLAYED)


def test_an_addition_is_made_in_four_files_at_most() -> None:
    changes = read_blocks("CONTRIBUTING.md", "diff")
    assert len(changes) == 3
    for change in changes:
        assert 1 <= change.count("\n+++ b/") <= 4
        told = subprocess.run(
            ["git", "apply", "--check"], input=change, cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("who", PATHS)
def test_each_path_begins_with_an_installation_and_asks_for_something(who: str) -> None:
    assert [step.installs for step in PATHS[who]].count(True) == 1
    assert PATHS[who][0].installs
    assert sum(bool(step.shows) for step in PATHS[who]) >= 5


@pytest.mark.parametrize(("code", "written", "held"), [(2, "no page", True), (0, "no page", False), (2, "page", False)])
def test_a_step_holds_by_its_code_and_by_what_it_shows(code: int, written: str, held: bool) -> None:
    played = Played(Step("webclean", "^no", 2), code, written, 0.25)
    assert played.held is held
    shown = format_table({"one": [played]}, {})
    assert f"\n| one | 1 | {int(held)} | 0 | 0 |\n" in shown


REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(webclean.__all__) - {"__version__"}))
def test_every_public_name_is_in_the_reference(name: str) -> None:
    listed = re.findall(r"^::: webclean\.(\w+)$", REFERENCE, re.MULTILINE)
    for members in re.findall(r"members: \[(.*?)\]", REFERENCE):
        listed += members.split(", ")
    assert listed.count(name) == 1
    assert getattr(webclean, name).__doc__


def test_every_page_is_in_the_menu_once() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    pages = [page for part in menu for found in part.values() for page in found]
    listed = [page if isinstance(page, str) else next(iter(page.values())) for page in pages]
    written = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in {".md", ".ipynb"}}
    assert sorted(written) == sorted(set(listed) & written)
    assert len(listed) == len(set(listed))
    outside = set(listed) - written - {"index.md", "features.md"}  # README.md, and what `docs/site.py` writes
    assert all((ROOT / page).is_file() for page in outside)
    assert (ROOT / "README.md").is_file()


TYPED = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_first_command_cleans_a_page_that_ships() -> None:
    assert TYPED[0].startswith("pip install . && webclean clean ")
    assert (ROOT / shlex.split(TYPED[0])[-1]).is_file()


def test_ci_runs_the_second_command_word_for_word() -> None:
    assert "python -m pytest" in TYPED[1]
    assert f"\n  {TYPED[1]}\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_tests_that_security_names_are_there() -> None:
    named = re.findall(
        r"`((?:tests|benchmarks|webclean)/[\w/.-]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    )
    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []


DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK = DOCS / "tutorial.ipynb"
AGAIN = (
    "jupyter nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False docs/tutorial.ipynb"
)


def describe_cell(cell: Any) -> list[str]:
    """What a reader sees of the outputs of a cell, apart from digits. Cells with the tag `learnt` show what learning
    the cards anew may change: of these, what kind of output they have. What is printed arrives in one piece or in many.
    """
    shown: list[tuple[str, str]] = []
    for output in cell.outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        before = shown.pop()[1] if shown and shown[-1][0] == output["output_type"] == "stream" else ""
        shown.append((output["output_type"], before + text))
    if "learnt" in cell.metadata.get("tags", ()):
        return [kind for kind, _ in shown]
    return [re.sub(r"\d+(\.\d+)?", "#", re.sub(r"[ ─]+", " ", text)) for _, text in shown]


def test_every_cell_shows_what_stands_below_it() -> None:
    if os.environ.get("WEBCLEAN_DOCS") != "required":
        for module in ("ipykernel", "nbclient", "pandas", "polars", "jsonschema"):
            pytest.importorskip(module, reason="needs the extra docs")
    with warnings.catch_warnings():  # of what Jupyter itself does
        warnings.simplefilter("ignore")
        import nbformat  # noqa: PLC0415  an extra
        from nbclient import NotebookClient  # noqa: PLC0415

        written = nbformat.read(NOTEBOOK, as_version=4)
        played = nbformat.from_dict(written)
        settings = {"metadata": {"path": str(DOCS)}}
        NotebookClient(played, timeout=120, kernel_name="python3", resources=settings).execute()
    shown, told = (
        [describe_cell(cell) for cell in notebook.cells if cell.cell_type == "code"]
        for notebook in (played, nbformat.read(NOTEBOOK, as_version=4))
    )
    assert shown == told, f"if this is right: {AGAIN}"
    assert sum(map(len, told)) > 10
