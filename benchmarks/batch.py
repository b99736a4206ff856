"""Many pages: a large archive whose driver is killed.

usage: python benchmarks/batch.py large [--data DIR] [--pages N]

One web archive of --megabytes, by a driver that is killed by SIGKILL after a third of it and started again: every page
once and in order, finished parts untouched, and how busy the processors were. --data: a folder of pages (HTML, also
packed); without it the fixtures, again and again under new addresses.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import checkout
from archives import Sample, list_samples, read_rows
from harness import make_parser

from webclean.batch.archives import write_response
from webclean.batch.sources import list_page_files
from webclean.storage import unpack

_MAX_BYTES: Final = 20_000_000


def read_samples(args: argparse.Namespace) -> list[Sample]:
    """The pages of a folder once, or those of the fixtures as often as it takes, each under an address of its own."""
    if args.data is None:
        return list(islice(repeat(list_samples(n=1000)), args.pages))
    paths = list_page_files(args.data)[0][: args.pages]
    read = (unpack(path.read_bytes(), _MAX_BYTES) for path in paths)
    return [Sample(f"page-{n}", html, f"https://{n}.example/{n}") for n, html in enumerate(read)]


def repeat(samples: list[Sample]) -> Iterator[Sample]:
    """The same pages for ever, with new addresses."""
    for number, sample in enumerate(cycle(samples)):
        yield Sample(sample.name, sample.html, f"https://{number % 997}.example/{number}")


def measure_large(args: argparse.Namespace, folder: Path) -> int:
    """Make the archive, kill the driver, look at what it left behind; the exit code."""
    samples = read_samples(args)
    source, n_pages = folder / "large.warc.gz", 0
    with source.open("wb") as file:
        for sample in repeat(samples):
            if file.tell() >= args.megabytes << 20:
                break
            write_response(file, sample.url, "text/html", sample.html)
            n_pages += 1
    marks, jobs = folder / "out" / "_parts", args.jobs or 2
    options = ["--jobs", str(jobs), "--columns", "text,title", "--resume", "--quiet"]
    command = [sys.executable, "-m", "webclean", "batch", str(source), "-o", str(folder / "out"), *options]
    environment = {**os.environ, "PYTHONPATH": str(checkout.CLONE)}
    with subprocess.Popen(command, env=environment) as killed:
        while len(list(marks.glob("*-*.json"))) < n_pages // 3 // 300:
            time.sleep(0.1)
        killed.kill()
    before = {path.name: path.stat().st_mtime_ns for path in marks.glob("*-*.json")}
    started = time.monotonic()
    subprocess.run(command, env=environment, check=True)
    seconds, spent = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = read_rows(folder / "out")
    addresses = [sample.url for sample in islice(repeat(samples), n_pages)]
    is_exact = [row["url"] for row in rows] == addresses and {row["status"] for row in rows} <= {"ok", "error"}
    is_kept = all((marks / name).stat().st_mtime_ns == written for name, written in before.items())
    print(
        f"{n_pages:,} pages in {source.stat().st_size / 2**20:.0f} MB, killed after {len(before)} parts; "
        f"{'each page once, in order' if is_exact else 'LOST OR DOUBLED'}, "
        f"{'finished parts untouched' if is_kept else 'FINISHED PARTS WRITTEN AGAIN'}"
    )
    busy, largest = spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 1024
    print(f"{seconds:.0f} s in all, {busy:.0f} s of processor time, the largest process {largest:.0f} MB")
    return int(not (is_exact and is_kept))


def main(argv: list[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("task", choices=("large",))
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=int, default=300, metavar="N")
    parser.add_argument("--megabytes", type=int, default=1024, metavar="N", help="of the archive of large (1024)")
    parser.add_argument("--jobs", type=int, metavar="N")
    args: Any = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return measure_large(args, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
