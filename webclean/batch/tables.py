"""Tables of pages: the columns of each kind, and the function that makes them of a table of pages.

`clean_table` takes an Arrow table of pages and gives one of what was found in them. Pure: same table, same rows, in
every engine. It runs unchanged in a process pool, in Ray (`map_batches(batch_format="pyarrow")`), Spark (`mapInArrow`)
and whatever else hands Arrow tables around. A page that cannot be cleaned has its row, which says why.

One row a page (`pages`), a semantic block (`blocks`), or a record of an index page (`records`); the columns are given
as Arrow schemas. Versioned: see `TABLE_VERSION`, which is in the metadata of every schema as `webclean_table_version`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, methodcaller
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from webclean.errors import InputError, LimitExceeded, NotAPageError, WebcleanError
from webclean.model import PageType
from webclean.page import CleanPage
from webclean.parse import find_canonical_link
from webclean.parse.url import check_page_url
from webclean.pipeline import Cleaner
from webclean.storage import read_table

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_VERSION: Final = 1
"""Rises when a column goes or changes its type or meaning; columns may be added without it."""


class Column(NamedTuple):
    """form: a type of Arrow, `strings` or one of `_STRUCTS`, perhaps `not null`. meaning: for people. make: what a page
    has in it; None: it is known before a page is cleaned, or is no column of `pages`."""

    form: str
    meaning: str = ""
    make: Callable[[CleanPage], Any] | None = None


_MAX_RULES: Final = 20
"""Rules in the reasons of a page, those of most text blocks first."""


def _sum_up(page: CleanPage) -> list[dict[str, str]]:
    """Why a page has its type and its text, in a few lines: the classifier's result, the cut, and the rules."""
    decisions = page.analysis.decisions
    kept = f"{int(decisions.kept.sum())} of {len(decisions.kept)} text blocks kept"
    first = page.type_reasons[:1]
    reasons = [{"stage": reason.stage, "rule": reason.rule, "evidence": reason.evidence} for reason in first]
    reasons.append({"stage": "cut", "rule": "score", "evidence": f"{kept}; the cut is at {decisions.cut:.2f} points"})
    matched = {match.id: int(match.blocks.sum()) for match in page.analysis.matches}
    because = {match.id: match.rule.because for match in page.analysis.matches}
    often = sorted(matched, key=lambda name: -matched[name])
    return reasons + [
        {"stage": "rules", "rule": name, "evidence": f"text blocks: {matched[name]}; {because[name]}"}
        for name in often[:_MAX_RULES]
    ]


_MAKERS: Final[dict[str, Callable[[CleanPage], Any]]] = {
    "status": lambda _: "ok",
    "page_type": lambda page: str(page.page_type),
    "platform": lambda page: f"{page.platform.name} {page.platform.version}".strip() if page.platform else None,
    "markdown": methodcaller("to_markdown"),
    "rules": attrgetter("rules_hash"),
    "reasons": _sum_up,
    "warnings": lambda page: list(page.warnings),
    "truncated": lambda page: list(page.truncated),
    "n_bytes": attrgetter("source.n_bytes"),
}
"""Column of `pages` -> what a page has in it; in the others it has its attribute of that name."""
_KNOWN_BEFORE: Final = frozenset(("source", "url", "error_kind", "error", "ms"))
"""Columns of `pages` that are not read off the page, because its row has them even if it cannot be cleaned."""
_READ: Final = read_table(__file__, "columns.toml")
_PAGES: Final = {
    name: Column(form, meaning, None if name in _KNOWN_BEFORE else _MAKERS.get(name, attrgetter(name)))
    for name, (form, meaning) in _READ["pages"].items()
}
ALWAYS: Final = ("source", "url", "status", "error_kind", "error", "empty_because")
"""Columns of `pages` that cannot be left out: of which page a row is, and what came of it."""
_BLOCK_ALWAYS: Final = ("source", "url", "position", "block")
"""The same of `blocks`: which block of which page a row is."""
_OF_PAGE: Final = {name: _PAGES[name] for name in ("source", "url", "title", "page_type", "language")}
_BLOCKS: Final = {**_OF_PAGE, **{name: Column(*about) for name, about in _READ["blocks"].items()}}
_RECORDS: Final = {
    "source": _PAGES["source"],
    "page_url": _PAGES["url"],
    "page_title": _PAGES["title"],
    **{name: Column(*about) for name, about in _READ["records"].items()},
}
_TABLES: Final = {"pages": _PAGES, "blocks": _BLOCKS, "records": _RECORDS}
KINDS: Final = tuple(_TABLES)
_STRUCTS: Final = {
    "reasons": {"stage": "string", "rule": "string", "evidence": "string"},
    "counts": {"name": "string", "value": "int64"},
}
"""Types of lists of objects -> the types of their values, all of which are there."""


def _find_arrow_type(name: str) -> pa.DataType:
    import pyarrow as pa  # noqa: PLC0415  an extra

    if name in _STRUCTS:
        fields = [pa.field(key, _find_arrow_type(form), nullable=False) for key, form in _STRUCTS[name].items()]
        return pa.list_(pa.struct(fields))
    return pa.list_(pa.string()) if name == "strings" else pa.type_for_alias(name)


@cache
def find_schema(kind: str, columns: tuple[str, ...] = ()) -> pa.Schema:
    """The Arrow schema of `pages`, `blocks` or `records`. Raises `InputError` for another name.

    columns: those of `pages` or `blocks` that are wanted, beside what says which row is which; none for all.
    """
    import pyarrow as pa  # noqa: PLC0415  an extra

    if kind not in _TABLES:
        raise InputError(f"no table {kind!r}: one of {', '.join(KINDS)}")
    table, always = _TABLES[kind], {"pages": ALWAYS, "blocks": _BLOCK_ALWAYS}.get(kind, ())
    unknown = [name for name in columns if name not in table]
    if unknown:
        raise InputError(f"no column {unknown[0]!r}: {kind} have {', '.join(table)}")
    fields = []
    for name, column in table.items():
        if not columns or name in always or name in columns:
            form = column.form.removesuffix(" not null")
            described = {"description": column.meaning}
            fields.append(pa.field(name, _find_arrow_type(form), nullable=form == column.form, metadata=described))
    return pa.schema(fields, metadata={"webclean_table": kind, "webclean_table_version": str(TABLE_VERSION)})


def flag_pages(rows: Iterable[Row], kind: str, message: str, schema: pa.Schema) -> pa.Table:
    """Rows of `pages` that say why pages have no result. rows: of the input. schema: of `pages`, with what is kept."""
    import pyarrow as pa  # noqa: PLC0415

    flags = {"status": "error", "error_kind": kind, "error": message}
    # the schema has no columns of the input but those that are kept
    found = [{**row, **fit_values(row, [field for field in schema if field.name in row]), **flags} for row in rows]
    return pa.Table.from_pylist(found, schema=schema)


def fit_values(row: Row, columns: Iterable[pa.Field]) -> Row:
    """The values of some columns of the input as their types want them: in a column of text, what is no text is written
    as JSON; a value that a column of another type cannot hold is null."""
    import pyarrow as pa  # noqa: PLC0415

    fitting: Row = {}
    for column in columns:
        value = row.get(column.name)
        if pa.types.is_string(column.type) and value is not None:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            value = text.encode("utf-8", "replace").decode()  # half of a surrogate pair is no text for Arrow
        else:
            try:
                pa.scalar(value, type=column.type)
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                value = None
        fitting[column.name] = value
    return fitting


_OF_ALL: Final = ("title", "page_type", "language")
"""What each block says of its page, too."""


_PAGE_OPTIONS: Final = ("charset", "page_type", "page_subtype")
"""Columns with options of single pages, used where a table has them."""
Row = dict[str, Any]
Rows = dict[str, list[Row]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is made of pages. kinds: tables. canonical: a page without a URL has that of its canonical link, and its
    warnings say so; only who trusts the pages to name themselves wants that. languages: a page that is known to be in
    none of these (`en`, `de`) is skipped. columns: of `pages`, beside `ALWAYS`; none for all. block_columns: the same
    of `blocks`, beside which block it is. What no column needs is not computed."""

    kinds: tuple[str, ...] = ("pages",)
    canonical: bool = False
    languages: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    block_columns: tuple[str, ...] = ()

    def find_schema(self, kind: str) -> pa.Schema:
        return find_schema(kind, {"pages": self.columns, "blocks": self.block_columns}.get(kind, ()))

    def wants(self, column: str) -> bool:
        """Whether a column of `pages` is to be filled."""
        return not self.columns or column in self.columns or column in ALWAYS


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns of the input. html: bytes, or text. url, source: used where the table has them. problem:
    why the page of a row could not be read, else null. keep: columns that are copied into every row made of a page."""

    html: str = "html"
    url: str = "url"
    source: str = "source"
    problem: str = "problem"
    keep: tuple[str, ...] = ()


def clean_table(
    table: pa.Table,
    *,
    cleaner: Cleaner | None = None,
    columns: Columns | None = None,
    rows: str = "pages",
    only: Sequence[str] = (),
) -> pa.Table:
    """Clean a table of pages: one row a page, or with `rows` a row for each of their `blocks` or `records`.

    The page in row i of the input is row i of `pages`, whether it could be cleaned or not. only: columns of `pages` or
    `blocks` that are wanted, beside what says which row is which; none for all. What none of them needs is not
    computed. Raises `InputError` for a table without the column of pages, and for an unknown kind of rows or column.
    """
    wanted, of_blocks = tuple(only), rows == "blocks"
    shape = Shape((rows,), columns=() if of_blocks else wanted, block_columns=wanted if of_blocks else ())
    return clean_tables(table, shape, cleaner=cleaner, columns=columns)[rows]


def clean_tables(
    table: pa.Table, shape: Shape | None = None, *, cleaner: Cleaner | None = None, columns: Columns | None = None
) -> dict[str, pa.Table]:
    """Clean a table of pages once, and give several kinds of rows: kind -> table, see `clean_table`."""
    shape, columns, names = shape or Shape(KINDS), columns or Columns(), table.column_names
    missing = [name for name in (columns.html, *columns.keep) if name not in names]
    if missing:
        raise InputError(f"no column {', '.join(map(repr, missing))}: the table has {', '.join(names)}")
    used = (columns.html, columns.url, columns.source, columns.problem, *_PAGE_OPTIONS, *columns.keep)
    chosen = table.select([name for name in dict.fromkeys(used) if name in names])
    # pages become Python objects a few at a time
    pages = (page for batch in chosen.to_batches(max_chunksize=16) for page in batch.to_pylist())
    kept = [table.schema.field(name) for name in columns.keep]
    return clean_rows(pages, shape, cleaner or _default_cleaner(), kept, columns)


def clean_rows(
    pages: Iterable[Row], shape: Shape, cleaner: Cleaner, kept: Sequence[pa.Field] = (), columns: Columns | None = None
) -> dict[str, pa.Table]:
    """The same of pages that are no table: a dictionary each. kept: what is copied into every row made of a page."""
    import pyarrow as pa  # noqa: PLC0415  an extra

    columns, schemas = columns or Columns(), build_schemas(shape, kept)
    found: Rows = {kind: [] for kind in shape.kinds}
    for given in pages:
        rows = _clean_row(given, cleaner, columns, shape)
        own = fit_values(given, kept)
        for kind in shape.kinds:
            found[kind] += [{**row, **own} for row in rows[kind]] if own else rows[kind]
    return {kind: pa.Table.from_pylist(found[kind], schema=schema) for kind, schema in schemas.items()}


def build_schemas(shape: Shape, kept: Sequence[pa.Field] = ()) -> dict[str, pa.Schema]:
    """The schema of each table, with the columns that are kept from the input, in place of ours of the same name."""
    schemas = {}
    for kind in shape.kinds:
        schema = shape.find_schema(kind)
        for column in kept:
            found = schema.get_field_index(column.name)
            schema = schema.append(column) if found < 0 else schema.set(found, column)
        schemas[kind] = schema
    return schemas


_default_cleaner: Final = cache(Cleaner)


def _clean_row(given: Row, cleaner: Cleaner, columns: Columns, shape: Shape) -> Rows:
    """The rows of one page, of each kind; if it fails, the one row of `pages` that says so."""
    started = time.perf_counter()
    html = given[columns.html]
    base: Row = {"source": given.get(columns.source), "url": given.get(columns.url) or None}
    base["n_bytes"] = len(html) if isinstance(html, bytes) else None
    try:
        if html is None:
            raise InputError(given.get(columns.problem) or "no page")
        own = None
        if shape.canonical and base["url"] is None and isinstance(html, bytes):
            own = base["url"] = find_canonical_link(html)
        options = {name: given[name] for name in _PAGE_OPTIONS if given.get(name)}
        problem = ""
        try:
            check_page_url(base["url"])
        except InputError as error:  # crawlers write what a page said, and a page is worth more than its address
            base["url"], problem = None, f"cleaned without its URL: {error}"
        page = cleaner.clean(html, url=base["url"], **options)
        rows = _describe(page.with_warning(problem) if problem else page, base, shape)
        if own is not None and "pages" in rows:
            rows["pages"][0].setdefault("warnings", []).append("the URL is that of the page's canonical link")
    except (Exception, MemoryError) as error:  # whatever a page does, its row says so
        kind, message = describe_error(error)
        failed = {**base, "status": "error", "error_kind": kind, "error": message}
        rows = {kind: [failed] if kind == "pages" else [] for kind in shape.kinds}
    for row in rows.get("pages", ()):
        row["ms"] = round(1000 * (time.perf_counter() - started), 3)
    return rows


_ERROR_KINDS: Final[dict[type[BaseException], str]] = {
    NotAPageError: "not_a_page",
    LimitExceeded: "limit",
    WebcleanError: "unreadable",
    MemoryError: "memory",
    BaseException: "raised",
}


def describe_error(error: BaseException) -> tuple[str, str]:
    """Why a page failed: the `error_kind` of its row, and one line for people."""
    kind = next(name for known, name in _ERROR_KINDS.items() if isinstance(error, known))
    message = " ".join(str(error).split())
    if isinstance(error, WebcleanError):
        return kind, message
    return kind, f"{type(error).__name__}: {message}".removesuffix(": ")


def _describe(page: CleanPage, base: Row, shape: Shape) -> Rows:
    if page.source.kind in ("binary", "empty"):
        raise NotAPageError(f"is {page.source.format or 'empty'}, not a page")
    base = {**base, "url": base["url"] or page.url}
    if shape.languages and page.language and page.language.partition("-")[0].lower() not in shape.languages:
        flags = {"status": "skipped", "error": f"in another language: {page.language}"}
        known = {**base, **_fill(page, filter(shape.wants, _OF_ALL))}
        return {kind: [{**known, **flags}] if kind == "pages" else [] for kind in shape.kinds}
    rows: Rows = {}
    if "blocks" in shape.kinds:
        names = shape.find_schema("blocks").names
        shared = {**base, **_fill(page, (name for name in _OF_ALL if name in names))}
        listed = page.block_rows(names)
        rows["blocks"] = [{**row, **shared, "position": n} for n, row in enumerate(listed)]
    if "records" in shape.kinds:
        listed = page.record_rows() if page.page_type is PageType.INDEX else []
        owner = {"source": base["source"], "page_url": base["url"], "page_title": page.title}
        rows["records"] = [{**row, **owner, "position": n} for n, row in enumerate(listed)]
    if "pages" in shape.kinds:
        rows["pages"] = [{**base, **_fill(page, filter(shape.wants, _PAGES))}]
    return rows


def _fill(page: CleanPage, columns: Iterable[str]) -> Row:
    return {name: make(page) for name in columns if (make := _PAGES[name].make)}
