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
    ("file", "function", "expected"),
    [
        ("a", "C.f", ["b", "x", "c"]),
        ("a", "C.f.inner", ["b", "x", "c"]),
        ("a", "C", ["b", "x", "c"]),
        ("a", "g", ["c", "b"]),
        ("a", "", ["cb", "x"]),  # a constant is of its file
        ("b", "f", ["cb"]),  # a file that nothing was seen to reach is of its room
    ],
)
def test_those_that_reach_the_function_come_first_and_the_rest_of_the_room_last(
    file: str, function: str, expected: list[str]
) -> None:
    names = {"x": "tests/far/test_x.py::a", "b": "tests/room/test_a.py::b", "c": "tests/room/test_a.py::c"}
    assert SEEN.find_tests(f"p/room/{file}.py", function, 100) == [[names[one] for one in run] for run in expected]


def test_tests_stop_at_the_limit_of_time() -> None:
    assert SEEN.find_tests("p/room/a.py", "", 1) == [["tests/room/test_a.py::c"]]


def test_test_files_seen_again_replace_what_was_known_of_them(tmp_path: Path) -> None:
    new = Reach({"p/room/a.py": {"g": ["tests/room/test_a.py::d"]}}, {"tests/room/test_a.py::d": 3.0})
    write_reach(tmp_path / "found", merge_reach(SEEN, new))
    assert read_reach(tmp_path / "found") == Reach(
        {"p/room/a.py": {"C.f": ["tests/far/test_x.py::a"], "g": ["tests/room/test_a.py::d"]}},
        {"tests/far/test_x.py::a": 1.0, "tests/room/test_a.py::d": 3.0},
    )
