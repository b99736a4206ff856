"""Many pages: the same rows from every form, the cost of columns beside peers, and an archive whose driver is killed.

usage: python benchmarks/batch.py same|speed|large [--data DIR] [--pages N] [--times N]

--data: a folder of pages (HTML, also packed); without it the fixtures, again and again under new addresses.
Times are of a machine that may do other things too; what is compared runs in turns in one run.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import checkout
import pyarrow as pa
import turbohtml
from archives import Sample, list_samples, read_rows, write_folder, write_parquet, write_warc
from harness import format_table, make_parser
from systems import find_systems

from webclean.batch.archives import ArchiveWriter
from webclean.batch.job import Job, run_job
from webclean.batch.parts import Counts
from webclean.batch.sources import Reading, list_page_files, read_url_list
from webclean.batch.tables import KINDS as TABLES
from webclean.batch.tables import Shape, clean_tables
from webclean.packed import unpack
from webclean.pipeline import Cleaner

_MAX_BYTES: Final = 20_000_000
_WITH_BLOCKS: Final = Shape(("pages", "blocks"))
_FIELDS: Final = ("text", "title", "date", "author")
_SHAPES: Final = {
    "url": Shape(columns=("url",)),
    "title": Shape(columns=("title",)),
    "text": Shape(columns=("text",)),
    "text, title, date, author": Shape(columns=_FIELDS),
    "those and Markdown": Shape(columns=(*_FIELDS, "markdown")),
    "all columns of pages": Shape(),
    "role and text of blocks": Shape(("pages", "blocks"), columns=("text",), block_columns=("role", "kept", "text")),
    "pages and blocks": _WITH_BLOCKS,
    "pages, blocks and records": Shape(TABLES),
}


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


def compare_forms(args: argparse.Namespace, folder: Path) -> int:
    """A folder, a web archive and a Parquet file of the same pages: the same rows of pages and blocks."""
    samples = read_samples(args)
    write_folder(folder / "pages", samples)
    sources = {
        "folder": (folder / "pages", Reading(urls=read_url_list(folder / "urls.tsv"))),
        "WARC": (write_warc(folder / "pages.warc.gz", samples), Reading()),
        "Parquet": (write_parquet(folder / "pages.parquet", samples), Reading()),
    }
    found = {}
    for name, (source, reading) in sources.items():
        counts = run_job(
            Job((str(source),), folder / name, shape=_WITH_BLOCKS, reading=reading, jobs=args.jobs, part_rows=500)
        )
        found[name] = [
            [{key: row[key] for key in row if key != "source"} for row in read_rows(folder / name, table)]
            for table in _WITH_BLOCKS.kinds
        ]
        print(f"{name}: {describe(counts)}")
    same = found["folder"] == found["WARC"] == found["Parquet"]
    print("the same rows" if same else "DIFFERENT ROWS")
    return int(not same)


def describe(counts: Counts) -> str:
    rows = ", ".join(f"{number:,} {kind}" for kind, number in counts.rows.items())
    return f"{rows}; errors: {dict(counts.errors) or 'none'}"


def _clean_one(tables: list[pa.Table], shape: Shape, cleaner: Cleaner, number: int) -> object:
    return clean_tables(tables[number], shape, cleaner=cleaner)


def measure_speed(args: argparse.Namespace, folder: Path) -> int:
    """Milliseconds of processor time a page, in turns: a bare parse, peers, text in process, and sets of columns."""
    import trafilatura  # noqa: PLC0415  of the extra bench

    resiliparse = find_systems(["resiliparse"])["resiliparse"]
    samples = read_samples(args)
    tables = [pa.table({"html": [one.html], "url": [one.url]}) for one in samples]
    cleaner = Cleaner()
    tasks: dict[str, Callable[[int], object]] = {
        "bare parse": lambda n: turbohtml.parse(samples[n].html),
        "resiliparse, text": lambda n: resiliparse(samples[n].html, samples[n].url),
        "trafilatura, text and metadata": lambda n: trafilatura.bare_extraction(
            samples[n].html, url=samples[n].url, with_metadata=True
        ),
        "trafilatura, Markdown and metadata": lambda n: trafilatura.extract(
            samples[n].html, url=samples[n].url, output_format="markdown", with_metadata=True
        ),
        "webclean in process, text": lambda n: cleaner.clean(samples[n].html, url=samples[n].url).text,
        **{name: partial(_clean_one, tables, shape, cleaner) for name, shape in _SHAPES.items()},
    }
    best = {name: [float("inf")] * len(samples) for name in tasks}
    for _ in range(args.times):
        for number in range(len(samples)):
            for name, task in tasks.items():
                started = time.process_time()
                task(number)
                best[name][number] = min(best[name][number], time.process_time() - started)
    n_bytes = sum(len(one.html) for one in samples)
    print(f"{len(samples)} pages of {n_bytes / len(samples) / 1000:.0f} kB")
    rows = ((name, f"{1000 * sum(own) / len(own):.1f}", f"{len(own) / sum(own):.0f}") for name, own in best.items())
    print(format_table(["", "ms", "pages a second a core"], rows))
    return 0


def measure_large(args: argparse.Namespace, folder: Path) -> int:
    """One web archive of --megabytes, by a driver that is killed by SIGKILL after a third of it and started again:
    every page once and in order, finished parts untouched, and how busy the processors were."""
    samples = read_samples(args)
    source, n_pages = folder / "large.warc.gz", 0
    with source.open("wb") as file:
        writer = ArchiveWriter(file)
        for sample in repeat(samples):
            if file.tell() >= args.megabytes << 20:
                break
            writer.write(sample.url, 200, "text/html", sample.html)
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


TASKS: Final[dict[str, Callable[[argparse.Namespace, Path], int]]] = {
    "same": compare_forms,
    "speed": measure_speed,
    "large": measure_large,
}


def main(argv: list[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=int, default=300, metavar="N")
    parser.add_argument("--times", type=int, default=3, metavar="N")
    parser.add_argument("--megabytes", type=int, default=1024, metavar="N", help="of the archive of large (1024)")
    parser.add_argument("--jobs", type=int, metavar="N")
    args: Any = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return TASKS[args.task](args, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
