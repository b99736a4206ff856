r"""Text with TeX between delimiters -> pieces of text and formulas.

`\( \)`, `\[ \]` and `$$ $$` are read on every page if what is between them can be TeX; `$ $` and the backticks of
AsciiMath only where a script that draws such formulas, or an element made for them, says so.

AsciiMath becomes TeX by the grammar on http://asciimath.org (section "The grammar"):

    v ::= a letter, number, text or symbol      S ::= v | l E r | u S | b S S
    I ::= S _ S | S ^ S | S _ S ^ S | S         E ::= I E | I / I

l and r are brackets, u unary and b binary commands. Brackets around an operand of a command are not shown.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

import numpy as np

from webclean.caching import cached_property
from webclean.model import Document
from webclean.outputs.flow.formulas import clean_tex, make_formula
from webclean.outputs.flow.nodes import Node
from webclean.outputs.flow.tools import Conventions
from webclean.parse import climb, read_attribute
from webclean.parse.tags import CODE

# read on every page, where what is between them looks like TeX
_ALWAYS: Final = re.compile(r"\\\((?P<i>.+?)\\\)|\\\[(?P<d>.+?)\\\]|\$\$(?P<e>[^$]+)\$\$", re.DOTALL)
# no white space inside and no digit behind: `$5 and $6` is no formula
_DOLLARS: Final = re.compile(_ALWAYS.pattern + r"|(?<![\\$])\$(?P<s>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)", re.DOTALL)
_BACKTICKS: Final = re.compile(r"`(?P<a>[^`\n]+)`")
# a sign that formulas have, or a variable alone
_LOOKS_LIKE_TEX: Final = re.compile(r"[\\^_={}+<>]|^\s*[A-Za-z]\s*$")
_LEVELS_ABOVE: Final = 3
"""An element made for formulas is looked for so far around a text: it holds the text, with a `span` or two between."""


class Delimiters:
    """What counts as the delimiter of a formula on a page; read from the page when a text has such signs."""

    def __init__(self, document: Document, conventions: Conventions) -> None:
        self._document, self.conventions = document, conventions

    @cached_property
    def _sources(self) -> list[str]:
        rows = np.flatnonzero(self._document.tag == CODE["script"]).tolist()
        return [read_attribute(self._document, row, "src") or "" for row in rows]

    @cached_property
    def has_dollars(self) -> bool:
        return any(map(self.conventions.formula_script.search, self._sources))

    @cached_property
    def has_backticks(self) -> bool:
        return any(map(self.conventions.asciimath_script.search, self._sources))


def split_formulas(document: Document, node: int, delimiters: Delimiters) -> list[str | Node]:
    """The text of a node, with a node of the flow tree for each formula in it."""
    text = document.text[node]
    owner = int(document.text_owner[node])
    # a page whose script draws AsciiMath writes its formulas so, and its dollars are prices
    if delimiters.has_backticks and "`" in text:
        pattern = _BACKTICKS
    else:
        is_found = delimiters.has_dollars or (
            _DOLLARS.search(text) and _is_for_formulas(document, owner, delimiters.conventions.formula_element)
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


def _is_for_formulas(document: Document, row: int, element: re.Pattern[str]) -> bool:
    """Whether an element or one just around it is made for formulas, by its name or class."""
    return any(
        element.search(document.names[at]) or element.search(read_attribute(document, at, "class") or "")
        for at in islice(climb(document, row), _LEVELS_ABOVE)
    )


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
    return _Reader(_TOKEN.findall(source)).read_expression(0).strip()


class _Reader:
    """Reads tokens from the left, one method for each rule of the grammar."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    def _look(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._look()
        self._at += 1
        return token

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
