"""Examples of the README and the documentation: commands and options are those of the parser, and Python runs."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
