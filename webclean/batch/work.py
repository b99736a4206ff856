"""What every engine does with the records of a source: cut them into chunks, clean these in workers, write the rows.

A chunk is a few pages of one part, cleaned by one call of `clean_tables`. If its worker fails, its pages are cleaned
one by one, so that the guilty one alone is flagged; the others are the same as ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from webclean.batch.parts import Counts, FinishedMarks, PartName, PartWriter, build_schemas
from webclean.batch.readers import read_rows
from webclean.batch.sources import PageSource, Position, Reading, Row
from webclean.batch.tables import Columns, Shape, clean_tables, flag_pages
from webclean.pipeline import Cleaner
from webclean.workers import Outcome, WorkerPool, WorkLimits

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK_ROWS: Final = 16
_CHUNK_BYTES: Final = 1 << 20
"""Pages of a chunk, and their bytes. Few, for all of them are cleaned again, one by one, when their worker fails."""
PRELOAD: Final = ("webclean.warm", "webclean.batch.work", "pyarrow")
"""Modules that workers need."""
Tables = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What an engine needs to know of a job; it pickles. kept: fields of the columns that are copied from the input."""

    sources: tuple[PageSource, ...]
    output: Path
    cleaner: Cleaner
    form: str = "parquet"
    shape: Shape = field(default_factory=Shape)
    reading: Reading = field(default_factory=Reading)
    kept: tuple[Any, ...] = ()
    part_rows: int = 1_000
    limits: WorkLimits = field(default_factory=WorkLimits)


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Pages of one part. position: how far the source was read. closes: it is the last of its part; ends: of its
    source."""

    name: PartName
    table: pa.Table
    position: Position
    closes: bool
    ends: bool


@dataclass(frozen=True, slots=True, eq=False)
class CleanChunk:
    """What a worker does with a chunk."""

    cleaner: Cleaner
    shape: Shape
    keep: tuple[str, ...]

    def __call__(self, chunk: Chunk) -> Tables:
        """Kind of table -> its rows."""
        return clean_tables(chunk.table, self.shape, cleaner=self.cleaner, columns=Columns(keep=self.keep))


Clean = Callable[[Chunk], Tables]
Listener = Callable[[Counts, Position, int], None]
"""Called with what came of each chunk: its counts, how far its source was read, and the number of the source."""


def open_pool(
    work: Work, jobs: int | None, clean: Callable[[Chunk], Tables] | None = None
) -> WorkerPool[Chunk, Tables]:
    """Worker processes for the chunks of a job. clean: what they do, if not `CleanChunk`."""
    clean = clean or CleanChunk(work.cleaner, work.shape, work.reading.columns.keep)
    return WorkerPool(clean, jobs=jobs, limits=work.limits, preload=PRELOAD)


def clean_sources(work: Work, numbers: Iterable[int], pool: WorkerPool[Chunk, Tables], report: Listener) -> None:
    """Clean what is not finished of the sources with these numbers, in order, and write their parts.

    Raises `InputError` for a source of a wrong form, `OSError` where one cannot be read or a part cannot be written.
    """
    marks = FinishedMarks(work.output)
    schemas = build_schemas(work.shape, work.kept)
    writer: PartWriter | None = None
    counts = Counts()
    with ExitStack() as stack:
        for chunk, outcome in pool.map(list_chunks(work, numbers, marks)):
            if writer is None and chunk.table.num_rows:
                writer = stack.enter_context(PartWriter(work.output, str(chunk.name), work.form, schemas))
            done = Counts()
            for tables in list_tables(chunk, outcome, pool, schemas):
                if writer is not None:
                    writer.write(tables)
                done.add(_count(tables))
            given = chunk.table.num_rows - chunk.table.column("url").null_count
            done.urls = Counter(given=given, canonical=done.urls.total() - given)
            counts.add(done)
            report(done, chunk.position, chunk.name.source)
            if chunk.closes and writer is not None:
                stack.close()
                marks.finish_part(chunk.name, counts)
                writer, counts = None, Counts()
            if chunk.ends:
                n_parts = marks.count_finished(chunk.name.source)
                marks.finish_source(chunk.name.source, n_parts, chunk.position.skipped)


def list_chunks(work: Work, numbers: Iterable[int], marks: FinishedMarks) -> Iterator[Chunk]:
    """The chunks of what is not finished."""
    for number in numbers:
        if not marks.is_finished(number):
            yield from _cut(work, number, marks.count_finished(number))


def _cut(work: Work, number: int, first_part: int) -> Iterator[Chunk]:
    position = Position()
    rows: list[Row] = []
    part, n_bytes, n_in_part = first_part, 0, 0
    start = first_part * work.part_rows

    def build(*, closes: bool, ends: bool) -> Chunk:
        at = Position(position.n_bytes, Counter(position.skipped))
        return Chunk(PartName(number, part), _build_table(rows, work), at, closes, ends)

    for row in read_rows(work.sources[number], work.reading, position, start):
        if rows and n_in_part == work.part_rows:
            yield build(closes=True, ends=False)
            rows, n_bytes, part, n_in_part = [], 0, part + 1, 0
        elif len(rows) == _CHUNK_ROWS or (rows and n_bytes >= _CHUNK_BYTES):
            yield build(closes=False, ends=False)
            rows, n_bytes = [], 0
        rows.append(row)
        n_in_part += 1
        n_bytes += len(row["html"] or b"")
    yield build(closes=True, ends=True)


def _build_table(rows: list[Row], work: Work) -> pa.Table:
    """The rows as a table of pages, as `clean_tables` reads it."""
    import pyarrow as pa  # noqa: PLC0415  an extra

    texts = [pa.field(name, pa.string()) for name in ("source", "url", "charset", "problem")]
    schema = pa.schema([pa.field("html", pa.binary()), *texts])
    for kept in work.kept:
        schema = schema.append(kept) if kept.name not in schema.names else schema
    columns = [pa.array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def list_tables(
    chunk: Chunk, outcome: Outcome[Tables], pool: WorkerPool[Chunk, Tables], schemas: dict[str, pa.Schema]
) -> Iterator[Tables]:
    """The tables of a chunk, in the order of its pages, also if its worker failed."""
    if outcome.value is not None:
        yield outcome.value
        return
    if chunk.table.num_rows == 1:
        yield _flag(chunk, outcome, schemas)
        return
    singles = [_take(chunk, number) for number in range(chunk.table.num_rows)]
    futures: list[Future[Outcome[Tables]]] = [pool.submit(single) for single in singles]
    for single, future in zip(singles, futures, strict=True):
        yield from list_tables(single, future.result(), pool, schemas)


def _take(chunk: Chunk, number: int) -> Chunk:
    row = chunk.table.slice(number, 1)
    alone = row.from_pylist(row.to_pylist(), schema=row.schema)  # without the bytes of its neighbours
    return Chunk(chunk.name, alone, chunk.position, chunk.closes, chunk.ends)


def _flag(chunk: Chunk, outcome: Outcome[Tables], schemas: dict[str, pa.Schema]) -> Tables:
    """The row of a page that its worker did not survive."""
    failure = outcome.failure
    if failure is None:
        raise ValueError("an outcome with neither value nor failure")
    message = f"{failure.error}: {failure.message}" if failure.error else failure.message
    flagged = flag_pages(chunk.table, str(failure.kind), message)
    tables: Tables = {kind: schema.empty_table() for kind, schema in schemas.items() if kind != "pages"}
    if "pages" in schemas:
        for name in schemas["pages"].names:
            if name in chunk.table.column_names and name not in flagged.column_names:
                flagged = flagged.append_column(schemas["pages"].field(name), chunk.table.column(name))
        tables["pages"] = flagged.select(schemas["pages"].names)
    return tables


def _count(tables: Tables) -> Counts:
    counts = Counts(rows=Counter({kind: table.num_rows for kind, table in tables.items()}))
    pages = tables["pages"]
    counts.errors.update(kind for kind in pages.column("error_kind").to_pylist() if kind is not None)
    counts.empty.update(kind for kind in pages.column("empty_because").to_pylist() if kind is not None)
    counts.urls["known"] = pages.num_rows - pages.column("url").null_count
    return counts
