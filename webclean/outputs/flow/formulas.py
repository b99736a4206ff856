r"""Document -> its formulas: TeX, MathML if the page has it, and the rows that show them; and texts with TeX between
delimiters -> pieces of text and formulas.

A page may hold one formula several times: as TeX for the script that draws it, as MathML for screen readers, and as
spans or a picture for the eye. All of these become one formula.

    <span class="katex"> <span> <math> ... <annotation encoding="application/x-tex"> </math> </span>     KaTeX
                         <span aria-hidden="true"> spans </span> </span>
    <span class="MathJax"> spans </span> <script type="math/tex">                                        MathJax 2
    <mjx-container> <mjx-math aria-hidden="true"> <mjx-assistive-mml> <math>                             MathJax 3
    <span> <math alttext="..."> <img alt="..."> </span>                                                  Wikipedia

From a MathML element the search climbs as long as everything else in the element above is a copy for the eye: hidden
from screen readers, or a picture with the same TeX. No class names are needed for that.

Where a page has only the drawing of MathJax, that says what it draws (`mathml.py`); a picture's alternative text is TeX
where it holds a command with its argument.

`\( \)`, `\[ \]` and `$$ $$` are read on every page if what is between them can be TeX; `$ $` and the backticks of
AsciiMath only where a script that draws such formulas, or an element made for them, says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import parse_qs

import numpy as np

from webclean.caching import cached_per_page
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.mathml import list_texts, read_drawn, read_mathml
from webclean.outputs.flow.nodes import Node
from webclean.outputs.flow.tex import write_tex
from webclean.outputs.flow.tools import Conventions, find_named, has_class
from webclean.parse import climb, count_tags, find_attribute, find_texts, read_attribute
from webclean.parse.columns import list_holding, list_undefined, read_formula_scripts
from webclean.parse.controls import drop_controls
from webclean.parse.tags import BLOCK, CODE
from webclean.parse.url import split_url
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Tools

# Wikipedia writes it around every formula; whether it is displayed is said by its element
_DISPLAY_STYLE: Final = re.compile(r"\{\s*\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL)
# a command with its argument, which no path such as C:\\Users has
_COMMAND: Final = re.compile(r"\\[a-zA-Z]+\*?\s*\{")
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
    candidates, found = [*_list_candidates(document, filled, conventions)], list[Formula]()
    covered = np.zeros(len(document) if candidates else 0, dtype=bool)
    for formula in candidates:
        # the surer source of a formula that the page has twice came first
        if formula.tex and not covered[formula.first : formula.end].any():
            covered[formula.first : formula.end] = True
            found.append(formula)
    return sorted(found, key=lambda formula: formula.first)


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


def has_marked(document: Document, tools: Tools) -> bool:
    """Whether a page may have formulas that its markup says to be some; drawings and pictures aside."""
    n_tags = count_tags(document)
    return (
        n_tags[CODE["math"]] > 0
        or (n_tags[CODE["script"]] > 0 and bool(read_formula_scripts(document)))
        or not _list_attributes(tools).isdisjoint(document.attrs.found.names)
    )


@cached_per_rule_set
def _list_attributes(tools: Tools) -> frozenset[str]:
    return frozenset((*tools.formula_attributes, *tools.formula_texts))


def _list_candidates(document: Document, filled: Mask, conventions: Conventions) -> Iterator[Formula]:
    """The surest source first."""
    if has_marked(document, conventions.names):
        yield from _list_marked(document, conventions)
    for row in list_undefined(document).get("mjx-container", ()):
        drawn = read_drawn(document, row)
        tex, is_display = write_tex(drawn).strip(), _is_display(document, row, conventions)
        yield Formula(row, int(document.end[row]), tex, is_display, drawn)
    if count_tags(document)[CODE["img"]]:
        yield from _list_pictures(document, filled, conventions)


def _list_marked(document: Document, conventions: Conventions) -> Iterator[Formula]:
    """Formulas in scripts, in elements that an attribute marks, and in MathML."""
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
    for row in (document.tag == CODE["math"]).nonzero()[0].tolist():
        if row >= done:  # one inside another is part of it
            done = int(document.end[row])
            yield _read_element(document, row, conventions)


def _list_pictures(document: Document, filled: Mask, conventions: Conventions) -> Iterator[Formula]:
    for row, alt in list_holding(document, "alt", "\\"):
        if document.tag[row] == CODE["img"] and _COMMAND.search(alt) and _is_balanced(alt):
            is_alone = not "".join(list_texts(document, int(document.block[row]))).strip()
            yield Formula(row, row + 1, clean_tex(alt), is_alone)
    named = find_named(document, conventions)
    for row in sorted(named["formula_images"] | named["formula_sources"]):
        # pictures in blocks without kept text are shown nowhere
        if filled[document.block[row]] and (formula := _read_image(document, row, conventions)):
            yield formula


def _find_drawn(document: Document, row: int, drawn: re.Pattern[str]) -> int:
    """The first row of what is drawn just before its script (classes of `drawn`), else the row of the script."""
    above, first = int(document.parent[row]), row
    while first - 1 > above:
        sibling = first - 1
        while int(document.parent[sibling]) != above:
            sibling = int(document.parent[sibling])
        if document.names[sibling] != "mjx-container" and not has_class(document, sibling, drawn):
            break
        first = sibling
    return first


def _read_element(document: Document, row: int, conventions: Conventions) -> Formula:
    """A MathML element, with all around it that shows the same."""
    mathml = read_mathml(document, row)
    inside = range(row, int(document.end[row]))
    notes = (at for at in inside if document.names[at] == "annotation")
    written = (at for at in notes if "tex" in (read_attribute(document, at, "encoding") or "").lower())
    tex = next((clean_tex("".join(list_texts(document, at))) for at in written), "")
    tex = tex or clean_tex(read_attribute(document, row, "alttext") or "")
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


def _repeats(document: Document, above: int, row: int, tex: str) -> bool:
    """Whether an element holds, beside the row in it, only copies of the formula for the eye."""
    # a paragraph is text around a formula; a `div` may be the box that a tool sets it in
    if above < 0 or (BLOCK[document.tag[above]] and document.names[above] != "div"):
        return False
    start, end, inner_end = above + 1, int(document.end[above]), int(document.end[row])
    for at in (*range(start, row), *range(inner_end, end)):
        name = document.names[at]
        is_copy = name == "img" and (
            clean_tex(read_attribute(document, at, "alt") or "") == tex
            or read_attribute(document, at, "aria-hidden") == "true"
        )
        if name in ("math", "img") and not is_copy:
            return False
    owners = {
        int(document.text_owner[node])
        for node in find_texts(document, above, end)
        if above <= document.text_owner[node] < end and not document.text[node].isspace()
    }
    # text beside the formula that screen readers hear is no copy of it
    return all(
        row <= owner < inner_end
        or any(read_attribute(document, at, "aria-hidden") == "true" for at in climb(document, owner, above))
        for owner in owners
    )


def _read_image(document: Document, row: int, conventions: Conventions) -> Formula | None:
    """A picture of a formula, whose alternative text or URL holds the TeX."""
    source = read_attribute(document, row, "src") or ""
    is_formula_source = conventions.formula_source.search(source)
    if not is_formula_source and not has_class(document, row, conventions.formula_image):
        return None
    tex = clean_tex(read_attribute(document, row, "alt") or "")
    if not tex and is_formula_source:
        query = parse_qs(split_url(source).query)
        tex = clean_tex(next((query[name][0] for name in conventions.names.formula_parameters if name in query), ""))
    return Formula(row, row + 1, tex, _is_display(document, row, conventions)) if tex else None


def _is_display(document: Document, row: int, conventions: Conventions) -> bool:
    """Whether the element, or its class, says that the formula has a line of its own."""
    is_shown = document.names[row] == "mjx-container" and read_attribute(document, row, "display") == "true"
    return is_shown or has_class(document, row, conventions.display_formula)


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


# read on every page, where what is between them looks like TeX
_ALWAYS: Final = re.compile(r"\\\((?P<i>.+?)\\\)|\\\[(?P<d>.+?)\\\]|\$\$(?P<e>[^$]+)\$\$", re.DOTALL)
# no white space inside and no digit behind: `$5 and $6` is no formula
_DOLLARS: Final = re.compile(_ALWAYS.pattern + r"|(?<![\\$])\$(?P<s>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)", re.DOTALL)
_BACKTICKS: Final = re.compile(r"`(?P<a>[^`\n]+)`")
# a sign that formulas have, or a variable alone
_LOOKS_LIKE_TEX: Final = re.compile(r"[\\^_={}+<>]|^\s*[A-Za-z]\s*$")
_LEVELS_ABOVE: Final = 3
"""An element made for formulas is looked for so far around a text: it holds the text, with a `span` or two between."""


@cached_per_page
def _find_delimiters(document: Document, conventions: Conventions) -> tuple[bool, bool]:
    """Whether a script of the page draws formulas between dollars, and between backticks."""
    rows = np.flatnonzero(document.tag == CODE["script"]).tolist()
    sources = [read_attribute(document, row, "src") or "" for row in rows]
    dollars, backticks = conventions.formula_script, conventions.asciimath_script
    return any(map(dollars.search, sources)), any(map(backticks.search, sources))


def split_formulas(document: Document, node: int, conventions: Conventions) -> list[str | Node]:
    """The text of a node, with a node of the flow tree for each formula in it."""
    text = document.text[node]
    has_dollars, has_backticks = _find_delimiters(document, conventions)
    # a page whose script draws AsciiMath writes its formulas so, and its dollars are prices
    if has_backticks and "`" in text:
        pattern = _BACKTICKS
    else:
        # an element that is made for formulas, by its name or class, or has one just around it
        near = islice(climb(document, int(document.text_owner[node])), _LEVELS_ABOVE)
        made = conventions.formula_element
        is_found = has_dollars or (
            _DOLLARS.search(text)
            and any(made.search(document.names[at]) or has_class(document, at, made) for at in near)
        )
        pattern = _DOLLARS if is_found else _ALWAYS
    pieces: list[str | Node] = []
    done = 0
    for found in pattern.finditer(text):
        name, source = next((name, value) for name, value in found.groupdict().items() if value is not None)
        # prices between dollars, and brackets escaped in a text about regular expressions, are no formulas
        if name != "a" and not _LOOKS_LIKE_TEX.search(source):
            continue
        tex = convert_asciimath(source) if name == "a" else clean_tex(source)
        if not tex:
            continue
        if found.start() > done:
            pieces.append(text[done : found.start()])
        pieces.append(make_formula(tex, is_display=name in ("d", "e")))
        done = found.end()
    return [*pieces, text[done:]] if done < len(text) else pieces


_SAME: Final = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma
    tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega sin cos tan sec csc
    cot arcsin arccos arctan sinh cosh tanh log ln exp lim det dim gcd max min
    """.split()  # noqa: SIM905  a table of words reads better
"""Words that TeX has as commands of the same name."""
_SYMBOLS: Final = {
    **{name: f"\\{name}" for name in _SAME},
    "*": "\\cdot", "**": "\\ast", "xx": "\\times", "-:": "\\div", "+-": "\\pm", "-+": "\\mp", "@": "\\circ",
    "!=": "\\neq",
    "<=": "\\leq", ">=": "\\geq", "in": "\\in", "!in": "\\notin", "sub": "\\subset", "sup": "\\supset",
    "sube": "\\subseteq", "-=": "\\equiv", "~=": "\\cong", "~~": "\\approx", "prop": "\\propto", "and": "\\text{ and }",
    "or": "\\text{ or }", "not": "\\neg", "=>": "\\Rightarrow", "<=>": "\\Leftrightarrow", "AA": "\\forall",
    "EE": "\\exists", "^^": "\\wedge", "vv": "\\vee", "nn": "\\cap", "uu": "\\cup", "int": "\\int", "oint": "\\oint",
    "del": "\\partial", "grad": "\\nabla", "O/": "\\emptyset", "oo": "\\infty", "...": "\\ldots", "quad": "\\quad",
    "CC": "\\mathbb{C}", "NN": "\\mathbb{N}", "QQ": "\\mathbb{Q}", "RR": "\\mathbb{R}", "ZZ": "\\mathbb{Z}",
    "->": "\\to", "rarr": "\\to", "larr": "\\leftarrow", "rArr": "\\Rightarrow", "sum": "\\sum", "prod": "\\prod",
    "if": "\\text{ if }", "cdots": "\\cdots", "harr": "\\leftrightarrow", "|->": "\\mapsto",
}  # fmt: skip
_UNARY: Final = {"sqrt": "\\sqrt", "hat": "\\hat", "bar": "\\overline", "vec": "\\vec", "dot": "\\dot",
                 "ddot": "\\ddot", "ul": "\\underline", "bb": "\\mathbf", "bbb": "\\mathbb", "cc": "\\mathcal",
                 "text": "\\text"}  # fmt: skip
_BINARY: Final = {"frac": "\\frac", "stackrel": "\\overset", "overset": "\\overset", "underset": "\\underset"}
_OPENING: Final = {"(": "(", "[": "[", "{": "\\{", "(:": "\\langle ", "{:": ""}
_CLOSING: Final = {")": ")", "]": "]", "}": "\\}", ":)": "\\rangle ", ":}": ""}
_WORDS: Final = sorted(
    {*_SYMBOLS, *_UNARY, *_BINARY, "root", *_OPENING, *_CLOSING}, key=lambda word: (-len(word), word)
)
# the longest word first (`_WORDS` is sorted so): `sinh` before `sin`
_TOKEN: Final = re.compile(r'\s*("[^"]*"|text\([^()]*\)|\d+(?:\.\d+)?|' + "|".join(map(re.escape, _WORDS)) + r"|\S)")
_MAX_DEPTH: Final = 50
"""Brackets nested deeper are taken as signs, because the reader recurses."""


def convert_asciimath(source: str) -> str:
    """The TeX of a formula in AsciiMath."""
    return _AsciiReader(_TOKEN.findall(source)).read_expression(0).strip()


class _AsciiReader:
    """Reads tokens from the left, one method for each rule of the grammar (http://asciimath.org, "The grammar"):

        v ::= a letter, number, text or symbol      S ::= v | l E r | u S | b S S
        I ::= S _ S | S ^ S | S _ S ^ S | S         E ::= I E | I / I

    l and r are brackets, u unary and b binary commands. Brackets around an operand of a command are not shown.
    """

    def __init__(self, tokens: list[str]) -> None:
        self._left = tokens[::-1]

    def _look(self) -> str:
        return self._left[-1] if self._left else ""

    def _take(self) -> str:
        return self._left.pop() if self._left else ""

    def read_expression(self, depth: int) -> str:
        """E: up to a closing bracket or the end."""
        parts: list[str] = []
        while self._look() and not (depth and self._look() in _CLOSING):
            part = self._read_item(depth)
            if self._look() == "/":
                self._take()
                part = f"\\frac{{{_strip(part)}}}{{{_strip(self._read_item(depth))}}}"
            # `\alphab` would be one command
            gap = parts and re.search(r"\\[A-Za-z]+$", parts[-1]) and part[:1].isalnum()
            parts.append(f" {part}" if gap else part)
        return "".join(parts)

    def _read_item(self, depth: int) -> str:
        """I: a simple expression with its scripts."""
        made = self._read_simple(depth)
        # in this order alone: the grammar has S _ S ^ S
        for mark in "_^":
            if self._look() == mark:
                self._take()
                script = _strip(self._read_simple(depth))
                made += f"{mark}{script}" if len(script) == 1 else f"{mark}{{{script}}}"
        return made

    def _read_simple(self, depth: int) -> str:
        """S: a sign, something in brackets, or a command with its operands."""
        token = self._take()
        if depth > _MAX_DEPTH:
            return token
        if token in _OPENING:
            inner = self.read_expression(depth + 1)
            return f"{_OPENING[token]}{inner}{_CLOSING.get(self._take(), '')}"
        if token in _UNARY:
            return f"{_UNARY[token]}{{{_strip(self._read_simple(depth + 1))}}}"
        if token in _BINARY or token == "root":
            first, second = (_strip(self._read_simple(depth + 1)) for _ in range(2))
            return f"{_BINARY[token]}{{{first}}}{{{second}}}" if token in _BINARY else f"\\sqrt[{first}]{{{second}}}"
        if token.startswith(('"', "text(")):
            return f"\\text{{{token.removeprefix('text(').strip(chr(34) + ')')}}}"
        return _SYMBOLS.get(token, token)


def _strip(tex: str) -> str:
    """An operand without the brackets around the whole of it."""
    if not tex.startswith("("):
        return tex
    depth = 0
    for at, character in enumerate(tex):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return tex[1:-1] if at == len(tex) - 1 else tex
    return tex
