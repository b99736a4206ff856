"""Row -> lxml XPath, valid in the html5lib tree of the same bytes (namespaces off)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from webclean.model import Document


def build_xpath(document: Document, row: int) -> str:
    """Absolute XPath with a position at every step, for example `/html/body/div[2]/p[1]`."""
    return build_xpaths(document, (row,))[0]


def build_xpaths(document: Document, rows: Iterable[int]) -> list[str]:
    """The XPath of each row; steps that paths share are counted once."""
    made: dict[int, str] = {-1: ""}
    found = []
    for row in rows:
        chain = [row]
        while chain[-1] not in made:
            chain.append(int(document.parent[chain[-1]]))
        for step in reversed(chain[:-1]):
            above = int(document.parent[step])
            made[step] = f"{made[above]}/{_name_step(document, step, above)}"
        found.append(made[row])
    return found


def _name_step(document: Document, row: int, above: int) -> str:
    """`name[position]` among the siblings of that name."""
    name = document.names[row]
    if above < 0:
        return name
    between = slice(above + 1, row + 1)
    alike = (document.parent[between] == above) & (document.tag[between] == document.tag[row])
    if document.tag[row]:
        return f"{name}[{np.count_nonzero(alike)}]"
    position = sum(document.names[above + 1 + step] == name for step in np.flatnonzero(alike).tolist())
    return f"{name}[{position}]"
