"""Mutation testing: change one operator, number or condition of the package at a time and see whether a test notices.

usage: python benchmarks/mutants.py [--sample N] [--seed N] [--room NAME ...] [--jobs N] [--reach FILE] [--output FILE]

The mutants are cosmic-ray's. Its own runner gives every mutant the same tests, knows no sample and changes the checkout
in place; mutmut leaves decorated functions, all features here, alone. So this script draws the sample, changes
a copy of the checkout, and runs the tests that reach the changed function (a constant: its file): the room's own first
(`tests/` mirrors `webclean/`), then whole pages, then others, until one fails or `TEST_SECONDS` are used up.
Which tests reach what is recorded once (`reach.py`; some minutes) and kept in FILE.

The sample is spread over the rooms by their size, and filled up to `LEAST` mutants of each room; so small rooms have
more than their share in it, and the share of all mutants is also given with rooms weighed by their size. A run that was
cut short goes on where it ended: what was tried stands in the file beside `--output` that ends in `.tried`.

Left out, since no test could tell: what stands in type annotations, `strict=` of `zip`, `maxsize=` of a cache, and `is`
for `==`; and, since all would, another operator for the star of `*names`.
A mutant of `core/` is compiled (without optimisation) before it is tried; one that does not compile is none. Tests that
reach a function of the core cannot be recorded: it is shown the tests of the core, of whole pages and of the rooms that
ask the core, `CORE_SECONDS` of them.
Survivors that behave as the original are listed with the reason in equivalent_mutants.yaml and are not counted. Time is
processor time, but for tests that wait forever: a busy machine kills no mutant.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import multiprocessing
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from reach import Reach, merge_reach, name_functions, read_reach, record_tests, write_reach

ROOT: Final = Path(__file__).resolve().parent.parent
CORE: Final = "core"
"""The room that must be compiled."""
LEAST: Final = 8
"""Mutants drawn of each room that has so many."""
SLOW: Final = "costs or cost_ or not_cost or grows or bounded or little_time or limited or under_the_clock"
"""Tests about time, by their names: they would take most of it, and on a busy machine fail without any fault."""
TEST_SECONDS: Final = 15.0
"""Of the tests for one mutant, as they were recorded, which is slower than they run."""
CORE_CPU_SECONDS: Final = 180
CPU_SECONDS: Final = 60  # a mutant whose tests take longer loops
WAIT_SECONDS: Final = 180
"""A mutant whose tests say nothing for so long waits for what never comes, as for a worker process."""
SOUND_SECONDS: Final = 1800
"""For all tests that killed a mutant, in the end."""
MEMORY: Final = 6 << 30
"""Bytes of address space; a mutant that asks for more grows without end."""
PRELOADED: Final = "pytest hypothesis numpy lxml.html scipy.stats scipy.optimize sklearn.linear_model"
"""Imported once: each test run is a fork, which starts with them."""

QUIET: Final = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")  # plugins, preloaded
PYTEST: Final = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", f"not ({SLOW})", *QUIET)
"""Options of every run."""
IMPORT: Final = "import"
"""In place of a test: the tests could not be collected."""
ENDLESS: Final = "limit"
"""In place of a test: the tests used up their time or their memory."""
PASSED: Final = ">"
"""What a test run answers before the test that failed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file. operator, occurrence: cosmic-ray's name of the change, and which of its places."""

    file: str
    operator: str
    occurrence: int

    @property
    def room(self) -> str:
        """Its folder in webclean/, or the file that is beside the folders."""
        return Path(self.file).parts[1]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant. killer: the test that failed, `IMPORT`, or nothing. diff: the lines before and after."""

    mutant: Mutant
    killer: str
    diff: tuple[str, str]

    @property
    def killed(self) -> bool:
        """Whether a test failed."""
        return bool(self.killer)

    @property
    def line(self) -> str:
        """The changed line; the line before where it was taken away, as a decorator is."""
        before, after = self.diff
        return after or before.strip()


def list_mutants(rooms: Sequence[str], draw: random.Random) -> list[Mutant]:
    """A mutant for each place where the files of the rooms (none: of all) can be changed; which one is drawn.

    rooms: names (`fields`), or paths in webclean/ of a file or a folder within a room (`fields/product.py`).
    """
    from cosmic_ray.operators.provider import OperatorProvider  # noqa: PLC0415  an extra

    provider = OperatorProvider()
    # what changes the same places: every replacement of one operator by another
    alike: dict[str, list[str]] = defaultdict(list)
    for name in provider:
        if not name.startswith("Variable") and _tells(name):
            alike[name.rsplit("_", 1)[0] if name.count("_") > 1 else name].append(name)
    found, inside = [], tuple(f"webclean/{name}/" for name in rooms)
    for path in sorted((ROOT / "webclean").rglob("*.py")):
        file = str(path.relative_to(ROOT))
        if not rooms or file.startswith(inside) or file in (f"webclean/{name}" for name in rooms):
            places = _count_places(path, {name: provider[names[0]]() for name, names in alike.items()})
            found += [Mutant(file, draw.choice(alike[name]), occurrence) for name, occurrence in places]
    return found


def _tells(operator: str) -> bool:
    """Not `is` for `==` or the reverse: the same answer for the small values and the enums that are compared here."""
    *_, old, new = ("", "", *operator.split("_"))
    identity = ("Is", "IsNot")
    return not operator.startswith("ReplaceComparison") or (old in identity) == (new in identity)


def _count_places(path: Path, operators: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """(operator, occurrence) of every place in a file that counts. Decorators of the core say how it is compiled."""
    is_core = path.parent.name == CORE
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415

    seen: dict[str, int] = defaultdict(int)
    for node in ast_nodes(get_ast(path.read_text(encoding="utf-8"))):
        for name, operator in operators.items():
            for _ in operator.mutation_positions(node):
                if not _is_silent(node) and not (is_core and name == "core/RemoveDecorator"):
                    yield name, seen[name]
                seen[name] += 1


def _is_silent(node: Any) -> bool:
    """Whether a syntax node is in a type annotation, in `strict=` or `maxsize=`, or a star that multiplies nothing."""
    if node.type == "operator" and node.value in ("*", "**") and node.parent.type not in ("term", "power"):
        return True
    while (above := node.parent) is not None:
        if (
            (above.type == "annassign" and node is above.children[1])
            or (above.type in ("funcdef", "param") and node is above.annotation)
            or above.type == "tfpdef"
            or (above.type == "argument" and above.children[0].get_code().strip() in ("strict", "maxsize"))
        ):
            return True
        node = above
    return False


def draw_sample(mutants: Sequence[Mutant], n: int, draw: random.Random) -> list[Mutant]:
    """About n mutants, spread over the rooms by their size, `LEAST` at least of each room that has so many.

    They come in random order, so that a run that is cut short is a sample too.
    """
    by_room: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_room[mutant.room].append(mutant)
    sample = []
    for own in by_room.values():
        sample += draw.sample(own, min(len(own), max(LEAST, round(n * len(own) / len(mutants)))))
    draw.shuffle(sample)
    return sample


def run_tests(root: Path, tests: Sequence[str], seconds: int = CPU_SECONDS) -> str:
    """The first of the tests that fails in this checkout, in a process of its own; nothing when all pass."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.write(write, _run_pytest(root, tests, seconds).encode())
        finally:
            os._exit(0)
    os.close(write)
    if not select.select([read], [], [], max(WAIT_SECONDS, seconds))[0]:
        os.kill(pid, signal.SIGKILL)
    with os.fdopen(read, encoding="utf-8") as answer:
        failed = answer.read()
    os.waitpid(pid, 0)
    # no answer: it used up its time or its memory
    return failed.removeprefix(PASSED) or ("" if failed else ENDLESS)


class _Selection:
    """A pytest plugin: only these tests, in this order; keeps the name of the first that fails."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {name: i for i, name in enumerate(tests)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def _run_pytest(root: Path, tests: Sequence[str], seconds: int) -> str:
    """`PASSED`, and the test that failed or `IMPORT`."""
    import pytest  # noqa: PLC0415

    _enter(root)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    selection = _Selection(tests)
    code = pytest.main(["-x", *PYTEST, *dict.fromkeys(name.partition("::")[0] for name in tests)], plugins=[selection])
    ok = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return PASSED + (selection.failed or ("" if code in ok else IMPORT))


def _enter(root: Path) -> None:
    """Make this process, a fork, one that works in a checkout and says nothing."""
    os.chdir(root)
    os.environ.update(PYTHONPATH=str(root), CI="1")  # CI: the same examples of hypothesis each time
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False  # what is compiled in this copy serves all its runs
    sys.path[:0] = [str(root)]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)


def try_mutant(mutant: Mutant, root: Path, reach: Reach) -> Outcome | None:
    """Change the file in `root`, run its tests until one fails, and put it back. None where the operator has no such
    place: not every replacement fits all places of its kind."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415
    from cosmic_ray.operators.provider import OperatorProvider  # noqa: PLC0415

    path = root / mutant.file
    before = path.read_text(encoding="utf-8")
    try:
        after = mutate_code(before, OperatorProvider()[mutant.operator](), mutant.occurrence)
    except AttributeError:  # cosmic-ray cannot replace a dotted name after `except`
        return None
    if after is None:
        return None
    is_core = mutant.room == CORE
    line, *diff = _find_change(before, after)
    function = name_functions(before).get(line, "")
    tests = reach.find_core_tests() if is_core else reach.find_tests(mutant.file, function, TEST_SECONDS)
    made = {path: path.read_bytes() for path in (root / "webclean" / CORE).glob("compiled.*")} if is_core else {}
    seconds = CORE_CPU_SECONDS if is_core else CPU_SECONDS
    try:
        _write_source(path, after)
        if is_core and not compile_copy(root):
            return None
        killer = next(filter(None, (run_tests(root, own, seconds) for own in tests)), "")
    finally:
        _write_source(path, before)
        for compiled, content in made.items():
            compiled.write_bytes(content)
    return Outcome(mutant, killer, (diff[0], diff[1]))


def compile_copy(root: Path) -> bool:
    """Compile the core of a checkout; whether that worked."""
    command = [sys.executable, "build_core.py", "--quick"]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode == 0


def _find_change(before: str, after: str) -> tuple[int, str, str]:
    """The first line that differs, from 1; the changed lines as they were and as they are."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    line = next(number for number, (old, new) in enumerate(pairs, start=1) if old != new)
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    old, new = (" ".join(line[2:].strip() for line in lines if line[:2] == sign) for sign in ("- ", "+ "))
    return line, old, new


def _write_source(path: Path, text: str) -> None:
    """Write a file, and forget what was compiled of it: sources of one second and one size look the same."""
    path.write_text(text, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


_copy: Path
_reach: Reach


def _open_copy(folder: Path, reach: Reach) -> None:
    """A copy of the checkout for this worker, and what all its test runs import."""
    global _copy, _reach  # noqa: PLW0603  one a process
    for name in PRELOADED.split():
        importlib.import_module(name)
    _copy = folder / str(os.getpid())
    _reach = reach
    copy_checkout(_copy)


def copy_checkout(folder: Path) -> None:
    """What tests need of the checkout, with the compiled core."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".hypothesis"))


def _try_in_copy(mutant: Mutant) -> Outcome | None:
    return try_mutant(mutant, _copy, _reach)


def find_unsound(killers: Iterable[str]) -> set[str]:
    """Those of the tests that fail although nothing is changed."""
    left, found = [name for name in dict.fromkeys(killers) if name not in ("", IMPORT, ENDLESS)], set()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy_checkout(Path(folder) / "checkout")
        while left and (failed := run_tests(Path(folder) / "checkout", left, SOUND_SECONDS)):
            found.add(failed)
            left.remove(failed)
    return found


def record_reach(path: Path) -> Reach:
    """What stands in a file, of test files that have changed since recorded anew; all when there is no such file."""
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    old = Reach({}, {})
    if path.exists():
        old = read_reach(path)
        tests = [test for test in tests if test.stat().st_mtime > path.stat().st_mtime]
    if tests:
        names = [str(test.relative_to(ROOT)) for test in tests]
        with tempfile.TemporaryDirectory(prefix="reach-") as folder:
            copy = Path(folder) / "checkout"
            copy_checkout(copy)
            recorded, failure = Path(folder) / "new.json", Path(folder) / "failure.txt"
            pid = os.fork()
            if not pid:
                _enter(copy)
                try:
                    record_tests(copy / "webclean", [*PYTEST, *names], recorded)
                except BaseException:  # all output of this process goes nowhere
                    failure.write_text(traceback.format_exc(), encoding="utf-8")
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)
            if failure.exists() or not recorded.exists():
                raise SystemExit(failure.read_text(encoding="utf-8") if failure.exists() else "the tests were killed")
            write_reach(path, merge_reach(old, read_reach(recorded)))
    return read_reach(path)


def format_table(outcomes: Sequence[Outcome], equivalent: Sequence[Outcome], sizes: Mapping[str, int]) -> str:
    """Rooms, the mutants that count, how many were killed, and those that are equivalent.

    sizes: room -> the mutants that it has; the last line weighs the shares of the rooms by them.
    """
    rooms = sorted({outcome.mutant.room for outcome in outcomes})
    lines, weighed = [], 0.0
    for name in (*rooms, None):
        own = [found for found in outcomes if name in (None, found.mutant.room)]
        n_equivalent = sum(found in equivalent for found in own)
        n, n_killed = len(own) - n_equivalent, sum(found.killed for found in own)
        share = n_killed / max(1, n)
        weighed += share * sizes[name] if name else 0
        lines.append((name or "all", n, n_killed, f"{share:.0%}", n_equivalent or ""))
    weighed /= max(1, sum(sizes[name] for name in rooms))
    head = "| Room | Mutants | Killed | Share | Equivalent, not counted |\n|---|---|---|---|---|\n"
    told = "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
    return f"{head}{told}| all, rooms weighed by their size | | | {weighed:.0%} | |"


def format_survivor(outcome: Outcome) -> str:
    """File, operator and the changed lines."""
    old, new = outcome.diff
    return f"{outcome.mutant.file} ({outcome.mutant.operator})\n  - {old}\n  + {new}"


def read_equivalent(path: Path) -> set[tuple[str, str]]:
    """(file, changed line) of the mutants that are known to behave as the original."""
    return {(entry["file"], entry["line"]) for entry in yaml.safe_load(path.read_text(encoding="utf-8"))}


def run_sample(sample: Sequence[Mutant], n_jobs: int, reach: Reach) -> Iterator[tuple[Mutant, Outcome | None]]:
    """Try all mutants, `n_jobs` at a time; None for one that could not be tried.

    No `multiprocessing.Pool`: its processes are daemons, which may not start the processes that some tests need.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    fork = multiprocessing.get_context("fork")
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ProcessPoolExecutor(n_jobs, fork, _open_copy, (Path(folder), reach)) as pool,
    ):
        yield from zip(sample, pool.map(_try_in_copy, sample), strict=True)


def read_tried(path: Path) -> dict[Mutant, Outcome | None]:
    """What a run that was cut short has tried, one a line."""
    found: dict[Mutant, Outcome | None] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            place, outcome = json.loads(line)
            mutant = Mutant(*place)
            found[mutant] = Outcome(mutant, outcome[0], tuple(outcome[1])) if outcome else None
    return found


def format_tried(mutant: Mutant, outcome: Outcome | None) -> str:
    """A line for `read_tried`."""
    return json.dumps([astuple(mutant), outcome and [outcome.killer, outcome.diff]])


def report(outcomes: Sequence[Outcome], sizes: Mapping[str, int], command: str) -> str:
    """The command, the table, then the survivors."""
    found = sorted(outcomes, key=lambda outcome: (outcome.mutant.file, outcome.mutant.occurrence))
    known = read_equivalent(ROOT / "benchmarks" / "equivalent_mutants.yaml")
    alive = [outcome for outcome in found if not outcome.killed]
    equivalent = [outcome for outcome in alive if (outcome.mutant.file, outcome.line) in known]
    survivors = [format_survivor(outcome) for outcome in alive if outcome not in equivalent]
    head = f"# Mutants and tests\n\nWritten by `{command}` (docs/architecture.md says what it does)."
    listed = ["Survivors:", "```diff\n" + "\n\n".join(survivors) + "\n```"] if survivors else []
    return "\n\n".join([head, format_table(found, equivalent, sizes), *listed])


def main() -> int:
    """Draw, try, report."""
    parser = argparse.ArgumentParser(description="A random sample of mutants of the package, and which the tests kill.")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="mutants (default: 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random draw (default: 1)")
    parser.add_argument(
        "--room", action="append", default=[], metavar="NAME", help="only of this room, or file in it; repeatable"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default: 1)")
    parser.add_argument(
        "--reach",
        type=Path,
        default=ROOT / ".mutants.reach",
        metavar="FILE",
        help="keep here what tests reach; later runs record only test files that changed",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report here too")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    mutants = list_mutants(args.room, draw)
    sample = draw_sample(mutants, args.sample, draw)
    journal = args.output.with_suffix(".tried") if args.output else Path(os.devnull)
    tried = read_tried(journal)
    left = [mutant for mutant in sample if mutant not in tried]
    with journal.open("a", encoding="utf-8") as lines:
        for mutant, outcome in run_sample(left, args.jobs, record_reach(args.reach)) if left else ():
            tried[mutant] = outcome
            print(format_tried(mutant, outcome), file=lines, flush=True)
            told = f"killed by {outcome.killer}" if outcome and outcome.killed else "not tried: no such change"
            told = f"ALIVE {format_survivor(outcome)}" if outcome and not outcome.killed else f"{mutant.file}: {told}"
            print(f"{len(tried)} of {len(sample)} {told}", file=sys.stderr, flush=True)
    rooms = "".join(f" --room {name}" for name in args.room)
    command = f"python benchmarks/mutants.py --sample {args.sample} --seed {args.seed}{rooms}"
    outcomes = [found for mutant in sample if (found := tried[mutant])]
    if unsound := find_unsound(outcome.killer for outcome in outcomes):
        print("these tests fail without a change; mutants that they killed are left out:", *unsound, file=sys.stderr)
        outcomes = [outcome for outcome in outcomes if outcome.killer not in unsound]
    text = report(outcomes, Counter(mutant.room for mutant in mutants), command)
    print(text)
    if args.output:
        args.output.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
