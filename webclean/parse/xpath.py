"""Row -> lxml XPath, valid in the html5lib tree of the same bytes (namespaces off)."""

from __future__ import annotations

from webclean.model import Document


def build_xpath(document: Document, row: int) -> str:
    """Absolute XPath with a position at every step, for example `/html/body/div[2]/p[1]`."""
    steps: list[str] = []
    parent = document.parent
    while row >= 0:
        name, above = document.names[row], int(parent[row])
        if above < 0:
            steps.append(name)
        else:
            position = sum(
                1 for other in range(above + 1, row + 1) if parent[other] == above and document.names[other] == name
            )
            steps.append(f"{name}[{position}]")
        row = above
    return "/" + "/".join(reversed(steps))
