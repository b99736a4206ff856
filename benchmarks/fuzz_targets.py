"""What else takes bytes of strangers, beside pages: batch readers, rule files, the API, tools of models. For each a
target: inputs to start from, and what must hold of any input.

An input is a byte that says how the rest is packed and damaged, and the rest. So changes of text stay changes of text
below a packing whose sums would not hold, and damage of the packing itself is looked at too:

    form = input[0] % 4          0 as it is, 1 gzip, 2 Zstandard, 3 packed by whoever made the input
    damage = input[0] // 4       0 none; else a cut or bytes overwritten, at a place that follows from the input
"""

from __future__ import annotations

import asyncio
import gzip
import json
import plistlib
import random
import re
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import checkout
from archives import Sample, add_record, respond, write_parquet
from fuzz_properties import hold

import webclean
from webclean.batch.job import Job, Plan, list_chunks
from webclean.batch.readers import read_rows
from webclean.batch.sources import PageSource, Position, Reading, Row
from webclean.batch.tables import Shape
from webclean.checks import check_text
from webclean.errors import InputError, RuleError
from webclean.parse import read_source
from webclean.parse.limits import start_budget
from webclean.parse.prepare import prepare_markup
from webclean.pipeline import Cleaner
from webclean.rules.files import read_rule_text
from webclean.rules.layers import merge_values
from webclean.rules.validate import convert_rules
from webclean.storage import load_zstandard, unpack

MAX_BYTES: Final = 20_000
"""Of a page: so few that inputs go over the limit now and then."""
_SECONDS: Final = 10.0
"""An input that takes longer is a finding; they have a few kilobytes."""
_DEEP: Final = 997
"""Each so many inputs go through the whole of a job, which takes a hundred times as long as reading."""
_PAGE: Final = b"<title>Peas</title><h1>Peas</h1><p>Sow them early, in rows, a hand apart.</p>"
_SAMPLES: Final = (Sample("a", _PAGE, "https://a.example/1"), Sample("b", b"<p>\xe9t\xe9", "https://b.example/2"))


@dataclass(frozen=True, slots=True)
class Target:
    """list_seeds: inputs that are well formed. check: raises for an input of which a property does not hold."""

    list_seeds: Callable[[], list[bytes]]
    check: Callable[[bytes], None]
    words: tuple[bytes, ...] = ()


@cache
def _make_folder() -> tempfile.TemporaryDirectory[str]:
    """In memory where there is such a place; gone with the process."""
    return tempfile.TemporaryDirectory(prefix="webclean-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


def open_folder() -> Path:
    """A folder for the file of each run."""
    return Path(_make_folder().name)


_ENDINGS: Final = ("", ".gz", ".zst", ".gz")


def write_input(data: bytes, name: str, parts: Callable[[bytes], list[bytes]] = lambda body: [body]) -> Path:
    """The file that an input stands for. parts: what is packed as a member of its own each."""
    how, body = (data[0], data[1:]) if data else (0, b"")
    form, damage = how % 4, how // 4
    if form == 1:
        body = b"".join(gzip.compress(part, 1, mtime=0) for part in parts(body))
    elif form == 2:
        body = b"".join(load_zstandard().compress(part) for part in parts(body))
    if damage and body:
        rng = random.Random(zlib.crc32(data))
        at, n_bytes = rng.randrange(len(body)), rng.choice((1, 4, 200))
        middle = b"" if damage % 2 else rng.randbytes(n_bytes)
        body = body[:at] + middle + (b"" if damage == 1 else body[at + n_bytes :])
    path = open_folder() / f"{name}{_ENDINGS[form]}"
    path.write_bytes(body)
    return path


def check_rows(kind: str, path: Path, data: bytes) -> list[Row]:
    """Read a source; what must hold of its rows. Of some inputs a job is run, too, which loses none of them."""
    source, reading = PageSource(kind, (str(path),), path.stat().st_size), Reading(max_bytes=MAX_BYTES)
    try:
        rows = list(read_rows(source, reading, Position()))
    except InputError:
        return []
    for row in rows:
        html = row["html"]
        hold(isinstance(row["source"], str), "a row without a source")
        hold(html is None or len(html) <= MAX_BYTES + 1, "a page over the limit")
        hold((html is None) == bool(row.get("problem")), "neither a page nor a problem, or both")
        hold(row["url"] is None or isinstance(row["url"], str), "a URL that is no text")
    if zlib.crc32(data) % _DEEP == 0:
        check_job(source, reading, rows)
    return rows


def check_job(source: PageSource, reading: Reading, rows: list[Row]) -> None:
    """Clean a source as a job does, without its worker processes: a row for each record."""
    shape = Shape(("pages", "blocks"))
    plan = Plan(Job((), open_folder() / "out", _open_cleaner(), shape=shape, reading=reading), (source,))
    found = [row for chunk in list_chunks(plan, 0) for row in plan.clean(chunk)["pages"].to_pylist()]
    hold(len(found) == len(rows), f"{len(found)} rows of {len(rows)} records")
    hold(all(row["status"] in ("ok", "error", "skipped") for row in found), "a row without a status")
    hold(all(row["error"] for row in found if row["status"] == "error"), "an error that says nothing")


@cache
def _open_cleaner() -> Cleaner:
    return Cleaner(limits=webclean.Limits(max_bytes=MAX_BYTES, max_seconds=_SECONDS), on_limit="raise")


def timed(check: Callable[[bytes], object]) -> Callable[[bytes], None]:
    """The same check, for which an input that takes long is a finding."""

    def run(data: bytes) -> None:
        start = time.process_time()
        check(data)
        hold(time.process_time() - start < _SECONDS, "over the limit of time")

    return run


_RECORD: Final = re.compile(rb"(?=WARC/1)")


def list_archives() -> list[bytes]:
    plain = BytesIO()
    for sample in _SAMPLES:
        for kind, block in (
            ("request", b"GET / HTTP/1.1\r\n\r\n"),
            ("response", respond(sample.html, "text/html; charset=utf-8")),
        ):
            add_record(plain, kind, sample.url, block)
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(_PAGE), _PAGE)
    for body, header in ((chunked, "Transfer-Encoding: chunked"), (zlib.compress(_PAGE), "Content-Encoding: deflate")):
        add_record(plain, "response", "https://c.example/", respond(body, "text/html", "200 OK", header))
    text = gzip.decompress(plain.getvalue())
    return [bytes((form,)) + text for form in (0, 1, 2)] + [b"\x03" + plain.getvalue()]


def check_archive(data: bytes) -> None:
    def cut(body: bytes) -> list[bytes]:
        return [part for part in _RECORD.split(body) if part]

    check_rows("warc", write_input(data, "pages.warc", cut), data)


def check_packed(data: bytes, form: int) -> None:
    """A packed page: read as a file and as bytes, which stop at the same place."""
    body = (data[:1] or b"\0") + data[1:]
    path = write_input(bytes((body[0] // 4 * 4 + form,)) + body[1:], "page.html")
    check_rows("files", path, data)
    hold(len(unpack(path.read_bytes(), MAX_BYTES)) <= max(MAX_BYTES + 1, path.stat().st_size), "unpacked too far")


def check_table(data: bytes) -> None:
    path = open_folder() / "pages.parquet"
    path.write_bytes(data)
    check_rows("parquet", path, data)


def list_tables() -> list[bytes]:
    path = write_parquet(open_folder() / "seed.parquet", _SAMPLES, row_group_size=1)
    return [path.read_bytes()]


_BOOK: Final = {
    "META-INF/container.xml": "<container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>",
    "O/p.opf": "<package xmlns='http://www.idpf.org/2007/opf'><metadata><title>Peas</title></metadata><manifest>"
    "<item id='a' href='a.xhtml'/></manifest><spine><itemref idref='a'/></spine></package>",
    "O/a.xhtml": "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><b/><p>Peas.</p></body></html>",
}


def list_containers() -> list[bytes]:
    """Files that hold a page; zips are not packed, so that changes of text are those of members."""
    message = EmailMessage()
    message["Subject"] = "Peas"
    message.set_content("plain")
    message.add_alternative(_PAGE.decode(), subtype="html", cte="quoted-printable")
    *_, page = message.iter_parts()
    page.add_related(b"GIF89a", "image", "gif", cid="<a>")
    archive = {"WebMainResource": {"WebResourceData": _PAGE, "WebResourceTextEncodingName": "UTF-8"}}
    made = [bytes(message), plistlib.dumps(archive), plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)]
    forms: tuple[dict[str, Any], ...] = (_BOOK, {"index.html": _PAGE, "b.png": "x"}, {"a.mhtml": bytes(message)})
    for members in forms:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            for name, text in members.items():
                file.writestr(name, text)
        made.append(packed.getvalue())
    made.append(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + _PAGE)
    xhtml = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script/><p>Peas.</p></body></html>'
    coded = [text.encode(name) for name in ("utf-32", "utf-16-le", "iso-8859-2") for text in (_PAGE.decode() + "é",)]
    return [*made, xhtml.encode(), *coded, gzip.compress(made[0], mtime=0)]


def check_container(data: bytes) -> None:
    """A file that may hold a page is opened within the limits, or refused by an error; its markup is text."""
    budget = start_budget(webclean.Limits(max_bytes=MAX_BYTES), "truncate")
    try:
        source = read_source(data, budget, "windows-1252" if len(data) % 2 else None)
    except InputError as error:
        str(error).encode()
        return
    source.markup.encode()
    hold(len(source.markup) <= 8 * MAX_BYTES, "more than a page")
    prepare_markup(source.markup, budget)


def list_old_archives() -> list[bytes]:
    """ARC files, and WARC files with other letters or line ends."""
    parts = [b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 9\n1 0 Post\nURL IP-address\n\n"]
    response = respond(_PAGE, "text/html, text/html")
    for sample in _SAMPLES:
        parts += [b"%s 192.0.2.1 20140216050221 text/html %d\n%s\n" % (sample.url.encode(), len(response), response)]
    written = BytesIO()
    add_record(written, "response", "https://c.example/", response)
    plain = gzip.decompress(written.getvalue())
    forms = (b"".join(parts), plain.replace(b"Content-Length", b"content-length"), plain.replace(b"\r\n", b"\n"))
    return [bytes((form,)) + text for text in forms for form in (0, 1, 2)]


def list_rule_files() -> list[bytes]:
    shipped = [path.read_bytes() for path in sorted((checkout.CLONE / "rules").rglob("*.yaml"))]
    made = [path.read_bytes() for path in sorted((checkout.CLONE / "tests").rglob("*.yaml"))]
    return [text for text in (*shipped, *made) if len(text) < 6_000]


def check_rules(data: bytes) -> None:
    """A rule file is refused with `RuleError`, or it can be used: its page is cleaned without another error."""
    try:
        text = read_rule_text(data.decode("utf-8"), Path("mine.yaml"))
        convert_rules(merge_values([_read_shipped(), text.values]), lambda _: None)
        check_text(text)
    except UnicodeDecodeError:
        return
    except RuleError as error:
        str(error).encode()
        return
    if zlib.crc32(data) % _DEEP == 0:
        path = open_folder() / "mine.yaml"
        path.write_bytes(data)
        try:
            page = Cleaner(rules=[path]).clean(_PAGE, url="https://a.example/1")
            page.to_dict(include_reasons=True)
        except webclean.WebcleanError:
            return


@cache
def _read_shipped() -> dict[str, Any]:
    folder = checkout.CLONE / "rules"
    return merge_values(read_rule_text(path.read_text(encoding="utf-8"), path).values for path in folder.glob("*.yaml"))


_REQUESTS: Final = (
    b"POST /v1/clean application/json\n" + json.dumps({"html": _PAGE.decode(), "formats": ["markdown"]}).encode(),
    b"POST /v1/clean text/html; charset=latin-1\n" + _PAGE,
    b"POST /v1/clean?on_limit=truncate&reasons=1&text_blocks=1 text/html\n" + _PAGE,
    b"POST /v1/clean application/json\n" + json.dumps({"url": "http://[::1]/"}).encode(),
    b"GET /r/http://10.0.0.1/x?a=%00 text/plain\n",
    b"GET /healthz text/plain\n",
    b"POST /open application/x-www-form-urlencoded\nhtml=%3Cp%3Ea&url=",
    b"GET /read?page=x&part=9 text/plain\nOrigin: http://[",
    b"GET /inspect?page=x text/plain\n",
)
_ALLOWED: Final = frozenset((502, 503, 504, 508))
"""Of the answers from 500 up: a site that cannot be fetched, workers that are busy, a server that asks itself."""


def check_request(data: bytes) -> None:
    """A request: method, path and type of the body in the first line, then the body, also sent as an `Origin`."""
    line, _, body = data.partition(b"\n")
    method, path, kind = tuple(line.split(b" ", 2)) if line.count(b" ") > 1 else (b"GET", line, b"")
    path, _, query = path.partition(b"?")
    origin = body[8:] if body.startswith(b"Origin: ") else b""
    status = _open_api()(method, path, query, [(b"host", b"localhost"), (b"content-type", kind)], body, origin)
    hold(status < 500 or status in _ALLOWED, f"status {status}")


@cache
def _open_api() -> Callable[..., int]:
    """Asks the application without a network: (method, path, query, headers, body, origin) -> status.

    Pages are cleaned in this process, so that an error in cleaning is seen as one, and its lines are counted.
    """
    from webclean.server import ServerSettings  # noqa: PLC0415  an extra
    from webclean.server.app import build_app  # noqa: PLC0415  an extra
    from webclean.server.service import Call, Service  # noqa: PLC0415  an extra
    from webclean.server.tasks import run_call  # noqa: PLC0415  an extra
    from webclean.workers import Outcome  # noqa: PLC0415

    loop = asyncio.new_event_loop()
    settings = ServerSettings(workers=1, rate="none", max_bytes=MAX_BYTES, fetch_seconds=0.2)
    app = build_app(settings)

    async def start() -> None:
        app.state.service = Service(settings)

    async def clean_here(call: Call, _: object) -> Outcome[Any]:
        return Outcome(run_call(call))

    loop.run_until_complete(start())
    app.state.service.pool._ask = clean_here

    async def ask(scope: dict[str, Any], body: bytes) -> int:
        given = iter([{"type": "http.request", "body": body, "more_body": False}])
        told: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return next(given, {"type": "http.disconnect"})

        async def send(message: MutableMapping[str, Any]) -> None:
            told.append(message)

        await app(scope, receive, send)
        (head,) = [message for message in told if message["type"] == "http.response.start"]
        return int(head["status"])

    def run(
        method: bytes, path: bytes, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes, origin: bytes
    ) -> int:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method.decode("latin-1").upper(),
            "path": path.decode("utf-8", "replace") or "/",
            "raw_path": path,
            "query_string": query,
            "headers": [*headers, *([(b"origin", origin)] if origin else [])],
            "client": ("127.0.0.1", 9),
            "server": ("localhost", 80),
            "root_path": "",
        }
        return loop.run_until_complete(ask(scope, body))

    return run


_CALLS: Final = tuple(
    json.dumps({"tool": name, "arguments": {"page": _PAGE.decode(), **arguments}}).encode()
    for name, arguments in (
        ("read_page", {"max_chars": 9, "offset": 3}),
        ("page_blocks", {"kept_only": True, "limit": 2}),
        ("page_links", {"topic": "peas", "limit": 1}),
        ("page_sections", {"offset": 1}),
        ("explain_block", {"block": "b0", "max_chars": 5}),
        ("page_records", {"page": "a.html"}),
    )
)


def check_tool(data: bytes) -> None:
    """A call of a tool of a model, as JSON: an answer within its bounds, or an error that was raised on purpose."""
    try:
        call = json.loads(data)
        name, arguments = str(call["tool"]), dict(call["arguments"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return
    ask, allowed = _open_tools()
    try:
        answer = ask(name, arguments)
    except allowed as error:
        kind = type(error.__cause__).__name__  # of pydantic
        hold(kind in ("NoneType", "ToolError", "ValidationError"), repr(error.__cause__))
        hold(str(open_folder()) not in str(error), "the folder of the server is told")
        return
    hold(len(json.dumps(answer.structured_content)) < 400_000, "a long answer")


@cache
def _open_tools() -> tuple[Callable[..., Any], tuple[type[Exception], ...]]:
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415  an extra

    from webclean.server.mcp_server import PageTools, build_server  # noqa: PLC0415  an extra
    from webclean.web.fetch import FetchLimits  # noqa: PLC0415

    loop = asyncio.new_event_loop()
    server = build_server(PageTools(limits=FetchLimits(max_seconds=0.2), root=open_folder()))
    return lambda name, arguments: loop.run_until_complete(server.call_tool(name, arguments)), (ToolError,)


_MARKUP: Final = (*b"<p> </p> <h1> <table> <script> <math> <!-- &#x202e; \x1b".split(), b"<a href=")
_HEADS: Final = (b"WARC/1.1\r\n", b"WARC-Target-URI: ", b"Content-Length: ", b"Transfer-Encoding: chunked", b"\r\n\r\n")
_PARTS: Final = (
    b"Content-Type: text/html\n",
    b"\n\n",
    b"MIME-Version: 1.0\n",
    b"PK\x03\x04",
    b"<plist>",
    b"bplist00",
    b"/>",
)
_JSON: Final = (b'{"html":', b"[" * 2_000, b'"\\ud800"', b"\\u0000", b"NaN", b'"url":', b"\n", b"1e999")
_RULES: Final = (
    *(b"rules:", b"when:", b"selector:", b"&a [*a]", b"!!python/object:", b"action:", b"points: .nan", b"- "),
    b"(a+)+$",
)
_QUERY: Final = (b"POST /v1/clean", b"application/json", b"%00", b"Origin: http://[")
_LINES: Final = b'{"html": "<p>a", "url": "https://a.example/"}\n{"html": 1}\n'

TARGETS: Final[dict[str, Target]] = {
    "warc": Target(list_archives, timed(check_archive), _HEADS),
    "arc": Target(
        list_old_archives, timed(lambda data: check_rows("warc", write_input(data, "pages.arc"), data)), _HEADS
    ),
    "container": Target(list_containers, timed(check_container), (*_MARKUP, *_PARTS)),
    "gzip": Target(lambda: [b"\0" + _PAGE], timed(partial(check_packed, form=1)), _MARKUP),
    "zstd": Target(lambda: [b"\0" + _PAGE], timed(partial(check_packed, form=2)), _MARKUP),
    "jsonl": Target(
        lambda: [bytes((form,)) + _LINES for form in (0, 1, 2)],
        timed(lambda data: check_rows("jsonl", write_input(data, "pages.jsonl"), data)),
        _JSON,
    ),
    "parquet": Target(list_tables, timed(check_table), (b"PAR1",)),
    "rules": Target(list_rule_files, timed(check_rules), _RULES),
    "mcp": Target(
        lambda: list(_CALLS), timed(check_tool), (b'"limit": -1', b'"offset": 1e999', b'"\\ud800"', b"\\u0000")
    ),
    "api": Target(lambda: list(_REQUESTS), timed(check_request), _QUERY),
}


def change_input(rng: random.Random, target: Target, corpus: Sequence[bytes]) -> bytes:
    """An input of the corpus, changed a few times."""
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0:
                del data[at : at + rng.choice((1, 2, 9, 100))]
            case 1:
                data[at:at] = data[at : at + rng.choice((1, 9, 100))] * rng.choice((1, 3, 40))
            case 2 if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
            case 3 if target.words:
                data[at:at] = rng.choice(target.words)
            case 4:
                other = rng.choice(corpus)
                first = rng.randrange(len(other) + 1)
                data[at:at] = other[first : first + rng.choice((4, 40, 400))]
            case _ if data:
                data[0] = rng.randrange(256)
    return bytes(data[: 2 * MAX_BYTES])


def list_inputs(name: str, seed: int) -> Iterator[bytes]:
    """The inputs that a target starts from, then changed ones without end; the same for a seed."""
    target, rng = TARGETS[name], random.Random(f"{name} {seed}")
    # with the inputs that once had a finding
    found = sorted((checkout.CLONE / "tests" / "findings").glob(f"{name}-*.bin"))
    corpus = [*target.list_seeds(), *(path.read_bytes() for path in found)]
    yield from corpus
    while True:
        yield change_input(rng, target, corpus)
