"""Many pages: the same rows from every form, pages that do harm, speed beside trafilatura, processes, memory, cost.

usage: python benchmarks/batch.py same|poison|speed|scale|large|sites|memory|cost [--data DIR] [--pages N] [--times N]

--data: a folder of pages (HTML, also packed); without it the fixtures, again and again under new addresses. --engine
ray is for poison.
Times are of a machine that may do other things too; what is compared runs in turns in one run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import checkout
import pyarrow as pa
import turbohtml
from archives import Sample, list_samples, read_rows, write_folder, write_parquet, write_warc
from poison import KINDS, PoisonedClean, poison
from synthetic_site import SyntheticPage, generate_site
from systems import find_systems

from webclean.batch.archives import ArchiveWriter
from webclean.batch.job import Job, clean_here, plan_job, run_job
from webclean.batch.parts import Counts
from webclean.batch.reports import write_duplicates
from webclean.batch.sources import Reading, list_page_files, read_url_list
from webclean.batch.tables import KINDS as TABLES
from webclean.batch.tables import Shape, clean_tables
from webclean.batch.templates import learn_here
from webclean.batch.work import CleanChunk, Slice, Worker
from webclean.compare.dataset import score_words
from webclean.packed import unpack
from webclean.pipeline import Cleaner
from webclean.workers import WorkLimits
from webclean.workers.measures import measure_cpu

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
_COMMON_CRAWL_PAGES: Final = 2.5e9


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


def poison_pages(args: argparse.Namespace, folder: Path) -> int:
    """One page of each kind of harm among the others: a row for each, and as many flagged."""
    samples = read_samples(args)[: args.pages - len(KINDS)]
    for place, name in enumerate(KINDS, 1):
        samples.insert(place * len(samples) // (len(KINDS) + 1), Sample(name, poison(name), f"https://{name}.example/"))
    inputs = tuple(str(write_warc(folder / f"{part}.warc.gz", samples[part::2])) for part in (0, 1))
    cleaner = Cleaner()
    plan = plan_job(Job(inputs, folder / "out", cleaner, limits=WorkLimits(10, 1000), part_rows=250))
    clean = PoisonedClean(CleanChunk(cleaner, Shape(), ()))
    started = time.monotonic()
    if args.engine == "ray":
        from webclean.batch.ray_engine import clean_on_ray  # noqa: PLC0415  an extra

        clean_on_ray(plan, lambda *_: None, jobs=args.jobs, clean=clean)
    else:
        clean_here(plan, lambda *_: None, jobs=args.jobs, clean=clean)
    counts = plan.count()
    flagged = {
        row["url"].split("/")[2].partition(".")[0]: row["error_kind"]
        for row in read_rows(folder / "out")
        if row["error"]
    }
    print(f"{args.engine}: {describe(counts)} in {time.monotonic() - started:.0f} s; flagged: {flagged}")
    return int(flagged != KINDS or counts.n_pages != len(samples))


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
    for name, seconds in best.items():
        print(f"| {name} | {1000 * sum(seconds) / len(samples):.1f} ms | {len(samples) / sum(seconds):.0f} pages/s |")
    return 0


def measure_scale(args: argparse.Namespace, folder: Path) -> int:
    """Pages a second with one and with two worker processes, in turns; the processor time of a page in the driver and
    in a worker; and how much faster two processes are that share nothing but the machine. These bound the ratio."""
    samples = read_samples(args)
    source = write_warc(folder / "pages.warc.gz", samples)
    rates: dict[int, list[float]] = {1: [], 2: []}
    driver, alone = [], {1: float("inf"), 2: float("inf")}
    for turn in range(args.times):
        for jobs, found in rates.items():
            plan = plan_job(Job((str(source),), folder / f"{turn}-{jobs}"))
            watch = Rate()
            clean_here(plan, watch.count, jobs=jobs)
            found.append(watch.n_pages / (time.monotonic() - watch.started))
            driver.append((time.process_time() - watch.started_cpu) / watch.n_pages)
            alone[jobs] = min(alone[jobs], clean_apart(source, folder / f"apart-{turn}-{jobs}", jobs))
    table = pa.table({"html": [one.html for one in samples], "url": [one.url for one in samples]})
    cleaner, seconds = Cleaner(), []
    for _ in range(args.times + 1):
        started = time.process_time()
        clean_tables(table, Shape(), cleaner=cleaner)
        seconds.append((time.process_time() - started) / len(samples))
    for jobs, found in rates.items():
        print(f"{jobs} processes: {', '.join(f'{rate:.0f}' for rate in found)} pages/s")
    worker, own = min(seconds), min(driver)
    print(f"processor time of a page: {1000 * worker:.2f} ms in a worker, {1000 * own:.2f} ms in the driver")
    measured, bound = max(rates[2]) / max(rates[1]), 2 * worker / (worker + own)
    print(f"two processes against one: measured {measured:.2f}, bound {bound:.2f} by what the driver does")
    print(f"two that share nothing, each with all pages: {2 * alone[1] / alone[2]:.2f} times one")
    return 0


def clean_apart(source: Path, folder: Path, n_processes: int) -> float:
    """Seconds in which processes clean all slices of a source each, without a driver."""
    with multiprocessing.get_context("fork").Pool(n_processes) as pool:
        pool.map(_clean_slices, [(source, folder / f"warm-{n}", 1) for n in range(n_processes)], chunksize=1)
        started = time.monotonic()
        pool.map(_clean_slices, [(source, folder / str(n), None) for n in range(n_processes)], chunksize=1)
        return time.monotonic() - started


def _clean_slices(given: tuple[Path, Path, int | None]) -> None:
    source, output, n_slices = given
    work = plan_job(Job((str(source),), output)).work
    worker = Worker(work, CleanChunk(work.cleaner, work.shape, work.kept))
    for number in range(len(work.sources))[:n_slices]:
        for _ in worker(Slice(number, {})):
            pass


class Rate:
    """Pages since the first ones came: the start of the workers is not of the rate."""

    def __init__(self) -> None:
        self.n_pages = 0
        self.started = self.started_cpu = 0.0

    def count(self, counts: Counts, *_: object) -> None:
        """Listen to a job."""
        if not self.started:
            self.started, self.started_cpu = time.monotonic(), time.process_time()
        else:
            self.n_pages += counts.n_pages


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
    with subprocess.Popen(command, env=environment) as driver, Watch(driver.pid) as watch:
        driver.wait()
    seconds = time.monotonic() - started
    rows = read_rows(folder / "out")
    addresses = [sample.url for sample in islice(repeat(samples), n_pages)]
    is_exact = [row["url"] for row in rows] == addresses and {row["status"] for row in rows} <= {"ok", "error"}
    is_kept = all((marks / name).stat().st_mtime_ns == written for name, written in before.items())
    print(
        f"{n_pages:,} pages in {source.stat().st_size / 2**20:.0f} MB, killed after {len(before)} parts; "
        f"{'each page once, in order' if is_exact else 'LOST OR DOUBLED'}, "
        f"{'finished parts untouched' if is_kept else 'FINISHED PARTS WRITTEN AGAIN'}"
    )
    print(
        f"after it {seconds:.0f} s, in which {jobs} workers had {watch.seconds:.0f} s of processor time; the driver "
        f"{watch.own_seconds:.1f} s and {watch.own_peak / 2**20:.0f} MB"
    )
    return int(not (is_exact and is_kept))


def measure_sites(args: argparse.Namespace, folder: Path) -> int:
    """--pages of --hosts invented sites (`synthetic_site.py`), one in twenty with a near-copy on another site: what
    learning templates and looking for duplicates cost, and what they are worth."""
    pages = list(invent_pages(args.pages, args.hosts))
    truth = {url: page.article for url, page, _ in pages}
    copies = {url: original for url, _, original in pages if original}
    samples = [Sample(page.name, page.html.encode(), url) for url, page, _ in pages]
    source = str(write_warc(folder / "sites.warc.gz", samples))
    for name, n_learnt in (("without templates", 0), ("with templates", 60)):
        out, shape = folder / name, Shape(columns=("text",))
        job, started = Job((source,), out, shape=shape, jobs=args.jobs, site_pages=n_learnt), time.monotonic()
        with Watch() as watch:
            plan = plan_job(job).learn_sites(partial(learn_here, jobs=args.jobs))
            learnt = time.monotonic() - started
            clean_here(plan, lambda *_: None, jobs=args.jobs)
        scores = [score_words(row["text"] or "", truth[row["url"]]) for row in read_rows(out)]
        precision, recall, f1 = (
            sum(getattr(score, name) for score in scores) / len(scores) for name in ("precision", "recall", "f1")
        )
        print(
            f"{name}: {len(scores):,} pages of {args.hosts} sites, {time.monotonic() - started:.0f} s, of these "
            f"{learnt:.0f} s for learning; {1000 * watch.all_seconds / len(scores):.1f} ms of processor time a page; "
            f"mean precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}"
        )
        started_cpu = time.process_time()
        write_duplicates(out)
        seconds = time.process_time() - started_cpu
        found = {row["url"]: row["duplicate_of_url"] for row in read_rows(out, "duplicates")}
        right = sum(found.get(url) == original or found.get(original) == url for url, original in copies.items())
        told = f"of {len(copies):,} near-copies {right:,} found, {len(found) - right:,} pages more"
        print(f"duplicates: {1000 * seconds / len(scores):.2f} ms a page; {told}")
    return 0


def invent_pages(n_pages: int, n_hosts: int) -> Iterator[tuple[str, SyntheticPage, str]]:
    """Address, page, and of a near-copy the address of its original: its article but for a word, in the template of
    another site and among comments of its own."""
    each = n_pages // n_hosts
    n_copies = each // 20
    for host in range(n_hosts):
        pages = list(generate_site(each, seed=host + 1))
        for number, page in enumerate(pages[: each - n_copies]):
            yield f"https://www.site-{host}.example/{number}", page, ""
        donor = (host + 7) % n_hosts
        originals = islice(generate_site(each, seed=donor + 1), n_copies)
        for number, (page, original) in enumerate(zip(pages[each - n_copies :], originals, strict=True)):
            article = f"Copied {original.article.partition(' ')[2]}"
            html = page.html.replace(_mark_up(page.article), _mark_up(article))
            copy = SyntheticPage(f"copy-{number}", html, article)
            yield f"https://www.site-{host}.example/copy-{number}", copy, f"https://www.site-{donor}.example/{number}"


def _mark_up(article: str) -> str:
    return "".join(f"<p>{text}</p>" for text in article.split("\n"))


def measure_memory(args: argparse.Namespace, folder: Path) -> int:
    """Peak memory of the driver and of all its processes together, at --pages and at --times as many."""
    for n_pages in (args.pages, args.pages * args.times):
        samples = islice(repeat(list_samples(n=1000)), n_pages)
        source = write_warc(folder / f"{n_pages}.warc.gz", samples)
        with Watch() as watch:
            counts = run_job(Job((str(source),), folder / str(n_pages), shape=_WITH_BLOCKS, jobs=args.jobs))
        print(f"{counts.n_pages:,} pages: driver {watch.own_peak / 2**20:.0f} MB, together {watch.peak / 2**20:.0f} MB")
    return 0


class Watch:
    """A process and those below it, looked at five times a second: the largest sum of proportional memory (PSS) and of
    its own (bytes), processor time of all and of its own (seconds)."""

    def __init__(self, pid: int | None = None) -> None:
        self.peak = self.own_peak = 0
        self._pid = pid or os.getpid()
        self._seconds: dict[int, float] = {}
        self._is_done = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._is_done.set()
        self._thread.join()

    @property
    def seconds(self) -> float:
        """Of all but the first process."""
        return self.all_seconds - self.own_seconds

    @property
    def all_seconds(self) -> float:
        return sum(self._seconds.values())

    @property
    def own_seconds(self) -> float:
        return self._seconds.get(self._pid, 0.0)

    def _look(self) -> None:
        while not self._is_done.wait(0.2):
            processes = list_below(self._pid)
            sizes = list(map(read_pss, processes))
            self.peak, self.own_peak = max(self.peak, sum(sizes)), max(self.own_peak, sizes[0])
            seconds = {one: measure_cpu(one) for one in processes}
            # of a process that has ended meanwhile there is no time
            self._seconds |= {one: value for one, value in seconds.items() if Path(f"/proc/{one}").exists()}


def list_below(pid: int) -> list[int]:
    """A process and all processes below it."""
    found = [pid]
    for at in found:
        for tasks in Path(f"/proc/{at}/task").glob("*/children"):
            try:
                found += map(int, tasks.read_text().split())
            except OSError:
                continue
    return found


def read_pss(pid: int) -> int:
    """Bytes of a process, with shared ones divided by who shares them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def estimate_cost(args: argparse.Namespace, folder: Path) -> int:
    """What one month of Common Crawl would cost, from what pages cost here."""
    samples = read_samples(args)
    cleaner, table = Cleaner(), pa.table({"html": [one.html for one in samples], "url": [one.url for one in samples]})
    clean_tables(table.slice(0, 20), _WITH_BLOCKS, cleaner=cleaner)
    started = time.process_time()
    clean_tables(table, _WITH_BLOCKS, cleaner=cleaner)
    seconds = (time.process_time() - started) / len(samples)
    source = write_parquet(folder / "pages.parquet", samples)
    run_job(Job((str(source),), folder / "out", shape=_WITH_BLOCKS, jobs=args.jobs))
    written = Counter(
        {kind: sum(path.stat().st_size for path in (folder / "out" / kind).iterdir()) for kind in _WITH_BLOCKS.kinds}
    )
    import zlib  # noqa: PLC0415

    packed = sum(len(zlib.compress(one.html, 1)) for one in samples) / len(samples)
    months = _COMMON_CRAWL_PAGES
    print(
        f"{len(samples)} pages: {1000 * seconds:.1f} ms a page, packed {packed / 1000:.1f} kB, "
        f"written { ({kind: round(size / len(samples)) for kind, size in written.items()}) } bytes a page"
    )
    print(
        f"{months:.1e} pages: {months * seconds / 3600:,.0f} core hours, read {months * packed / 1e12:.0f} TB, "
        f"written {sum(written.values()) / len(samples) * months / 1e12:.1f} TB"
    )
    return 0


TASKS: Final[dict[str, Callable[[argparse.Namespace, Path], int]]] = {
    "same": compare_forms,
    "poison": poison_pages,
    "speed": measure_speed,
    "scale": measure_scale,
    "large": measure_large,
    "sites": measure_sites,
    "memory": measure_memory,
    "cost": estimate_cost,
}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=int, default=300, metavar="N")
    parser.add_argument("--times", type=int, default=3, metavar="N")
    parser.add_argument("--megabytes", type=int, default=1024, metavar="N", help="of the archive of large (1024)")
    parser.add_argument("--hosts", type=int, default=300, metavar="N", help="of sites (300)")
    parser.add_argument("--jobs", type=int, metavar="N")
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    args: Any = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return TASKS[args.task](args, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
