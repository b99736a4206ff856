"""AsciiMath -> TeX, by the grammar on http://asciimath.org (section "The grammar").

    v ::= a letter, number, text or symbol      S ::= v | l E r | u S | b S S
    I ::= S _ S | S ^ S | S _ S ^ S | S         E ::= I E | I / I

l and r are brackets, u unary and b binary commands. Brackets around an operand of a command are not shown.
"""

from __future__ import annotations

import re
from typing import Final

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
_TOKEN: Final = re.compile(r'\s*("[^"]*"|text\([^()]*\)|\d+(?:\.\d+)?|' + "|".join(map(re.escape, _WORDS)) + r"|\S)")
_MAX_DEPTH: Final = 50


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
            gap = parts and re.search(r"\\[A-Za-z]+$", parts[-1]) and part[:1].isalnum()
            parts.append(f" {part}" if gap else part)
        return "".join(parts)

    def _read_item(self, depth: int) -> str:
        """I: a simple expression with its scripts."""
        made = self._read_simple(depth)
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
