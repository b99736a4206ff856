"""SQLite FTS5: blocks in a table with a full-text index, which finds blocks, not pages. Needs no extra."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from webclean.page import CleanPage

COLUMNS: Final = ("id", "page", "link", "title", "date", "role", "kept", "importance", "heading", "text")
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS blocks (
  id TEXT PRIMARY KEY, page TEXT NOT NULL, link TEXT NOT NULL, title TEXT NOT NULL, date TEXT, role TEXT NOT NULL,
  kept INTEGER NOT NULL, importance REAL NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS blocks_of_page ON blocks (page);
CREATE VIRTUAL TABLE IF NOT EXISTS blocks_fts USING fts5 (
  title, heading, text, content = 'blocks', content_rowid = 'rowid', tokenize = '{tokenize}'
);
CREATE TRIGGER IF NOT EXISTS blocks_added AFTER INSERT ON blocks BEGIN
  INSERT INTO blocks_fts (rowid, title, heading, text) VALUES (new.rowid, new.title, new.heading, new.text);
END;
CREATE TRIGGER IF NOT EXISTS blocks_removed AFTER DELETE ON blocks BEGIN
  INSERT INTO blocks_fts (blocks_fts, rowid, title, heading, text)
  VALUES ('delete', old.rowid, old.title, old.heading, old.text);
END;
"""
_SEARCH: Final = """
SELECT blocks.*, -bm25(blocks_fts, 2.0, 2.0, 1.0) AS score, snippet(blocks_fts, 2, '[', ']', '...', 16) AS snippet
FROM blocks_fts JOIN blocks ON blocks.rowid = blocks_fts.rowid
WHERE blocks_fts MATCH ? AND (kept OR NOT ?) ORDER BY score DESC, id LIMIT ?
"""


def create_tables(connection: sqlite3.Connection, tokenize: str = "unicode61 remove_diacritics 2") -> None:
    """Make the table and its index, if they are not there. tokenize: of FTS5; `trigram` for text without spaces."""
    connection.executescript(SCHEMA.format(tokenize=tokenize.replace("'", "''")))


def add_pages(connection: sqlite3.Connection, pages: Iterable[CleanPage]) -> int:
    """Add the blocks of pages, in place of those that the same URLs had before; the number of blocks."""
    n_blocks = 0
    slots = ", ".join(f":{name}" for name in COLUMNS)
    with connection:
        for page in pages:
            rows = page.search_rows()
            connection.execute("DELETE FROM blocks WHERE page = ? AND page != ''", (page.url or "",))
            connection.executemany("DELETE FROM blocks WHERE id = :id", rows)
            connection.executemany(f"INSERT INTO blocks ({', '.join(COLUMNS)}) VALUES ({slots})", rows)
            n_blocks += len(rows)
    return n_blocks


def search(
    connection: sqlite3.Connection, words: str, limit: int = 10, *, kept_only: bool = True
) -> list[dict[str, Any]]:
    """The blocks that match any of the words, the best by BM25 first, each with `score` and `snippet`."""
    terms = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", words))
    if not terms or limit < 1:
        return []
    found = connection.execute(_SEARCH, (terms, kept_only, limit))
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]
