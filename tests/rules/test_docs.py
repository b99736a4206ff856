"""The examples of docs/rules.md are rules that load, and their tests pass."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import write_file
from webclean.rules import RuleBook
from webclean.workbench.rule_checks import run_rule_tests

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SESSION = re.search(r"^```console\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
EXAMPLES = re.findall(r"^### (\d+\. .*?)$.*?^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_there_are_nine_examples() -> None:
    assert [int(title.split(".")[0]) for title, _ in EXAMPLES] == list(range(1, 10))


@pytest.mark.parametrize(("title", "text"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_the_tests_of_an_example_pass(title: str, text: str, tmp_path: Path) -> None:
    path = write_file(tmp_path / "example.yaml", text)
    results = list(run_rule_tests(RuleBook(files=[path]), (path,)))
    assert results
    assert [result.faults for result in results if result.faults] == []


def read_session() -> list[tuple[str, list[str]]]:
    """(command, the lines it printed) of the session at the top, without what the page tells in between."""
    assert SESSION is not None
    steps: list[tuple[str, list[str]]] = []
    for line in SESSION[1].splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif not re.fullmatch(r"  \(.*\)", line):
            steps[-1][1].append(line)
    return [(command, "\n".join(lines).strip("\n").splitlines()) for command, lines in steps]


def mask(lines: list[str]) -> list[str]:
    """Lines without what every new rule set changes: hashes, points and the evidence that weighed most."""
    plain = (re.sub(r"[0-9a-f]{12}", "HASH", re.sub(r" +-?\d+\.\d+ ", " N ", line)) for line in lines)
    return [re.sub(r"^ +N .*", "reason", line) for line in plain]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the session is one of a shell")
def test_the_session_prints_what_the_page_says(tmp_path: Path) -> None:
    steps = read_session()
    assert len(steps) == 12
    for command, expected in steps:
        if command == "cat page.html":
            (tmp_path / "page.html").write_text("\n".join(expected) + "\n", encoding="utf-8")
            continue
        shell = f'webclean() {{ "{sys.executable}" -m webclean "$@"; }}; {command}'
        root = str(Path(__file__).resolve().parents[2])
        done = subprocess.run(
            ["bash", "-c", shell],
            cwd=tmp_path,
            env={"PYTHONPATH": root, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert mask(done.stdout.strip("\n").splitlines()) == mask(expected), command
