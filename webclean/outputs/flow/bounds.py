"""A tree of clean elements -> the same tree, cut where it is over the limit of output of the page.

Pages grow where one piece of them is written many times: the address of a link around thousands of paragraphs, or the
address of the page in front of every relative link.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from webclean.outputs.flow.nodes import Node
from webclean.parse.limits import spend_output

_OFTEN: Final = 1024
"""Elements between two checks of the limits."""


def bound_tree(root: Node) -> bool:
    """Count the text and attributes of a tree in the current budget. False if it was cut, in place, for it is over it.

    Raises `LimitExceeded` if it may not be cut.
    """
    n_chars = 0
    for number, node in enumerate(_walk(root), start=1):
        n_chars += len(node.name)
        if node.attributes:
            n_chars += sum(map(len, node.attributes.values()))
        for child in node.children:
            if type(child) is str:
                n_chars += len(child)
        if number % _OFTEN == 0 or n_chars > _OFTEN * _OFTEN:
            if not spend_output(n_chars):
                _drop_after(root, number)
                return False
            n_chars = 0
    return spend_output(n_chars)


def _walk(root: Node) -> Iterator[Node]:
    """The nodes in document order."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        if len(node.children) != 1 or type(node.children[0]) is not str:
            todo += [child for child in reversed(node.children) if type(child) is not str]  # type: ignore[misc]


def _drop_after(root: Node, n_nodes: int) -> None:
    """Drop all nodes but the first ones in document order."""
    kept = list(islice(_walk(root), n_nodes))
    numbers = {id(node) for node in kept}
    for node in kept:
        node.children[:] = [child for child in node.children if isinstance(child, str) or id(child) in numbers]
