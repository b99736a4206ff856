"""Input of a caller (bytes, a string, a path, a file object or an lxml tree) -> bytes or markup, and of which kind.

Web archives and crawlers keep pages packed (`webclean.storage`). A file may hold a page, or the chapters of a book,
beside other things; of these the markup is read that a reader sees:

    MHTML, .eml (RFC 2557, RFC 5322)     the part that the message is about, else its first of HTML, else of plain text
    HTTP response (`curl -i`)            its body
    Web archive of Safari (plist)        the main resource
    Zip of a saved page, of SingleFile   index.html, else the only page that is least deep
    EPUB (EPUB 3.3)                      the chapters in the order of the spine, below the title of the book

All of them are known by their first bytes. What is one of these forms and holds no page is an error, and so is what is
damaged or may be one of several pages: its wrapping is never the text. Never more is unpacked than the largest page
that is allowed.

Input that is not HTML is not rejected: XML, JSON and plain text become a page with one `pre` element, as browsers show
text files (HTML 7.5.4, https://html.spec.whatwg.org/#read-text); binary data becomes an empty page.
"""

from __future__ import annotations

import io
import json
import os
import plistlib
import posixpath
import re
import zipfile
import zlib
from base64 import b64encode
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from html import escape
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable
from urllib.parse import unquote

from lxml import etree

from webclean import core
from webclean.errors import InputError, NotAPageError
from webclean.model import Source
from webclean.parse.encoding import decode_bytes
from webclean.parse.engines.html5 import write_tree
from webclean.parse.limits import Budget
from webclean.parse.prepare import close_empty_tags
from webclean.parse.snippets import read_text
from webclean.parse.tags import CODE
from webclean.storage import unpack

_XHTML: Final = "{http://www.w3.org/1999/xhtml}"


@runtime_checkable
class Readable(Protocol):
    """A file object, binary or text."""

    def read(self, size: int = -1, /) -> Any: ...


Input: TypeAlias = (
    "bytes | bytearray | memoryview | str | os.PathLike[str] | Readable | etree._Element | etree._ElementTree"
)
"""A string is markup, never a path; a path is a `pathlib.Path` or another `os.PathLike`. Bytes and files may be packed
by gzip or Zstandard."""

NO_NAME: Final = "a NUL or half a surrogate pair is in no name of a file"
"""What is said where the system has a `ValueError` in its own words."""
_NAME: Final = re.compile(
    r"https?://[^\s<>]{1,500}|[^\s<>]{1,250}\.(?:x?html?|shtml|mhtml?|eml|webarchive|epub|zip|php|gz|zst|pdf|txt)",
    re.IGNORECASE,
)
"""A string that is a URL or the name of a file, which someone gave for the page itself."""


def read_input(html: Input, budget: Budget) -> bytes | str:
    """The bytes, or the text if the input is text already; never more than `max_bytes`.

    Raises `InputError` if the input has another type, cannot be read or is a string that names a file or URL,
    `LimitExceeded` if it is too long.
    """
    maximum = budget.limits.max_bytes
    read: object = html
    # strings first, because the check against the `Readable` protocol is slow
    if isinstance(html, os.PathLike):
        try:
            with Path(html).open("rb") as file:
                read = file.read(maximum + 1)
        except (OSError, ValueError) as error:
            said = error.strerror or error if isinstance(error, OSError) else NO_NAME
            raise InputError(f"cannot read {ascii(os.fspath(html))[1:-1]}: {said}") from error
    elif isinstance(html, etree._Element | etree._ElementTree):
        read = write_markup(html)
    elif not isinstance(html, bytes | str) and isinstance(html, Readable):
        read = _read_file(html, maximum)
    if isinstance(read, bytearray | memoryview):
        read = bytes(read)
    if not isinstance(read, bytes | str):
        raise InputError(f"a page is bytes, a string, a path, a file object or an lxml tree, not {type(read).__name__}")
    if isinstance(read, bytes):
        read = unpack(read, maximum)
    # cleaned as markup, the name of a file would be a page of one word, and nobody would know why
    if isinstance(read, str) and _NAME.fullmatch(read):
        raise InputError(
            f"{read!r} is no markup: for a file give pathlib.Path(...), for a URL call webclean.fetch_page(...)"
        )
    if len(read) > maximum:
        budget.exceed("max_bytes", len(read))
        return read[:maximum]
    return read


def mend_text(text: str) -> str:
    """Remove a byte-order mark at the start, which some decoders leave there, and replace each lone surrogate by U+FFFD
    (files opened with `errors="surrogateescape"` have them).
    """
    text = text.removeprefix("\ufeff")
    try:
        text.encode()
    except UnicodeEncodeError:
        # through UTF-16, in which two halves that stand together become their character
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _read_file(file: Readable, maximum: int) -> object:
    """Read until the end or one byte (or character) beyond the maximum. One `read` may return less than requested."""
    parts: list[Any] = []
    n_read = 0
    try:
        while n_read <= maximum:
            part = file.read(maximum + 1 - n_read)
            # `read` of an asynchronous file gives a coroutine
            if not isinstance(part, bytes | str):
                raise InputError(f"the file object gave {type(part).__name__}, not bytes or text")
            if not part:
                break
            parts.append(part)
            n_read += len(part)
    except (OSError, ValueError) as error:
        raise error if isinstance(error, InputError) else InputError(f"cannot read the file object: {error}") from error
    return type(parts[0])().join(parts) if parts else b""


def write_markup(tree: etree._Element | etree._ElementTree) -> str:
    """The markup of an lxml tree. Trees in the XHTML namespace (html5lib's default) are serialised by html5lib."""
    root = tree.getroot() if isinstance(tree, etree._ElementTree) else tree
    if root is None:
        return ""
    if isinstance(root.tag, str) and root.tag.startswith(_XHTML):
        return write_tree(root)
    return str(etree.tostring(tree, method="html", encoding="unicode", with_tail=False))


HEADER_BYTES: Final = 1445
"""Length of the resource header, from which the MIME Sniffing standard tells the type
(https://mimesniff.spec.whatwg.org/)."""

_BINARY_BYTES: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_SIGNATURES: Final = (
    *(b"%PDF-", b"%!PS-Adobe-", b"GIF87a", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"OggS\0", b"ID3"),
    *(b"PK\x03\x04", b"Rar!\x1a\x07", b"\x1f\x8b\x08", b"7z\xbc\xaf\x27\x1c", b"\0\x01\0\0", b"OTTO", b"wOFF", b"wOF2"),
    *(b"\x1aE\xdf\xa3", b"\0asm", b"\x7fELF", b"MZ", b"MThd", b"BZh", b"\xfd7zXZ\0"),
)
_WEB_ARCHIVES: Final = (b"WARC/", b"filedesc://")
_WITHOUT_CONTROLS: Final = (b"%PDF-", b"%!PS-Adobe-", b"\x28\xb5\x2f\xfd", b"{\\rtf", *_WEB_ARCHIVES)
"""Signatures of formats whose first bytes may have no control bytes: PDF, PostScript, Zstandard, RTF, web archives."""
_TAR: Final = slice(257, 262), b"ustar"
"""Where a tape archive says that it is one (POSIX.1); its first bytes are the name of a file."""
# some formats are told by signs far behind their start, such as those of a tape archive
_SNIFFED_BYTES: Final = 65_536
_MIMETYPE: Final = re.compile(rb"(?s)PK\x03\x04.{26}mimetype([a-z]+/[\w.+-]+?)PK")
"""Documents of OpenDocument and others say first what they are, unpacked (OpenDocument 1.3, part 2, 3.3)."""
_OFFICE_TYPES: Final = "application/vnd.openxmlformats-officedocument"
_OFFICE: Final = {
    b"word/document": "wordprocessingml.document (Word)",
    b"xl/workbook": "spreadsheetml.sheet (Excel)",
    b"ppt/presentation": "presentationml.presentation (PowerPoint)",
}
"""Name of a member of a document of Office -> its type."""
_NAMES: Final = "|".join(sorted(CODE, key=len, reverse=True))
# possessive, here and below: a page of a million spaces must not be tried from each of them
_FIRST_TAG: Final = re.compile(r"\s*+(?:<!--.*?-->\s*+)*+<(?:!doctype\b|/?[a-z])", re.IGNORECASE | re.DOTALL)
_MARKUP: Final = re.compile(
    rf"<(?:!doctype\b|!--|/[a-z][\w:-]*+\s*+>|(?:br|p|hr|img|li|td|div)\s*+/?>|(?:{_NAMES})\s[^<>=]{{0,200}}=[^<>]*>)",
    re.I,
)
_XML_ROOT: Final = re.compile(
    r"\s*+(<\?xml\b)?(?:[^<]++|<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*+(?:\[.*?\]\s*+)?>)*+<([\w.-]++)(?::([\w.-]++))?",
    re.IGNORECASE | re.DOTALL,
)
_XML_ROOTS: Final = frozenset(("rss", "feed", "rdf", "urlset", "sitemapindex", "opml"))
# sign by sign, for an expression that looks back at each place of a page takes twelve times as long
_UNSEEN: Final = re.compile("\xad|\ufeff|\u200b|\u200d|&(?:shy|#0*173|#[xX]0*[aA][dD]|(#0*8203|#[xX]0*200[bB]));")
_UNPARTED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Thai, Lao, Burmese and Khmer, in which a space without width parts words."""
_JSON_START: Final = re.compile(r"\s*+[{\[]")
_JSON_LINES: Final = re.compile(r"\s*+(\{.*\})\s*\n\s*\{")
_BEFORE: Final = b"\xef\xbb\xbf \t\r\n\f"
"""What may stand before the first sign of a page."""
# a page with a stray control byte is still a page
_HTML_BYTES: Final = re.compile(rb"(?i)<(?:!doctype\s+html|html|head|body|script|title|meta|div|p|a|table)[\s>]")


def starts_as_page(data: bytes) -> bool:
    """Whether bytes of which nothing is declared are a page: they begin with a comment, or with a tag and one of HTML
    is near."""
    head = data[:HEADER_BYTES].lstrip(_BEFORE)
    return head.startswith(b"<!--") or (head.startswith(b"<") and bool(_HTML_BYTES.search(head)))


def is_binary(data: bytes) -> bool:
    """Whether bytes, other than UTF-16, are not a text: they start with a known signature (also that of a web archive),
    or the header has control bytes and no HTML tag."""
    head = data[:HEADER_BYTES]
    if len(head.translate(None, _BINARY_BYTES)) == len(head):
        # PDF and PostScript begin with a line of text
        return head.startswith(_WITHOUT_CONTROLS)
    return head.startswith(_SIGNATURES) or head[_TAR[0]] == _TAR[1] or not _HTML_BYTES.search(head)


def name_binary(data: bytes) -> str:
    """What binary data is, for people: its media type, with the name of the format."""
    if data.startswith(_WEB_ARCHIVES):
        return "application/warc (web archive)"
    if data.startswith(b"{\\rtf"):
        return "application/rtf (Rich Text Format)"
    if data.startswith(_ZIP):
        written = _MIMETYPE.match(data)
        if written or (office := next((told for sign, told in _OFFICE.items() if sign in data), None)):
            return f"{written[1].decode()} (zip)" if written else f"{_OFFICE_TYPES}.{office}"
    import puremagic  # noqa: PLC0415  of use only where something else than a page was given

    try:
        found = puremagic.magic_string(data[:_SNIFFED_BYTES])
    except (puremagic.PureError, ValueError):
        found = []
    # among equally sure answers the shortest type is the most general: a zip, not one of the documents that are zips
    named = sorted(
        (-match.confidence, len(match.mime_type), match.mime_type, match.name) for match in found if match.mime_type
    )
    return f"{named[0][2]} ({named[0][3]})" if named else "binary data"


def convert_source(source: Source) -> Source:
    """Set the kind of a source; input that is not HTML is replaced by the markup of a page that shows it as text."""
    # marks of possible word breaks, and what editors leave in empty lines, are no letters: a search must find the word
    # asked first: few pages have one, and the expression takes much longer to find that there is none
    markup = source.markup
    if any(map(markup.__contains__, "\xad\u200b\u200d\ufeff")) or core.may_refer_to_break(markup):
        markup = _UNSEEN.sub(_drop_unseen, markup)
        source = replace(source, markup=markup)
    if not markup or markup.isspace():
        return replace(source, markup="", kind="empty")
    # before HTML is looked for: strings of JSON hold tags
    if _JSON_START.match(markup):
        lines = _JSON_LINES.match(markup)
        with suppress(ValueError, RecursionError):
            json.loads(lines[1] if lines else markup)
            return replace(source, markup=_write_text_page(markup), kind="json")
    # before HTML too: feeds carry HTML in their descriptions, and one tag of it would decide
    first = _XML_ROOT.match(markup[:10_000])
    name = (first[3] or first[2]).lower() if first else ""
    if first and (name in _XML_ROOTS or (first[1] and name not in CODE)):
        root = _parse_xml(markup.encode("utf-8", "replace"), remove_comments=True, remove_pis=True, encoding="utf-8")
        texts = (" ".join(text.split()) for text in root.itertext()) if root is not None else ()
        # markup in a text node (RSS descriptions) is read as HTML
        read = (" ".join(read_text(text).split()) if "<" in text else text for text in texts)
        return replace(source, markup=_write_text_page("\n".join(filter(None, read))), kind="xml")
    if _FIRST_TAG.match(markup) or _MARKUP.search(markup):
        return source
    return replace(source, markup=_write_text_page(markup), kind="text")


def _drop_unseen(found: re.Match[str]) -> str:
    """What stays of a sign that is no letter."""
    sign, before, after = (
        found[0],
        found.string[max(0, found.start() - 1) : found.start()],
        found.string[found.end() : found.end() + 1],
    )
    if sign != "\u200d":
        return sign if (sign == "\u200b" or found[1]) and _UNPARTED.match(before) else ""
    # it joins signs, and letters of Indian scripts
    is_edge = before == ">" or before.isspace()
    is_edge = is_edge or (not "\u0900" <= before <= "\u0dff" and (after == "<" or after.isspace()))
    return "" if is_edge else sign


def _write_text_page(text: str) -> str:
    # the first newline of a `pre` is none of its text, so one more keeps that of the text
    return f"<pre>\n{escape(text, quote=False)}</pre>"


def _parse_xml(data: bytes, **options: Any) -> etree._Element | None:
    """The root of XML, as far as it can be read; None where it has none."""
    # an entity may stand for a gigabyte, or for a file of this machine
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False, **options)
    with suppress(etree.XMLSyntaxError):
        return etree.fromstring(data, parser)
    return None


_HEADERS: Final = re.compile(
    rb"(?:From [^\n]*\n)?((?:[!-9;-~]++:[^\r\n]*+\r?\n(?:[ \t][^\r\n]*+\r?\n)*+)++)(?:\r?\n|\Z)"
)
"""The lines that a message begins with (RFC 5322, 2.2), and before them that of a file of mailboxes."""
_OF_MESSAGE: Final = re.compile(
    rb"(?im)^(?:mime-version|message-id|received|return-path)[ \t]*:|^content-type[ \t]*:\s*[a-z]+/"
)
"""A line that says that this is a message; so do `From` and `Date` together."""
_HTTP: Final = re.compile(
    rb"(?:HTTP/\d(?:\.\d)? \d{3}\b[^\n]*\n(?:[^\r\n]+\r?\n)*+\r?\n)*+HTTP/\d(?:\.\d)? \d{3}\b[^\n]*\n"
)
"""The status line of a saved response, behind the whole heads of those that came before it."""
_PLIST: Final = re.compile(rb"(?i)bplist00|\s*<\?xml[^>]*>\s*(?:<!doctype[^>]*>\s*)?<plist\b")
_ZIP: Final = b"PK\x03\x04"
_SINGLE_FILE: Final = b"<html data-sfz"
"""The page before the zip of a page that SingleFile saved to extract itself."""
_MAX_MEMBERS: Final = 10_000
"""Members of a zip; books of a thousand chapters and pictures have fewer."""
_CONTAINER: Final = "META-INF/container.xml"
_PAGE: Final = re.compile(r"(?i)\.(?:x?html?|xht|shtml|mhtml?|eml|webarchive)(?:\.gz|\.zst)?$")
_OF_PROGRAMS: Final = ("[Content_Types].xml", "META-INF/MANIFEST.MF", "mimetype")
"""Members by which zips of Office, Java and OpenDocument are known, which may hold pages too."""
_RESOURCE: Final = re.compile(r"(?:^|/)(?:__MACOSX|[^/]*_files)/")
"""Folders of what belongs to a page."""
_BODY: Final = re.compile(r"(?is)<body\b[^>]*>(.*?)(?:</body\s*>|\Z)")


_OF_BOOK: Final = {"title": "dc.title", "creator": "author", "date": "dc.date", "language": "dc.language"}
"""What a book says of itself (Dublin Core), and how a page says it."""
Inner = tuple[bytes, str | None]
"""The page inside a container, and its charset as the container declares it."""


def open_container(data: bytes, maximum: int) -> Inner | None:
    """The page inside, None where the bytes are no container. maximum: bytes that are unpacked.

    Raises `NotAPageError` where it has no page, or several; `InputError` where it is damaged.
    """
    head = data[:HEADER_BYTES].lstrip(_BEFORE)
    if head.startswith(_ZIP) or head.find(_SINGLE_FILE) >= 0:
        return _open_zip(data, maximum)
    # most pages begin with a tag or their doctype, as no container does
    if head.startswith(b"<") and not head.startswith(b"<?"):
        return None
    head = data[:_SNIFFED_BYTES].lstrip(_BEFORE)
    if _PLIST.match(head) and b"WebMainResource" in data:
        return _open_plist(data)
    if status := _HTTP.match(head):
        return _open_message(data.lstrip(_BEFORE)[status.end() :], maximum)
    headers = _HEADERS.match(head)
    names = {line.partition(b":")[0].lower() for line in headers[1].splitlines()} if headers else set()
    if headers and (_OF_MESSAGE.search(headers[1]) or {b"from", b"date"} <= names):
        return _open_message(data.lstrip(_BEFORE), maximum)
    return None


_PART_TYPES: Final = frozenset(("text/html", "application/xhtml+xml", "text/plain"))


def _open_message(data: bytes, maximum: int) -> Inner:
    message = message_from_bytes(data)
    parts = [part for part in message.walk() if not part.is_multipart()]
    start = message.get_param("start")
    named = [part for part in parts if start and part.get("Content-ID", "").strip() == start]
    texts = [part for part in parts if part.get_content_type() in _PART_TYPES]
    # what hangs on to a message is not what it says
    texts.sort(
        key=lambda part: (part.get_content_disposition() == "attachment", part.get_content_type() == "text/plain")
    )
    chosen = next(iter((*named, *texts)), None)
    if chosen is None:
        raise NotAPageError(f"is a message ({message.get_content_type()}) that holds no page")
    page = unpack(_read_part(chosen), maximum)
    # pictures from other parts (`cid:`, RFC 2392) are written into it, as far as it does not grow too large
    for part in parts if b"cid:" in page else ():
        name = part.get("Content-ID", "").strip().strip("<>")
        reference = b"cid:" + name.encode("utf-8", "replace")
        if name and reference in page and part.get_content_maintype() == "image":
            shown = b"data:%s;base64,%s" % (part.get_content_type().encode(), b64encode(_read_part(part)))
            if len(page) + page.count(reference) * len(shown) <= maximum:
                page = page.replace(reference, shown)
    return page, chosen.get_content_charset()


def _read_part(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _open_plist(data: bytes) -> Inner:
    try:
        found = plistlib.loads(data)["WebMainResource"]
        page, charset = found["WebResourceData"], found.get("WebResourceTextEncodingName")
    # whatever is wrong with a plist, plistlib raises what it meets
    except Exception as error:
        raise InputError(f"is a damaged web archive of Safari: {type(error).__name__}") from error
    if not isinstance(page, bytes):
        raise NotAPageError("is a web archive of Safari that holds no page")
    return page, charset if isinstance(charset, str) else None


def _open_zip(data: bytes, maximum: int) -> Inner | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            names = [name for name in opened.namelist()[:_MAX_MEMBERS] if not _RESOURCE.search(name)]
            if _CONTAINER in names:
                return _read_book(opened, maximum)
            pages = sorted((name.count("/"), name) for name in names if _PAGE.search(name))
            # documents of offices and programs are zips too: they are told as what they are
            if not pages or not set(_OF_PROGRAMS).isdisjoint(names):
                return None
            first = [name for depth, name in pages if depth == pages[0][0]]
            chosen = [name for name in first if posixpath.basename(name).lower().startswith("index.")] or first
            if len(chosen) > 1:
                raise NotAPageError(f"is a zip of {len(pages)} pages, none of which is its index: unpack it")
            page = unpack(_read_member(opened, chosen[0], maximum), maximum)
            # of a zip in a zip there may be another, and so on
            inner = None if page.startswith(_ZIP) else open_container(page, maximum)
            return inner or (page, None)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, NotImplementedError) as error:
        raise InputError(f"is a damaged zip: {error.args[0] if error.args else type(error).__name__}") from error
    except RuntimeError as error:  # what zipfile raises where a password is needed
        raise InputError(f"is a zip that cannot be read: {error}") from error


def _read_member(opened: zipfile.ZipFile, name: str, maximum: int) -> bytes:
    with opened.open(name) as file:
        return file.read(maximum + 1)


def _parse_member(opened: zipfile.ZipFile, name: str, maximum: int) -> etree._Element:
    root = _parse_xml(_read_member(opened, name, maximum))
    if root is None:
        raise ValueError(f"{name} is no XML")
    return root


def _read_book(opened: zipfile.ZipFile, maximum: int) -> Inner:
    """The chapters of a book as one page."""
    container = _parse_member(opened, _CONTAINER, maximum)
    place = str(container.xpath("string((//*[local-name()='rootfile']/@full-path)[1])"))
    package = _parse_member(opened, place, maximum)
    items = {item.get("id"): item for item in package.iterfind(".//{*}manifest/{*}item")}
    folder, parts, left = posixpath.dirname(place), [], maximum
    for reference in package.iterfind(".//{*}spine/{*}itemref"):
        item = items.get(reference.get("idref"), reference)
        name = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        is_text = item.get("media-type") in _PART_TYPES or _PAGE.search(name)
        # the table of contents may be in the spine, and is no chapter
        if not is_text or "nav" in item.get("properties", "").split() or name not in opened.NameToInfo or left <= 0:
            continue
        chapter = _read_member(opened, name, left)
        left -= len(chapter)
        source = decode_bytes(chapter)
        # chapters with rights management are encrypted
        if not source.encoding.startswith("utf-16") and is_binary(chapter):
            continue
        body = _BODY.search(source.markup)
        parts.append(f"<section>{close_empty_tags(body[1] if body else source.markup)}</section>")
    if not parts:
        raise NotAPageError("is a book (EPUB) without a chapter that can be read")
    told = {name: escape(str(package.xpath(f"string((//*[local-name()='{name}'])[1])")).strip()) for name in _OF_BOOK}
    metas = "".join(f'<meta name="{_OF_BOOK[name]}" content="{text}">' for name, text in told.items() if text)
    head = f'<!doctype html><html lang="{told["language"]}"><head><meta charset="utf-8"><title>{told["title"]}</title>'
    return f"{head}{metas}</head><body><article>{''.join(parts)}</article></body></html>".encode(), "utf-8"
