"""Which tests reach which functions of the package: measured once, so that a mutant is shown only to tests that run it.

A file is asked for by function, not by line: names stay when lines above them change, so a record outlives most edits,
and what it no longer knows falls back to the file.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import pkgutil
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

WHOLE_PAGES: Final = ("tests/test_fixtures.py::test_output_is_what_stands_beside_the_page", "tests/test_page.py")
"""Run before other tests of other rooms: all that is written of the fixtures stands there."""
OTHER: Final = 2
"""The rank of tests that are neither the room's nor of whole pages."""
APART: Final = ("tests/cli/test_clean.py", "tests/cli/test_terminal.py")
"""Tests that start the command line as a process."""
CORE_TESTS: Final = (
    *("tests/core/", "tests/test_fixtures.py", "tests/parse/", "tests/blocks/", "tests/features/", "tests/classify/"),
    *("tests/decide/", "tests/segments/", "tests/outputs/", "tests/test_page.py"),
)
"""What a mutant of the core is shown, in this order."""
CORE_SECONDS: Final = 60.0
"""Of these tests, short ones first."""
LONG: Final = 3.0
"""Seconds from which on a test waits until the short ones of its room are done."""


@dataclass(frozen=True, slots=True)
class Reach:
    """tests: file -> qualified name of a function -> tests. seconds: test -> seconds it took while recorded."""

    tests: dict[str, dict[str, list[str]]]
    seconds: dict[str, float]

    def find_core_tests(self) -> list[list[str]]:
        """The tests of `CORE_TESTS`, a run for each of them, as far as `CORE_SECONDS` last."""
        listed, left = [], CORE_SECONDS
        for start in CORE_TESTS:
            own = []
            for name in sorted((name for name in self.seconds if name.startswith(start)), key=self.seconds.__getitem__):
                left -= self.seconds[name]
                if left > 0:
                    own.append(name)
            listed.append(own)
        return [own for own in listed if own]

    def find_tests(self, file: str, function: str, limit: float) -> list[list[str]]:
        """Tests of a function, for what is in none those of file and room: the room's own and short ones first, `limit`
        seconds in all, in three parts: those of the room and of whole pages; others, which stand in many files; and the
        room's that reach the file elsewhere or are named after it: of what a cached function calls, only the first test
        was seen to run it, and of what a process calls, none.

        Of the room's, short ones come before long ones, and of either those in the file of tests that is named after
        the module. A file that no test was seen to reach (it only defines, or runs in a process apart): the room's and
        `APART`.
        """
        room = Path(file).parts[1].removesuffix(".py").strip("_")
        # with those that go through all modules and have the module's name; they are short
        module = f"[{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}]"
        of_module = {name for name in self.seconds if name.endswith(module)}
        ranks = {name: 0 if name in of_module else _rank(name, room) for name in self.seconds}
        of_room = {name for name, rank in ranks.items() if rank == 0}
        apart = {name for name in self.seconds if name.startswith(APART)}
        functions = self.tests.get(file, {})
        of_file = {name for names in functions.values() for name in names}
        # what a process of its own runs is not seen; tests may ask for a constant without running anything of its file
        found = of_module | (apart if room == "cli" else set()) | (set() if function else of_room)
        found |= set(_find_named(functions, function)) or of_file or of_room | apart
        more = {name for name in of_room - found if name in of_file or _is_named_after(name, file)}
        left, parts = limit, ([], [], [])  # type: float, tuple[list[str], list[str], list[str]]

        def order(name: str) -> tuple[Any, ...]:
            seconds, is_own = self.seconds[name], name in of_module or _is_named_after(name, file)
            return name in more, ranks[name], seconds > LONG, not is_own, seconds, name

        for name in sorted(found | more, key=order):
            if left > 0:
                parts[2 if name in more else ranks[name] == OTHER].append(name)
                left -= self.seconds[name]
        return [part for part in parts if part]


def _find_named(functions: dict[str, list[str]], name: str) -> Iterator[str]:
    """The tests of a function, or of the nearest one around it that has any; of a class: of all its methods."""
    while name:
        found = [tests for other, tests in functions.items() if other == name or other.startswith(f"{name}.")]
        if found:
            for tests in found:
                yield from tests
            return
        name = name.rpartition(".")[0]


def _is_named_after(test: str, file: str) -> bool:
    """Whether `test_mcp.py` for `mcp_server.py`, or `test_cards_and_lists.py` for `cards.py`."""
    of_test, of_file = Path(test.partition("::")[0]).stem.removeprefix("test_"), Path(file).stem
    return of_file.startswith(of_test) or of_test.startswith(of_file)


def _rank(test: str, room: str) -> int:
    """The room's own tests, then whole pages, then others."""
    if test.startswith((f"tests/{room}/", f"tests/test_{room}.py")):
        return 0
    return 1 if test.startswith(WHOLE_PAGES) else OTHER


def _tell_seconds() -> float:
    """Processor time of this process and of those that it has waited for, so that a busy machine makes no test long."""
    return sum(os.times()[:4])


def name_functions(source: str) -> dict[int, str]:
    """Line -> the innermost function that it is in; other lines, also those of a class, are left out."""
    named: dict[int, str] = {}

    def visit(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                inner = f"{path}.{child.name}" if path else child.name
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                if not isinstance(child, ast.ClassDef):
                    named.update(dict.fromkeys(range(first, (child.end_lineno or first) + 1), inner))
            visit(child, inner)

    visit(ast.parse(source), "")
    return named


class Recorder:
    """A pytest plugin that notes for each test what it runs of `package`, and how long it takes with its processes."""

    def __init__(self, package: Path) -> None:
        from coverage import Coverage  # noqa: PLC0415  an extra

        self.package = package
        self.now = ""
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage = Coverage(data_file=None, source=[str(package)], messages=False, config_file=False)
        self.coverage.start()

    def pytest_collection_finish(self) -> None:
        """What runs on import is no test's. Kernels are compiled, never imported as Python; an adapter whose library is
        not installed is left out, as its tests are."""
        for module in pkgutil.walk_packages([str(self.package)], f"{self.package.name}."):
            if not module.name.endswith("__main__") and not module.name.startswith(f"{self.package.name}.core."):
                try:
                    importlib.import_module(module.name)
                except ModuleNotFoundError as error:
                    if (error.name or "").partition(".")[0] == self.package.name:
                        raise

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins, with its fixtures."""
        self.now = nodeid
        self.coverage.switch_context(nodeid)
        self.seconds[nodeid] = -_tell_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """A fixture of several tests is of all in the file."""
        if fixturedef.scope != "function":
            self.coverage.switch_context(f"{self.now.partition('::')[0]}::")
        try:
            return (yield)
        finally:
            self.coverage.switch_context(self.now)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One that fails tells nothing."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """It has ended."""
        self.now = ""
        self.seconds[nodeid] += _tell_seconds()
        self.coverage.switch_context("")

    def read(self) -> Reach:
        """What was noted so far; of the lines of a `def` itself nothing, for they run on import."""
        self.coverage.stop()
        data = self.coverage.get_data()
        of_file: dict[str, list[str]] = defaultdict(list)
        for name in self.seconds:
            of_file[f"{name.partition('::')[0]}::"].append(name)
        found: dict[str, dict[str, list[str]]] = {}
        # a template is measured too, by the name of its file
        for path in sorted(path for path in data.measured_files() if path.endswith(".py")):
            functions = name_functions(Path(path).read_text(encoding="utf-8"))
            names: dict[str, set[str]] = defaultdict(set)
            for line, tests in data.contexts_by_lineno(path).items():
                names[functions.get(line, "")].update(name for test in tests for name in of_file.get(test, [test]))
            found[str(Path(path).relative_to(self.package.parent))] = {
                name: sorted(own - self.failed - {""}) for name, own in names.items()
            }
        return Reach(found, self.seconds)


def record_tests(package: Path, arguments: Sequence[str], path: Path) -> None:
    """Run tests and write what they reach. Tests may fail; that they could not be run at all is an error."""
    recorder = Recorder(package)
    code = pytest.main([*arguments], plugins=[recorder])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"tests could not be recorded: {pytest.ExitCode(code).name}")
    write_reach(path, recorder.read())


def read_reach(path: Path) -> Reach:
    """What `write_reach` wrote."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names = list(found["seconds"])
    tests = {
        file: {name: [names[i] for i in own] for name, own in functions.items()}
        for file, functions in found["tests"].items()
    }
    return Reach(tests, found["seconds"])


def write_reach(path: Path, reach: Reach) -> None:
    """As JSON, tests by number."""
    numbers = {name: i for i, name in enumerate(reach.seconds)}
    tests = {
        file: {name: [numbers[test] for test in own] for name, own in functions.items()}
        for file, functions in reach.tests.items()
    }
    path.write_text(json.dumps({"seconds": reach.seconds, "tests": tests}), encoding="utf-8")


def merge_reach(old: Reach, new: Reach) -> Reach:
    """Both; of tests in files that `new` has seen, only what it says."""
    files = {name.partition("::")[0] for name in new.seconds}
    kept = {name: n for name, n in old.seconds.items() if name.partition("::")[0] not in files}
    tests: dict[str, dict[str, list[str]]] = {}
    for file in sorted({*old.tests, *new.tests}):
        before, after = old.tests.get(file, {}), new.tests.get(file, {})
        tests[file] = {
            name: [test for test in before.get(name, ()) if test in kept] + after.get(name, [])
            for name in sorted({*before, *after})
        }
    return Reach(tests, kept | new.seconds)
