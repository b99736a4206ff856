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
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

WHOLE_PAGES: Final = ("tests/test_fixtures.py::test_output_is_what_stands_beside_the_page", "tests/test_page.py")
"""Run before other tests of other rooms: all that is written of the fixtures stands there."""
CORE_TESTS: Final = (
    *("tests/core/", "tests/test_fixtures.py", "tests/parse/", "tests/blocks/", "tests/features/", "tests/classify/"),
    *("tests/decide/", "tests/segments/", "tests/outputs/", "tests/test_page.py"),
)
"""What a mutant of the core is shown, in this order."""
CORE_SECONDS: Final = 60.0
"""Of these tests, short ones first."""


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
        """Tests of a function, `limit` seconds of them in all: those that were seen to reach it (else the nearest one
        around it, else its file), of its room and of whole pages, then others, which stand in many files; in the end
        the rest of the room's own. For of what a cached function calls only the first test was seen to run it, and of
        what a process calls none. Short ones come first."""
        room = Path(file).parts[1].removesuffix(".py").strip("_")
        own, functions = (f"tests/{room}/", f"tests/test_{room}.py"), self.tests.get(file, {})
        found = {name for names in functions.values() for name in names}
        while function:
            around = f"{function}."  # of a class: the tests of all its methods
            of_it = [tests for name, tests in functions.items() if name == function or name.startswith(around)]
            if of_it:
                found = {name for tests in of_it for name in tests}
                break
            function = function.rpartition(".")[0]

        def rank(name: str) -> tuple[int, int]:
            """The run that the test is in, and its place there."""
            if name.startswith(own):
                return (0, 0) if name in found else (2, 0)
            return (0, 1) if name.startswith(WHOLE_PAGES) else (1, 0)

        runs, left = ([], [], []), limit  # type: tuple[list[str], list[str], list[str]], float
        for name in sorted(self.seconds, key=lambda name: (*rank(name), self.seconds[name], name)):
            if left > 0 and (name in found or name.startswith(own)):
                runs[rank(name)[0]].append(name)
                left -= self.seconds[name]
        return [run for run in runs if run]


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
