"""Elements and text nodes, one after the other in document order -> a tree of clean elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.code import find_language
from webclean.outputs.flow.lines import render_preformatted
from webclean.outputs.flow.nodes import HEADINGS, Node, RenderOptions
from webclean.outputs.flow.places import PREFORMATTED
from webclean.outputs.flow.sanitise import find_base, find_image_source, sanitise_url
from webclean.parse import read_attribute
from webclean.parse.tags import BLOCK

MAX_NESTING: Final = 40
"""Containers nested deeper than this are replaced by their content, because the renderers recurse."""
MAX_SPAN: Final = 1000
"""Maximum number of columns or rows that a cell may span (HTML 4.9.11 allows 1000 columns)."""

_CONTAINERS: Final = {
    **{name: name for name in ("ul", "ol", "li", "dl", "dt", "dd", "blockquote", "figure", "figcaption")},
    **{name: name for name in ("details", "summary", "table", "caption", "tr", "td", "th")},
    "menu": "ul",
    "dir": "ul",
}
_INLINE: Final = {
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("code", "tt", "kbd", "samp"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **{name: name for name in ("sub", "sup", "mark", "ins")},
}
_PARENTS: Final = {
    "li": ("ul", "ol"),
    "dt": ("dl",),
    "dd": ("dl",),
    "tr": ("table",),
    "caption": ("table",),
    "td": ("tr",),
    "th": ("tr",),
    "figcaption": ("figure",),
    "summary": ("details",),
}
"""Element -> the parents that it needs; inside any other parent it is replaced by its content."""
_FILLERS: Final = {"ul": "li", "ol": "li", "dl": "dd", "table": "tr", "tr": "td"}
"""Container -> the element that is inserted around a child that the container may not have directly."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """An open element of the page.

    block: row of the nearest block element. container: the clean element that gets its leaves. leaf: the name of these
    leaves. inlines: (row, element) of the inline elements around its text. nesting: number of containers around it.
    """

    row: int
    end: int
    block: int
    container: Node
    leaf: str = "p"
    inlines: tuple[tuple[int, Node], ...] = ()
    nesting: int = 0


class Builder:
    """Builds the tree under `root`. Call its methods for the elements and text nodes in document order."""

    def __init__(
        self, document: Document, blocks: TextBlocks, kept: Mask, options: RenderOptions, tables: Mask
    ) -> None:
        self.document, self.blocks, self.kept, self.options, self.tables = document, blocks, kept, options, tables
        self.root = Node("")
        self._base = find_base(document)
        self._frames = [_Frame(-1, len(document) + 1, -1, self.root)]
        self._done = (-1, -1)
        self._leaf: Node | None = None
        self._leaf_block: int | None = None
        self._leaf_home = -1
        self._opened: list[tuple[int, Node]] = []
        self._is_spaced = False
        self._n_breaks = 0

    def enter(self, row: int) -> None:
        """Add the element of a row."""
        if row < self._done[1]:
            return
        while self._frames[-1].end <= row:
            self._leave()
        name = self.document.names[row]
        if name == "br":
            self._n_breaks += 1
        elif name == "img":
            self._add_image(row)
        elif name in PREFORMATTED:
            self._add_preformatted(row)
        elif BLOCK[self.document.tag[row]]:
            self._enter_block(row, name)
        else:
            self._enter_inline(row, name)

    def add_text(self, node: int) -> None:
        """Add a kept text node."""
        owner = int(self.document.text_owner[node])
        if self._done[0] <= owner < self._done[1]:
            return
        while self._frames[-1].row > owner:
            self._leave()
        frame, text = self._frames[-1], self.document.text[node]
        self._open_leaf(frame, int(self.blocks.block_of[node]))
        if text[0].isspace() or self.blocks.gap[node]:
            self._is_spaced = True
        self._write(frame, " ".join(text.split()))
        self._is_spaced = text[-1].isspace()

    def add_space(self) -> None:
        """Add a space, for white space or a hidden element between two text nodes."""
        self._is_spaced = True

    def _leave(self) -> None:
        if self._frames.pop().block != self._frames[-1].block:
            self._close_leaf()

    def _enter_block(self, row: int, name: str) -> None:
        self._close_leaf()
        above, end = self._frames[-1], int(self.document.end[row])
        container, leaf, nesting = above.container, above.leaf, above.nesting
        if leaf == "p":
            if name in HEADINGS:
                leaf = name
            elif name in _CONTAINERS and nesting < MAX_NESTING and (name != "table" or self.tables[row]):
                opened = self._open_container(above.container, row, _CONTAINERS[name])
                if opened:
                    container, nesting = opened, nesting + 1
        self._frames.append(_Frame(row, end, row, container, leaf, above.inlines, nesting))

    def _open_container(self, above: Node, row: int, name: str) -> Node | None:
        """A new container in `above`, or None if the element may not be there."""
        if name in _PARENTS and above.name not in _PARENTS[name]:
            return None
        node = Node(name)
        for key in ("colspan", "rowspan") if name in ("td", "th") else ("start",) if name == "ol" else ():
            value = (read_attribute(self.document, row, key) or "").strip()[:6]
            if value.isdecimal() and value.isascii() and int(value) != 1:
                node.attributes[key] = str(min(int(value), MAX_SPAN) if key != "start" else int(value))
        place_node(above, node)
        return node

    def _enter_inline(self, row: int, name: str) -> None:
        above, inline = self._frames[-1], None
        if name == "a" and self.options.links:
            href = sanitise_url(read_attribute(self.document, row, "href") or "", self._base)
            inline = Node("a", {"href": href}) if href else None
        elif name in _INLINE:
            inline = Node(_INLINE[name])
        inlines = above.inlines
        if inline and not any(other.name in (inline.name, "code") for _, other in inlines):
            inlines = (*inlines, (row, inline))
        end = int(self.document.end[row])
        self._frames.append(_Frame(row, end, above.block, above.container, above.leaf, inlines, above.nesting))

    def _add_image(self, row: int) -> None:
        source = find_image_source(self.document, row, self._base, self.options.image_attributes)
        if source is None:
            return
        frame = self._frames[-1]
        self._open_leaf(frame, None)
        alt = " ".join((read_attribute(self.document, row, "alt") or "").split())
        self._write(frame, Node("img", {"src": source, "alt": alt}))

    def _add_preformatted(self, row: int) -> None:
        self._close_leaf()
        self._done = (row, int(self.document.end[row]))
        text = render_preformatted(self.document, self.blocks, self.kept, row)
        if text:
            language = find_language(self.document, row)
            place_node(self._frames[-1].container, Node("pre", {"language": language} if language else {}, [text]))

    def _open_leaf(self, frame: _Frame, block: int | None) -> None:
        """Open a new leaf, unless the text belongs to the leaf that is open."""
        if self._leaf is not None and self._leaf_home == frame.block and (block is None or self._leaf_block is None):
            self._leaf_block = self._leaf_block if block is None else block
            return
        if self._leaf is not None and self._leaf_home == frame.block and self._leaf_block == block:
            return
        self._close_leaf()
        self._leaf, self._leaf_block, self._leaf_home = Node(frame.leaf), block, frame.block
        place_node(frame.container, self._leaf)

    def _close_leaf(self) -> None:
        self._leaf, self._opened = None, []
        self._is_spaced, self._n_breaks = False, 0

    def _write(self, frame: _Frame, item: Node | str) -> None:
        """Append to the open leaf, within the inline elements of the frame."""
        if self._leaf is None:
            return
        same = 0
        for (row, _), (wanted, _) in zip(self._opened, frame.inlines, strict=False):
            if row != wanted:
                break
            same += 1
        del self._opened[same:]
        target = self._opened[-1][1] if self._opened else self._leaf
        if self._leaf.children and self._n_breaks:
            target.children.append(Node("br"))
        elif self._leaf.children and self._is_spaced:
            target.children.append(" ")
        self._is_spaced, self._n_breaks = False, 0
        for row, template in frame.inlines[same:]:
            made = Node(template.name, dict(template.attributes))
            target.children.append(made)
            self._opened.append((row, made))
            target = made
        target.children.append(item)


def place_node(container: Node, node: Node) -> None:
    """Append a node to a container, inside the elements that must be between the two (`_FILLERS`)."""
    filler = _FILLERS.get(container.name)
    if filler is None or container.name in _PARENTS.get(node.name, ()):
        container.children.append(node)
        return
    last = container.children[-1] if container.children else None
    if not (isinstance(last, Node) and last.name == filler):
        last = Node(filler)
        container.children.append(last)
    place_node(last, node)
