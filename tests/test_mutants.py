"""Mutation testing: which mutants are made, how they are drawn, and that a change nobody tests for survives."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import Patch

pytest.importorskip("cosmic_ray")
pytest.importorskip("coverage")

import mutants
from mutants import (
    ENDLESS,
    IMPORT,
    Mutant,
    Outcome,
    draw_sample,
    format_table,
    format_tried,
    list_mutants,
    read_tried,
    try_mutant,
)
from reach import Reach

SOURCE = '''from __future__ import annotations


def double(n: int | None = 4) -> int | str:
    """Twice n."""
    size: int | None = 2
    print(*[], **{})
    return size * n if n is not None else len(list(zip("a", "b", strict=True)))
'''
TEST = "from webclean.room.double import double\n\n\ndef test_double() -> None:\n    assert double(3) == 6\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: Patch) -> Path:
    for name, text in (("webclean/room/double.py", SOURCE), ("tests/room/test_double.py", TEST), ("pytest.ini", "")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    return tmp_path


def test_annotations_and_strict_are_left_alone(checkout: Path) -> None:
    found = list_mutants([], random.Random(1))
    kinds = [mutant.operator.partition("_")[0] for mutant in found]
    # two numbers, each one up and one down; `*`; `is not`; the condition turned round
    assert sorted(kinds) == sorted(
        ["NumberReplacer"] * 4 + ["ReplaceBinaryOperator", "ReplaceComparisonOperator", "AddNot"]
    )
    assert {mutant.room for mutant in found} == {"room"}
    assert next(m.operator for m in found if "Comparison" in m.operator) == "ReplaceComparisonOperator_IsNot_Is"
    assert list_mutants(["other"], random.Random(1)) == list_mutants(["roo"], random.Random(1)) == []
    assert len(list_mutants(["room"], random.Random(1))) == len(list_mutants(["room/double.py"], random.Random(1))) == 7


def test_every_room_has_its_share_and_a_few_at_least() -> None:
    made = [
        Mutant(f"webclean/{room}/a.py", "AddNot", i) for room, n in (("large", 90), ("small", 10)) for i in range(n)
    ]
    sample = draw_sample(made, 20, random.Random(1))
    assert len(set(sample)) == len(sample) == 18 + 8
    assert sum(mutant.room == "small" for mutant in sample) == 8
    assert draw_sample(made, 20, random.Random(1)) == sample
    assert draw_sample(made, 20, random.Random(2)) != sample


def test_a_mutant_is_killed_by_the_tests_that_reach_it_or_survives(checkout: Path, monkeypatch: Patch) -> None:
    asked = []

    def run(root: Path, tests: list[str], seconds: int) -> str:
        asked.append((tests, (root / "webclean/room/double.py").read_text() != SOURCE))
        return killer

    file = "webclean/room/double.py"
    reach = Reach({file: {"double": ["a", "b"], "": ["c"]}}, {"a": 1.0, "b": 2.0, "c": 0.5})
    monkeypatch.setattr(mutants, "run_tests", run)
    up = Mutant(file, "NumberReplacer", 2)
    killer = "a"
    assert try_mutant(up, checkout, reach) == Outcome(up, "a", ("size: int | None = 2", "size: int | None = 3"))
    assert asked == [(["a", "b"], True)]
    killer = ""
    alive = try_mutant(up, checkout, reach)
    assert alive is not None
    assert not alive.killed
    assert [tests for tests, _ in asked[1:]] == [["a", "b"]]
    assert try_mutant(Mutant(file, "NumberReplacer", 99), checkout, reach) is None
    assert (checkout / file).read_text() == SOURCE


def test_a_run_names_the_test_that_fails(checkout: Path) -> None:
    name = "tests/room/test_double.py::test_double"

    def run(test: str, source: str) -> str:
        """In a process that has not imported the package yet."""
        (checkout / "webclean/room/double.py").write_text(source)
        code = (
            f"import mutants; from pathlib import Path; print(mutants.run_tests(Path({str(checkout)!r}), [{test!r}]))"
        )
        environment = {**os.environ, "PYTHONPATH": str(Path(mutants.__file__).parent)}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    (checkout / "webclean" / "__init__.py").touch()
    assert run(name, SOURCE) == run("tests/room/test_double.py::test_gone", SOURCE) == ""
    assert run(name, SOURCE.replace("size * n", "size - n - 1")) == name
    assert run(name, "1 / 0") == IMPORT


def test_a_test_that_waits_forever_is_ended(checkout: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(mutants, "WAIT_SECONDS", 1)
    monkeypatch.setattr(mutants, "_run_pytest", lambda *_: time.sleep(60))
    assert mutants.run_tests(checkout, ["tests/room/test_double.py::test_double"], 1) == ENDLESS


def test_tests_may_start_processes(checkout: Path) -> None:
    name = "tests/room/test_double.py::test_process"
    (checkout / "tests/room/test_double.py").write_text(
        "from multiprocessing import Process\n\n\ndef test_process() -> None:\n"
        "    process = Process(target=int)\n    process.start()\n    process.join()\n"
    )
    up = Mutant("webclean/room/double.py", "NumberReplacer", 2)
    ((_, outcome),) = mutants.run_sample([up], 1, Reach({up.file: {"double": [name]}}, {name: 0.1}))
    assert outcome is not None
    assert outcome.killer == ""


def test_what_was_tried_is_not_tried_again(tmp_path: Path) -> None:
    made = [Mutant("webclean/room/a.py", "AddNot", i) for i in range(2)]
    tried = {made[0]: Outcome(made[0], "a", ("x", "y")), made[1]: None}
    (tmp_path / "tried").write_text("\n".join(format_tried(*one) for one in tried.items()))
    assert read_tried(tmp_path / "tried") == tried
    assert read_tried(tmp_path / "other") == {}


def test_the_table_does_not_count_what_is_equivalent_and_weighs_rooms() -> None:
    made = [Mutant(f"webclean/{room}/a.py", "AddNot", i) for i, room in enumerate(("a", "a", "a", "b"))]
    outcomes = [Outcome(mutant, "" if i % 3 else "test", (f"x{i}", f"not x{i}")) for i, mutant in enumerate(made)]
    assert format_table(outcomes, [outcomes[1]], {"a": 90, "b": 10}).splitlines()[2:] == [
        "| a | 2 | 1 | 50% | 1 |",
        "| b | 1 | 1 | 100% |  |",
        "| all | 3 | 2 | 67% | 1 |",
        "| all, rooms weighed by their size | | | 55% | |",
    ]
