"""Whatever holds pages is read record by record; what cannot be read is told in its place."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from archives import add_record, respond, write_parquet, write_warc
from archives import list_samples as list_fixtures

from tests import write_file
from tests.web_sites import Handler, run_site
from webclean.batch import readers
from webclean.batch.readers import fetch_pages, read_rows
from webclean.batch.sources import PageSource, Position, Reading, list_sources
from webclean.batch.tables import Columns
from webclean.errors import InputError
from webclean.web.fetch import FetchLimits

zstd = pytest.importorskip("backports.zstd", reason="Zstandard")
pytest.importorskip("fastwarc", reason="web archives need the extra batch")
pq = pytest.importorskip("pyarrow.parquet", reason="tables need the extra batch")


def read(path: Path, **reading: Any) -> list[dict[str, Any]]:
    (source,) = list_sources([str(path)], 100).found
    return list(read_rows(source, Reading(**reading), Position()))


@contextmanager
def open_archive(path: Path) -> Iterator[Any]:
    with path.open("wb") as file:
        yield partial(add_record, file, "response")


def test_folders_are_read_by_name_also_packed_files(tmp_path: Path) -> None:
    page = b"<p>a page"
    write_file(tmp_path / "sub" / "b.htm.gz", gzip.compress(page))
    (tmp_path / "a.html").write_bytes(page)
    (tmp_path / "c.html.zst").write_bytes(zstd.compress(page))
    (tmp_path / "notes.md").write_text("no page")
    found = list_sources([str(tmp_path)], 2)
    assert [Path(path).name for source in found.found for path in source.paths] == ["a.html", "c.html.zst", "b.htm.gz"]
    assert [len(source.paths) for source in found.found] == [2, 1]
    assert [Path(path).name for path in found.skipped] == ["notes.md"]
    rows = [row for source in found.found for row in read_rows(source, Reading(), Position())]
    assert [row["html"] for row in rows] == [page] * 3


def test_sources_keep_the_order_of_the_names(tmp_path: Path) -> None:
    for name in ("z.html", "b.warc.gz", "a.html", "p.parquet", "l.jsonl.zst", "u.txt", "plain", "archive"):
        (tmp_path / name).write_bytes(b"WARC/1.1" if name == "archive" else b"<p>")
    names = ["z.html", "a.html", "b.warc.gz", "p.parquet", "l.jsonl.zst", "u.txt", "plain", "archive"]
    found = list_sources([str(tmp_path / name) for name in names], 100).found
    assert [source.kind for source in found] == ["files", "warc", "parquet", "jsonl", "urls", "files", "warc"]
    assert [Path(path).name for path in found[0].paths] == ["z.html", "a.html"]
    assert found[1].n_bytes == 3
    pattern = list_sources([str(tmp_path / "*.html")], 100).found
    assert [Path(path).name for path in pattern[0].paths] == ["a.html", "z.html"]
    assert list_sources([str(tmp_path / "plain")], 100, "jsonl").found[0].kind == "jsonl"


@pytest.mark.parametrize("name", ["missing.html", "*.nothing", "."])
def test_what_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        list_sources([str(tmp_path / name)], 100)


def test_urls_of_files_come_from_the_list(tmp_path: Path) -> None:
    write_file(tmp_path / "sub" / "a.html", b"<p>")
    (tmp_path / "b.html").write_bytes(b"<p>")
    found = read(tmp_path, urls={"sub/a": "http://x.net/a"}, folders=(str(tmp_path),))
    assert [row["url"] for row in found] == [None, "http://x.net/a"]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>")
    (tmp_path / "b.html.gz").write_bytes(b"no gzip")
    sources = list_sources([str(tmp_path)], 100).found
    (tmp_path / "a.html").unlink()
    rows = list(read_rows(sources[0], Reading(), Position()))
    assert [row["html"] for row in rows] == [None, None]
    assert "No such file" in rows[0]["problem"]
    assert rows[1]["problem"]


def test_a_page_is_read_to_one_byte_over_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"x" * 10_000))
    assert len(read(tmp_path, max_bytes=100)[0]["html"]) == 101


def test_archives_give_the_pages_of_html_responses(tmp_path: Path) -> None:
    brotli = pytest.importorskip("brotli")
    path = tmp_path / "a.warc.gz"
    with open_archive(path) as add:
        add("http://a.x/", respond("Köln".encode("latin-1"), 'Text/HTML; charset="ISO-8859-1"'))
        add("http://pdf.x/", respond(b"%PDF", "application/pdf"))
        add("http://gone.x/", respond(b"nope", "text/html", "404 Not Found"))
        add("http://none.x/", b"garbage")
        add(
            "http://chunks.x/",
            respond(b"5\r\n<p>ch\r\n4\r\nunks\r\n0\r\n\r\n", "text/html", "200 OK", "Transfer-Encoding: chunked"),
        )
        add("http://whole.x/", respond(b"<p>whole", "text/html", "200 OK", "Transfer-Encoding: chunked"))
        add("http://br.x/", respond(brotli.compress(b"<p>br"), "text/html", "200 OK", "Content-Encoding: br"))
        add("http://plain.x/", respond(b"<p>plain", "text/html", "200 OK", "Content-Encoding: br"))
        add("http://last.x/", respond(b"<p>last", "application/xhtml+xml", "201 Created"))
    with path.open("ab") as file:
        add_record(file, "resource", "http://resource.x/", b"<p>no response")
    position = Position()
    rows = list(read_rows(PageSource("warc", (str(path),)), Reading(), position))
    assert {row["url"]: row["html"] for row in rows} == {
        "http://a.x/": b"K\xf6ln",
        "http://chunks.x/": b"<p>chunks",
        "http://whole.x/": b"<p>whole",
        "http://br.x/": b"<p>br",
        "http://plain.x/": b"<p>plain",
        "http://last.x/": b"<p>last",
    }
    assert [row["charset"] for row in rows[:2]] == ["iso-8859-1", None]
    assert rows[0]["source"].startswith(f"{path}#<urn:uuid:")
    assert position.skipped == {"not HTML": 2, "other status": 1, "no HTTP response": 1}


def test_damage_of_an_archive_is_told(tmp_path: Path) -> None:
    samples = list_fixtures(n=3)
    path = write_warc(tmp_path / "a.warc.gz", samples)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3000])
    rows = read(path)
    assert [row["html"] for row in rows[:2]] == [sample.html for sample in samples[:2]]
    assert rows[2]["html"] is None
    assert "cut off" in rows[2]["problem"] or "damaged" in rows[2]["problem"]
    path.write_bytes(gzip.compress(b""))
    (row,) = read(path)
    assert "no web archive" in row["problem"]


@pytest.mark.parametrize("behind", [0, 5, 100])
@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress, bytes])
def test_behind_a_damaged_record_an_archive_is_read_on(
    tmp_path: Path, pack: Callable[[bytes], bytes], behind: int
) -> None:
    path, starts = tmp_path / "a.warc", []
    for number in range(20):
        starts.append(path.stat().st_size if number else 0)
        record = io.BytesIO()
        add_record(record, "response", f"http://a.x/{number}", respond(b"<p>page</p>" * 200, "text/html"))
        with path.open("ab") as file:
            file.write(pack(gzip.decompress(record.getvalue())))
    whole = path.read_bytes()
    at = starts[7] + behind
    path.write_bytes(whole[:at] + bytes(200) + whole[at + 200 :])
    position = Position()
    rows = list(read_rows(PageSource("warc", (str(path),)), Reading(), position))
    found = {row["url"] for row in rows if row["html"] is not None}
    # what is overwritten may be the end of a record that is read for all that
    assert found | {"http://a.x/7", "http://a.x/8"} == {f"http://a.x/{number}" for number in range(20)}
    assert len(found) >= 18
    problems = [row["problem"] for row in rows if row.get("problem")]
    # where only the length of a plain record is lost, what is left is an empty response
    assert any("damaged" in problem for problem in problems) or position.skipped == {"no HTTP response": 1}


def test_a_damaged_packed_page_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    page = b"<p>page</p>" * 9000
    packed, frames = gzip.compress(page), zstd.compress(page)
    for number, damaged in enumerate((packed[: len(packed) // 2], b"\x1f\x8b\x08" + packed[::-1])):
        (tmp_path / f"{number}.html.gz").write_bytes(damaged)
    for number, damaged in enumerate((frames[: len(frames) // 2], frames[:4] + frames[::-1], frames[::-1])):
        (tmp_path / f"{number}.html.zst").write_bytes(damaged)
    (tmp_path / "whole.html").write_bytes(page)
    rows = read(tmp_path)
    assert [row["html"] for row in rows] == [None] * 5 + [page]
    assert all("damaged" in row["problem"] or "gzip" in row["problem"] for row in rows[:5])


def test_rows_of_a_damaged_parquet_group_are_told_one_by_one(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", list_fixtures(n=40), row_group_size=10)
    data = bytearray(path.read_bytes())
    group = pq.ParquetFile(path).metadata.row_group(1).column(0)
    at = group.dictionary_page_offset or group.data_page_offset
    data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    rows = read(path)
    assert [row["html"] is None for row in rows] == [False] * 10 + [True] * 10 + [False] * 20
    assert all("damaged" in row["problem"] for row in rows[10:20])


def test_a_json_line_that_is_nested_too_deep_or_too_long_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = ['{"html":' + "[" * 100_000, '{"html": "' + "x" * 100_000 + '"}', '{"html": "<p>last"}']
    path.write_text("\n".join(lines))
    rows = read(path, max_bytes=1000)
    assert [row["html"] for row in rows] == [None, None, b"<p>last"]
    assert "too deep" in rows[0]["problem"] or "bytes" in rows[0]["problem"]
    assert "more than" in rows[1]["problem"]
    assert "too deep" in read(path)[0]["problem"]


def test_records_over_the_limit_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    with open_archive(path) as add:
        add("http://big.x/", respond(b"x" * 5000, "text/html"))
        add("http://long.x/", respond(b"x" * 1500, "text/html"))
        add("http://small.x/", respond(b"<p>small", "text/html"))
    rows = read(path, max_bytes=1000)
    assert "limit is 2000" in rows[0]["problem"]
    assert [len(row["html"] or b"") for row in rows] == [0, 1001, 8]


def test_columns_of_tables_are_chosen(tmp_path: Path) -> None:
    samples = list_fixtures(n=5)
    path = write_parquet(tmp_path / "a.parquet", samples)
    rows = read(path, columns=Columns(keep=("id",)))
    assert [(row["html"], row["url"], row["id"]) for row in rows] == [
        (sample.html, sample.url, number) for number, sample in enumerate(samples)
    ]
    assert rows[3]["source"] == f"{path}#3"
    assert next(read_rows(PageSource("parquet", (str(path),)), Reading(), Position(), 3))["url"] == samples[3].url
    with pytest.raises(InputError, match="no column 'body'; it has html, url, id"):
        read(path, columns=Columns(html="body"))


def test_json_lines_are_read_and_bad_lines_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = [
        json.dumps({"body": "<p>ä", "id": 7}),
        "",
        "{broken",
        "[1]",
        json.dumps({"id": 8}),
        json.dumps({"body": 3}),
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    rows = read(path, columns=Columns(html="body", keep=("id",)))
    assert [row["html"] for row in rows] == ["<p>ä".encode(), None, None, None, None]
    assert (rows[0]["charset"], rows[0]["id"], rows[0]["source"]) == ("utf-8", 7, f"{path}:1")
    problems = [row["problem"] for row in rows[1:]]
    assert problems[0].startswith("no JSON")
    assert problems[1:] == ["no JSON object", "no page in column 'body'", "no page in column 'body'"]
    path.write_bytes(path.read_bytes()[:-10])
    assert "damaged gzip" in read(path)[-1]["problem"]


class Site(Handler):
    def respond(self) -> None:
        if self.path == "/missing":
            self.send_error(404)
        else:
            self.answer(200, {"Content-Type": "text/html; charset=latin1"}, f"<p>{self.path}".encode())


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with run_site(Site) as url:
        yield url


def test_pages_of_several_hosts_are_fetched_at_once() -> None:
    together = Barrier(2)

    class Slow(Handler):
        def respond(self) -> None:
            together.wait(20)  # until the other page is asked for too
            self.answer(200, {"Content-Type": "text/html"}, b"<p>Here")

    with run_site(Slow) as url:
        urls = [url, url.replace("127.0.0.1", "localhost")]
        rows = list(fetch_pages(urls, FetchLimits(1000, allow_private=True), 0))
    assert [(row["url"], row["html"]) for row in rows] == [(url, b"<p>Here") for url in urls]


def test_pages_of_a_list_are_fetched_in_order(site: str) -> None:
    urls = [f"{site}/{number}" for number in range(5)] + [f"{site}/missing", "ftp://x.net/", f"{site}/last"]
    rows = list(fetch_pages(urls, FetchLimits(1000, allow_private=True), 0.01))
    assert [row["url"] for row in rows] == urls
    assert rows[4]["html"] == b"<p>/4"
    assert [row.get("charset") for row in rows[:1]] == ["latin1"]
    assert [row["html"] is None for row in rows] == [False] * 5 + [True, True, False]
    assert "404" in rows[5]["problem"]


def test_a_list_of_urls_is_a_source(site: str, tmp_path: Path) -> None:
    path = write_file(tmp_path / "urls.txt", f"# pages\n{site}/one\t2026-01-02\tTides\n\n")
    (row,) = read(path, allow_private=True)
    assert (row["html"], row["source"]) == (b"<p>/one", str(path))
    assert read(path)[0]["html"] is None  # a private address


def test_a_host_is_asked_one_page_at_a_time(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(readers, "time", SimpleNamespace(monotonic=lambda: 9.0, sleep=waited.append))
    assert len(list(fetch_pages([f"{site}/{n}" for n in range(4)], FetchLimits(99, allow_private=True), 0.25))) == 4
    assert waited == [0.0, 0.25, 0.25, 0.25]


def _read_all(path: Path) -> tuple[list[dict[str, Any]], Position]:
    position = Position()
    (source,) = list_sources([str(path)], 100).found
    return list(read_rows(source, Reading(), position)), position


_PAGE = b"<!doctype html><html><body><p>Der Wasserturm steht am Rand."


@pytest.mark.parametrize(
    "declared",
    ["text/html, text/html", "text/html charset=utf-8", "", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"],
)
def test_odd_types_are_read_as_browsers_do(tmp_path: Path, declared: str) -> None:
    path = tmp_path / "a.warc"
    with path.open("wb") as file:
        add_record(file, "response", "http://a.x/", respond(_PAGE, declared, "200 OK"))
    (row,), _ = _read_all(path)
    assert row["html"] == _PAGE


@pytest.mark.parametrize("form", [-zlib.MAX_WBITS, zlib.MAX_WBITS])
def test_several_encodings_and_a_hundred_headers_are_unpacked(tmp_path: Path, form: int) -> None:
    packer = zlib.compressobj(wbits=form)
    body = gzip.compress(packer.compress(_PAGE) + packer.flush())
    headers = ["Content-Encoding: deflate, gzip", *(f"Set-Cookie: a{n}=b" for n in range(120))]
    path = tmp_path / "a.warc"
    with path.open("wb") as file:
        add_record(file, "response", "http://a.x/", respond(body, "text/html", "200 OK", *headers))
    (row,), _ = _read_all(path)
    assert row["html"] == _PAGE


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_arc_and_small_names_of_fields_are_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + _PAGE
    head = b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 9\n1 0 Post\nURL IP-address\n\n"
    line = b"http://a.x/ 192.0.2.1 20140216050221 text/html %d\n" % len(response)
    (tmp_path / "a.arc").write_bytes(pack(head + line + response + b"\n" + line.replace(b"a.x", b"b.x") + response))
    rows, _ = _read_all(tmp_path / "a.arc")
    assert [(row["url"], row["html"]) for row in rows] == [("http://a.x/", _PAGE), ("http://b.x/", _PAGE)]
    record = (
        b"WARC/1.0\r\nwarc-type: response\r\nwarc-target-uri: http://a.x/\r\ncontent-length: %d\r\n\r\n%s\r\n\r\n"
        % (len(response), response)
    )
    revisit = record.replace(b"response", b"revisit", 1)
    (tmp_path / "b.warc").write_bytes(pack(record + revisit + record))
    rows, position = _read_all(tmp_path / "b.warc")
    assert [row["html"] for row in rows] == [_PAGE, _PAGE]
    assert position.skipped == {"revisit record": 1}


@pytest.mark.parametrize("name", ["a.json.gz", "a.jsonl.gz", "a.data"])
def test_packed_json_is_json(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b'{"html": "<p>a"}\n{"html": "<p>b"}\n'))
    rows, _ = _read_all(tmp_path / name)
    assert [row["html"] for row in rows] == [b"<p>a", b"<p>b"]
