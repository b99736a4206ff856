"""Tables of a part -> its files: Parquet, JSON lines, or a file for each page and JSON lines that say which is whose.

All files of a part get their names together, when the last row is written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Protocol

from webclean.batch.tables import find_schema
from webclean.files import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

_GROUP_BYTES: Final = 16 << 20
"""Bytes of rows that are collected before a Parquet file is written on: one row group."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_NAME_CHARS: Final = 80


class TableWriter(Protocol):
    """Writes the rows of one table of a part."""

    def write(self, table: pa.Table) -> None: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...


class ParquetTable:
    """A Parquet file, compressed by Zstandard; a row group for each so many bytes."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415  an extra

        self._writer = pq.ParquetWriter(file, schema, compression="zstd")
        self._held: list[pa.Table] = []
        self._n_bytes = 0

    def write(self, table: pa.Table) -> None:
        """Add rows."""
        self._held.append(table)
        self._n_bytes += table.nbytes
        if self._n_bytes >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the footer."""
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        """The file will not be used."""
        self._writer.is_open = False  # else its footer is written when it is collected, to a file that is gone

    def _flush(self) -> None:
        import pyarrow as pa  # noqa: PLC0415  an extra

        if self._held:
            self._writer.write_table(pa.concat_tables(self._held))
        self._held, self._n_bytes = [], 0


class JsonLines:
    """A JSON object a line."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        self._file = file

    def write(self, table: pa.Table) -> None:
        """Add rows."""
        for row in table.to_pylist():
            self._file.write(json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace") + b"\n")

    def close(self) -> None:
        """All is written already."""

    def abandon(self) -> None:
        """The file will not be used."""


class PageFiles:
    """A file for each page, and JSON lines of the other columns with the file's name; a failed page has none."""

    def __init__(self, file: IO[bytes], schema: pa.Schema, *, folder: Path, column: str) -> None:
        self._lines = JsonLines(file, schema)
        self._folder, self._column, self._number = folder, column, 0

    def write(self, table: pa.Table) -> None:
        """Write the pages, then add their lines."""
        import pyarrow as pa  # noqa: PLC0415  an extra

        names: list[str | None] = []
        suffix = ".md" if self._column == "markdown" else ".txt"
        for row in table.select(["source", "status", self._column]).to_pylist():
            written = row[self._column]
            name = f"{self._number:05d}-{_name_file(row['source'] or '')}{suffix}" if written is not None else None
            names.append(None if name is None else f"{self._folder.name}/{name}")
            self._number += 1
            if name is not None:
                with write_whole(self._folder / name, "w", encoding="utf-8", newline="\n") as file:
                    file.write(f"{written}\n" if written else "")
        rest = table.drop_columns(["text", "markdown"])
        self._lines.write(rest.append_column("file", pa.array(names, pa.string())))

    def close(self) -> None:
        """All is written already."""

    def abandon(self) -> None:
        """The file will not be used."""


def _name_file(source: str) -> str:
    """A name for the file of a page, after the file or record that it came from."""
    stem = Path(source.partition("#")[2] or source).name
    return _UNSAFE.sub("_", stem.split(".")[0]).strip("_")[-_NAME_CHARS:] or "page"


FORMATS: Final = {
    "parquet": ".parquet",
    "jsonl": ".jsonl",
    "jsonl.zst": ".jsonl.zst",
    "text": ".jsonl",
    "markdown": ".jsonl",
}
"""Form of the output -> ending of the files of its tables."""


class PartWriter:
    """Writes the tables of one part; its files are there when it is left without an error, and not before."""

    def __init__(self, output: Path, name: str, form: str, schemas: dict[str, pa.Schema]) -> None:
        self._output, self._name, self._form, self._schemas = output, name, form, schemas
        self._stack = ExitStack()
        self._tables: dict[str, TableWriter] = {}

    def __enter__(self) -> PartWriter:
        with ExitStack() as stack:
            for kind, schema in self._schemas.items():
                path = self._output / kind / f"{self._name}{FORMATS[self._form]}"
                file = stack.enter_context(write_whole(path))
                if self._form.endswith(".zst"):
                    zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
                    file = stack.enter_context(zstd.ZstdFile(file, "w"))
                self._tables[kind] = self._choose(kind)(file, schema)
            self._stack = stack.pop_all()
        return self

    def write(self, tables: dict[str, pa.Table]) -> None:
        """Add rows of each table."""
        for kind, table in tables.items():
            self._tables[kind].write(table)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        with self._stack:
            try:
                if error is not None:
                    raise error
                for table in self._tables.values():
                    table.close()
            finally:
                for table in self._tables.values():
                    table.abandon()

    def _choose(self, kind: str) -> Callable[[IO[bytes], pa.Schema], TableWriter]:
        if self._form == "parquet":
            return ParquetTable
        if kind != "pages" or self._form not in ("text", "markdown"):
            return JsonLines
        folder = self._output / "files" / self._name
        return lambda file, schema: PageFiles(file, schema, folder=folder, column=self._form)


def build_schemas(kinds: tuple[str, ...], kept: tuple[pa.Field, ...] = ()) -> dict[str, pa.Schema]:
    """The schema of each table, with the columns that are kept from the input."""
    schemas = {}
    for kind in kinds:
        schema = find_schema(kind)
        for field in kept:
            found = schema.get_field_index(field.name)
            schema = schema.append(field) if found < 0 else schema.set(found, field)
        schemas[kind] = schema
    return schemas
