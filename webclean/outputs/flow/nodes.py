"""The clean elements from which text, Markdown, HTML and mobile HTML are rendered, and what a rendering shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from webclean.rules.features_schema import Tools

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
LEAVES: Final = HEADINGS | {"p", "pre"}
INLINE: Final = frozenset(
    """
    a img br strong em code del ins mark sub sup kbd abbr ruby rt rp math noteref
    """.split()  # noqa: SIM905  a table of words reads better
)


class Node(msgspec.Struct):
    """A clean element: name, attributes, and children (nodes and text), which are added while the tree is built.

    Text has single spaces and no line breaks, but in `pre`.
    is_line: a leaf of an element that is no paragraph, such as a `div`; plain text sets it closer. row: of a leaf, the
    element in which its text begins, or that it is made of, such as an image; -1 if it is of none.
    """

    name: str
    attributes: dict[str, str] = {}
    children: list[Node | str] = []
    is_line: bool = False
    row: int = -1

    def find_nodes(self) -> Iterator[Node]:
        """Child elements, without text."""
        return iter([child for child in self.children if type(child) is Node])


class RenderOptions(msgspec.Struct, frozen=True):
    """What a rendering shows, whatever its format.

    links, images, tables, comments: whether each is shown; images with videos and other media. title: the title as
    first heading. metadata: title, date, author and other fields before the text, where the format has a place for
    them. fragment: of HTML, only the content of `body`. image_attributes: those of `img` that may hold its URL, in
    order; pages that load images late have a placeholder in `src`. marks: emphasis, links and other inline elements,
    and languages of code, which plain text does not show. plain: the tree is for plain text alone, which shows
    paragraphs that follow each other, and headings, as it shows one leaf with blank lines. tools: the names that tools
    give the parts of what they write; None: those of the shipped rules.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = True
    title: bool = True
    metadata: bool = False
    fragment: bool = False
    image_attributes: tuple[str, ...] = ("src",)
    marks: bool = True
    plain: bool = False
    tools: Tools | None = None


def read_text(node: Node) -> str:
    """The text inside a node, with a newline for each `br`, formulas as TeX and readings of ruby in brackets."""
    if len(node.children) == 1 and type(node.children[0]) is str and node.name != "math":
        return node.children[0]
    if node.name == "math":
        return write_formula(node)
    if node.name == "ruby":
        return "".join(child if isinstance(child, str) else read_text(child) for child in list_ruby(node))
    parts = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        else:
            parts.append("\n" if child.name == "br" else read_text(child))
    return "".join(parts)


def write_formula(node: Node) -> str:
    """The TeX of a formula between dollar signs, on one line."""
    mark = "$$" if node.attributes.get("display") == "block" else "$"
    return f"{mark}{' '.join(node.attributes['tex'].split())}{mark}"


def list_ruby(node: Node) -> list[Node | str]:
    """The children of a `ruby` element for formats without it: readings in the brackets of the page, or in `( )`."""
    children: list[Node | str] = []
    is_bracketed = any(child.name == "rp" for child in node.find_nodes())
    for child in node.children:
        if isinstance(child, Node) and child.name in ("rt", "rp"):
            children += child.children if is_bracketed else ["(", *child.children, ")"]
        else:
            children.append(child)
    return children
