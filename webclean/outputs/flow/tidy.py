"""Removes empty containers from a tree of clean elements, and paragraphs that are the only one in a list item."""

from __future__ import annotations

from typing import Final

from webclean.outputs.flow.nodes import Node

TIGHT: Final = frozenset(("li", "td", "th", "dd", "dt", "figcaption", "summary", "caption", "note"))
_MAY_FOLLOW: Final = frozenset(("ul", "ol", "dl"))
_MAY_BE_EMPTY: Final = frozenset(("td", "th", "br", "img", "hr", "math"))


def simplify_containers(node: Node) -> None:
    """Tidy a tree in place, from the leaves up."""
    if node.name == "math":
        return
    is_empty = False
    for child in node.children:
        if type(child) is not Node:
            continue
        if len(child.children) != 1 or type(child.children[0]) is Node:
            simplify_containers(child)
        is_empty |= not child.children and child.name not in _MAY_BE_EMPTY
    if is_empty:
        node.children[:] = [
            child for child in node.children if isinstance(child, str) or child.children or child.name in _MAY_BE_EMPTY
        ]
    if node.name in TIGHT:
        _unwrap_lone_paragraph(node)
    elif node.name == "figure":
        _unwrap_image(node)


def _unwrap_lone_paragraph(node: Node) -> None:
    """`<li><p>one</p><ul>...</ul></li>` -> `<li>one<ul>...</ul></li>`."""
    children = list(node.find_nodes())
    if len(children) != len(node.children) or not children or children[0].name != "p":
        return
    if all(child.name in _MAY_FOLLOW for child in children[1:]):
        node.children[:1] = children[0].children
        node.row = children[0].row


def _unwrap_image(node: Node) -> None:
    """`<figure><p><img></p>` -> `<figure><img>`."""
    for at, child in enumerate(node.children):
        if isinstance(child, Node) and child.name == "p" and len(child.children) == 1:
            only = child.children[0]
            if isinstance(only, Node) and only.name == "img":
                node.children[at] = only
                only.row = child.row
