"""A source -> its pages, as rows `{source, url, html, charset, problem}` and the columns that are kept.

What cannot be read is a row too, with the problem in place of the page, so that no record is lost in silence. Pages
are cut one byte over the limit, so that they are refused later, and no archive can fill the memory. Pages of a list of
URLs are fetched a few at a time, in the order of the list, and one at a time from each host.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import threading
import time
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage, parse_headers
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, cast

import re2

from webclean.batch.sources import PageSource, list_names
from webclean.batch.tables import Columns
from webclean.errors import InputError, WebcleanError
from webclean.model import Limits
from webclean.parse.url import check_page_url, find_host
from webclean.web.fetch import FetchLimits, fetch_bytes

_AT_ONCE: Final = 8
"""Pages that are being fetched."""
_AHEAD: Final = 16
"""Pages that are fetched before they are asked for."""


def fetch_pages(
    urls: Iterable[str], *, max_bytes: int, allow_private: bool = False, pause: float = 1.0
) -> Iterator[dict[str, Any]]:
    """`{url, html, charset, problem}` for each URL; html is None where there is a problem.

    pause: seconds between the end of one page and the start of the next of the same host.
    """
    polite = _Politeness(pause)
    limits = FetchLimits(max_bytes=max_bytes, allow_private=allow_private)
    waiting: deque[Future[dict[str, Any]]] = deque()
    threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="webclean-fetch")
    try:
        for url in urls:
            waiting.append(threads.submit(_fetch, url, limits, polite))
            if len(waiting) >= _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(cancel_futures=True)


def _fetch(url: str, limits: FetchLimits, polite: _Politeness) -> dict[str, Any]:
    try:
        check_page_url(url)
        if not url.lower().startswith(("http://", "https://")):
            raise InputError("not a URL that begins with http:// or https://")
        with polite.lock(find_host(url)):
            fetched = fetch_bytes(url, limits)
    except WebcleanError as error:
        return {"url": url, "html": None, "problem": str(error)}
    return {"url": fetched.url, "html": fetched.body, "charset": fetched.charset}


class _Politeness:
    """One page at a time from each host, with a pause after it."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._guard = threading.Lock()
        self._hosts: dict[str, _Host] = defaultdict(lambda: _Host(pause))

    def lock(self, host: str) -> _Host:
        with self._guard:
            return self._hosts[host]


class _Host:
    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._lock = threading.Lock()
        self._free_at = 0.0

    def __enter__(self) -> None:
        self._lock.acquire()
        time.sleep(max(0.0, self._free_at - time.monotonic()))

    def __exit__(self, *exc: object) -> None:
        self._free_at = time.monotonic() + self._pause
        self._lock.release()


Row = dict[str, Any]
_PAGE_TYPES: Final = frozenset(("text/html", "application/xhtml+xml"))
_PACKED_MAX: Final = 2
"""Times the largest page that a response may have in an archive, where it has headers and may be cut in pieces."""
_HEADER_CHARS: Final = 65_536
"""The longest first line of a response, as of `http.client`, which reads the other lines of its head."""
_CHUNK_LINE: Final = re.compile(rb"[0-9A-Fa-f]+(?:;[^\r\n]*)?\r\n")
_BATCH_ROWS: Final = 8
"""Rows of a Parquet file that become Python objects at a time."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read. columns: of tables and JSON lines. urls: name of a page file -> its URL. folders: the names
    may be relative to one of them. max_bytes: of a page. allow_private: fetch from private addresses. url_pattern: a
    regular expression (RE2); records whose URL is known and has no match are no pages."""

    columns: Columns = field(default_factory=Columns)
    urls: dict[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    max_bytes: int = Limits().max_bytes
    allow_private: bool = False
    url_pattern: str = ""


@dataclass(slots=True)
class Position:
    """How far a source was read. n_bytes: of its files, packed. skipped: what is no page -> how many."""

    n_bytes: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def read_rows(source: PageSource, reading: Reading, position: Position, start: int = 0) -> Iterator[Row]:
    """The rows of a source from number `start` on. Raises `InputError` if its form is wrong, `OSError`."""
    if source.kind == "files" and not reading.url_pattern:
        yield from _read_files(source, reading, position, start)
        return
    rows = _READERS[source.kind](source, reading, position)
    yield from islice(_choose_urls(rows, reading.url_pattern, position) if reading.url_pattern else rows, start, None)


def _choose_urls(rows: Iterator[Row], pattern: str, position: Position) -> Iterator[Row]:
    wanted = re2.compile(pattern)
    for row in rows:
        if row["url"] is None or wanted.search(row["url"]):
            yield row
        else:
            position.skipped["other URL"] += 1


def _read_files(source: PageSource, reading: Reading, position: Position, start: int = 0) -> Iterator[Row]:
    for path in source.paths[start:]:
        row: Row = {"source": path, "url": _find_url(path, reading), "html": None}
        try:
            with open_unpacked(path) as file:
                row["html"] = file.read(reading.max_bytes + 1)
        except OSError as error:
            row["problem"] = f"cannot be read: {error.strerror or error}"
        position.n_bytes += len(row["html"] or b"")
        yield row


def _find_url(path: str, reading: Reading) -> str | None:
    if not reading.urls:
        return None
    folder = next((Path(name) for name in reading.folders if Path(path).is_relative_to(name)), None)
    return next(filter(None, map(reading.urls.get, list_names(path, folder))), None)


def _read_warc(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    """The HTML pages of a web archive (WARC 1.0 and 1.1, ISO 28500), packed or not.

    A page is the payload of a response with status 200 to 299 that is declared HTML. Its URL is the target of the
    record, its encoding that of the header.
    """
    from fastwarc import ArchiveIterator, WarcRecordType  # noqa: PLC0415  an extra

    path, n_records = source.paths[0], 0
    with open_unpacked(path) as file:
        try:
            for record in ArchiveIterator(file, record_types=WarcRecordType.any_type, parse_http=False):
                n_records += 1
                position.n_bytes = _count_read(file)
                if record.record_type == WarcRecordType.response:
                    row = _read_response(record, path, reading.max_bytes, position)
                    if row is not None:
                        yield row
        except (OSError, EOFError, ValueError) as error:
            problem = f"the archive is damaged after {n_records} records: {error}"
            yield {"source": path, "url": None, "html": None, "problem": problem}
        else:
            if not n_records:
                yield {"source": path, "url": None, "html": None, "problem": "is no web archive: it has no records"}


def _read_response(record: Any, path: str, max_bytes: int, position: Position) -> Row | None:
    """The row of a response, None if it is no page. record: of FastWARC, whose HTTP headers are not read yet.

    FastWARC can read HTTP itself, but does not go on after a body that it could not unpack.
    """
    target = record.headers.get("WARC-Target-URI")
    row: Row = {
        "source": f"{path}#{record.record_id}",
        "url": target.strip("<>") if target else None,
        "html": None,
    }
    n_bytes, maximum = record.content_length, _PACKED_MAX * max_bytes
    if n_bytes > maximum:
        return row | {"problem": f"the record has {n_bytes} bytes, the limit is {maximum}"}
    read = record.reader.read()
    if len(read) < n_bytes:
        return row | {"problem": f"the record is cut off after {len(read)} of {n_bytes} bytes"}
    block = io.BytesIO(read)
    try:
        status = block.readline(_HEADER_CHARS).split(maxsplit=2)
        headers = parse_headers(block)
        reason = _find_why_skipped(status, headers)
        if reason:
            position.skipped[reason] += 1
            return None
        row["charset"] = headers.get_content_charset()
        row["html"] = _unpack_body(block.read(), headers, max_bytes)[: max_bytes + 1]
    except (OSError, EOFError, ValueError, HTTPException) as error:
        row["problem"] = f"the response cannot be read: {error}"
    return row


def _find_why_skipped(status: list[bytes], headers: HTTPMessage) -> str | None:
    if len(status) < 2 or not status[0].upper().startswith(b"HTTP/"):
        return "no HTTP response"
    if not status[1].startswith(b"2"):
        return "other status"
    # a message without the header, or with a broken one, is plain text for the parser
    return None if headers.get_content_type() in _PAGE_TYPES else "not HTML"


def _unpack_body(body: bytes, headers: HTTPMessage, max_bytes: int) -> bytes:
    """What was sent, without chunks (RFC 9112, 7.1) and Brotli or deflate; gzip and Zstandard are unpacked with files.

    Crawlers that unpacked a body often kept its headers: what is not as the header says is taken as it is.
    """
    from fastwarc import stream_io  # noqa: PLC0415  an extra

    if "chunked" in headers.get("Transfer-Encoding", "").lower() and _CHUNK_LINE.match(body):
        body = _read_all(stream_io.ChunkedReader(io.BytesIO(body)), len(body))
    encoding = headers.get("Content-Encoding", "").strip().lower()
    try:
        if encoding == "br":
            return _read_all(stream_io.BrotliReader(io.BytesIO(body)), max_bytes + 1)
        if encoding == "deflate":
            return zlib.decompressobj().decompress(body, max_bytes + 1)
    except (OSError, EOFError, ValueError, zlib.error):
        return body
    return body


def _read_all(reader: Any, maximum: int) -> bytes:
    parts: list[bytes] = []
    left = maximum
    while left and (part := reader.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _read_parquet(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    import pyarrow.parquet as pq  # noqa: PLC0415  an extra

    path = source.paths[0]
    with pq.ParquetFile(path) as file:
        wanted = choose_columns(file.schema_arrow.names, reading.columns, path)
        n_rows = max(1, file.metadata.num_rows)
        number = 0
        for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=list(wanted)):
            for found in batch.to_pylist():
                position.n_bytes = source.n_bytes * (number + 1) // n_rows
                yield _name_columns(found, wanted, reading.columns, f"{path}#{number}")
                number += 1


def _read_jsonl(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    path = source.paths[0]
    with open_unpacked(path) as file:
        for number, line in enumerate(_read_lines(file, position)):
            place = f"{path}:{number + 1}"
            try:
                found = json.loads(line)
            except ValueError as error:
                found = {}
                problem = f"no JSON: {error}"
            else:
                problem = "no JSON object" if not isinstance(found, dict) else ""
            if problem:
                yield {"source": place, "url": None, "html": None, "problem": problem}
                continue
            wanted = choose_columns(list(found), reading.columns, place, strict=False)
            yield _name_columns(found, wanted, reading.columns, place)


def _read_urls(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    """Pages of the web, fetched as they are asked for, in the order of the list."""
    path = source.paths[0]
    with open_unpacked(path) as file:
        lines = (line.decode("utf-8", "replace").strip() for line in _read_lines(file, position))
        urls = (line for line in lines if line and not line.startswith("#"))
        for fetched in fetch_pages(urls, max_bytes=reading.max_bytes, allow_private=reading.allow_private):
            yield {"source": path, **fetched}


_READERS: Final[dict[str, Callable[[PageSource, Reading, Position], Iterator[Row]]]] = {
    "files": _read_files,
    "warc": _read_warc,
    "parquet": _read_parquet,
    "jsonl": _read_jsonl,
    "urls": _read_urls,
}


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
        row["html"] = row["html"].encode("utf-8", "replace")
        row["charset"] = "utf-8"
    if not isinstance(row["html"], bytes):
        row |= {"html": None, "problem": f"no page in column {columns.html!r}"}
    for name in ("source", "url", "charset"):
        row[name] = None if row.get(name) is None else str(row[name])
    return row


def _read_lines(file: IO[bytes], position: Position) -> Iterator[bytes]:
    """The lines that are not empty; damage of a packed file ends them with one that is no JSON and no URL."""
    try:
        for line in file:
            position.n_bytes = _count_read(file)
            if line.strip():
                yield line
    except (EOFError, OSError, zlib.error) as error:
        yield f"cannot be read on: {error}".encode()


def open_unpacked(path: str) -> IO[bytes]:
    """A file, unpacked by its ending; FastWARC unpacks archives itself."""
    if path == "-":
        return sys.stdin.buffer
    name = Path(path)
    if name.suffix.lower() == ".gz" and ".warc" not in name.name.lower():
        return cast("IO[bytes]", gzip.open(name))
    if name.suffix.lower() == ".zst" and ".warc" not in name.name.lower():
        zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        return cast("IO[bytes]", zstd.open(name))
    return name.open("rb")


def _count_read(file: IO[bytes]) -> int:
    """Bytes read of the file on the disk, where that is known."""
    raw: Any = getattr(file, "fileobj", None) or file
    try:
        return int(raw.tell())
    except (OSError, io.UnsupportedOperation, AttributeError, ValueError):
        return 0
