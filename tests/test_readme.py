"""The two commands of the README are the ones that CI runs, and the page they name is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_first_command_cleans_a_page_that_ships() -> None:
    assert COMMANDS[0].startswith("pip install . && webclean clean ")
    assert (ROOT / shlex.split(COMMANDS[0])[-1]).is_file()


def test_ci_runs_the_second_command_word_for_word() -> None:
    assert "python -m pytest" in COMMANDS[1]
    assert f"\n  {COMMANDS[1]}\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_tests_that_security_names_are_there() -> None:
    named = re.findall(
        r"`((?:tests|benchmarks|webclean)/[\w/.-]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    )
    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []
