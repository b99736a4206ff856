"""Mutation testing: change one operator, number or condition of the package at a time and see whether a test notices.

usage: python benchmarks/mutants.py [--sample N] [--seed N] [--room NAME ...] [--jobs N] [--output FILE]

The mutants are cosmic-ray's. Its own runner gives every mutant the same tests, knows no sample and changes the checkout
in place; mutmut leaves decorated functions alone, which here are all features. So this script draws the sample, changes
a copy of the checkout, and runs the tests of the mutant's room (`tests/` mirrors `webclean/`), then, when these pass,
those of whole pages, or of what is built on the room (`ELSEWHERE`). The sample is spread over the rooms by their size,
with a few mutants at least for each.

Left out, since no test could tell: what stands in type annotations, `strict=` of `zip` (a check that holds wherever the
columns of one page are zipped), and `is` for `==`. Survivors that behave as the original are listed with the reason in
equivalent_mutants.yaml and are not counted. Time is processor time: a busy machine kills no mutant.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
LEAST: Final = 4
"""Mutants drawn of each room that has so many."""
WHOLE_PAGES: Final = (
    "tests/test_clean.py",
    "tests/test_house.py",
    "tests/test_fixtures.py::test_output_is_what_stands_beside_the_page",
)
"""Run when the tests of the room pass: `clean`, and all that is written of the fixtures."""
SLOW: Final = "costs or cost_ or not_cost or grows or bounded or little_time or limited or under_the_clock"
"""Tests about time, by their names: they would take most of it, and on a busy machine fail without any fault."""
ELSEWHERE: Final[dict[str, tuple[str, ...]]] = {
    "cli": ("tests/workbench/test_workbench.py", "tests/sites/test_apply.py", "tests/compare"),
    "checks": ("tests/workbench/test_workbench.py",),
    "rules": ("tests/workbench/test_workbench.py", *WHOLE_PAGES),
    "learn": ("tests/cli/test_learn.py",),
    "corpora": ("tests/cli/test_learn.py", "tests/compare"),
    "__main__.py": ("tests/cli/test_clean.py",),
    **dict.fromkeys(("compare", "sites", "web", "workbench"), ()),
}
"""Rooms -> what is run for them in place of whole pages; cleaning does not pass through most of these."""
CPU_SECONDS: Final = 120
"""A mutant whose tests take longer loops; all tests of the slowest room take a quarter of it."""
PRELOADED: Final = (
    "pytest",
    "hypothesis",
    "numpy",
    "lxml.html",
    "scipy.stats",
    "scipy.optimize",
    "sklearn.linear_model",
)
"""Imported once: each test run is a fork, which starts with them."""

QUIET: Final = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
"""Assertions of the preloaded plugins are not rewritten, which is no fault."""


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
    """What became of a mutant. diff: the changed lines, as `-old` and `+new`."""

    mutant: Mutant
    killed: bool
    diff: tuple[str, str]


def list_mutants(rooms: Sequence[str], draw: random.Random) -> list[Mutant]:
    """A mutant for each place where the files of the rooms (none: of all) can be changed; which one is drawn."""
    from cosmic_ray.operators.provider import OperatorProvider  # noqa: PLC0415  an extra

    provider = OperatorProvider()
    # what changes the same places: every replacement of one operator by another
    alike: dict[str, list[str]] = defaultdict(list)
    for name in provider:
        if not name.startswith("Variable") and _tells(name):
            alike[name.rsplit("_", 1)[0] if name.count("_") > 1 else name].append(name)
    found = []
    for path in sorted((ROOT / "webclean").rglob("*.py")):
        file = str(path.relative_to(ROOT))
        if not rooms or Path(file).parts[1] in rooms:
            places = _count_places(path, {name: provider[names[0]]() for name, names in alike.items()})
            found += [Mutant(file, draw.choice(alike[name]), occurrence) for name, occurrence in places]
    return found


def _tells(operator: str) -> bool:
    """Not `is` for `==` or the reverse: the same answer for the small values and the enums that are compared here."""
    *_, old, new = ("", "", *operator.split("_"))
    identity = ("Is", "IsNot")
    return not operator.startswith("ReplaceComparison") or (old in identity) == (new in identity)


def _count_places(path: Path, operators: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """(operator, occurrence) of every place in a file that counts."""
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415

    seen: dict[str, int] = defaultdict(int)
    for node in ast_nodes(get_ast(path.read_text(encoding="utf-8"))):
        for name, operator in operators.items():
            for _ in operator.mutation_positions(node):
                if not _is_silent(node):
                    yield name, seen[name]
                seen[name] += 1


def _is_silent(node: Any) -> bool:
    """Whether a syntax node is in a type annotation or in `strict=`."""
    while node.parent is not None:
        above = node.parent
        if above.type == "annassign" and node is above.children[1]:
            return True
        if above.type in ("funcdef", "param") and node is above.annotation:
            return True
        if above.type == "tfpdef" or (above.type == "argument" and above.children[0].get_code().strip() == "strict"):
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


def find_tests(root: Path, room: str) -> list[Sequence[str]]:
    """The tests of a room, `tests/ROOM` or `tests/test_ROOM.py`, then those that say more of it."""
    name = room.removesuffix(".py")
    own = [f"tests/{found}" for found in (name, f"test_{name}.py") if (root / "tests" / found).exists()]
    return [tests for tests in (own, ELSEWHERE.get(room, WHOLE_PAGES)) if tests]


def run_tests(root: Path, tests: Sequence[str]) -> bool:
    """Whether the tests pass in this checkout, in a process of their own."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            code = _run_pytest(root, tests)
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def _run_pytest(root: Path, tests: Sequence[str]) -> int:
    import pytest  # noqa: PLC0415

    os.chdir(root)
    os.environ.update(PYTHONPATH=str(root), CI="1")  # CI: the same examples of hypothesis each time
    sys.path[:0] = [str(root)]
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    return int(
        pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", f"not ({SLOW})", *QUIET, *tests])
    )


def try_mutant(mutant: Mutant, root: Path) -> Outcome | None:
    """Change the file in `root`, run its tests until one fails, and put it back. None where the operator has no such
    place: not every replacement fits all places of its kind."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415
    from cosmic_ray.operators.provider import OperatorProvider  # noqa: PLC0415

    path = root / mutant.file
    before = path.read_text(encoding="utf-8")
    after = mutate_code(before, OperatorProvider()[mutant.operator](), mutant.occurrence)
    if after is None:
        return None
    try:
        _write_source(path, after)
        killed = not all(run_tests(root, tests) for tests in find_tests(root, mutant.room))
    finally:
        _write_source(path, before)
    return Outcome(mutant, killed, _find_change(before, after))


def _write_source(path: Path, text: str) -> None:
    """Write a file, and forget what was compiled of it: sources of one second and one size look the same."""
    path.write_text(text, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def _find_change(before: str, after: str) -> tuple[str, str]:
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    old, new = ([line[2:].strip() for line in lines if line[:2] == sign] for sign in ("- ", "+ "))
    return " ".join(old), " ".join(new)


_copy: Path
_whole: set[str] = set()
"""Rooms whose tests were seen to pass before anything was changed."""


def _open_copy(folder: Path) -> None:
    """A copy of the checkout for this worker, and what all its test runs import."""
    global _copy  # noqa: PLW0603  one a process
    for name in PRELOADED:
        importlib.import_module(name)
    _copy = folder / str(os.getpid())
    shutil.copytree(ROOT, _copy, ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".hypothesis"))


def _try_in_copy(mutant: Mutant) -> Outcome | None:
    """None when it cannot be tried: the tests fail before anything is changed, or there is no such change."""
    room = mutant.room
    if room not in _whole and not all(run_tests(_copy, tests) for tests in find_tests(_copy, room)):
        return None
    _whole.add(room)
    return try_mutant(mutant, _copy)


def format_table(outcomes: Sequence[Outcome], equivalent: Sequence[Outcome]) -> str:
    """Rooms, the mutants that count, how many were killed, and those that are equivalent."""
    rooms = sorted({outcome.mutant.room for outcome in outcomes})
    lines = ["| Room | Mutants | Killed | Share | Equivalent, not counted |", "|---|---|---|---|---|"]
    for name in (*rooms, None):
        own = [found for found in outcomes if name in (None, found.mutant.room)]
        n_equivalent = sum(found in equivalent for found in own)
        n, n_killed = len(own) - n_equivalent, sum(found.killed for found in own)
        lines.append(f"| {name or 'all'} | {n} | {n_killed} | {n_killed / max(1, n):.0%} | {n_equivalent or ''} |")
    return "\n".join(lines)


def format_survivor(outcome: Outcome) -> str:
    """File, operator and the changed lines."""
    old, new = outcome.diff
    return f"{outcome.mutant.file} ({outcome.mutant.operator})\n  - {old}\n  + {new}"


def read_equivalent(path: Path) -> set[tuple[str, str]]:
    """(file, changed line) of the mutants that are known to behave as the original."""
    return {(entry["file"], entry["line"]) for entry in yaml.safe_load(path.read_text(encoding="utf-8"))}


def run_sample(sample: Sequence[Mutant], n_jobs: int) -> Iterator[Outcome | None]:
    """Try all mutants, `n_jobs` at a time; None for one that could not be tried."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        multiprocessing.get_context("fork").Pool(n_jobs, _open_copy, [Path(folder)]) as pool,
    ):
        yield from pool.imap_unordered(_try_in_copy, sample)


def report(outcomes: Sequence[Outcome]) -> str:
    """The table, then the survivors."""
    found = sorted(outcomes, key=lambda outcome: (outcome.mutant.file, outcome.mutant.occurrence))
    known = read_equivalent(ROOT / "benchmarks" / "equivalent_mutants.yaml")
    alive = [outcome for outcome in found if not outcome.killed]
    equivalent = [outcome for outcome in alive if (outcome.mutant.file, outcome.diff[1]) in known]
    survivors = [format_survivor(outcome) for outcome in alive if outcome not in equivalent]
    return "\n\n".join([format_table(found, equivalent), *survivors])


def main() -> int:
    """Draw, try, report."""
    parser = argparse.ArgumentParser(description="A random sample of mutants of the package, and which the tests kill.")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="mutants (default: 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random draw (default: 1)")
    parser.add_argument("--room", action="append", default=[], metavar="NAME", help="only of this room; repeatable")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default: 1)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report here too")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    sample = draw_sample(list_mutants(args.room, draw), args.sample, draw)
    outcomes = []
    for number, outcome in enumerate(run_sample(sample, args.jobs), start=1):
        fate = "not tried: no such change, or tests that fail without it"
        if outcome is not None:
            outcomes.append(outcome)
            place = f"{outcome.mutant.room}: {outcome.mutant.file}"
            fate = f"{place}: killed" if outcome.killed else f"{place}: ALIVE\n{format_survivor(outcome)}"
        print(f"{number} of {len(sample)} {fate}", file=sys.stderr, flush=True)
    text = report(outcomes)
    print(text)
    if args.output:
        args.output.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
