"""A tree of clean elements -> XML in the vocabulary of corpora: `p`, `head`, `list`, `item`, `quote`, `hi`, `ref`, ...

Two dialects. `main` is that of trafilatura's XML, with `table`, `row`, `cell`, `code` and `graphic`. `tei` is TEI P5
(https://tei-c.org/guidelines/p5/) kept to the modules core and textstructure, so that it is valid with the whole of
TEI and with small customisations too: a heading is an `ab` (TEI allows `head` only at the start of a division), a table
a list of rows, each a list of cells, and code an `ab` or `hi`.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from lxml import etree

from webclean.outputs.flow import HEADINGS, LISTS, Node, list_ruby, write_formula
from webclean.storage import read_table

Dialect = Literal["main", "tei"]

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow (2.2, Char)."""
_TABLES: Final = read_table(__file__, "xml.toml")
_ITEMS: Final = frozenset(("li", "dt", "dd"))
_OPEN: Final = frozenset(("item", "cell", "quote"))
"""Elements that may have text and paragraphs."""
_QUOTES: Final = frozenset(("blockquote", "note"))


def build_xml(flow: Node, name: str, dialect: Dialect = "main", *, formatting: bool = True) -> etree._Element:
    """The content of a tree as the children of a new element. formatting: with emphasis and other marks of text."""
    root = etree.Element(name)
    _Writer(dialect, formatting).add_blocks(root, flow)
    return root


def clean_xml(text: str) -> str:
    """Text without the characters that XML does not allow."""
    return _NO_XML.sub("", text)


class _Writer:
    """Adds clean elements to an XML element."""

    def __init__(self, dialect: Dialect, formatting: bool) -> None:
        self.is_tei, self.formatting, self.names = dialect == "tei", formatting, _TABLES[dialect]

    def _open(self, parent: etree._Element, kind: str, **more: str) -> etree._Element:
        name, attributes = self.names[kind]
        return etree.SubElement(parent, name, attributes | more)

    def add_blocks(self, parent: etree._Element, node: Node) -> None:
        """Add the children of a container; adjacent inline children are a paragraph, or the text of an item or cell."""
        for number, part in enumerate(node.split_lines()):
            if isinstance(part, list):
                # the first line is the text of the item or cell; what follows a block is a paragraph of its own
                is_own = number == 0 and parent.tag in _OPEN
                self._add_line(parent if is_own else etree.SubElement(parent, "p"), part)
            else:
                self._add_block(parent, part)

    def _add_block(self, parent: etree._Element, node: Node) -> None:
        if node.name in HEADINGS or node.name == "summary":
            rend = node.name if node.name in HEADINGS else "h3"
            self._add_line(self._open(parent, "heading", rend=rend), node.children)
        elif node.name in ("p", "figcaption", "caption", "pre"):
            line = self._open(parent, "pre") if node.name == "pre" else etree.SubElement(parent, "p")
            self._add_line(line, node.children)
        elif node.name in LISTS:
            items = [child for child in node.find_nodes() if child.name in _ITEMS]
            made = etree.SubElement(parent, "list", {"rend": node.name}) if items else parent
            for item in items:
                kind = {"rend": f"{item.name}-1"} if item.name != "li" else {}
                self.add_blocks(etree.SubElement(made, "item", kind), item)
        elif node.name == "table":
            self._add_table(parent, node)
        else:  # figures, disclosures and other containers say nothing of their text
            inside = etree.SubElement(parent, "quote") if node.name in _QUOTES else parent
            self.add_blocks(inside, node)

    def _add_line(self, line: etree._Element, children: list[Node | str]) -> None:
        for child in children:
            self.add_inline(line, child)

    def _add_table(self, parent: etree._Element, node: Node) -> None:
        rows = [child for child in node.find_nodes() if child.name == "tr" and child.children]
        # a caption stands before the table, as text
        for caption in node.find_nodes():
            if caption.name != "tr":
                self._add_block(parent, caption)
        if not rows:
            return
        table = self._open(parent, "table")
        for row in rows:
            line = self._open(table, "tr")
            cells = etree.SubElement(line, "list", {"rend": "cells"}) if self.is_tei else line
            for cell in row.find_nodes():
                self.add_blocks(self._open(cells, "th" if cell.name == "th" else "td"), cell)

    def add_inline(self, parent: etree._Element, child: Node | str) -> None:
        """Add text or an inline element."""
        if isinstance(child, str):
            _append_text(parent, clean_xml(child))
        elif child.name == "math":
            _append_text(parent, clean_xml(write_formula(child)))
        elif child.name == "br":
            etree.SubElement(parent, "lb")
        elif child.name == "img":
            source, alt = (clean_xml(child.attributes.get(name, "")) for name in ("src", "alt"))
            about = {"url": source} if self.is_tei else {"src": source, "alt": alt} if alt else {"src": source}
            etree.SubElement(parent, "graphic", about)
        else:
            # links stay: they are no marks of the text; what has no element of its own is in that around it
            marks = _TABLES["marks"] | {"code": self.names["code"]} if self.formatting else {}
            inside = etree.SubElement(parent, *marks[child.name]) if child.name in marks else parent
            if child.name == "a" and child.attributes.get("href"):
                inside = etree.SubElement(parent, "ref", {"target": clean_xml(child.attributes["href"])})
            for part in list_ruby(child) if child.name == "ruby" else child.children:
                self.add_inline(inside, part)


def _append_text(parent: etree._Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
