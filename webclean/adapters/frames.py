"""pandas, Polars, Spark, DuckDB: `clean_table` over their tables. Needs the extra `batch`.

Ray and pyarrow need no adapter: they hand `webclean.batch.tables.clean_table` Arrow tables, which is what it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from webclean.batch.tables import clean_table, find_schema

SQL_FIELDS: Final = ["status", "error", "title", "date", "author", "language", "page_type", "confidence", "text"]
"""What the functions of DuckDB give of a page."""
_SQL_TYPES: Final = {"string": "VARCHAR", "double": "DOUBLE"}


def clean_pandas(frame: Any, **options: Any) -> Any:
    """A `pandas.DataFrame` of pages (columns `html` and, if there is one, `url`) -> one with a row for each page and
    the same index; or with a row for each block or record. options: those of `clean_table`."""
    found = clean_table(pa.Table.from_pandas(frame, preserve_index=False), **options).to_pandas()
    if options.get("rows", "pages") == "pages":
        found.index = frame.index
    return found


def clean_polars(frame: Any, **options: Any) -> Any:
    """The same of a `polars.DataFrame`; also for `LazyFrame.map_batches`."""
    import polars  # noqa: PLC0415  only this function needs it

    return polars.from_arrow(clean_table(frame.to_arrow(), **options))


def clean_batches(batches: Iterable[pa.RecordBatch], **options: Any) -> Iterator[pa.RecordBatch]:
    """The same of record batches, one after the other: for `pyspark.sql.DataFrame.mapInArrow`."""
    for batch in batches:
        yield from clean_table(pa.Table.from_batches([batch]), **options).to_batches()


def create_functions(connection: Any) -> None:
    """Make the functions `clean_page(html, url)`, for text, and `clean_bytes(html, url)`, for blobs, in DuckDB.

    Both give a struct with `SQL_FIELDS` for a page; url may be null. connection: a `duckdb.DuckDBPyConnection`.
    """

    def clean(html: Any, url: Any) -> Any:
        table = clean_table(pa.table({"html": html, "url": url}), only=SQL_FIELDS).select(SQL_FIELDS)
        columns = [pa.concat_arrays(column.chunks) for column in table.combine_chunks().columns]
        return pa.StructArray.from_arrays(columns, SQL_FIELDS)

    schema = find_schema("pages")
    result = ", ".join(f"{name} {_SQL_TYPES[str(schema.field(name).type)]}" for name in SQL_FIELDS)
    for name, kind in (("clean_page", "VARCHAR"), ("clean_bytes", "BLOB")):
        connection.create_function(
            name, clean, [kind, "VARCHAR"], f"STRUCT({result})", type="arrow", null_handling="special"
        )
