"""Tantivy: blocks in a full-text index in a folder or in memory. Needs the extra `search`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

import tantivy

from webclean.page import CleanPage

_STORED: Final = ("link", "role")


def build_schema(tokenizer: str = "default") -> Any:
    """The fields of a block. tokenizer: of title, heading and text, such as `en_stem`."""
    builder = tantivy.SchemaBuilder()
    for name in ("id", "page", *_STORED):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("title", "heading", "text"):
        builder.add_text_field(name, stored=True, tokenizer_name=tokenizer)
    builder.add_date_field("date", stored=True, indexed=True)
    builder.add_boolean_field("kept", stored=True, indexed=True)
    builder.add_float_field("importance", stored=True, fast=True)
    return builder.build()


def add_pages(index: Any, pages: Iterable[CleanPage]) -> int:
    """Add the blocks of pages, in place of those that the same URLs had before; the number of blocks."""
    writer = index.writer()
    n_blocks = 0
    for page in pages:
        if page.url:
            writer.delete_documents_by_term("page", page.url)
        for row in page.search_rows():
            day = row.pop("date")
            date = {"date": datetime.fromisoformat(day).replace(tzinfo=UTC)} if day else {}
            writer.delete_documents_by_term("id", row["id"])
            writer.add_document(tantivy.Document(**row, **date))
            n_blocks += 1
    writer.commit()
    index.reload()
    return n_blocks


def search(index: Any, words: str, limit: int = 10, *, kept_only: bool = True) -> list[dict[str, Any]]:
    """The blocks that match any of the words, the best by BM25 first, each with `score`."""
    # in quotes, for `OR` and `IN` are signs of the language of queries
    terms = " ".join(f'"{word}"' for word in re.findall(r"\w+", words))
    if not terms or limit < 1:
        return []
    query = index.parse_query(terms, ["title", "heading", "text"], field_boosts={"title": 2.0, "heading": 2.0})
    if kept_only:
        kept = tantivy.Query.term_query(index.schema, "kept", True)
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, kept)])
    searcher = index.searcher()
    found = []
    for score, address in searcher.search(query, limit).hits:
        values = searcher.doc(address).to_dict()
        found.append({"score": score, **{name: value[0] for name, value in values.items()}})
    return found
