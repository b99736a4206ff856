"""The output folder of a job: its parts, which of them are finished, the files of their tables, and what the job is.

    OUT/job.json                    what the job is: sources, options, rules; a job goes on only if it is the same
    OUT/pages/00002-00005.parquet   rows of part 5 of source 2
    OUT/blocks/..., OUT/records/...
    OUT/_parts/00002-00005.json     the part is finished: all its files are there; with counts
    OUT/_parts/00002.json           the source is finished; with the number of its parts

A part is a fixed number of records in the order of the source, so that parts can be made in any process, again, and
with the same rows. Its tables are Parquet or JSON lines; all files of a part get their names together, when the last
row is written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from webclean.errors import InputError
from webclean.storage import TEMPORARY, is_stored, load_zstandard, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

_JOB: Final = "job.json"
_MARKS: Final = "_parts"
JOB_VERSION: Final = 2
"""Rises when the files of an output folder change their meaning: a job of another version cannot go on."""


def name_part(source: int, part: int | None = None) -> str:
    """The name of a part of a source, or of the source itself; both are counted from 0."""
    return f"{source:05d}" if part is None else f"{source:05d}-{part:05d}"


class Counts(msgspec.Struct):
    """What came of records. rows: of each table. errors: kind -> pages. urls: `given` or `canonical` -> pages that have
    a URL. skipped: records that are no pages, by reason. empty: why a text is empty or next to it -> pages."""

    rows: Counter[str] = msgspec.field(default_factory=Counter)
    errors: Counter[str] = msgspec.field(default_factory=Counter)
    urls: Counter[str] = msgspec.field(default_factory=Counter)
    skipped: Counter[str] = msgspec.field(default_factory=Counter)
    empty: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        for name in self.__struct_fields__:
            getattr(self, name).update(getattr(other, name))


class FinishedMarks:
    """The marks of finished parts and sources in an output folder, which all processes of a job may share."""

    def __init__(self, output: Path) -> None:
        self._folder = output / _MARKS

    def has(self, name: str) -> bool:
        return self._find(name).exists()

    def write(self, name: str, **values: Any) -> None:
        """Mark what is finished: a part or a source."""
        with write_whole(self._find(name), "w", encoding="utf-8") as file:
            json.dump(values, file)

    def count_finished(self, source: int) -> int:
        """Parts of a source that are finished, up to the first one that is not."""
        return next(number for number in count() if not self.has(name_part(source, number)))

    def sum_up(self, n_sources: int) -> Counts:
        """The counts of all finished parts of the first sources."""
        names = {path.stem for path in self._folder.glob("*.json")}  # one look, where each file is a question elsewhere
        counts = Counts()
        for source in range(n_sources):
            n_parts = next(n for n in count() if name_part(source, n) not in names)
            marks = [name_part(source, n) for n in range(n_parts)] + [name_part(source)] * (name_part(source) in names)
            for mark in marks:
                found = json.loads(self._find(mark).read_text(encoding="utf-8"))
                counts.add(Counts(*(Counter(found.get(name)) for name in counts.__struct_fields__)))
        return counts

    def _find(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def open_output(output: Path, described: dict[str, Any], *, resume: bool) -> None:
    """Make the output folder of a job, or go on in it.

    described: what the job is. Raises `InputError` if there is another job, or the same without `resume`.
    """
    job = output / _JOB
    described = json.loads(json.dumps({"version": JOB_VERSION, **described}))
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: is a file, not a folder")
    if not job.exists():
        if output.exists() and any(output.iterdir()):
            raise InputError(f"{output}: there is something else in this folder already")
        with write_whole(job, "w", encoding="utf-8") as file:
            json.dump(described, file, indent=1)
        return
    if not resume:
        raise InputError(f"{output}: there is a job already; go on with it by --resume, or name another folder")
    found = json.loads(job.read_text(encoding="utf-8"))
    changed = sorted(name for name in {*found, *described} if found.get(name) != described.get(name))
    if changed:
        raise InputError(f"{output}: cannot go on, for it is another job: {', '.join(changed)} changed")
    remove_left(output)


def remove_left(output: Path, source: int | None = None) -> None:
    """Remove the files that a killed process was writing, or of one source."""
    if is_stored(output):  # has none
        return
    name = "" if source is None else f"{source:05d}-"
    for path in list(output.rglob(f".{name}*{TEMPORARY}")):
        path.unlink(missing_ok=True)


_GROUP_BYTES: Final = 16 << 20
"""Bytes of rows that are collected before a Parquet file is written on: one row group."""
FORMS: Final = ("parquet", "jsonl", "jsonl.zst")
"""Forms of the output, which are the endings of its files too."""


@contextmanager
def open_part(
    output: Path, name: str, form: str, schemas: dict[str, pa.Schema]
) -> Iterator[Callable[[dict[str, pa.Table]], None]]:
    """A function that adds rows to the tables of one part. The files are there when this is left without an error, and
    not before."""
    # all tables are whole before the first of their files has its name
    with ExitStack() as files, ExitStack() as tables:
        writers: dict[str, Callable[[pa.Table], None]] = {}
        for kind, schema in schemas.items():
            file = files.enter_context(write_whole(output / kind / f"{name}.{form}"))
            if form.endswith(".zst"):
                file = files.enter_context(load_zstandard().ZstdFile(file, "w"))
            if form == "parquet":
                writers[kind] = tables.enter_context(_open_parquet(file, schema))
            else:
                writers[kind] = partial(_write_lines, file)

        def write(made: dict[str, pa.Table]) -> None:
            for kind, table in made.items():
                writers[kind](table)

        yield write


@contextmanager
def _open_parquet(file: IO[bytes], schema: pa.Schema) -> Iterator[Callable[[pa.Table], None]]:
    """A Parquet file, compressed by Zstandard; a row group for each so many bytes."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    writer = pq.ParquetWriter(file, schema, compression="zstd")
    held: list[pa.Table] = []

    def write(table: pa.Table, least: int = _GROUP_BYTES) -> None:
        held.append(table)
        if sum(one.nbytes for one in held) >= least:
            writer.write_table(pa.concat_tables(held))
            held.clear()

    try:
        yield write
        write(schema.empty_table(), 0)
        writer.close()
    finally:
        writer.is_open = False  # else its footer is written when it is collected, to a file that is gone


def _write_lines(file: IO[bytes], table: pa.Table) -> None:
    for row in table.to_pylist():
        file.write(json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n")
