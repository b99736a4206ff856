"""Elements and text nodes of a page, one after the other in document order -> a tree of clean elements.

    plan     ul   li   block 7   li   text 12   a   text 13
    tree     ul [ li [ "Ann and Bob" ], li [ "by ", a [ "Carl" ] ] ]

`core.flow` lists what is shown; here it is set into the tree, text by `core.leaves`. What an element is called in the
tree, which parents it needs and which element stands between two others is given (`SHAPES` of `outputs.flow.builder`),
and so is who reads what stands at a row: the address of a link, the source of an image, preformatted text (`Found`).

What was built is tidied: empty containers go, lone paragraphs are unwrapped; and counted against the limit of output.

Enters: the plan of `core.flow`, what was found in the page (`outputs.flow.builder`), shapes of elements. Leaves: the
root node. Keep: rows and nodes come in document order, and `tree.top` is the innermost open element at any time;
nothing calls itself by depth, for a page may be nested 10,000 deep; the text of the tree is that of the kept blocks,
once. Tested by `tests/core/test_flow.py` and `tests/outputs/test_properties.py`.
"""

from __future__ import annotations

from typing import Any

import cython

from webclean.core.leaves import (
    _add_block,
    _add_blocks,
    _add_note_link,
    _add_preformatted,
    _add_space,
    _add_text,
    _close_leaf,
    _find_start,
    _Frame,
    _Inline,
    _leave,
    _place_formula,
    _place_image,
    _place_node,
    _Tree,
    open_frame,
)
from webclean.core.page import Page


def build_tree(
    page: Page,
    plan: tuple[Any, ...],
    shapes: tuple[Any, ...],
    found: Any,
    numbered: set[int],
    make: Any,
    *,
    is_plain: bool,
) -> Any:
    """The root of the tree.

    Args:
        page: with blocks.
        plan: of `plan_visit`.
        shapes: `SHAPES` of `outputs.flow.builder`.
        found: `Found` of `outputs.flow.builder`.
        numbered: rows with attributes that are numbers.
        make: makes a node of name, attributes, children, whether it is a line, row.
        is_plain: for plain text alone, in which paragraphs that follow each other are one leaf.
    """
    tree: _Tree = _Tree()
    tree.page, tree.make, tree.is_plain = page, make, is_plain
    tree.kinds, tree.containers, tree.inlines, tree.parents, tree.fillers, tree.numbered = shapes[:6]
    tree.headings, tree.paragraphs, tree.max_nesting = shapes[6:]
    tree.found, tree.special, tree.renamed, tree.tables = found, found.special, found.names, found.tables
    tree.lined = found.lined
    tree.note_texts, tree.directions, tree.direction = found.notes.texts, found.directions, found.direction
    tree.spanned = numbered
    # -1: before the first row
    tree.done_row = tree.done_end = tree.leaf_home = tree.leaf_block = -1
    tree.opened_rows, tree.opened_nodes = [], []
    root: Any = make("", {"dir": "rtl"} if tree.direction == "rtl" else {}, [], False, -1)
    top: _Frame = _Frame()
    top.row, top.end, top.block, top.container = -1, page.n_elements + 1, -1, root
    top.leaf, top.inlines, top.direction = "p", (), tree.direction
    tree.top = top
    _follow_plan(tree, plan)
    return root


def _follow_plan(tree: _Tree, plan: tuple) -> None:
    """Add elements and text nodes in document order; whole blocks without an element between them together."""
    rows: list
    lone: list
    nodes: list
    after: list
    blocks: list
    is_whole: list
    rows, lone, nodes, after, blocks, is_whole = plan
    n_rows: cython.Py_ssize_t = len(rows)
    n_nodes: cython.Py_ssize_t = len(nodes)
    n: cython.Py_ssize_t = tree.page.n_elements
    at: cython.Py_ssize_t = 0
    run: list = []
    for k in range(n_rows + 1):
        row: cython.Py_ssize_t = rows[k] if k < n_rows else n
        # texts before which as many elements start as the plan has come to
        while at < n_nodes and cython.cast(cython.Py_ssize_t, after[at]) <= row:
            if is_whole[at]:
                # collected up to the next element that makes a structure: for plain text they become one leaf
                run.append(blocks[at])
            else:
                if run:
                    _add_blocks(tree, run)
                    run = []
                block: cython.Py_ssize_t = blocks[at]
                if block < 0:
                    _add_space(tree, nodes[at])
                else:
                    _add_text(tree, nodes[at])
            at += 1
        if run:
            _add_blocks(tree, run)
            run = []
        if k == n_rows:
            return
        block = lone[k]
        if block >= 0:
            # its text comes with it, so the text node after it is passed over
            _enter_with(tree, row, block)
            at += 1
        else:
            _enter(tree, row)


def _enter(tree: _Tree, row: cython.Py_ssize_t) -> None:
    """Add the element of a row."""
    if row < tree.done_end:
        return
    # rows inside one that was added as a whole (a formula, a `pre`) are passed over above; all that ended is left here
    while tree.top.end <= row:
        _leave(tree)
    name: str = tree.page.names[row]
    kind: str = tree.kinds.get(name, "")
    if tree.special and row in tree.special:
        _enter_special(tree, row, name, kind)
    elif kind == "block":
        _enter_block(tree, row, name)
    elif kind == "":
        _enter_inline(tree, row, name)
    elif kind == "break":
        # written only before a next text in the same leaf (`_write`): one at the end of a paragraph shows nothing
        tree.n_breaks += 1
    elif kind == "preformatted":
        _add_preformatted(tree, row)
    elif kind == "image":
        _add_image(tree, row)
    elif kind == "media":
        _add_media(tree, row)
    elif kind == "rule":
        # a rule is between two paragraphs, wherever it stands in them
        _close_leaf(tree)
        _place_node(tree, tree.top.container, tree.make("hr", {}, [], False, row), "hr")
    else:
        _add_checkbox(tree, row)


def _enter_special(tree: _Tree, row: cython.Py_ssize_t, name: str, kind: str) -> None:
    """Add an element that was found to be a formula, part of a footnote, or another element than its name says."""
    if row in tree.found.formulas:
        formula = tree.found.formulas[row]
        tree.done_row, tree.done_end = row, formula.end
        _place_formula(tree, tree.top, formula.make_node(), -1, tree.is_spaced)
    elif row in tree.found.left_out:
        tree.done_row, tree.done_end = row, tree.page.end[row]
    elif row in tree.found.notes.links:
        _add_note_link(tree, row)
    elif tree.renamed.get(row) == "img":
        _add_image(tree, row)
    elif kind == "preformatted" or tree.renamed.get(row) == "pre":
        _add_preformatted(tree, row)
    else:
        _enter_block(tree, row, tree.renamed.get(row, name))


def _enter_with(tree: _Tree, row: cython.Py_ssize_t, block: cython.Py_ssize_t) -> None:
    """Add a list item, cell or the like, of which one whole kept block is all that is shown."""
    if row < tree.done_end:
        return
    while tree.top.end <= row:
        _leave(tree)
    name: str = tree.page.names[row]
    above: _Frame = tree.top
    opened: Any = None
    # inside a heading, or too deep, there are no containers
    if row not in tree.special and above.leaf == "p" and above.nesting < tree.max_nesting:
        _close_leaf(tree)
        if name != "li" or above.container.name != "note":
            opened = _open_container(tree, above.container, row, tree.containers[name])
    if opened is None:
        _enter(tree, row)
        _add_block(tree, block)
        return
    opened.children.append(tree.page.block_texts[block])
    opened.row = _find_start(tree, block)


def _enter_block(tree: _Tree, row: cython.Py_ssize_t, name: str) -> None:
    _close_leaf(tree)
    above: _Frame = tree.top
    frame: _Frame = open_frame(tree, row)
    frame.block = row
    if tree.directions:
        frame.direction = tree.directions.get(row, above.direction)
    # in a heading nothing opens: it is one line, whatever blocks a template sets into it
    if above.leaf != "p":
        return
    if tree.note_texts and row in tree.note_texts and frame.nesting < tree.max_nesting:
        frame.container = tree.add_node("note", {"label": tree.note_texts[row]}, [])
        _place_node(tree, above.container, frame.container, "note")
        frame.nesting += 1
    if name in tree.headings:
        frame.leaf = name
    elif (
        name in tree.containers
        # deeper elements give their text to this one, so that who reads the tree by recursion is safe
        and frame.nesting < tree.max_nesting
        # the `li` of a list of notes is the note itself
        and not (name == "li" and frame.container.name == "note")
        # tables that lay out the page are passed over: their cells become paragraphs
        and (name != "table" or tree.tables[row] or row in tree.renamed)
    ):
        opened: Any = _open_container(tree, frame.container, row, tree.containers[name])
        if opened is not None:
            frame.container = opened
            frame.nesting += 1
            if frame.direction != above.direction:
                opened.attributes["dir"] = frame.direction


def _open_container(tree: _Tree, above: Any, row: cython.Py_ssize_t, name: str) -> Any:
    """A new container in `above`, or None if the element may not be there."""
    # a `td` outside of a row, an `li` outside of a list: its text stays, in a paragraph
    if name in tree.parents and above.name not in tree.parents[name]:
        return None
    is_numbered: cython.bint = name in tree.numbered and row in tree.spanned
    node: Any = tree.add_node(name, tree.found.read_numbers(row, tree.numbered[name]) if is_numbered else {}, [])
    _place_node(tree, above, node, name)
    return node


def _enter_inline(tree: _Tree, row: cython.Py_ssize_t, name: str) -> None:
    attributes: Any = None
    if name == "a":
        attributes = tree.found.read_link(row)
    elif name == "abbr":
        attributes = tree.found.read_title(row)
    elif (
        name in tree.inlines
        and row not in tree.found.notes.raised
        and not (name == "cite" and _is_reference(tree, row))
    ):
        name = tree.inlines[name]
        attributes = {}
    frame: _Frame = open_frame(tree, row)
    # code shows no marks, and emphasis within emphasis of its kind says nothing more
    if attributes is not None and not frame.is_code and not _has_inline(frame.inlines, name):
        inline: _Inline = _Inline()
        inline.row, inline.name, inline.attributes, inline.home = row, name, attributes, None
        frame.inlines = (*frame.inlines, inline)
        frame.is_code = name == "code"


def _is_reference(tree: _Tree, row: cython.Py_ssize_t) -> cython.bint:
    """Whether a `cite` is a whole entry of a bibliography, with a link or a title of its own, and not a title."""
    for at in range(row + 1, tree.page.end[row]):
        name: str = tree.page.names[at]
        if name == "a" or name == "i" or name == "em":
            return True
    return False


def _has_inline(inlines: tuple, name: str) -> cython.bint:
    inline: _Inline
    for inline in inlines:
        if inline.name == name:
            return True
    return False


def _add_checkbox(tree: _Tree, row: cython.Py_ssize_t) -> None:
    """Mark the item of a task list: the box is the first thing in it."""
    item: Any = tree.top.container
    # a box elsewhere is a control of a form
    if item.name == "li" and not item.children and tree.leaf is None:
        item.attributes["task"] = tree.found.read_task(row)


def _add_image(tree: _Tree, row: cython.Py_ssize_t) -> None:
    """Add a picture; an element of a name of its own may hold the same one for browsers without scripts."""
    tree.done_row, tree.done_end = row, tree.page.end[row]
    attributes: dict = tree.found.pictures.get(row)
    if attributes is not None:
        _place_image(tree, attributes)


def _add_media(tree: _Tree, row: cython.Py_ssize_t) -> None:
    tree.done_row, tree.done_end = row, tree.page.end[row]
    made: Any = tree.found.make_media(row)
    if made is not None:
        _close_leaf(tree)
        _place_node(tree, tree.top.container, tree.make("p", {}, [made], False, row), "p")


class _Tidy:
    """Names of elements: in which a lone paragraph is unwrapped; lists that may follow it; what may be empty."""

    tight: frozenset
    may_follow: frozenset
    may_be_empty: frozenset


def simplify_tree(root: Any, tight: frozenset[str], may_follow: frozenset[str], may_be_empty: frozenset[str]) -> None:
    """Tidy a tree in place, from the leaves up.

    Args:
        tight: elements in which a paragraph that is alone, or before lists alone, is unwrapped.
        may_follow: those lists.
        may_be_empty: elements that stay although nothing is in them.
    """
    rules: _Tidy = _Tidy()
    rules.tight, rules.may_follow, rules.may_be_empty = tight, may_follow, may_be_empty
    _simplify(root, root.name, rules)


def _simplify(node: Any, name: str, rules: _Tidy) -> None:
    if name == "math":  # its children are MathML
        return
    is_empty: cython.bint = False
    children: list = node.children
    below: list
    own: str
    for child in children:
        if type(child) is str:
            continue
        below, own = child.children, child.name
        # most nodes are a leaf of one text, of which nothing is left to tidy
        if len(below) != 1 or type(below[0]) is not str:
            _simplify(child, own, rules)
            # after its own children went: a container of empty ones is empty now
            is_empty |= not child.children and own not in rules.may_be_empty
    if is_empty:
        children[:] = [
            child for child in children if type(child) is str or child.children or child.name in rules.may_be_empty
        ]
    if name in rules.tight:
        _unwrap_lone_paragraph(node, children, rules)
    elif name == "figure":
        _unwrap_image(children)


def _unwrap_lone_paragraph(node: Any, children: list, rules: _Tidy) -> None:
    """`<li><p>one</p><ul>...</ul></li>` -> `<li>one<ul>...</ul></li>`."""
    for at in range(len(children)):
        child = children[at]
        if type(child) is str:
            return
        if at == 0 and child.name != "p":
            return
        # two paragraphs would run together without their elements
        if at > 0 and child.name not in rules.may_follow:
            return
    if children:
        only = children[0]
        children[:1] = only.children
        # the row tells where the text stands in the page; the wrapper may begin far above it
        node.row = only.row


def _unwrap_image(children: list) -> None:
    """`<figure><p><img></p>` -> `<figure><img>`."""
    for at in range(len(children)):
        child = children[at]
        if type(child) is not str and child.name == "p" and len(child.children) == 1:
            only = child.children[0]
            if type(only) is not str and only.name == "img":
                children[at] = only
                only.row = child.row


def count_allowed(root: Any, spend: Any, often: cython.Py_ssize_t) -> int:
    """How many elements of a tree, from the first in document order, are within a limit; -1 where all are.

    Args:
        spend: characters of names, attributes and texts -> whether they are still within it. It is asked after each
            `often` elements, after `often` squared characters, and at the end.
    """
    waiting: list = [root]
    n_nodes = n_chars = 0
    while waiting:
        node = waiting.pop()
        n_nodes += 1
        text: str = node.name
        n_chars += len(text)
        attributes: dict = node.attributes
        for value in attributes.values():
            text = value
            n_chars += len(text)
        children: list = node.children
        for child in reversed(children):
            if type(child) is str:
                text = child
                n_chars += len(text)
            else:
                waiting.append(child)
        # characters count too: one text may hold megabytes
        if n_nodes % often == 0 or n_chars > often * often:
            if not spend(n_chars):
                return n_nodes
            n_chars = 0
    return -1 if spend(n_chars) else n_nodes
