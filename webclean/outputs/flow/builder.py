"""Elements and text nodes, one after the other in document order -> a tree of clean elements."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.delimiters import may_hold_formula, split_formulas
from webclean.outputs.flow.media import make_media
from webclean.outputs.flow.nodes import HEADINGS, Node, TreeOptions
from webclean.outputs.flow.sanitise import find_image, find_image_in, sanitise_url
from webclean.outputs.flow.structures import Found
from webclean.outputs.flow.tools import find_language, holds_line_numbers, render_preformatted
from webclean.parse import find_attribute, read_attribute
from webclean.parse.base import find_base
from webclean.parse.controls import clean_line
from webclean.parse.tags import BLOCK, CODE

MAX_NESTING: Final = 40
"""Containers nested deeper than this are replaced by their content, because the renderers recurse."""
MAX_SPAN: Final = 1000
"""Maximum number of columns or rows that a cell may span (HTML 4.9.11 allows 1000 columns)."""
PREFORMATTED: Final = frozenset(("pre", "listing", "xmp", "plaintext"))

CONTAINERS: Final = {
    **{name: name for name in ("ul", "ol", "li", "dl", "dt", "dd", "blockquote", "figure", "figcaption")},
    **{name: name for name in ("details", "summary", "table", "caption", "tr", "td", "th")},
    "menu": "ul",
    "dir": "ul",
}
INLINES: Final = {
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("code", "tt", "samp"), "code"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **{name: name for name in ("sub", "sup", "mark", "ins", "kbd", "ruby", "rt", "rp")},
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
_SPANS: Final = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
"""Container -> its attributes that are numbers."""
_NUMBERS: Final = ("colspan", "rowspan", "start")
_BLOCKS: Final = frozenset(name for name, code in CODE.items() if BLOCK[code])
_PARAGRAPHS: Final = HEADINGS | {"p", "blockquote"}


class _Frame(msgspec.Struct, frozen=True, eq=False):
    """An open element of the page.

    block: row of the nearest block element. container: the clean element that gets its leaves. leaf: the name of these
    leaves. inlines: (row, element) of the inline elements around its text. nesting: number of containers around it.
    direction: in which its text runs.
    """

    row: int
    end: int
    block: int
    container: Node
    leaf: str = "p"
    inlines: tuple[tuple[int, Node], ...] = ()
    nesting: int = 0
    direction: str = "ltr"


class Builder:
    """Builds the tree under `root`. Call its methods for the elements and text nodes in document order."""

    def __init__(self, document: Document, blocks: TextBlocks, kept: Mask, options: TreeOptions, found: Found) -> None:
        self.document, self.blocks, self.kept, self.options, self.found = document, blocks, kept, options, found
        self.root = Node("", {"dir": "rtl"} if found.direction == "rtl" else {})
        self._names, self._direction = document.names, found.direction
        self._base = find_base(document)
        self._frames = [_Frame(-1, len(document) + 1, -1, self.root, direction=found.direction)]
        notes = found.notes
        self._spanned = {row for key in _NUMBERS for row in find_attribute(document, key)}
        self.special = {*found.formulas, *notes.back, *notes.links, *notes.texts, *found.names}
        self._starts: list[int] = document.text_owner[blocks.first].tolist()
        self._rows: list[int] = blocks.row.tolist()
        self._done = (-1, -1)
        self._last_image = -1
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
        name = self._names[row]
        if row in self.special:
            self._enter_special(row)
        elif name in _VOID:
            _VOID[name](self, row)
        elif name in PREFORMATTED:
            self._add_preformatted(row)
        elif name in _BLOCKS:
            self._enter_block(row, name)
        else:
            self._enter_inline(row, name)

    def _enter_special(self, row: int) -> None:
        """Add an element that was found to be a formula, part of a footnote, or another element than its name says."""
        found = self.found
        if row in found.formulas:
            self._add_formula(row)
        elif row in found.notes.back:
            self._done = (row, self.document.end.item(row))
        elif row in found.notes.links:
            self._add_note_link(row)
        elif self.document.names[row] in PREFORMATTED:
            self._add_preformatted(row)
        else:
            self._enter_block(row, found.names.get(row, self.document.names[row]))

    def add_text(self, node: int) -> None:
        """Add a kept text node."""
        owner = self.document.text_owner.item(node)
        if self._done[0] <= owner < self._done[1]:
            return
        frame, text = self._find_frame(owner), self.document.text[node]
        if frame.container.name == "note" and not frame.container.children:
            text = _drop_label(text, frame.container.attributes["label"])
            if not text:
                return
        block = self.blocks.block_of.item(node)
        is_code = bool(frame.inlines) and any(inline.name == "code" for _, inline in frame.inlines)
        is_spaced = self._is_spaced or text[0].isspace() or self.blocks.gap.item(node)
        if is_code or not may_hold_formula(text):
            self._open_leaf(frame, block)
            self._is_spaced = is_spaced
            self._write(frame, " ".join(text.split()))
            self._is_spaced = text[-1].isspace()
            return
        for piece in split_formulas(self.document, node, self.found.delimiters):
            if isinstance(piece, Node):
                self._place_formula(frame, piece, block, is_spaced=is_spaced)
                is_spaced = False
                continue
            words = " ".join(piece.split())
            if words:
                self._open_leaf(frame, block)
                self._is_spaced = is_spaced or self._is_spaced or piece[0].isspace()
                self._write(frame, words)
            is_spaced = piece[-1].isspace()
        self._is_spaced = is_spaced

    def add_space(self, node: int) -> None:
        """Add a space, for a text node of white space or of a hidden element between two others."""
        if not self._done[0] <= self.document.text_owner.item(node) < self._done[1]:
            self._is_spaced = True

    def add_block(self, block: int) -> None:
        """Add the text of a whole kept block as a leaf of its own."""
        row = self._rows[block]
        if self._done[0] <= row < self._done[1]:
            return
        frame = self._frames[-1]
        if frame.row > row or frame.end <= row:
            frame = self._find_frame(row)
        if self._leaf is not None:
            self._close_leaf()
        self._start_leaf(frame, row, [self.blocks.text[block]], self._find_start(block))

    def add_blocks(self, blocks: list[int]) -> None:
        """Add whole kept blocks that follow each other; those outside all containers as one leaf, for plain text."""
        if len(blocks) == 1 or not self.options.plain:
            for block in blocks:
                self.add_block(block)
            return
        rows = [self._rows[block] for block in blocks]
        shown = [at for at, row in enumerate(rows) if not self._done[0] <= row < self._done[1]]
        for place, at in enumerate(shown):
            frame = self._find_frame(rows[at])
            if frame is self._frames[0]:
                self._close_leaf()
                text = "\n\n".join([self.blocks.text[blocks[other]] for other in shown[place:]])
                self._start_leaf(frame, rows[at], [text], self._find_start(blocks[at]))
                return
            self.add_block(blocks[at])

    def enter_with(self, row: int, block: int) -> None:
        """Add a list item, cell or the like, of which one whole kept block is all that is shown."""
        if row < self._done[1]:
            return
        while self._frames[-1].end <= row:
            self._leave()
        name, above, opened = self._names[row], self._frames[-1], None
        if row not in self.special and above.leaf == "p" and above.nesting < MAX_NESTING:
            self._close_leaf()
            is_item = name == "li" and above.container.name == "note"
            opened = None if is_item else self._open_container(above.container, row, CONTAINERS[name])
        if opened is None:
            self.enter(row)
            self.add_block(block)
            return
        opened.children.append(self.blocks.text[block])
        opened.row = self._find_start(block)

    def _find_frame(self, row: int) -> _Frame:
        """The innermost open element around a row, once those that ended before it are left."""
        frames = self._frames
        while frames[-1].row > row or frames[-1].end <= row:
            self._leave()
        return frames[-1]

    def _leave(self) -> None:
        if self._frames.pop().block != self._frames[-1].block:
            self._close_leaf()

    def _enter_block(self, row: int, name: str) -> None:
        self._close_leaf()
        above, end = self._frames[-1], self.document.end.item(row)
        container, leaf, nesting = above.container, above.leaf, above.nesting
        direction = self.found.directions.get(row, above.direction)
        if leaf == "p":
            if row in self.found.notes.texts and nesting < MAX_NESTING:
                container = Node("note", {"label": self.found.notes.texts[row]})
                place_node(above.container, container)
                nesting += 1
            if name in HEADINGS:
                leaf = name
            elif name == "li" and container.name == "note":
                pass
            elif name in CONTAINERS and nesting < MAX_NESTING and (name != "table" or self._is_table(row)):
                opened = self._open_container(container, row, CONTAINERS[name])
                if opened:
                    container, nesting = opened, nesting + 1
                    if direction != above.direction:
                        opened.attributes["dir"] = direction
        self._frames.append(_Frame(row, end, row, container, leaf, above.inlines, nesting, direction))

    def _is_table(self, row: int) -> bool:
        return self.found.tables.item(row) or row in self.found.names

    def _open_container(self, above: Node, row: int, name: str) -> Node | None:
        """A new container in `above`, or None if the element may not be there."""
        if name in _PARENTS and above.name not in _PARENTS[name]:
            return None
        node = Node(name)
        for key in _SPANS.get(name, ()) if row in self._spanned else ():
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
        elif name == "abbr" and (title := clean_line(read_attribute(self.document, row, "title"))):
            inline = Node("abbr", {"title": title})
        elif name in INLINES and row not in self.found.notes.raised:
            inline = Node(INLINES[name])
        inlines = above.inlines
        if inline and not any(other.name in (inline.name, "code") for _, other in inlines):
            inlines = (*inlines, (row, inline))
        end = self.document.end.item(row)
        self._frames.append(
            _Frame(row, end, above.block, above.container, above.leaf, inlines, above.nesting, above.direction)
        )

    def _add_break(self, _: int) -> None:
        self._n_breaks += 1

    def _add_rule(self, row: int) -> None:
        self._close_leaf()
        place_node(self._frames[-1].container, Node("hr", row=row))

    def _add_checkbox(self, row: int) -> None:
        """Mark the item of a task list: the box is the first thing in it."""
        item = self._frames[-1].container
        if item.name == "li" and not item.children and self._leaf is None:
            item.attributes["task"] = "done" if read_attribute(self.document, row, "checked") is not None else "open"

    def _add_image(self, row: int) -> None:
        source = find_image(self.document, row, self._base, self.options.image_attributes)
        if source:
            self._last_image = row
            self._place_image(source, read_attribute(self.document, row, "alt") or "")

    def _add_hidden_image(self, row: int) -> None:
        """Add the image of a `noscript`, unless an image just before it is the same one for scripts."""
        if self._last_image < self.document.parent.item(row):
            source, alt = find_image_in(self.document.fallback[row], self._base, self.options.image_attributes)
            if source:
                self._place_image(source, alt)

    def _place_image(self, source: str, alt: str) -> None:
        frame = self._frames[-1]
        self._open_leaf(frame, None)
        self._write(frame, Node("img", {"src": source, "alt": clean_line(alt)}))

    def _add_media(self, row: int) -> None:
        self._done = (row, self.document.end.item(row))
        made = make_media(self.document, row, self._base, with_poster=self.options.images)
        if made:
            frame = self._frames[-1]
            self._close_leaf()
            place_node(frame.container, Node("p", {}, [made], row=row))

    def _add_formula(self, row: int) -> None:
        formula, frame = self.found.formulas[row], self._frames[-1]
        self._done = (row, formula.end)
        self._place_formula(frame, formula.make_node(), None, is_spaced=self._is_spaced)

    def _place_formula(self, frame: _Frame, node: Node, block: int | None, *, is_spaced: bool) -> None:
        """Write a formula into the open leaf; one on a line of its own gets a leaf of its own."""
        if node.attributes.get("display") == "block" and frame.leaf == "p":
            self._close_leaf()
            place_node(frame.container, Node("p", {}, [node], row=frame.row))
            return
        self._open_leaf(frame, block)
        self._is_spaced = is_spaced
        self._write(frame, node)

    def _add_note_link(self, row: int) -> None:
        self._done = (row, self.document.end.item(row))
        frame, label = self._frames[-1], self.found.notes.links[row]
        self._open_leaf(frame, None)
        self._write(frame, Node("noteref", {"label": label}, [f"[{label}]"]))

    def _add_preformatted(self, row: int) -> None:
        self._close_leaf()
        follows, self._done = self._done[1] == row, (row, self.document.end.item(row))
        text = render_preformatted(self.document, self.blocks, self.kept, row, self.found.conventions.line_number)
        if not text or holds_line_numbers(self.document, row, text, self.found.conventions.line_number):
            return
        container = self._frames[-1].container
        last = container.children[-1] if container.children else None
        if follows and isinstance(last, Node) and last.name == "pre" and self._is_line_of_code(row):
            last.children[:] = [f"{last.children[0]}\n{text}"]
            return
        language = find_language(self.document, row, self.found.conventions) if self.options.marks else ""
        attributes = {"language": language} if language else {}
        if self._frames[-1].direction == "rtl":
            attributes["dir"] = "ltr"
        place_node(container, Node("pre", attributes, [text], row=row))

    def _is_line_of_code(self, row: int) -> bool:
        return bool(self.found.conventions.code_line.search(read_attribute(self.document, row, "class") or ""))

    def _open_leaf(self, frame: _Frame, block: int | None) -> None:
        """Open a new leaf, unless the text belongs to the leaf that is open."""
        if self._leaf is not None and self._leaf_home == frame.block and (block is None or self._leaf_block is None):
            self._leaf_block = self._leaf_block if block is None else block
            return
        if self._leaf is not None and self._leaf_home == frame.block and self._leaf_block == block:
            return
        self._close_leaf()
        start = frame.row if block is None else self._find_start(block)
        self._leaf, self._leaf_block, self._leaf_home = (
            self._start_leaf(frame, frame.block, [], start),
            block,
            frame.block,
        )

    def _find_start(self, block: int) -> int:
        """Row of the element in which the text of a block begins."""
        return self._starts[block]

    def _start_leaf(self, frame: _Frame, block_row: int, children: list[Node | str], start: int) -> Node:
        """A new leaf for text of the block element of a row (-1 if none is open). start: `Node.row` of the leaf."""
        is_line = block_row >= 0 and self._names[block_row] not in _PARAGRAPHS
        attributes = {"dir": frame.direction} if frame.direction != self._direction else {}
        leaf = Node(frame.leaf, attributes, children, is_line, start)
        place_node(frame.container, leaf)
        return leaf

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


def _drop_label(text: str, label: str) -> str:
    """The first text of a footnote without the label that it begins with: `[1] Town accounts` -> `Town accounts`."""
    sign = re.escape(label)
    found = re.match(rf"\s*(?:\[{sign}\]|\({sign}\)|{sign}[.):](?=\s|$))\s*", text)
    return text[found.end() :] if found else text


_VOID: Final = {
    "br": Builder._add_break,
    "hr": Builder._add_rule,
    "img": Builder._add_image,
    "input": Builder._add_checkbox,
    "noscript": Builder._add_hidden_image,
    **dict.fromkeys(("iframe", "video", "audio", "object", "embed"), Builder._add_media),
}
"""Elements that are added as a whole."""


def place_node(container: Node, node: Node) -> None:
    """Append a node to a container, inside the elements that must be between the two (`_FILLERS`)."""
    filler = _FILLERS.get(container.name)
    if filler is None or container.name in _PARENTS.get(node.name, ()) or (node.name == "note" and filler == "li"):
        container.children.append(node)
        return
    last = container.children[-1] if container.children else None
    if not (isinstance(last, Node) and last.name == filler):
        last = Node(filler)
        container.children.append(last)
    place_node(last, node)
