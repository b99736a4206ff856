r"""MathML of a page, or the drawing of it, -> clean nodes.

A page may hold only the drawing of MathJax 3 or 4. Both of its outputs name each part after the MathML that it draws,
and each glyph after its character; other elements place the parts, and only a few of these say which argument
they hold:

    <mjx-msub><mjx-mi><mjx-c class="mjx-c1D465">..</mjx-c></mjx-mi><mjx-script>..</mjx-script></mjx-msub>     CHTML
    <g data-mml-node="msub"><g data-mml-node="mi"><use data-c="1D465"></use></g>..</g>                          SVG
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from webclean.model import Document
from webclean.outputs.flow import Node
from webclean.outputs.flow.tex import TABLES
from webclean.outputs.flow.tools import list_children, list_texts, read_words
from webclean.parse import find_texts, parse_page, read_attribute
from webclean.parse.controls import clean_line

PRESENTATION: Final = frozenset(TABLES["presentation"].split())
TOKENS: Final = frozenset(["mi", "mn", "mo", "ms", "mtext"])
_ATTRIBUTES: Final = tuple(TABLES["attributes"].split())
_IGNORED: Final = frozenset(("annotation", "annotation-xml", "script", "style"))
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_MAX_DEPTH: Final = 60
"""Formulas nested deeper than this are cut, because the writers recurse."""
_MAX_TEX: Final = 4000
"""Longer TeX is not converted: conversion takes more than linear time."""
_GLYPH: Final = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,5})(?:\s|$)")
_UNSEEN: Final = frozenset("\u2061\u2062\u2063\u2064")
"""Signs that say how a formula is read, and are not drawn."""
_SURD: Final = "\u221a"
_ARGUMENTS: Final = {
    "mfrac": ("num", "den"),
    "munder": ("base", "under"),
    "mover": ("base", "over"),
    "munderover": ("base", "under", "over"),
}
"""Elements whose arguments CHTML puts in elements of these names, in the order of MathML."""
_RAISED_FIRST: Final = frozenset(("msubsup", "munderover"))
"""Elements of which the upper of two scripts is drawn first."""


def read_mathml(document: Document, row: int, depth: int = 0) -> Node:
    """The clean node of a MathML element: names that presentation MathML
    does not have are replaced by their content. Content MathML, whose texts are in elements of its own, is nothing, as
    browsers show it."""
    name = document.names[row]
    node = Node(name)
    for key in _ATTRIBUTES:
        value = read_attribute(document, row, key)
        if value is not None:
            node.attributes[key] = clean_line(value)
    if name in TOKENS:
        # white space at its ends is none (MathML 3, 2.1.7); authors write spaces that do not break there
        text = _BLANKS.sub(" ", "".join(list_texts(document, row))).strip(" ") if name == "mtext" else ""
        node.children.append(text or read_words(document, row))
        return node
    for child in list_children(document, row) if depth < _MAX_DEPTH else ():
        if document.names[child] not in _IGNORED:
            made = read_mathml(document, child, depth + 1)
            # an unknown element may be anything, a script too: what is in it is kept where that is MathML
            node.children.extend([made] if made.name in PRESENTATION else made.children)
    return node


@lru_cache(maxsize=1024)
def convert_tex(tex: str, *, is_display: bool) -> Node | None:
    """TeX as clean MathML, by latex2mathml; None for TeX that it cannot read."""
    from latex2mathml.converter import convert  # noqa: PLC0415  few pages have formulas, and this takes 40 ms

    if len(tex) > _MAX_TEX:
        return None
    try:
        markup = convert(tex, display="block" if is_display else "inline")
    except Exception:  # it raises errors of many kinds for TeX that it does not know
        return None
    document = parse_page(markup)
    return read_mathml(document, document.names.index("math"))


def read_drawn(document: Document, row: int) -> Node:
    """The MathML of a `mjx-container`; without children where nothing is drawn in it."""
    return Node("math", {}, list(_read_parts(document, row, 0)))


def _read_parts(document: Document, row: int, depth: int) -> Iterator[Node | str]:
    """The parts directly below an element, whatever places them."""
    for child in list_children(document, row) if depth < _MAX_DEPTH else ():
        # a `TeXAtom` groups what it holds; what only places parts is no element of MathML
        name = read_attribute(document, child, "data-mml-node") or document.names[child].removeprefix("mjx-")
        name = "mrow" if name.lower() == "texatom" else name
        if name in TOKENS:
            yield Node(name, {}, ["".join(_read_glyphs(document, child))])
        elif name in _ARGUMENTS and (arguments := _read_arguments(document, child, name, depth)):
            yield Node(name, {}, arguments)
        elif name in PRESENTATION:
            parts = list(_read_parts(document, child, depth + 1))
            if name in ("msqrt", "mroot"):
                surd = Node("mo", {}, [_SURD])
                parts = [part for part in parts if part != surd]
            if name in _RAISED_FIRST and len(parts) == 3:
                parts = [parts[0], parts[2], parts[1]]
            # a group of one: an operator has its limits below and above it only where it stands by itself
            yield parts[0] if name == "mrow" and len(parts) == 1 else Node(name, {}, parts)
        else:
            yield from _read_parts(document, child, depth + 1)


def _read_arguments(document: Document, row: int, name: str, depth: int) -> list[Node | str]:
    """The arguments of an element that stand in elements named for them, each as one; none if some are missing."""
    found: dict[str, Node | str] = {}
    for at in range(row + 1, int(document.end[row])):
        place = document.names[at].removeprefix("mjx-")
        if place in _ARGUMENTS[name] and place not in found:
            parts = list(_read_parts(document, at, depth + 1))
            found[place] = parts[0] if len(parts) == 1 else Node("mrow", {}, parts)
    return [found[place] for place in _ARGUMENTS[name]] if len(found) == len(_ARGUMENTS[name]) else []


def _read_glyphs(document: Document, row: int) -> Iterator[str]:
    """The characters of a token. Letters of the mathematical alphabets are those of the keyboard."""
    for at in range(row, int(document.end[row])):
        code = read_attribute(document, at, "data-c") or ""
        if not code and (found := _GLYPH.search(read_attribute(document, at, "class") or "")):
            code = found[1]
        text = chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{2,5}", code) else ""
        if not code:  # MathJax 4 writes text as text
            nodes = find_texts(document, at, int(document.end[at]))
            text = "".join(document.text[node] for node in nodes if document.text_owner[node] == at).strip()
        yield unicodedata.normalize("NFKC", "".join(sign for sign in text if sign not in _UNSEEN))
