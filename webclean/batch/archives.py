"""A web archive (WARC 1.0 and 1.1, ISO 28500, or ARC), packed or not -> its HTML pages, as rows.

A page is the payload of a response with status 200 to 299, of a resource or of a conversion, that is declared HTML, or
looks like it where nothing is declared. Its URL is the target of the record, its encoding that of the header. What is
no page is counted by reason.

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice, takewhile
from typing import IO, Any, Final, NamedTuple

from webclean.batch.sources import PageSource, Position, Reading, Row, tell_problem
from webclean.parse.inputs import HEADER_BYTES, starts_as_page
from webclean.parse.url import is_of_web
from webclean.storage import GZIP, ZSTANDARD, count_read, find_path, open_unpacked, read_head, unpack, unpack_stream

_PAGE_TYPES: Final = frozenset(("text/html", "application/xhtml+xml"))
_UNKNOWN_TYPES: Final = frozenset(("unknown/unknown", "application/unknown", "*/*"))
"""Types that say as much as none (MIME Sniffing, 7); others that end in `xhtml+xml` are pages of telephones."""
_XHTML: Final = b"http://www.w3.org/1999/xhtml"
_CHARSET: Final = re.compile(r"(?i)charset\s*=\s*[\"']?([\w.:-]+)")
_PAGE_RECORDS: Final = frozenset(("response", "resource", "conversion"))
"""Records that hold what was fetched, or was made of it; a conversion is HTML seldom."""
_ABOUT_OTHERS: Final = frozenset(("warcinfo", "request", "metadata"))
"""Records that stand beside those of pages and say something of them."""
_COUNTED: Final = ("revisit", "continuation")
"""Records that are counted by their names; those of other names together, for they can be as many as records."""
_HTTP: Final = re.compile(rb"HTTP/\d(?:\.\d)? \d{3}\b")
_INTERIM: Final = re.compile(rb"(?:HTTP/1\.\d 1\d\d\b[^\n]*\n(?:[^\r\n]+\r?\n)*+\r?\n)++(?=HTTP/)")
"""What a server says before its response (RFC 9110, 15.2)."""
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_FOLD: Final = re.compile(r"\r?\n[ \t]+")
"""A line of a header that goes on (RFC 9112, 5.2)."""
_ARC_LINE: Final = re.compile(rb"(\w[\w+.-]*:[^\r\n]*?) \S+ \d{8,14} (\S+)(?: [^\r\n]*)? (\d+)\r?(?:\n|\Z)")
_OWN_LENGTH: Final = re.compile(rb"(?s)\n(?:Content-Length:.*\nWARC-Type:|WARC-Type:.*\nContent-Length:)")
_PACKED_MAX: Final = 2
"""Times the largest page that a response may have in an archive, where it has headers and may be cut in pieces."""
_CHUNK_LINE: Final = re.compile(rb"[0-9A-Fa-f]+(?:;[^\r\n]*)?\r\n")
_HEADER_CHARS: Final = 65_536
"""The longest line that is read at once."""
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
    path, max_bytes = source.paths[0], reading.max_bytes
    if not _is_for_line_reader(path):
        yield from _read_fast(source, reading, position)
        return
    for found in _read_lines(path, position, _PACKED_MAX * max_bytes):
        if isinstance(found, str):
            yield tell_problem(path, found)
        elif (page := _read_page(found, path, max_bytes, position)) is not None:
            yield page


def _read_fast(source: PageSource, reading: Reading, position: Position) -> Iterator[Row]:
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
                    # its HTTP headers are not read by FastWARC, which does not go on after a body that it cannot unpack
                    fields = {name.lower(): value for name, value in record.headers}
                    found = _Record(str(record.record_id), fields, record.content_length, record.reader.read)
                    if (row := _read_page(found, path, reading.max_bytes, position)) is not None:
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
                yield tell_problem(path, problem)
        if not n_records and not problem and not source.first:
            yield tell_problem(path, "is no web archive: it has no records")


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
        while window := file.read(_WINDOW + _PACKED_HEAD):
            if mark is None:
                line = _FIRST_LINES.search(window)
                found = line.start() + 1 if line else -1
            else:
                found = window.find(mark)
                # the mark of packed data is three or four bytes, which stand inside of packed data by chance too
                while found >= 0 and not unpack(window[found : found + _PACKED_HEAD], _PACKED_HEAD).startswith(
                    _VERSION
                ):
                    found = window.find(mark, found + 1)
            if 0 <= found < _WINDOW:
                return at + found
            at += _WINDOW
            file.seek(at)
        return None


def _is_whole(path: str, start: int, end: int) -> bool:
    """Whether these bytes are a packed record from its beginning to its end."""
    with find_path(path).open("rb") as file:
        file.seek(start)
        packed = io.BytesIO(file.read(end - start))
    if not packed.getvalue().startswith((GZIP, ZSTANDARD)):
        return False
    try:
        # piece by piece: a record may unpack to a thousand times its bytes
        opened = unpack_stream(io.BufferedReader(packed))
        return sum(map(len, iter(partial(opened.read, _WINDOW), b""))) > 0
    except OSError:
        return False


def has_seekable_records(path: str) -> bool:
    """Whether records can be read from where they begin: each is packed by itself, as in most archives, or none is.

    Else the reader says of the second record no place at which one begins.
    """
    from fastwarc import ArchiveIterator, WarcRecordType  # noqa: PLC0415  an extra

    if _is_for_line_reader(path):
        return False
    with find_path(path).open("rb") as file:
        try:
            records = ArchiveIterator(file, record_types=WarcRecordType.any_type, parse_http=False)
            places = [record.stream_pos for record in islice(records, 2)]
        except (OSError, EOFError, ValueError):
            return False
    return len(places) < 2 or _find_record(path, places[1]) == places[1]


class _Record(NamedTuple):
    """A record of an archive, whose body is read when it is asked for. name: its id or place. fields: by their names in
    small letters. n_bytes: of its body."""

    name: str
    fields: dict[str, str]
    n_bytes: int
    read: Callable[[int], bytes]


def _read_page(record: _Record, path: str, max_bytes: int, position: Position) -> Row | None:
    """The row of a record, None if it is no page, which is counted."""
    kind = record.fields.get("warc-type", "").lower()
    if kind not in _PAGE_RECORDS:
        if kind not in _ABOUT_OTHERS:
            position.skipped[f"{kind if kind in _COUNTED else 'unknown'} record"] += 1
        return None
    url = record.fields.get("warc-target-uri", "").strip("<>") or None
    row: Row = {"source": f"{path}#{record.name}", "url": url, "html": None}
    body = record.read(record.n_bytes) if record.n_bytes <= _PACKED_MAX * max_bytes else b""
    if len(body) < record.n_bytes:
        limit, n_bytes = _PACKED_MAX * max_bytes, record.n_bytes
        too_large = f"the record has {n_bytes} bytes, the limit is {limit}"
        cut_off = f"the record is cut off after {len(body)} of {n_bytes} bytes"
        return row | {"problem": too_large if n_bytes > limit else cut_off}
    declared = record.fields.get("content-type", "")
    # crawlers write what was no HTTP as a resource, and some write a whole response so, or a page as a response
    if _HTTP.match(body) or (kind == "response" and not _is_page(declared, b"")):
        body = _INTERIM.sub(b"", body, 1)
        end = _HEAD_END.search(body)
        head, body = (body[: end.start()], body[end.end() :]) if end else (body, b"")
        status = head.partition(b"\n")[0].split(maxsplit=2)
        is_http = len(status) > 1 and status[0].upper().startswith(b"HTTP/")
        if not is_http or not status[1].startswith(b"2"):
            position.skipped["other status" if is_http else "no HTTP response"] += 1
            return None
        headers = _read_headers(head)
        declared = headers.get("content-type", "")
        body = _unpack_body(body, headers, max_bytes)
    if not _is_page(declared, body):
        position.skipped["not HTML"] += 1
        return None
    charset = _CHARSET.search(declared)
    return row | {"charset": charset[1].lower() if charset else None, "html": body[: max_bytes + 1]}


def _read_headers(head: bytes) -> dict[str, str]:
    """Name in small letters -> value, of all lines that are headers; the values of equal ones with commas between
    (RFC 9110, 5.3)."""
    headers: dict[str, str] = {}
    for line in _FOLD.sub(" ", head.decode("latin-1")).split("\n")[1:]:
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if colon:
            headers[name] = f"{headers[name]}, {value.strip()}" if name in headers else value.strip()
    return headers


def _is_page(declared: str, body: bytes) -> bool:
    """Whether a browser shows this as a page: by one of the types that are declared; by the first bytes where none is,
    or none that means anything (MIME Sniffing, 7)."""
    types = [one.lower() for one in re.split(r"[\s,;]+", declared) if "/" in one and "=" not in one]
    if any(one in _PAGE_TYPES or one.endswith("xhtml+xml") for one in types):
        return True
    if any(one not in _UNKNOWN_TYPES for one in types):
        return _XHTML in body[:HEADER_BYTES] and not {"text/xml", "application/xml"}.isdisjoint(types)
    return starts_as_page(unpack(body[: 2 * HEADER_BYTES], HEADER_BYTES))


def _is_for_line_reader(path: str) -> bool:
    """Whether FastWARC does not know the archive: it is ARC, its lines end in LF alone, or its names of fields are in
    other letters than those of the specification, in which they have no case."""
    piped: Any = sys.stdin.buffer if path == "-" else None
    head = piped.peek(_PACKED_HEAD) if piped else read_head(path, _PACKED_HEAD)
    fields = re.split(rb"\r?\n\r?\n", unpack(head, _PACKED_HEAD), maxsplit=1)[0]
    is_plain = b"\r\n" in fields and _OWN_LENGTH.search(fields)
    return bool(_ARC_LINE.match(fields) or (fields.startswith(_VERSION) and not is_plain))


def _read_lines(path: str, position: Position, maximum: int) -> Iterator[_Record | str]:
    """The records of an ARC file (Internet Archive, 1996) or of a WARC file, line by line; a text is a problem.

    maximum: bytes of a body that are read; the others are passed over.

        http://example.org/ 192.0.2.1 20140216050221 text/html 2132
        HTTP/1.1 200 OK ...                                    2,132 bytes, then an empty line
    """
    at = 0
    with unpack_stream(sys.stdin.buffer) if path == "-" else open_unpacked(find_path(path)) as file:
        try:
            is_lost = False
            while line := file.readline(_HEADER_CHARS):
                at, begin = at + len(line), at
                arc = _ARC_LINE.match(line)
                if not arc and not line.startswith(_VERSION):
                    if line.strip() and not is_lost:
                        is_lost = True
                        yield f"the archive is damaged at byte {begin} of what is packed in it"
                    continue
                is_lost = False
                if arc:
                    url, declared, length = (part.decode("latin-1") for part in arc.groups())
                    # writers miscount the description of the file: it ends where a record begins
                    if is_lost := url.startswith("filedesc:"):
                        continue
                    kind = "response" if is_of_web(url) else "resource"
                    fields = {"warc-target-uri": url, "content-type": declared, "warc-type": kind}
                    fields["content-length"] = length
                else:
                    lines = [line, *takewhile(bytes.strip, iter(partial(file.readline, _HEADER_CHARS), b""))]
                    at += sum(map(len, lines[1:])) + 1
                    fields = _read_headers(b"".join(lines))
                length = fields.get("content-length", "")
                if not (length.isascii() and length.isdigit()):
                    is_lost = True
                    yield f"the record at byte {begin} does not say how long it is"
                    continue
                n_bytes = int(length)
                body = file.read(min(n_bytes, maximum))
                left = n_bytes - len(body)
                while left > 0 and (part := file.read(min(left, _WINDOW))):
                    left -= len(part)
                at += n_bytes - left
                position.n_bytes = count_read(file)
                name = fields.get("warc-record-id", "").strip("<>") or str(begin)
                yield _Record(name, fields, n_bytes, io.BytesIO(body).read)
        except OSError as error:
            yield f"the archive is damaged behind byte {at} of what is packed in it: {error}"


def _unpack_body(body: bytes, headers: dict[str, str], max_bytes: int) -> bytes:
    """What was sent, without chunks (RFC 9112, 7.1) and without its encodings, of which the last was applied last.

    Crawlers that unpacked a body often kept its headers: what is not as the header says is taken as it is.
    """
    from fastwarc import stream_io  # noqa: PLC0415  an extra

    if "chunked" in headers.get("transfer-encoding", "").lower() and _CHUNK_LINE.match(body):
        with suppress(OSError, EOFError, ValueError):
            body = _read_all(stream_io.ChunkedReader(io.BytesIO(body)), len(body))
    for encoding in reversed(headers.get("content-encoding", "").lower().split(",")):
        with suppress(OSError, EOFError, ValueError, zlib.error):
            if encoding.strip() == "br":
                body = _read_all(stream_io.BrotliReader(io.BytesIO(body)), max_bytes + 1)
            elif encoding.strip() == "deflate":
                # meant to have the frame of zlib, but servers send it without one too (RFC 9110, 8.4.1.2)
                for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
                    with suppress(zlib.error):
                        body = zlib.decompressobj(bits).decompress(body, max_bytes + 1)
                        break
            else:
                body = unpack(body, max_bytes)
    return body


def _read_all(reader: Any, maximum: int) -> bytes:
    parts: list[bytes] = []
    left = maximum
    while left and (part := reader.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def write_response(file: IO[bytes], url: str, content_type: str, body: bytes) -> None:
    """Write a page as it was served into a web archive: a response that is packed by itself, as other tools read and
    seek in them. content_type: the header."""
    from fastwarc import WarcRecord, WarcRecordType  # noqa: PLC0415  an extra

    record = WarcRecord()
    record.init_headers(record_type=WarcRecordType.response)
    record.headers["WARC-Target-URI"] = url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    head = f"HTTP/1.1 200\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    record.set_bytes_content(head.encode("latin-1", "replace") + body)
    written = io.BytesIO()
    record.write(written)
    file.write(gzip.compress(written.getvalue(), compresslevel=6))
