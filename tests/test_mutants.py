"""Mutation testing: which mutants are made, how they are drawn, and that a change nobody tests for survives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray")

import mutants
from mutants import Mutant, Outcome, draw_sample, find_tests, format_table, list_mutants, try_mutant

SOURCE = '''from __future__ import annotations


def double(n: int | None = 4) -> int | str:
    """Twice n."""
    size: int | None = 2
    return size * n if n is not None else len(list(zip("a", "b", strict=True)))
'''
TEST = "from webclean.room.double import double\n\n\ndef test_double() -> None:\n    assert double(3) == 6\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
    assert list_mutants(["other"], random.Random(1)) == []


def test_every_room_has_its_share_and_a_few_at_least() -> None:
    made = [
        Mutant(f"webclean/{room}/a.py", "AddNot", i) for room, n in (("large", 90), ("small", 10)) for i in range(n)
    ]
    sample = draw_sample(made, 20, random.Random(1))
    assert len(set(sample)) == len(sample) == 18 + 4
    assert sum(mutant.room == "small" for mutant in sample) == 4
    assert draw_sample(made, 20, random.Random(1)) == sample
    assert draw_sample(made, 20, random.Random(2)) != sample


def test_a_mutant_is_killed_by_the_tests_of_its_room_or_survives(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def run(root: Path, tests: list[str]) -> bool:
        asked.append((tests, (root / "webclean/room/double.py").read_text() != SOURCE))
        return "NumberReplacer" not in kind

    monkeypatch.setattr(mutants, "run_tests", run)
    kind = "NumberReplacer"
    up = Mutant("webclean/room/double.py", "NumberReplacer", 2)
    assert try_mutant(up, checkout) == Outcome(up, True, ("size: int | None = 2", "size: int | None = 3"))
    assert asked == [(["tests/room"], True)]
    kind = "AddNot"
    alive = try_mutant(up, checkout)
    assert alive is not None
    assert not alive.killed
    assert try_mutant(Mutant("webclean/room/double.py", "NumberReplacer", 99), checkout) is None
    assert [tests for tests, _ in asked[1:]] == [["tests/room"], mutants.WHOLE_PAGES]
    assert (checkout / "webclean/room/double.py").read_text() == SOURCE


def test_tests_of_rooms_and_files(checkout: Path) -> None:
    (checkout / "tests" / "test_cli.py").touch()
    assert find_tests(checkout, "room") == [["tests/room"], mutants.WHOLE_PAGES]
    assert find_tests(checkout, "cli") == [["tests/test_cli.py"], mutants.ELSEWHERE["cli"]]
    assert find_tests(checkout, "web") == []


def test_the_table_does_not_count_what_is_equivalent() -> None:
    made = [Mutant(f"webclean/{room}/a.py", "AddNot", i) for i, room in enumerate(("a", "a", "a", "b"))]
    outcomes = [Outcome(mutant, i % 3 == 0, (f"x{i}", f"not x{i}")) for i, mutant in enumerate(made)]
    assert format_table(outcomes, [outcomes[1]]).splitlines()[2:] == [
        "| a | 2 | 1 | 50% | 1 |",
        "| b | 1 | 1 | 100% |  |",
        "| all | 3 | 2 | 67% | 1 |",
    ]
