"""DuckDB: blocks in a table, for questions in SQL. Needs the extra `search`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from webclean.page import CleanPage

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
