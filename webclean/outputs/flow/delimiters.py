r"""Text with TeX between delimiters -> pieces of text and formulas.

`\( \)`, `\[ \]` and `$$ $$` are read on every page if what is between them can be TeX; `$ $` and the backticks of
AsciiMath only where a script that draws such formulas, or an element made for them, says so.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean.caching import cached_property
from webclean.model import Document
from webclean.outputs.flow.asciimath import convert_asciimath
from webclean.outputs.flow.conventions import Conventions
from webclean.outputs.flow.formulas import clean_tex, make_formula
from webclean.outputs.flow.nodes import Node
from webclean.parse import read_attribute
from webclean.parse.tags import CODE

_ALWAYS: Final = re.compile(r"\\\((?P<i>.+?)\\\)|\\\[(?P<d>.+?)\\\]|\$\$(?P<e>[^$]+)\$\$", re.DOTALL)
_DOLLARS: Final = re.compile(_ALWAYS.pattern + r"|(?<![\\$])\$(?P<s>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)", re.DOTALL)
_BACKTICKS: Final = re.compile(r"`(?P<a>[^`\n]+)`")
_LOOKS_LIKE_TEX: Final = re.compile(r"[\\^_={}+<>]|^\s*[A-Za-z]\s*$")
_LEVELS_ABOVE: Final = 3


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


def may_hold_formula(text: str) -> bool:
    """Whether a text has the signs of some delimiter."""
    return ("\\" in text and ("\\(" in text or "\\[" in text)) or text.count("$") > 1 or text.count("`") > 1


def split_formulas(document: Document, node: int, delimiters: Delimiters) -> list[str | Node]:
    """The text of a node, with a node of the flow tree for each formula in it."""
    text = document.text[node]
    owner = int(document.text_owner[node])
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
    for _ in range(_LEVELS_ABOVE):
        if row < 0:
            break
        if element.search(document.names[row]) or element.search(read_attribute(document, row, "class") or ""):
            return True
        row = int(document.parent[row])
    return False
