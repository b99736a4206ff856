"""Which tests reach which functions: found by running them, kept as a file, asked for by function."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("coverage")

import reach
from reach import Reach, merge_reach, name_functions, read_reach, write_reach

SOURCE = """SIZE = 2


class Pair:
    def first(self) -> int:
        return 1

    def second(self) -> int:
        def inner() -> int:
            return SIZE

        return inner()


def unused() -> int:
    return 0
"""
TESTS = """import pytest
from package.pair import Pair


@pytest.fixture(scope="module")
def made():
    return Pair().first()


def test_fixtures_count(made):
    assert made == 1


def test_inner_functions_count():
    assert Pair().second() == 2


def test_that_fails():
    assert Pair().second() == 3


def test_templates_are_no_modules():
    import package
    page = package.__path__[0] + "/page.html"
    exec(compile(open(page).read().replace("<p>", "size = "), page, "exec"))
"""


def test_functions_are_known_by_their_lines() -> None:
    named = name_functions(SOURCE)
    assert [named.get(line) for line in (1, 4, 5, 6, 9, 10, 12, 15)] == [
        *(None, None, "Pair.first", "Pair.first", "Pair.second.inner", "Pair.second.inner", "Pair.second", "unused")
    ]


def test_tests_that_pass_are_recorded_with_what_they_run(tmp_path: Path) -> None:
    for name, text in (
        ("package/__init__.py", ""),
        ("package/pair.py", SOURCE),
        ("package/page.html", "<p>1"),
        ("package/adapter.py", "import a_library_that_is_not_installed"),
        ("tests/test_pair.py", TESTS),
        ("pytest.ini", ""),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    code = (
        f"import sys; sys.path[:0] = [{str(Path(reach.__file__).parent)!r}, {str(tmp_path)!r}];"
        "from pathlib import Path; from reach import record_tests;"
        f"record_tests(Path({str(tmp_path / 'package')!r}), ['-q', 'tests'], Path({str(tmp_path / 'found')!r}))"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    found = read_reach(tmp_path / "found")
    second = "tests/test_pair.py::test_inner_functions_count"
    assert {name: tests for name, tests in found.tests["package/pair.py"].items() if tests} == {
        "Pair.first": [
            "tests/test_pair.py::test_fixtures_count",
            second,
            "tests/test_pair.py::test_templates_are_no_modules",
        ],
        "Pair.second": [second],
        "Pair.second.inner": [second],
    }
    assert all(seconds >= 0 for seconds in found.seconds.values())


SEEN = Reach(
    {"p/room/a.py": {"C.f": ["tests/far/test_x.py::a", "tests/room/test_a.py::b"], "g": ["tests/room/test_a.py::c"]}},
    {"tests/far/test_x.py::a": 1.0, "tests/room/test_a.py::b": 5.0, "tests/room/test_a.py::c": 2.0},
)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("C.f", [["tests/room/test_a.py::b"], ["tests/far/test_x.py::a"], ["tests/room/test_a.py::c"]]),
        ("C.f.inner", [["tests/room/test_a.py::b"], ["tests/far/test_x.py::a"], ["tests/room/test_a.py::c"]]),
        ("C", [["tests/room/test_a.py::b"], ["tests/far/test_x.py::a"], ["tests/room/test_a.py::c"]]),
        ("g", [["tests/room/test_a.py::c"], ["tests/room/test_a.py::b"]]),
    ],
)
def test_the_rooms_own_tests_come_first_and_those_that_reach_only_the_file_last(
    function: str, expected: list[list[str]]
) -> None:
    assert SEEN.find_tests("p/room/a.py", function, 100) == expected


def test_a_constant_is_of_its_file_and_a_file_that_nothing_reaches_of_its_room() -> None:
    own = ["tests/room/test_a.py::c", "tests/room/test_a.py::b"]
    assert SEEN.find_tests("p/room/a.py", "", 100) == [own, ["tests/far/test_x.py::a"]]
    assert SEEN.find_tests("p/room/b.py", "", 100) == [own]


def test_a_test_that_has_the_modules_name_is_its_own() -> None:
    every = Reach({}, {"tests/test_house.py::test[p.room.b]": 1.0, "tests/test_house.py::test[p.room]": 1.0})
    assert every.find_tests("p/room/b.py", "", 100) == [["tests/test_house.py::test[p.room.b]"]]
    assert every.find_tests("p/room/__init__.py", "f", 100) == [["tests/test_house.py::test[p.room]"]]
    both = Reach(SEEN.tests, {**SEEN.seconds, "tests/test_house.py::test[p.room.a]": 0.1})
    assert both.find_tests("p/room/a.py", "C.f", 1) == [
        ["tests/test_house.py::test[p.room.a]", "tests/room/test_a.py::b"]
    ]


def test_a_constant_is_also_of_the_tests_of_its_room() -> None:
    more = Reach({"p/far/x.py": {"f": ["tests/room/test_a.py::b"]}}, SEEN.seconds)
    assert more.find_tests("p/far/x.py", "", 100) == [["tests/far/test_x.py::a"], ["tests/room/test_a.py::b"]]
    assert more.find_tests("p/far/x.py", "f", 100) == [["tests/room/test_a.py::b"], ["tests/far/test_x.py::a"]]


def test_what_starts_processes_is_shown_every_mutant_of_the_command_line() -> None:
    name = "tests/cli/test_terminal.py::test"
    assert Reach({"p/cli/a.py": {"f": []}}, {name: 1.0}).find_tests("p/cli/a.py", "f", 100) == [[name]]


def test_short_tests_come_first_and_of_them_those_named_after_the_module() -> None:
    own, other, both, long = (
        f"tests/room/test_{name}" for name in ("b.py::z", "other.py::y", "b_and_c.py::x", "b.py::l")
    )
    seconds = {both: 2.9, other: 0.5, own: 2.0, long: 3.1}
    assert Reach({}, seconds).find_tests("p/room/b_engine.py", "f", 100) == [[own, other, both, long]]
    assert Reach({}, seconds).find_tests("p/room/b.py", "f", 5) == [[own, both, other]]


def test_tests_stop_at_the_limit_of_time() -> None:
    assert SEEN.find_tests("p/room/a.py", "", 1) == [["tests/room/test_a.py::c"]]


def test_test_files_seen_again_replace_what_was_known_of_them(tmp_path: Path) -> None:
    new = Reach({"p/room/a.py": {"g": ["tests/room/test_a.py::d"]}}, {"tests/room/test_a.py::d": 3.0})
    write_reach(tmp_path / "found", merge_reach(SEEN, new))
    assert read_reach(tmp_path / "found") == Reach(
        {"p/room/a.py": {"C.f": ["tests/far/test_x.py::a"], "g": ["tests/room/test_a.py::d"]}},
        {"tests/far/test_x.py::a": 1.0, "tests/room/test_a.py::d": 3.0},
    )
