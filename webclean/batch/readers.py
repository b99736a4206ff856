"""A source -> its pages, as rows `{source, url, html, charset, problem}` and the columns that are kept; and sources ->
slices, each read, cleaned and written by one worker, so that one large file is the work of all cores.

What cannot be read is a row too, with the problem in place of the page, so that no record is lost in silence. Pages
are cut one byte over the limit, so that they are refused later, and no archive can fill the memory. Pages of a list of
URLs are fetched a few at a time, in the order of the list, and one at a time from each host.

A slice of a web archive is a range of bytes: the records that begin in it, found by who reads them, as Hadoop splits
its files. A slice of a Parquet file is some of its row groups, one of page files some of the files. What cannot be
divided (JSON lines, lists of URLs, standard input, archives that are packed as a whole) is read by one process, which
hands the pages to all workers.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from webclean.batch.archives import has_seekable_records, read_archive
from webclean.batch.sources import PageSource, Position, Reading, Row, find_listed, pack_files, tell_problem
from webclean.batch.tables import Columns
from webclean.errors import InputError, WebcleanError
from webclean.matching.expressions import compile_pattern
from webclean.parse.url import check_page_url, find_host, is_of_web
from webclean.storage import count_read, find_path, is_stored, open_unpacked, unpack_stream
from webclean.web.fetch import FetchLimits, fetch_bytes


def read_rows(source: PageSource, reading: Reading, position: Position, start: int = 0) -> Iterator[Row]:
    """The rows of a source from number `start` on. Raises `InputError` if its form is wrong, `OSError`."""
    if source.kind == "files" and not reading.url_pattern:  # no file is opened in vain
        yield from _read_files(replace(source, paths=source.paths[start:]), reading, position)
        return
    wanted, number = compile_pattern(reading.url_pattern) if reading.url_pattern else None, 0
    for row in _FORMS[source.kind].read(source, reading, position):
        if wanted is not None and row["url"] is not None and not wanted.search(row["url"]):
            position.skipped["other URL"] += 1
            continue
        if number >= start:
            yield row
        number += 1


def _open(path: str) -> IO[bytes]:
    return unpack_stream(sys.stdin.buffer) if path == "-" else open_unpacked(find_path(path))


def _read_files(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    for path in source.paths:
        folder = next((Path(name) for name in reading.folders if Path(path).is_relative_to(name)), None)
        row: Row = {"source": path, "url": find_listed(reading.urls, path, folder), "html": None}
        try:
            with _open(path) as file:
                row["html"] = file.read(reading.max_bytes + 1)
        except OSError as error:
            row["problem"] = f"cannot be read: {error.strerror or error}"
        position.n_bytes += len(row["html"] or b"")
        yield row


_BATCH_ROWS: Final = 8
"""Rows of a Parquet file that become Python objects at a time."""


def _read_parquet(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    path = source.paths[0]
    try:
        opened = pq.ParquetFile(find_path(path).open("rb") if is_stored(path) else path)
    except (OSError, ValueError, pa.ArrowException) as error:
        yield tell_problem(path, f"is no Parquet file: {error}")
        return
    with opened as file:
        wanted = choose_columns(file.schema_arrow.names, reading.columns, path)
        sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        groups = range(len(sizes))[source.first : source.end]
        before = number = sum(sizes[: source.first])
        n_rows = max(1, sum(sizes[group] for group in groups))
        for group in groups:
            end = number + sizes[group]
            problem = "the row group ends before its last row"
            try:
                for batch in file.iter_batches(_BATCH_ROWS, row_groups=[group], columns=list(wanted)):
                    for found in batch.to_pylist():
                        position.n_bytes = source.n_bytes * (number + 1 - before) // n_rows
                        yield _name_columns(found, wanted, reading.columns, f"{path}#{number}")
                        number += 1
            except (OSError, ValueError, pa.ArrowException) as error:  # text that is no UTF-8 among them
                problem = f"the row group is damaged: {error}"
            # how many rows a group has stands at the end of the file, so none of a damaged one is lost unsaid; a number
            # of more rows than bytes is damaged itself
            if end - number > source.n_bytes:
                problem, end = f"{problem}; the file says that {end - number:,} rows are lost", number + 1
            yield from (tell_problem(f"{path}#{lost}", problem) for lost in range(number, end))
            number = end


def choose_columns(names: list[str], columns: Columns, place: str, *, strict: bool = True) -> dict[str, str]:
    """Column of the source -> what it is here, of the columns that there are.

    strict: raise `InputError` if that of the pages or one that is kept is missing.
    """
    missing = [name for name in (columns.html, *columns.keep) if name not in names]
    if missing and strict:
        raise InputError(f"{place}: no column {', '.join(map(repr, missing))}; it has {', '.join(names)}")
    own = {columns.html: "html", columns.url: "url", columns.source: "source", "charset": "charset"}
    return {**{name: name for name in columns.keep}, **{name: own[name] for name in own if name in names}}


def _name_columns(found: Row, wanted: dict[str, str], columns: Columns, place: str) -> Row:
    row: Row = {"source": place, "url": None, "html": None}
    row |= {name: found.get(name) for name in columns.keep}
    row |= {here: found[name] for name, here in wanted.items() if found.get(name) is not None}
    if isinstance(row["html"], str):
        row |= {"html": row["html"].encode("utf-8", "replace"), "charset": "utf-8"}
    if not isinstance(row["html"], bytes):
        row |= {"html": None, "problem": f"no page in column {columns.html!r}"}
    for name in ("source", "url", "charset"):
        # half of a surrogate pair, which JSON may hold, is no text for tables
        row[name] = None if row.get(name) is None else str(row[name]).encode("utf-8", "replace").decode()
    return row


_LINE_ROOM: Final = 65_536
"""Bytes of a line beside its page: columns that are kept, or a URL."""


def _read_lines(path: str, position: Position, maximum: int) -> Iterator[tuple[bytes, str]]:
    """The lines of a file that are not empty, and what is wrong with each. maximum: bytes of a line; a longer one is
    passed over."""
    with _open(path) as file:
        try:
            while line := file.readline(maximum + 1):
                position.n_bytes = count_read(file)
                if len(line) > maximum:
                    while line and not line.endswith(b"\n"):
                        line = file.readline(maximum)
                    yield b"", f"the line has more than {maximum} bytes"
                elif line.strip():
                    yield line, ""
        except OSError as error:
            yield b"", f"cannot be read on: {error}"


def _read_jsonl(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    path = source.paths[0]
    # a character of the page is written with six at most (`\u00e9`); of the other columns there is less
    lines = _read_lines(path, position, 6 * reading.max_bytes + _LINE_ROOM)
    for number, (line, problem) in enumerate(lines, 1):
        place = f"{path}:{number}"
        try:
            found, wrong = json.loads(line or b"null"), problem or "no JSON object"
        except RecursionError:
            found, wrong = None, "no JSON that can be read: it is nested too deep"
        except ValueError as error:
            found, wrong = None, f"no JSON: {error}"
        if isinstance(found, dict):
            wanted = choose_columns(list(found), reading.columns, place, strict=False)
            yield _name_columns(found, wanted, reading.columns, place)
        else:
            yield tell_problem(place, wrong)


def _read_urls(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    """Pages of the web, fetched as they are asked for, in the order of the list."""
    path = source.paths[0]
    # a line that is no URL becomes a row with that problem; behind a tab may stand what `webclean links` says of it
    found = _read_lines(path, position, _LINE_ROOM)
    lines = (problem or line.decode("utf-8", "replace").strip() for line, problem in found)
    urls = (line.partition("\t")[0] for line in lines if line and not line.startswith("#"))
    limits = FetchLimits(max_bytes=reading.max_bytes, allow_private=reading.allow_private)
    yield from ({"source": path, **fetched} for fetched in fetch_pages(urls, limits, reading.pause))


_AT_ONCE: Final = 8
"""Pages that are being fetched."""
_AHEAD: Final = 16
"""Pages that are fetched before they are asked for."""


def fetch_pages(urls: Iterable[str], limits: FetchLimits, pause: float) -> Iterator[dict[str, Any]]:
    """`{url, html, charset, problem}` for each URL; html is None where there is a problem.

    pause: seconds between the end of one page and the start of the next of the same host.
    """
    locks, free_at = defaultdict[str, threading.Lock](threading.Lock), defaultdict[str, float](float)
    waiting: deque[Future[dict[str, Any]]] = deque()
    threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="webclean-fetch")

    def fetch(url: str, host: str, lock: threading.Lock) -> dict[str, Any]:
        try:
            check_page_url(url)
            if not is_of_web(url):
                raise InputError("not a URL that begins with http:// or https://")
            # one page at a time from a host, with a pause after it
            with lock:
                time.sleep(max(0.0, free_at[host] - time.monotonic()))
                try:
                    fetched = fetch_bytes(url, limits)
                finally:
                    free_at[host] = time.monotonic() + pause
        except WebcleanError as error:
            return {"url": url, "html": None, "problem": str(error)}
        return {"url": fetched.url, "html": fetched.body, "charset": fetched.charset}

    try:
        for url in urls:
            host = find_host(url)
            waiting.append(threads.submit(fetch, url, host, locks[host]))
            if len(waiting) >= _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(cancel_futures=True)


_SLICES: Final = 64
"""Slices that the inputs of a job are cut into, at least, where that is not below the least of bytes or files: enough
for the cores of a machine, and no more files than needed."""
_SLICE_BYTES: Final = (1 << 20, 64 << 20)
"""The least is some twenty pages: at the end of a job workers wait for each other for half a slice, and of 300 pages in
five slices two workers do three and two, which makes them 1.7 times as fast as one."""
_SLICE_FILES: Final = 16
_LARGE_GROUP: Final = 16
"""Slices' worth of bytes in one slice of a Parquet file from which on its pages are handed out instead."""


def cut_sources(sources: Iterable[PageSource], slice_bytes: int | None = None) -> tuple[PageSource, ...]:
    """The sources cut into slices that workers read by themselves, so that one large file is the work of all of them.

    The same inputs give the same slices on every machine. slice_bytes: of one, if not chosen by the size of all.
    """
    listed = tuple(sources)
    least, most = _SLICE_BYTES
    size = slice_bytes or min(most, max(least, sum(one.n_bytes for one in listed) // _SLICES))
    n_files = max(_SLICE_FILES, sum(len(one.paths) for one in listed if one.kind == "files") // _SLICES)
    return tuple(part for one in listed for part in _cut_source(one, size, n_files))


def _cut_source(source: PageSource, size: int, n_files: int) -> list[PageSource]:
    if source.kind == "files":
        return pack_files(source.paths, n_files)
    find_bounds = _FORMS[source.kind].find_bounds
    if source.paths[0] == "-" or find_bounds is None:
        return [replace(source, is_handed=True)]
    if source.n_bytes <= size:
        return [source]
    try:
        bounds = find_bounds(source, size)
    except OSError:  # its row will say so
        return [source]
    if not bounds:
        return [replace(source, is_handed=True)]
    spans = pairwise(bounds)
    return [replace(source, n_bytes=n - m, first=first, end=end) for (first, m), (end, n) in spans]


Bounds = list[tuple[int, int]]
"""Where the slices of a file begin and the last one ends, each with the bytes of all that stands before; empty if the
file cannot be divided."""


def _find_bytes(source: PageSource, size: int) -> Bounds:
    """Bytes of a web archive; which records begin there is found out by who reads it."""
    if not has_seekable_records(source.paths[0]):
        return []
    n = -(-source.n_bytes // size)
    return [(source.n_bytes * k // n,) * 2 for k in range(n + 1)]


def _find_groups(source: PageSource, size: int) -> Bounds:
    """Row groups of a Parquet file, as many as it takes to a size; a group of its size or more is cheaper read once
    than by many. Raises `OSError`."""
    import pyarrow as pa  # noqa: PLC0415  an extra
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    try:
        with find_path(source.paths[0]).open("rb") as opened:
            file = pq.read_metadata(opened)
    except pa.ArrowException as error:
        raise OSError(str(error)) from error
    bounds, n_bytes = [(0, 0)], 0
    for group in range(file.num_row_groups):
        columns = file.row_group(group)
        n_bytes += sum(columns.column(number).total_compressed_size for number in range(columns.num_columns))
        if n_bytes - bounds[-1][1] >= size or group == file.num_row_groups - 1:
            bounds.append((group + 1, n_bytes))
    largest = max((n - m for (_, m), (_, n) in pairwise(bounds)), default=_LARGE_GROUP * size + 1)
    return bounds if largest <= _LARGE_GROUP * size else []


class _Form(NamedTuple):
    """How a kind of source is read, and where a file of it may be divided (source, bytes of a slice -> bounds)."""

    read: Callable[[PageSource, Reading, Position], Iterator[Row]]
    find_bounds: Callable[[PageSource, int], Bounds] | None = None


_FORMS: Final = {
    "files": _Form(_read_files),
    "warc": _Form(read_archive, _find_bytes),
    "parquet": _Form(_read_parquet, _find_groups),
    "jsonl": _Form(_read_jsonl),
    "urls": _Form(_read_urls),
}
