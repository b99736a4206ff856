"""The columns of the tables: as Arrow schemas and, made of these, as JSON Schemas.

One row a page (`pages`), a semantic block (`blocks`), or a record of an index page (`records`). Versioned: see
`TABLE_VERSION`, which is in the metadata of every schema as `webclean_table_version`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from webclean.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_VERSION: Final = 1
"""Rises when a column goes or changes its type or meaning; columns may be added without it."""
KINDS: Final = ("pages", "blocks", "records")

_PAGES: Final = {
    "source": ("string", "where the page came from: file, or archive and record"),
    "url": ("string", "address of the page: given, or of the archive, or its canonical link"),
    "status": ("string not null", "ok, error, or skipped: of a language that is not wanted"),
    "error_kind": (
        "string",
        "unreadable, not_a_page, limit, raised, timeout, memory, crash; null where status is not error",
    ),
    "error": ("string", "what happened or why it is skipped, for people"),
    "page_type": ("string", "content, multi_block, index or no_feature"),
    "page_subtype": ("string", "article, forum, ...: names of the rules"),
    "page_label": ("string", "the most specific kind: blog, portal, ...; else the subtype"),
    "title": ("string", ""),
    "date": ("string", "published, ISO 8601"),
    "author": ("string", ""),
    "language": ("string", "BCP 47 tag"),
    "text": ("string", "the main content"),
    "markdown": ("string", "the main content as Markdown"),
    "confidence": ("double", "estimated F1 of the words of text, 0 to 1"),
    "type_confidence": ("double", "probability of the page type, 0 to 1"),
    "rules": ("string", "hash of the rules: equal hashes, equal rules"),
    "reasons": ("reasons", "why: the page type, the cut, the rules that matched and on how many text blocks"),
    "warnings": ("strings", "messages for people"),
    "truncated": ("strings", "limits at which the page was cut"),
    "n_bytes": ("int64", "bytes of the page, unpacked"),
    "ms": ("double", "milliseconds that the page took"),
}
_OF_PAGE: Final = {name: _PAGES[name] for name in ("source", "url", "title", "page_type", "language")}
_BLOCKS: Final = {
    **_OF_PAGE,
    "position": ("int32 not null", "place of the block in its page, in reading order, from 0"),
    "block": ("string not null", "id of the block in its page"),
    "role": ("string not null", "content, menu, header, footer, comments, ..."),
    "kept": ("bool not null", "whether it belongs to the main content"),
    "heading": ("string not null", "'' if it has none"),
    "text": ("string not null", ""),
    "importance": ("double not null", "0 to 1"),
    "xpath": ("string not null", "the first of its elements, in the tree of the page"),
    "fragment": ("string", "after the address of the page: a link that opens the page at the block"),
    "n_links": ("int32 not null", ""),
    "n_records": ("int32 not null", ""),
}
_RECORDS: Final = {
    "source": _PAGES["source"],
    "page_url": _PAGES["url"],
    "page_title": _PAGES["title"],
    "block": ("string not null", "id of the block that lists it"),
    "position": ("int32 not null", "place among the records of the page, from 0"),
    "title": ("string", ""),
    "url": ("string", ""),
    "summary": ("string", ""),
    "date": ("string", "as written"),
    "image": ("string", "address of the picture"),
    "price": ("string", "as written"),
    "author": ("string", ""),
    "counts": ("counts", "what the entry shows: replies, views, comments, votes, reviews"),
    "is_advertisement": ("bool", "whether the page says that it is one"),
}
_TABLES: Final = {"pages": _PAGES, "blocks": _BLOCKS, "records": _RECORDS}
_JSON_TYPES: Final[dict[str, dict[str, Any]]] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "double": {"type": "number"},
    "int32": {"type": "integer"},
    "int64": {"type": "integer"},
    "strings": {"type": "array", "items": {"type": "string"}},
    "reasons": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("stage", "rule", "evidence")},
            "required": ["stage", "rule", "evidence"],
        },
    },
    "counts": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "value": {"type": "integer"}},
            "required": ["name", "value"],
        },
    },
}


@cache
def find_schema(kind: str) -> pa.Schema:
    """The Arrow schema of `pages`, `blocks` or `records`. Raises `InputError` for another name."""
    import pyarrow as pa  # noqa: PLC0415  an extra

    reason = pa.struct([pa.field(name, pa.string(), nullable=False) for name in ("stage", "rule", "evidence")])
    count = pa.struct([pa.field("name", pa.string(), nullable=False), pa.field("value", pa.int64(), nullable=False)])
    types = {
        "string": pa.string(),
        "bool": pa.bool_(),
        "double": pa.float64(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "strings": pa.list_(pa.string()),
        "reasons": pa.list_(reason),
        "counts": pa.list_(count),
    }
    fields = [
        pa.field(name, types[_split(form)[0]], nullable=_split(form)[1], metadata={"description": told})
        for name, (form, told) in _find_table(kind).items()
    ]
    return pa.schema(fields, metadata={"webclean_table": kind, "webclean_table_version": str(TABLE_VERSION)})


def describe_table_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one row, as JSON lines have it. Raises `InputError` for another name."""
    properties = {}
    for name, (form, told) in _find_table(kind).items():
        type_name, nullable = _split(form)
        value = dict(_JSON_TYPES[type_name])
        if nullable:
            value["type"] = [value["type"], "null"]
        properties[name] = {**value, **({"description": told} if told else {})}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of the table {kind} of webclean, version {TABLE_VERSION}",
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def flag_pages(sources: pa.Table, kind: str, message: str, ms: float | None = None) -> pa.Table:
    """Rows of `pages` that say why pages have no result. sources: a table with the columns `source` and `url`."""
    import pyarrow as pa  # noqa: PLC0415

    told = {"status": "error", "error_kind": kind, "error": message, "ms": ms}
    rows = sources.select(["source", "url"]).to_pylist()
    schema = find_schema("pages")
    return pa.Table.from_pylist([{**row, **told} for row in rows], schema=schema)


def _find_table(kind: str) -> dict[str, tuple[str, str]]:
    if kind not in _TABLES:
        raise InputError(f"no table {kind!r}: one of {', '.join(KINDS)}")
    return _TABLES[kind]


def _split(form: str) -> tuple[str, bool]:
    """`string not null` -> its type, and whether it may be null."""
    name = form.removesuffix(" not null")
    return name, name == form
