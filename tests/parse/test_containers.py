"""A page that stands in another file is read as that page; its wrapping is never the text."""

from __future__ import annotations

import gzip
import io
import plistlib
import zipfile
from email.message import EmailMessage

import pytest

import webclean
from webclean.errors import InputError, LimitExceeded
from webclean.model import Limits

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
    ("data", "said"),
    [
        (_write_book()[:200], "damaged zip"),
        (plistlib.dumps({"WebMainResource": 1}), "Safari"),
        (b"MIME-Version: 1.0\nContent-Type: image/png\n\nx", "holds no page"),
    ],
)
def test_a_container_without_a_page_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        webclean.clean(data)


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


@pytest.mark.parametrize("sign", ["\u00ad", "&shy;", "&#173;", "&#xAD;"])
def test_soft_hyphens_are_no_letters(sign: str) -> None:
    assert "Wasserturm" in webclean.clean(f"<p>Der Wasser{sign}turm am Rand der Stadt ist alt.</p>").text
