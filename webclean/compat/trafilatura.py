"""trafilatura's functions, with its arguments and in its formats, by webclean.

As with trafilatura, a page without text, or one that a filter refuses, gives None and a line in the log. Accepted
without effect: fast, no_fallback, tei_validation (the output is valid by the way it is made), deduplicate,
date_extraction_params, date_config, extensive, settingsfile, config, no_ssl.

The formats have the same keys, columns, elements and order of fields. The header of a TEI P5 document
(https://tei-c.org/guidelines/p5/, 2) has the parts that trafilatura writes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree
from lxml import html as lxml_html

from webclean import __version__
from webclean.compat.extracted import (
    LOGGER,
    ExtractedDocument,
    Options,
    PageParts,
    describe_page,
    take_page,
    take_parts,
    takes,
)
from webclean.errors import WebcleanError
from webclean.model import Limits, Role
from webclean.outputs.flow import Head, Node
from webclean.outputs.html import render_html
from webclean.outputs.xml import build_xml, clean_xml
from webclean.parse import read_source
from webclean.parse.limits import start_budget
from webclean.web.fetch import FetchLimits, fetch_bytes


def make_header(document: ExtractedDocument) -> etree._Element:
    """What is known of a page: its title, publisher, source, description and subjects, and what made the document."""
    publisher = document.sitename or document.hostname or "N/A"
    sigle = ", ".join(filter(None, (document.sitename, document.date)))
    terms = {"categories": document.categories, "tags": document.tags}
    subjects = [_make("term", ",".join(words), type=kind) for kind, words in terms.items() if words]

    def make_title() -> etree._Element:
        author = document.author and _make("author", document.author)
        return _make("titleStmt", _make("title", document.title, type="main"), author)

    def make_publication(*more: etree._Element | str | None) -> etree._Element:
        return _make("publicationStmt", _make("publisher", publisher), *more)

    address = document.url and _make("ptr", type="URL", target=document.url)
    source = _make(
        "sourceDesc",
        _make("bibl", ", ".join(filter(None, (document.title, sigle)))),
        _make("bibl", sigle, type="sigle"),
        _make("biblFull", make_title(), make_publication(address, _make("date", document.date))),
    )
    notes = _make(
        "notesStmt",
        document.id and _make("note", document.id, type="id"),
        _make("note", document.fingerprint, type="fingerprint"),
    )
    licence = document.license and _make("availability", _make("p", document.license))
    application = _make("application", _make("label", "webclean"), version=__version__, ident="webclean")
    return _make(
        "teiHeader",
        _make("fileDesc", make_title(), make_publication(licence), notes, source),
        _make("encodingDesc", _make("appInfo", application)),
        _make(
            "profileDesc",
            _make("abstract", _make("p", document.description)),
            _make("textClass", _make("keywords", *subjects)) if subjects else None,
            _make("creation", _make("date", document.filedate, type="download")),
        ),
    )


def _make(name: str, *inside: etree._Element | str | None, **attributes: str) -> etree._Element:
    """An element with a text or with elements; what is not known is left out."""
    made = etree.Element(name, {key: clean_xml(value) for key, value in attributes.items()})
    for part in inside:
        if isinstance(part, str):
            made.text = clean_xml(part) or None
        elif part is not None:
            made.append(part)
    return made


_HEADER: Final = (
    "title", "author", "url", "hostname", "description", "sitename", "date", "categories", "tags", "fingerprint", "id",
    "license",
)  # fmt: skip
_ATTRIBUTES: Final = (
    "sitename", "title", "author", "date", "url", "hostname", "description", "categories", "tags", "license", "id",
    "fingerprint", "language",
)  # fmt: skip
_COLUMNS: Final = (
    "url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments", "license", "pagetype",
)  # fmt: skip
_RENAMED: Final = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
_TEI: Final = "http://www.tei-c.org/ns/1.0"


def write_text(parts: PageParts) -> str:
    """Text or Markdown, then the comments; with YAML front matter if fields are asked for."""
    document = parts.document
    body = "\n\n".join(filter(None, (document.text, document.comments)))
    if not parts.options.metadata:
        return body
    known = ((name, getattr(document, name)) for name in _HEADER)
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in known if value)
    return f"---\n{''.join(lines)}---\n{body}"


def write_html(parts: PageParts) -> str:
    """A small HTML document."""
    document = parts.document
    flow = Node("", parts.main.attributes, [*parts.main.children, *parts.comments.children])
    head = Head(document.title or "", document.author or "", document.date or "", document.url or "")
    return render_html(flow, head, metadata=parts.options.metadata)


def write_json(parts: PageParts) -> str:
    """A JSON object; without fields only `text` and `comments`."""
    values: dict[str, Any] = {"text": parts.document.text, "comments": parts.document.comments}
    if parts.options.metadata:
        fields = parts.document.as_dict()
        values = {name: value for name, value in fields.items() if name not in ("body", "commentsbody", *_RENAMED)}
        values |= {new: fields[name] for name, new in _RENAMED.items()}
        values |= {name: ";".join(fields[name] or ()) for name in ("categories", "tags")}
    return json.dumps(values, ensure_ascii=False)


def write_csv(parts: PageParts) -> str:
    """One row of values separated by tabs, `null` for what is not known."""
    output = io.StringIO()
    values = [getattr(parts.document, name) or "null" for name in _COLUMNS]
    csv.writer(output, delimiter="\t", quoting=csv.QUOTE_MINIMAL).writerow(values)
    return output.getvalue()


def write_xml(parts: PageParts) -> str:
    """`<doc>` with the fields as attributes, `<main>` and `<comments>`."""
    root = etree.Element("doc")
    for name in _ATTRIBUTES:
        if value := getattr(parts.document, name):
            root.set(name, clean_xml(value if isinstance(value, str) else ";".join(value)))
    for flow, name in ((parts.main, "main"), (parts.comments, "comments")):
        root.append(build_xml(flow, name, formatting=parts.options.marks))
    return str(etree.tostring(root, pretty_print=True, encoding="unicode")).strip()


def write_tei(parts: PageParts) -> str:
    """A TEI P5 document: the header, and a division each for text and comments."""
    root = etree.Element("TEI", xmlns=_TEI)
    root.append(make_header(parts.document))
    body = etree.SubElement(etree.SubElement(root, "text"), "body")
    for flow, kind in ((parts.main, "entry"), (parts.comments, "comments")):
        division = build_xml(flow, "div", "tei", formatting=parts.options.marks)
        division.set("type", kind)
        body.append(division)
    return str(etree.tostring(root, pretty_print=True, encoding="unicode")).strip()


WRITERS: Final[dict[str, Callable[[PageParts], str]]] = {
    "csv": write_csv,
    "html": write_html,
    "json": write_json,
    "markdown": write_text,
    "txt": write_text,
    "xml": write_xml,
    "xmltei": write_tei,
}


@takes("as_dict")
def extract(filecontent: Any, options: Options) -> str | None:
    """The text of a page in the format `txt`, `markdown`, `html`, `json`, `csv`, `xml` or `xmltei`; None without text.

    Raises `AttributeError` for an unknown format and `ValueError` for `python`, which is of `bare_extraction`.
    """
    if options.output_format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    parts = take_parts(filecontent, options)
    return None if parts is None else WRITERS[options.output_format](parts)


@takes("record_id", "tei_validation", "settingsfile", output_format="python")
def bare_extraction(filecontent: Any, options: Options) -> ExtractedDocument | dict[str, Any] | None:
    """The text, the comments and, if asked for, the fields of a page; None for a page without text."""
    parts = take_parts(filecontent, options)
    if parts is None:
        return None
    document = parts.document
    document.body, document.commentsbody = (
        build_xml(flow, "body", formatting=options.marks) for flow in (parts.main, parts.comments)
    )
    return document.as_dict() if options.as_dict else document


@takes("as_dict", "no_fallback", "with_metadata", "only_with_metadata", "max_tree_size")
def extract_with_metadata(filecontent: Any, options: Options) -> ExtractedDocument | None:
    """The fields of a page, and as their `text` what `extract` writes; None for a page without text."""
    options.with_metadata = True
    parts = take_parts(filecontent, options)
    if parts is None:
        return None
    parts.document.text = WRITERS[options.output_format](parts)
    return parts.document


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> ExtractedDocument:
    """The fields of a page without its text; an empty document for what is no page."""
    try:
        document = describe_page(take_page(filecontent, Options(url=default_url)))
    except WebcleanError as error:
        LOGGER.warning("no metadata: %s: %s", default_url, error)
        return ExtractedDocument()
    if document.author in (author_blacklist or ()):
        document.author = None
    return document


def baseline(filecontent: Any) -> tuple[etree._Element, str, int]:
    """The most text that is not surely noise (the profile `recall`), as `body` with its paragraphs, as text, and the
    length of that; empty for what is no page."""
    parts = take_parts(filecontent, Options(favor_recall=True))
    if parts is None:
        return etree.Element("body"), "", 0
    text = parts.document.raw_text or ""
    return build_xml(parts.main, "body", formatting=False), text, len(text)


_BESIDE: Final = (Role.FOOTER, Role.SIDEBAR, Role.ADVERTISEMENT, Role.DIALOG)


def html2txt(content: Any, clean: bool = True) -> str:
    """All that a page shows, in one line; '' for what is no page. clean: without footers, side columns, advertisements
    and dialogs."""
    try:
        page = take_page(content, Options())
    except WebcleanError as error:
        LOGGER.warning("no text: %s", error)
        return ""
    columns, roles = page.analysis.columns.blocks, page.text_block_roles
    shown = zip(columns.text, columns.visible, roles, strict=True)
    texts = (text for text, visible, role in shown if visible and not (clean and role in _BESIDE))
    return " ".join(" ".join(texts).split())


def load_html(htmlobject: Any, max_size: int | None = None) -> lxml_html.HtmlElement | None:
    """The tree of a page, decoded as webclean does; None for what is no page, and for more bytes than max_size. Raises
    `TypeError` for what is neither a tree, a response, bytes nor text."""
    content = getattr(htmlobject, "data", htmlobject)
    if isinstance(content, lxml_html.HtmlElement):
        return content
    if not isinstance(content, bytes | str):
        raise TypeError("incompatible input type", type(htmlobject))
    try:
        limits = Limits() if max_size is None else Limits(max_bytes=max_size)
        source = read_source(content, start_budget(limits, "raise"))
    except WebcleanError as error:
        LOGGER.warning("no page: %s", error)
        return None
    if source.kind != "html":
        return None
    # as bytes: lxml refuses a text that declares its encoding
    parser = lxml_html.HTMLParser(encoding="utf-8")
    return lxml_html.document_fromstring(source.markup.encode("utf-8", "replace"), parser=parser)


@dataclass(frozen=True, slots=True)
class Response:
    """A page as served. url: after redirects. html: decoded, where that was asked for. headers: None, they are not
    kept."""

    data: bytes
    status: int
    url: str
    html: str | None = None
    headers: dict[str, str] | None = None


def fetch_response(
    url: str, *, decode: bool = False, no_ssl: bool = False, with_headers: bool = False, config: Any = None
) -> Response | None:
    """Fetch a page, from public addresses alone; None, with a line in the log, where that fails."""
    try:
        got = fetch_bytes(url, FetchLimits())
        html = read_source(got.body, start_budget(Limits(), "raise"), got.charset).markup if decode else None
        return Response(got.body, got.status, got.url, html)
    except WebcleanError as error:
        LOGGER.error("download error: %s", error)
        return None


def fetch_url(url: str, no_ssl: bool = False, config: Any = None, options: Any = None) -> str | None:
    """The markup of a page of the web, decoded; None, with a line in the log, where it cannot be fetched."""
    response = fetch_response(url, decode=True)
    return response.html if response else None
