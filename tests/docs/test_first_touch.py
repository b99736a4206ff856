"""What newcomers are told to type is what `benchmarks/first_touch.py` plays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from first_touch import Played, Step, format_table, list_paths, read_blocks

ROOT = Path(__file__).resolve().parents[2]
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
