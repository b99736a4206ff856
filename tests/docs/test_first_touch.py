"""What newcomers are told to type is what `benchmarks/first_touch.py` plays."""

from __future__ import annotations

import pytest
from first_touch import Played, Step, format_table, list_paths, read_blocks

PATHS = list_paths()
PLAYED = {step.command for steps in PATHS.values() for step in steps}


def test_commands_of_the_readme_and_of_the_way_in_are_played() -> None:
    work, rule, feature, _ = read_blocks("CONTRIBUTING.md")
    told = [*read_blocks("README.md")[0].strip().split(" && "), *work.splitlines()[1:], *rule.splitlines()]
    told += feature.splitlines()
    assert [command for command in told if command not in PLAYED] == []
    (code,) = read_blocks("CONTRIBUTING.md", "toml")
    assert any(code in command for command in PLAYED)


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
