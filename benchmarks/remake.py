"""Remake what was learnt and what was measured: every shipped card, then every figure of README and docs.

usage: python benchmarks/remake.py --data DIR [--only STEP,STEP]    run the steps whose inputs changed
       python benchmarks/remake.py --list | --status [--data DIR]   the steps; what is stale and why
       python benchmarks/remake.py --tables                         write the tables into README.md and docs/
       python benchmarks/remake.py --record STEP --because TEXT     take a result to hold for the present inputs

DIR holds the folders of data that the steps name. A step is done when `results/STEP.yaml` has the hashes of its present
inputs, so a run that was stopped goes on where it was. Cards come first, in the order in which they feed each other; a
card that comes out otherwise makes what is measured with it stale.

Whether what ships is older than what made it is asked before a release, not by the tests: who changes a rule need not
hold the corpora. `--status` ends with 1 where a recorded input changed. A result of unknown age (never run here, or
recorded without its inputs) and a peer that is not installed are no reason to. `--record` is for changes that cannot
matter, such as a name; TEXT stays in the result file for whoever reviews it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import yaml
from checkout import CLONE
from results import (
    RULES,
    Result,
    hash_data,
    hash_learnt,
    hash_rules,
    hash_values,
    list_changes,
    read_result,
    write_result,
)
from tables import write_tables

NEVER: Final = "never run"
UNKNOWN: Final = "nobody recorded what its figures were measured on"
STEPS_FILE: Final = Path(__file__).resolve().parent / "steps.yaml"


@dataclass(frozen=True, slots=True)
class Step:
    """One command and what goes into it; `steps.yaml` says what each entry is."""

    name: str
    command: str
    minutes: float
    learnt: Sequence[str] = ()
    sees: Sequence[str] = ()
    reads: Sequence[str] | None = None
    writes: Sequence[str] = ()
    peers: Sequence[str] = ()

    @property
    def data(self) -> list[str]:
        """The folders of data that the command names, such as `corpora/dragnet` for `{corpora}/dragnet`."""
        found = re.findall(r"\{([\w-]+)\}((?:/[\w-]+)?)", self.command)
        return [name + inner for name, inner in found if name != "json"]


def read_steps(path: Path = STEPS_FILE) -> tuple[Step, ...]:
    """The steps, in the order in which they run."""
    values: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(Step(name, **entry) for name, entry in values.items())


STEPS: Final = read_steps()


def find_step(name: str) -> Step:
    """A step by name. Raises SystemExit for an unknown one."""
    steps = {step.name: step for step in STEPS}
    if name not in steps:
        raise SystemExit(f"no step {name!r}: one of {', '.join(steps)}")
    return steps[name]


def hash_inputs(step: Step, data: Path | None) -> dict[str, str]:
    """Name -> hash of everything that goes into a step; data only when it is there.

    A card is among its own inputs, so that one that was changed since is not taken for the learnt one.
    """
    later = {name for other in STEPS[STEPS.index(step) :] for name in other.writes}
    reads = {path.stem for path in RULES.rglob("*.yaml")} if step.reads is None else set(step.reads)
    found: dict[str, str] = {}
    if reads:
        found["rules"] = hash_rules(reads - later)
    if step.writes:
        found["card"] = hash_rules(step.writes)
    if step.learnt:
        found["learnt"] = hash_learnt(step.learnt)
    if step.sees:
        found["features"] = hash_values(step.sees)
    found |= {package: find_version(package) for package in step.peers}
    if data and step.data:
        found["data"] = hash_data(data, step.data)
    return found


def find_version(package: str) -> str:
    """Of a package, '' when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def find_faults(step: Step, data: Path | None = None) -> list[str]:
    """Why a step has to be run again, nothing where its result holds.

    A peer that is not installed says nothing: its figures cannot be measured here, and need not be.
    """
    result = read_result(step.name)
    if result is None or not result.inputs:
        return [NEVER if result is None else UNKNOWN]
    present = hash_inputs(step, data)
    absent = {package for package in step.peers if not present[package]}
    return [f"{name} changed" for name in list_changes(result.inputs, present) if name not in absent]


def run_step(step: Step, data: Path) -> Result:
    """Run a command and gather what it gives. Raises CalledProcessError."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        json_file = Path(scratch) / "figures.json"
        places = {name.partition("/")[0]: str(data / name.partition("/")[0]) for name in step.data}
        places["json"] = str(json_file)
        command = [sys.executable, *shlex.split(step.command.format_map(places))]
        printed = subprocess.run(command, cwd=CLONE, check=True, stdout=subprocess.PIPE, text=True).stdout
        written = json.loads(json_file.read_text(encoding="utf-8")) if json_file.is_file() else {}
    figures = {
        system: {measure: round(value, 4) for measure, value in own.items()}
        for system, own in written.get("summary", {}).items()
    }
    return Result(
        command=f"python {step.command}",
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        minutes=round((time.monotonic() - began) / 60, 1),
        n_pages=written.get("n_pages", 0),
        inputs=hash_inputs(step, data),
        figures=figures,
        report="" if figures else printed,
    )


def estimate_minutes(step: Step) -> float:
    """As it took the last time, else as it is thought to take."""
    result = read_result(step.name)
    return result.minutes if result and result.minutes else step.minutes


def run_steps(steps: Sequence[Step], data: Path) -> int:
    """Run what is stale, one after the other; say how long before, and what is done while it runs."""
    stale = [step for step in steps if find_faults(step, data)]
    total = sum(map(estimate_minutes, stale))
    print(f"{len(stale)} of {len(steps)} steps to run, about {total / 60:.1f} hours on a free core", flush=True)
    for step in steps:
        faults = find_faults(step, data)  # again: a card that an earlier step wrote may have changed it
        if not faults:
            print(f"{step.name}: holds", flush=True)
            continue
        print(f"{step.name}: {'; '.join(faults)}; about {estimate_minutes(step):.1f} minutes", flush=True)
        try:
            result = run_step(step, data)
        except subprocess.CalledProcessError as error:
            print(f"{step.name}: failed with exit code {error.returncode}; what is done stays done", flush=True)
            return 1
        write_result(step.name, result)
        print(f"{step.name}: done in {result.minutes:.1f} minutes", flush=True)
    write_tables()
    return 0


def record_step(step: Step, because: str, data: Path | None) -> None:
    """Take a result to hold for the present inputs, and say why."""
    result = read_result(step.name) or Result(command=f"python {step.command}")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    result.inputs |= hash_inputs(step, data)
    result.carried.append(f"{today}: {because}")
    write_result(step.name, result)


def print_steps(data: Path | None, *, status: bool) -> int:
    """One line a step; the exit code is 1 when one is stale: made of something that has changed since."""
    n_stale = 0
    for step in STEPS:
        faults = find_faults(step, data) if status else []
        n_stale += bool(faults) and faults not in ([NEVER], [UNKNOWN])
        shown = (
            ("; ".join(faults) or "holds") if status else f"{estimate_minutes(step):5.1f} min  python {step.command}"
        )
        print(f"{step.name:14s} {shown}")
    if status:
        print(f"{n_stale} of {len(STEPS)} steps stale")
    return int(n_stale > 0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of all data")
    parser.add_argument("--only", metavar="STEP,STEP", help="just these")
    parser.add_argument("--because", metavar="TEXT", help="why a recorded result still holds")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="the steps and their commands")
    action.add_argument("--status", action="store_true", help="what is stale")
    action.add_argument("--tables", action="store_true", help="write the tables from the results")
    action.add_argument("--record", metavar="STEP,STEP", help="take these results to hold")
    options = parser.parse_args(arguments)
    data = options.data.resolve() if options.data else None
    if options.list or options.status:
        return print_steps(data, status=options.status)
    if options.tables:
        write_tables()
        return 0
    if options.record:
        if not options.because:
            parser.error("--record needs --because")
        for name in options.record.split(","):
            record_step(find_step(name), options.because, data)
        return 0
    if data is None:
        parser.error("--data is needed to run steps")
    return run_steps([find_step(name) for name in options.only.split(",")] if options.only else STEPS, data)


if __name__ == "__main__":
    raise SystemExit(main())
