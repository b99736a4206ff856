"""Pages that harm the process which cleans them: a real worker that meets their marks raises, crashes, hangs or eats.

usage: python benchmarks/poison.py [--pages N] [--kills N] [--seconds S] [--engine pool|ray] [--address A]

A job over a folder, a web archive and a Parquet file at once, each with poison, whose driver is killed by
SIGKILL after some parts and started anew, N times. In the end each page has one row, the guilty ones say why, and the
others are as if nothing had happened. In a file of its own, since workers load it.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import checkout
from archives import Sample, list_samples, read_rows, write_folder, write_parquet, write_warc
from harness import make_parser

from webclean.batch.job import Chunk, Job, Plan, Tables, plan_job, run_plan, run_plan_on_ray
from webclean.batch.sources import Reading, read_url_list
from webclean.batch.tables import Shape
from webclean.workers import WorkLimits

MARK: Final = b"<!-- poison: "


def _hang() -> None:
    while True:
        pass


HARM: Final[dict[str, Callable[[], Any]]] = {
    "raise": lambda: dict[str, object]()["no such key"],
    "segfault": lambda: ctypes.string_at(0),
    "exit": lambda: os._exit(3),
    "hang": _hang,
    "eat": lambda: [bytes(10**8) for _ in range(1000)],
}
KINDS: Final = {"raise": "raised", "segfault": "crash", "exit": "crash", "hang": "timeout", "eat": "memory"}
FORMS: Final = ("pages", "archive", "table")


def poison(name: str) -> bytes:
    """A page that does harm."""
    return b"<h1>Peas</h1>" + MARK + name.encode() + b" -->"


@dataclass(frozen=True, slots=True, eq=False)
class PoisonedPlan(Plan):
    """Lets poisoned pages do what they are made for."""

    def clean(self, chunk: Chunk) -> Tables:
        for row in chunk.rows:
            html = row["html"]
            start = html.find(MARK)
            if start >= 0:
                HARM[html[start + len(MARK) :].split()[0].decode()]()
        return Plan.clean(self, chunk)


def poison_plan(plan: Plan) -> PoisonedPlan:
    return PoisonedPlan(plan.job, plan.sources, plan.skipped, plan.kept)


def list_kinds(form: str) -> dict[str, str]:
    """The kinds of poison in a form, and how each is flagged. Pages that hang cost their time: one form has them."""
    return {name: kind for name, kind in KINDS.items() if name != "hang" or form == FORMS[-1]}


def write_inputs(folder: Path, n_pages: int) -> None:
    """The pages of a job: so many in each form, and among them those of each kind of poison."""
    writers: tuple[Callable[[Path, list[Sample]], Path], ...] = (write_folder, write_warc, write_parquet)
    names = ("pages", "archive.warc.gz", "table.parquet")
    for form, name, write in zip(FORMS, names, writers, strict=True):
        own = [
            Sample(f"{number}", one.html, f"https://{form}-{number}.example/")
            for number, one in enumerate(islice(cycle(list_samples(n=40)), n_pages))
        ]
        for place, kind in enumerate(list_kinds(form)):
            own.insert((place + 1) * n_pages // 6, Sample(kind, poison(kind), f"https://{form}-{kind}.example/"))
        write(folder / name, own)


def drive(folder: Path, seconds: float, engine: str, address: str | None) -> None:
    """Do the job, or go on with it. seconds: that a chunk may take."""
    inputs = tuple(str(folder / name) for name in ("pages", "archive.warc.gz", "table.parquet"))
    reading = Reading(urls=read_url_list(folder / "urls.tsv"), folders=(inputs[0],))
    output, limits = folder / "out", WorkLimits(seconds, memory_mb=900)
    job = Job(
        inputs, output, shape=Shape(), reading=reading, part_rows=4, jobs=2, limits=limits, resume=output.exists()
    )
    plan = poison_plan(plan_job(job))
    if engine == "ray":
        import ray  # noqa: PLC0415  an extra

        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        run_plan_on_ray(plan, lambda *_: None)
    else:
        run_plan(plan, lambda *_: None)


def survive(
    folder: Path,
    n_pages: int,
    n_kills: int = 1,
    *,
    seconds: float = 20,
    engine: str = "pool",
    address: str | None = None,
) -> str:
    """Do the job, kill its driver so many times on the way, and say what is wrong with its rows; '' if nothing is."""
    write_inputs(folder, n_pages)
    command = [sys.executable, __file__, "--drive", str(folder), "--engine", engine, "--seconds", str(seconds)]
    command += ["--address", address] if address else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(checkout.CLONE), str(Path(__file__).parent)))}
    n_parts = 3 * (n_pages // 4)
    for kill in range(n_kills):
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as driver:
            wanted = (kill + 1) * n_parts // (n_kills + 1)
            while driver.poll() is None and len(list((folder / "out" / "_parts").glob("*-*.json"))) < wanted:
                time.sleep(0.05)
            if driver.poll() is not None:
                return f"the driver ended by itself with exit code {driver.returncode}"
            driver.kill()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else find_fault(read_rows(folder / "out"), n_pages)


def find_fault(rows: Sequence[dict[str, Any]], n_pages: int) -> str:
    """What is wrong with the rows of a job, '' if nothing is."""
    wanted = Counter(
        f"https://{form}-{name}.example/" for form in FORMS for name in (*range(n_pages), *list_kinds(form))
    )
    found = Counter(row["url"] for row in rows)
    if found != wanted:
        return f"lost: {sorted(wanted - found)}, twice or made up: {sorted(found - wanted)}"
    failed = {row["url"]: row["error_kind"] for row in rows if row["status"] != "ok"}
    guilty = {f"https://{form}-{name}.example/": kind for form in FORMS for name, kind in list_kinds(form).items()}
    return "" if failed == guilty else f"flagged: {failed}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--pages", type=int, default=200, metavar="N", help="in each of the three forms (200)")
    parser.add_argument("--kills", type=int, default=3, metavar="N", help="of the driver (3)")
    parser.add_argument("--engine", choices=("pool", "ray"), default="pool")
    parser.add_argument("--address", help="of a Ray cluster")
    parser.add_argument("--seconds", type=float, default=20, metavar="S", help="that a few pages may take (20)")
    parser.add_argument("--drive", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.drive:
        drive(options.drive, options.seconds, options.engine, options.address)
        return 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        how = {"seconds": options.seconds, "engine": options.engine, "address": options.address}
        fault = survive(Path(folder), options.pages, options.kills, **how)
    guilty = sum(len(list_kinds(form)) for form in FORMS)
    told = f"{3 * options.pages} pages and {guilty} poisoned ones, {options.kills} kills: each has its row"
    print(fault or f"{told}, {time.monotonic() - start:.0f} s")
    return int(bool(fault))


if __name__ == "__main__":
    import poison as loaded  # workers of a cluster load classes by the name of their module

    raise SystemExit(loaded.main())
