"""What `clean` takes, and what is taken for HTML, XML, JSON, text and binary data; a page that stands in another file
is read as that page."""

import gzip
import hashlib
import io
import plistlib
import sys
import tracemalloc
import zipfile
from email.message import EmailMessage
from importlib import import_module
from pathlib import Path

import html5lib
import pytest
from lxml import html

import webclean
from tests import write_file
from tests.counting import count_calls
from webclean import InputError, LimitExceeded, Limits
from webclean.model import Source
from webclean.parse import parse_page
from webclean.parse.inputs import HEADER_BYTES, convert_source, is_binary, name_binary

PAGE = "<!doctype html><title>T</title><p>The river rises in the hills, and it takes a long way down. Naïve.</p>"
LINE = "The river rises in the hills"


def test_every_kind_of_input_gives_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.encode())
    expected = webclean.clean(PAGE).text
    assert LINE in expected
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        inputs = [
            PAGE.encode(),
            bytearray(PAGE.encode()),
            memoryview(PAGE.encode()),
            path,
            binary,
            text,
            io.BytesIO(PAGE.encode()),
            io.StringIO(PAGE),
            html.document_fromstring(PAGE),
            html.document_fromstring(PAGE).getroottree(),
            html.fragment_fromstring(PAGE[31:]),
            html5lib.parse(PAGE, treebuilder="lxml"),
            html5lib.parse(PAGE, treebuilder="lxml", namespaceHTMLElements=False),
        ]
        for page in inputs:
            assert webclean.clean(page).text == expected, type(page)


@pytest.mark.parametrize("form", ["path", "bytes", "text", "file", "packed"])
def test_an_input_of_just_the_limit_is_whole(form: str, tmp_path: Path) -> None:
    page, path = b"<p>" + b"x" * 18, tmp_path / "page.html"
    for data in (page, page + b"x"):
        path.write_bytes(data)
        limits = Limits(max_bytes=21)

        def give(data: bytes = data) -> object:
            forms = {"path": path, "bytes": data, "text": data.decode(), "packed": gzip.compress(data)}
            return io.BytesIO(data) if form == "file" else forms[form]

        assert parse_page(give(), limits=limits, on_limit="truncate").source.markup == page.decode()  # type: ignore[arg-type]
        if data == page:
            assert parse_page(give(), limits=limits).source.markup == page.decode()  # type: ignore[arg-type]
        else:
            with pytest.raises(LimitExceeded, match="max_bytes: 22 is over the limit of 21"):
                parse_page(give(), limits=limits)  # type: ignore[arg-type]


def test_a_file_that_gives_little_at_a_time_is_read_to_its_end() -> None:
    class Slow:
        def __init__(self) -> None:
            self.parts = [b"<p>", b"one", b" two"]

        def read(self, size: int = -1) -> bytes:
            return self.parts.pop(0) if self.parts else b""

    assert parse_page(Slow()).text == ["one two"]
    assert parse_page(io.BytesIO(b"")).source.kind == "empty"


def test_a_file_object_that_breaks_is_an_input_error() -> None:
    class Odd:
        def read(self, size: int = -1) -> object:
            return 3

    closed = io.BytesIO(b"<p>")
    closed.close()
    for wrong in (Odd(), closed):
        with pytest.raises(InputError):
            webclean.clean(wrong)  # type: ignore[arg-type]


def test_an_endless_file_is_read_up_to_the_limit() -> None:
    class Endless:
        def read(self, size: int = -1) -> bytes:
            return b"<p>on and on</p>" * 1000

    with pytest.raises(LimitExceeded, match="max_bytes"):
        webclean.clean(Endless(), limits=Limits(max_bytes=100_000))


OTHER_KINDS = {
    "empty": (b"", ""),
    "white space": (b" \n\t ", ""),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0", ""),
    "pdf": (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type /Catalog>>\nendobj", ""),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xb3)\xb0\xe3\x02\0", ""),
    "random bytes": (bytes(range(256)) * 8, ""),
    "json": (b'{"title": "Rivers",\n "body": "<p>They run</p>"}', '"title": "Rivers"'),
    "plain text": (
        "First line, 一 <john@example.com>\nsecond line & more\n\n  indented".encode(),
        "second line & more",
    ),
    "rss": (
        b"<?xml version='1.0'?><rss><channel><title>News</title><item><title>Flood</title><link>http://a.b/c</link>"
        b"<description>&lt;p>The river &lt;b>rises&lt;/b>&lt;/p></description></item></channel></rss>",
        "Flood\nhttp://a.b/c\nThe river rises",
    ),
    "atom in cdata": (b"<feed><entry><title><![CDATA[Flood & fire]]></title></entry></feed>", "Flood & fire"),
    "xml": (
        b"<?xml version='1.0' encoding='utf-8'?><!DOCTYPE note [<!ENTITY x 'y'>]><note><b>one</b><b>two</b></note>",
        "one\ntwo",
    ),
    "broken xml": (b"<?xml version='1.0'?><note><b>one<b>two", "one\ntwo"),
}


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize("name", OTHER_KINDS)
def test_what_is_not_html_gives_a_page_without_feature(name: str, parser: str) -> None:
    data, text = OTHER_KINDS[name]
    page = webclean.clean(data, parser=parser)
    assert page.page_type == "no_feature"
    found = " ".join(" ".join(page.analysis.columns.document.text).split())
    assert " ".join(text.split()) in found
    assert bool(text) == bool(found)
    page.blocks, page.title, page.to_dict()


def test_plain_text_keeps_its_lines() -> None:
    text = "First line\nsecond line\n\n    four spaces"
    document = parse_page(text)
    assert (document.text, document.names[document.text_owner[0]]) == ([text], "pre")


def test_an_entity_bomb_is_not_expanded() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><a>&e9;</a>'
    assert len(webclean.clean(bomb).text) < 10_000


@pytest.mark.parametrize("kind", ["SYSTEM", "PUBLIC 'x'"])
def test_external_entities_are_not_read(kind: str, tmp_path: Path) -> None:
    secret = write_file(tmp_path / "secret.txt", "the harbour master's password")
    markup = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x {kind} "{secret.as_uri()}">]><a>see &x; here</a>'
    for page in (webclean.clean(markup), webclean.clean(markup.encode(), parser="html5lib")):
        assert "password" not in str(page.to_dict())


def test_halves_of_pairs_are_no_characters() -> None:
    data = '<script type="application/ld+json">{"@type":"Article","author":"Jo \\ud83d Doe \\ud83d\\ude00"}</script>'
    page = webclean.clean(
        f"{data}<h1>The \ud800 sea</h1><p>Copyright 2020 \udcff, and \ud83d\ude00 whatever is left.</p>"
    )
    assert "The \ufffd sea" in page.text
    assert "\ufffd, and \U0001f600 whatever" in page.text
    str(page.to_dict()).encode()


def test_a_mark_of_the_byte_order_is_no_text() -> None:
    markup = "<html><head><title>Sea</title></head><body><p>The sea is deep.</p></body></html>"
    marked = webclean.clean("\ufeff" + markup).analysis.columns.document
    assert (marked.names, marked.text) == (parse_page(markup).names, parse_page(markup).text)


@pytest.mark.parametrize("code", range(0x20))
def test_control_bytes_other_than_white_space_and_escape_are_not_of_text(code: int) -> None:
    head = b"The river" + bytes([code])
    assert is_binary(head) == (code not in b"\t\n\f\r\x1b")
    assert not is_binary(b"<p>" + head)


@pytest.mark.parametrize("text", ["see page.html for it", "page.html\nand more", "Rivers", "<p>page.html</p>", "a.b"])
def test_a_string_with_more_in_it_is_a_page(text: str) -> None:
    assert webclean.clean(text).source.kind in ("text", "html")


def pack(data: bytes, kind: str) -> bytes:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return gzip.compress(data) if kind == "gzip" else bytes(import_module(name).compress(data))


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_packed_pages_are_read(kind: str, tmp_path: Path) -> None:
    packed = pack(PAGE.encode(), kind)
    path = tmp_path / "page.html.gz"
    path.write_bytes(packed)
    for given in (packed, path, io.BytesIO(packed), bytearray(packed), packed + packed[:0]):
        assert webclean.clean(given).text == webclean.clean(PAGE).text
    two = webclean.clean(
        pack(PAGE.encode(), kind) + pack(b"<p>Another member of the same file, with a few words.", kind)
    )
    assert LINE in two.source.markup
    assert "Another member" in two.source.markup


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_bomb_is_unpacked_no_further_than_allowed(kind: str) -> None:
    bomb = pack(b"<p>river " * 10_000_000, kind)
    assert len(bomb) < 200_000
    tracemalloc.start()
    with pytest.raises(LimitExceeded, match="max_bytes"):
        webclean.clean(bomb, limits=Limits(max_bytes=1_000_000))
    assert tracemalloc.get_traced_memory()[1] < 6_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_of_a_damaged_file_what_can_be_read_is_read(kind: str) -> None:
    lines = "".join(f"<p>Line {at} of {hashlib.sha256(str(at).encode()).hexdigest()}</p>" for at in range(20_000))
    packed = pack(lines.encode(), kind)
    page = parse_page(packed[: len(packed) // 2])
    assert "Line 0 of" in page.source.markup
    assert "Line 19999 of" not in page.source.markup
    assert webclean.clean(packed[:6]).source.kind == "binary"


def test_many_members_of_a_packed_file_are_read_once_each() -> None:
    empty = gzip.compress(b"")
    assert webclean.clean(empty * 16_000).source.kind in ("empty", "binary")
    n_short, n_long = (count_calls(lambda n=n: webclean.clean(empty * n)) for n in (500, 4_000))
    assert n_long < 12 * n_short


def test_input_that_is_no_page_is_named_in_the_warnings() -> None:
    assert webclean.clean(b"%PDF-1.7").warnings[0].startswith("the input is application/pdf")
    assert webclean.clean(b"").warnings == ("the input is empty, not a page",)
    assert webclean.clean(PAGE).warnings == ("the text has 14 words: the page has no more to say",)


KINDS = {
    "html": [
        *("<p>a", "a <!-- b", "x </my-x >", "x <br/>", "x <p >", "x <table a=1>", "<!doctype html>", "x <!DOCTYPE y>"),
        *("\n <!-- c --><p>", "</p>", "<x", "<?xml version='1.0'?><html><p>x", "x <IMG>"),
    ],
    "text": [
        *("x < p>", "x <table a>", "x <foo a=1>", "a<b", "[1,2", "<1>", "x <imgs>", "x <table a b" + "c" * 200 + "=1>"),
        *("{" * 100_000, "x <!doctypes>"),
    ],
    "json": ["{}", "[1]", ' \n{"a": "<p>"}'],
    "xml": [
        *("<rss><a>x</a></rss>", "<?xml version='1.0'?><note>x</note>", "<!-- x --><FEED>y</FEED>"),
        *("<rdf:RDF>x</rdf:RDF>", "<atom:feed>x</atom:feed>"),
        *("<?xml version='1.0'?><!DOCTYPE n [<!ENTITY x 'y'>]><n>&x;</n>",),
        "<!--" + "c" * (10_000 - 11) + "--><rss>x</rss>",
    ],
    "empty": ["", " \n\t\x0c"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "markup"), [(kind, markup) for kind, pages in KINDS.items() for markup in pages])
def test_the_kind_of_a_text(kind: str, markup: str) -> None:
    assert convert_source(Source(markup, "unicode", "text", len(markup))).kind == kind


@pytest.mark.parametrize(
    ("markup", "converted"),
    [
        ("a < b & 'c'", "<pre>\na &lt; b &amp; 'c'</pre>"),
        ('{"a":\n"<p>"}', '<pre>\n{"a":\n"&lt;p&gt;"}</pre>'),
        ("<p>a", "<p>a"),
        (" \n", ""),
        ("<rss><a> x  y </a> <b/><c>&lt;p>z&lt;/p></c><d><![CDATA[<br>]]></d><!-- n --></rss>", "<pre>\nx y\nz</pre>"),
        ("<rss>", "<pre>\n</pre>"),
    ],
)
def test_what_is_no_markup_is_shown_as_text(markup: str, converted: str) -> None:
    assert convert_source(Source(markup, "unicode", "text", len(markup))).markup == converted


def test_an_element_of_xml_is_looked_for_in_the_head_alone() -> None:
    for n, kind in ((10_000 - 11, "xml"), (10_000 - 10, "html")):
        markup = "<!--" + "c" * n + "--><rss>x</rss>"
        assert convert_source(Source(markup, "unicode", "text", len(markup))).kind == kind


@pytest.mark.parametrize(
    ("data", "binary", "name"),
    [
        (b"%PDF-1", True, "application/pdf (Adobe Portable Document Format file)"),
        (b"%!PS-Adobe-3", True, "application/postscript (Encapsulated PostScript file)"),
        (b"\x28\xb5\x2f\xfd", True, "application/zstd (ZStandard Archive)"),
        (b"WARC/1.0", True, "application/warc (web archive)"),
        (b" WARC/", False, "binary data"),
        (b"GIF89a", False, "image/gif (Graphics interchange format file (GIF89a))"),
        (b"GIF89a\0", True, "image/gif (Graphics interchange format file (GIF89a))"),
        (b"PK\x03\x04", True, "application/zip (PKZIP Archive file)"),
        (b"BM\0<p>", True, "image/x-ms-bmp (Microsoft Windows Bitmap image)"),
        (b"\0<p>", False, "binary data"),
        (b"\0<px>", True, "binary data"),
        (b"\0<!DOCTYPE  html>", False, "binary data"),
        (b"x" * (HEADER_BYTES - 1) + b"\0", True, "binary data"),
        (b"x" * HEADER_BYTES + b"\0", False, "binary data"),
    ],
)
def test_binary_data_is_told_and_named(data: bytes, name: str, *, binary: bool) -> None:
    assert is_binary(data) is binary
    assert name_binary(data) == name


_TEXT = "Der Wasserturm am Rand der Stadt ist über hundert Jahre alt und steht seit langem leer."
_PAGE = f"<!doctype html><html><head><title>Turm</title></head><body><p>{_TEXT}</p><img src='cid:a'></body></html>"
_XML = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'


def _pack(members: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return packed.getvalue()


def _write_message(charset: str, encoding: str) -> bytes:
    message = EmailMessage()
    message["Subject"] = "Turm"
    message.set_content("plain")
    message.add_alternative(_PAGE, subtype="html", charset=charset, cte=encoding)
    message.get_payload()[1].add_related(b"GIF89a", "image", "gif", cid="<a>")
    return bytes(message)


def _write_book() -> bytes:
    chapter = _XML + "<head><title>x</title><script src='a.js'/></head><body><h2>{0}</h2><p>{0} {1}</p></body></html>"
    spine = "".join(f"<itemref idref='{name}'/>" for name in "ba")
    items = "".join(f"<item id='{name}' href='c%20{name}.xhtml'/>" for name in "ab")
    return _pack(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": "<container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>",
            "O/p.opf": f"<package xmlns='http://www.idpf.org/2007/opf'><metadata><title>Turm</title></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
            "O/c a.xhtml": chapter.format("Zweitens", _TEXT),
            "O/c b.xhtml": chapter.format("Erstens", _TEXT),
        }
    )


_FORMS = {
    "message, quoted": _write_message("iso-8859-1", "quoted-printable"),
    "message, base64": _write_message("utf-8", "base64"),
    "Safari, binary": plistlib.dumps(
        {"WebMainResource": {"WebResourceData": _PAGE.encode("utf-16-le"), "WebResourceTextEncodingName": "utf-16le"}},
        fmt=plistlib.FMT_BINARY,
    ),
    "Safari, XML": plistlib.dumps({"WebMainResource": {"WebResourceData": _PAGE.encode()}}),
    "zip": _pack({"b/other.html": "<p>other", "b.html": "<p>other", "index.html": _PAGE}),
    "EPUB": _write_book(),
    "gzip of a zip": gzip.compress(_pack({"index.html": _PAGE})),
    "UTF-32 with a mark": _PAGE.encode("utf-32"),
    "UTF-32, little": _PAGE.encode("utf-32-le"),
    "UTF-32, big": _PAGE.encode("utf-32-be"),
}


@pytest.mark.parametrize("form", _FORMS)
def test_the_page_inside_is_read(form: str) -> None:
    page = webclean.clean(_FORMS[form])
    assert _TEXT in page.text
    assert "other" not in page.text
    assert page.title == "Turm"


def test_chapters_stand_in_the_order_of_the_spine() -> None:
    text = webclean.clean(_write_book()).text
    assert text.index("Erstens") < text.index("Zweitens")


def test_pictures_of_a_message_are_in_its_page() -> None:
    assert "data:image/gif;base64,R0lGODlh" in webclean.clean(_write_message("utf-8", "base64")).source.markup


@pytest.mark.parametrize(
    ("given", "said"),
    [
        *(
            (wrong, "a page is bytes|cannot read")
            for wrong in (None, 1.5, ["<p>"], {"html": "<p>"}, object(), Path("/"))
        ),
        (Path("no/such/page.html"), r"^cannot read no/such/page\.html: No such file or directory$"),
        (3, r"an lxml tree, not int$"),
        *((name, r"no markup: for a file give pathlib\.Path") for name in ("page.html", "docs/a.htm", "/tmp/x.xhtml")),
        *((name, r"no markup: for a file") for name in ("https://example.org/news/1", "page.html.gz")),
        (_write_book()[:200], "damaged zip"),
        (plistlib.dumps({"WebMainResource": 1}), "Safari"),
        (b"MIME-Version: 1.0\nContent-Type: image/png\n\nx", "holds no page"),
    ],
)
def test_what_is_no_page_is_an_input_error(given: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        webclean.clean(given)  # type: ignore[arg-type]


def test_an_unknown_parser_is_an_input_error() -> None:
    with pytest.raises(InputError, match="unknown parser 'lxml': one of html5lib, fast"):
        webclean.clean(PAGE, parser="lxml")


def test_what_is_packed_keeps_to_the_limits() -> None:
    bomb = _pack({"index.html": "<p>" + "a" * 3_000_000})
    with pytest.raises(LimitExceeded):
        webclean.clean(bomb, limits=Limits(max_bytes=1_000_000))


@pytest.mark.parametrize("tag", ["script", "select", "object", "video", "noembed", "b", "a", "ul", "textarea", "title"])
def test_an_empty_element_of_xml_ends_at_once(tag: str) -> None:
    page = webclean.clean(f"{_XML}<head></head><body><{tag}/><p>{_TEXT}</p></body></html>")
    assert _TEXT in page.text
    assert "**" not in page.to_markdown()


def test_html_with_a_slash_stays_html() -> None:
    page = webclean.clean(f"<!doctype html><html><body><p>Mehr <b/>davon.</p><p>{_TEXT}</p></body></html>")
    assert "**" in page.to_markdown()


@pytest.mark.parametrize(
    "sign", ["\u00ad", "&shy;", "&#173;", "&#00173;", "&#xAD;", "&#X0ad;", "\ufeff", "\u200b", "&#8203;", "&#x200B;"]
)
def test_marks_of_breaks_are_no_letters(sign: str) -> None:
    assert "Wasserturm" in webclean.clean(f"<p>Der Wasser{sign}turm am Rand der Stadt ist alt.</p>").text


@pytest.mark.parametrize("text", ["ครั้งหนึ่ง\u200bนานมาแล้ว", "👩\u200d💻 ships", "അവന്\u200d വന്നു", "می\u200cروم"])
def test_signs_without_width_that_mean_something_stay(text: str) -> None:
    assert convert_source(Source(f"<p>{text}</p>", "utf-8", "meta", 0)).markup == f"<p>{text}</p>"


def test_what_an_editor_leaves_in_an_empty_line_is_no_text() -> None:
    source = Source("<p>\u200d</p><p>It sails.\u200d</p>", "utf-8", "meta", 0)
    assert convert_source(source).markup == "<p></p><p>It sails.</p>"
