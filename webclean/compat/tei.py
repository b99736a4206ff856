"""The header of a TEI P5 document (https://tei-c.org/guidelines/p5/, 2), with the parts that trafilatura writes."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from webclean.compat.document import ExtractedDocument
from webclean.outputs.xml import clean_xml
from webclean.version import __version__


def make_header(document: ExtractedDocument) -> etree._Element:
    """What is known of a page: its title, publisher, source, description and subjects, and what made the document."""
    header = etree.Element("teiHeader")
    file, encoding = _add(header, "fileDesc"), _add(header, "encodingDesc")
    publisher = document.sitename or document.hostname or "N/A"
    _add_title(file, document)
    publication = _add(file, "publicationStmt")
    _add(publication, "publisher", publisher)
    if document.license:
        _add(_add(publication, "availability"), "p", document.license)
    notes = _add(file, "notesStmt")
    for kind, value in _list_notes(document):
        _add(notes, "note", value, type=kind)
    source = _add(file, "sourceDesc")
    sigle = ", ".join(filter(None, (document.sitename, document.date)))
    _add(source, "bibl", ", ".join(filter(None, (document.title, sigle))))
    _add(source, "bibl", sigle, type="sigle")
    full = _add(source, "biblFull")
    _add_title(full, document)
    publication = _add(full, "publicationStmt")
    _add(publication, "publisher", publisher)
    if document.url:
        _add(publication, "ptr", type="URL", target=document.url)
    _add(publication, "date", document.date)
    application = _add(_add(encoding, "appInfo"), "application", version=__version__, ident="webclean")
    _add(application, "label", "webclean")
    _add_profile(header, document)
    return header


def _add_title(parent: etree._Element, document: ExtractedDocument) -> None:
    statement = _add(parent, "titleStmt")
    _add(statement, "title", document.title, type="main")
    if document.author:
        _add(statement, "author", document.author)


def _list_notes(document: ExtractedDocument) -> Iterator[tuple[str, str]]:
    if document.id:
        yield "id", document.id
    yield "fingerprint", document.fingerprint or ""


def _add_profile(header: etree._Element, document: ExtractedDocument) -> None:
    profile = _add(header, "profileDesc")
    _add(_add(profile, "abstract"), "p", document.description)
    terms = {"categories": document.categories, "tags": document.tags}
    if any(terms.values()):
        keywords = _add(_add(profile, "textClass"), "keywords")
        for kind, words in terms.items():
            if words:
                _add(keywords, "term", ",".join(words), type=kind)
    _add(_add(profile, "creation"), "date", document.filedate, type="download")


def _add(parent: etree._Element, name: str, text: str | None = None, **attributes: str) -> etree._Element:
    made = etree.SubElement(parent, name, {key: clean_xml(value) for key, value in attributes.items()})
    made.text = clean_xml(text) if text else None
    return made
