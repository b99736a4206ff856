"""DuckDB: blocks in a table, for questions in SQL, and pages cleaned by SQL. Needs the extra `search`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from webclean.batch.tables import clean_table, find_schema
from webclean.page import CleanPage

FIELDS: Final = ["status", "error", "title", "date", "author", "language", "page_type", "confidence", "text"]
"""What the SQL functions give of a page."""
_SQL_TYPES: Final = {"string": "VARCHAR", "double": "DOUBLE"}
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS blocks (
  id VARCHAR PRIMARY KEY, page VARCHAR NOT NULL, link VARCHAR NOT NULL, title VARCHAR NOT NULL, date DATE,
  role VARCHAR NOT NULL, kept BOOLEAN NOT NULL, importance DOUBLE NOT NULL, heading VARCHAR NOT NULL,
  text VARCHAR NOT NULL
)
"""


def create_table(connection: Any) -> None:
    """Make the table, if it is not there. connection: a `duckdb.DuckDBPyConnection`."""
    connection.execute(SCHEMA)


def add_pages(connection: Any, pages: Iterable[CleanPage]) -> int:
    """Add the blocks of pages, in place of those that the same URLs had before; the number of blocks."""
    n_blocks = 0
    for page in pages:
        rows = [tuple(row.values()) for row in page.search_rows()]
        connection.execute("DELETE FROM blocks WHERE page = ? AND page != ''", [page.url or ""])
        if rows:
            connection.executemany("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        n_blocks += len(rows)
    return n_blocks


def create_functions(connection: Any) -> None:
    """Make the SQL functions `clean_page(html, url)`, for text, and `clean_bytes(html, url)`, for blobs.

    Both give a struct with `FIELDS` for a page; url may be null.
    """
    schema = find_schema("pages")
    result = ", ".join(f"{name} {_SQL_TYPES[str(schema.field(name).type)]}" for name in FIELDS)
    for name, kind in (("clean_page", "VARCHAR"), ("clean_bytes", "BLOB")):
        connection.create_function(
            name, _clean_columns, [kind, "VARCHAR"], f"STRUCT({result})", type="arrow", null_handling="special"
        )


def _clean_columns(html: Any, url: Any) -> Any:
    """Arrow columns of pages and URLs -> a column of structs."""
    import pyarrow as pa  # noqa: PLC0415  only the functions need it

    found = clean_table(pa.table({"html": html, "url": url}), only=FIELDS).select(FIELDS).combine_chunks()
    return pa.StructArray.from_arrays([pa.concat_arrays(column.chunks) for column in found.columns], FIELDS)
