"""The programming language of a code block, read from class names."""

from __future__ import annotations

import re
from typing import Final

from webclean.model import Document
from webclean.parse import read_attribute

# `language-x` is the convention of the HTML standard (4.5.15); syntax highlighters and code hosts use the others.
_CLASS: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|hljs\s+(?!lang))([A-Za-z][\w+#.-]{0,30})"
)
_ATTRIBUTES: Final = ("data-lang", "data-language")
_NO_LANGUAGE: Final = frozenset(("default", "none", "text", "plaintext", "plain", "nohighlight", "notranslate"))
_LEVELS_ABOVE: Final = 3
_ELEMENTS_BELOW: Final = 4


def find_language(document: Document, row: int) -> str:
    """The language named on the `pre`, on the first elements in it or the nearest around it; '' if there is none."""
    below = list(range(row, min(int(document.end[row]), row + _ELEMENTS_BELOW)))
    above: list[int] = []
    here = int(document.parent[row])
    while here >= 0 and len(above) < _LEVELS_ABOVE:
        above.append(here)
        here = int(document.parent[here])
    for near in below + above:
        for name in _ATTRIBUTES:
            if value := (read_attribute(document, near, name) or "").strip():
                return _accept(value.lower())
        if found := _CLASS.search(read_attribute(document, near, "class") or ""):
            return _accept(found[1].lower())
    return ""


def _accept(language: str) -> str:
    return "" if language in _NO_LANGUAGE or not re.fullmatch(r"[\w+#.-]+", language) else language
