"""The clean elements from which Markdown, HTML and mobile HTML are rendered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
LEAVES: Final = HEADINGS | {"p", "pre"}
INLINE: Final = frozenset(("a", "img", "br", "strong", "em", "code", "del", "ins", "mark", "sub", "sup"))


@dataclass(frozen=True, slots=True)
class Node:
    """A clean element: name, attributes, and children (nodes and text)."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def find_nodes(self) -> Iterator[Node]:
        """Child elements, without text."""
        return (child for child in self.children if isinstance(child, Node))


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What a rendering shows besides text.

    tables: whether the text of data tables is shown as well. image_attributes: those of `img` that may hold its URL, in
    order; pages that load images late have a placeholder in `src`.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    image_attributes: tuple[str, ...] = ("src",)


def read_text(node: Node) -> str:
    """The text inside a node, unchanged, with a newline for each `br`."""
    parts = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        else:
            parts.append("\n" if child.name == "br" else read_text(child))
    return "".join(parts)
