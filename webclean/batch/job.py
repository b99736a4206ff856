"""A job: what is read, what is made of it and where it goes; run on an engine, and taken up again where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import re2

from webclean.batch.parts import Counts, FinishedMarks, open_output, remove_left
from webclean.batch.readers import choose_columns, cut_sources
from webclean.batch.reports import write_errors
from webclean.batch.sources import Reading, Sources, list_sources
from webclean.batch.tables import TABLE_VERSION, Shape
from webclean.batch.templates import LearntSite, add_learnt_rules, learn_here
from webclean.batch.work import Clean, Listener, Work, clean_sources, open_pool
from webclean.errors import InputError
from webclean.files import find_path, is_stored
from webclean.pipeline import Cleaner
from webclean.workers import WorkLimits

Learn = Callable[[Work, int], list[LearntSite]]
"""Learns the templates of all sites, each from so many pages, and writes their rules."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """inputs: files, folders, patterns, `-`. kind: of all inputs, if given (`sources.KINDS`). form: of the output
    (`parts.FORMS`). part_rows: records that are one part. slice_bytes: of files that many workers read, if not
    chosen by the size of the inputs (`readers.py`). jobs: worker processes, None: one for each CPU.
    site_pages: pages of each site from which its templates are learnt first; 0: they are not."""

    inputs: tuple[str, ...]
    output: Path
    cleaner: Cleaner = field(default_factory=Cleaner)
    kind: str | None = None
    form: str = "parquet"
    shape: Shape = field(default_factory=lambda: Shape(canonical=True))
    reading: Reading = field(default_factory=Reading)
    part_rows: int = 1_000
    slice_bytes: int | None = None
    jobs: int | None = None
    limits: WorkLimits = field(default_factory=WorkLimits)
    resume: bool = False
    site_pages: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A job whose sources were found and whose output folder is open."""

    work: Work
    sources: Sources
    site_pages: int = 0

    def learn_sites(self, learn: Learn) -> Plan:
        """The plan that cleans with the learnt rules of the sites; they are learnt if that is not finished yet."""
        marks = FinishedMarks(self.work.output)
        if not self.site_pages:
            return self
        if not marks.is_learnt():
            found = learn(self.work, self.site_pages)
            problems = {one.site: one.problem for one in found if one.problem}
            n_rules = sum(one.n_rules for one in found)
            marks.finish_learning(len(found), sum(one.n_rules > 0 for one in found), n_rules, problems)
        return replace(self, work=replace(self.work, cleaner=add_learnt_rules(self.work.cleaner, self.work.output)))

    def count(self) -> Counts:
        """What is finished."""
        return FinishedMarks(self.work.output).sum_up(len(self.work.sources))

    def write_errors(self, path: Path) -> None:
        """Write JSON lines of the pages that failed, as far as parts are finished."""
        write_errors(self.work.output, path)

    def list_open(self) -> list[int]:
        """Numbers of the sources that are not finished."""
        marks = FinishedMarks(self.work.output)
        return [number for number in range(len(self.work.sources)) if not marks.is_finished(number)]


def plan_job(job: Job) -> Plan:
    """Find the sources and open the output folder.

    Raises `InputError`: no such file, no pages, another job in the folder, a column that is missing.
    """
    _check_pattern(job.reading.url_pattern)
    sources = list_sources(job.inputs, job.part_rows, job.kind)
    sources = replace(sources, found=cut_sources(sources.found, job.slice_bytes))
    if "pages" not in job.shape.kinds:
        raise InputError("a job writes the table pages, for it says what failed")
    if job.site_pages and is_stored(job.output):
        raise InputError(f"{job.output}: templates of sites are learnt into a folder of a file system alone")
    kept = _find_kept(sources, job.reading)
    open_output(job.output, _describe(job, sources), resume=job.resume)
    read, limits = (job.form, job.shape, job.reading, kept, job.part_rows), job.limits
    return Plan(Work(sources.found, job.output, job.cleaner, *read, limits), sources, job.site_pages)


def _check_pattern(pattern: str) -> None:
    try:
        re2.compile(pattern)
    except re2.error as error:
        raise InputError(f"not a regular expression: {pattern!r}: {error}") from error


def run_job(job: Job, report: Listener | None = None) -> Counts:
    """Do a job in worker processes of this machine, and count what came of it. Raises as `plan_job`, and `OSError`."""
    plan = plan_job(job).learn_sites(partial(learn_here, jobs=job.jobs))
    clean_here(plan, report or (lambda *_: None), jobs=job.jobs)
    return plan.count()


def clean_here(plan: Plan, report: Listener, *, jobs: int | None = None, clean: Clean | None = None) -> None:
    """The embedded engine: worker processes of this machine."""
    numbers = plan.list_open()
    if numbers:
        try:
            with open_pool(plan.work, jobs, clean) as pool:
                clean_sources(plan.work, numbers, pool, report)
        finally:
            remove_left(plan.work.output)


def _describe(job: Job, sources: Sources) -> dict[str, Any]:
    """All that decides the rows of a job."""
    columns = job.reading.columns
    return {
        "table_version": TABLE_VERSION,
        "inputs": [asdict(one) for one in sources.found],
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


def _find_kept(sources: Sources, reading: Reading) -> tuple[Any, ...]:
    """The Arrow fields of the columns that are kept: of the first Parquet file, else text. Checks all Parquet files."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    schemas = {}
    for source in sources.found:
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
