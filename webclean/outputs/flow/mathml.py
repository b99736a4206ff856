"""MathML: elements of a page, or TeX, -> clean nodes. (`tex.py`: clean nodes -> TeX.)

A clean node has only names of MathML 3 (presentation and content) and the attributes that change what a formula says or
how it is set. Nothing in it can load or run anything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

from webclean.model import Document
from webclean.outputs.flow.nodes import Node
from webclean.parse import find_texts, read_attribute

PRESENTATION: Final = frozenset(
    """
    math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle mpadded mphantom mfenced menclose msub msup
    msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd merror semantics maction
    """.split()  # noqa: SIM905  a table of words reads better
)
TOKENS: Final = frozenset(["mi", "mn", "mo", "ms", "mtext", "ci", "cn", "csymbol"])
CONTENT: Final = frozenset(
    """
    apply ci cn csymbol sep bvar lowlimit uplimit degree condition interval set list vector matrix matrixrow
    piecewise piece otherwise lambda eq neq gt lt geq leq equivalent approx in notin subset prsubset union
    intersect plus minus times divide power root abs factorial sum product int diff partialdiff limit tendsto sin
    cos tan sec csc cot arcsin arccos arctan sinh cosh tanh exp ln log min max gcd and or not implies forall
    exists pi exponentiale imaginaryi infinity emptyset reals integers naturalnumbers rationals complexes
    """.split()  # noqa: SIM905  a table of words reads better
)
_ATTRIBUTES: Final = frozenset(
    """
    display mathvariant displaystyle stretchy fence separator accent accentunder linethickness open close
    separators notation columnalign rowspan columnspan width type base
    """.split()  # noqa: SIM905  a table of words reads better
)
_IGNORED: Final = frozenset(("annotation", "annotation-xml", "script", "style"))
_MAX_DEPTH: Final = 60
"""Formulas nested deeper than this are cut, because the writers recurse."""
_MAX_TEX: Final = 4000
"""Longer TeX is not converted: conversion takes more than linear time."""


def read_mathml(document: Document, row: int, depth: int = 0) -> Node:
    """The clean node of a MathML element: names that MathML does not have are replaced by their content."""
    name = document.names[row]
    node = Node(name)
    for key in _ATTRIBUTES:
        value = read_attribute(document, row, key)
        if value is not None:
            node.attributes[key] = value
    end, child = int(document.end[row]), row + 1
    if name in TOKENS and "sep" not in document.names[row:end]:
        texts = (document.text[at] for at in find_texts(document, row, end) if row <= document.text_owner[at] < end)
        node.children.append(" ".join("".join(texts).split()))
        return node
    if name == "cn":
        owned = (at for at in find_texts(document, row, end) if document.text_owner[at] == row)
        node.children.extend([document.text[at].strip() for at in owned])
        return node
    while child < end and depth < _MAX_DEPTH:
        if document.names[child] not in _IGNORED:
            made = read_mathml(document, child, depth + 1)
            is_known = made.name in PRESENTATION or made.name in CONTENT
            node.children.extend([made] if is_known else made.children)
        child = int(document.end[child])
    return node


@lru_cache(maxsize=1024)
def convert_tex(tex: str, *, is_display: bool) -> Node | None:
    """TeX as clean MathML, by latex2mathml; None for TeX that it cannot read."""
    from latex2mathml.converter import convert  # noqa: PLC0415  few pages have formulas, and this takes 40 ms

    if len(tex) > _MAX_TEX:
        return None
    try:
        return read_markup(convert(tex, display="block" if is_display else "inline"))
    except Exception:  # it raises errors of many kinds for TeX that it does not know
        return None


def read_markup(markup: str) -> Node | None:
    """MathML markup as a clean node."""
    return _read_element(ElementTree.fromstring(markup), 0)


def _read_element(element: ElementTree.Element, depth: int) -> Node | None:
    name = element.tag.rpartition("}")[2]
    if name not in PRESENTATION or depth > _MAX_DEPTH:
        return None
    node = Node(name, {key: value for key, value in element.attrib.items() if key in _ATTRIBUTES})
    if name in TOKENS:
        node.children.append(" ".join("".join(element.itertext()).split()))
    else:
        made = (_read_element(child, depth + 1) for child in element)
        node.children.extend([child for child in made if child is not None])
    return node
