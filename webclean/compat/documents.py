"""A page in the formats of trafilatura: the same keys, columns, elements and order of fields.

`ExtractedDocument` has the names of trafilatura's `Document`; all formats are written from `PageParts`. The header of a
TEI P5 document (https://tei-c.org/guidelines/p5/, 2) has the parts that trafilatura writes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from lxml import etree

from webclean import __version__
from webclean.outputs.flow import Head, Node
from webclean.outputs.html import render_html
from webclean.outputs.xml import build_xml, clean_xml
from webclean.storage import read_table

NAMES: Final = read_table(__file__, "names.toml")


@dataclass(slots=True, eq=False)
class ExtractedDocument:
    """A page as trafilatura's users know it. body, commentsbody: the text and the comments as XML. Fields are None
    where metadata was not asked for."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: etree._Element | None = None
    comments: str | None = None
    commentsbody: etree._Element | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def sign(self) -> None:
        """Set the fingerprint: equal for equal titles and texts."""
        text = f"{self.title} {self.raw_text}".encode("utf-8", "surrogatepass")
        self.fingerprint = hashlib.sha256(text).hexdigest()[:16]


class PageParts(NamedTuple):
    """A page that was not refused. main, comments: its clean elements. metadata: whether its fields are written. marks:
    whether emphasis and other marks of text are."""

    document: ExtractedDocument
    main: Node
    comments: Node
    metadata: bool
    marks: bool


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


_ORDER: Final = NAMES["order"]
_RENAMED: Final = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
_TEI: Final = "http://www.tei-c.org/ns/1.0"


def write_text(parts: PageParts) -> str:
    """Text or Markdown, then the comments; with YAML front matter if fields are asked for."""
    document = parts.document
    body = "\n".join(filter(None, (document.text, document.comments)))
    if not parts.metadata:
        return body
    known = ((name, getattr(document, name)) for name in _ORDER["header"])
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in known if value)
    return f"---\n{''.join(lines)}---\n{body}"


def write_html(parts: PageParts) -> str:
    """A small HTML document."""
    document = parts.document
    flow = Node("", parts.main.attributes, [*parts.main.children, *parts.comments.children])
    head = Head(document.title or "", document.author or "", document.date or "", document.url or "")
    return render_html(flow, head, metadata=parts.metadata)


def write_json(parts: PageParts) -> str:
    """A JSON object; without fields only `text` and `comments`."""
    values: dict[str, Any] = {"text": parts.document.text, "comments": parts.document.comments}
    if parts.metadata:
        fields = parts.document.as_dict()
        values = {name: value for name, value in fields.items() if name not in ("body", "commentsbody", *_RENAMED)}
        values |= {new: fields[name] for name, new in _RENAMED.items()}
        values |= {name: ";".join(fields[name] or ()) for name in ("categories", "tags")}
    return json.dumps(values, ensure_ascii=False)


def write_csv(parts: PageParts) -> str:
    """One row of values separated by tabs, `null` for what is not known."""
    output = io.StringIO()
    values = [getattr(parts.document, name) or "null" for name in _ORDER["columns"]]
    csv.writer(output, delimiter="\t", quoting=csv.QUOTE_MINIMAL).writerow(values)
    return output.getvalue()


def write_xml(parts: PageParts) -> str:
    """`<doc>` with the fields as attributes, `<main>` and `<comments>`."""
    root = etree.Element("doc")
    for name in _ORDER["attributes"]:
        if value := getattr(parts.document, name):
            root.set(name, clean_xml(value if isinstance(value, str) else ";".join(value)))
    for flow, name in ((parts.main, "main"), (parts.comments, "comments")):
        root.append(build_xml(flow, name, formatting=parts.marks))
    return str(etree.tostring(root, pretty_print=True, encoding="unicode")).strip()


def write_tei(parts: PageParts) -> str:
    """A TEI P5 document: the header, and a division each for text and comments."""
    root = etree.Element("TEI", xmlns=_TEI)
    root.append(make_header(parts.document))
    body = etree.SubElement(etree.SubElement(root, "text"), "body")
    for flow, kind in ((parts.main, "entry"), (parts.comments, "comments")):
        division = build_xml(flow, "div", "tei", formatting=parts.marks)
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
