"""Elements -> tag paths that are the same on all pages of a site.

A step of a path is a tag with its classes. Positions among siblings are left out, so entries of a list share a path.
Classes of `html` and `body` are left out too: they name the page (`postid-4711`) and not a place in it.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Final

from webclean.model import Document, Rows
from webclean.parse import climb, read_attribute

_PAGE: Final = frozenset({"html", "body"})
PATH_LEVELS: Final = 4
"""The most steps of a path: the element and up to three of its ancestors."""


def name_paths(document: Document, rows: Rows) -> list[str]:
    """The tag path of each row, outermost step first: `div.page > div.replies > div.reply > p`."""

    @cache
    def name_step(row: int) -> str:
        if document.names[row] in _PAGE:
            return document.names[row]
        return ".".join((document.names[row], *(read_attribute(document, row, "class") or "").split()))

    @cache
    def name_path(row: int) -> str:
        steps = map(name_step, islice(climb(document, row), PATH_LEVELS))
        return " > ".join(reversed(list(steps)))

    return list(map(name_path, rows.tolist()))
