"""A job: what is read, what is made of it and where it goes; run on one of two engines, and taken up again where it
stopped.

The embedded engine is worker processes of this machine. The cluster engine is Ray Data, which hands out the sources,
again if their node dies; a part is made the same again, and its files appear whole. So nothing is lost or doubled, and
what is finished is marked in the same way: the two engines can take up each other's jobs. Inputs and output stand in a
file system that all nodes see. In each actor the pages are cleaned in a worker process of its own, since no cluster
engine sets a single bad record apart.

Before that the templates of sites may be learnt as rules, from a sample of the pages of each. The sample of a site is
its pages with the smallest hashes of their URLs: the same pages in any order, on any number of machines, and as few for
a site with a third of all pages as for any other. A source passes on only pages that are among the smallest seen so far
of their site, about k (1 + ln(n / k)) of n, and holds numbers, no pages, to know it.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import re2

from webclean.batch.output_folder import SITES, Counts, open_output, remove_left
from webclean.batch.readers import choose_columns, cut_sources, read_rows
from webclean.batch.sources import PageSource, Position, Reading, Row, list_sources
from webclean.batch.tables import TABLE_VERSION
from webclean.batch.work import PRELOAD, Clean, Job, Listener, Plan, clean_sources, open_pool
from webclean.errors import InputError, WebcleanError
from webclean.parse import find_canonical_link
from webclean.parse.url import find_registered_domain
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml
from webclean.sites.site_rules import learn_site, write_site_rules
from webclean.storage import TEMPORARY, find_path, is_stored, write_whole
from webclean.workers import WorkerPool, WorkLimits

if TYPE_CHECKING:
    import pyarrow as pa


def plan_job(job: Job) -> Plan:
    """Find the sources and open the output folder.

    Raises `InputError`: no such file, no pages, another job in the folder, a column that is missing.
    """
    try:
        re2.compile(job.reading.url_pattern)
    except re2.error as error:
        raise InputError(f"not a regular expression: {job.reading.url_pattern!r}: {error}") from error
    sources = list_sources(job.inputs, job.part_rows, job.kind)
    slices = cut_sources(sources.found, job.slice_bytes)
    if "pages" not in job.shape.kinds:
        raise InputError("a job writes the table pages, for it says what failed")
    if job.site_pages and is_stored(job.output):
        raise InputError(f"{job.output}: templates of sites are learnt into a folder of a file system alone")
    kept = _find_kept(slices, job.reading)
    open_output(job.output, _describe(job, slices), resume=job.resume)
    return Plan(job, slices, sources.skipped, kept)


def run_job(job: Job, report: Listener | None = None) -> Counts:
    """Do a job in worker processes of this machine, and count what came of it. Raises as `plan_job`, and `OSError`."""
    plan = learn_sites(plan_job(job), partial(learn_here, jobs=job.jobs))
    clean_here(plan, report or (lambda *_: None), jobs=job.jobs)
    return plan.count()


def clean_here(plan: Plan, report: Listener, *, jobs: int | None = None, clean: Clean | None = None) -> None:
    numbers = plan.list_open()
    if numbers:
        try:
            with open_pool(plan, jobs, clean) as pool:
                clean_sources(plan, numbers, pool, report)
        finally:
            remove_left(plan.job.output)


def _describe(job: Job, sources: Iterable[PageSource]) -> dict[str, Any]:
    """All that decides the rows of a job."""
    columns = job.reading.columns
    return {
        "table_version": TABLE_VERSION,
        "inputs": [asdict(one) for one in sources],
        "format": job.form,
        "tables": list(job.shape.kinds),
        "page_columns": list(job.shape.columns),
        "block_columns": list(job.shape.block_columns),
        "canonical": job.shape.canonical,
        "columns": [columns.html, columns.url, columns.source, *columns.keep],
        "urls": job.reading.urls,
        "url_pattern": job.reading.url_pattern,
        "languages": list(job.shape.languages),
        "part_rows": job.part_rows,
        "site_pages": job.site_pages,
        "rules": job.cleaner.rules.hash,
        "profile": job.cleaner.profile,
        "method": job.cleaner.method,
        "parser": job.cleaner.parser,
    }


def _find_kept(sources: Iterable[PageSource], reading: Reading) -> tuple[Any, ...]:
    """The Arrow fields of the columns that are kept: of the first Parquet file, else text. Checks all Parquet files."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    schemas = {}
    for source in sources:
        if source.kind == "parquet":
            path = source.paths[0]
            if path in schemas:  # another slice of it
                continue
            try:
                with find_path(path).open("rb") as file:
                    schemas[path] = pq.read_schema(file)
            # one damaged file of a thousand is told in its row, and stops no job
            except (OSError, pa.ArrowException):
                continue
            choose_columns(schemas[path].names, reading.columns, path)
        elif reading.columns.keep and source.kind != "jsonl":
            raise InputError(f"{source.paths[0]}: has no columns to keep")
    first = next(iter(schemas.values()), None)
    return tuple(first.field(name) if first else pa.field(name, pa.string()) for name in reading.columns.keep)


FOLDER: Final = "rules"
"""Folder of the output that holds the learnt rules, laid out as one for `--rules`."""
_TIMES: Final = 20
"""Pages' worth of time that learning one site may take."""


@dataclass(frozen=True, slots=True)
class LearntSite:
    """What was learnt of one site. text: its rule file, '' if it has no rules. problem: why it has none."""

    site: str
    n_pages: int
    n_rules: int
    text: str = ""
    problem: str = ""


def sample_source(plan: Plan, number: int, n_pages: int) -> Iterator[Row]:
    """`{site, rank, url, charset, packed}` of the pages of a source that may be among the sample of their site."""
    smallest: dict[str, list[int]] = {}  # site -> a heap of negative ranks, the largest rank first
    for row in read_rows(plan.sources[number], plan.job.reading, Position()):
        html = row["html"]
        url = row["url"] or (find_canonical_link(html) if html and plan.job.shape.canonical else None)
        site = find_registered_domain(url) if url else ""
        if not html or not url or not site:
            continue
        rank = rank_page(url)
        heap = smallest.setdefault(site, [])
        if len(heap) >= n_pages and rank >= -heap[0]:
            continue
        (heapq.heappush if len(heap) < n_pages else heapq.heapreplace)(heap, -rank)
        packed = zlib.compress(html, 1)
        yield {"site": site, "rank": rank, "url": url, "charset": row.get("charset"), "packed": packed}


def rank_page(url: str) -> int:
    """A number below 2 ** 63 that is as good as random, and the same everywhere."""
    return int.from_bytes(blake2b(url.encode(errors="replace"), digest_size=8).digest(), "big") >> 1


def choose_sample(rows: Iterable[Row], n_pages: int) -> list[Row]:
    """The sample of one site, of all that sources passed on: no page twice."""
    chosen = {(row["rank"], row["url"]): row for row in rows}
    return [chosen[key] for key in sorted(chosen)[:n_pages]]


@dataclass(frozen=True, slots=True, eq=False)
class LearnSite:
    """Rules from the sample of one site; run in a worker, for these are pages as any others."""

    cleaner: Cleaner

    def __call__(self, sample: list[Row]) -> LearntSite:
        """sample: of one site, in the order of ranks."""
        settings = self.cleaner.rules.sites
        site = sample[0]["site"]
        clustering = learn_site(self._analyse(sample), settings)
        rules = write_site_rules(clustering, settings)
        n_pages = clustering.site.n_pages
        header = f"Learnt from {n_pages} pages by `webclean batch --learn-sites`."
        text = write_yaml({"rules": rules}, header=header) if rules else ""
        return LearntSite(site, n_pages, len(rules), text)

    def _analyse(self, sample: list[Row]) -> Iterator[tuple[str, Any]]:
        for row in sample:
            try:
                html = zlib.decompress(row["packed"])
                yield row["url"], self.cleaner.clean(html, url=row["url"], charset=row["charset"]).analysis
            except WebcleanError:
                continue


def open_learners(plan: Plan, jobs: int | None) -> WorkerPool[list[Row], LearntSite]:
    limits = WorkLimits(_TIMES * plan.job.limits.seconds, plan.job.limits.memory_mb)
    return WorkerPool(LearnSite(plan.job.cleaner), jobs=jobs, limits=limits, preload=PRELOAD)


def keep_learnt(output: Path, site: str, outcome: Any) -> LearntSite:
    """Write the rule file of a site, if there is something in it. outcome: of a worker."""
    if outcome.failure is not None:
        return LearntSite(site, 0, 0, problem=f"{outcome.failure.kind}: {outcome.failure.message}")
    learnt: LearntSite = outcome.value
    if learnt.text:
        with write_whole(output / FOLDER / "sites" / f"{site}.yaml", "w", encoding="utf-8") as file:
            file.write(learnt.text)
    return replace(learnt, text="")  # that of all sites would be much


def learn_here(plan: Plan, n_pages: int, jobs: int | None = None) -> list[LearntSite]:
    """The embedded engine: samples are sorted by site in a file, and learnt site by site."""
    store = plan.job.output / f".samples{TEMPORARY}"
    least = plan.job.cleaner.rules.sites.min_pages
    try:
        with closing(sqlite3.connect(store)) as table, open_learners(plan, jobs) as pool:
            table.execute("pragma journal_mode = off")
            table.execute("create table pages (site text, rank integer, url text, charset text, packed blob)")
            for number in range(len(plan.sources)):
                rows = sample_source(plan, number, n_pages)
                table.executemany("insert into pages values (:site, :rank, :url, :charset, :packed)", rows)
            samples = (sample for sample in _read_samples(table, n_pages) if len(sample) >= least)
            return [keep_learnt(plan.job.output, sample[0]["site"], outcome) for sample, outcome in pool.map(samples)]
    finally:
        store.unlink(missing_ok=True)


def _read_samples(table: sqlite3.Connection, n_pages: int) -> Iterator[list[Row]]:
    table.row_factory = sqlite3.Row
    found = (dict(row) for row in table.execute("select * from pages order by site"))
    for _, rows in groupby(found, key=lambda row: str(row["site"])):
        yield choose_sample(rows, n_pages)


def add_learnt_rules(cleaner: Cleaner, output: Path) -> Cleaner:
    """The same cleaner with the rules that were learnt, which are over its folders and under its files."""
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return Cleaner(
        rules=[*cleaner.book.folders[1:], folder, *cleaner.book.files],
        profile=cleaner.profile,
        parser=cleaner.parser,
        method=cleaner.method,
        limits=cleaner.limits,
        on_limit=cleaner.on_limit,
        platforms=cleaner.platforms,
    )


Learn = Callable[[Plan, int], list[LearntSite]]
"""Learns the templates of all sites, each from so many pages, and writes their rules."""


def learn_sites(plan: Plan, learn: Learn) -> Plan:
    """The plan that cleans with the learnt rules of the sites; they are learnt if that is not finished yet."""
    job = plan.job
    if not job.site_pages:
        return plan
    if not plan.marks.has(SITES):
        found = learn(plan, job.site_pages)
        problems = {one.site: one.problem for one in found if one.problem}
        n_rules, n_with_rules = sum(one.n_rules for one in found), sum(one.n_rules > 0 for one in found)
        plan.marks.write(SITES, sites=len(found), with_rules=n_with_rules, rules=n_rules, problems=problems)
    return replace(plan, job=replace(job, cleaner=add_learnt_rules(job.cleaner, job.output)))


_SAMPLE_ROWS: Final = 64
"""Sampled pages that leave a source together."""


class CleanSource:
    """An actor that does what is not finished of the sources that it is given, with one worker process."""

    def __init__(self, plan: Plan, clean: Clean | None = None) -> None:
        self._plan, self._pool = plan, open_pool(plan, 1, clean)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """`{source}` -> the same with counts of what was done now."""
        done = Counts()
        clean_sources(self._plan, [row["source"]], self._pool, lambda counts, *_: done.add(counts))
        errors = [f"{kind}\t{number}" for kind, number in done.errors.items()]
        return {"source": row["source"], "pages": done.n_pages, "errors": errors}


class SampleSource:
    """Gives the pages of a source that may be in the sample of their site."""

    def __init__(self, plan: Plan, n_pages: int) -> None:
        self._plan, self._n_pages = plan, n_pages

    def __call__(self, batch: pa.Table) -> Iterator[pa.Table]:
        import pyarrow as pa  # noqa: PLC0415  an extra

        columns = {"site": "string", "rank": "int64", "url": "string", "charset": "string", "packed": "binary"}
        schema = pa.schema([pa.field(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
        for number in batch.column("source").to_pylist():
            rows = sample_source(self._plan, number, self._n_pages)
            while some := list(islice(rows, _SAMPLE_ROWS)):
                yield pa.Table.from_pylist(some, schema=schema)
        yield schema.empty_table()


class LearnGroup:
    """Learns the rules of one site from all that was sampled of it, and writes their file."""

    def __init__(self, plan: Plan, n_pages: int) -> None:
        self._plan, self._n_pages = plan, n_pages
        self._least = plan.job.cleaner.rules.sites.min_pages
        self._pool = open_learners(plan, 1)

    def __call__(self, group: pa.Table) -> pa.Table:
        """One row: the site, its pages, its rules, and the problem if it has one."""
        import pyarrow as pa  # noqa: PLC0415  an extra

        sample = choose_sample(group.to_pylist(), self._n_pages)
        site = sample[0]["site"]
        if len(sample) < self._least:
            learnt = LearntSite(site, len(sample), 0)
        else:
            learnt = keep_learnt(self._plan.job.output, site, self._pool.run(sample))
        found = {"site": [site], "pages": [learnt.n_pages], "rules": [learnt.n_rules], "problem": [learnt.problem]}
        return pa.table(found)


def clean_on_ray(
    plan: Plan, report: Listener, *, address: str | None = None, jobs: int | None = None, clean: Clean | None = None
) -> None:
    """Do what is left of a job. address: of a running cluster; None: Ray is started here. jobs: actors at a time."""
    numbers = plan.list_open()
    sizes = [source.n_bytes for source in plan.sources]
    if not numbers:
        return
    with _connect(address, jobs) as (ray, n_actors):
        # the largest sources first, so that none of them is begun when all others are done
        items = [{"source": number} for number in sorted(numbers, key=lambda number: -sizes[number])]
        sources = ray.data.from_items(items, override_num_blocks=len(items))
        actors = ray.data.ActorPoolStrategy(min_size=1, max_size=min(len(items), n_actors))
        done = sources.map(CleanSource, fn_constructor_args=(plan, clean), compute=actors, num_cpus=1)
        for row in done.iter_rows():
            number = row["source"]
            errors = {kind: int(n) for kind, _, n in (error.partition("\t") for error in row["errors"])}
            counts = Counts(Counter(pages=row["pages"]), Counter(errors))
            report(counts, Position(sizes[number]), number)


def learn_on_ray(plan: Plan, n_pages: int, *, address: str | None = None, jobs: int | None = None) -> list[LearntSite]:
    """Sample the sources, group by site, learn each and write its rules where it was learnt."""
    with _connect(address, jobs) as (ray, n_actors):
        items = [{"source": number} for number in range(len(plan.sources))]
        sampled = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
            SampleSource,
            fn_constructor_args=(plan, n_pages),
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(len(items), n_actors)),
        )
        learnt = sampled.groupby("site", num_partitions=4 * n_actors).map_groups(
            LearnGroup,
            fn_constructor_args=(plan, n_pages),
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=n_actors),
        )
        found = [
            LearntSite(row["site"], row["pages"], row["rules"], problem=row["problem"]) for row in learnt.iter_rows()
        ]
    return sorted(found, key=lambda one: one.site)


@contextmanager
def _connect(address: str | None, jobs: int | None) -> Iterator[tuple[Any, int]]:
    """Ray, connected, and actors at a time: as many as asked for, or one for each CPU of the cluster. If Ray was not
    connected before, it is left again."""
    import ray  # noqa: PLC0415  an extra
    import ray.data  # noqa: PLC0415

    was_there = ray.is_initialized()
    if not was_there:
        options: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs, "include_dashboard": False}
        ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
    context = ray.data.DataContext.get_current()
    with contextlib.suppress(AttributeError):
        context.enable_progress_bars = False
        context.enable_operator_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    cluster: Any = ray  # this function of it has no types
    try:
        yield ray, max(1, jobs or int(cluster.cluster_resources().get("CPU", 1)))
    finally:
        if not was_there:
            ray.shutdown()
