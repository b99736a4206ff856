"""Content MathML (MathML 3, chapter 4) as clean nodes -> TeX: what is applied to what, written as people write it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from webclean.outputs.flow.nodes import Node

_Part = tuple[str, int]
"""TeX, and how strongly its outermost operator binds."""

_INFIX: Final = {
    "equivalent": (1, "\\Leftrightarrow "), "implies": (1, "\\Rightarrow "), "or": (2, "\\lor "), "and": (3, "\\land "),
    "eq": (4, "="), "neq": (4, "\\neq "), "gt": (4, ">"), "lt": (4, "<"), "geq": (4, "\\geq "), "leq": (4, "\\leq "),
    "approx": (4, "\\approx "), "in": (4, "\\in "), "notin": (4, "\\notin "), "subset": (4, "\\subseteq "),
    "prsubset": (4, "\\subset "), "tendsto": (4, "\\to "), "union": (5, "\\cup "), "intersect": (5, "\\cap "),
    "plus": (6, "+"), "minus": (6, "-"), "times": (7, ""),
}  # fmt: skip
"""Operator -> how strongly it binds, and its sign."""
_FUNCTIONS: Final = frozenset(
    """
    sin cos tan sec csc cot arcsin arccos arctan sinh cosh tanh exp ln log min max gcd
    """.split()  # noqa: SIM905  a table of words reads better
)
_CONSTANTS: Final = {
    "pi": "\\pi", "exponentiale": "e", "imaginaryi": "i", "infinity": "\\infty", "emptyset": "\\emptyset",
    "reals": "\\mathbb{R}", "integers": "\\mathbb{Z}", "naturalnumbers": "\\mathbb{N}", "rationals": "\\mathbb{Q}",
    "complexes": "\\mathbb{C}",
}  # fmt: skip
_BIG: Final = {"sum": "\\sum", "product": "\\prod", "int": "\\int"}
_QUALIFIERS: Final = frozenset(("bvar", "lowlimit", "uplimit", "degree", "condition"))
_PREFIX: Final = {"not": "\\lnot ", "forall": "\\forall ", "exists": "\\exists "}
OPERATORS: Final = frozenset((*_INFIX, *_FUNCTIONS, *_CONSTANTS, *_BIG, *_PREFIX, "divide", "power", "root", "abs",
                              "factorial", "interval", "set", "list", "vector"))  # fmt: skip
_SYMBOL: Final = 9
"""How strongly a single sign binds."""


def write_content(node: Node) -> str:
    """The TeX of a content element."""
    return _write(node)[0]


def _write(node: Node) -> _Part:
    """TeX, and how strongly its outermost operator binds."""
    if node.name == "apply":
        return _write_application(node)
    if node.name in ("ci", "cn", "csymbol"):
        return _write_token(node), _SYMBOL
    if node.name in _CONSTANTS:
        return _CONSTANTS[node.name], _SYMBOL
    inner = ",".join(_write(child)[0] for child in node.find_nodes())
    fences = {"set": ("\\{", "\\}"), "interval": ("[", "]")}.get(node.name, ("(", ")"))
    return (f"{fences[0]}{inner}{fences[1]}" if node.name in OPERATORS else inner), _SYMBOL


def _write_token(node: Node) -> str:
    texts = [child for child in node.children if isinstance(child, str)]
    if len(texts) == 2:  # <cn type="rational">1<sep/>2</cn>
        return f"\\frac{{{texts[0]}}}{{{texts[1]}}}"
    text = "".join(texts)
    return f"\\mathrm{{{text}}}" if len(text) > 1 and text.isascii() and text.isalpha() else text


@dataclass(frozen=True, slots=True)
class _Application:
    """An operator with what it is applied to. parts: TeX of each argument, and how strongly it binds."""

    operator: Node
    parts: list[_Part]
    qualifiers: dict[str, str]

    @property
    def first(self) -> str:
        return self.parts[0][0]

    @property
    def last(self) -> str:
        return self.parts[-1][0]


def _write_application(node: Node) -> _Part:
    children = list(node.find_nodes())
    if not children:
        return "", _SYMBOL
    parts = [_write(child) for child in children[1:] if child.name not in _QUALIFIERS]
    qualifiers = {
        child.name: "".join(_write(part)[0] for part in child.find_nodes())
        for child in children[1:]
        if child.name in _QUALIFIERS
    }
    found = _Application(children[0], parts, qualifiers)
    write = _APPLIED.get(children[0].name) if parts else None
    if write:
        return write(found)
    return f"{_write(children[0])[0]}({','.join(part for part, _ in parts)})", _SYMBOL


def _write_minus(found: _Application) -> _Part:
    """A sum after the sign is in parentheses, as in a-(b+c)."""
    *before, last = found.parts
    return "".join(_fence(part, 6) for part in before) + f"-{_fence(last, 7)}", 6


def _write_power(found: _Application) -> _Part:
    exponent = found.last if len(found.last) == 1 else f"{{{found.last}}}"
    return f"{_fence(found.parts[0], _SYMBOL)}^{exponent}", 8


def _write_root(found: _Application) -> _Part:
    degree = found.qualifiers.get("degree", "2")
    return f"\\sqrt{'' if degree == '2' else f'[{degree}]'}{{{found.first}}}", _SYMBOL


def _write_function(found: _Application) -> _Part:
    inner = found.first if re.fullmatch(r"\w|\\[A-Za-z]+", found.first) else f"({found.first})"
    return f"\\{found.operator.name}{' ' if inner[:1].isalnum() else ''}{inner}", 7


def _write_prefix(found: _Application) -> _Part:
    return f"{_PREFIX[found.operator.name]}{found.qualifiers.get('bvar', '')}{found.first}", 3


def _write_infix(found: _Application) -> _Part:
    strength, sign = _INFIX[found.operator.name]
    return sign.join(_fence(part, strength) for part in found.parts), strength


def _fence(part: _Part, strength: int) -> str:
    """A part in parentheses if its operator binds less than the one around it."""
    return part[0] if part[1] >= strength else f"({part[0]})"


def _write_big(found: _Application) -> _Part:
    """A sum, product or integral with its limits."""
    name = found.operator.name
    variable, low, high = (found.qualifiers.get(key, "") for key in ("bvar", "lowlimit", "uplimit"))
    under = f"{variable}={low}" if low and name != "int" else low or found.qualifiers.get("condition", "")
    limits = (f"_{{{under}}}" if under else "") + (f"^{{{high}}}" if high else "")
    return f"{_BIG[name]}{limits} {found.first}" + (f"\\,d{variable}" if name == "int" and variable else ""), 6


_APPLIED: Final[dict[str, Callable[[_Application], _Part]]] = {
    **dict.fromkeys(_INFIX, _write_infix),
    **dict.fromkeys(_BIG, _write_big),
    **dict.fromkeys(_FUNCTIONS, _write_function),
    **dict.fromkeys(_PREFIX, _write_prefix),
    "minus": _write_minus,
    "divide": lambda found: (f"\\frac{{{found.first}}}{{{found.last}}}", _SYMBOL),
    "power": _write_power,
    "root": _write_root,
    "abs": lambda found: (f"|{found.first}|", _SYMBOL),
    "factorial": lambda found: (f"{_fence(found.parts[0], _SYMBOL)}!", 8),
}
