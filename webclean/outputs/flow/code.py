"""The programming language of a code block, read from class names."""

from __future__ import annotations

import re
from typing import Final

from webclean.model import Document
from webclean.outputs.flow.conventions import Conventions
from webclean.parse import read_attribute

_LEVELS_ABOVE: Final = 3
_ELEMENTS_BELOW: Final = 4


def find_language(document: Document, row: int, conventions: Conventions) -> str:
    """The language named on the `pre`, on the first elements in it or the nearest around it; '' if there is none."""
    below = list(range(row, min(int(document.end[row]), row + _ELEMENTS_BELOW)))
    above: list[int] = []
    here = int(document.parent[row])
    while here >= 0 and len(above) < _LEVELS_ABOVE:
        above.append(here)
        here = int(document.parent[here])
    for near in below + above:
        for name in conventions.names.language_attributes:
            if value := (read_attribute(document, near, name) or "").strip():
                return _accept(value.lower(), conventions)
        if found := conventions.language.search(read_attribute(document, near, "class") or ""):
            return _accept(found[1].lower(), conventions)
    return ""


def _accept(language: str, conventions: Conventions) -> str:
    return "" if language in conventions.names.no_languages or not re.fullmatch(r"[\w+#.-]+", language) else language
