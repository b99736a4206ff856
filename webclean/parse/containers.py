"""A file that holds a page, or the chapters of a book, beside other things -> the markup of what a reader sees of it.

    MHTML, .eml (RFC 2557, RFC 5322)     the part that the message is about, else its first of HTML, else of plain text
    Web archive of Safari (plist)        the main resource
    Zip of a saved page                  index.html, else the page that is least deep, in the letters of its name
    EPUB (EPUB 3.3)                      the chapters in the order of the spine, below the title of the book

All of them are known by their first bytes. What is one of these forms and holds no page is an error, and so is what is
damaged: its wrapping is never the text. Never more is unpacked than the largest page that is allowed.
"""

from __future__ import annotations

import io
import plistlib
import posixpath
import re
import zipfile
import zlib
from base64 import b64encode
from email import message_from_bytes
from email.message import Message
from html import escape
from typing import Final, NamedTuple
from urllib.parse import unquote

from lxml import etree

from webclean.errors import NotAPageError
from webclean.parse.prepare import close_empty_tags

_MESSAGE: Final = re.compile(
    rb"(?i)\s*(?:From [^\n]*\n)?(?:[a-z0-9-]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)*?"
    rb"(?:mime-version[ \t]*:|content-type[ \t]*:\s*(?:multipart/|message/))"
)
"""Lines of headers, of which one says that this is a message of parts."""
_PLIST: Final = re.compile(rb"(?i)bplist00|\s*<\?xml[^>]*>\s*(?:<!doctype[^>]*>\s*)?<plist\b")
_ZIP: Final = b"PK\x03\x04"
_MAX_MEMBERS: Final = 10_000
"""Members of a zip; books of a thousand chapters and pictures have fewer."""
_CONTAINER: Final = "META-INF/container.xml"
_PAGE: Final = re.compile(r"(?i)\.x?html?$")
_BODY: Final = re.compile(r"(?is)<body\b[^>]*>(.*?)(?:</body\s*>|\Z)")


class Inner(NamedTuple):
    """The page inside a container. charset: as the container declares it."""

    page: bytes
    charset: str | None = None


def open_container(data: bytes, maximum: int) -> Inner | None:
    """The page inside, None where the bytes are no container. maximum: bytes that are unpacked.

    Raises `NotAPageError` where it has no page, or is damaged.
    """
    if data.startswith(_ZIP):
        return _open_zip(data, maximum)
    # most pages begin with a tag or their doctype, as no container does
    head = data[:64].lstrip()
    if head.startswith(b"<") and not head.startswith(b"<?"):
        return None
    if _PLIST.match(data) and b"WebMainResource" in data:
        return _open_plist(data)
    if _MESSAGE.match(data[:65_536]):
        return _open_message(data, maximum)
    return None


def _open_message(data: bytes, maximum: int) -> Inner:
    message = message_from_bytes(data.lstrip())
    parts = [part for part in message.walk() if not part.is_multipart()]
    start = message.get_param("start")
    pages = [part for part in parts if part.get_content_type() in ("text/html", "application/xhtml+xml")]
    named = [part for part in pages if start and part.get("Content-ID", "").strip() == start]
    texts = [part for part in parts if part.get_content_type() == "text/plain"]
    for part in (*named, *pages, *texts):
        page = _read_part(part)
        return Inner(page if part in texts else _show_images(page, parts, maximum), part.get_content_charset())
    raise NotAPageError(f"is a message ({message.get_content_type()}) that holds no page")


def _show_images(page: bytes, parts: list[Message], maximum: int) -> bytes:
    """The page with its pictures from other parts (`cid:`, RFC 2392) in it, as far as it does not grow too large."""
    for part in parts if b"cid:" in page else ():
        name = part.get("Content-ID", "").strip().strip("<>")
        reference = b"cid:" + name.encode("utf-8", "replace")
        if name and reference in page and part.get_content_maintype() == "image":
            shown = b"data:%s;base64,%s" % (part.get_content_type().encode(), b64encode(_read_part(part)))
            if len(page) + page.count(reference) * len(shown) <= maximum:
                page = page.replace(reference, shown)
    return page


def _read_part(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _open_plist(data: bytes) -> Inner:
    try:
        found = plistlib.loads(data)["WebMainResource"]
        page, charset = found["WebResourceData"], found.get("WebResourceTextEncodingName")
    # whatever is wrong with a plist, plistlib raises what it meets
    except Exception as error:
        raise NotAPageError(f"is a damaged web archive of Safari: {type(error).__name__}") from error
    if not isinstance(page, bytes):
        raise NotAPageError("is a web archive of Safari that holds no page")
    return Inner(page, charset if isinstance(charset, str) else None)


def _open_zip(data: bytes, maximum: int) -> Inner | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            names = opened.namelist()[:_MAX_MEMBERS]
            if _CONTAINER in names:
                return _read_book(opened, maximum)
            pages = sorted((name for name in names if _PAGE.search(name)), key=_rank_page)
            # documents of offices and programs are zips too: they are told as what they are
            if not pages or "[Content_Types].xml" in names:
                return None
            return Inner(_read_member(opened, pages[0], maximum))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, NotImplementedError) as error:
        raise NotAPageError(f"is a damaged zip: {error}") from error
    except RuntimeError as error:  # what zipfile raises where a password is needed
        raise NotAPageError(f"is a zip that cannot be read: {error}") from error


def _rank_page(name: str) -> tuple[int, bool, str]:
    return name.count("/"), not posixpath.basename(name).lower().startswith("index."), name


def _read_member(opened: zipfile.ZipFile, name: str, maximum: int) -> bytes:
    with opened.open(name) as file:
        return file.read(maximum + 1)


def _read_xml(opened: zipfile.ZipFile, name: str, maximum: int) -> etree._Element:
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    root = etree.fromstring(_read_member(opened, name, maximum), parser)
    if root is None:
        raise ValueError(f"{name} is no XML")
    return root


def _read_book(opened: zipfile.ZipFile, maximum: int) -> Inner:
    """The chapters of a book as one page."""
    try:
        place = str(
            _read_xml(opened, _CONTAINER, maximum).xpath("string((//*[local-name()='rootfile']/@full-path)[1])")
        )
        package = _read_xml(opened, place, maximum)
    except etree.XMLSyntaxError as error:
        raise ValueError(str(error)) from error
    items = {item.get("id"): item.get("href", "") for item in package.iterfind(".//{*}manifest/{*}item")}
    folder, parts, left = posixpath.dirname(place), list[str](), maximum
    for reference in package.iterfind(".//{*}spine/{*}itemref"):
        name = posixpath.normpath(posixpath.join(folder, unquote(items.get(reference.get("idref"), ""))))
        if not _PAGE.search(name) or name not in opened.NameToInfo or left <= 0:
            continue
        chapter = _read_member(opened, name, left)
        left -= len(chapter)
        text = chapter.decode("utf-16" if chapter[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
        body = _BODY.search(text)
        parts.append(f"<section>{close_empty_tags(body[1] if body else text)}</section>")
    if not parts:
        raise NotAPageError("is a book (EPUB) without a chapter that can be read")
    title = escape("".join(package.xpath("string((//*[local-name()='title'])[1])")).strip(), quote=False)
    language = escape("".join(package.xpath("string((//*[local-name()='language'])[1])")).strip())
    head = f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>'
    return Inner(f"{head}<body><article>{''.join(parts)}</article></body></html>".encode(), "utf-8")
