"""A table of pages -> tables of what was found in them. Pure: same table, same rows, in every engine.

`clean_table` runs unchanged in a process pool, in Ray (`map_batches(batch_format="pyarrow")`), Spark (`mapInArrow`)
and whatever else hands Arrow tables around. A page that cannot be cleaned has its row, which says why.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from webclean.errors import InputError, LimitExceeded, NotAPageError, WebcleanError
from webclean.model import PageType
from webclean.page import CleanPage
from webclean.parse.canonical import find_canonical_link
from webclean.pipeline import Cleaner
from webclean.tables.schema import KINDS, find_schema

if TYPE_CHECKING:
    import pyarrow as pa

_PAGE_OPTIONS: Final = ("charset", "page_type", "page_subtype")
"""Columns with options of single pages, used where a table has them."""
_MAX_RULES: Final = 20
"""Rules in the reasons of a page, those of most text blocks first."""
Row = dict[str, Any]
Rows = dict[str, list[Row]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What is made of pages. kinds: tables. markdown: fill its column. canonical: a page without a URL has that of its
    canonical link, and its warnings say so; only who trusts the pages to name themselves wants that. languages: a page
    that is known to be in none of these (`en`, `de`) is skipped."""

    kinds: tuple[str, ...] = ("pages",)
    markdown: bool = True
    canonical: bool = False
    languages: tuple[str, ...] = ()


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
    markdown: bool = True,
) -> pa.Table:
    """Clean a table of pages: one row a page, or with `rows` a row for each of their `blocks` or `records`.

    The page in row i of the input is row i of `pages`, whether it could be cleaned or not. markdown: fill its column.
    Raises `InputError` for a table without the column of pages, and for an unknown kind of rows.
    """
    return clean_tables(table, Shape((rows,), markdown), cleaner=cleaner, columns=columns)[rows]


def clean_tables(
    table: pa.Table, shape: Shape | None = None, *, cleaner: Cleaner | None = None, columns: Columns | None = None
) -> dict[str, pa.Table]:
    """Clean a table of pages once, and give several kinds of rows: kind -> table, see `clean_table`."""
    shape, columns, cleaner = shape or Shape(KINDS), columns or Columns(), cleaner or _default_cleaner()
    for kind in shape.kinds:
        find_schema(kind)
    found: Rows = {kind: [] for kind in shape.kinds}
    for given in _list_pages(table, columns):
        rows = _clean_row(given, cleaner, columns, shape)
        kept = {name: given[name] for name in columns.keep}
        for kind in shape.kinds:
            found[kind] += [{**row, **kept} for row in rows[kind]] if kept else rows[kind]
    return {kind: _build_table(found[kind], kind, table, columns.keep) for kind in shape.kinds}


@cache
def _default_cleaner() -> Cleaner:
    return Cleaner()


def _list_pages(table: pa.Table, columns: Columns) -> Iterable[Row]:
    """The rows of a table, with the columns that are used alone."""
    names = set(table.column_names)
    missing = [name for name in (columns.html, *columns.keep) if name not in names]
    if missing:
        raise InputError(f"no column {', '.join(map(repr, missing))}: the table has {', '.join(table.column_names)}")
    used = (columns.html, columns.url, columns.source, columns.problem, *_PAGE_OPTIONS, *columns.keep)
    chosen = table.select([name for name in dict.fromkeys(used) if name in names])
    for batch in chosen.to_batches(max_chunksize=16):  # pages become Python objects a few at a time
        yield from batch.to_pylist()


def _clean_row(given: Row, cleaner: Cleaner, columns: Columns, shape: Shape) -> Rows:
    """The rows of one page, of each kind; if it fails, the one row of `pages` that says so."""
    started = time.perf_counter()
    html = given[columns.html]
    base: Row = {"source": given.get(columns.source), "url": given.get(columns.url) or None}
    base["n_bytes"] = len(html) if isinstance(html, bytes) else None
    try:
        if html is None:
            raise _UnreadableError(given.get(columns.problem) or "no page")
        own = None
        if shape.canonical and base["url"] is None and isinstance(html, bytes):
            own = base["url"] = find_canonical_link(html)
        options = {name: given[name] for name in _PAGE_OPTIONS if given.get(name)}
        page = cleaner.clean(html, url=base["url"], **options)
        rows = _describe(page, base, shape)
        if own is not None and "pages" in rows:
            rows["pages"][0].setdefault("warnings", []).append("the URL is that of the page's canonical link")
    except (Exception, MemoryError) as error:  # whatever a page does is told in its row
        told = {"status": "error", "error_kind": _name_kind(error), "error": _tell(error)}
        rows = {kind: [{**base, **told}] if kind == "pages" else [] for kind in shape.kinds}
    for row in rows.get("pages", ()):
        row["ms"] = round(1000 * (time.perf_counter() - started), 3)
    return rows


class _UnreadableError(InputError):
    """There is no page in the row."""


def _name_kind(error: BaseException) -> str:
    kinds: tuple[tuple[type[BaseException], str], ...] = (
        (_UnreadableError, "unreadable"),
        (NotAPageError, "not_a_page"),
        (LimitExceeded, "limit"),
        (MemoryError, "memory"),
    )
    return next((name for kind, name in kinds if isinstance(error, kind)), "raised")


def _tell(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return message if isinstance(error, WebcleanError) else f"{type(error).__name__}: {message}".removesuffix(": ")


def _describe(page: CleanPage, base: Row, shape: Shape) -> Rows:
    if page.source.kind in ("binary", "empty"):
        raise NotAPageError(f"is {page.source.format or 'empty'}, not a page")
    base = {**base, "url": base["url"] or page.url}
    shared = {**base, "title": page.title, "page_type": str(page.page_type), "language": page.language}
    if shape.languages and page.language and page.language.partition("-")[0].lower() not in shape.languages:
        told = {"status": "skipped", "error": f"in another language: {page.language}"}
        return {kind: [{**shared, **told}] if kind == "pages" else [] for kind in shape.kinds}
    rows: Rows = {}
    if "blocks" in shape.kinds:
        rows["blocks"] = [{**row, **shared, "position": n} for n, row in enumerate(page.block_rows())]
    if "records" in shape.kinds:
        listed = page.record_rows() if page.page_type is PageType.INDEX else []
        owner = {"source": base["source"], "page_url": base["url"], "page_title": page.title}
        rows["records"] = [{**row, **owner, "position": n} for n, row in enumerate(listed)]
    if "pages" in shape.kinds:
        rows["pages"] = [{**shared, **_describe_page(page, shape.markdown)}]
    return rows


def _describe_page(page: CleanPage, markdown: bool) -> Row:
    return {
        "status": "ok",
        "page_subtype": page.page_subtype,
        "page_label": page.page_label,
        "date": page.date,
        "author": page.author,
        "text": page.text,
        "markdown": page.to_markdown() if markdown else None,
        "confidence": float(page.confidence),
        "type_confidence": float(page.type_confidence),
        "rules": page.rules_hash,
        "reasons": _sum_up(page),
        "warnings": list(page.warnings),
        "truncated": list(page.truncated),
        "n_bytes": page.source.n_bytes,
    }


def _sum_up(page: CleanPage) -> list[dict[str, str]]:
    """Why a page has its type and its text, in a few lines: the classifier's result, the cut, and the rules."""
    decisions = page.analysis.decisions
    kept = f"{int(decisions.kept.sum())} of {len(decisions.kept)} text blocks kept"
    first = page.type_reasons[:1]
    reasons = [{"stage": reason.stage, "rule": reason.rule, "evidence": reason.evidence} for reason in first]
    reasons.append({"stage": "cut", "rule": "score", "evidence": f"{kept}; the cut is at {decisions.cut:.2f} points"})
    matched = {match.id: int(match.blocks.sum()) for match in page.analysis.matches}
    because = {match.id: match.rule.because for match in page.analysis.matches}
    often = sorted((name for name in matched if matched[name]), key=lambda name: -matched[name])
    return reasons + [
        {"stage": "rules", "rule": name, "evidence": f"text blocks: {matched[name]}; {because[name]}"}
        for name in often[:_MAX_RULES]
    ]


def _build_table(rows: list[Row], kind: str, table: pa.Table, keep: Sequence[str]) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415  an extra

    schema = find_schema(kind)
    for name in keep:
        found = schema.get_field_index(name)
        field = table.schema.field(name)
        schema = schema.append(field) if found < 0 else schema.set(found, field)
    return pa.Table.from_pylist(rows, schema=schema)
