"""The parts of a page in the formats of trafilatura: same keys, columns, elements and order of fields."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any, Final

from lxml import etree

from webclean.compat.parts import PageParts
from webclean.compat.tei import make_header
from webclean.outputs.flow import Node
from webclean.outputs.flow.head import Head
from webclean.outputs.html import render_html
from webclean.outputs.xml import build_xml, clean_xml

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
