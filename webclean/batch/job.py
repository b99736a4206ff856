"""A job: what is read, what is made of it and where it goes; run on one of two engines, and taken up again where it
stopped.

The embedded engine is worker processes of this machine. The cluster engine is Ray Data, which hands out the sources,
again if their node dies; in each actor the pages are cleaned in a worker process of its own, since no cluster engine
sets a single bad record apart. What is finished is marked in the same way, so that either takes up a job of the other.

A worker reads a slice, cleans it and writes its parts; pages go through no pipe. Of what cannot be divided, the pages
are handed to workers and their tables come back. A part is made the same again, and its files appear whole, so nothing
is lost or doubled, whatever dies.

A chunk is a few pages of one part, cleaned by one call of `clean_rows`. If its worker fails, its pages are cleaned
one by one, so that the guilty one alone is flagged; the others are the same as ever. What is left of a slice whose
worker failed, from its last finished part on, is then read here and handed out chunk by chunk, like what cannot be
divided.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import msgspec

from webclean.batch.output_folder import Counts, FinishedMarks, name_part, open_output, open_part, remove_left
from webclean.batch.readers import choose_columns, cut_sources, read_rows
from webclean.batch.sources import PageSource, Position, Reading, Row, list_sources
from webclean.batch.tables import TABLE_VERSION, Shape, build_schemas, clean_rows, flag_pages
from webclean.errors import InputError, RuleError
from webclean.matching.expressions import compile_pattern
from webclean.pipeline import Cleaner
from webclean.storage import find_path
from webclean.workers import Outcome, WorkerPool, WorkLimits

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK_ROWS: Final = 16
_CHUNK_BYTES: Final = 1 << 20
"""Pages of a chunk, and their bytes. Few, for all of them are cleaned again, one by one, when their worker fails."""
_PRELOAD: Final = ("webclean.warm", "webclean.batch.job", "pyarrow")
"""Modules that workers need."""
Tables = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """inputs: files, folders, patterns, `-`. kind: of all inputs, if given (`sources.KINDS`). form: of the output
    (`output_folder.FORMS`). part_rows: records that are one part. slice_bytes: of files that many workers read, if not
    chosen by the size of the inputs (`readers.py`). jobs: worker processes, None: one for each CPU."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A job whose sources were found and whose output folder is open; it pickles. skipped: files of folders that are
    not read. kept: fields of the columns that are copied from the input."""

    job: Job
    sources: tuple[PageSource, ...]
    skipped: tuple[str, ...] = ()
    kept: tuple[Any, ...] = ()

    @property
    def marks(self) -> FinishedMarks:
        return FinishedMarks(self.job.output)

    @property
    def schemas(self) -> dict[str, pa.Schema]:
        return build_schemas(self.job.shape, self.kept)

    def clean(self, chunk: Chunk) -> Tables:
        """Kind of table -> the rows of a chunk."""
        return clean_rows(chunk.rows, self.job.shape, self.job.cleaner, self.kept)

    def work(self, item: Chunk | int) -> Tables | Steps:
        """What a worker does: the tables of a chunk; of a slice, by its number, a step for each chunk, and in the end
        why it cannot be read or written."""
        return self.clean(item) if isinstance(item, Chunk) else self._clean_slice(item)

    def _clean_slice(self, number: int) -> Steps:
        try:
            yield from write_parts(self, ((one, [self.clean(one)]) for one in list_chunks(self, number)))
        except (OSError, InputError) as error:
            return error
        return None

    def list_open(self) -> list[int]:
        """Numbers of the sources that are not finished."""
        return [number for number in range(len(self.sources)) if not self.marks.has(name_part(number))]

    def count(self) -> Counts:
        """What came of the parts that are finished."""
        return self.marks.sum_up(len(self.sources))


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Pages of one part. start: row of the source with which it begins. position: how far the source was read. closes:
    it is the last of its part; ends: of its source."""

    source: int
    part: int
    start: int
    rows: list[Row]
    position: Position
    closes: bool
    ends: bool


Listener = Callable[[Counts, Position, int], None]
"""Called with what came of each chunk: its counts, how far its source was read, and the number of the source."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A chunk that is cleaned and written. end: the row of the source behind it."""

    counts: Counts
    position: Position
    end: int


Steps = Generator[Step, None, OSError | InputError | None]


Pool = WorkerPool[Chunk | int, Any]


def plan_job(job: Job) -> Plan:
    """Find the sources and open the output folder.

    Raises `InputError`: no such file, no pages, another job in the folder, a column that is missing.
    """
    try:
        compile_pattern(job.reading.url_pattern)
    except RuleError as error:
        raise InputError(error.message) from error
    sources = list_sources(job.inputs, job.part_rows, job.kind)
    slices = cut_sources(sources.found, job.slice_bytes)
    if "pages" not in job.shape.kinds:
        raise InputError("a job writes the table pages, for it says what failed")
    kept = _find_kept(slices, job.reading)
    open_output(job.output, _describe(job, slices), resume=job.resume)
    return Plan(job, slices, sources.skipped, kept)


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


def run_plan(plan: Plan, report: Listener) -> None:
    """Do what is left of a job.

    Raises `InputError` for a source of a wrong form, `OSError` where one cannot be read or a part cannot be written.
    """
    numbers = plan.list_open()
    if not numbers:
        return
    try:
        with _open_pool(plan, plan.job.jobs) as pool:
            _clean_sources(plan, numbers, pool, report)
    finally:
        remove_left(plan.job.output)


def run_plan_on_ray(plan: Plan, report: Listener, *, address: str | None = None) -> None:
    """Do what is left of a job on a cluster, by as many actors at a time as the job has `jobs`, or one for each CPU.

    address: of a running cluster; None: Ray is started here. Raises what Ray raises where an actor fails.
    """
    numbers = plan.list_open()
    sizes = [source.n_bytes for source in plan.sources]
    if not numbers:
        return
    with _connect(address, plan.job.jobs) as (ray, n_actors):
        # the largest sources first, so that none of them is begun when all others are done
        items = [{"source": number} for number in sorted(numbers, key=lambda number: -sizes[number])]
        sources = ray.data.from_items(items, override_num_blocks=len(items))
        actors = ray.data.ActorPoolStrategy(min_size=1, max_size=min(len(items), n_actors))
        done = sources.map(CleanSource, fn_constructor_args=(plan,), compute=actors, num_cpus=1)
        for row in done.iter_rows():
            number = row["source"]
            counts = Counts(Counter(pages=row["pages"]), Counter(row["errors"]))
            report(counts, Position(sizes[number]), number)


class CleanSource:
    """An actor that does what is not finished of the sources that it is given, with one worker process."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._pool = plan, _open_pool(plan, 1)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """`{source}` -> the same with what was done now: the number of pages, and the kind of each error."""
        done = Counts()
        _clean_sources(self._plan, [row["source"]], self._pool, lambda counts, *_: done.add(counts))
        return {"source": row["source"], "pages": done.rows["pages"], "errors": list(done.errors.elements())}


@contextmanager
def _connect(address: str | None, jobs: int | None) -> Iterator[tuple[Any, int]]:
    """Ray, connected, and actors at a time: as many as asked for, or one for each CPU of the cluster. If Ray was not
    connected before, it is left again."""
    import ray  # noqa: PLC0415  an extra
    import ray.data  # noqa: PLC0415

    was_there = ray.is_initialized()
    if not was_there:
        options: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs, "include_dashboard": False}
        options["job_config"] = config = ray.job_config.JobConfig()
        # Ray puts the working folder first on the path of its workers, so that a `token.py` there would be imported;
        # who has it on the path already means it
        if str(Path.cwd()) not in sys.path:
            vars(config)["_runtime_env_has_working_dir"] = lambda: True
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


def _open_pool(plan: Plan, jobs: int | None) -> Pool:
    return WorkerPool(plan.work, jobs=jobs, limits=plan.job.limits, preload=_PRELOAD)


def _clean_sources(plan: Plan, numbers: Iterable[int], pool: Pool, report: Listener) -> None:
    """Do what is not finished of these sources: first those that workers read, a slice at a time, then those that are
    read here: what cannot be divided, and what a worker did not survive."""
    numbers = list(numbers)
    handed = [number for number in numbers if plan.sources[number].is_handed]
    waiting = iter([number for number in numbers if number not in handed])
    events: SimpleQueue[tuple[int, Step | Future[Outcome[Any]]]] = SimpleQueue()
    reported: dict[int, int] = {}  # source -> the row behind its last chunk that was reported

    def tell(number: int, step: Step) -> None:
        # a chunk that is done again is reported once
        if step.end > reported.get(number, -1):
            reported[number] = step.end
            report(step.counts, step.position, number)

    def give(number: int) -> int:
        future = pool.submit(number, listen=lambda step: events.put((number, step)))
        future.add_done_callback(lambda done: events.put((number, done)))
        return 1

    n_busy = sum(map(give, islice(waiting, pool.jobs)))
    while n_busy:
        number, event = events.get()
        if isinstance(event, Step):
            tell(number, event)
            continue
        outcome = event.result()
        if outcome.value is not None:
            raise outcome.value
        if outcome.failure is not None:
            remove_left(plan.job.output, number)
            handed.append(number)
        following = next(waiting, None)
        n_busy += -1 if following is None else give(following) - 1
    for number in handed:
        done = pool.map(list_chunks(plan, number))
        tables = ((one, list_tables(plan, one, outcome, pool)) for one, outcome in done if isinstance(one, Chunk))
        for step in write_parts(plan, tables):
            tell(number, step)


def write_parts(plan: Plan, cleaned: Iterable[tuple[Chunk, Iterable[Tables]]]) -> Iterator[Step]:
    """Write the chunks of one source with their tables as parts, and mark what is finished."""
    write: Callable[[Tables], None] | None = None
    counts = Counts()
    with ExitStack() as stack:
        for chunk, found in cleaned:
            name = name_part(chunk.source, chunk.part)
            if write is None and chunk.rows:
                write = stack.enter_context(open_part(plan.job.output, name, plan.job.form, plan.schemas))
            done, urls = Counts(), list[str | None]()
            for tables in found:
                if write is not None:
                    write(tables)
                pages = tables["pages"]
                done.rows.update({kind: table.num_rows for kind, table in tables.items()})
                done.errors.update(filter(None, pages.column("error_kind").to_pylist()))
                done.empty.update(filter(None, pages.column("empty_because").to_pylist()))
                urls += pages.column("url").to_pylist()
            # an address that was given but is none is not in the table
            known = [row["url"] or None for row, url in zip(chunk.rows, urls, strict=True) if url is not None]
            done.urls = Counter(given=len(known) - known.count(None), canonical=known.count(None))
            counts.add(done)
            if chunk.closes and write is not None:
                stack.close()
                plan.marks.write(name, **msgspec.structs.asdict(counts))
                write, counts = None, Counts()
            if chunk.ends:
                n_parts = plan.marks.count_finished(chunk.source)
                plan.marks.write(name_part(chunk.source), parts=n_parts, skipped=chunk.position.skipped)
            yield Step(done, chunk.position, chunk.start + len(chunk.rows))


def list_chunks(plan: Plan, number: int) -> Iterator[Chunk]:
    """The chunks of what is not finished of a source."""
    if plan.marks.has(name_part(number)):
        return
    position = Position()
    rows: list[Row] = []
    part, n_bytes, n_in_part = plan.marks.count_finished(number), 0, 0
    start = part * plan.job.part_rows

    def build(*, closes: bool, ends: bool) -> Chunk:
        at = Position(position.n_bytes, Counter(position.skipped))
        return Chunk(number, part, part * plan.job.part_rows + n_in_part - len(rows), rows, at, closes, ends)

    for row in read_rows(plan.sources[number], plan.job.reading, position, start):
        if rows and n_in_part == plan.job.part_rows:
            yield build(closes=True, ends=False)
            rows, n_bytes, part, n_in_part = [], 0, part + 1, 0
        elif len(rows) == _CHUNK_ROWS or n_bytes >= _CHUNK_BYTES:
            yield build(closes=False, ends=False)
            rows, n_bytes = [], 0
        rows.append(row)
        n_in_part += 1
        n_bytes += len(row["html"] or b"")
    yield build(closes=True, ends=True)


def list_tables(plan: Plan, chunk: Chunk, outcome: Outcome[Tables], pool: Pool) -> Iterator[Tables]:
    """The tables of a chunk, in the order of its pages, also if its worker failed."""
    failure = outcome.failure
    if failure is None:
        yield outcome.value or {}
    elif len(chunk.rows) > 1:
        singles = [replace(chunk, start=chunk.start + number, rows=[row]) for number, row in enumerate(chunk.rows)]
        futures: list[Future[Outcome[Tables]]] = [pool.submit(single) for single in singles]
        for single, future in zip(singles, futures, strict=True):
            yield from list_tables(plan, single, future.result(), pool)
    else:  # a page that its worker did not survive
        message = f"{failure.error}: {failure.message}" if failure.error else failure.message
        tables: Tables = {kind: schema.empty_table() for kind, schema in plan.schemas.items()}
        yield tables | {"pages": flag_pages(chunk.rows, str(failure.kind), message, plan.schemas["pages"])}
