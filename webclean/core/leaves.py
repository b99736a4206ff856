"""Text and what stands in a line with it -> the leaves of a tree of clean elements: paragraphs, headings, code.

A frame is an element of the page that is open: the element of the tree that gets its leaves, and the inline elements
around its text. A leaf stays open until an element or block begins that its text is not part of; what is written into
it is set into copies of the inline elements that are open.

Keep: what is written last stands last in the tree, so nothing is put before what is there; `opened_rows` and
`opened_nodes` are of the open leaf alone and as long as each other; white space is written once, before the next text
(`is_spaced`). Tested by `tests/core/test_flow.py`, `tests/outputs`.
"""

from __future__ import annotations

from typing import Any

import cython

from webclean.core.page import Page


class _Frame:
    """An open element of the page.

    block: row of the nearest block element. container: the clean element that gets its leaves. leaf: the name of these
    leaves. inlines: the inline elements around its text. nesting: number of containers around it. direction: in which
    its text runs.
    """

    above: Any  # _Frame, None for the page itself
    row: cython.Py_ssize_t
    end: cython.Py_ssize_t
    block: cython.Py_ssize_t
    nesting: cython.Py_ssize_t
    container: Any
    leaf: str
    direction: str
    inlines: tuple
    is_code: cython.bint  # whether one of them is code


class _Inline:
    """An inline element of the page: its row, its name in the tree, its attributes. home: the first leaf with text that
    a link is in."""

    row: cython.Py_ssize_t
    name: str
    attributes: dict
    home: object


class _Tree:
    """What is read, and what is open.

    found: `outputs.flow.builder.Found`. done_row, done_end: rows that were added as a whole. leaf_home: block
    element of the open leaf; leaf_block: its text block, -1 for none. opened_rows, opened_nodes: inline elements that
    are open in it.
    """

    page: Page
    kinds: dict
    containers: dict
    inlines: dict
    parents: dict
    fillers: dict
    numbered: dict
    headings: frozenset
    paragraphs: frozenset
    max_nesting: cython.Py_ssize_t
    is_plain: cython.bint

    found: Any
    note_texts: dict
    renamed: dict
    special: set
    lined: set
    directions: dict
    direction: str
    tables: cython.const[cython.uchar][::1]
    spanned: set
    make: Any

    top: _Frame
    done_row: cython.Py_ssize_t
    done_end: cython.Py_ssize_t
    leaf: Any
    leaf_home: cython.Py_ssize_t
    leaf_block: cython.Py_ssize_t
    opened_rows: list
    opened_nodes: list
    is_spaced: cython.bint
    n_breaks: cython.Py_ssize_t
    has_gap: cython.bint  # whether one of the breaks is an empty line

    @cython.cfunc
    def add_node(self, name: str, attributes: dict, children: list) -> Any:
        """A new node of no row."""
        return self.make(name, attributes, children, False, -1)

    def is_done(self, row: cython.Py_ssize_t) -> cython.bint:
        """Whether an element was added as a whole, with what is around it."""
        return self.done_row <= row < self.done_end


@cython.cfunc
def open_frame(tree: _Tree, row: cython.Py_ssize_t) -> _Frame:
    """Open the element of a row: what is around it holds in it, too."""
    above: _Frame = tree.top
    frame: _Frame = _Frame()
    frame.above, frame.row, frame.end, frame.block = above, row, tree.page.end[row], above.block
    frame.container, frame.leaf, frame.inlines = above.container, above.leaf, above.inlines
    frame.is_code, frame.nesting, frame.direction = above.is_code, above.nesting, above.direction
    tree.top = frame
    return frame


@cython.ccall
def may_hold_formula(text: str) -> cython.bint:
    """Whether a text has the signs of some delimiter."""
    # a single dollar is a price, a single backquote an apostrophe
    if "\\" in text and ("\\(" in text or "\\[" in text or "\\begin{" in text):
        return True
    # most texts have none, and finding is quicker than counting
    return ("$" in text and text.count("$") > 1) or ("`" in text and text.count("`") > 1) or "[/" in text


def list_formulaic(texts: list[str]) -> list[int]:
    """The numbers of the texts that may hold a formula; they are few."""
    return [i for i in range(len(texts)) if may_hold_formula(texts[i])]


def _add_text(tree: _Tree, node: cython.Py_ssize_t) -> None:
    """Add a kept text node."""
    owner: cython.Py_ssize_t = tree.page.text_owner[node]
    if tree.is_done(owner):
        return
    frame: _Frame = _find_frame(tree, owner)
    text: str = tree.page.texts[node]
    # the writers put the label there themselves
    if tree.note_texts and frame.container.name == "note" and not frame.container.children:
        text = tree.found.drop_label(text, frame.container.attributes["label"])
        if not text:
            return
    block: cython.Py_ssize_t = tree.page.block_of[node]
    is_spaced: cython.bint = tree.is_spaced or text[0].isspace() or tree.page.gap[node]
    # `$HOME` and `$PATH` in code are no formula
    if frame.is_code or not (may_hold_formula(text) or (tree.lined and node in tree.lined)):
        _open_leaf(tree, frame, block)
        tree.is_spaced = is_spaced
        _write(tree, frame, " ".join(text.split()))
        # the text was trimmed: what stood at its end is told to whoever writes next
        tree.is_spaced = text[len(text) - 1].isspace()
        return
    for piece in tree.found.split_text(node):
        if type(piece) is not str:
            if piece.name == "br":
                _break_line(tree, piece)
            else:
                _place_formula(tree, frame, piece, block, is_spaced)
            is_spaced = False
            continue
        text = piece
        words: str = " ".join(text.split())
        if words:
            _open_leaf(tree, frame, block)
            tree.is_spaced = is_spaced or tree.is_spaced or text[0].isspace()
            _write(tree, frame, words)
        is_spaced = len(text) > 0 and text[len(text) - 1].isspace()
    tree.is_spaced = is_spaced


def _break_line(tree: _Tree, piece: Any) -> None:
    """End a line whose end is white space that is kept, as an empty line is."""
    tree.n_breaks += 1
    tree.has_gap = tree.has_gap or "gap" in piece.attributes


def _add_space(tree: _Tree, node: cython.Py_ssize_t) -> None:
    """Add a space, for a text node of white space or of a hidden element between two others."""
    if not tree.is_done(tree.page.text_owner[node]):
        tree.is_spaced = True
        if tree.lined and node in tree.lined:
            for piece in tree.found.split_text(node):
                if type(piece) is not str:
                    _break_line(tree, piece)


def _add_block(tree: _Tree, block: cython.Py_ssize_t) -> None:
    """Add the text of a whole kept block as a leaf of its own."""
    row: cython.Py_ssize_t = tree.page.row[block]
    if tree.is_done(row):
        return
    frame: _Frame = tree.top
    # most blocks stand right in the element that is open
    if frame.row > row or frame.end <= row:
        frame = _find_frame(tree, row)
    if tree.leaf is not None:
        _close_leaf(tree)
    _start_leaf(tree, frame, row, [tree.page.block_texts[block]], _find_start(tree, block))


def _add_blocks(tree: _Tree, blocks: list) -> None:
    """Add whole kept blocks that follow each other; those outside all containers as one leaf, for plain text."""
    texts: list
    for at in range(len(blocks)):
        block: cython.Py_ssize_t = blocks[at]
        if tree.is_plain and len(blocks) > 1:
            row: cython.Py_ssize_t = tree.page.row[block]
            if tree.is_done(row):
                continue
            frame: _Frame = _find_frame(tree, row)
            # the rest of the run is outside of all containers too, for no element stands between
            if frame.above is None:
                _close_leaf(tree)
                texts = []
                for other in blocks[at:]:
                    if not tree.is_done(tree.page.row[cython.cast(cython.Py_ssize_t, other)]):
                        texts.append(tree.page.block_texts[other])
                _start_leaf(tree, frame, row, ["\n\n".join(texts)], _find_start(tree, block))
                return
        _add_block(tree, block)


def _find_frame(tree: _Tree, row: cython.Py_ssize_t) -> _Frame:
    """The innermost open element around a row, once those that ended before it are left."""
    while tree.top.row > row or tree.top.end <= row:
        _leave(tree)
    return tree.top


def _leave(tree: _Tree) -> None:
    left: _Frame = tree.top
    tree.top = left.above
    # the end of an inline element leaves the line as it is
    if left.block != tree.top.block:
        _close_leaf(tree)


def _place_node(tree: _Tree, container: Any, node: Any, name: str) -> cython.bint:
    """Append a node to a container, inside the elements that must be between the two (`fillers`)."""
    filler: Any = tree.fillers.get(container.name)
    children: list = container.children
    # `ul > p` becomes `ul > li > p`, a second one joins the item that was made for the first
    if filler is None or container.name in tree.parents.get(name, ()) or (name == "note" and filler == "li"):
        children.append(node)
        return True
    last: Any = children[len(children) - 1] if children else None
    if last is None or type(last) is str or last.name != filler:
        last = tree.add_node(filler, {}, [])
        children.append(last)
    return _place_node(tree, last, node, name)


def _place_image(tree: _Tree, attributes: dict) -> None:
    _open_leaf(tree, tree.top, -1)
    _write(tree, tree.top, tree.add_node("img", attributes, []))


def _place_formula(tree: _Tree, frame: _Frame, node: Any, block: cython.Py_ssize_t, is_spaced: cython.bint) -> None:
    """Write a formula into the open leaf; one on a line of its own gets a leaf of its own."""
    # within a heading it stays in the line, for a heading cannot be divided
    if frame.leaf == "p" and node.attributes.get("display") == "block":
        _close_leaf(tree)
        _place_node(tree, frame.container, tree.make("p", {}, [node], False, frame.row), "p")
        return
    _open_leaf(tree, frame, block)
    tree.is_spaced = is_spaced
    _write(tree, frame, node)


def _add_note_link(tree: _Tree, row: cython.Py_ssize_t) -> None:
    tree.done_row, tree.done_end = row, tree.found.notes.ends.get(row, tree.page.end[row])
    label: str = tree.found.notes.links[row]
    _open_leaf(tree, tree.top, -1)
    _write(tree, tree.top, tree.add_node("noteref", {"label": label}, [f"[{label}]"]))


def _add_preformatted(tree: _Tree, row: cython.Py_ssize_t) -> None:
    """Add preformatted text; a further line of code, where a tool has an element for each, to that before it."""
    _close_leaf(tree)
    # no row between the two: nothing else stands between these lines
    follows: cython.bint = tree.done_end == row
    tree.done_row, tree.done_end = row, tree.page.end[row]
    text: str = tree.found.read_preformatted(row)
    if not text:
        return
    container: Any = tree.top.container
    children: list = container.children
    last: Any = children[len(children) - 1] if children else None
    if (
        follows
        and last is not None
        and type(last) is not str
        and last.name == "pre"
        and tree.found.is_line_of_code(row)
    ):
        last.children[:] = [f"{last.children[0]}\n{text}"]
        return
    language: str = tree.found.find_language(row)
    attributes: dict = {"language": language} if language else {}
    # code runs from left to right on every page
    if tree.top.direction == "rtl":
        attributes["dir"] = "ltr"
    _place_node(tree, container, tree.make("pre", attributes, [text], False, row), "pre")


def _open_leaf(tree: _Tree, frame: _Frame, block: cython.Py_ssize_t) -> None:
    """Open a new leaf, unless the text belongs to the leaf that is open. block: of the text, -1 for an image or other
    thing of no block, which may stand in any leaf of its block element."""
    if tree.leaf is not None and tree.leaf_home == frame.block:
        # an image before the first text of a paragraph opened the leaf; the text makes it its own
        if block == -1 or tree.leaf_block == -1:
            tree.leaf_block = tree.leaf_block if block == -1 else block
            return
        if tree.leaf_block == block:
            return
    _close_leaf(tree)
    start: cython.Py_ssize_t = frame.row if block == -1 else _find_start(tree, block)
    tree.leaf = _start_leaf(tree, frame, frame.block, [], start)
    tree.leaf_block, tree.leaf_home = block, frame.block


@cython.inline
def _find_start(tree: _Tree, block: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Row of the element in which the text of a block begins."""
    return tree.page.text_owner[tree.page.first[block]]


def _start_leaf(
    tree: _Tree, frame: _Frame, block_row: cython.Py_ssize_t, children: list, start: cython.Py_ssize_t
) -> Any:
    """A new leaf for text of the block element of a row (-1 if none is open). start: `Node.row` of the leaf."""
    is_line: cython.bint = block_row >= 0 and tree.page.names[block_row] not in tree.paragraphs
    # only where it differs from that of the page, which the root states
    attributes: dict = {} if frame.direction == tree.direction else {"dir": frame.direction}
    leaf: Any = tree.make(frame.leaf, attributes, children, is_line, start)
    _place_node(tree, frame.container, leaf, frame.leaf)
    return leaf


def _close_leaf(tree: _Tree) -> None:
    tree.leaf = None
    if tree.opened_rows:
        tree.opened_rows, tree.opened_nodes = [], []
    tree.is_spaced = tree.has_gap = False
    tree.n_breaks = 0


def _may_link(tree: _Tree, inline: _Inline, item: Any) -> cython.bint:
    """Whether a link around several leaves is set in this one: in the first with text, in headings, and around images.
    That of a card, around its picture, title and teaser, would otherwise be written with each."""
    if type(item) is not str and item.name == "img":
        return True
    if inline.home is None:
        inline.home = tree.leaf
    return inline.home is tree.leaf or tree.leaf.name in tree.headings


def _write(tree: _Tree, frame: _Frame, item: Any) -> None:
    """Append to the open leaf, within the inline elements of the frame."""
    if tree.leaf is None:
        return
    n_open: cython.Py_ssize_t = len(tree.opened_rows)
    n_wanted: cython.Py_ssize_t = len(frame.inlines)
    same: cython.Py_ssize_t = 0
    # inline elements that are open and still wanted stay: `<b>a <i>b</i> c</b>` is one `b`
    while same < n_open and same < n_wanted:
        inline: _Inline = frame.inlines[same]
        if tree.opened_rows[same] != inline.row:
            break
        same += 1
    del tree.opened_rows[same:]
    del tree.opened_nodes[same:]
    target: list = tree.leaf.children
    is_begun: cython.bint = len(target) > 0
    if same:
        target = tree.opened_nodes[same - 1].children
    # a break or a space before the first text of a leaf shows nothing
    if is_begun and tree.n_breaks:
        target.append(tree.add_node("br", {}, []))
        if tree.has_gap:
            target.append(tree.add_node("br", {}, []))
    elif is_begun and tree.is_spaced:
        target.append(" ")
    tree.is_spaced = tree.has_gap = False
    tree.n_breaks = 0
    for k in range(same, n_wanted):
        inline = frame.inlines[k]
        if inline.name == "a" and not _may_link(tree, inline, item):
            # the following text goes where the link would stand
            # has the same list of children as what is around it
            made = tree.add_node("", {}, target)
        else:
            # attributes are copied: an element that goes on in the next paragraph is a node of its own there
            made = tree.add_node(inline.name, dict(inline.attributes), [])
            target.append(made)
        tree.opened_rows.append(inline.row)
        tree.opened_nodes.append(made)
        target = made.children
    target.append(item)
