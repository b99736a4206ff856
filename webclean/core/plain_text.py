"""A tree of clean elements -> plain text; what the text is like, `outputs.text` says. Beside it the text of a
preformatted element, which is read before there is a tree.

Enters: the tree (`core.tree`); columns of preformatted elements. Leaves: text. Keep: code keeps its lines and
indentation to the character; of all else white space is one space. Tested by `tests/core/test_flow.py`,
`tests/outputs/test_properties.py`.
"""

from __future__ import annotations

from typing import Any

import cython

from webclean.core.page import Page


class _Plain:
    """Names of elements that stand in a line; those that are one; those that are lists. read: gives the text of a
    formula or of ruby."""

    inline: frozenset
    leaves: frozenset
    lists: frozenset
    read: Any


def render_plain(tree: Any, inline: frozenset[str], leaves: frozenset[str], lists: frozenset[str], read: Any) -> str:
    """The text of a tree.

    Args:
        inline, leaves, lists: names of elements.
        read: gives the text of a formula, and of ruby with its readings.
    """
    rules: _Plain = _Plain()
    rules.inline, rules.leaves, rules.lists, rules.read = inline, leaves, lists, read
    return _join_blocks(rules, tree.children)


def _join_blocks(rules: _Plain, children: list) -> str:
    """The text of each block among some children, blank lines between them."""
    found: list = _read_blocks(rules, children, -1)
    return "\n\n".join([text for _, _, text in found if text])


def _read_blocks(rules: _Plain, children: list, depth: cython.Py_ssize_t) -> list:
    """(Name, whether it is a line, text) of each block; adjacent inline children are one, a paragraph.

    depth: of the list that the blocks are in, -1 if they are in none; lists among them are one deeper.
    """
    found: list = []
    line: list = []
    for child in children:
        if type(child) is str or child.name in rules.inline:
            line.append(child)
            continue
        if line:
            found.append(("p", False, _read_plain_line(rules, line)))
            line = []
        found.append((child.name, child.is_line, _read_kept_block(rules, child, child.name, depth)))
    if line:
        found.append(("p", False, _read_plain_line(rules, line)))
    return found


def _read_kept_block(rules: _Plain, node: Any, name: str, depth: cython.Py_ssize_t) -> str:
    if name == "pre":
        return node.children[0]
    if name in rules.leaves:
        return _read_plain_line(rules, node.children)
    if name in rules.lists:
        return _read_plain_list(rules, node, name, depth + 1)
    if name == "table":
        return _read_plain_table(rules, node)
    return _join_blocks(rules, node.children)


def _read_plain_line(rules: _Plain, children: list) -> str:
    if len(children) == 1 and type(children[0]) is str:
        return children[0]
    text: str = _read_inline(rules, children)
    # most lines have no `br`
    if "\n" not in text:
        return " ".join(text.split())
    return "\n".join([line for line in [" ".join(line.split()) for line in text.split("\n")] if line])


def _read_inline(rules: _Plain, children: list) -> str:
    """The text of what stands in a line, with a newline for each `br`."""
    pieces: list = []
    for child in children:
        if type(child) is str:
            pieces.append(child)
            continue
        name: str = child.name
        if name == "br":
            pieces.append("\n")
        elif name == "math" or name == "ruby":
            pieces.append(rules.read(child))
        else:
            pieces.append(_read_inline(rules, child.children))
    return "".join(pieces)


def _read_plain_list(rules: _Plain, node: Any, name: str, depth: cython.Py_ssize_t) -> str:
    """Items on lines of their own; a blank line around those of several blocks."""
    bullet: str = "  " * depth + "- " if name == "ul" else ""
    written: list = []
    was_long: cython.bint = False
    for item in node.children:
        if type(item) is str:
            continue
        is_long: cython.bint = False
        if len(item.children) == 1 and type(item.children[0]) is str:
            text: str = item.children[0]
        else:
            blocks = _read_blocks(rules, item.children, depth)
            text = _join_item(rules, blocks)
            # a list within it stays on the next line: only paragraphs need blank lines around
            is_long = len([None for own, _, _ in blocks if own not in rules.lists]) > 1
        if not text:
            continue
        if written:
            written.append("\n\n" if is_long or was_long else "\n")
        written.append(bullet + text if item.name == "li" else text)
        was_long = is_long
    return "".join(written)


def _join_item(rules: _Plain, blocks: list) -> str:
    """The blocks of an item: lists within it on the next line, paragraphs after a blank line."""
    written: str = ""
    before: str = ""
    name: str
    text: str
    for name, is_line, text in blocks:
        if text:
            if written:
                is_close = name in rules.lists or before in rules.lists or is_line
                written += "\n" if is_close else "\n\n"
            written += text
            before = name
    return written


def _read_plain_table(rules: _Plain, node: Any) -> str:
    """The caption, then a line for each row with tabs between its cells."""
    lines: list = []
    for child in node.children:
        if type(child) is str:
            continue
        if child.name == "tr":
            cells = [
                _read_plain_cell(rules, cell)
                for cell in child.children
                if type(cell) is not str and (cell.name == "td" or cell.name == "th")
            ]
            # empty cells at the end of a row, which layouts pad with
            text: str = "\t".join(cells).rstrip("\t")
        else:
            text = _join_blocks(rules, child.children)
        if text:
            lines.append(text)
    return "\n".join(lines)


def _read_plain_cell(rules: _Plain, cell: Any) -> str:
    """The text of a cell on one line."""
    children: list = cell.children
    is_text: cython.bint = len(children) == 1 and type(children[0]) is str
    text: str = children[0] if is_text else _join_blocks(rules, children)
    return " ".join(text.split())


_CODE_BLOCKS = frozenset(("div", "p", "li", "tr", "table", "ol", "ul", "dd", "dt", "section"))
"""Elements in preformatted text that begin a line: highlighters set each line into one, with or without a newline."""


def _count_breaks(
    page: Page,
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    owner: cython.Py_ssize_t,
    hidden: list,
    is_ended: cython.bint,
) -> cython.Py_ssize_t:
    """Newlines between two texts of code. Some tools set each line into an element and write no newline, or one that is
    within the element; an empty line is an element without text, or with a line break alone.

    Args:
        page: of the texts.
        start, stop: the elements that begin between the texts.
        owner: of the second text.
        hidden: elements between the texts that are not shown, in document order: row, end, and whether it is more than
            a number. A line with a number alone is empty, one in such an element or around a button is none.
        is_ended: whether the first text ends with a newline.
    """
    names: list = page.names
    n_breaks = n_empty = k = 0
    begins: cython.bint = False
    line: cython.Py_ssize_t = -1
    n_hidden: cython.Py_ssize_t = len(hidden)
    n_inside: cython.Py_ssize_t = 0  # breaks in the line that may be empty
    for at in range(start, stop + 1):
        if line >= 0 and (at == stop or at >= page.end[line]):
            while k < n_hidden and cython.cast(cython.Py_ssize_t, hidden[k][1]) <= line:
                k += 1
            is_part: cython.bint = False
            if k < n_hidden:
                first: cython.Py_ssize_t = hidden[k][0]
                is_part = first <= line or (hidden[k][2] and first < page.end[line])
            if not is_part and not line <= owner < page.end[line]:
                n_empty += 1
                n_breaks -= n_inside
            line = -1
        if at == stop:
            break
        if names[at] in _CODE_BLOCKS:
            begins, line, n_inside = True, at, 0
        elif names[at] == "br":
            n_breaks += 1
            n_inside += line >= 0
    return n_empty + max(n_breaks, begins and not is_ended)


_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr"))
"""Elements whose own white space no browser shows."""


def join_preformatted(
    page: Page,
    kept: cython.const[cython.uchar][:],
    row: cython.Py_ssize_t,
    nodes: range,
    find_added: Any,
    has_extras: cython.bint,
    is_pre: cython.bint,
) -> str:
    """The kept text of a preformatted element, with its lines and indentation unchanged.

    Args:
        page: with blocks.
        kept: bool [n_blocks].
        row: of the element.
        nodes: the text nodes from its start to its end.
        find_added: node -> the element around it that a tool added, -1 for none. It is asked of numbers, and of all
            where has_extras.
        has_extras: whether there is something other than text and line numbers in it, such as a button.
        is_pre: false for another element that holds code: white space between its lines is that of the markup.
    """
    names: list = page.names
    after: cython.p_longlong = page.text_next
    pieces: list = []
    last: str = ""
    end: cython.Py_ssize_t = page.end[row]
    start: cython.Py_ssize_t = row + 1  # the first element that begins after the text before
    coded: range = range(0) if is_pre else range(row + 1, end)
    holders: set = {page.parent[at] for at in coded if names[at] in _CODE_BLOCKS}
    node: cython.Py_ssize_t
    hidden: list = []
    for node in nodes:
        owner: cython.Py_ssize_t = page.text_owner[node]
        if not row <= owner < end:
            continue
        text: str = page.texts[node]
        block: cython.Py_ssize_t = page.block_of[node]
        # text of no block is not displayed; white space is, as lines and indentation
        if block < 0 and (not text.isspace() or owner in holders or names[owner] in _TABLE_PARTS):
            continue
        # numbers of lines and buttons to copy the code are a tool's; asked where there may be some
        is_number = text.strip().isdecimal()
        added = find_added(node) if has_extras or is_number else -1
        if added >= 0:
            if not hidden or hidden[len(hidden) - 1][0] != added:
                hidden.append((added, page.end[added], not is_number))
            continue
        if block >= 0 and not kept[block]:
            start, hidden = after[node], []
            continue
        if pieces:
            pieces.append("\n" * _count_breaks(page, start, after[node], owner, hidden, last.endswith("\n")))
        start, hidden = after[node], []
        pieces.append(text)
        last = text
    # white space at the ends of lines shows nothing, and differs by tool
    return "\n".join([line.rstrip() for line in "".join(pieces).split("\n")]).strip("\n")
