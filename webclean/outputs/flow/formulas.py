"""Document -> its formulas: TeX, MathML if the page has it, and the rows that show them.

A page may hold one formula several times: as TeX for the script that draws it, as MathML for screen readers, and as
spans or a picture for the eye. All of these become one formula.

    <span class="katex"> <span> <math> ... <annotation encoding="application/x-tex"> </math> </span>     KaTeX
                         <span aria-hidden="true"> spans </span> </span>
    <span class="MathJax"> spans </span> <script type="math/tex">                                        MathJax 2
    <mjx-container> <mjx-math aria-hidden="true"> <mjx-assistive-mml> <math>                             MathJax 3
    <span> <math alttext="..."> <img alt="..."> </span>                                                  Wikipedia

From a MathML element the search climbs as long as everything else in the element above is a copy for the eye: hidden
from screen readers, or a picture with the same TeX. No class names are needed for that.

MathML, of the page or made from TeX, is in clean nodes (`tex.py`: clean nodes -> TeX): they have only names of MathML 3
(presentation and content) and the attributes that change what a formula says or how it is set. Nothing in them can load
or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast
from urllib.parse import parse_qs
from xml.etree import ElementTree

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.nodes import Node
from webclean.outputs.flow.tex import write_tex
from webclean.outputs.flow.tools import Conventions
from webclean.parse import climb, count_tags, find_attribute, find_texts, read_attribute, read_attributes
from webclean.parse.columns import read_formula_scripts
from webclean.parse.controls import drop_controls
from webclean.parse.tags import BLOCK, CODE
from webclean.parse.url import split_url

# Wikipedia writes it around every formula; whether it is displayed is said by its element
_DISPLAY_STYLE: Final = re.compile(r"\{\s*\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL)
# authors of `alt` and `data-` attributes write the delimiters too
_DELIMITED: Final = re.compile(r"\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula. first, end: the rows that show it."""

    first: int
    end: int
    tex: str
    is_display: bool
    mathml: Node | None = None

    def make_node(self) -> Node:
        """The node of the flow tree: `tex`, `display`, and the presentation MathML of the page below it."""
        children = list(self.mathml.children) if self.mathml else []
        return make_formula(self.tex, is_display=self.is_display, children=children)


def make_formula(tex: str, *, is_display: bool, children: list[Node | str] | None = None) -> Node:
    """A formula as a node of the flow tree."""
    return Node("math", {"tex": tex, **({"display": "block"} if is_display else {})}, children or [])


def find_formulas(document: Document, filled: Mask, conventions: Conventions) -> list[Formula]:
    """The formulas of a page in document order; none lies inside another.

    filled: bool [n_elements], elements that contain kept text: pictures are looked for in their blocks alone.
    """
    found: list[Formula] = []
    covered = np.zeros(len(document), dtype=bool)
    for formula in _list_candidates(document, filled, conventions):
        # the surer source of a formula that the page has twice came first
        if formula.tex and not covered[formula.first : formula.end].any():
            covered[formula.first : formula.end] = True
            found.append(formula)
    return sorted(found, key=lambda formula: formula.first)


@cached_per_page
def list_formula_signs(document: Document) -> list[int]:
    """The text blocks of the page with a sign by which a formula may begin; they are few."""
    return cast("list[int]", core.list_formula_signs(document.page.block_texts))


def find_kept_formulas(formulas: list[Formula], document: Document, blocks: TextBlocks, kept: Mask) -> list[Formula]:
    """The formulas that stand in kept text, or by themselves just before or after it."""
    if not len(blocks) or not formulas:
        return []
    starts = document.text_next[blocks.first]
    places = np.searchsorted(starts, [formula.first for formula in formulas], side="right")
    found = []
    for formula, after in zip(formulas, places.tolist(), strict=True):
        near = [at for at in (after - 1, after) if 0 <= at < len(blocks)]
        # a formula without text of its own (a picture) goes with the text of its block, else with a neighbour
        around = [at for at in near if blocks.row[at] == document.block[formula.first]]
        if kept[around or near].any():
            found.append(formula)
    return found


def _list_candidates(document: Document, filled: Mask, conventions: Conventions) -> Iterator[Formula]:
    """The surest source first."""
    for row, source in read_formula_scripts(document).items():
        mode = read_attribute(document, row, "type") or ""
        if "mml" not in mode.lower():
            # MathJax 2 draws before the script: the spans are a copy for the eye, and their text would be there twice
            first = _find_drawn(document, row, conventions.drawn_formula)
            yield Formula(first, row + 1, clean_tex(source), "display" in mode)
    for name in conventions.names.formula_attributes:
        for row in find_attribute(document, name):
            tex = clean_tex(read_attribute(document, row, name) or "")
            yield Formula(row, int(document.end[row]), tex, _is_display(document, row, conventions))
    for name in conventions.names.formula_texts:
        for row in find_attribute(document, name):
            is_display = read_attribute(document, row, name) == "display"
            yield Formula(row, int(document.end[row]), clean_tex("".join(list_texts(document, row))), is_display)
    done = 0
    n_tags = count_tags(document)
    for row in (document.tag == CODE["math"]).nonzero()[0].tolist() if n_tags[CODE["math"]] else ():
        if row >= done:  # one inside another is part of it
            done = int(document.end[row])
            yield _read_element(document, row, conventions)
    if n_tags[CODE["img"]]:
        yield from _list_pictures(document, filled, conventions)


def _list_pictures(document: Document, filled: Mask, conventions: Conventions) -> Iterator[Formula]:
    images = (document.tag == CODE["img"]).nonzero()[0]
    # pictures in blocks without kept text are shown nowhere
    rows = images[filled[document.block[images]]].tolist()
    if not rows:
        return
    sources, classes = read_attributes(document, rows, "src"), read_attributes(document, rows, "class")
    # one search for all pictures of the page
    named = "\n".join((*sources, *classes)).lower()
    if not any(name in named for name in conventions.formula_names):  # so of nearly all pages
        return
    for row, source, names in zip(rows, sources, classes, strict=True):
        if formula := _read_image(document, row, source, names, conventions):
            yield formula


def _find_drawn(document: Document, row: int, drawn: re.Pattern[str]) -> int:
    """The first row of what is drawn just before its script (classes of `drawn`), else the row of the script."""
    above, first = int(document.parent[row]), row
    while first - 1 > above:
        sibling = first - 1
        while int(document.parent[sibling]) != above:
            sibling = int(document.parent[sibling])
        if document.names[sibling] != "mjx-container" and not drawn.search(
            read_attribute(document, sibling, "class") or ""
        ):
            break
        first = sibling
    return first


def _read_element(document: Document, row: int, conventions: Conventions) -> Formula:
    """A MathML element, with all around it that shows the same."""
    mathml = read_mathml(document, row)
    tex = _find_annotation(document, row) or clean_tex(read_attribute(document, row, "alttext") or "")
    # the surest first: what the author wrote, then what the page says it is, then what it looks like
    tex = tex or write_tex(mathml).strip()
    top, is_display = row, mathml.attributes.get("display") == "block" or _is_display(document, row, conventions)
    # climb out of all that draws the same formula once more
    while _repeats(document, int(document.parent[top]), top, tex):
        top = int(document.parent[top])
        is_display = is_display or _is_display(document, top, conventions)
    is_content = any(child.name in ("apply", "ci", "cn", "semantics") for child in mathml.find_nodes())
    # browsers show no content markup: it is shown by its TeX
    shown = None if is_content and "mrow" not in document.names[row : document.end[row]] else mathml
    return Formula(top, int(document.end[top]), tex, is_display, shown)


def _find_annotation(document: Document, row: int) -> str:
    for at in range(row, int(document.end[row])):
        if document.names[at] == "annotation" and "tex" in (read_attribute(document, at, "encoding") or "").lower():
            return clean_tex("".join(list_texts(document, at)))
    return ""


def _repeats(document: Document, above: int, row: int, tex: str) -> bool:
    """Whether an element holds, beside the row in it, only copies of the formula for the eye."""
    # a paragraph is text around a formula; a `div` may be the box that a tool sets it in
    if above < 0 or (BLOCK[document.tag[above]] and document.names[above] != "div"):
        return False
    start, end, inner_end = above + 1, int(document.end[above]), int(document.end[row])
    for at in (*range(start, row), *range(inner_end, end)):
        name = document.names[at]
        if name == "math" or (name == "img" and not _is_copy(document, at, tex)):
            return False
    owners = {
        int(document.text_owner[node])
        for node in find_texts(document, above, end)
        if above <= document.text_owner[node] < end and not document.text[node].isspace()
    }
    # text beside the formula that screen readers hear is no copy of it
    return all(row <= owner < inner_end or _is_hidden(document, owner, above) for owner in owners)


def _is_copy(document: Document, row: int, tex: str) -> bool:
    alt = clean_tex(read_attribute(document, row, "alt") or "")
    return alt == tex or read_attribute(document, row, "aria-hidden") == "true"


def _is_hidden(document: Document, row: int, above: int) -> bool:
    """Whether an element or one around it, below `above`, is hidden from screen readers or not displayed."""
    return any(read_attribute(document, at, "aria-hidden") == "true" for at in climb(document, row, above))


def _read_image(document: Document, row: int, source: str, classes: str, conventions: Conventions) -> Formula | None:
    """A picture of a formula, whose alternative text or URL holds the TeX."""
    is_formula_source = conventions.formula_source.search(source)
    if not is_formula_source and not conventions.formula_image.search(classes):
        return None
    tex = clean_tex(read_attribute(document, row, "alt") or "")
    if not tex and is_formula_source:
        query = parse_qs(split_url(source).query)
        tex = clean_tex(next((query[name][0] for name in conventions.names.formula_parameters if name in query), ""))
    return Formula(row, row + 1, tex, _is_display(document, row, conventions)) if tex else None


def _is_display(document: Document, row: int, conventions: Conventions) -> bool:
    """Whether the element, or its class, says that the formula has a line of its own."""
    if conventions.display_formula.search(read_attribute(document, row, "class") or ""):
        return True
    return document.names[row] == "mjx-container" and read_attribute(document, row, "display") == "true"


def list_texts(document: Document, row: int) -> Iterator[str]:
    """The text nodes below an element, in order."""
    end = int(document.end[row])
    return (document.text[at] for at in find_texts(document, row, end) if row <= document.text_owner[at] < end)


def clean_tex(tex: str) -> str:
    """TeX without delimiters, a style for the whole of it, and empty lines."""
    tex = drop_controls(tex).strip()
    if found := _DELIMITED.fullmatch(tex):
        tex = next(part for part in found.groups() if part is not None).strip()
    # `{\displaystyle a}+{b}` has braces at both ends that are not a pair
    if (found := _DISPLAY_STYLE.fullmatch(tex)) and _is_balanced(found[1]):
        tex = found[1]
    return "\n".join(line for line in map(str.strip, tex.strip().removesuffix("%").split("\n")) if line)


def _is_balanced(tex: str) -> bool:
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0


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
_ATTRIBUTES: Final = tuple(
    """
    display mathvariant displaystyle stretchy fence separator accent accentunder linethickness open close
    separators notation columnalign rowspan columnspan width type base
    """.split()  # noqa: SIM905  a table of words reads better
)
"""Attributes that are kept, in the order in which they are written: that of a set is another in each process."""
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
    # `<cn>1<sep/>2</cn>` is a fraction of two texts
    if name in TOKENS and "sep" not in document.names[row:end]:
        node.children.append(" ".join("".join(list_texts(document, row)).split()))
        return node
    if name == "cn":
        owned = (at for at in find_texts(document, row, end) if document.text_owner[at] == row)
        node.children.extend([document.text[at].strip() for at in owned])
        return node
    while child < end and depth < _MAX_DEPTH:
        if document.names[child] not in _IGNORED:
            made = read_mathml(document, child, depth + 1)
            is_known = made.name in PRESENTATION or made.name in CONTENT
            # an unknown element may be anything, a script too: what is in it is kept where that is MathML
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
        markup = convert(tex, display="block" if is_display else "inline")
        return _read_mathml_node(ElementTree.fromstring(markup), 0)
    except Exception:  # it raises errors of many kinds for TeX that it does not know
        return None


def _read_mathml_node(element: ElementTree.Element, depth: int) -> Node | None:
    """MathML of `ElementTree` as a clean node; None for a name that it does not have."""
    name = element.tag.rpartition("}")[2]
    if name not in PRESENTATION or depth > _MAX_DEPTH:
        return None
    node = Node(name, {key: value for key, value in element.attrib.items() if key in _ATTRIBUTES})
    if name in TOKENS:
        node.children.append(" ".join("".join(element.itertext()).split()))
    else:
        made = (_read_mathml_node(child, depth + 1) for child in element)
        node.children.extend([child for child in made if child is not None])
    return node
