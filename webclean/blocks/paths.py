"""Elements -> tag paths that are the same on all pages of a site.

A step of a path is a tag with its classes. Positions among siblings are left out, so entries of a list share a path.
"""

from __future__ import annotations

from typing import Final

from webclean.model import Document, Rows
from webclean.parse import read_attribute

PATH_LEVELS: Final = 4
"""The most steps of a path: the element and up to three of its ancestors."""


def name_paths(document: Document, rows: Rows) -> list[str]:
    """The tag path of each row, outermost step first: `div.page > div.replies > div.reply > p`."""
    steps: dict[int, str] = {}
    made: dict[int, str] = {}
    for row in rows.tolist():
        if row not in made:
            chain: list[str] = []
            at = row
            while at >= 0 and len(chain) < PATH_LEVELS:
                if at not in steps:
                    steps[at] = _name_step(document, at)
                chain.append(steps[at])
                at = int(document.parent[at])
            made[row] = " > ".join(reversed(chain))
    return [made[row] for row in rows.tolist()]


def _name_step(document: Document, row: int) -> str:
    return ".".join((document.names[row], *(read_attribute(document, row, "class") or "").split()))
