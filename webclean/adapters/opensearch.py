"""OpenSearch and Elasticsearch: blocks in the form of the bulk API, and the mapping of their index. Needs no extra.

`list_actions` is what `bulk` of `opensearchpy.helpers` and `elasticsearch.helpers` takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from webclean.page import CleanPage

MAPPING: Final[dict[str, Any]] = {
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "page": {"type": "keyword", "ignore_above": 8191},
            "link": {"type": "keyword", "index": False, "doc_values": False},
            "title": {"type": "text", "fields": {"raw": {"type": "keyword", "ignore_above": 512}}},
            "date": {"type": "date", "format": "strict_date"},
            "role": {"type": "keyword"},
            "kept": {"type": "boolean"},
            "importance": {"type": "float"},
            "heading": {"type": "text"},
            "text": {"type": "text"},
        },
    }
}
"""The body of the request that creates the index (`PUT /blocks`); the id of a block is the id of its document."""


def list_actions(pages: Iterable[CleanPage], index: str = "blocks") -> Iterator[dict[str, Any]]:
    """An action for each block that puts it in the place of the same block of the page before."""
    for page in pages:
        for row in page.search_rows():
            name = row.pop("id")
            yield {"_op_type": "index", "_index": index, "_id": name, "_source": row}


def write_bulk(pages: Iterable[CleanPage], index: str = "blocks") -> Iterator[str]:
    """The lines of a request to `_bulk`: for each block its action and its values."""
    for action in list_actions(pages, index):
        yield json.dumps({"index": {"_index": action["_index"], "_id": action["_id"]}}) + "\n"
        yield json.dumps(action["_source"], ensure_ascii=False) + "\n"


def delete_stale(page: CleanPage) -> dict[str, Any]:
    """The body of a `_delete_by_query` that removes blocks which the page no longer has."""
    names = [row["id"] for row in page.search_rows()]
    return {"query": {"bool": {"filter": {"term": {"page": page.url or ""}}, "must_not": {"ids": {"values": names}}}}}
