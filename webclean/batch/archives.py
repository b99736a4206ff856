"""A web archive (WARC 1.0 and 1.1, ISO 28500), packed or not -> its HTML pages, as rows.

A page is the payload of a response with status 200 to 299 that is declared HTML. Its URL is the target of the record,
its encoding that of the header.

Each record of a packed archive is packed by itself, and one of a plain archive begins with a line of its own, so behind
damage the next record is looked for and reading goes on:

    record 30 | record 31, 200 bytes overwritten | record 32 ...
                ^ here reading stops               ^ the next bytes that unpack to `WARC/`
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from functools import partial
from http.client import HTTPException, HTTPMessage, parse_headers
from itertools import islice
from typing import IO, Any, Final

from webclean.batch.sources import PageSource, Position, Reading, Row
from webclean.storage import GZIP, ZSTANDARD, count_read, find_path, load_zstandard, unpack

_PAGE_TYPES: Final = frozenset(("text/html", "application/xhtml+xml"))
_PACKED_MAX: Final = 2
"""Times the largest page that a response may have in an archive, where it has headers and may be cut in pieces."""
_HEADER_CHARS: Final = 65_536
"""The longest first line of a response, as of `http.client`, which reads the other lines of its head."""
_CHUNK_LINE: Final = re.compile(rb"[0-9A-Fa-f]+(?:;[^\r\n]*)?\r\n")
_VERSION: Final = b"WARC/"
# a page may have the line too, but not with a field behind it
_FIRST_LINES: Final = re.compile(rb"\nWARC/1\.\d\r?\n(?=(?i:WARC-|Content-))")
_PACKED_HEAD: Final = 4096
"""Bytes that are unpacked to see whether a record begins there."""
_WINDOW: Final = 1 << 20
"""Bytes of an archive that are searched at a time for where a record begins."""


def read_archive(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
    """The rows of an archive, or of the records that begin in its slice, and one for each damaged part; `-`: standard
    input."""
    from fastwarc import ArchiveIterator, WarcRecordType  # noqa: PLC0415  an extra

    path, end = source.paths[0], sys.maxsize if source.end is None else source.end
    n_records, last, problem = 0, source.first - 1, ""
    # packed archives are unpacked by FastWARC, record by record
    with sys.stdin.buffer if path == "-" else find_path(path).open("rb") as file:
        # damage that reaches over the start is told by the slice before
        start = _find_record(path, source.first) if source.first else 0
        while start is not None and start < end:
            try:
                # seeking again also forgets what the reader had buffered
                if start:
                    file.seek(start)
                for record in ArchiveIterator(file, record_types=WarcRecordType.any_type, parse_http=False):
                    if record.stream_pos >= end:
                        break
                    n_records, last = n_records + 1, record.stream_pos
                    position.n_bytes = max(position.n_bytes, min(count_read(file), end) - source.first)
                    if record.record_type == WarcRecordType.response:
                        row = _read_response(record, path, reading.max_bytes, position)
                        if row is not None:
                            yield row
                break
            except (OSError, EOFError, ValueError) as error:
                last = max(last, start)
                start = _find_record(path, last + 1)
                # the reader looks ahead: the damage is of the next record, which may be of the next slice
                if start is not None and _is_whole(path, last, start):
                    continue
                problem = f"the archive is damaged after {n_records} records, behind byte {last}: {error}"
                if start is not None:
                    problem += f"; it is read on from byte {start}"
                yield {"source": path, "url": None, "html": None, "problem": problem}
        if not n_records and not problem and not source.first:
            yield {"source": path, "url": None, "html": None, "problem": "is no web archive: it has no records"}


def _find_record(path: str, start: int) -> int | None:
    """Where the next record begins that can be read, at a byte or behind it."""
    if path == "-":
        return None
    with find_path(path).open("rb") as file:
        head = file.read(max(map(len, (GZIP, ZSTANDARD))))
        mark = next((mark for mark in (GZIP, ZSTANDARD) if head.startswith(mark)), None)
        # the line that a record begins with is found by the end of the one before
        at = start if mark else max(0, start - 1)
        file.seek(at)
        window = file.read(_WINDOW + _PACKED_HEAD)
        while window:
            found = _find_in(window, mark)
            if found is not None:
                return at + found
            at += _WINDOW
            file.seek(at)
            window = file.read(_WINDOW + _PACKED_HEAD)
        return None


def _find_in(window: bytes, mark: bytes | None) -> int | None:
    """Where the first record of a window begins. mark: of packed records, whose first bytes unpack to `WARC/`."""
    if mark is None:
        found = _FIRST_LINES.search(window)
        return found.start() + 1 if found else None
    at = window.find(mark)
    # the mark of packed data is three or four bytes, which stand inside of packed data by chance too
    while 0 <= at < _WINDOW and not unpack(window[at : at + _PACKED_HEAD], _PACKED_HEAD).startswith(_VERSION):
        at = window.find(mark, at + 1)
    return at if 0 <= at < _WINDOW else None


def _is_whole(path: str, start: int, end: int) -> bool:
    """Whether these bytes are a packed record from its beginning to its end."""
    with find_path(path).open("rb") as file:
        file.seek(start)
        packed = io.BytesIO(file.read(end - start))
    zstd = load_zstandard()
    try:
        opened = gzip.GzipFile(fileobj=packed) if packed.getvalue().startswith(GZIP) else zstd.ZstdFile(packed)
        # piece by piece: a record may unpack to a thousand times its bytes
        return sum(map(len, iter(partial(opened.read, _WINDOW), b""))) > 0
    except (OSError, EOFError, zlib.error, zstd.ZstdError):
        return False


def has_seekable_records(path: str) -> bool:
    """Whether records can be read from where they begin: each is packed by itself, as in most archives, or none is.

    Else the reader says of the second record no place at which one begins.
    """
    from fastwarc import ArchiveIterator, WarcRecordType  # noqa: PLC0415  an extra

    with find_path(path).open("rb") as file:
        try:
            records = ArchiveIterator(file, record_types=WarcRecordType.any_type, parse_http=False)
            places = [record.stream_pos for record in islice(records, 2)]
        except (OSError, EOFError, ValueError):
            return False
    return len(places) < 2 or _find_record(path, places[1]) == places[1]


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
        reasons = {
            "no HTTP response": len(status) < 2 or not status[0].upper().startswith(b"HTTP/"),
            "other status": not status[1:2] or not status[1].startswith(b"2"),
            # a message without the header, or with a broken one, is plain text for the parser
            "not HTML": headers.get_content_type() not in _PAGE_TYPES,
        }
        for reason, is_so in reasons.items():
            if is_so:
                position.skipped[reason] += 1
                return None
        row["charset"] = headers.get_content_charset()
        row["html"] = _unpack_body(block.read(), headers, max_bytes)[: max_bytes + 1]
    except (OSError, EOFError, ValueError, HTTPException) as error:
        row["problem"] = f"the response cannot be read: {error}"
    return row


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


def write_response(file: IO[bytes], url: str, status: int, content_type: str, body: bytes) -> None:
    """Write a page as it was served into a web archive: a response that is packed by itself, as other tools read and
    seek in them. content_type: the header."""
    from fastwarc import WarcRecord, WarcRecordType  # noqa: PLC0415  an extra

    record = WarcRecord()
    record.init_headers(record_type=WarcRecordType.response)
    record.headers["WARC-Target-URI"] = url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    record.set_bytes_content(head.encode("latin-1", "replace") + body)
    written = io.BytesIO()
    record.write(written)
    file.write(gzip.compress(written.getvalue(), compresslevel=6))
