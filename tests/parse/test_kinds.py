"""What is taken for HTML, XML, JSON, text and binary data."""

from __future__ import annotations

import pytest

from webclean.model import Source
from webclean.parse.inputs import HEADER_BYTES, convert_source, is_binary, name_binary

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
