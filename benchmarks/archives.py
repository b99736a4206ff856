"""The same pages as a folder, a web archive, a Parquet file and JSON lines; and the rows that a job made of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from uuid import NAMESPACE_URL, uuid5

import checkout  # noqa: F401  webclean of this clone
import pyarrow as pa
import pyarrow.parquet as pq

FIXTURES = Path(__file__).parents[1] / "fixtures"


@dataclass(frozen=True)
class Sample:
    """A page and the address that it is given."""

    name: str
    html: bytes
    url: str


def list_samples(pattern: str = "*/*/input.html", n: int = 40) -> list[Sample]:
    paths = sorted(FIXTURES.glob(pattern))[:n]
    return [Sample(path.parent.name, path.read_bytes(), f"https://{i}.example/{i}") for i, path in enumerate(paths)]


def write_folder(folder: Path, samples: Iterable[Sample]) -> Path:
    """Pages as files, and `urls.tsv` beside the folder."""
    folder.mkdir(parents=True)
    lines = []
    for i, sample in enumerate(samples):
        name = f"{i:05d}-{sample.name}.html"
        (folder / name).write_bytes(sample.html)
        lines.append(f"{name}\t{sample.url}\n")
    (folder.parent / "urls.tsv").write_text("".join(lines))
    return folder


def write_parquet(path: Path, samples: Iterable[Sample], row_group_size: int = 100) -> Path:
    listed = list(samples)
    columns = {"html": [one.html for one in listed], "url": [one.url for one in listed]}
    pq.write_table(pa.table({**columns, "id": list(range(len(listed)))}), path, row_group_size=row_group_size)
    return path


def write_jsonl(path: Path, samples: Iterable[Sample]) -> Path:
    """JSON lines of pages that are UTF-8."""
    lines = [json.dumps({"html": one.html.decode(), "url": one.url}) for one in samples]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def write_warc(path: Path, samples: Iterable[Sample], content_type: str = "text/html") -> Path:
    """A gzipped web archive: a response for each page, with a request before it, as crawlers write them."""
    with path.open("wb") as file:
        for sample in samples:
            add_record(file, "request", sample.url, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            add_record(file, "response", sample.url, respond(sample.html, content_type))
    return path


def respond(body: bytes, content_type: str, status: str = "200 OK", *headers: str) -> bytes:
    """An HTTP response."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def add_record(file: IO[bytes], kind: str, url: str, block: bytes) -> None:
    """Append a record (ISO 28500), as a gzip member of its own."""
    head = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid5(NAMESPACE_URL, kind + url)}>",
        "WARC-Date": "2026-11-22T12:00:00Z",
        "WARC-Target-URI": url,
        "Content-Type": f"application/http; msgtype={kind}",
        "Content-Length": str(len(block)),
    }
    lines = ["WARC/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    file.write(gzip.compress("\r\n".join(lines).encode() + block + b"\r\n\r\n", 1))


def read_rows(output: Path, table: str = "pages") -> list[dict[str, Any]]:
    """All rows, in the order of their parts, without what differs from run to run."""
    rows = []
    for path in sorted((output / table).glob("*.parquet")):
        rows += pq.read_table(path).to_pylist()
    return [{name: value for name, value in row.items() if name != "ms"} for row in rows]
