"""Each form of input of the table in docs/usage.md, made from real bytes, and what comes out."""

import bz2
import gzip
import io
import json
import plistlib
import re
import tarfile
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest
from archives import add_record, respond

from webclean.batch.readers import read_rows
from webclean.batch.sources import Position, Reading, list_sources
from webclean.batch.tables import Shape, clean_rows
from webclean.cli import main
from webclean.pipeline import Cleaner

pytest.importorskip("fastwarc", reason="web archives need the extra batch")
pytest.importorskip("pyarrow", reason="tables need the extra batch")
zstd = pytest.importorskip("backports.zstd", reason="Zstandard")

USAGE: Final = Path(__file__).parents[2] / "docs" / "usage.md"
FIRST, SECOND = (
    "Die Brücke über die Aach wurde im Mai gesperrt.",
    "Der Rat will sie im Herbst erneuern – für drei Jahre.",
)
PAGE: Final = (
    "<!doctype html><html><head><title>Brücke</title></head><body><h1>Brücke</h1>"
    f"<p>{FIRST}</p><p>{SECOND}</p></body></html>"
)
_XML: Final = (
    '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>'
)
_ARC_HEAD: Final = (
    b"filedesc://a.arc 0.0.0.0 20140216050221 text/plain 45\n1 0 Post\nURL IP-address Archive-date Content-type\n\n"
)


def _zip(members: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return packed.getvalue()


def _mhtml(start: str = "<page@x>") -> bytes:
    """A page in Windows-1252 behind a frame, as browsers and mail programs save it."""
    head = "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n"
    head += f'Content-Type: multipart/related; boundary="b"; start="{start}"\r\n'
    frame = "--b\r\nContent-Type: text/html\r\nContent-ID: <frame@x>\r\n\r\n<p>Advertisement</p>\r\n"
    page = '--b\r\nContent-Type: text/html; charset="windows-1252"\r\nContent-ID: <page@x>\r\n\r\n'
    return f"{head}\r\n{frame}{page}".encode() + PAGE.encode("windows-1252") + b"\r\n--b--\r\n"


def _mail(plain: str, html: str = "", **attached: str) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"], message["Date"] = "a@x.example", "Brücke", "Mon, 1 Jan 2024 00:00:00 +0000"
    message.set_content(plain)
    if html:
        message.add_alternative(html, subtype="html", charset="windows-1252")
    for name, text in attached.items():
        message.add_attachment(text, subtype="html", filename=f"{name}.html")
    return bytes(message)


def _web_archive(form: plistlib.PlistFormat) -> bytes:
    page = {"WebResourceData": PAGE.encode("utf-16-le"), "WebResourceTextEncodingName": "utf-16le"}
    return plistlib.dumps({"WebMainResource": page}, fmt=form)


def _epub() -> bytes:
    chapter = '<?xml version="1.0" encoding="windows-1252"?><html xmlns="http://www.w3.org/1999/xhtml">'
    chapter += '<body><a id="p"/><p>{}</p>'
    items = "".join(f"<item id='{name}' href='{name}.xml' media-type='application/xhtml+xml'/>" for name in "ab")
    return _zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": "<container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>",
            "O/p.opf": "<package xmlns='http://www.idpf.org/2007/opf'><metadata><title>Brücke</title></metadata><manifest>"
            f"{items}</manifest><spine><itemref idref='b'/><itemref idref='a'/></spine></package>",
            "O/a.xml": chapter.format(SECOND).encode("windows-1252"),
            "O/b.xml": chapter.format(FIRST).encode("windows-1252"),
        }
    )


def _tar() -> bytes:
    packed, data = io.BytesIO(), PAGE.encode()
    with tarfile.open(fileobj=packed, mode="w") as file:
        member = tarfile.TarInfo("index.html")
        member.size = len(data)
        file.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def _warc(pack: Callable[[bytes], bytes] = bytes, times: int = 1) -> bytes:
    """A page that was fetched, one that was stored, a picture and a record that repeats another."""
    page, written = PAGE.encode(), []
    blocks = [
        ("response", respond(gzip.compress(page), "text/html, text/html", "200 OK", "content-encoding: gzip")),
        ("response", respond(b"\x89PNG", "image/png")),
        ("revisit", b"HTTP/1.1 200 OK\r\n\r\n"),
    ]
    for kind, block in blocks:
        record = io.BytesIO()
        add_record(record, kind, "https://x.example/", block)
        written.append(gzip.decompress(record.getvalue()))
    resource = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://x.example/\r\nContent-Type: text/html\r\n"
    written.append(resource + b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(page), page))
    return b"".join(map(pack, written * times))


def _arc() -> bytes:
    response = respond(PAGE.encode(), "text/html; charset=utf-8")
    line = b"https://x.example/a b 192.0.2.1 20140216050221 text/html %d\n" % len(response)
    return _ARC_HEAD + (line + response + b"\n") * 2


_LINE: Final = json.dumps({"html": PAGE, "url": "https://x.example/"}).encode() + b"\n"

PAGES: Final[dict[str, Callable[[], bytes]]] = {
    "HTML": PAGE.encode,
    "HTML, packed by gzip": lambda: gzip.compress(PAGE.encode()),
    "HTML, packed by Zstandard": lambda: bytes(zstd.compress(PAGE.encode())),
    "XHTML": f"{_XML}<body><script/><b/><p>{FIRST}</p><p>{SECOND}</p></body></html>".encode,
    "MHTML": _mhtml,
    "mail with HTML": lambda: _mail("Plain.", PAGE, more="<p>Attached"),
    "mail of plain text": lambda: _mail(f"{FIRST}\n\n{SECOND}", more="<p>Attached"),
    "saved HTTP response": lambda: (
        b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\nHTTP/2 200\r\ncontent-type: text/html; charset=windows-1252\r\n\r\n"
        + PAGE.encode("windows-1252")
    ),
    "web archive of Safari, binary": lambda: _web_archive(plistlib.FMT_BINARY),
    "web archive of Safari, XML": lambda: _web_archive(plistlib.FMT_XML),
    "zip of a saved page": lambda: _zip({"B_files/a.html": "Advertisement", "__MACOSX/._B.html": "\0", "B.html": PAGE}),
    "zip with an index": lambda: _zip({"s/about.html": "<p>Advertisement", "s/index.html": PAGE}),
    "zip of a packed or contained page": lambda: _zip({"a.mhtml.gz": gzip.compress(_mhtml())}),
    "page of SingleFile that extracts itself": lambda: (
        b"<!doctype html><html data-sfz><meta charset=utf-8><body hidden>Please wait...<!--"
        + _zip({"index.html": PAGE})
        + b"-->"
    ),
    "EPUB": _epub,
    "UTF-8 or UTF-16 with a mark": lambda: PAGE.encode("utf-16"),
    "UTF-16 without a mark": lambda: PAGE.encode("utf-16-be"),
    "UTF-32": lambda: f"\n{PAGE}".encode("utf-32-be"),
    "XML": f"<rss><item><title>{FIRST}</title><description>{SECOND}</description></item></rss>".encode,
    "JSON": lambda: json.dumps([FIRST, SECOND], ensure_ascii=False).encode(),
    "JSON lines, to other commands": f'{{"a": "<p>{FIRST}"}}\n{{"b": "{SECOND}"}}\n'.encode,
    "plain text": f"{FIRST}\n{SECOND}\n".encode,
}  # fmt: skip
"""Form of input -> one that holds both sentences and no advertisement."""

REFUSED: Final[dict[str, tuple[Callable[[], bytes], str]]] = {
    "zip of several pages": (lambda: _zip({"a.html": PAGE, "b.html": PAGE}), "a zip of 2 pages"),
    "damaged zip, EPUB or web archive of Safari": (lambda: _epub()[:300], "damaged"),
    "zip with a password": (lambda: _zip({"a.html": PAGE}).replace(b"\x14\0\0\0", b"\x14\0\1\0"), "cannot be read"),
    "MHTML or mail without a page": (lambda: b"MIME-Version: 1.0\nContent-Type: image/png\n\nx", "holds no page"),
    "PDF": (lambda: b"%PDF-1.7\nplain lines alone\n", "application/pdf"),
    "Office (.docx, .xlsx, .pptx)": (lambda: _zip({"[Content_Types].xml": "", "word/document.xml": FIRST}), "(Word)"),
    "Office before 2007 (.doc, .xls, .ppt)": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "Office"),
    "OpenDocument": (lambda: _zip({"mimetype": "application/vnd.oasis.opendocument.text", "o.html": PAGE}), "oasis"),
    "Rich Text": (lambda: rb"{\rtf1\ansi " + FIRST.encode("ascii", "ignore") + b"}", "application/rtf"),
    "picture, film or sound": (lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
    "tape archive, packed or not": (lambda: gzip.compress(_tar()), "x-tar"),
    "other packings (bzip2, xz, 7z)": (lambda: bz2.compress(PAGE.encode()), "bzip2"),
    "web archive, to other commands": (_arc, "web archive"),
    "nothing": (lambda: b" \n", "empty"),
}  # fmt: skip
"""Form of input -> one of it, and what the error says."""

BATCHES: Final[dict[str, tuple[str, Callable[[], bytes], int, dict[str, int]]]] = {
    "WARC": ("a.warc.zst", lambda: _warc(zstd.compress), 2, {"not HTML": 1, "revisit record": 1}),
    "WARC of other writers": ("a.data", lambda: gzip.compress(_arc_like_warc()), 1, {}),
    "ARC": ("a.arc.gz", lambda: gzip.compress(_arc()), 2, {}),
    "JSON lines": ("a.json.gz", lambda: gzip.compress(_LINE * 2), 2, {}),
}  # fmt: skip
"""Form of input of `webclean batch` -> file, its bytes, rows with a page, what is counted beside them."""


def _arc_like_warc() -> bytes:
    body = respond(PAGE.encode(), "TEXT/HTML").replace(b"\r\n", b"\n")
    return b"WARC/1.0\nwarc-type: response\nwarc-target-uri: https://x.example/\ncontent-length: %d\n\n%s\n\n" % (
        len(body),
        body,
    )


@pytest.mark.parametrize("form", PAGES)
def test_the_text_of_a_form_comes_out(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input"
    path.write_bytes(PAGES[form]())
    assert main(["clean", str(path), "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert FIRST in shown
    assert shown.index(FIRST) < shown.index(SECOND)
    assert not re.search("Advertisement|Attached|Please wait", shown)
    # who read the file as text, as far as it is one
    if b"\0" not in path.read_bytes() and form not in ("MHTML", "saved HTTP response"):
        try:
            assert FIRST in Cleaner().clean(path.read_text(encoding="utf-8")).text
        except UnicodeDecodeError:
            return


@pytest.mark.parametrize("form", REFUSED)
def test_what_holds_no_page_is_named(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make, said = REFUSED[form]
    (tmp_path / "input").write_bytes(make())
    assert main(["clean", str(tmp_path / "input")]) in (1, 2)
    shown = capsys.readouterr()
    assert said in shown.err
    assert not shown.out


@pytest.mark.parametrize("form", BATCHES)
def test_each_record_of_a_form_is_a_row(form: str, tmp_path: Path) -> None:
    name, make, n_pages, skipped = BATCHES[form]
    (tmp_path / name).write_bytes(make())
    position = Position()
    (source,) = list_sources([str(tmp_path / name)], 100).found
    rows = list(read_rows(source, Reading(), position))
    texts = [Cleaner().clean(row["html"], charset=row.get("charset")).text for row in rows]
    assert [FIRST in text and SECOND in text for text in texts] == [True] * n_pages
    assert position.skipped == skipped


@pytest.mark.parametrize(("form", "kind"), [("PDF", "not_a_page"), ("zip with a password", "unreadable")])
def test_the_table_of_a_batch_says_of_what_kind_an_error_is(form: str, kind: str) -> None:
    page = {"source": "a", "url": None, "html": REFUSED[form][0]()}
    (row,) = clean_rows([page], Shape(("pages",)), Cleaner())["pages"].to_pylist()
    assert (row["status"], row["error_kind"]) == ("error", kind)


def test_the_table_of_the_docs_has_these_rows() -> None:
    table = (
        USAGE.read_text(encoding="utf-8")
        .split("| Input | Told by | What comes out |\n|---|---|---|\n")[1]
        .split("\n\n")[0]
    )
    named = [line.split("|")[1].replace("`", "").strip() for line in table.splitlines()]
    assert named == [*PAGES, *REFUSED, *BATCHES]
    assert len(named) == 40
