"""A job: what is read, what is made of it and where it goes; run on one of two engines, and taken up again where it
stopped.

The embedded engine is worker processes of this machine. The cluster engine is Ray Data, which hands out the sources,
again if their node dies; a part is made the same again, and its files appear whole. So nothing is lost or doubled, and
what is finished is marked in the same way: the two engines can take up each other's jobs. Inputs and output stand in a
file system that all nodes see. In each actor the pages are cleaned in a worker process of its own, since no cluster
engine sets a single bad record apart.
"""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import re2

from webclean.batch.parts import SITES, Counts, open_output, remove_left
from webclean.batch.readers import choose_columns, cut_sources
from webclean.batch.sources import PageSource, Position, Reading, list_sources
from webclean.batch.tables import TABLE_VERSION
from webclean.batch.templates import (
    LearntSite,
    add_learnt_rules,
    choose_sample,
    keep_learnt,
    learn_here,
    open_learners,
    sample_source,
)
from webclean.batch.work import Clean, Job, Listener, Plan, clean_sources, open_pool
from webclean.errors import InputError
from webclean.files import find_path, is_stored

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
        "markdown": job.shape.markdown,
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


if TYPE_CHECKING:
    import pyarrow as pa

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
    try:
        yield ray, max(1, jobs or int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if not was_there:
            ray.shutdown()
