"""What is done to a whole tree of clean elements: empty containers go, lone paragraphs are unwrapped; its limit.

Enters: the tree, names of elements. Leaves: the same tree, changed in place. Keep: the depth of recursion is that of
the tree, which `max_nesting` of `core.tree` bounds; nodes with text stay. Tested by `tests/core/test_flow.py`.
"""

from __future__ import annotations

from typing import Any

import cython


@cython.final
@cython.cclass
class _Rules:
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
    rules: _Rules = _Rules()
    rules.tight, rules.may_follow, rules.may_be_empty = tight, may_follow, may_be_empty
    _simplify(root, root.name, rules)


@cython.cfunc
def _simplify(node: Any, name: str, rules: _Rules) -> cython.bint:
    if name == "math":  # its children are MathML
        return True
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
    return True


@cython.cfunc
def _unwrap_lone_paragraph(node: Any, children: list, rules: _Rules) -> cython.bint:
    """`<li><p>one</p><ul>...</ul></li>` -> `<li>one<ul>...</ul></li>`."""
    for at in range(len(children)):
        child = children[at]
        if type(child) is str:
            return True
        if at == 0 and child.name != "p":
            return True
        # two paragraphs would run together without their elements
        if at > 0 and child.name not in rules.may_follow:
            return True
    if children:
        only = children[0]
        children[:1] = only.children
        # the row tells where the text stands in the page; the wrapper may begin far above it
        node.row = only.row
    return True


@cython.cfunc
def _unwrap_image(children: list) -> cython.bint:
    """`<figure><p><img></p>` -> `<figure><img>`."""
    for at in range(len(children)):
        child = children[at]
        if type(child) is not str and child.name == "p" and len(child.children) == 1:
            only = child.children[0]
            if type(only) is not str and only.name == "img":
                children[at] = only
                only.row = child.row
    return True


def count_allowed(root: Any, spend: Any, often: cython.Py_ssize_t) -> int:
    """How many elements of a tree, from the first in document order, are within a limit; -1 where all are.

    Args:
        spend: characters of names, attributes and texts -> whether they are still within it. It is asked after each
            `often` elements, after `often` squared characters, and at the end.
    """
    waiting: list = [root]
    n_nodes: cython.Py_ssize_t = 0
    n_chars: cython.Py_ssize_t = 0
    text: str
    attributes: dict
    children: list
    while waiting:
        node = waiting.pop()
        n_nodes += 1
        text = node.name
        n_chars += len(text)
        attributes = node.attributes
        for value in attributes.values():
            text = value
            n_chars += len(text)
        children = node.children
        for child in reversed(children):
            if type(child) is str:
                text = child
                n_chars += len(text)
            else:
                waiting.append(child)
        # by characters too: one text may hold megabytes
        if n_nodes % often == 0 or n_chars > often * often:
            if not spend(n_chars):
                return n_nodes
            n_chars = 0
    return -1 if spend(n_chars) else n_nodes
