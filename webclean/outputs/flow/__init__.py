"""The tree of clean elements from which text, Markdown, HTML, XML and phone pages are rendered.

The tree has only a few kinds of elements and attributes, and its URLs are safe, so the renderers need not sanitise
anything. A container has leaves (paragraphs, headings, code) or containers as children; a leaf has text and inline
elements. `builder.py` makes it of a document. What is done to a whole tree stands here: empty containers go
(`simplify_containers`), a tree over the limit of output is cut (`bound_tree`), and the title becomes its first heading
(`add_headline`), because the kept text often does not include the headline; and what is known of the page beside its
text, as front matter and `meta` elements (`Head`).

Pages grow where one piece of them is written many times: the address of a link around thousands of paragraphs, or the
address of the page in front of every relative link.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, fields
from itertools import islice
from typing import Final

import msgspec

from webclean import core
from webclean.model import Document
from webclean.parse.limits import spend_output
from webclean.rules.page_schema import Tools

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
# these hold text and inline elements alone, all others leaves or each other
LEAVES: Final = HEADINGS | {"p", "pre"}
INLINE: Final = frozenset(
    """
    a img br strong em code del ins mark sub sup kbd abbr ruby rt rp math noteref
    """.split()  # noqa: SIM905  a table of words reads better
)


class Node(msgspec.Struct, gc=False):
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

    def walk(self) -> Iterator[Node]:
        """The element and all below it, in document order."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            # most leaves hold one text: of a long page there are many thousands
            if len(node.children) != 1 or type(node.children[0]) is not str:
                todo += [child for child in reversed(node.children) if type(child) is not str]  # type: ignore[misc]

    def copy_with(self, children: list[Node | str]) -> Node:
        """The same element with other children."""
        return Node(self.name, self.attributes, children, self.is_line, self.row)

    def split_lines(self) -> Iterator[Node | list[Node | str]]:
        """The blocks in the element, and between them each run of text and inline elements, which is a line."""
        line: list[Node | str] = []
        for child in self.children:
            if isinstance(child, str) or child.name in INLINE:
                line.append(child)
                continue
            if line:
                yield line
                line = []
            yield child
        if line:
            yield line


class TreeOptions(msgspec.Struct, frozen=True):
    """What a tree of clean elements holds.

    links, images, tables: whether each is in it; images with videos and other media. image_attributes: those of `img`
    that may hold its URL, in order; pages that load images late have a placeholder in `src`. marks: emphasis, links and
    other inline elements, and languages of code, which plain text does not show. plain: the tree is for plain text
    alone, which shows paragraphs that follow each other, and headings, as it shows one leaf with blank lines.
    table_words: the most words of a cell of a table that is shown as one although it is not of data. tools: the names
    that tools give the parts of what they write; None: those of the shipped rules.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    image_attributes: tuple[str, ...] = ("src",)
    marks: bool = True
    plain: bool = False
    table_words: int = 0
    tools: Tools | None = None


def read_text(node: Node) -> str:
    """The text inside a node, with a newline for each `br`, formulas as TeX and readings of ruby in brackets."""
    if len(node.children) == 1 and type(node.children[0]) is str and node.name != "math":
        return node.children[0]
    if node.name == "math":
        return write_formula(node)
    children = list_ruby(node) if node.name == "ruby" else node.children
    return "".join(
        [child if isinstance(child, str) else "\n" if child.name == "br" else read_text(child) for child in children]
    )


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
            # `rp` holds the brackets of the page, for browsers without ruby
            children += child.children if is_bracketed else ["(", *child.children, ")"]
        else:
            children.append(child)
    return children


LISTS: Final = frozenset(("ul", "ol", "dl"))
FILLED: Final = LISTS | {"table", "tr"}
"""Elements with nothing but items or cells, which a line or a strip stands in, not between."""
TIGHT: Final = frozenset(("li", "td", "th", "dd", "dt", "figcaption", "summary", "caption", "note"))
_MAY_BE_EMPTY: Final = frozenset(("td", "th", "br", "img", "hr", "math"))


def simplify_containers(node: Node) -> None:
    """Tidy a tree in place, from the leaves up: without empty containers, and without paragraphs that are the only one
    in a list item or cell."""
    core.simplify_tree(node, TIGHT, LISTS, _MAY_BE_EMPTY)


def mark_headers(root: Node) -> None:
    """Make the cells of the first row of each table its headers, in place, where all of them are in bold type and the
    rows below are not: pages that were written in an editor have no other headers."""
    for table in root.walk():
        rows = [row for row in table.find_nodes() if row.name == "tr"] if table.name == "table" else []
        if len(rows) > 1 and _is_bold(rows[0]) and not any(map(_is_bold, rows[1:])):
            for cell in rows[0].find_nodes():
                cell.name = "th"


def _is_bold(row: Node) -> bool:
    """Whether several cells of a row have text, and all of it is in bold type."""
    filled = [cell for cell in row.find_nodes() if cell.children]
    lines = [line for cell in filled for line in cell.split_lines()]
    texts = [part for line in lines for part in (line.children if isinstance(line, Node) else line)]
    is_bold = all(isinstance(part, Node) and part.name in ("strong", "br") for part in texts)
    return len(filled) > 1 and is_bold


_OFTEN: Final = 1024
"""Elements between two checks of the limits."""


def bound_tree(root: Node) -> bool:
    """Count the text and attributes of a tree in the current budget. False if it was cut, in place, for it is over it.

    Raises `LimitExceeded` if it may not be cut.
    """
    n_allowed: int = core.count_allowed(root, spend_output, _OFTEN)
    # in document order, so that a cut page keeps its beginning
    kept = list(islice(root.walk(), max(0, n_allowed)))
    numbers = {id(node) for node in kept}
    for node in kept:
        node.children[:] = [child for child in node.children if isinstance(child, str) or id(child) in numbers]
    return n_allowed < 0


def gather_notes(root: Node, document: Document, inline: Set[str], made: Mapping[str, str]) -> None:
    """Set the notes of a tree at its end, in place, where readers and Markdown expect them, each with the way back to
    the first reference to it. The text around one that stood within it is one paragraph again. inline: the labels of
    these. made: label -> the text of a note that an attribute holds."""
    found: list[Node] = []
    asked: set[str] = set()
    for node in list(root.walk()):
        if node.name == "noteref" and node.attributes["label"] not in asked:
            asked.add(node.attributes["label"])
            node.attributes["id"] = f"note-{node.attributes['label']}-ref"
        if not any(type(child) is Node and child.name == "note" for child in node.children):
            continue
        rest: list[Node | str] = []
        divided = False
        for child in node.children:
            if isinstance(child, Node) and child.name == "note":
                found.append(child)
                divided = child.attributes["label"] in inline
                continue
            before = rest[-1] if rest and divided else None
            divided = False
            pair = [part for part in (before, child) if isinstance(part, Node) and part.name == "p" and part.row >= 0]
            # paragraphs of one block element are one again
            if len(pair) > 1 and document.block[pair[0].row] == document.block[pair[1].row]:
                rest[-1] = pair[0].copy_with([*pair[0].children, " ", *pair[1].children])
            else:
                rest.append(child)
        node.children[:] = rest
    found += [Node("note", {"label": label}, [text]) for label, text in made.items() if label in asked]
    for node in found:
        if node.attributes["label"] in asked:
            node.attributes["back"] = f"#note-{node.attributes['label']}-ref"
    root.children.extend(found)


@dataclass(frozen=True, slots=True)
class Head:
    """Data shown at the top of a rendering; '' for what is not known. language: BCP 47 tag. type: page type.
    price, rating, availability: of a product."""

    title: str = ""
    author: str = ""
    date: str = ""
    url: str = ""
    language: str = ""
    type: str = ""
    price: str = ""
    rating: str = ""
    availability: str = ""

    def list_known(self) -> Iterator[tuple[str, str]]:
        """Names and values of what is known."""
        for field in fields(self):
            if value := getattr(self, field.name):
                yield field.name, value


def write_front_matter(head: Head) -> str:
    """YAML front matter: a line for each value between two lines of `---`. JSON strings are YAML (YAML 1.2, 1.3)."""
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.list_known())
    return "\n".join(("---", *lines, "---"))


def add_headline(flow: Node, title: str) -> Node:
    """The tree with the title as first heading; unchanged if a heading has the title already or the tree is empty. A
    paragraph with the title at the beginning is that heading."""
    # an empty text stays empty, so that a reader of it sees that nothing was kept
    if not title or not flow.children or fold(title) in find_headings(flow):
        return flow
    headline = Node("h1", {}, [" ".join(title.split())])
    # above it stand a category and a date at most
    for at, node in enumerate(flow.children[:3]):
        if isinstance(node, Node) and node.name == "p" and fold(read_text(node)) == fold(title):
            headline.row = node.row
            return flow.copy_with([*flow.children[:at], headline, *flow.children[at + 1 :]])
    return flow.copy_with([headline, *flow.children])


def find_headings(flow: Node) -> Iterator[str]:
    """The texts of the headings in reading order, normalised by `fold`."""
    return (fold(read_text(node)) for node in flow.walk() if node.name in HEADINGS)


def fold(text: str) -> str:
    """Normalise text for comparison: white space becomes single spaces, case is folded."""
    return " ".join(text.split()).casefold()
