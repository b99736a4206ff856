"""MathML as clean nodes -> TeX, as KaTeX and MathJax read it.

Presentation markup is written element by element (MathML 3, chapter 3). Names of symbols are those of latex2mathml,
read the other way round.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from webclean.outputs.flow import Node
from webclean.storage import read_table

TABLES: Final = read_table(__file__, "tex.toml")
"""Names of MathML and TeX."""
_FUNCTIONS, _LIMITS = (frozenset(TABLES[name].split()) for name in ("functions", "limits"))
_BIG: Final = frozenset("∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂⨀⨄")
_MATRICES: Final = {tuple(brackets): name for name, brackets in TABLES["matrices"].items()}
_INVISIBLE: Final = str.maketrans("", "", "\u2061\u2062\u2063\u2064\u200b")
# a letter right after it would become part of its name
_COMMAND_END: Final = re.compile(r"\\[A-Za-z]+$")
_STYLED_LETTERS: Final = 0x1D400
"""The first of the mathematical letters of Unicode, which are letters in some style."""
# signs that mean something to TeX in `\text{}` too
_TEXT_SPECIAL: Final = re.compile(r"([#$%&_{}])")


def write_tex(node: Node) -> str:
    """The TeX of a formula, without delimiters."""
    return _WRITERS.get(node.name, _write_row)(node)


def join_tex(parts: Sequence[str]) -> str:
    """Parts of TeX in a row, with a space where a command would run into a letter."""
    written: list[str] = []
    for part in parts:
        if part and written and part[0].isalpha() and _COMMAND_END.search(written[-1]):
            written.append(" ")
        written += [part] if part else []
    return "".join(written)


def _part(node: Node, at: int) -> str:
    children = [*node.find_nodes()]
    return write_tex(children[at]) if at < len(children) else ""


def _write_row(node: Node) -> str:
    """The children in a row; a table between fences becomes a matrix of that kind."""
    children, parts, at = [*node.find_nodes()], [], 0
    while at < len(children):
        # brackets that stand before and after a table are its own: a matrix
        if at + 1 < len(children) and children[at].name == "mo" and _is_table(children[at + 1]):
            closing = [_read(child) for child in children[at + 2 : at + 3] if child.name == "mo"]
            name = _MATRICES.get((_read(children[at]), "".join(closing)))
            if name:
                parts.append(_write_table(_find_table(children[at + 1]), name))
                at += 2 + len(closing)
                continue
        parts.append(write_tex(children[at]))
        at += 1
    return join_tex(parts)


def _is_table(node: Node) -> bool:
    return _find_table(node).name == "mtable"


def _find_table(node: Node) -> Node:
    """The node itself, or the only one inside rows and styles."""
    while node.name in ("mrow", "mstyle") and len(node.children) == 1 and isinstance(node.children[0], Node):
        node = node.children[0]
    return node


def _read(node: Node) -> str:
    return "".join(child for child in node.children if isinstance(child, str)).translate(_INVISIBLE).strip()


@cache
def _list_symbols() -> dict[str, str]:
    """Character -> command: the first one that latex2mathml lists for it."""
    from latex2mathml.symbols_parser import parse_symbols  # noqa: PLC0415  few pages have formulas

    found: dict[str, str] = {}
    for command, code in parse_symbols().items():
        if re.fullmatch(r"[0-9A-F]+", code) and re.fullmatch(r"\\[A-Za-z]+|\\mathbb\{\w\}", command):
            # if several commands write a sign, the first is the usual one
            found.setdefault(chr(int(code, 16)), command)
    found.update(TABLES["signs"])
    return found


def _write_symbols(text: str) -> str:
    known = _list_symbols()
    return join_tex([character if character.isascii() and character not in TABLES["signs"]
                     else known.get(character) or unicodedata.normalize("NFKC", character)
                     for character in text])  # fmt: skip


def _write_identifier(node: Node) -> str:
    text = _read(node)
    plain = unicodedata.normalize("NFKC", text)
    # 𝑥 is an x: TeX sets variables in italics by itself
    text = plain if text and ord(text[0]) >= _STYLED_LETTERS else text
    if plain in _FUNCTIONS:
        return f"\\{plain}"
    variant = TABLES["variants"].get(node.attributes.get("mathvariant", ""))
    if variant:
        return f"{variant}{{{_write_symbols(plain)}}}"
    if len(plain) > 1 and plain.isascii() and plain.isalpha():
        return f"\\mathrm{{{plain}}}"
    return _write_symbols(text)


def _write_operator(node: Node) -> str:
    text = _read(node)
    if text in _FUNCTIONS:
        return f"\\{text}"
    if len(text) > 1 and text.isascii() and text.isalpha():
        return f"\\operatorname{{{text}}}"
    # signs that the keyboard does not have are written with two: `<=`
    return TABLES["double_signs"].get(text) or _write_symbols(text)


def _write_text(node: Node) -> str:
    text = "".join(child for child in node.children if isinstance(child, str)).translate(_INVISIBLE)
    text = _TEXT_SPECIAL.sub(r"\\\1", text.replace("\xa0", " "))
    return f"\\text{{{text}}}" if text else ""


def _base(tex: str) -> str:
    """A base that a script can follow: in braces if it is more than one sign or command."""
    return tex if len(tex) == 1 or re.fullmatch(r"\\[A-Za-z]+(?:\{[^{}]*\})?", tex) else f"{{{tex}}}"


def _script(mark: str, tex: str) -> str:
    return f"{mark}{tex}" if len(tex) == 1 else f"{mark}{{{tex}}}" if tex else ""


def _write_scripts(node: Node) -> str:
    """`msub`, `msup` and `msubsup`."""
    below, above = ("", _part(node, 1)) if node.name == "msup" else (_part(node, 1), _part(node, 2))
    # primes are raised already: x' and not x^{'}
    raised = above if above and not above.strip("'") else _script("^", above)
    return f"{_base(_part(node, 0))}{_script('_', below)}{raised}"


def _write_limits(node: Node) -> str:
    """`munder`, `mover` and `munderover`: limits of an operator, accents, or something set over or under."""
    children = [*node.find_nodes()]
    if len(children) < 2:
        return _write_row(node)
    base, text = write_tex(children[0]), _read(children[0])
    if text in _BIG or text in _LIMITS:
        below = "" if node.name == "mover" else _part(node, 1)
        above = _part(node, {"mover": 1, "munderover": 2}.get(node.name, 9))
        return f"{base}{_script('_', below)}{_script('^', above)}"
    if node.name != "mover":
        sign = TABLES["under"].get(_read(children[1]))
        base = f"{sign}{{{base}}}" if sign else f"\\underset{{{_part(node, 1)}}}{{{base}}}"
    over = 1 if node.name == "mover" else 2
    if over < len(children):
        accent = TABLES["over"].get(_read(children[over]))
        base = f"{accent}{{{base}}}" if accent else f"\\overset{{{_part(node, over)}}}{{{base}}}"
    return base


def _write_prescripts(node: Node) -> str:
    """`mmultiscripts`: the base, pairs of scripts after it, and pairs before it after `mprescripts`."""
    children = [*node.find_nodes()]
    at = next((i for i, child in enumerate(children) if child.name == "mprescripts"), len(children))

    def write_pairs(nodes: Sequence[Node]) -> str:
        texts = ["" if child.name == "none" else write_tex(child) for child in nodes]
        return "".join(_script("_^"[i % 2], text) for i, text in enumerate(texts))

    before = write_pairs(children[at + 1 :])
    base = write_tex(children[0]) if children else ""
    return f"{'{}' + before if before else ''}{_base(base)}{write_pairs(children[1:at])}"


def _write_table(node: Node, name: str) -> str:
    lines = r"\\".join("&".join(map(write_tex, line.find_nodes())) for line in node.find_nodes())
    return f"\\begin{{{name}}}{lines}\\end{{{name}}}"


def _write_lone_table(node: Node) -> str:
    """A table without fences: equations under each other if its columns are set to the right and left."""
    aligned = node.attributes.get("columnalign", "").split()[:2] == ["right", "left"]
    return _write_table(node, "aligned" if aligned else "matrix")


def _write_fenced(node: Node) -> str:
    opening, closing = node.attributes.get("open", "("), node.attributes.get("close", ")")
    children = [*node.find_nodes()]
    if len(children) == 1 and _is_table(children[0]) and (opening, closing) in _MATRICES:
        return _write_table(_find_table(children[0]), _MATRICES[opening, closing])
    between = node.attributes.get("separators", ",").strip()[:1]
    inner = between.join(write_tex(child) for child in children)
    return f"{_write_symbols(opening)}{inner}{_write_symbols(closing)}"


def _write_space(node: Node) -> str:
    width = re.match(r"\s*(\d+|\d*\.\d+)em", node.attributes.get("width", ""))
    n_em = float(width[1]) if width else 0.0
    return "\\quad " if n_em >= 1 else "\\," if n_em else ""


def _write_enclosed(node: Node) -> str:
    notation = node.attributes.get("notation", "")
    command = next((command for name, command in TABLES["enclosed"].items() if name in notation), "")
    return f"{command}{{{_write_row(node)}}}" if command else _write_row(node)


def _write_fraction(node: Node) -> str:
    is_bare = node.attributes.get("linethickness", "").strip() in ("0", "0px", "0pt", "0em")
    return f"\\{'binom' if is_bare else 'frac'}{{{_part(node, 0)}}}{{{_part(node, 1)}}}"


def _write_root(node: Node) -> str:
    degree = _part(node, 1)
    return f"\\sqrt{'' if degree == '2' else f'[{degree}]'}{{{_part(node, 0)}}}"


_WRITERS: Final[dict[str, Callable[[Node], str]]] = {
    "mi": _write_identifier,
    "mn": lambda node: _write_symbols(_read(node)),
    "mo": _write_operator,
    "mtext": _write_text,
    "ms": _write_text,
    "mspace": _write_space,
    "mfrac": _write_fraction,
    "msqrt": lambda node: f"\\sqrt{{{_write_row(node)}}}",
    "mroot": _write_root,
    "msub": _write_scripts,
    "msup": _write_scripts,
    "msubsup": _write_scripts,
    "munder": _write_limits,
    "mover": _write_limits,
    "munderover": _write_limits,
    "mmultiscripts": _write_prescripts,
    "mtable": _write_lone_table,
    "mfenced": _write_fenced,
    "menclose": _write_enclosed,
    "mphantom": lambda _: "",
    "semantics": lambda node: _part(node, 0),
    "maction": lambda node: _part(node, 0),
}
